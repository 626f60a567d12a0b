#include "geometry/gltf_document.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "abut/diagnostics.h"
#include "geometry/byte_reader.h"
#include "geometry/text_scanner.h"

namespace abut::geometry {
namespace {

constexpr std::string_view glb_magic = "glTF";
constexpr std::uint32_t json_chunk = 0x4E4F534A;  // "JSON"
constexpr std::uint32_t bin_chunk = 0x004E4942;   // "BIN"

// Whole numbers that a double, and so any JSON reader, holds exactly.
constexpr std::uint64_t largest_whole = std::uint64_t{1} << 53;

// Extensions without which a file means the same shape; others that it requires are refused.
bool keeps_shape(const std::string& extension) {
  return extension == "KHR_mesh_quantization" || extension == "KHR_texture_transform" ||
         extension == "KHR_texture_basisu" || extension == "KHR_lights_punctual" ||
         extension.starts_with("KHR_materials_") || extension.starts_with("EXT_texture_");
}

std::optional<std::string> decoded_base64(std::string_view text) {
  std::string bytes;
  std::uint32_t held = 0;
  int bits = 0;
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  for (const char c : text) {
    int digit = -1;
    if (c >= 'A' && c <= 'Z') digit = c - 'A';
    if (c >= 'a' && c <= 'z') digit = c - 'a' + 26;
    if (c >= '0' && c <= '9') digit = c - '0' + 52;
    if (c == '+') digit = 62;
    if (c == '/') digit = 63;
    if (digit < 0) return std::nullopt;
    held = (held << 6 | static_cast<std::uint32_t>(digit)) & 0xFFFFFF;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes.push_back(static_cast<char>(held >> bits & 0xFF));
    }
  }
  return bytes;
}

// %20 and the like.
std::string decoded_uri(std::string_view uri) {
  const auto digit = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
  };
  std::string text;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] == '%' && i + 2 < uri.size() && digit(uri[i + 1]) >= 0 && digit(uri[i + 2]) >= 0) {
      text.push_back(static_cast<char>(16 * digit(uri[i + 1]) + digit(uri[i + 2])));
      i += 2;
    } else {
      text.push_back(uri[i]);
    }
  }
  return text;
}

// A mesh from elsewhere must not make the program read other files than its own.
bool is_beside(const std::string& name) {
  return !name.empty() && name.find(':') == std::string::npos && name.front() != '/' &&
         name.find('\\') == std::string::npos && name.find("..") == std::string::npos &&
         name.find('\0') == std::string::npos;
}

std::size_t component_size(int type) {
  switch (type) {
    case 5120:
    case 5121:
      return 1;
    case 5122:
    case 5123:
      return 2;
    case 5125:
    case 5126:
      return 4;
    default:
      return 0;
  }
}

}  // namespace

GltfDocument::GltfDocument(std::string_view bytes, std::string file_name, BufferFile read_beside)
    : file_name_(std::move(file_name)), read_beside_(std::move(read_beside)) {
  if (bytes.starts_with(glb_magic)) {
    read_container(bytes);
  } else {
    parse(bytes, 0, true);
  }
  if (!json_.is_object()) fail("the top", "the text is no JSON object, so this is no glTF file");
  check_version();
  loaded_.resize(size("buffers"));
}

void GltfDocument::read_container(std::string_view bytes) {
  ByteReader reader(bytes, file_name_, glb_magic.size(), std::endian::little);
  if (const auto version = reader.read<std::uint32_t>(); version != 2)
    reader.fail(4, fmt::format("the version of the GLB container is {}, but only 2 is known; "
                               "export as glTF 2.0",
                               version));
  if (const auto length = reader.read<std::uint32_t>(); length > bytes.size())
    reader.fail(8, fmt::format("the file says it has {} bytes, but has {}; it is cut off, so write "
                               "it again",
                               length, bytes.size()));
  bool has_json = false;
  while (reader.remaining() >= 8) {
    const auto length = reader.read<std::uint32_t>();
    const auto type = reader.read<std::uint32_t>();
    const std::size_t start = reader.offset();
    reader.skip(length);
    const std::string_view chunk = bytes.substr(start, length);
    if (type == json_chunk && !has_json) {
      parse(chunk, start, false);
      has_json = true;
    } else if (type == bin_chunk && !binary_chunk_) {
      binary_chunk_ = chunk;
    }
  }
  if (!has_json) reader.fail(reader.offset(), "the file has no JSON chunk; write it again");
}

