#include "server/live_command.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

namespace abut::server {
namespace {

using Json = nlohmann::json;

/// Beyond these nothing is to be seen: s, m, m/s^2, and without a unit.
constexpr double longest_time = 1e9;
constexpr double farthest = 1e7;
constexpr double strongest_gravity = 1e5;
constexpr double largest_friction = 100;

/// Nesting deeper than any command has is not followed.
constexpr int deepest = 3;

/// Reads the keys of a command and notes whether everything was as it must be.
class Reader {
 public:
  explicit Reader(const Json& json) : json_(json) {}

  double number(const char* key, double lowest, double highest) {
    return checked(entry(key), lowest, highest);
  }
  std::optional<double> number_or_null(const char* key, double lowest, double highest) {
    const Json& value = entry(key);
    if (value.is_null()) return std::nullopt;
    return checked(value, lowest, highest);
  }
  Vec3 vector(const char* key, double reach) { return vector_of(entry(key), reach); }
  std::optional<Vec3> vector_or_null(const char* key, double reach) {
    const Json& value = entry(key);
    if (value.is_null()) return std::nullopt;
    return vector_of(value, reach);
  }
  int index(const char* key) {
    const Json& value = entry(key);
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > largest_index) {
      is_good_ = false;
      return 0;
    }
    return value.get<int>();
  }

  /// All was good, and there was nothing else.
  bool is_good() const { return is_good_ && read_ + 1 == json_.size(); }

 private:
  static constexpr std::uint64_t largest_index = std::numeric_limits<int>::max();

  const Json& entry(const char* key) {
    static const Json nothing = Json::object();
    const auto found = json_.find(key);
    if (found == json_.end()) {
      is_good_ = false;
      return nothing;
    }
    ++read_;
    return *found;
  }
  double checked(const Json& value, double lowest, double highest) {
    const double x = value.is_number() ? value.get<double>() : NAN;
    if (x >= lowest && x <= highest) return x;
    is_good_ = false;
    return lowest;
  }
  Vec3 vector_of(const Json& value, double reach) {
    if (!value.is_array() || value.size() != 3) {
      is_good_ = false;
      return Vec3::Zero();
    }
    return {checked(value[0], -reach, reach), checked(value[1], -reach, reach),
            checked(value[2], -reach, reach)};
  }

  const Json& json_;
  std::size_t read_ = 0;  // keys
  bool is_good_ = true;
};

std::optional<LiveCommand> command_of(const std::string& name, Reader& reader) {
  if (name == "goal") return GoalCommand{reader.number("time", 0, longest_time)};
  if (name == "step") return StepCommand{};
  if (name == "restart") return RestartCommand{};
  if (name == "release") return ReleaseCommand{};
  if (name == "set")
    return SetCommand{reader.vector_or_null("gravity", strongest_gravity),
                      reader.number_or_null("friction", 0, largest_friction),
                      reader.number_or_null("restitution", 0, 1)};
  if (name == "grab")
    return GrabCommand{reader.index("body"), reader.vector("point", farthest),
                       reader.vector("target", farthest)};
  return std::nullopt;
}

/// Stops at what is nested too deeply, so that the parser's own memory stays small.
Json parsed(std::string_view text) {
  return Json::parse(
      text, [](int depth, Json::parse_event_t, Json&) { return depth <= deepest; }, false);
}

}  // namespace

std::optional<LiveCommand> parse_command(std::string_view text) {
  const Json json = parsed(text);
  if (!json.is_object()) return std::nullopt;
  const auto name = json.find("do");
  if (name == json.end() || !name->is_string()) return std::nullopt;
  Reader reader(json);
  auto command = command_of(name->get<std::string>(), reader);
  if (!command || !reader.is_good()) return std::nullopt;
  return command;
}

}  // namespace abut::server
