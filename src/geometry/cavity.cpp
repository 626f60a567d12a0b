#include "geometry/cavity.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/limits.h"
#include "geometry/normal_search.h"

namespace abut::geometry {
namespace {

// Eigenvalues of the Hessian are kept above this multiple of the reach (dimensionless).
constexpr double least_eigenvalue = 1e-13;

// Minima whose normals differ by less than this are one (rad); minima softer than this times the
// reach that are equally deep are one flat minimum (dimensionless).
constexpr double same_normal = 1e-6;
constexpr double flat = 1e-9;

// A valley is level if D bends by no more than this times the reach along its bottom
// (dimensionless): from side to side it varies by twice that, a hundredth of the gap that contacts
// rest at. Places of it that are nearer to each other than this are one (rad).
constexpr double level = 1e-12;
constexpr double apart_in_valley = 0.3;

// Newton's method for the nearest place of an ellipsoid needs about six iterations.
constexpr int root_iterations = 100;

struct Eigen2 {
  Eigen::Vector2d axis = Eigen::Vector2d::UnitX();  // of the larger eigenvalue
  double large = 0, small = 0;
};

Eigen2 eigen(double xx, double xy, double yy) {
  Eigen2 result;
  const double mean = 0.5 * (xx + yy), half = 0.5 * (xx - yy);
  const double spread = std::hypot(half, xy);
  result.large = mean + spread;
  result.small = mean - spread;
  if (spread > 0)
    result.axis =
        (half >= 0 ? Eigen::Vector2d(half + spread, xy) : Eigen::Vector2d(xy, spread - half))
            .normalized();
  return result;
}

struct Now {
  CavityPlace place;
  Mat3 wall_radii, inside_radii;
  Vec3 residual = Vec3::Zero();  // the gradient of -D
  Vec3 u, v;                     // across the normal
  Eigen2 hessian;
};

Now evaluate(const CavityPair& pair, const Vec3& m) {
  const SurfacePatch wall = pair.cavity.patch(m), inside = pair.inside.patch(m);
  Now now;
  now.place.normal = m;
  now.place.wall = wall.point;
  now.place.inside = inside.point;
  const Vec3 between = wall.point - inside.point;
  now.place.clearance = m.dot(between);
  now.wall_radii = wall.radii;
  now.inside_radii = inside.radii;
  now.residual = now.place.clearance * m - between;
  now.u = m.unitOrthogonal();
  now.v = m.cross(now.u);
  const Mat3 radii = wall.radii - inside.radii;
  now.hessian = eigen(now.u.dot(radii * now.u) - now.place.clearance, now.u.dot(radii * now.v),
                      now.v.dot(radii * now.v) - now.place.clearance);
  now.place.stiffness = now.hessian.small;
  now.place.stiffest = now.hessian.large;
  return now;
}

bool is_in_valley(const CavityPlace& place, double scale) {
  return std::abs(place.stiffness) <= level * scale && place.stiffest > flat * scale;
}

// Downhill: eigenvalues are taken by their size.
Vec3 newton_step(const Now& now, double scale) {
  const double floor = least_eigenvalue * scale;
  const double large = std::max(std::abs(now.hessian.large), floor);
  const double small = std::max(std::abs(now.hessian.small), floor);
  const Eigen::Vector2d f(now.u.dot(now.residual), now.v.dot(now.residual));
  const Eigen::Vector2d& axis = now.hessian.axis;
  const Eigen::Vector2d other(-axis.y(), axis.x());
  const Eigen::Vector2d step = axis.dot(f) / large * axis + other.dot(f) / small * other;
  return step.x() * now.u + step.y() * now.v;
}

// The faces, edges and corners of a cube, as directions.
std::vector<Vec3> directions_around() {
  std::vector<Vec3> all;
  for (int x = -1; x <= 1; ++x)
    for (int y = -1; y <= 1; ++y)
      for (int z = -1; z <= 1; ++z)
        if (x != 0 || y != 0 || z != 0) all.push_back(Vec3(x, y, z).normalized());
  return all;
}

// The nearest place x of an ellipsoid with half axes a satisfies p = x - D m with m along x / a^2:
// x_i = a_i^2 p_i / (a_i^2 - tau) with one unknown tau = D h, for which x is on the surface:
//     sum_i (a_i p_i / (a_i^2 - tau))^2 = 1.
// The left side grows with tau up to the smallest a_i^2, where it is infinite; so there is one root
// there, and it belongs to the nearest place.
Vec3 towards_nearest_wall_of_ellipsoid(const Vec3& a, const Vec3& point) {
  // Exactly in a plane of symmetry the nearest place may be on either side of it.
  Vec3 p = point;
  for (int i = 0; i < 3; ++i)
    if (std::abs(p[i]) < epsilon * a[i]) p[i] = std::copysign(epsilon * a[i], p[i]);
  const Vec3 squares = a.cwiseProduct(a);
  const double limit = squares.minCoeff();
  const Vec3 above = squares - Vec3::Constant(limit), weights = a.cwiseProduct(p).cwiseAbs();
  // With tau = limit - below and s(below) the root of the left side, 1/s is a concave function
  // that grows: Newton's method for 1/s = 1 never oversteps from a start where s >= 1, as it is
  // where one term alone is 1.
  double below = std::max((weights - above).maxCoeff(), std::numeric_limits<double>::min());
  for (int i = 0; i < root_iterations; ++i) {
    const Vec3 divisors = above + Vec3::Constant(below);
    const Vec3 terms = weights.cwiseQuotient(divisors);
    const double s = terms.norm();
    const double slope = terms.cwiseProduct(terms).cwiseQuotient(divisors).sum() / s;
    const double next = below + s * (s - 1) / slope;
    if (!(next > below)) break;
    below = next;
  }
  // The smallest square less the limit is exactly zero: it must not be rounded with the rest.
  return p.cwiseQuotient(above + Vec3::Constant(below)).normalized();
}

// -D along normals, for the search uphill: down to where nothing falls any more, or to the bottom
// of a level valley.
class CavityHill {
 public:
  using Place = Now;

