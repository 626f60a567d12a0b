#include "math/formula_scanner.h"

#include <charconv>

namespace abut::math {
namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

}  // namespace

bool FormulaScanner::take(char c) {
  if (at_end() || text_[next_] != c) return false;
  ++next_;
  skip_space();
  return true;
}

bool FormulaScanner::take_signs() {
  bool negative = false;
  for (;;) {
    if (take('-')) {
      negative = !negative;
    } else if (!take('+')) {
      return negative;
    }
  }
}

FormulaScanner::Number FormulaScanner::take_number() {
  Number number;
  const char* const begin = text_.data() + next_;
  const auto [end, status] = std::from_chars(begin, text_.data() + text_.size(), number.value);
  number.digits = text_.substr(next_, static_cast<std::size_t>(end - begin));
  number.status = status;
  next_ += number.digits.size();
  return number;
}

void FormulaScanner::skip_space() {
  while (!at_end() && is_space(text_[next_])) ++next_;
}

}  // namespace abut::math
