#include "flexible/surface.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <stdexcept>

#include "geometry/ear_clipping.h"

namespace abut::flexible {
namespace {

using std::numbers::pi;

/// Sides of the polygon that a circle becomes where nothing asks for more: it is off by 2 percent
/// of the radius.
constexpr int circle_sides = 16;
/// Longest edge on a ball of radius 1 where nothing asks for shorter ones: twice halved edges of
/// the icosahedron, 320 triangles.
constexpr double ball_edge = 0.35;

/// Equal parts of a length none of which is longer than the side of a square of that diagonal.
int parts_of(double length, double diagonal, int at_least) {
  const double parts = std::ceil(length * std::numbers::sqrt2 / diagonal);
  return std::max(at_least, static_cast<int>(parts));
}

Vec3 halfway(const Vec3& a, const Vec3& b) {
  return 0.5 * (a + b);
}

void refine_flat(Surface& surface, double longest) {
  if (!std::isfinite(longest)) return;
  refine(
      surface, [longest](const Vec3& a, const Vec3& b) { return (a - b).norm() > longest; },
      halfway);
}

// --- Boxes ---------------------------------------------------------------------------------------

/// The lattice points on the surface of n[0] x n[1] x n[2] cells.
class BoxLattice {
 public:
  BoxLattice(const Vec3& size, const std::array<int, 3>& cells) : size_(size), cells_(cells) {}

  Surface build() {
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (const bool high : {false, true}) add_side(axis, high);
    return std::move(surface_);
  }

 private:
  int vertex(const std::array<int, 3>& at) {
    const auto [entry, is_new] = known_.try_emplace(at, static_cast<int>(surface_.vertices.size()));
    if (is_new) {
      Vec3 p;
      for (std::size_t i = 0; i < 3; ++i)
        p[static_cast<Eigen::Index>(i)] =
            size_[static_cast<Eigen::Index>(i)] * (static_cast<double>(at[i]) / cells_[i] - 0.5);
      surface_.vertices.push_back(p);
    }
    return entry->second;
  }

  void add_side(std::size_t axis, bool high) {
    const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (int i = 0; i < cells_[u]; ++i) {
      for (int j = 0; j < cells_[v]; ++j) {
        const auto corner = [&](int di, int dj) {
          std::array<int, 3> at;
          at[axis] = high ? cells_[axis] : 0;
          at[u] = i + di;
          at[v] = j + dj;
          return vertex(at);
        };
        int a = corner(0, 0), b = corner(1, 0), c = corner(1, 1), d = corner(0, 1);
        if (!high) std::swap(b, d);
        surface_.triangles.push_back({a, b, c});
        surface_.triangles.push_back({a, c, d});
      }
    }
  }

