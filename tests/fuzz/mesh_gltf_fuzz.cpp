#include "mesh_fuzz.h"

namespace {

abut::geometry::PolygonMesh parse(std::string_view bytes, const std::string& file_name,
                                  abut::geometry::Faces faces) {
  return abut::geometry::parse_gltf(bytes, file_name, faces, [&](const std::string& name) {
    fuzz::require(name.find("..") == std::string::npos && name.front() != '/');
    return std::string(bytes);
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run(parse, data, size);
}
