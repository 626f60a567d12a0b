#include "geometry/implicit_mesh.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/limits.h"

namespace abut::geometry {
namespace {

// The six tetrahedra of a cube around its diagonal from corner 0 to corner 7; bit i of a corner is
// its place along axis i. Neighbouring cubes cut their common face alike.
constexpr std::array<std::array<int, 4>, 6> tetrahedra = {
    {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}}};

class Marcher {
 public:
  Marcher(const EnclosedField& field, const Aabb& box, int cells) : field_(field) {
    const Vec3 size = box.upper - box.lower;
    const double step = size.maxCoeff() / cells;
    for (int i = 0; i < 3; ++i) {
      const double count = std::max(4.0, std::ceil(size[i] / step));
      step_[i] = size[i] / count;
      // One cell more on each side, so that the surface is inside.
      counts_[static_cast<std::size_t>(i)] = static_cast<std::size_t>(count) + 2;
    }
    lower_ = box.lower - step_;
  }

  SurfaceMesh run() {
    sample();
    for (std::size_t k = 0; k < counts_[2]; ++k)
      for (std::size_t j = 0; j < counts_[1]; ++j)
        for (std::size_t i = 0; i < counts_[0]; ++i) cube(i, j, k);
    return std::move(mesh_);
  }

 private:
  std::size_t index(std::size_t i, std::size_t j, std::size_t k) const {
    return (k * (counts_[1] + 1) + j) * (counts_[0] + 1) + i;
  }
  Vec3 place(std::size_t index) const {
    const std::size_t row = counts_[0] + 1, rows = counts_[1] + 1;
    const std::size_t i = index % row, j = index / row % rows, k = index / row / rows;
    const Vec3 cell(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k));
    return lower_ + cell.cwiseProduct(step_);
  }

  void sample() {
    values_.resize(index(counts_[0], counts_[1], counts_[2]) + 1);
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const double value = field_.at(place(i)).value;
      // Beyond the bounds a formula need not have a value; there is nothing there.
      values_[i] = std::isfinite(value) ? value : 1;
    }
  }

  void cube(std::size_t i, std::size_t j, std::size_t k) {
    std::array<std::size_t, 8> corners{};
    bool below = false, above = false;
    for (std::size_t c = 0; c < 8; ++c) {
      const std::size_t at = index(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2 & 1));
      corners[c] = at;
      (values_[at] < 0 ? below : above) = true;
    }
    if (!below || !above) return;
    for (const auto& tetrahedron : tetrahedra) {
      std::vector<std::size_t> in, out;
      for (const int c : tetrahedron) {
        const std::size_t at = corners[static_cast<std::size_t>(c)];
        (values_[at] < 0 ? in : out).push_back(at);
      }
      cut(in, out);
    }
  }

  void cut(const std::vector<std::size_t>& in, const std::vector<std::size_t>& out) {
    if (in.empty() || out.empty()) return;
    if (in.size() == 2) {
      const std::array<std::uint32_t, 4> ring = {crossing(in[0], out[0]), crossing(in[0], out[1]),
                                                 crossing(in[1], out[1]), crossing(in[1], out[0])};
      add({ring[0], ring[1], ring[2]}, in[0], out[0]);
      add({ring[0], ring[2], ring[3]}, in[0], out[0]);
      return;
    }
    const bool one_in = in.size() == 1;
    const std::size_t lone = one_in ? in[0] : out[0];
    const auto& others = one_in ? out : in;
    std::array<std::uint32_t, 3> t{};
    for (std::size_t i = 0; i < 3; ++i)
      t[i] = one_in ? crossing(lone, others[i]) : crossing(others[i], lone);
    add(t, in[0], out[0]);
  }

  void add(std::array<std::uint32_t, 3> t, std::size_t in, std::size_t out) {
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) return;
    const Vec3 area =
        (mesh_.points[t[1]] - mesh_.points[t[0]]).cross(mesh_.points[t[2]] - mesh_.points[t[0]]);
    if (area.dot(place(out) - place(in)) < 0) std::swap(t[1], t[2]);
    mesh_.triangles.push_back(t);
  }

  // Where the edge between two corners of the grid crosses the surface, by halving and Newton.
  std::uint32_t crossing(std::size_t in, std::size_t out) {
    const auto [entry, is_new] =
        corner_of_.try_emplace({in, out}, static_cast<std::uint32_t>(mesh_.points.size()));
    if (!is_new) return entry->second;
    const Vec3 from = place(in), along = place(out) - from;
    double low = 0, high = 1, s = 0.5;
    for (int i = 0; i < 100; ++i) {
      const FieldSample f = field_.at(from + s * along);
      (f.value < 0 ? low : high) = s;
      double next = s - f.value / f.gradient.dot(along);
      if (!(next > low && next < high)) next = 0.5 * (low + high);
      const double change = std::abs(next - s);
      s = next;
      if (change <= epsilon) break;
    }
    mesh_.points.push_back(from + s * along);
    mesh_.normals.push_back(field_.at(mesh_.points.back()).gradient.normalized());
    return entry->second;
  }

  const EnclosedField& field_;
  Vec3 lower_, step_;
  std::array<std::size_t, 3> counts_{};
  std::vector<double> values_;
  SurfaceMesh mesh_;
  std::map<std::pair<std::size_t, std::size_t>, std::uint32_t> corner_of_;
};

/// A point of a lifted triangle with its derivatives.
struct Lifted {
  Vec3 x, x_a, x_b;
};

}  // namespace

SurfaceMesh triangulated(const EnclosedField& field, const Aabb& box, int cells) {
  return Marcher(field, box, cells).run();
}

// With x = p + s m, f(x) = 0 gives s_a = -grad f . (p_a + s m_a) / grad f . m and so x_a. The
// square (a, b) is folded to the triangle by p = p0 + a (p1 - p0 + b (p2 - p1)).
VolumeIntegrals integrate_lifted(const EnclosedField& field, const SurfaceMesh& mesh) {
  const auto lift = [&](const std::array<std::uint32_t, 3>& t, double a, double b) {
    const auto mix = [&](const std::vector<Vec3>& at) {
      const Vec3 side = at[t[1]] - at[t[0]], far = at[t[2]] - at[t[1]];
      return Lifted{at[t[0]] + a * (side + b * far), side + b * far, a * far};
    };
    const Lifted p = mix(mesh.points), m = mix(mesh.normals);
    double s = 0;
    FieldSample f;
    for (int i = 0; i < 50; ++i) {
      f = field.at(p.x + s * m.x);
      const double step = f.value / f.gradient.dot(m.x);
      s -= step;
      if (std::abs(step) <= 4 * epsilon * p.x.norm()) break;
    }
    const double slope = f.gradient.dot(m.x);
    const Vec3 along_a = p.x_a + s * m.x_a, along_b = p.x_b + s * m.x_b;
    return Lifted{p.x + s * m.x, along_a - f.gradient.dot(along_a) / slope * m.x,
                  along_b - f.gradient.dot(along_b) / slope * m.x};
  };
  Vec3 c = Vec3::Zero();
  for (const Vec3& p : mesh.points) c += p / static_cast<double>(mesh.points.size());
  const std::vector<Rectangle> squares(mesh.triangles.size());
  return integrate_cones(squares, c, [&](std::size_t i, double a, double b) {
    const Lifted at = lift(mesh.triangles[i], a, b);
    return ConeElement{at.x - c, (at.x - c).dot(at.x_a.cross(at.x_b))};
  });
}

}  // namespace abut::geometry
