#pragma once
// JSON whose keys stay in the order in which they are written.

#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "abut/types.h"

namespace abut::record {

using Json = nlohmann::ordered_json;

inline Json to_json(const Vec3& v) {
  return {v.x(), v.y(), v.z()};
}

/// (w, x, y, z), as everywhere in Abut.
inline Json to_json(const Quat& q) {
  return {q.w(), q.x(), q.y(), q.z()};
}

/// Names come from scene files, which may hold bytes that are not UTF-8: these are replaced.
inline std::string json_text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

inline void append_piece(std::string& text, std::string_view piece) {
  text += piece;
}

inline void append_piece(std::string& text, char piece) {
  text += piece;
}

/// Numbers have as few digits as give them back. JSON has no infinities.
template <class Number>
requires std::integral<Number> || std::floating_point<Number>
void append_piece(std::string& text, Number x) {
  if constexpr (std::floating_point<Number>)
    if (!std::isfinite(x)) return append_piece(text, "null");
  std::array<char, 32> digits;
  text.append(digits.data(), std::to_chars(digits.begin(), digits.end(), x).ptr);
}

template <class... Pieces>
void append_text(std::string& text, const Pieces&... pieces) {
  (append_piece(text, pieces), ...);
}

/// A list kept as text: of thousands of bodies a tree of its entries takes twenty times the memory.
class JsonEntries {
 public:
  template <class... Pieces>
  void add(const Pieces&... pieces) {
    append_text(begin(), pieces...);
  }
  /// A further entry begins; it is what is appended.
  std::string& begin() {
    if (size_++ > 0) text_ += ',';
    return text_;
  }
  std::size_t size() const { return size_; }
  /// What stands between the brackets of the list.
  const std::string& entries() const { return text_; }

 private:
  std::string text_;
  std::size_t size_ = 0;
};

}  // namespace abut::record
