#include "record/rounded_mesh.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

namespace abut::record {
namespace {

using Face = std::vector<int>;

class RoundedMeshBuilder {
 public:
  RoundedMeshBuilder(const geometry::PolygonMesh& hull, double rounding, int detail)
      : hull_(hull), rounding_(rounding), detail_(detail) {
    for (std::size_t f = 0; f < hull.faces.size(); ++f) {
      const Face& face = hull.faces[f];
      Vec3 area = Vec3::Zero();
      for (std::size_t i = 1; i + 1 < face.size(); ++i)
        area += (at(face[i]) - at(face[0])).cross(at(face[i + 1]) - at(face[0]));
      normals_.push_back(area.normalized());
      for (std::size_t i = 0; i < face.size(); ++i)
        left_of_[{face[i], face[(i + 1) % face.size()]}] = f;
    }
  }

  DisplayMesh build() {
    for (std::size_t f = 0; f < hull_.faces.size(); ++f) add_face(f);
    for (const auto& [side, left] : left_of_)
      if (side.first < side.second) add_edge(side.first, side.second);
    std::map<int, int> first_neighbour;
    for (const auto& [side, left] : left_of_) first_neighbour.try_emplace(side.first, side.second);
    for (const auto& [vertex, neighbour] : first_neighbour) add_corner(vertex, neighbour);
    return std::move(out_);
  }

 private:
  const Vec3& at(int vertex) const { return hull_.vertices[static_cast<std::size_t>(vertex)]; }

  std::uint32_t add(int vertex, const Vec3& normal) {
    out_.vertices.push_back(at(vertex) + rounding_ * normal);
    out_.normals.push_back(normal);
    return static_cast<std::uint32_t>(out_.vertices.size() - 1);
  }

  void add_face(std::size_t f) {
    std::vector<std::uint32_t> corners;
    for (const int vertex : hull_.faces[f]) corners.push_back(add(vertex, normals_[f]));
    for (std::size_t i = 1; i + 1 < corners.size(); ++i)
      out_.triangles.push_back({corners[0], corners[i], corners[i + 1]});
  }

  /// Normals from the right of the side to its left, counter-clockwise about it.
  std::vector<Vec3> arc(int from, int to) const {
    const Vec3 &right = normals_[left_of_.at({to, from})],
               &left = normals_[left_of_.at({from, to})];
    const double angle = std::atan2(right.cross(left).norm(), right.dot(left));
    const int cells =
        std::max(1, static_cast<int>(std::ceil(detail_ * angle / (2 * std::numbers::pi))));
    std::vector<Vec3> normals;
    for (int i = 0; i <= cells; ++i) {
      const double t = static_cast<double>(i) / cells;
      const Vec3 mixed = std::sin((1 - t) * angle) * right + std::sin(t * angle) * left;
      normals.push_back(i == 0 ? right : (i == cells ? left : mixed.normalized()));
    }
    return normals;
  }

  void add_edge(int from, int to) {
    const std::vector<Vec3> normals = arc(from, to);
    std::uint32_t low = 0, high = 0;
    for (std::size_t i = 0; i < normals.size(); ++i) {
      const std::uint32_t next_low = add(from, normals[i]), next_high = add(to, normals[i]);
      if (i > 0) {
        out_.triangles.push_back({low, high, next_high});
        out_.triangles.push_back({low, next_high, next_low});
      }
      low = next_low;
      high = next_high;
    }
  }

  /// The polygon of the corner's normals, by rings around its middle.
  void add_corner(int vertex, int first) {
    std::vector<Vec3> border;
    int neighbour = first;
    do {
      const std::vector<Vec3> side = arc(vertex, neighbour);
      border.insert(border.end(), side.begin(), side.end() - 1);
      neighbour = next_around(vertex, neighbour);
    } while (neighbour != first);
    Vec3 middle = Vec3::Zero();
    for (const Vec3& n : border) middle += n;
    middle.normalize();
    const int rings = std::max<int>(1, static_cast<int>(border.size()) / 4);
    const std::size_t around = border.size();
    std::vector<std::uint32_t> outer, inner;
    for (int k = 0; k <= rings; ++k) {
      const double t = static_cast<double>(k) / rings;
      inner.clear();
      for (const Vec3& n : border)
        inner.push_back(add(vertex, ((1 - t) * n + t * middle).normalized()));
      for (std::size_t i = 0; k > 0 && i < around; ++i) {
        const std::size_t j = (i + 1) % around;
        out_.triangles.push_back({outer[i], outer[j], inner[j]});
        if (k < rings) out_.triangles.push_back({outer[i], inner[j], inner[i]});
      }
      outer = inner;
    }
  }

  /// The far end of the next side at a vertex, counter-clockwise from outside: in the face to the
  /// left of the side to `neighbour` it is the corner before the vertex.
  int next_around(int vertex, int neighbour) const {
    const Face& face = hull_.faces[left_of_.at({vertex, neighbour})];
    const auto here =
        static_cast<std::size_t>(std::find(face.begin(), face.end(), vertex) - face.begin());
    return face[(here + face.size() - 1) % face.size()];
  }

  const geometry::PolygonMesh& hull_;
  double rounding_;
  int detail_;
  std::vector<Vec3> normals_;
  std::map<std::pair<int, int>, std::size_t> left_of_;  ///< the face beside each directed side
  DisplayMesh out_;
};

}  // namespace

DisplayMesh rounded_mesh(const geometry::PolygonMesh& hull, double rounding, int detail) {
  return RoundedMeshBuilder(hull, rounding, detail).build();
}

}  // namespace abut::record
