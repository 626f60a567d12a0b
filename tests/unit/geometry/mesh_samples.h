#pragma once
// Small meshes with known properties, and ways to change them.

#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "geometry/polygon_mesh.h"

namespace samples {

using abut::Quat;
using abut::Vec3;
using abut::geometry::PolygonMesh;

/// An axis-aligned box of six quadrilaterals between two corners.
inline PolygonMesh box(const Vec3& low, const Vec3& high) {
  PolygonMesh mesh;
  for (int i = 0; i < 8; ++i) {
    mesh.vertices.emplace_back((i & 1) ? high.x() : low.x(), (i & 2) ? high.y() : low.y(),
                               (i & 4) ? high.z() : low.z());
  }
  mesh.faces = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  return mesh;
}

inline PolygonMesh unit_cube() {
  return box(Vec3::Zero(), Vec3::Ones());
}

inline PolygonMesh tetrahedron() {
  PolygonMesh mesh;
  mesh.vertices = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
  mesh.faces = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  return mesh;
}

inline PolygonMesh octahedron(double radius) {
  PolygonMesh mesh;
  for (int axis = 0; axis < 3; ++axis) {
    mesh.vertices.push_back(radius * Vec3::Unit(axis));
    mesh.vertices.push_back(-radius * Vec3::Unit(axis));
  }
  for (int x = 0; x < 2; ++x) {
    for (int y = 0; y < 2; ++y) {
      for (int z = 0; z < 2; ++z) {
        const bool mirrored = (x + y + z) % 2 == 1;
        if (mirrored) {
          mesh.faces.push_back({x, 4 + z, 2 + y});
        } else {
          mesh.faces.push_back({x, 2 + y, 4 + z});
        }
      }
    }
  }
  return mesh;
}

/// The surface p(u, v), closed in both directions, of nu x nv quadrilaterals (bent ones as two
/// triangles), with the outside on the side of p_u x p_v.
inline PolygonMesh closed_grid(int nu, int nv, const std::function<Vec3(double, double)>& p) {
  PolygonMesh mesh;
  for (int i = 0; i < nu; ++i) {
    for (int j = 0; j < nv; ++j) mesh.vertices.push_back(p(double(i) / nu, double(j) / nv));
  }
  const auto at = [&](int i, int j) { return (i % nu) * nv + j % nv; };
  for (int i = 0; i < nu; ++i) {
    for (int j = 0; j < nv; ++j) {
      mesh.faces.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      mesh.faces.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  }
  return mesh;
}

inline PolygonMesh torus(double radius, double tube, int nu, int nv) {
  return closed_grid(nu, nv, [=](double u, double v) {
    const double a = 2 * std::numbers::pi * u;
    const double b = 2 * std::numbers::pi * v;
    const double rho = radius + tube * std::cos(b);
    return Vec3(rho * std::cos(a), rho * std::sin(a), tube * std::sin(b));
  });
}

/// A solid of revolution about z: the profile goes from the lower pole to the upper one, both on
/// the axis; rings of `segments` corners between them.
inline PolygonMesh revolved(const std::vector<Eigen::Vector2d>& profile, int segments) {
  PolygonMesh mesh;
  const int rings = int(profile.size()) - 2;
  mesh.vertices.emplace_back(0, 0, profile.front().y());
  for (int ring = 1; ring <= rings; ++ring) {
    for (int k = 0; k < segments; ++k) {
      const double a = 2 * std::numbers::pi * k / segments;
      mesh.vertices.emplace_back(profile[ring].x() * std::cos(a), profile[ring].x() * std::sin(a),
                                 profile[ring].y());
    }
  }
  mesh.vertices.emplace_back(0, 0, profile.back().y());
  const int top = int(mesh.vertices.size()) - 1;
  const auto at = [&](int ring, int k) { return 1 + (ring - 1) * segments + k % segments; };
  for (int k = 0; k < segments; ++k) {
    mesh.faces.push_back({0, at(1, k + 1), at(1, k)});
    for (int ring = 1; ring < rings; ++ring) {
      mesh.faces.push_back({at(ring, k), at(ring, k + 1), at(ring + 1, k + 1)});
      mesh.faces.push_back({at(ring, k), at(ring + 1, k + 1), at(ring + 1, k)});
    }
    mesh.faces.push_back({at(rings, k), at(rings, k + 1), top});
  }
  return mesh;
}

/// A prism over a polygon (counter-clockwise in the xy plane), from z = 0 to z = height.
inline PolygonMesh prism(const std::vector<Eigen::Vector2d>& outline, double height) {
  PolygonMesh mesh;
  const int n = int(outline.size());
  std::vector<int> bottom, top;
  for (const double z : {0.0, height}) {
    for (const Eigen::Vector2d& p : outline) mesh.vertices.emplace_back(p.x(), p.y(), z);
  }
  for (int i = 0; i < n; ++i) {
    bottom.push_back(n - 1 - i);
    top.push_back(n + i);
    mesh.faces.push_back({i, (i + 1) % n, n + (i + 1) % n, n + i});
  }
  mesh.faces.push_back(bottom);
  mesh.faces.push_back(top);
  return mesh;
}

inline PolygonMesh flipped(PolygonMesh mesh) {
  for (std::vector<int>& face : mesh.faces) std::reverse(face.begin(), face.end());
  return mesh;
}

inline PolygonMesh moved(PolygonMesh mesh, const Vec3& offset,
                         const Quat& rotation = Quat::Identity(), double scale = 1) {
  for (Vec3& v : mesh.vertices) v = rotation * (scale * v) + offset;
  return mesh;
}

/// Both meshes, with no vertex in common.
inline PolygonMesh together(PolygonMesh a, const PolygonMesh& b) {
  const int offset = int(a.vertices.size());
  a.vertices.insert(a.vertices.end(), b.vertices.begin(), b.vertices.end());
  for (std::vector<int> face : b.faces) {
    for (int& corner : face) corner += offset;
    a.faces.push_back(face);
  }
  return a;
}

inline PolygonMesh triangulated_fans(const PolygonMesh& mesh) {
  PolygonMesh result;
  result.vertices = mesh.vertices;
  for (const std::vector<int>& face : mesh.faces) {
    for (std::size_t i = 1; i + 1 < face.size(); ++i) {
      result.faces.push_back({face[0], face[i], face[i + 1]});
    }
  }
  return result;
}

}  // namespace samples
