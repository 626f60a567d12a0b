#include "toi/line_gap.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "toi/close_watch.h"
#include "toi/longest_free.h"

namespace abut::toi {
namespace {

using motion::Kinematics;
using narrow::FeatureKind;

// Sine of the angle between lines under which they span no plane worth following (dimensionless).
constexpr double least_line_sine = 1e-3;

// Lines turn so little over an interval that the sine of their angle stays above this fraction of
// what it is.
constexpr double kept_sine = 0.5;

// A normal belongs to the side of a cylinder or cone if its component along the axis is that near
// to theirs (dimensionless), otherwise to a rim; near a flat end it has less than this across.
constexpr double side_band = 1e-2;

// Of a flat end, all but across `outward`, that another part's line runs along: the tangent of its
// rim where the line is nearer to leaving over it, or to coming down on it. The plane of the
// tangent and the line has all of the disc on one side.
std::optional<Vec3> tangent_of_flat_end(const GapSide& side, const Vec3& nearest,
                                        const Vec3& outward, const Vec3& line) {
  const CarriedSurface& carried = side.core->surface;
  if (!carried) return std::nullopt;
  const Mat3 turned = side.motion.orientation.toRotationMatrix() * carried.rotation;
  const Vec3 position = side.motion.position + side.motion.orientation * carried.position;
  for (const geometry::ConvexSurface::Disc& disc : carried.surface->discs()) {
    const Vec3 axis = turned * disc.normal;
    if (axis.dot(outward) < 0) continue;
    const geometry::SupportAtom& rim = carried.surface->atoms()[disc.atom];
    const auto across = [&](const Vec3& v) -> Vec3 { return v - axis * axis.dot(v); };
    const Vec3 from = across(nearest - position - turned * rim.centre());
    const Vec3 chord = across(line.dot(axis) > 0 ? Vec3(-line) : line).normalized();
    const Vec3 middle = from - chord * chord.dot(from);
    const double rest = rim.outer_radius() * rim.outer_radius() - middle.squaredNorm();
    if (!(rest > 0)) continue;
    return axis.cross(middle + std::sqrt(rest) * chord).normalized();
  }
  return std::nullopt;
}

// The line of a part near its nearest point, unit, in space; `outward` is its normal there.
std::optional<Vec3> line_of(const GapSide& side, const narrow::Feature& feature,
                            const Vec3& outward) {
  const Core& core = *side.core;
  const auto in_space = [&](const Vec3& in_motion) -> Vec3 {
    return side.motion.orientation * in_motion;
  };
  if (core.surface) {
    if (core.surface.surface->lines().empty()) return std::nullopt;
    const geometry::NormalCircle& circle = core.surface.surface->lines().front().normals;
    const Vec3 axis = in_space(core.surface.rotation * circle.axis);
    const double along = axis.dot(outward);
    const Vec3 tangent = axis.cross(outward);
    if (tangent.norm() < side_band) return std::nullopt;
    if (std::abs(along - circle.level) > side_band) return tangent.normalized();
    return (axis - along * outward).normalized();
  }
  if (core.points.size() == 2) return in_space(core.points[1] - core.points[0]).normalized();
  if (feature.kind != FeatureKind::edge || core.points.size() < 2) return std::nullopt;
  const geometry::ConvexPolyhedron& polyhedron = side.solid->core;
  const Vec3 edge = polyhedron.vertices()[polyhedron.edge_end(feature.index)] -
                    polyhedron.vertices()[polyhedron.edge_start(feature.index)];
  return in_space(side.frame.orientation.conjugate() * (side.solid->orientation * edge))
      .normalized();
}

Vec3 velocity_of(const Kinematics& k, const Vec3& x) {
  return k.velocity + k.angular_velocity.cross(x - k.pose.position);
}

// The smallest n.(x - q) of a part, to first order in time: n and q as they move.
class LowestHeight {
 public:
  LowestHeight(const Core& core, const Kinematics& own, const Vec3& n, const Vec3& turning,
               const Vec3& q, const Vec3& velocity_of_q)
      : core_(&core) {
    const Vec3 centre = own.pose.position - q;
    value_ = n.dot(centre) - core.radius;
    rate_ = n.dot(own.velocity - velocity_of_q) + turning.dot(centre);
    const Quat to_body = own.pose.orientation.conjugate();
    to_value_ = to_body * n;
    to_rate_ = to_body * Vec3(n.cross(own.angular_velocity) + turning);
  }
  double operator()(double s) const {
    const Vec3 m = to_value_ + s * to_rate_;
    double lowest = core_->surface ? core_->surface.lowest(m) : infinity;
    for (const Vec3& p : core_->points) lowest = std::min(lowest, m.dot(p));
    return value_ + s * rate_ + lowest;
  }

