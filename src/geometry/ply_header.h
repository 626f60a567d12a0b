#pragma once
// The header of a PLY file: which elements follow, with which properties, in which encoding.

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "geometry/text_scanner.h"

namespace abut::geometry {

enum class PlyType { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

std::size_t size_of(PlyType type);

struct PlyProperty {
  std::string name;
  PlyType type = PlyType::float32;  ///< of the value, or of the items of a list
  bool is_list = false;
  PlyType count_type = PlyType::uint8;  ///< of a list's length
};

struct PlyElement {
  std::string name;
  std::int64_t count = 0;
  std::vector<PlyProperty> properties;
  Word place;  ///< of the count in the header
};

struct PlyHeader {
  bool is_text = true;
  std::endian order = std::endian::little;  ///< of binary data
  std::vector<PlyElement> elements;
};

/// Reads up to the end of the line `end_header`; throws abut::InputError for what is no header.
PlyHeader parse_ply_header(TextScanner& scanner);

}  // namespace abut::geometry
