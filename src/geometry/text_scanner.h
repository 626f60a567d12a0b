#pragma once
// Words of a text file with the places where they stand, and numbers from words.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace abut::geometry {

/// A stretch of characters without blanks.
struct Word {
  std::string_view text;
  int line = 0;    ///< from 1
  int column = 0;  ///< from 1, in bytes
};

/// What starts a comment that runs to the end of its line, and what joins a line with the next.
struct TextSyntax {
  char comment = '\0';       ///< '\0' for none; counts at the start of a word only
  char continuation = '\0';  ///< '\0' for none; counts at the very end of a line only
};

/// Walks through a text once, from the front. Lines end with LF, CR LF or CR.
class TextScanner {
 public:
  TextScanner(std::string_view text, std::string file_name, TextSyntax syntax = {});

  /// The next word of the current line; nothing at the end of the line.
  std::optional<Word> next_on_line();

  /// Goes to the start of the next line; false at the end of the text.
  bool next_line();

  /// The next word on this line or a later one; nothing at the end of the text.
  std::optional<Word> next();

  /// As next(), but the end of the text is an error: `wanted` says what should have stood there.
  Word require(std::string_view wanted);

  /// As next_on_line(), but the end of the line is an error.
  Word require_on_line(std::string_view wanted);

  /// A finite number. Numbers too small for a double are zero.
  double number(const Word& word) const;

  /// A whole number; `wanted` names it in the message.
  std::int64_t integer(const Word& word, std::string_view wanted) const;

  /// Throws abut::InputError at the word, or at the place the scanner has come to.
  [[noreturn]] void fail(const Word& word, const std::string& message) const;
  [[noreturn]] void fail_here(const std::string& message) const;

  /// Offset of the first byte that has not been read.
  std::size_t offset() const { return position_; }

  const std::string& file_name() const { return file_name_; }

 private:
  bool at_line_end() const;
  bool skip_continuation();
  std::size_t line_end_length() const;
  int column() const { return static_cast<int>(position_ - line_start_) + 1; }

  std::string_view text_;
  std::string file_name_;
  TextSyntax syntax_;
  std::size_t position_ = 0;
  std::size_t line_start_ = 0;
  int line_ = 1;
};

/// The word in quotes, cut to a readable length, with unprintable bytes replaced.
std::string in_quotes(std::string_view word);

/// True if the texts agree up to the case of ASCII letters.
bool equal_ignoring_case(std::string_view a, std::string_view b);

}  // namespace abut::geometry
