#include "scene/checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/text.h"
#include "math/expression.h"
#include "scene/quantity.h"

namespace abut::scene {
namespace {

/// Operations in a formula of several variables: surfaces evaluate it a million times to be
/// checked, which must not take more than seconds.
constexpr std::ptrdiff_t most_of_a_surface = 500;

bool is_operation(char c) {
  return std::string_view("+-*/^(").find(c) != std::string_view::npos;
}

/// Where a value stands, for messages only: its key and its indices below that.
struct Path {
  const Path* parent = nullptr;
  const Key* key = nullptr;           ///< description of the key, or
  const std::string* name = nullptr;  ///< a free name, or
  std::size_t index = 0;              ///< a place in a list

  std::string text() const {
    if (key != nullptr) return key->name;
    if (name != nullptr) return *name;
    return parent != nullptr ? fmt::format("{}[{}]", parent->text(), index) : "the scene";
  }
  const Key* nearest_key() const {
    if (key != nullptr || parent == nullptr) return key;
    return parent->nearest_key();
  }
};

std::string what_is(const Node& node) {
  switch (node.kind) {
    case Node::Kind::null:
      return "has no value";
    case Node::Kind::scalar:
      return fmt::format("is `{}`", base::shown(node.text));
    case Node::Kind::sequence:
      return fmt::format("is a list of {}", node.items.size());
    case Node::Kind::map:
      return "is a map";
  }
  return {};
}

std::vector<std::string> supported_names(const Record& record) {
  std::vector<std::string> names;
  for (const Key& key : record.keys) {
    if (key.supported) names.push_back(key.name);
  }
  return names;
}

/// Which kind of node a type is written as.
Node::Kind written_as(const Type& type) {
  switch (type.kind) {
    case TypeKind::vector:
    case TypeKind::list:
      return Node::Kind::sequence;
    case TypeKind::record:
    case TypeKind::variant:
    case TypeKind::named:
    case TypeKind::tagged:
      return Node::Kind::map;
    default:
      return Node::Kind::scalar;
  }
}

class Checker {
 public:
  explicit Checker(Problems& problems) : problems_(problems) {}

  void check(Node& node, const Type& type, const Path& path) {
    if (type.kind == TypeKind::one_of) return one_of(node, type, path);
    if (node.kind != written_as(type)) {
      problems_.error(node.mark, fmt::format("{} {}, but must be {}", path.text(), what_is(node),
                                             describe(type)));
      return;
    }
    switch (type.kind) {
      case TypeKind::number:
      case TypeKind::integer:
        return number(node, type, path);
      case TypeKind::flag:
        return flag(node, path);
      case TypeKind::text:
        return text(node, path);
      case TypeKind::choice:
        return choice(node, type, path);
      case TypeKind::formula:
        return formula(node, type, path);
      case TypeKind::vector:
        return vector(node, type, path);
      case TypeKind::list:
        return list(node, type, path);
      case TypeKind::record:
        return record(node, *type.record, path);
      case TypeKind::variant:
        return variant(node, type, path);
      case TypeKind::named:
        return named(node, type, path);
      case TypeKind::tagged:
        return tagged(node, type, path);
      case TypeKind::one_of:
        return;
    }
  }

  void record(Node& node, const Record& format, const Path& path) {
    bool good = true;
    std::vector<std::string> meant;  // known keys that misspelt ones stand for
    for (std::size_t i = 0; i < node.keys.size(); ++i) {
      good = key(node, i, format, path, meant) && good;
    }
    for (const Key& wanted : format.keys) {
      if (!wanted.required || node.find(wanted.name) != nullptr) continue;
      good = false;
      if (std::find(meant.begin(), meant.end(), wanted.name) != meant.end()) continue;
      problems_.error(node.mark, fmt::format("a {} needs the key `{}` ({}); add it", format.name,
                                             wanted.name, wanted.help));
    }
    node.valid = good;
  }

 private:
  /// One key of a record with its value.
  bool key(Node& node, std::size_t i, const Record& format, const Path& path,
           std::vector<std::string>& meant) {
    const Node::Key& given = node.keys[i];
    const Key* known = format.find(given.name);
    if (known == nullptr) {
      const auto names = format.key_names();
      if (const auto closest = base::closest_word(given.name, names)) meant.push_back(*closest);
      std::string mend = base::did_you_mean(given.name, names);
      if (mend.empty()) mend = "; the keys here are " + base::listed(names);
      problems_.error(given.mark, fmt::format("`{}` is not a key of a {}{}",
                                              base::shown(given.name), format.name, mend));
      return false;
    }
    if (!known->supported) {
      problems_.error(given.mark, fmt::format("`{}` is not supported yet", known->name));
      return false;
    }
    Node& value = node.items[i];
    if (value.kind == Node::Kind::null) {
      problems_.error(given.mark, fmt::format("{} has no value, but must be {}", known->name,
                                              describe(known->type)));
      return false;
    }
    check(value, known->type, {&path, known, nullptr, 0});
    return value.valid;
  }

