// glTF 2.0: all meshes of the file's scene where its nodes put them, as one surface.
//
// In glTF y is up, here z is: (x, y, z) becomes (x, -z, y), as in the files that `abut run` writes.
// A corner with several normals is several vertices there; those at the same place are welded.

#include <fmt/core.h>

#include <cmath>
#include <vector>

#include "abut/diagnostics.h"
#include "geometry/gltf_document.h"
#include "geometry/mesh_file.h"
#include "geometry/mesh_weld.h"

namespace abut::geometry {
namespace {

using Json = GltfDocument::Json;
using Affine = Eigen::Affine3d;

// Corners of triangles beyond this number are refused: nodes that share a mesh make a small file as
// large as they like.
constexpr std::size_t most_gltf_corners = 30'000'000;

// How the corners of a primitive are joined.
constexpr std::size_t gltf_triangles = 4, gltf_strip = 5, gltf_fan = 6;

class GltfReader {
 public:
  GltfReader(std::string_view bytes, const std::string& file_name, const BufferFile& read_beside)
      : document_(bytes, file_name, read_beside) {}

  PolygonMesh read() {
    struct Placed {
      std::size_t node;
      Affine parent;
      std::string user;
    };
    std::vector<Placed> open;
    Affine to_z_up = Affine::Identity();
    to_z_up.linear() << 1, 0, 0, 0, 0, -1, 0, 1, 0;
    for (const auto& [node, user] : roots()) open.push_back({node, to_z_up, user});
    std::vector<bool> is_used(document_.size("nodes"), false);
    while (!open.empty()) {
      const auto [index, parent, user] = open.back();
      open.pop_back();
      const Json& node = document_.entry("nodes", index, user);
      const std::string place = fmt::format("nodes[{}]", index);
      if (is_used[index])
        document_.fail(place, "the node has several parents; write the file again");
      is_used[index] = true;
      const Affine frame = parent * placement(node, place);
      if (node.contains("mesh"))
        shown_.push_back({&mesh_of(node, place), frame,
                          fmt::format("meshes[{}]", document_.whole(node, "mesh", place))});
      for (const std::size_t child : document_.indices(node, "children", place))
        open.push_back({child, frame, place + ".children"});
    }
    for (const Shown& shown : shown_)
      for_each_primitive(shown, [&](const Json& primitive, const std::string& place) {
        count_corners(primitive, place);
      });
    for (const Shown& shown : shown_)
      for_each_primitive(shown, [&](const Json& primitive, const std::string& place) {
        add_primitive(primitive, shown.frame, place);
      });
    return std::move(mesh_);
  }

 private:
  struct Shown {
    const Json* mesh;
    Affine frame;
    std::string place;
  };

  // The nodes of the scene; without a scene, all that are no one's children.
  std::vector<std::pair<std::size_t, std::string>> roots() const {
    std::vector<std::pair<std::size_t, std::string>> found;
    if (document_.size("scenes") > 0) {
      const std::size_t index = document_.whole(document_.json(), "scene", "the top", 0);
      const Json& scene = document_.entry("scenes", index, "scene");
      const std::string place = fmt::format("scenes[{}]", index);
      for (const std::size_t node : document_.indices(scene, "nodes", place))
        found.emplace_back(node, place + ".nodes");
      return found;
    }
    const std::size_t count = document_.size("nodes");
    std::vector<bool> is_child(count, false);
    for (std::size_t i = 0; i < count; ++i) {
      const std::string place = fmt::format("nodes[{}]", i);
      for (const std::size_t child :
           document_.indices(document_.entry("nodes", i, place), "children", place))
        if (child < count) is_child[child] = true;
    }
    for (std::size_t i = 0; i < count; ++i)
      if (!is_child[i]) found.emplace_back(i, "nodes");
    return found;
  }

  Affine placement(const Json& node, const std::string& place) const {
    Affine frame = Affine::Identity();
    if (const auto m = document_.numbers(node, "matrix", 16, place); !m.empty()) {
      for (int column = 0; column < 4; ++column)
        for (int row = 0; row < 3; ++row)
          frame.matrix()(row, column) = m[4 * static_cast<std::size_t>(column) + row];
      return frame;
    }
    if (const auto t = document_.numbers(node, "translation", 3, place); !t.empty())
      frame.translation() = Vec3(t[0], t[1], t[2]);
    if (const auto q = document_.numbers(node, "rotation", 4, place); !q.empty()) {
      const Quat turn(q[3], q[0], q[1], q[2]);
      if (turn.norm() == 0) document_.fail(place + ".rotation", "the quaternion is zero");
      frame.linear() = turn.normalized().toRotationMatrix();
    }
    if (const auto s = document_.numbers(node, "scale", 3, place); !s.empty())
      frame.linear() *= Vec3(s[0], s[1], s[2]).asDiagonal();
    return frame;
  }

  const Json& mesh_of(const Json& node, const std::string& place) const {
    if (node.contains("skin"))
      document_.fail(place + ".skin",
                     "the mesh is bent by a skeleton; apply it in the program that "
                     "made the file, then export again");
    return document_.entry("meshes", document_.whole(node, "mesh", place), place + ".mesh");
  }