  CavityHill(const CavityPair& pair, bool stays_in_valley)
      : pair_(pair), scale_(pair.scale()), stays_in_valley_(stays_in_valley) {}

  Place at(const Vec3& m) const {
    Now now = evaluate(pair_, m);
    if (!stays_in_valley_ || !is_in_valley(now.place, scale_)) return now;
    // Of the slope only what is across the valley counts.
    const Vec3 across = now.hessian.axis.x() * now.u + now.hessian.axis.y() * now.v;
    now.residual = across * across.dot(now.residual);
    return now;
  }
  static const Vec3& normal(const Place& now) { return now.place.normal; }
  static double value(const Place& now) { return -now.place.clearance; }
  static const Vec3& residual(const Place& now) { return now.residual; }
  Vec3 step(const Place& now) const { return newton_step(now, scale_); }
  std::optional<Vec3> beside(const Place& now, const Vec3& step) const {
    const bool on_wall = now.wall_radii.squaredNorm() >= now.inside_radii.squaredNorm();
    return normal_by_place(on_wall ? pair_.cavity : pair_.inside,
                           on_wall ? now.wall_radii : now.inside_radii, now.place.normal, step,
                           scale_);
  }
  double scale() const { return scale_; }

 private:
  const CavityPair& pair_;
  double scale_;
  bool stays_in_valley_;
};

CavityPlace gone_down(const CavityPair& pair, const Vec3& start, bool stays_in_valley) {
  const CavityHill hill(pair, stays_in_valley);
  return NormalSearch(hill).uphill(hill.at(start)).place;
}

}  // namespace

double CavityPair::scale() const {
  return (cavity.position - inside.position).norm() + inside.atom->centre().norm() +
         cavity.atom->outer_radius() + inside.atom->outer_radius();
}

CavityPlace descend(const CavityPair& pair, const Vec3& start) {
  return gone_down(pair, start, false);
}

CavityPlace come_down(const CavityPair& pair, const Vec3& start) {
  return gone_down(pair, start, true);
}

std::vector<CavityPlace> cavity_minima(const CavityPair& pair) {
  static const std::vector<Vec3> around = directions_around();
  const double scale = pair.scale();
  std::vector<CavityPlace> found;
  int looks = 0;
  const auto look_from = [&](const Vec3& start) {
    CavityPlace place = come_down(pair, start);
    if (is_in_valley(place, scale)) place.in_valley = looks;
    ++looks;
    if (place.stiffness < -flat * scale) return;  // a saddle
    for (const CavityPlace& known : found) {
      const double between = (known.normal - place.normal).norm();
      if (between < same_normal) return;
      if (known.in_valley >= 0 && place.in_valley >= 0) {
        if (between < apart_in_valley) return;
        continue;
      }
      const bool both_flat = std::min(known.stiffness, place.stiffness) < flat * scale;
      if (both_flat && std::abs(known.clearance - place.clearance) < flat * scale) return;
    }
    found.push_back(place);
  };
  const Vec3 centre = pair.cavity.rotation.transpose() *
                      (pair.inside.position + pair.inside.rotation * pair.inside.atom->centre() -
                       pair.cavity.position);
  look_from(pair.cavity.rotation * towards_nearest_wall(*pair.cavity.atom, centre));
  for (const Vec3& direction : around) look_from(pair.cavity.rotation * direction);
  std::stable_sort(found.begin(), found.end(), [](const CavityPlace& x, const CavityPlace& y) {
    return x.clearance < y.clearance;
  });
  return found;
}

Vec3 towards_nearest_wall(const SupportAtom& cavity, const Vec3& point) {
  if (cavity.is_ellipsoid()) {
    const Vec3& a = cavity.half_axes();
    if (a.minCoeff() == a.maxCoeff())
      return point.isZero(0) ? Vec3(Vec3::UnitZ()) : Vec3(point.stableNormalized());
    return towards_nearest_wall_of_ellipsoid(a, point);
  }
  CavityPair pair;
  pair.cavity.atom = &cavity;
  pair.inside.atom = &SupportAtom::origin();
  pair.inside.position = point;
  // From the copy of the wall through the point, and where that may have led to another minimum
  // from all around.
  CavityPlace best;
  best.clearance = std::numeric_limits<double>::infinity();
  if (!point.isZero(0)) best = descend(pair, cavity.normal_through(point));
  if (best.clearance < cavity.least_radius()) return best.normal;
  for (int corner = 1; corner < 8; ++corner) {
    Vec3 start = Vec3::Zero();
    for (int i = 0; i < 3; ++i)
      if ((corner >> i & 1) != 0) start[i] = std::copysign(1.0, point[i]);
    const CavityPlace place = descend(pair, start.normalized());
    if (place.clearance < best.clearance) best = place;
  }
  return best.normal;
}

double depth_in(const SupportAtom& cavity, const Vec3& point) {
  const Vec3 m = towards_nearest_wall(cavity, point);
  return cavity.height(m) - m.dot(point);
}

}  // namespace abut::geometry
