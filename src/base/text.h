#pragma once
// Small questions about texts: is it UTF-8, which known word was meant, how is it shown.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace abut::base {

/// Offset of the first byte that does not belong to valid UTF-8 text, if there is one.
std::optional<std::size_t> invalid_utf8_offset(std::string_view text);

/// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The known word closest to a misspelt one, if it is close enough to have been meant. Letter case
/// does not count as a difference.
std::optional<std::string> closest_word(std::string_view word,
                                        const std::vector<std::string>& known);

/// "; did you mean `x`?" for the closest known word, or nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

/// A text as a message shows it: control characters replaced, long ones cut.
std::string shown(std::string_view text);

/// A text as a terminal may get it: control characters but line breaks and tabs are shown
/// (`\\x1b`), not sent.
std::string harmless(std::string_view text);

/// "a, b and c", or with another word before the last.
std::string listed(const std::vector<std::string>& words, std::string_view last = "and");

}  // namespace abut::base