  void number(Node& node, const Type& type, const Path& path) {
    const auto result = parse_number(node.text, type.dimension);
    if (const auto* error = std::get_if<QuantityError>(&result)) {
      problems_.error(node.mark, fmt::format("{}: {}", path.text(), error->message));
      return;
    }
    node.number = std::get<double>(result);
    const Key* key = path.nearest_key();
    const std::string mend =
        key != nullptr && !key->help.empty() ? fmt::format(" ({})", key->help) : "";
    if (type.kind == TypeKind::integer && node.number != std::floor(node.number)) {
      problems_.error(node.mark, fmt::format("{} is {}, but must be a whole number{}", path.text(),
                                             base::shown(node.text), mend));
      return;
    }
    if (!type.range.contains(node.number)) {
      problems_.error(node.mark,
                      fmt::format("{} is {}, but must be {}{}", path.text(), base::shown(node.text),
                                  describe(type.range, type.dimension), mend));
      return;
    }
    node.valid = true;
    if (type.dimension == dimension::angle) warn_of_degrees(node, path);
  }

  /// Nobody turns a body by more than two turns, but many write degrees without saying so.
  void warn_of_degrees(const Node& node, const Path& path) {
    constexpr double two_turns = 4 * std::numbers::pi;
    const auto quantity = parse_quantity(node.text);
    const auto* plain = std::get_if<Quantity>(&quantity);
    if (plain == nullptr || plain->dimension != dimension::none ||
        !(std::abs(node.number) > two_turns))
      return;
    const std::string shown = base::shown(node.text);
    problems_.warning(
        node.mark,
        fmt::format("{} is {} radians, which are {:.3g} turns; write `{} deg` if "
                    "degrees are meant, or `{} rad`",
                    path.text(), shown, node.number / (2 * std::numbers::pi), shown, shown));
  }

  void flag(Node& node, const Path& path) {
    const std::string& word = node.text;
    const bool yes = word == "true" || word == "True" || word == "TRUE";
    const bool no = word == "false" || word == "False" || word == "FALSE";
    if (node.quoted || (!yes && !no)) {
      problems_.error(node.mark, fmt::format("{} is `{}`, but must be `true` or `false`",
                                             path.text(), base::shown(word)));
      return;
    }
    node.number = yes ? 1 : 0;
    node.valid = true;
  }

  void text(Node& node, const Path& path) {
    node.valid = !node.text.empty();
    if (!node.valid) problems_.error(node.mark, fmt::format("{} is empty", path.text()));
  }

  void choice(Node& node, const Type& type, const Path& path) {
    const auto found = std::find(type.choices.begin(), type.choices.end(), node.text);
    if (found == type.choices.end()) {
      problems_.error(node.mark, fmt::format("{} is `{}`, but must be {}{}", path.text(),
                                             base::shown(node.text), describe(type),
                                             base::did_you_mean(node.text, type.choices)));
      return;
    }
    if (std::find(type.unsupported.begin(), type.unsupported.end(), node.text) !=
        type.unsupported.end()) {
      problems_.error(node.mark,
                      fmt::format("`{}: {}` is not supported yet", path.text(), node.text));
      return;
    }
    node.choice = static_cast<int>(found - type.choices.begin());
    node.valid = true;
  }

  void formula(Node& node, const Type& type, const Path& path) {
    const auto parsed = math::Expression::parse(node.text, type.choices);
    if (const auto* error = std::get_if<math::ExpressionError>(&parsed)) {
      Mark mark = node.mark;
      // Exact for formulas on one line, which nearly all are.
      mark.column += static_cast<int>(error->offset) + (node.quoted ? 1 : 0);
      problems_.error(mark, fmt::format("{}: `{}` is not a formula: {}", path.text(),
                                        base::shown(node.text), error->message));
      return;
    }
    const auto operations = std::count_if(node.text.begin(), node.text.end(), is_operation);
    if (type.choices.size() > 1 && operations > most_of_a_surface) {
      problems_.error(
          node.mark,
          fmt::format("{}: `{}` has {} operations, but {} are the most that a "
                      "surface is checked for in seconds; simplify it",
                      path.text(), base::shown(node.text), operations, most_of_a_surface));
      return;
    }
    node.valid = true;
  }