  template <class Visitor>
  void for_each_primitive(const Shown& shown, const Visitor& visit) const {
    const Json& mesh = *shown.mesh;
    if (!mesh.contains("primitives") || !mesh["primitives"].is_array())
      document_.fail(shown.place, "`primitives` is missing; write the file again");
    std::size_t i = 0;
    for (const Json& primitive : mesh["primitives"]) {
      const std::string place = fmt::format("{}.primitives[{}]", shown.place, i++);
      if (!primitive.is_object() || !primitive.contains("attributes") ||
          !primitive["attributes"].is_object())
        document_.fail(place, "`attributes` is missing; write the file again");
      if (primitive["attributes"].contains("POSITION")) visit(primitive, place);
    }
  }

  void count_corners(const Json& primitive, const std::string& place) {
    corner_count_ += positions_of(primitive, place).count;
    if (primitive.contains("indices")) corner_count_ += indices_of(primitive, place).count;
    if (corner_count_ > most_gltf_corners)
      document_.fail(place, fmt::format("the file has more than {} corners, with all nodes that "
                                        "show a mesh again; use fewer",
                                        most_gltf_corners));
  }

  GltfAccessor positions_of(const Json& primitive, const std::string& place) {
    const std::size_t index =
        document_.whole(primitive["attributes"], "POSITION", place + ".attributes");
    return document_.accessor(index, 3, place + ".attributes.POSITION");
  }
  GltfAccessor indices_of(const Json& primitive, const std::string& place) {
    return document_.accessor(document_.whole(primitive, "indices", place), 1, place + ".indices");
  }

  void add_primitive(const Json& primitive, const Affine& frame, const std::string& place) {
    const std::size_t mode = document_.whole(primitive, "mode", place, gltf_triangles);
    const int first = static_cast<int>(mesh_.vertices.size());
    const std::size_t count = add_vertices(positions_of(primitive, place), frame, place);
    if (mode < gltf_triangles || mode > gltf_fan) return;  // points and lines
    const std::vector<int> corners = corners_of_primitive(primitive, first, count, place);
    const bool is_mirrored = frame.linear().determinant() < 0;
    const auto add = [&](int a, int b, int c) {
      // Strips are joined by triangles without area.
      if (mode != gltf_triangles && (a == b || b == c || c == a)) return;
      if (is_mirrored) std::swap(b, c);
      mesh_.faces.push_back({a, b, c});
    };
    const std::size_t size = corners.size();
    if (mode == gltf_triangles && size % 3 != 0)
      document_.fail(place,
                     fmt::format("there are {} corners, but triangles have 3 each; write the "
                                 "file again",
                                 size));
    for (std::size_t i = 0; i + 2 < size; i += mode == gltf_triangles ? 3 : 1) {
      if (mode == gltf_fan) {
        add(corners[i + 1], corners[i + 2], corners[0]);
      } else if (mode == gltf_strip && i % 2 == 1) {
        add(corners[i], corners[i + 2], corners[i + 1]);
      } else {
        add(corners[i], corners[i + 1], corners[i + 2]);
      }
    }
  }

  std::size_t add_vertices(const GltfAccessor& positions, const Affine& frame,
                           const std::string& place) {
    for (std::size_t i = 0; i < positions.count; ++i) {
      Vec3 p;
      for (int axis = 0; axis < 3; ++axis) p[axis] = document_.value(positions, i, axis);
      p = frame * p;
      if (!p.allFinite())
        document_.fail(place, fmt::format("vertex {} is not finite; mend or remove it", i));
      mesh_.vertices.emplace_back(p + Vec3::Zero());  // turns -0 into +0
    }
    return positions.count;
  }

  std::vector<int> corners_of_primitive(const Json& primitive, int first, std::size_t count,
                                        const std::string& place) {
    std::vector<int> corners;
    if (!primitive.contains("indices")) {
      for (std::size_t i = 0; i < count; ++i) corners.push_back(first + static_cast<int>(i));
      return corners;
    }
    const GltfAccessor found = indices_of(primitive, place);
    for (std::size_t i = 0; i < found.count; ++i) {
      const double corner = document_.value(found, i, 0);
      if (!(corner >= 0 && corner < static_cast<double>(count)))
        document_.fail(
            place + ".indices",
            fmt::format("index {} is {}, but there are {} vertices; write the file again", i,
                        corner, count));
      corners.push_back(first + static_cast<int>(corner));
    }
    return corners;
  }

  GltfDocument document_;
  std::vector<Shown> shown_;
  PolygonMesh mesh_;
  std::size_t corner_count_ = 0;
};

}  // namespace

PolygonMesh parse_gltf(std::string_view bytes, const std::string& file_name, Faces faces,
                       const BufferFile& read_beside) {
  PolygonMesh mesh = GltfReader(bytes, file_name, read_beside).read();
  if (!mesh.faces.empty()) return without_spare_vertices(mesh);
  if (faces == Faces::required)
    throw InputError(Location{file_name},
                     "the file's scene shows no triangles; export the surface "
                     "again");
  return mesh;
}

}  // namespace abut::geometry
