#include "geometry/text_scanner.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "abut/diagnostics.h"

namespace abut::geometry {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\0';
}

bool is_line_end(char c) {
  return c == '\n' || c == '\r';
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string_view without_plus(std::string_view text) {
  const bool signed_plus = text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+';
  return signed_plus ? text.substr(1) : text;
}

/// Of a number that std::from_chars calls out of range: true if it lies below the range.
bool is_too_small(std::string_view text) {
  const std::size_t exponent = text.find_first_of("eE");
  if (exponent != std::string_view::npos) return text.substr(exponent + 1).starts_with('-');
  const std::size_t digit = text.find_first_not_of("+-0");
  return digit != std::string_view::npos && text[digit] == '.';
}

}  // namespace

TextScanner::TextScanner(std::string_view text, std::string file_name, TextSyntax syntax)
    : text_(text), file_name_(std::move(file_name)), syntax_(syntax) {
  if (text_.starts_with("\xEF\xBB\xBF")) position_ = line_start_ = 3;  // byte order mark
}

bool TextScanner::at_line_end() const {
  return position_ >= text_.size() || is_line_end(text_[position_]);
}

std::size_t TextScanner::line_end_length() const {
  return text_.substr(position_).starts_with("\r\n") ? 2 : 1;
}

bool TextScanner::skip_continuation() {
  if (syntax_.continuation == '\0' || position_ + 1 >= text_.size()) return false;
  if (text_[position_] != syntax_.continuation || !is_line_end(text_[position_ + 1])) return false;
  ++position_;
  position_ += line_end_length();
  line_start_ = position_;
  ++line_;
  return true;
}

std::optional<Word> TextScanner::next_on_line() {
  while (!at_line_end()) {
    if (!is_blank(text_[position_]) && !skip_continuation()) break;
    if (position_ < text_.size() && is_blank(text_[position_])) ++position_;
  }
  if (at_line_end()) return std::nullopt;
  if (syntax_.comment != '\0' && text_[position_] == syntax_.comment) {
    while (!at_line_end()) ++position_;
    return std::nullopt;
  }
  const std::size_t start = position_;
  const int start_column = column();
  while (!at_line_end() && !is_blank(text_[position_])) {
    const bool joins = syntax_.continuation != '\0' && text_[position_] == syntax_.continuation &&
                       position_ + 1 < text_.size() && is_line_end(text_[position_ + 1]);
    if (joins) break;
    ++position_;
  }
  return Word{text_.substr(start, position_ - start), line_, start_column};
}

bool TextScanner::next_line() {
  while (next_on_line()) continue;
  if (position_ >= text_.size()) return false;
  position_ += line_end_length();
  line_start_ = position_;
  ++line_;
  return position_ < text_.size();
}

std::optional<Word> TextScanner::next() {
  for (;;) {
    if (std::optional<Word> word = next_on_line()) return word;
    if (!next_line()) return std::nullopt;
  }
}

Word TextScanner::require(std::string_view wanted) {
  if (const std::optional<Word> word = next()) return *word;
  fail_here(
      fmt::format("the file ends where {} should stand; it is cut off, so write it again", wanted));
}

Word TextScanner::require_on_line(std::string_view wanted) {
  if (const std::optional<Word> word = next_on_line()) return *word;
  fail_here(fmt::format("the line ends where {} should stand; complete the line", wanted));
}

double TextScanner::number(const Word& word) const {
  const std::string_view text = without_plus(word.text);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::invalid_argument || end != text.data() + text.size()) {
    fail(word, fmt::format("{} is not a number; write a decimal number", in_quotes(word.text)));
  }
  if (error == std::errc::result_out_of_range) {
    if (is_too_small(text)) return 0;
    fail(word, fmt::format("{} is too large; give lengths in metres", in_quotes(word.text)));
  }
  if (!std::isfinite(value)) {
    fail(word, fmt::format("{} is not finite; write a decimal number", in_quotes(word.text)));
  }
  return value;
}

std::int64_t TextScanner::integer(const Word& word, std::string_view wanted) const {
  const std::string_view text = without_plus(word.text);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    fail(word, fmt::format("{} is not a whole number, but must be {}; write it in digits",
                           in_quotes(word.text), wanted));
  }
  return value;
}

void TextScanner::fail(const Word& word, const std::string& message) const {
  throw InputError(Location{file_name_, word.line, word.column}, message);
}

void TextScanner::fail_here(const std::string& message) const {
  throw InputError(Location{file_name_, line_, column()}, message);
}

std::string in_quotes(std::string_view word) {
  constexpr std::size_t longest_shown = 40;
  std::string text(word.substr(0, longest_shown));
  for (char& c : text) {
    if (c < ' ' || c > '~') c = '?';
  }
  return word.size() > longest_shown ? "'" + text + "...'" : "'" + text + "'";
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace abut::geometry
