#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace abut::base {
namespace {

unsigned char byte_at(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

/// Length of the UTF-8 sequence at `i`, or 0 where it is broken, too long for its value, a
/// surrogate or beyond the last code point.
std::size_t sequence_length(std::string_view text, std::size_t i) {
  const unsigned char lead = byte_at(text, i);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || i + length > text.size()) return 0;
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte_at(text, i + k) & 0xc0) != 0x80) return 0;
  }
  const unsigned char second = byte_at(text, i + 1);
  const bool overlong = (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90);
  const bool surrogate = lead == 0xed && second >= 0xa0;
  const bool too_large = lead == 0xf4 && second >= 0x90;
  return overlong || surrogate || too_large ? 0 : length;
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

}  // namespace

std::optional<std::size_t> invalid_utf8_offset(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = sequence_length(text, i);
    if (length == 0) return i;
    i += length;
  }
  return std::nullopt;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Rows of the usual table: distances of prefixes of a to prefixes of b.
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

std::optional<std::string> closest_word(std::string_view word,
                                        const std::vector<std::string>& known) {
  // Words longer than this are no typing mistakes of a key or name, and would cost quadratic time.
  constexpr std::size_t longest = 64;
  if (word.size() < 2 || word.size() > longest) return std::nullopt;
  const std::string lowered = lower_case(word);
  std::optional<std::string> best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : known) {
    if (candidate.size() > longest) continue;
    const std::size_t distance = edit_distance(lowered, lower_case(candidate));
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  const auto best = closest_word(word, known);
  return best ? fmt::format("; did you mean `{}`?", *best) : std::string();
}

std::string shown(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string result;
  for (const char c : text.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    result += byte < 0x20 || byte == 0x7f ? ' ' : c;
  }
  if (text.size() <= longest) return result;
  // Do not cut a character in the middle.
  while (!result.empty() && invalid_utf8_offset(result)) result.pop_back();
  return result + "...";
}

std::string harmless(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const unsigned char c = byte_at(text, i);
    // The second block of control characters is two bytes each in UTF-8.
    const bool is_wide = c == 0xc2 && i + 1 < text.size() && byte_at(text, i + 1) >= 0x80 &&
                         byte_at(text, i + 1) < 0xa0;
    const bool is_control = (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
    if (is_wide)
      result += fmt::format("\\x{:02x}", byte_at(text, ++i));
    else if (is_control)
      result += fmt::format("\\x{:02x}", c);
    else
      result += text[i];
  }
  return result;
}

std::string listed(const std::vector<std::string>& words, std::string_view last) {
  std::string result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) result += i + 1 == words.size() ? fmt::format(" {} ", last) : ", ";
    result += words[i];
  }
  return result;
}

}  // namespace abut::base
