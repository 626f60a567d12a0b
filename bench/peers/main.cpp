// Runs one scene in one library at one accuracy and prints a line of JSON:
//   peer_bullet scenes/stack.yaml standard|high
// The clock sees only the run, not the loading. One pass is watched and judged. Unless it is so
// long that watching cannot matter, others without an observer are timed, and the fastest counts.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <exception>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "measure.h"

namespace peers {
namespace {

// CPU time from which the watched pass is the only one, s.
constexpr double long_run = 5;

// CPU time to spend on repeating short runs, s, and how often at most.
constexpr double timing_budget = 0.3;
constexpr int most_repetitions = 50;

// How exactly the end of a scene must be reached, relative: steps sum up to it with rounding.
constexpr double end_tolerance = 1e-9;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double timed(World& world, const Observer& observer) {
  const double start = cpu_seconds();
  world.run(observer);
  return cpu_seconds() - start;
}

double fastest_run(const Scene& scene, Accuracy accuracy) {
  double fastest = std::numeric_limits<double>::infinity(), spent = 0;
  for (int i = 0; i < most_repetitions && spent < timing_budget; ++i) {
    const double seconds = timed(*make_world(scene, accuracy), {});
    fastest = std::min(fastest, seconds);
    spent += seconds;
  }
  return fastest;
}

nlohmann::json to_json(const std::vector<Quantity>& quantities) {
  nlohmann::json list = nlohmann::json::array();
  for (const Quantity& quantity : quantities)
    list.push_back({{"name", quantity.name}, {"unit", quantity.unit}, {"value", quantity.value}});
  return list;
}

void judge(const Scene& scene, Accuracy accuracy, nlohmann::json& line) {
  const auto measure = measure_for(scene);
  double reached = 0;
  const auto look = [&](const Snapshot& snapshot) {
    measure->look(snapshot);
    reached = snapshot.time;
  };
  const double watched = timed(*make_world(scene, accuracy), look);
  // A run that ends early has no errors to show, which must not count as having none.
  if (std::abs(reached - scene.duration) > end_tolerance * scene.duration)
    throw std::runtime_error("ended at t = " + std::to_string(reached) + " s");
  const double seconds = watched > long_run ? watched : fastest_run(scene, accuracy);
  line["cpu_per_second"] = seconds / scene.duration;
  line["quantities"] = to_json(measure->results());
}

const char* letter_of(Accuracy accuracy) {
  if (accuracy == Accuracy::low) return "L";
  return accuracy == Accuracy::high ? "H" : "D";
}

nlohmann::json compare(const std::string& path, Accuracy accuracy) {
  const Scene scene = read_scene(path);
  nlohmann::json line = {{"scene", scene.key},
                         {"title", scene.title},
                         {"library", library_name()},
                         {"accuracy", letter_of(accuracy)},
                         {"settings", settings_text(scene, accuracy)}};
  try {
    judge(scene, accuracy, line);
  } catch (const NotOffered& reason) {
    line["not_offered"] = reason.what();
  } catch (const std::exception& reason) {
    line["failure"] = reason.what();
  }
  return line;
}

}  // namespace
}  // namespace peers

int main(int count, char** arguments) {
  const std::map<std::string, peers::Accuracy> accuracies = {
      {"low", peers::Accuracy::low},
      {"standard", peers::Accuracy::standard},
      {"high", peers::Accuracy::high}};
  const auto chosen = accuracies.find(count == 3 ? arguments[2] : "");
  if (chosen == accuracies.end()) {
    std::fprintf(stderr, "usage: %s SCENE low|standard|high\n", arguments[0]);
    return 2;
  }
  std::printf("%s\n", peers::compare(arguments[1], chosen->second).dump().c_str());
}