void GltfDocument::parse(std::string_view text, std::size_t offset, bool is_text) {
  try {
    json_ = Json::parse(text);
  } catch (const Json::parse_error& error) {
    const std::size_t at = std::min(error.byte > 0 ? error.byte - 1 : 0, text.size());
    Location location{file_name_, 0, 0};
    std::string place;
    if (is_text) {
      const std::string_view before = text.substr(0, at);
      const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
      location.line = 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
      location.column = static_cast<int>(at - line_start) + 1;
    } else {
      place = fmt::format("at byte {}: ", offset + at);
    }
    throw InputError(location, place + "the JSON text cannot be read; write the file again");
  } catch (const Json::exception&) {
    throw InputError(Location{file_name_}, "the JSON text cannot be read; write the file again");
  }
}

void GltfDocument::check_version() const {
  const Json* asset = json_.contains("asset") ? &json_["asset"] : nullptr;
  if (asset == nullptr || !asset->is_object() || !asset->contains("version") ||
      !(*asset)["version"].is_string() ||
      !(*asset)["version"].get_ref<const std::string&>().starts_with("2."))
    fail("asset.version", "the version should be 2.0; export as glTF 2.0");
  if (!json_.contains("extensionsRequired")) return;
  for (const Json& extension : json_["extensionsRequired"])
    if (!extension.is_string() || !keeps_shape(extension.get_ref<const std::string&>()))
      fail("extensionsRequired",
           fmt::format("the extension {} is not known; export without it (compression and the "
                       "like)",
                       in_quotes(extension.is_string() ? extension.get<std::string>() : "?")));
}

void GltfDocument::fail(const std::string& place, const std::string& message) const {
  throw InputError(Location{file_name_}, fmt::format("at {}: {}", place, message));
}

std::size_t GltfDocument::size(const char* list) const {
  if (!json_.contains(list)) return 0;
  if (!json_[list].is_array()) fail(list, "this should be a list");
  return json_[list].size();
}

const GltfDocument::Json& GltfDocument::entry(const char* list, std::size_t index,
                                              const std::string& user) const {
  if (index >= size(list))
    fail(user, fmt::format("{}[{}] is meant, but there are {}; write the file again", list, index,
                           size(list)));
  const Json& found = json_[list][index];
  if (!found.is_object()) fail(fmt::format("{}[{}]", list, index), "this should be an object");
  return found;
}

std::size_t GltfDocument::whole(const Json& object, const char* key, const std::string& place,
                                std::optional<std::size_t> missing) const {
  if (!object.contains(key)) {
    if (missing) return *missing;
    fail(place, fmt::format("`{}` is missing; write the file again", key));
  }
  const Json& value = object[key];
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > largest_whole)
    fail(place + "." + key, "this should be a whole number from 0; write the file again");
  return value.get<std::size_t>();
}

std::vector<double> GltfDocument::numbers(const Json& object, const char* key, std::size_t count,
                                          const std::string& place) const {
  std::vector<double> values;
  if (!object.contains(key)) return values;
  const Json& list = object[key];
  if (list.is_array() && list.size() == count)
    for (const Json& value : list)
      if (value.is_number() && std::isfinite(value.get<double>()))
        values.push_back(value.get<double>());
  if (values.size() != count)
    fail(place + "." + key, fmt::format("this should be {} finite numbers", count));
  return values;
}

std::vector<std::size_t> GltfDocument::indices(const Json& object, const char* key,
                                               const std::string& place) const {
  std::vector<std::size_t> values;
  if (!object.contains(key)) return values;
  const Json& list = object[key];
  if (!list.is_array()) fail(place + "." + key, "this should be a list of whole numbers");
  for (const Json& value : list) {
    if (!value.is_number_unsigned())
      fail(place + "." + key, "this should be a list of whole numbers");
    values.push_back(value.get<std::size_t>());
  }
  return values;
}

