#pragma once
// Surfaces from files: Wavefront OBJ, STL and PLY (text and binary), glTF 2.0 (text and binary).
//
// Coordinates are read in double precision and faces stay the polygons they are in the file.
// Everything that is wrong with the bytes of a file throws abut::InputError with the place: line
// and column in text, the byte offset (in the message) in binary data, the entry in glTF. Whether
// the surface is closed, planar and free of crossings is not asked here but in
// geometry/mesh_check.h.

#include <functional>
#include <string>
#include <string_view>

#include "geometry/polygon_mesh.h"

namespace abut::geometry {

/// Whether a file without faces is an error. A hull needs the points only.
enum class Faces { required, optional };

/// Reads a file by the ending of its name: .obj, .stl, .ply, .gltf or .glb, in upper or
/// lower case.
PolygonMesh read_mesh_file(const std::string& path, Faces faces = Faces::required);

/// The same from the bytes of a file; `file_name` is used in messages only.
PolygonMesh parse_obj(std::string_view bytes, const std::string& file_name,
                      Faces faces = Faces::required);
PolygonMesh parse_stl(std::string_view bytes, const std::string& file_name,
                      Faces faces = Faces::required);
PolygonMesh parse_ply(std::string_view bytes, const std::string& file_name,
                      Faces faces = Faces::required);

/// Gives the bytes of a file beside the glTF file; `name` never leads out of its folder.
using BufferFile = std::function<std::string(const std::string& name)>;
/// .gltf and .glb.
PolygonMesh parse_gltf(std::string_view bytes, const std::string& file_name, Faces faces,
                       const BufferFile& read_beside);

}  // namespace abut::geometry