  void vector(Node& node, const Type& type, const Path& path) {
    if (node.items.size() != static_cast<std::size_t>(type.count)) {
      problems_.error(node.mark, fmt::format("{} has {} entries, but must be {}", path.text(),
                                             node.items.size(), describe(type)));
      return;
    }
    Type element;
    element.kind = TypeKind::number;
    element.dimension = type.dimension;
    element.range = type.range;
    node.valid = all_items(node, element, path);
  }

  void list(Node& node, const Type& type, const Path& path) {
    const std::size_t size = node.items.size();
    const bool wrong_count = type.count > 0 && size != static_cast<std::size_t>(type.count);
    if (wrong_count || size < type.minimum) {
      problems_.error(
          node.mark,
          fmt::format("{} has {} entr{}, but must have {}{}", path.text(), size,
                      size == 1 ? "y" : "ies", type.count > 0 ? "" : "at least ",
                      type.count > 0 ? static_cast<std::size_t>(type.count) : type.minimum));
      if (wrong_count) return;
    }
    node.valid = all_items(node, *type.element, path) && size >= type.minimum;
  }

  bool all_items(Node& node, const Type& element, const Path& path) {
    bool good = true;
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      check(node.items[i], element, {&path, nullptr, nullptr, i});
      good = good && node.items[i].valid;
    }
    return good;
  }

  void variant(Node& node, const Type& type, const Path& path) {
    record(node, *type.record, path);
    if (node.keys.size() == 1) return;
    node.valid = false;
    problems_.error(node.mark, fmt::format("{} has {} keys, but must have exactly one, such as {}",
                                           path.text(), node.keys.size(),
                                           base::listed(supported_names(*type.record), "or")));
  }

  void named(Node& node, const Type& type, const Path& path) {
    node.valid = true;
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      check(node.items[i], *type.element, {&path, nullptr, &node.keys[i].name, 0});
      node.valid = node.valid && node.items[i].valid;
    }
  }

  void tagged(Node& node, const Type& type, const Path& path) {
    std::vector<std::string> tags;
    tags.reserve(type.records.size());
    for (const auto& candidate : type.records) tags.push_back(candidate->name);
    Node* tag = node.find("type");
    if (tag == nullptr || !tag->is_scalar()) {
      problems_.error(tag == nullptr ? node.mark : tag->mark,
                      fmt::format("the key `type` of {} is missing or no word; give {}",
                                  path.text(), base::listed(tags, "or")));
      return;
    }
    const auto found = std::find(tags.begin(), tags.end(), tag->text);
    if (found == tags.end()) {
      problems_.error(tag->mark,
                      fmt::format("type is `{}`, but must be {}{}", base::shown(tag->text),
                                  base::listed(tags, "or"), base::did_you_mean(tag->text, tags)));
      return;
    }
    node.choice = static_cast<int>(found - tags.begin());
    Record format = *type.records[static_cast<std::size_t>(node.choice)];
    format.keys.push_back(required("type", scene::choice(tags), "the kind"));
    record(node, format, path);
  }

  /// Picks the alternative by the kind of the node, and among several maps or lists the one that
  /// the content fits best.
  void one_of(Node& node, const Type& type, const Path& path) {
    int best = -1;
    long best_score = -1;
    for (std::size_t i = 0; i < type.alternatives.size(); ++i) {
      const Type& alternative = type.alternatives[i];
      if (written_as(alternative) != node.kind) continue;
      const long score = fit(node, alternative);
      if (score > best_score) {
        best = static_cast<int>(i);
        best_score = score;
      }
    }
    if (best < 0) {
      problems_.error(node.mark, fmt::format("{} {}, but must be {}", path.text(), what_is(node),
                                             type.summary));
      return;
    }
    check(node, type.alternatives[static_cast<std::size_t>(best)], path);
    if (type.alternatives[static_cast<std::size_t>(best)].kind == TypeKind::choice) return;
    node.choice = best;
  }

  static long fit(const Node& node, const Type& type) {
    if (type.record != nullptr) {
      return std::count_if(node.keys.begin(), node.keys.end(), [&](const Node::Key& key) {
        return type.record->find(key.name) != nullptr;
      });
    }
    const bool nested = !node.items.empty() && node.items.front().is_sequence();
    if (type.kind == TypeKind::list) return nested ? 1 : 0;
    if (type.kind == TypeKind::vector) return nested ? 0 : 1;
    return 0;
  }

  Problems& problems_;
};

}  // namespace

void check_document(Node& node, const Record& format, Problems& problems) {
  if (node.kind == Node::Kind::null) {
    const Mark start{1, 1, node.mark.override_index};
    problems.error(start, "the scene is empty; it needs at least `abut: 1` and `duration`");
    return;
  }
  if (!node.is_map()) {
    problems.error(node.mark, "a scene must be a map of keys such as `abut: 1`");
    return;
  }
  Checker(problems).record(node, format, {});
}

}  // namespace abut::scene