  Vec3 size_;
  std::array<int, 3> cells_;
  std::map<std::array<int, 3>, int> known_;
  Surface surface_;
};

// --- Polyhedra -----------------------------------------------------------------------------------

/// A face as triangles of its corners' places: ears where it is not convex.
std::vector<std::array<int, 3>> face_triangles(const geometry::PolygonMesh& mesh,
                                               const std::vector<int>& face) {
  const auto at = [&](std::size_t i) { return mesh.vertices[static_cast<std::size_t>(face[i])]; };
  const auto corners = static_cast<int>(face.size());
  if (corners > 3) {
    Vec3 area = Vec3::Zero();
    for (std::size_t i = 1; i + 1 < face.size(); ++i)
      area += (at(i) - at(0)).cross(at(i + 1) - at(0));
    const Vec3 x = area.unitOrthogonal(), y = area.normalized().cross(x);
    std::vector<geometry::Vec2> flat;
    for (std::size_t i = 0; i < face.size(); ++i) flat.emplace_back(x.dot(at(i)), y.dot(at(i)));
    if (auto ears = geometry::clipped_ears(flat)) return *ears;
  }
  std::vector<std::array<int, 3>> fan;
  for (int i = 1; i + 1 < corners; ++i) fan.push_back({0, i, i + 1});
  return fan;
}

Surface of_faces(const geometry::PolygonMesh& mesh) {
  Surface surface;
  surface.vertices = mesh.vertices;
  for (const std::vector<int>& face : mesh.faces)
    for (const auto& t : face_triangles(mesh, face))
      surface.triangles.push_back({face[static_cast<std::size_t>(t[0])],
                                   face[static_cast<std::size_t>(t[1])],
                                   face[static_cast<std::size_t>(t[2])]});
  return surface;
}

// --- Balls and what is radially like them
// ----------------------------------------------------------

Surface icosahedron() {
  const double g = std::numbers::phi;
  Surface s;
  s.vertices = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
  for (Vec3& v : s.vertices) v.normalize();
  s.triangles = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                 {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                 {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                 {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
  return s;
}

/// The image of the unit sphere under `place`.
template <class Place>
Surface of_sphere(double longest, const Place& place) {
  Surface surface = icosahedron();
  refine(
      surface,
      [&](const Vec3& a, const Vec3& b) {
        return (a - b).norm() > ball_edge || (place(a) - place(b)).norm() > longest;
      },
      [](const Vec3& a, const Vec3& b) -> Vec3 { return (a + b).normalized(); });
  for (Vec3& v : surface.vertices) v = place(v);
  return surface;
}

Vec3 on_superellipsoid(const shape::Superellipsoid& s, const Vec3& direction) {
  const Vec3 d = direction.cwiseAbs();
  const double ring = std::pow(d.x(), 2 / s.e2) + std::pow(d.y(), 2 / s.e2);
  const double value = std::pow(ring, s.e2 / s.e1) + std::pow(d.z(), 2 / s.e1);
  return s.radii.cwiseProduct(direction) * std::pow(value, -s.e1 / 2);
}

// --- Solids of revolution
// ---------------------------------------------------------------------------

/// Distance from the z axis, and height.
struct ProfilePoint {
  double r = 0, z = 0;
};

/// Turns a profile, which goes up along the outside, about z. Points on the axis become one vertex;
/// a closed profile goes on from its last point to the first.
Surface revolved(const std::vector<ProfilePoint>& profile, int around, bool closed) {
  Surface surface;
  std::vector<int> first;  // vertex of each profile point at angle 0
  for (const ProfilePoint& p : profile) {
    first.push_back(static_cast<int>(surface.vertices.size()));
    for (int i = 0; i < (p.r > 0 ? around : 1); ++i) {
      const double angle = 2 * pi * i / around;
      surface.vertices.emplace_back(p.r * std::cos(angle), p.r * std::sin(angle), p.z);
    }
  }
  const std::size_t rings = closed ? profile.size() : profile.size() - 1;
  for (std::size_t k = 0; k < rings; ++k) {
    const std::size_t up = (k + 1) % profile.size();
    const auto at = [&](std::size_t row, int i) {
      return first[row] + (profile[row].r > 0 ? i % around : 0);
    };
    for (int i = 0; i < around; ++i) {
      if (profile[k].r > 0) surface.triangles.push_back({at(k, i), at(k, i + 1), at(up, i)});
      if (profile[up].r > 0) surface.triangles.push_back({at(k, i + 1), at(up, i + 1), at(up, i)});
    }
  }
  return surface;
}

/// As many sides that neither they nor, with sides as long, the diagonals are longer than that.
int sides_around(double radius, double longest) {
  const int sides = parts_of(2 * pi * radius, longest, circle_sides);
  return sides + sides % 2;
}

Surface of_capsule(const shape::Capsule& s, double longest) {
  const int around = sides_around(s.radius, longest);
  const int rows = around / 4 + 1, straight = parts_of(s.height, longest, 1);
  std::vector<ProfilePoint> profile;
  for (int k = 0; k < rows; ++k) {
    const double angle = pi / 2 * k / rows;
    profile.push_back(
        {k == 0 ? 0 : s.radius * std::sin(angle), -s.height / 2 - s.radius * std::cos(angle)});
  }
  for (int k = 0; k <= straight; ++k)
    profile.push_back({s.radius, s.height * (static_cast<double>(k) / straight - 0.5)});
  for (int k = rows - 1; k >= 0; --k)
    profile.push_back(
        {profile[static_cast<std::size_t>(k)].r, -profile[static_cast<std::size_t>(k)].z});
  return revolved(profile, around, false);
}

Surface of_torus(const shape::Torus& s, double longest) {
  const int around = sides_around(s.radius + s.tube, longest);
  const int along = sides_around(s.tube, longest);
  std::vector<ProfilePoint> profile;
  for (int k = 0; k < along; ++k) {
    const double angle = 2 * pi * k / along;
    profile.push_back({s.radius + s.tube * std::cos(angle), s.tube * std::sin(angle)});
  }
  return revolved(profile, around, true);
}

/// Cylinders and cones: flat along their profile, so halved edges stay on the surface.
Surface of_straight(const std::vector<ProfilePoint>& profile, double radius, double longest) {
  Surface surface = revolved(profile, sides_around(radius, longest), false);
  refine_flat(surface, longest);
  return surface;
}

// -----------------------------------------------------------------------------------------------------

struct SurfaceOf {
  const Fineness& fineness;

  Surface operator()(const shape::Sphere& s) const {
    return of_sphere(fineness.longest_edge, [&](const Vec3& u) -> Vec3 { return s.radius * u; });
  }
  Surface operator()(const shape::Ellipsoid& s) const {
    return of_sphere(fineness.longest_edge,
                     [&](const Vec3& u) -> Vec3 { return s.radii.cwiseProduct(u); });
  }
  Surface operator()(const shape::Superellipsoid& s) const {
    return of_sphere(fineness.longest_edge,
                     [&](const Vec3& u) -> Vec3 { return on_superellipsoid(s, u); });
  }
  Surface operator()(const shape::Capsule& s) const { return of_capsule(s, fineness.longest_edge); }
  Surface operator()(const shape::Cylinder& s) const {
    const double z = s.height / 2;
    return of_straight({{0, -z}, {s.radius, -z}, {s.radius, z}, {0, z}}, s.radius,
                       fineness.longest_edge);
  }
  Surface operator()(const shape::Cone& s) const {
    const double z = s.height / 2;
    return of_straight({{0, -z}, {s.radius, -z}, {0, z}}, s.radius, fineness.longest_edge);
  }
  Surface operator()(const shape::Torus& s) const { return of_torus(s, fineness.longest_edge); }
  Surface operator()(const shape::Box& s) const {
    std::array<int, 3> cells = {1, 1, 1};
    for (std::size_t i = 0; i < 3; ++i)
      cells[i] = parts_of(s.size[static_cast<Eigen::Index>(i)], fineness.longest_edge, 1);
    return BoxLattice(s.size, fineness.cells.value_or(cells)).build();
  }
  Surface operator()(const shape::Convex& s) const {
    Surface surface = of_faces(*s.hull);
    refine_flat(surface, fineness.longest_edge);
    return surface;
  }
  Surface operator()(const shape::Mesh& s) const {
    Surface surface = of_faces(*s.surface);
    if (fineness.mesh_too) refine_flat(surface, fineness.longest_edge);
    return surface;
  }
  template <class Other>
  Surface operator()(const Other&) const {
    throw std::logic_error("this shape has no boundary of triangles");
  }
};

}  // namespace

Surface surface_of(const shape::Geometry& geometry, const Fineness& fineness) {
  return std::visit(SurfaceOf{fineness}, geometry);
}

}  // namespace abut::flexible
