#pragma once
// A glTF 2.0 file as its JSON text and its buffers: .gltf with buffers in it or beside it, .glb.
// Included by .cpp files only.

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/mesh_file.h"

namespace abut::geometry {

/// The elements of an accessor: `count` groups of numbers, `stride` bytes apart.
struct GltfAccessor {
  std::string_view bytes;
  std::size_t stride = 0;
  std::size_t count = 0;
  int component = 0;  ///< glTF's number of the type, such as 5126 for float
  bool normalized = false;
};

class GltfDocument {
 public:
  using Json = nlohmann::json;

  GltfDocument(std::string_view bytes, std::string file_name, BufferFile read_beside);

  const Json& json() const { return json_; }
  /// How many entries a list at the top has; 0 if there is none.
  std::size_t size(const char* list) const;
  /// An entry of a list at the top; `user` is what refers to it.
  const Json& entry(const char* list, std::size_t index, const std::string& user) const;

  /// A whole number from 0; `missing` where there is none, an error if that is nothing.
  std::size_t whole(const Json& object, const char* key, const std::string& place,
                    std::optional<std::size_t> missing = std::nullopt) const;
  /// Finite numbers, `count` of them; empty where there are none.
  std::vector<double> numbers(const Json& object, const char* key, std::size_t count,
                              const std::string& place) const;
  /// Indices into a list at the top; empty where there are none.
  std::vector<std::size_t> indices(const Json& object, const char* key,
                                   const std::string& place) const;

  /// `width` numbers per element: 1 or 3.
  GltfAccessor accessor(std::size_t index, int width, const std::string& user);
  /// A number of an accessor, integers as they are or, if normalized, between -1 and 1.
  double value(const GltfAccessor& accessor, std::size_t element, int component) const;

  /// Throws abut::InputError that names the place in the JSON text.
  [[noreturn]] void fail(const std::string& place, const std::string& message) const;

 private:
  void read_container(std::string_view bytes);
  void parse(std::string_view text, std::size_t offset, bool is_text);
  void check_version() const;
  std::string_view buffer(std::size_t index);
  std::string_view loaded(std::size_t index);

  std::string file_name_;
  BufferFile read_beside_;
  Json json_;
  std::optional<std::string_view> binary_chunk_;
  std::vector<std::optional<std::string>> loaded_;  ///< buffers that are not the chunk
};

}  // namespace abut::geometry
