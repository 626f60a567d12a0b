#pragma once
// Numbers from binary data of either byte order, never beyond its end.

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>
#include <string_view>

#include "abut/diagnostics.h"

namespace abut::geometry {

class ByteReader {
 public:
  ByteReader(std::string_view bytes, std::string file_name, std::size_t offset, std::endian order)
      : bytes_(bytes), file_name_(std::move(file_name)), offset_(offset), order_(order) {}

  std::size_t offset() const { return offset_; }
  std::size_t remaining() const { return bytes_.size() - offset_; }

  template <class T>
  T read() {
    std::array<char, sizeof(T)> raw{};
    require(sizeof(T));
    std::memcpy(raw.data(), bytes_.data() + offset_, sizeof(T));
    if (order_ != std::endian::native) std::reverse(raw.begin(), raw.end());
    offset_ += sizeof(T);
    return std::bit_cast<T>(raw);
  }

  void skip(std::size_t count) {
    require(count);
    offset_ += count;
  }

  [[noreturn]] void fail(std::size_t offset, const std::string& message) const {
    throw InputError(Location{file_name_, 0, 0}, fmt::format("at byte {}: {}", offset, message));
  }

 private:
  void require(std::size_t count) const {
    if (remaining() >= count) return;
    fail(offset_, fmt::format("the file ends here, but {} more bytes should follow; it is cut off, "
                              "so write it again",
                              count - remaining()));
  }

  std::string_view bytes_;
  std::string file_name_;
  std::size_t offset_;
  std::endian order_;
};

}  // namespace abut::geometry