std::string_view GltfDocument::buffer(std::size_t index) {
  const std::string place = fmt::format("buffers[{}]", index);
  const Json& described = entry("buffers", index, place);
  const std::size_t length = whole(described, "byteLength", place);
  const bool is_chunk = index == 0 && binary_chunk_ && !described.contains("uri");
  const std::string_view bytes = is_chunk ? *binary_chunk_ : loaded(index);
  if (bytes.size() < length)
    fail(place, fmt::format("the buffer should have {} bytes, but has {}; it is cut off, so write "
                            "it again",
                            length, bytes.size()));
  return bytes.substr(0, length);
}

std::string_view GltfDocument::loaded(std::size_t index) {
  std::optional<std::string>& held = loaded_[index];
  if (held) return *held;
  const std::string place = fmt::format("buffers[{}].uri", index);
  const Json& described = entry("buffers", index, place);
  if (!described.contains("uri") || !described["uri"].is_string())
    fail(place, "the buffer has no data; write the file again");
  const std::string& uri = described["uri"].get_ref<const std::string&>();
  if (uri.starts_with("data:")) {
    const std::size_t comma = uri.find(";base64,");
    if (comma != std::string::npos) held = decoded_base64(std::string_view(uri).substr(comma + 8));
    if (!held) fail(place, "the data are not in base64; write the file again");
    return *held;
  }
  const std::string name = decoded_uri(uri);
  if (!is_beside(name))
    fail(place, fmt::format("{} is no file beside this one or in a folder beside it; put the "
                            "buffer there, or export as .glb",
                            in_quotes(uri)));
  held = read_beside_(name);
  return *held;
}

GltfAccessor GltfDocument::accessor(std::size_t index, int width, const std::string& user) {
  const std::string place = fmt::format("accessors[{}]", index);
  const Json& described = entry("accessors", index, user);
  const char* type = width == 1 ? "SCALAR" : "VEC3";
  if (!described.contains("type") || described["type"] != type)
    fail(place, fmt::format("the type should be {} for {}", type, user));
  if (described.contains("sparse"))
    fail(place, "sparse accessors are not known; export without them");
  GltfAccessor found;
  found.component =
      static_cast<int>(std::min<std::size_t>(whole(described, "componentType", place), 1000000));
  const std::size_t size = component_size(found.component) * static_cast<std::size_t>(width);
  if (size == 0) fail(place + ".componentType", "this type is not known; export as glTF 2.0");
  found.count = whole(described, "count", place);
  found.normalized = described.contains("normalized") && described["normalized"] == true;
  const std::size_t view_index = whole(described, "bufferView", place);
  const std::string view_place = fmt::format("bufferViews[{}]", view_index);
  const Json& view = entry("bufferViews", view_index, place);
  const std::string_view all = buffer(whole(view, "buffer", view_place));
  const std::size_t view_start = whole(view, "byteOffset", view_place, 0);
  const std::size_t view_length = whole(view, "byteLength", view_place);
  if (view_start > all.size() || view_length > all.size() - view_start)
    fail(view_place, "the view reaches beyond the end of its buffer; write the file again");
  found.stride = whole(view, "byteStride", view_place, size);
  const std::size_t start = whole(described, "byteOffset", place, 0);
  // Without products, which could be too large for the type.
  const bool fits =
      start <= view_length && found.stride >= size &&
      (found.count == 0 || (view_length - start >= size &&
                            (view_length - start - size) / found.stride >= found.count - 1));
  if (!fits) fail(place, "the data reach beyond the end of their view; write the file again");
  found.bytes = all.substr(view_start + start, view_length - start);
  return found;
}

double GltfDocument::value(const GltfAccessor& accessor, std::size_t element, int component) const {
  const std::size_t offset = element * accessor.stride + static_cast<std::size_t>(component) *
                                                             component_size(accessor.component);
  ByteReader reader(accessor.bytes, file_name_, offset, std::endian::little);
  const auto scaled = [&](double number, double largest) {
    return accessor.normalized ? std::max(number / largest, -1.0) : number;
  };
  switch (accessor.component) {
    case 5120:
      return scaled(reader.read<std::int8_t>(), 127);
    case 5121:
      return scaled(reader.read<std::uint8_t>(), 255);
    case 5122:
      return scaled(reader.read<std::int16_t>(), 32767);
    case 5123:
      return scaled(reader.read<std::uint16_t>(), 65535);
    case 5125:
      return reader.read<std::uint32_t>();
    default:
      return static_cast<double>(reader.read<float>());
  }
}

}  // namespace abut::geometry
