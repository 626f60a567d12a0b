#pragma once
// The vocabulary in which the scene format is described: types of values, keys, records.
//
// The description (format.h) is data. The checker reads it to find mistakes, json_schema.h to help
// editors, reference.h to write the guide's reference page; so all three always agree.

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "scene/unit.h"

namespace abut::scene {

struct Record;

/// Which numbers are allowed.
struct Range {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  bool lower_open = false;  ///< the lower end itself is excluded

  bool contains(double x) const { return (lower_open ? x > lower : x >= lower) && x <= upper; }
};

enum class TypeKind {
  number,   ///< quantity of `dimension` in `range`
  integer,  ///< whole number in `range`
  flag,     ///< true or false
  text,     ///< any text
  choice,   ///< one of `choices`
  formula,  ///< formula in the variables `choices`
  vector,   ///< `count` quantities
  list,     ///< `minimum` or more of `element`
  record,   ///< map with the keys of `record`
  variant,  ///< map with exactly one of the keys of `record`
  named,    ///< map from free names to `element`
  tagged,   ///< map whose key `type` chooses one of `records`
  one_of,   ///< any of `alternatives`
};

struct Type {
  TypeKind kind = TypeKind::text;
  Dimension dimension;
  Range range;
  int count = 0;
  std::size_t minimum = 0;
  std::vector<std::string> choices;
  std::vector<std::string> unsupported;  ///< those of `choices` that are not built yet
  std::shared_ptr<const Type> element;
  std::shared_ptr<const Record> record;
  std::vector<std::shared_ptr<const Record>> records;
  std::vector<Type> alternatives;
  std::string summary;  ///< how to write a value, where the type alone does not say it
};

struct Key {
  std::string name;
  Type type;
  std::string help;          ///< what it means, as a phrase
  std::string default_text;  ///< what holds when it is left out
  bool required = false;
  bool supported = true;  ///< false: known, but not built yet
};

/// A map with known keys.
struct Record {
  std::string name;  ///< "body", "sphere"
  std::string help;
  std::vector<Key> keys;
  bool supported = true;

  const Key* find(const std::string& key) const;
  std::vector<std::string> key_names() const;
};

// Makers, so that the tables read as tables.
Type number(const Dimension& dimension = {}, const Range& range = {});
Type integer(double lower, double upper);
Type flag();
Type text(std::string summary = "text");
Type choice(std::vector<std::string> choices, std::vector<std::string> unsupported = {});
Type formula(std::vector<std::string> variables);
Type vector_of(int count, const Dimension& dimension = {}, const Range& range = {});
Type list_of(Type element, std::size_t minimum = 0);
/// A list of exactly `count` elements that are no numbers.
Type tuple_of(int count, Type element);
/// Records are shared by the types that hold them.
std::shared_ptr<const Record> share(Record record);

Type record(std::shared_ptr<const Record> record);
Type variant(std::shared_ptr<const Record> record);
Type named(Type element);
Type tagged(std::vector<std::shared_ptr<const Record>> records);
Type one_of(std::string summary, std::vector<Type> alternatives);

Key required(std::string name, Type type, std::string help);
Key optional(std::string name, Type type, std::string help, std::string default_text = "");

Range positive(double upper = std::numeric_limits<double>::infinity());
Range at_least(double lower, double upper = std::numeric_limits<double>::infinity());

/// "a length (m)", "a list of 3 numbers (m)", "true or false", ...
std::string describe(const Type& type);
/// "positive", "between 0 and 1", ...; empty where every number is allowed.
std::string describe(const Range& range, const Dimension& dimension);

}  // namespace abut::scene
