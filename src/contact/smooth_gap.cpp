#include "contact/smooth_gap.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "geometry/rim_line.h"

namespace abut::contact {
namespace {

using body::RigidMotion;
using geometry::PlacedAtom;

// Relative radii of curvature are kept above this multiple of the arms' length (dimensionless):
// where corner meets corner the normal is not determined, and turns with the bodies.
constexpr double least_radius = 1e-13;

// Contacts never overlap by more than this times the reach of the coordinates (dimensionless):
// what seems to is another stationary normal.
constexpr double deepest_plausible = 1e-6;

const geometry::SupportAtom& origin() {
  static const geometry::SupportAtom point = geometry::SupportAtom::at_point(Vec3::Zero());
  return point;
}

PlacedAtom placed(const SmoothSide& side, const RigidMotion& body) {
  const Mat3 rotation = body.pose.orientation.toRotationMatrix();
  if (side.kind == SmoothSideKind::surface)
    return {&side.surface.surface->atoms()[side.atom], rotation * side.surface.rotation,
            rotation * side.surface.position + body.pose.position};
  return {&origin(), rotation, rotation * side.feature.point + body.pose.position};
}

Vec3 direction(const SmoothSide& side, const RigidMotion& body) {
  return body.pose.orientation * side.feature.direction;
}

// The normals n from b to a that a line allows: the outward normal of a is -n.
geometry::NormalCircle normals(const SmoothPair& pair, int side, const RigidMotion& body) {
  return {direction(pair.sides[side], body), (side == 0 ? -1 : 1) * pair.sides[side].level};
}

bool is_line(const SmoothSide& side) {
  return side.kind == SmoothSideKind::line;
}

// Of two normals that lines which cross may have, the one nearer to `start`. Parallel lines have
// none of their own.
geometry::Extremum crossing_from(const SmoothPair& pair, const geometry::AtomPair& atoms,
                                 const RigidMotion& a, const RigidMotion& b, const Vec3& start) {
  std::array<Vec3, 2> found;
  if (crossings(normals(pair, 0, a), normals(pair, 1, b), found) == 0)
    return extremal_normal_on(atoms, normals(pair, 1, b), start);
  return extremum_at(atoms, found[0].dot(start) >= found[1].dot(start) ? found[0] : found[1]);
}

bool is_rim(const SmoothSide& side) {
  return side.kind == SmoothSideKind::surface &&
         side.surface.surface->atoms()[side.atom].is_circle();
}

geometry::Extremum extremum_from(const SmoothPair& pair, const geometry::AtomPair& atoms,
                                 const RigidMotion& a, const RigidMotion& b, const Vec3& start) {
  if (is_line(pair.sides[0]) && is_line(pair.sides[1]))
    return crossing_from(pair, atoms, a, b, start);
  if (pair.sides[1].kind == SmoothSideKind::plane)
    return extremum_at(atoms, direction(pair.sides[1], b));
  if (pair.sides[0].kind == SmoothSideKind::plane)
    return extremum_at(atoms, -direction(pair.sides[0], a));
  for (const int side : {0, 1}) {
    const SmoothSide& other = pair.sides[1 - side];
    if (!is_rim(pair.sides[side]) || !is_line(other) || other.level != 0) continue;
    if (const auto found = rim_on_line(atoms, side, direction(other, side == 0 ? b : a), start))
      return *found;
  }
  if (is_line(pair.sides[1])) return extremal_normal_on(atoms, normals(pair, 1, b), start);
  if (is_line(pair.sides[0])) return extremal_normal_on(atoms, normals(pair, 0, a), start);
  return extremal_normal(atoms, start);
}

geometry::Extremum extremum(const SmoothPair& pair, const RigidMotion& a, const RigidMotion& b) {
  // Relative to b, so that bodies far from the origin lose nothing.
  RigidMotion near_a = a, near_b = b;
  near_a.pose.position -= b.pose.position;
  near_b.pose.position.setZero();
  const geometry::AtomPair atoms{placed(pair.sides[0], near_a), placed(pair.sides[1], near_b)};
  const Vec3 start = b.pose.orientation * pair.start;
  geometry::Extremum found = extremum_from(pair, atoms, a, b, start);
  // A contact that has gone round to the other side of a body since its start may find a normal
  // along which the bodies overlap: then the line between them is a better start.
  const double rounding = pair.sides[0].rounding + pair.sides[1].rounding;
  if (found.gap - rounding < -deepest_plausible * atoms.scale()) {
    const Vec3 between = atoms.a.position - atoms.b.position;
    const bool one_line = is_line(pair.sides[0]) != is_line(pair.sides[1]);
    const Vec3 again =
        one_line || between.isZero() ? Vec3(Vec3::Zero()) : Vec3(between.normalized());
    const geometry::Extremum other =
        extremum_from(pair, atoms, a, b, one_line || !again.isZero() ? again : start);
    if (other.gap > found.gap) found = other;
  }
  found.a += b.pose.position;
  found.b += b.pose.position;
  return found;
}

// Radii of curvature of one side at its point x, its rounding included; zero of flat directions.
Mat3 radii_of(const SmoothSide& side, const RigidMotion& body, const Vec3& outward, const Vec3& x) {
  const Mat3 across = Mat3::Identity() - outward * outward.transpose();
  if (side.kind == SmoothSideKind::surface)
    return across * placed(side, body).patch(outward).radii * across;
  if (side.level == 0) return side.rounding * across;
  const double from_apex =
      (x - body.pose.position - body.pose.orientation * side.feature.point).norm();
  const Vec3 turns = outward.cross(direction(side, body)).normalized();
  return from_apex * side.level / std::sqrt(1 - side.level * side.level) * turns *
         turns.transpose();
}

// The line on the surface of a side of lines, where its normal is n.
Vec3 line_at(const SmoothSide& side, const RigidMotion& body, const Vec3& n) {
  const Vec3 e = direction(side, body);
  return (e - n * n.dot(e)).normalized();
}

// alpha g - beta h = v for directions g, h across n; v too is across n.
struct Along {
  double alpha = 0, beta = 0;

