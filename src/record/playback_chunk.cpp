#include "record/playback_chunk.h"

#include <bit>
#include <cstring>

namespace abut::record {
namespace {

static_assert(std::endian::native == std::endian::little, "chunks are little-endian");

constexpr std::size_t column_alignment = 8;

void pad(std::string& bytes) {
  bytes.append((column_alignment - bytes.size() % column_alignment) % column_alignment, '\0');
}

/// The element at `bytes` as a whole number.
std::uint64_t load(const std::byte* bytes, std::size_t size) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes, size);
  return value;
}

std::string differences(std::span<const std::byte> bytes, std::size_t element, std::size_t row) {
  const std::size_t count = bytes.size() / element;
  std::string planes(bytes.size(), '\0');
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t value = load(&bytes[i * element], element);
    if (i >= row) value -= load(&bytes[(i - row) * element], element);
    for (std::size_t b = 0; b < element; ++b)
      planes[b * count + i] = static_cast<char>(value >> 8 * b & 255);
  }
  return planes;
}

}  // namespace

void ChunkWriter::add_bytes(std::string_view name, const char* type,
                            std::span<const std::byte> bytes, std::size_t element,
                            const std::vector<std::size_t>& extents, Packing packing,
                            double scale) {
  Json entry{{"name", name}, {"type", type}, {"extents", extents}};
  entry["offset"] = data_.size();
  if (scale != 1) entry["scale"] = scale;
  if (packing == Packing::differences) {
    entry["packing"] = "differences";
    std::size_t row = 1;
    for (std::size_t i = 1; i < extents.size(); ++i) row *= extents[i];
    data_ += differences(bytes, element, row);
  } else {
    data_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  pad(data_);
  header_["arrays"].push_back(std::move(entry));
}

std::string ChunkWriter::bytes() const {
  const std::string header = header_.dump();
  const auto size = static_cast<std::uint32_t>(header.size());
  std::string out = "ABUT";
  out.append(reinterpret_cast<const char*>(&size), sizeof size);
  out += header;
  pad(out);
  return out + data_;
}

}  // namespace abut::record
