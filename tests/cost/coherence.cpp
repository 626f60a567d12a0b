// Asks for the distance of two tumbling bodies at every millisecond of ten seconds, for
// tests/cost/run to count the instructions.
//   coherence nothing|witness|gjk
// `nothing` only prepares the poses, as the others do; `witness` remembers the nearest features
// from question to question; `gjk` searches from scratch each time. Prints how often the memory was
// enough and the sum of the distances.

#include <cstdio>
#include <string_view>
#include <vector>

#include "geometry/gjk.h"
#include "narrow/witness.h"
#include "support/tumbling.h"

int main(int count, char** arguments) {
  using namespace abut;
  const std::string_view means = count > 1 ? arguments[1] : "";
  const test::Tumbling bodies = test::tumbling_pair(2.005, 0.02);
  std::vector<geometry::RelativePose> poses;
  for (int i = 0; i < 10000; ++i) poses.push_back(bodies.at(1e-3 * i));

  narrow::Witness witness;
  narrow::PairStatistics statistics;
  double sum = 0;
  for (const geometry::RelativePose& pose : poses) {
    if (means == "witness")
      sum += witness.distance(bodies.a, bodies.b, pose, statistics).gap;
    else if (means == "gjk")
      sum += geometry::gjk(bodies.a, bodies.b, pose).lower;
  }
  const double hits = static_cast<double>(statistics.witness_hits);
  std::printf("%.17g %.17g\n", hits / static_cast<double>(poses.size()), sum);
}