  Along(const Vec3& g, const Vec3& h, const Vec3& n, const Vec3& v) {
    const double area = g.cross(h).dot(n);
    if (area == 0) return;
    alpha = v.cross(h).dot(n) / area;
    beta = v.cross(g).dot(n) / area;
  }
};

// The contact while its derivatives are worked out.
struct Rates {
  Vec3 n, u, turn_a, turn_b;  // P (v_a - v_b), omega x n
  Mat3 w_a, w_b;
  double gap;

  // n' in the plane across n, or along `free` alone where a line fixes the rest.
  Vec3 solved(const Vec3& first, const Vec3& second, const Vec3& known, double floor) const {
    const Mat3 radii = w_a + w_b + gap * Mat3::Identity();
    const Vec3 right = u + w_a * turn_a + w_b * turn_b - radii * known;
    if (second.isZero())
      return known + first * (first.dot(right) / std::max(first.dot(radii * first), floor));
    Eigen::Matrix2d m;
    m << first.dot(radii * first), first.dot(radii * second), second.dot(radii * first),
        second.dot(radii * second);
    m.diagonal().array() += floor;
    const Eigen::Vector2d f(first.dot(right), second.dot(right));
    const Eigen::Vector2d rate = m.inverse() * f;
    return known + rate.x() * first + rate.y() * second;
  }
};

Vec3 normal_rate(const SmoothPair& pair, const Rates& r, const RigidMotion& a, const RigidMotion& b,
                 double floor) {
  if (is_line(pair.sides[0]) && is_line(pair.sides[1])) {
    // n' . g = (omega x n) . g for the line of each side: n' = alpha (g_b x n) - beta (g_a x n).
    const Vec3 ga = line_at(pair.sides[0], a, r.n), gb = line_at(pair.sides[1], b, r.n);
    const double area = gb.cross(r.n).dot(ga);
    if (area == 0) return r.turn_b;
    return (r.turn_a.dot(ga) * gb.cross(r.n) - r.turn_b.dot(gb) * ga.cross(r.n)) / area;
  }
  for (const int side : {1, 0}) {
    const Vec3& turn = side == 0 ? r.turn_a : r.turn_b;
    if (pair.sides[side].kind == SmoothSideKind::plane) return turn;
    if (!is_line(pair.sides[side])) continue;
    const Vec3 g = line_at(pair.sides[side], side == 0 ? a : b, r.n);
    return r.solved(r.n.cross(g), Vec3::Zero(), g * g.dot(turn), floor);
  }
  const Vec3 first = r.n.unitOrthogonal();
  return r.solved(first, r.n.cross(first), Vec3::Zero(), floor);
}

bool is_flat(const SmoothSide& side) {
  return side.kind == SmoothSideKind::plane || side.kind == SmoothSideKind::line;
}

Vec3 centripetal(const RigidMotion& body, const Vec3& arm) {
  return body.angular_velocity.cross(body.angular_velocity.cross(arm));
}

}  // namespace

ContactNow evaluate_smooth(const SmoothPair& pair, const RigidMotion& a, const RigidMotion& b) {
  const geometry::Extremum core = extremum(pair, a, b);
  const Vec3& n = core.normal;
  const double rounding = pair.sides[0].rounding + pair.sides[1].rounding;
  const double gap = core.gap - rounding;
  // On a line or plane the place is opposite to that on the other side.
  Vec3 x = core.a - pair.sides[0].rounding * n, y = core.b + pair.sides[1].rounding * n;
  const bool lines_cross = is_line(pair.sides[0]) && is_line(pair.sides[1]);
  Vec3 ga, gb;
  if (lines_cross) {
    ga = line_at(pair.sides[0], a, n);
    gb = line_at(pair.sides[1], b, n);
    const Vec3 between = y - x;
    const Along run(ga, gb, n, between - n * n.dot(between));
    x += run.alpha * ga;
    y += run.beta * gb;
  } else if (is_flat(pair.sides[1]))
    y = x - gap * n;
  else if (is_flat(pair.sides[0]))
    x = y + gap * n;

  const Vec3 arm_a = x - a.pose.position, arm_b = y - b.pose.position;
  const Vec3 velocity =
      a.velocity + a.angular_velocity.cross(arm_a) - b.velocity - b.angular_velocity.cross(arm_b);
  Rates r;
  r.n = n;
  r.gap = gap;
  r.u = velocity - n * n.dot(velocity);
  r.turn_a = a.angular_velocity.cross(n);
  r.turn_b = b.angular_velocity.cross(n);
  r.w_a = radii_of(pair.sides[0], a, -n, x);
  r.w_b = radii_of(pair.sides[1], b, n, y);
  const double floor = least_radius * (arm_a.norm() + arm_b.norm());
  const Vec3 rate = normal_rate(pair, r, a, b, floor);
  Vec3 xi = r.w_a * (r.turn_a - rate), eta = r.w_b * (rate - r.turn_b);
  if (lines_cross) {
    const Along run(ga, gb, n, gap * rate - r.u - xi + eta);
    xi += run.alpha * ga;
    eta += run.beta * gb;
  } else if (is_flat(pair.sides[1]))
    eta = r.u + xi - gap * rate;
  else if (is_flat(pair.sides[0]))
    xi = gap * rate - r.u + eta;

  ContactNow now;
  now.normal = n;
  now.turning = rate;
  now.points = {x + pair.depth[0] * n, y - pair.depth[1] * n};
  now.drift = {a.velocity + a.angular_velocity.cross(arm_a) + xi + pair.depth[0] * rate,
               b.velocity + b.angular_velocity.cross(arm_b) + eta - pair.depth[1] * rate};
  now.row.sides[0] = {n, arm_a.cross(n)};
  now.row.sides[1] = {-n, -arm_b.cross(n)};
  now.row.value = gap;
  now.row.rate = n.dot(velocity);
  now.row.bias = rate.dot(velocity) + n.dot(centripetal(a, arm_a) - centripetal(b, arm_b)) +
                 n.dot(a.angular_velocity.cross(xi) - b.angular_velocity.cross(eta));
  return now;
}

}  // namespace abut::contact
