#pragma once
// The recursive-descent parser behind parse_quantity; one function per rule of quantity.h.

#include <string>
#include <string_view>
#include <vector>

#include "math/formula_scanner.h"
#include "scene/quantity.h"

namespace abut::scene {

class QuantityParser {
 public:
  /// Bounds the recursion; no quantity needs more parentheses than this.
  static constexpr int maximum_nesting = 32;

  explicit QuantityParser(std::string_view text) : scanner_(text) {}
  std::variant<Quantity, QuantityError> parse();

 private:
  // Each returns false after fail().
  bool sum(Quantity& out);
  bool product(Quantity& out);
  bool signed_power(Quantity& out);
  bool power(Quantity& out);
  bool atom(Quantity& out);
  bool number(Quantity& out);
  bool name(Quantity& out);
  bool call(std::string_view function, Quantity& out);
  bool raise(Quantity& base, const Quantity& exponent);
  bool enter();

  /// Applies the units that follow, if any.
  bool units(Quantity& value);
  bool one_unit(Unit& total, int sign);
  bool unit_follows(std::size_t position) const;
  std::string_view word_at(std::size_t position) const;

  bool fail(std::string message);

  math::FormulaScanner scanner_;
  int nesting_ = 0;
  std::string message_;
};

}  // namespace abut::scene
