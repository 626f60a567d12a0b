#pragma once
// JSON whose keys stay in the order in which they are written.

#include <fmt/format.h>

#include <cstddef>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

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

template <class... Parts>
void append_text(std::string& text, fmt::format_string<Parts...> format, Parts&&... parts) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Parts>(parts)...);
}

/// A list kept as text: of thousands of bodies a tree of its entries takes twenty times the memory.
class JsonEntries {
 public:
  template <class... Parts>
  void add_formatted(fmt::format_string<Parts...> format, Parts&&... parts) {
    append_text(begin(), format, std::forward<Parts>(parts)...);
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
