#pragma once
// Reads chunks of a playback, by code of its own.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace chunks {

using Json = nlohmann::json;

/// The bytes of one array of a chunk as the page's reader would unpack them, written anew.
template <class T>
std::vector<T> array_of(const std::string& chunk, const std::string& name) {
  std::uint32_t size = 0;
  std::memcpy(&size, &chunk[4], sizeof size);
  const Json header = Json::parse(chunk.substr(8, size));
  const std::size_t start = (8 + size + 7) / 8 * 8;
  for (const Json& entry : header["arrays"]) {
    if (entry["name"] != name) continue;
    std::size_t count = 1, row = 1;
    for (std::size_t i = 0; i < entry["extents"].size(); ++i) {
      const auto extent = entry["extents"][i].get<std::size_t>();
      count *= extent;
      if (i > 0) row *= extent;
    }
    const char* data = &chunk[start + entry["offset"].get<std::size_t>()];
    std::vector<T> values(count);
    if (entry.value("packing", "") != "differences") {
      std::memcpy(values.data(), data, count * sizeof(T));
      return values;
    }
    std::vector<std::uint32_t> words(count);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t b = 0; b < sizeof(T); ++b)
        words[i] |= static_cast<std::uint32_t>(static_cast<unsigned char>(data[b * count + i]))
                    << 8 * b;
      if (i >= row) words[i] += words[i - row];
      std::memcpy(&values[i], &words[i], sizeof(T));
    }
    return values;
  }
  ADD_FAILURE() << "there is no array " << name;
  return {};
}

/// Its `kind`.
inline std::string kind_of(const std::string& chunk) {
  std::uint32_t size = 0;
  std::memcpy(&size, &chunk[4], sizeof size);
  return Json::parse(chunk.substr(8, size)).at("kind");
}

}  // namespace chunks
