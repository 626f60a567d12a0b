#pragma once
// Named arrays in one block of bytes: the unit in which a run reaches the player. The form is
// described for readers in docs/guide/playback-format.md. Included by .cpp files only.
//
//   "ABUT"  u32 size of the JSON  JSON  padding to 8 bytes  arrays, each padded to 8 bytes
//
// The JSON lists the arrays: name, type, extents, where they begin, and how they are packed.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "record/json.h"

namespace abut::record {

/// How the elements of an array are laid out.
enum class Packing {
  plain,
  /// Of each element the difference to the one a row before (as whole numbers of the element's
  /// size, modulo their range), then all lowest bytes, all next ones and so on. Motion changes
  /// little from row to row, so the high bytes become runs of zeros, which gzip packs well.
  differences,
};

class ChunkWriter {
 public:
  explicit ChunkWriter(std::string_view kind) { header_["kind"] = kind; }

  /// `extents` multiply to the number of values; rows are along the first. The values read are
  /// `scale` times those stored.
  template <class T>
  void add(std::string_view name, std::span<const T> values,
           const std::vector<std::size_t>& extents, Packing packing = Packing::plain,
           double scale = 1) {
    add_bytes(name, type_name(T{}), std::as_bytes(values), sizeof(T), extents, packing, scale);
  }
  template <class T>
  void add(std::string_view name, const std::vector<T>& values,
           const std::vector<std::size_t>& extents, Packing packing = Packing::plain,
           double scale = 1) {
    add(name, std::span<const T>(values), extents, packing, scale);
  }

  /// Something about the chunk as a whole.
  void note(const char* key, Json value) { header_[key] = std::move(value); }

  std::string bytes() const;

 private:
  static const char* type_name(float) { return "f32"; }
  static const char* type_name(double) { return "f64"; }
  static const char* type_name(std::int32_t) { return "i32"; }
  static const char* type_name(std::uint32_t) { return "u32"; }
  static const char* type_name(std::int16_t) { return "i16"; }
  static const char* type_name(std::uint8_t) { return "u8"; }

  void add_bytes(std::string_view name, const char* type, std::span<const std::byte> bytes,
                 std::size_t element, const std::vector<std::size_t>& extents, Packing packing,
                 double scale);

  Json header_;
  std::string data_;
};

}  // namespace abut::record
