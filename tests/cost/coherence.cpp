// Asks for the distance of two bodies of 200 vertices that tumble near contact, at every
// millisecond of ten seconds, for tests/cost/run to count the instructions of `measured_`.
//   coherence witness|gjk
// `witness` remembers the nearest features from question to question; `gjk` searches from scratch
// each time. Prints how many questions the memory has answered, the number of questions, the
// smallest and largest distance, and the sum of all.

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <vector>

#include "geometry/gjk.h"
#include "narrow/witness.h"
#include "support/tumbling.h"

using abut::geometry::RelativePose;
using abut::test::Tumbling;

// The counter knows what to count by these names.
extern "C" {
[[gnu::noinline]] void measured_witness(const Tumbling& bodies,
                                        const std::vector<RelativePose>& poses, long& hits,
                                        std::vector<double>& distances) {
  abut::narrow::Witness witness;
  abut::narrow::PairStatistics statistics;
  for (const RelativePose& pose : poses)
    distances.push_back(witness.distance(bodies.a, bodies.b, pose, statistics).gap);
  hits = statistics.witness_hits;
}

[[gnu::noinline]] void measured_gjk(const Tumbling& bodies, const std::vector<RelativePose>& poses,
                                    std::vector<double>& distances) {
  for (const RelativePose& pose : poses)
    distances.push_back(abut::geometry::gjk(bodies.a, bodies.b, pose).upper);
}
}

int main(int count, char** arguments) {
  const std::string_view means = count > 1 ? arguments[1] : "";
  if (means != "witness" && means != "gjk") return 2;
  const Tumbling bodies = abut::test::tumbling_pair(0, 0);
  const std::vector<RelativePose> poses = near_contact(bodies);
  long hits = 0;
  std::vector<double> distances;
  distances.reserve(poses.size());
  if (means == "witness")
    measured_witness(bodies, poses, hits, distances);
  else
    measured_gjk(bodies, poses, distances);
  const auto [least, most] = std::minmax_element(distances.begin(), distances.end());
  double sum = 0;
  for (const double distance : distances) sum += distance;
  std::printf("%ld %zu %.17g %.17g %.17g\n", hits, poses.size(), *least, *most, sum);
}
