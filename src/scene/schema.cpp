#include "scene/schema.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "base/text.h"

namespace abut::scene {
namespace {

Type of_kind(TypeKind kind) {
  Type type;
  type.kind = kind;
  return type;
}

std::vector<std::string> quoted(const std::vector<std::string>& words) {
  std::vector<std::string> result;
  result.reserve(words.size());
  for (const std::string& word : words) result.push_back(fmt::format("`{}`", word));
  return result;
}

std::string with_unit(double value, const std::string& unit) {
  return unit.empty() ? fmt::format("{:g}", value) : fmt::format("{:g} {}", value, unit);
}

}  // namespace

const Key* Record::find(const std::string& key) const {
  for (const Key& candidate : keys) {
    if (candidate.name == key) return &candidate;
  }
  return nullptr;
}

std::vector<std::string> Record::key_names() const {
  std::vector<std::string> names;
  names.reserve(keys.size());
  for (const Key& key : keys) names.push_back(key.name);
  return names;
}

Type number(const Dimension& dimension, const Range& range) {
  Type type = of_kind(TypeKind::number);
  type.dimension = dimension;
  type.range = range;
  return type;
}

Type integer(double lower, double upper) {
  Type type = of_kind(TypeKind::integer);
  type.range = {lower, upper, false};
  return type;
}

Type flag() {
  return of_kind(TypeKind::flag);
}

Type text(std::string summary) {
  Type type = of_kind(TypeKind::text);
  type.summary = std::move(summary);
  return type;
}

Type choice(std::vector<std::string> choices, std::vector<std::string> unsupported) {
  Type type = of_kind(TypeKind::choice);
  type.choices = std::move(choices);
  type.unsupported = std::move(unsupported);
  return type;
}

Type formula(std::vector<std::string> variables) {
  Type type = of_kind(TypeKind::formula);
  type.choices = std::move(variables);
  return type;
}

Type vector_of(int count, const Dimension& dimension, const Range& range) {
  Type type = of_kind(TypeKind::vector);
  type.count = count;
  type.dimension = dimension;
  type.range = range;
  return type;
}

Type list_of(Type element, std::size_t minimum) {
  Type type = of_kind(TypeKind::list);
  type.element = std::make_shared<const Type>(std::move(element));
  type.minimum = minimum;
  return type;
}

Type tuple_of(int count, Type element) {
  Type type = list_of(std::move(element), static_cast<std::size_t>(count));
  type.count = count;
  return type;
}

std::shared_ptr<const Record> share(Record record) {
  return std::make_shared<const Record>(std::move(record));
}

Type record(std::shared_ptr<const Record> record) {
  Type type = of_kind(TypeKind::record);
  type.record = std::move(record);
  return type;
}

Type variant(std::shared_ptr<const Record> record) {
  Type type = of_kind(TypeKind::variant);
  type.record = std::move(record);
  return type;
}

Type named(Type element) {
  Type type = of_kind(TypeKind::named);
  type.element = std::make_shared<const Type>(std::move(element));
  return type;
}

Type tagged(std::vector<std::shared_ptr<const Record>> records) {
  Type type = of_kind(TypeKind::tagged);
  type.records = std::move(records);
  return type;
}

Type one_of(std::string summary, std::vector<Type> alternatives) {
  Type type = of_kind(TypeKind::one_of);
  type.summary = std::move(summary);
  type.alternatives = std::move(alternatives);
  return type;
}

Key required(std::string name, Type type, std::string help) {
  return {std::move(name), std::move(type), std::move(help), "", true, true};
}

Key optional(std::string name, Type type, std::string help, std::string default_text) {
  return {std::move(name), std::move(type), std::move(help), std::move(default_text), false, true};
}

Range positive(double upper) {
  return {0, upper, true};
}
Range at_least(double lower, double upper) {
  return {lower, upper, false};
}

std::string describe(const Type& type) {
  switch (type.kind) {
    case TypeKind::number:
      return describe(type.dimension);
    case TypeKind::integer:
      return "a whole number";
    case TypeKind::flag:
      return "`true` or `false`";
    case TypeKind::choice:
      return base::listed(quoted(type.choices), "or");
    case TypeKind::formula:
      return fmt::format("a formula in {}", base::listed(type.choices));
    case TypeKind::vector: {
      const std::string unit = si_unit(type.dimension);
      return fmt::format("a list of {} numbers{}", type.count,
                         unit.empty() ? "" : fmt::format(" ({})", unit));
    }
    case TypeKind::list:
      if (type.count > 0) {
        return fmt::format("a list of {} entries, each {}", type.count, describe(*type.element));
      }
      return fmt::format("a list, each entry {}", describe(*type.element));
    case TypeKind::record:
      return fmt::format("a map with the keys of a {}", type.record->name);
    case TypeKind::variant:
      return fmt::format("a map with one key: {}",
                         base::listed(quoted(type.record->key_names()), "or"));
    case TypeKind::named:
      return "a map from names to entries";
    case TypeKind::tagged: {
      std::vector<std::string> names;
      names.reserve(type.records.size());
      for (const auto& candidate : type.records) names.push_back(candidate->name);
      return fmt::format("a map whose `type` is {}", base::listed(quoted(names), "or"));
    }
    case TypeKind::text:
    case TypeKind::one_of:
      return type.summary;
  }
  return {};
}

std::string describe(const Range& range, const Dimension& dimension) {
  const std::string unit = si_unit(dimension);
  const bool below = std::isfinite(range.lower);
  const bool above = std::isfinite(range.upper);
  if (range.lower == range.upper) return with_unit(range.lower, unit);
  if (below && above && range.lower_open) {
    return range.lower == 0
               ? fmt::format("positive and at most {}", with_unit(range.upper, unit))
               : fmt::format("more than {} and at most {}", with_unit(range.lower, unit),
                             with_unit(range.upper, unit));
  }
  if (below && above) {
    return fmt::format("{}between {} and {}", range.lower > 0 ? "positive, " : "",
                       with_unit(range.lower, unit), with_unit(range.upper, unit));
  }
  if (below && range.lower_open) {
    return range.lower == 0 ? "positive"
                            : fmt::format("more than {}", with_unit(range.lower, unit));
  }
  if (below) {
    return range.lower == 0 ? "zero or positive"
                            : fmt::format("at least {}", with_unit(range.lower, unit));
  }
  return above ? fmt::format("at most {}", with_unit(range.upper, unit)) : std::string();
}

}  // namespace abut::scene