 private:
  const Core* core_;
  double value_ = 0, rate_ = 0;
  Vec3 to_value_ = Vec3::Zero(), to_rate_ = Vec3::Zero();
};

}  // namespace

FreeInterval free_between_lines(const std::array<GapSide, 2>& sides, const narrow::Separation& now,
                                const motion::BodyPath& a, const motion::BodyPath& b, double t,
                                double limit, double clearance) {
  const FreeInterval none{t, -infinity};
  auto ea = line_of(sides[0], now.feature_a, -now.normal);
  auto eb = line_of(sides[1], now.feature_b, now.normal);
  if (!ea && eb) ea = tangent_of_flat_end(sides[0], now.point_a, -now.normal, *eb);
  if (!eb && ea) eb = tangent_of_flat_end(sides[1], now.point_b, now.normal, *ea);
  if (!ea || !eb) return none;
  Vec3 cross = ea->cross(*eb);
  const double sine = cross.norm(), sign = cross.dot(now.normal) > 0 ? 1 : -1;
  if (!(sine > least_line_sine)) return none;
  const Kinematics ka = a.kinematics(t), kb = b.kinematics(t);
  const Vec3 n = sign / sine * cross;
  Vec3 turning =
      sign / sine *
      (ka.angular_velocity.cross(*ea).cross(*eb) + ea->cross(kb.angular_velocity.cross(*eb)));
  turning -= n * n.dot(turning);
  const Vec3 q = now.point_b;
  const Vec3 velocity_of_q = velocity_of(kb, q);
  const LowestHeight above(*sides[0].core, ka, n, turning, q, velocity_of_q);
  const LowestHeight below(*sides[1].core, kb, -n, -turning, q, velocity_of_q);
  const double ra = sides[0].core->reach, rb = sides[1].core->reach;
  const double arm = (q - kb.pose.position).norm();
  const double apart = (ka.pose.position - kb.pose.position).norm();
  const double rounding =
      coordinate_rounding * (ka.pose.position.norm() + kb.pose.position.norm() + ra + rb +
                             sides[0].core->radius + sides[1].core->radius);
  const auto curvature = [&](double h) {
    const motion::AccelerationBound aa = a.acceleration_bound(t, t + h);
    const motion::AccelerationBound ab = b.acceleration_bound(t, t + h);
    const motion::SpeedBound va = a.speed_bound(t, t + h), vb = b.speed_bound(t, t + h);
    const double spin = aa.spin + ab.spin, least = kept_sine * sine;
    if (h * spin > (1 - kept_sine) * sine) return infinity;
    const double first = spin / least;  // of n', and of n''
    const double second = (aa.angular + ab.angular + spin * spin) / least + 2 * first * first;
    const double speed = va.at_radius(ra) + vb.at_radius(arm);
    const double of_a = aa.at_radius(ra) + ab.at_radius(arm) + 2 * first * speed +
                        second * (apart + ra + arm + speed * h);
    const double of_b =
        (ab.angular + ab.spin * ab.spin + 2 * first * ab.spin + second) * (rb + arm);
    return of_a + of_b;
  };
  return concave::longest_free(t, limit, clearance, [&](double h) {
    const double bending = curvature(h);
    return [&above, &below, bending, rounding](double s) {
      return above(s) + below(s) - rounding - (s > 0 ? 0.5 * bending * s * s : 0.0);
    };
  });
}

}  // namespace abut::toi
