#include "toi/watched_heights.h"

#include <cmath>
#include <optional>

namespace abut::toi {
namespace {

using motion::Kinematics;

// Half a chord of a disc that is shorter than this times its radius is short, and a disc whose axis
// has a larger sine with the normal is far from parallel to the plane (dimensionless).
constexpr double short_chord = 0.05;

// The place of a rim that is highest along n, in the motion frame of its body.
Vec3 highest_of(const CarriedRim& rim, const Quat& orientation, const Vec3& n) {
  Vec3 out = orientation.conjugate() * n;
  out -= rim.axis * rim.axis.dot(out);
  // Of a rim that is all at one height any place is the highest.
  if (!(out.norm() > 0)) out = rim.axis.unitOrthogonal();
  return rim.centre + rim.radius * out.normalized();
}

// Where a line that touches a rim leaves the disc again: the other end of the chord, which comes
// down when the line becomes parallel to the disc. In the motion frame of the rim's body. Where the
// chord is so short that its ends are one place, and the disc far from parallel, that tells
// nothing, and there is none.
std::optional<Vec3> far_end_of(const CarriedRim& rim, const Vec3& touching, const Vec3& line,
                               const Vec3& n) {
  const Vec3 along = (line - rim.axis * rim.axis.dot(line)).normalized();
  const double half = along.dot(touching - rim.centre);
  if (std::abs(half) < short_chord * rim.radius && rim.axis.cross(n).norm() > short_chord)
    return std::nullopt;
  return touching - 2 * half * along;
}

// Points x of A and y of B are each watched from the other's touching point. That does not yet keep
// them apart, since these points may part:
//     n.(x - y) = n.(x - q_b) + n.(q_a - y) - n.(q_a - q_b).
std::vector<Height> pair_heights(const HeldPlane& plane, const PlaneInstant& now,
                                 const std::array<std::vector<Height>, 2>& of_sides) {
  const Vec3 rate = velocity_at(now.a, now.qa) - velocity_at(now.b, now.qb);
  const Height between{now.n.dot(now.qa - now.qb) - plane.radii,
                       now.n.dot(rate) + now.turning.dot(now.qa - now.qb)};
  std::vector<Height> result;
  for (const Height& a : of_sides[0])
    for (const Height& b : of_sides[1])
      result.push_back({a.value + b.value - between.value, a.rate + b.rate - between.rate, 3});
  return result;
}

}  // namespace

std::vector<Height> heights(const HeldPlane& plane, const PlaneInstant& now) {
  std::array<std::vector<Height>, 2> of_sides;
  for (int side = 0; side < 2; ++side) {
    std::vector<Height>& result = of_sides[side];
    const Kinematics& own = side == 0 ? now.a : now.b;
    const Kinematics& other = side == 0 ? now.b : now.a;
    const Vec3& q = side == 0 ? now.qb : now.qa;
    const double sign = side == 0 ? 1 : -1;
    const auto add = [&](const Vec3& local, double flatness) {
      const Vec3 x = place_of(own, local);
      const Vec3 v = velocity_at(own, x) - velocity_at(other, q);
      result.push_back({sign * now.n.dot(x - q) - plane.radii - flatness,
                        sign * (now.n.dot(v) + now.turning.dot(x - q))});
    };
    for (const Vec3& local : plane.watched[side]) add(local, 0);
    for (const CarriedRim& rim : plane.rims[side]) {
      const Quat to_body = own.pose.orientation.conjugate();
      const Vec3 line = to_body * (other.pose.orientation * plane.directions[1 - side]);
      std::optional<Vec3> far_end;
      if (plane.rims_cross_line)
        far_end = far_end_of(rim, plane.touching[side], line, to_body * now.n);
      add(far_end ? *far_end : highest_of(rim, own.pose.orientation, sign * now.n), rim.flatness);
    }
  }
  std::vector<Height> all = pair_heights(plane, now, of_sides);
  for (const std::vector<Height>& some : of_sides) all.insert(all.end(), some.begin(), some.end());
  return all;
}

CurvedHeight::CurvedHeight(const HeldPlane& plane, const PlaneInstant& now, int side)
    : surface_(&plane.surfaces[side]) {
  const Kinematics& own = side == 0 ? now.a : now.b;
  const Kinematics& other = side == 0 ? now.b : now.a;
  const Vec3& q = side == 0 ? now.qb : now.qa;
  const double sign = side == 0 ? 1 : -1;
  const Vec3 n = sign * now.n, turning = sign * now.turning;
  const Vec3 centre = own.pose.position - q;
  value_ = n.dot(centre) - plane.radii;
  rate_ = n.dot(own.velocity - velocity_at(other, q)) + turning.dot(centre);
  // n . (omega x r) = r . (n x omega)
  const Quat to_body = own.pose.orientation.conjugate();
  to_value_ = to_body * n;
  to_rate_ = to_body * Vec3(n.cross(own.angular_velocity) + turning);
}

std::vector<CurvedHeight> curved_heights(const HeldPlane& plane, const PlaneInstant& now) {
  std::vector<CurvedHeight> result;
  for (int side = 0; side < 2; ++side)
    if (plane.surfaces[side]) result.emplace_back(plane, now, side);
  return result;
}

}  // namespace abut::toi
