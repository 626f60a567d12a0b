#include "geometry/mesh_file.h"

#include <fmt/core.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "abut/diagnostics.h"
#include "geometry/text_scanner.h"

namespace abut::geometry {
namespace {

std::string bytes_of_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw InputError(Location{path}, "this is a directory, not a mesh file; give the file in it");
  }
  // A device or a pipe may never end.
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored)) {
    throw InputError(Location{path},
                     "this is a device or a pipe, not a mesh file; give a regular file");
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    const std::string reason = errno != 0 ? std::strerror(errno) : "unknown reason";
    throw InputError(Location{path}, fmt::format("the mesh file cannot be opened ({}); check its "
                                                 "path, which is relative to the scene's folder",
                                                 reason));
  }
  std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (file.bad()) throw InputError(Location{path}, "the mesh file cannot be read; check the disk");
  return bytes;
}

}  // namespace

PolygonMesh read_mesh_file(const std::string& path, Faces faces) {
  using Parser = PolygonMesh (*)(std::string_view, const std::string&, Faces);
  const std::string ending = std::filesystem::path(path).extension().string();
  Parser parser = nullptr;
  if (equal_ignoring_case(ending, ".obj")) parser = parse_obj;
  if (equal_ignoring_case(ending, ".stl")) parser = parse_stl;
  if (equal_ignoring_case(ending, ".ply")) parser = parse_ply;
  if (equal_ignoring_case(ending, ".gltf") || equal_ignoring_case(ending, ".glb")) {
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    return parse_gltf(bytes_of_file(path), path, faces, [&](const std::string& name) {
      return bytes_of_file((folder / name).string());
    });
  }
  if (parser == nullptr) {
    throw InputError(
        Location{path},
        fmt::format("mesh files ending in {} are not known; use .obj, .stl, .ply, .gltf or "
                    ".glb",
                    in_quotes(ending)));
  }
  return parser(bytes_of_file(path), path, faces);
}

}  // namespace abut::geometry
