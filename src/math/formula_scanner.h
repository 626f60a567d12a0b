#pragma once
// Walks through the text of a formula from the front, for the parsers of formulas and quantities.

#include <cstddef>
#include <string_view>
#include <system_error>

namespace abut::math {

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool is_ascii_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

class FormulaScanner {
 public:
  /// A number as it is written. Its status is that of std::from_chars.
  struct Number {
    double value = 0;
    std::string_view digits;
    std::errc status = {};
  };

  explicit FormulaScanner(std::string_view text) : text_(text) { skip_space(); }

  std::string_view text() const { return text_; }
  std::string_view rest() const { return text_.substr(next_); }
  std::size_t offset() const { return next_; }
  bool at_end() const { return next_ == text_.size(); }
  /// The character at an offset; NUL beyond the end.
  char at(std::size_t offset) const { return offset < text_.size() ? text_[offset] : '\0'; }
  char peek() const { return at(next_); }
  bool starts_number() const { return is_digit(peek()) || peek() == '.'; }

  /// Goes past the character and the blanks after it, if it is the next one.
  bool take(char c);
  /// Goes past any number of signs. True if they negate what follows.
  bool take_signs();
  /// Goes past the digits of a number, not past blanks after it.
  Number take_number();
  /// Goes on to an offset, which must not lie beyond the end.
  void go_to(std::size_t offset) { next_ = offset; }
  void skip_space();

 private:
  std::string_view text_;
  std::size_t next_ = 0;
};

}  // namespace abut::math
