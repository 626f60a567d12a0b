#pragma once
// The lists and numbers of a glTF file.

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#include "record/json.h"

namespace abut::record {

// Numbers of the glTF 2.0 specification.
inline constexpr int component_float = 5126;
inline constexpr int component_unsigned_int = 5125;

/// The numbers of a glTF file and the tables that say what they are.
class GlbBuffer {
 public:
  /// `components` numbers per element; `bounds` adds the least and the greatest of each.
  template <class T>
  std::size_t add(const std::vector<T>& values, std::size_t components, const char* type,
                  int target, bool bounds) {
    std::string& view = views.begin();
    append_text(view, R"({"buffer":0,"byteOffset":)", bytes_.size(), R"(,"byteLength":)",
                values.size() * sizeof(T));
    if (target != 0) append_text(view, R"(,"target":)", target);
    view += '}';
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    const std::size_t index = accessors.size();
    std::string& accessor = accessors.begin();
    append_text(accessor, R"({"bufferView":)", index, R"(,"componentType":)",
                std::is_same_v<T, float> ? component_float : component_unsigned_int, R"(,"count":)",
                values.size() / components, R"(,"type":")", type, '"');
    if (bounds) accessor += bounds_of(values, components);
    accessor += '}';
    return index;
  }

  const std::string& bytes() const { return bytes_; }
  JsonEntries views, accessors;

 private:
  template <class T>
  static std::string bounds_of(const std::vector<T>& values, std::size_t components) {
    std::vector<T> least(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(components));
    std::vector<T> most = least;
    for (std::size_t i = 0; i < values.size(); ++i) {
      least[i % components] = std::min(least[i % components], values[i]);
      most[i % components] = std::max(most[i % components], values[i]);
    }
    return fmt::format(R"(,"min":[{}],"max":[{}])", fmt::join(least, ","), fmt::join(most, ","));
  }

  std::string bytes_;
};

}  // namespace abut::record
