#include "contact/smooth_gap.h"

#include <Eigen/LU>
#include <cmath>

#include "contact/refined_place.h"
#include "contact/smooth_place.h"

namespace abut::contact {
namespace {

using body::RigidMotion;

// Relative radii of curvature are kept above this multiple of the arms' length (dimensionless):
// where corner meets corner the normal is not determined, and turns with the bodies.
constexpr double least_radius = 1e-13;

double away_from_zero(double x, double floor) {
  return std::abs(x) < floor ? std::copysign(floor, x) : x;
}

// Of a ring or rim, where its circle is at `at`.
Mat3 ring_radii(const SmoothSide& side, const RigidMotion& body, const Vec3& outward,
                const Vec3& at) {
  const geometry::PlacedCircle circle = circle_of(side, body);
  const double angle = circle.angle_of(at);
  const Vec3 along = circle.tangent(angle);
  const double cosine = outward.dot(circle.outward(angle));
  const double inverse = 1 / away_from_zero(cosine, geometry::least_rim_sine);
  return side.rounding * Mat3::Identity() + circle.radius * inverse * along * along.transpose();
}

// Radii of curvature of one side, its rounding included; zero of flat directions. `at` is its
// place, for a ring that on its circle.
Mat3 radii_of(const SmoothSide& side, const RigidMotion& body, const Vec3& outward,
              const Vec3& at) {
  const Mat3 across = Mat3::Identity() - outward * outward.transpose();
  // A rim that something passes over on its way to the flat end goes on as a circle.
  if (side.kind == SmoothSideKind::ring || is_rim(side))
    return across * ring_radii(side, body, outward, at) * across;
  if (side.kind == SmoothSideKind::surface)
    return across * placed(side, body).patch(outward).radii * across;
  if (side.kind == SmoothSideKind::bowl)
    return -(across * placed(side, body).patch(-outward).radii * across);
  if (side.level == 0) return side.rounding * across;
  const double from_apex =
      (at - body.pose.position - body.pose.orientation * side.feature.point).norm();
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

// The contact while its derivatives are worked out. A normal on a surface that is all but flat
// turns with it, n' = omega x n + d, with a small d that the large radii multiply: what is solved
// for is d on the side with the larger radii,
//     (W_a + W_b + chi) d = P (v_a - v_b) + W_other (omega_other x n - omega x n) - chi omega x n.
struct Rates {
  Vec3 n, u, turn_a, turn_b;  // P (v_a - v_b), omega x n
  Mat3 w_a, w_b;
  double gap;
  bool on_a = true;  // the larger radii are those of a

  const Vec3& turn() const { return on_a ? turn_a : turn_b; }

  // d in the plane across n, or along `first` alone where a line fixes the rest.
  Vec3 solved(const Vec3& first, const Vec3& second, const Vec3& known, double floor) const {
    const Mat3 radii = w_a + w_b + gap * Mat3::Identity();
    const Vec3 other = on_a ? Vec3(w_b * (turn_b - turn_a)) : Vec3(w_a * (turn_a - turn_b));
    const Vec3 right = u + other - gap * turn() - radii * known;
    if (second.isZero())
      return known + first * (first.dot(right) / away_from_zero(first.dot(radii * first), floor));
    const double p = first.dot(radii * first), q = first.dot(radii * second),
                 s = second.dot(radii * second);
    const double x = first.dot(right), y = second.dot(right);
    // Of the eigenvalues only one that is all but zero is moved away from it: anything added to the
    // others would be an error of that size.
    const double mean = 0.5 * (p + s), half = std::hypot(0.5 * (p - s), q);
    const double large = std::abs(mean) + half;
    const double determinant = p * s - q * q;
    if (large >= floor && std::abs(determinant) >= floor * large)
      return known + ((s * x - q * y) * first + (p * y - q * x) * second) / determinant;
    Eigen::Matrix2d m;
    m << p, q, q, s;
    m.diagonal().array() += floor;
    const Eigen::Vector2d rate = m.inverse() * Eigen::Vector2d(x, y);
    return known + rate.x() * first + rate.y() * second;
  }
};

// d of the sides' normal.
Vec3 normal_rate(const SmoothPair& pair, const Rates& r, const RigidMotion& a, const RigidMotion& b,
                 double floor) {
  if (is_line(pair.sides[0]) && is_line(pair.sides[1])) {
    // n' . g = (omega x n) . g for the line of each side: n' = alpha (g_b x n) - beta (g_a x n).
    const Vec3 ga = line_at(pair.sides[0], a, r.n), gb = line_at(pair.sides[1], b, r.n);
    const double area = gb.cross(r.n).dot(ga);
    if (area == 0) return r.turn_b - r.turn();
    return (r.turn_a.dot(ga) * gb.cross(r.n) - r.turn_b.dot(gb) * ga.cross(r.n)) / area - r.turn();
  }
  for (const int side : {1, 0}) {
    Vec3 rest = (side == 0 ? r.turn_a : r.turn_b) - r.turn();
    if (pair.sides[side].kind == SmoothSideKind::plane) return rest;
    if (!is_line(pair.sides[side])) continue;
    const Vec3 g = line_at(pair.sides[side], side == 0 ? a : b, r.n);
    return r.solved(r.n.cross(g), Vec3::Zero(), g * g.dot(rest), floor);
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
  RigidMotion near_a = a, near_b = b;
  near_a.pose.position -= b.pose.position;
  near_b.pose.position.setZero();
  // Near b, so that bodies far from the origin lose nothing.
  SmoothPlace found = smooth_place(pair, near_a, near_b);
  const std::optional<RefinedPlace> refined = refined_place(pair, found.extremum, near_a, near_b);
  geometry::Extremum& core = found.extremum;
  if (refined) core = refined->extremum;
  const Vec3 n = core.normal;
  const double rounding = pair.sides[0].rounding + pair.sides[1].rounding;
  const double gap = core.gap - rounding;
  Rates r;
  core.a += b.pose.position;
  core.b += b.pose.position;
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

  const auto place = [&](int side, const Vec3& core_point, const Vec3& surface_point) {
    const bool is_ring = pair.sides[side].kind == SmoothSideKind::ring;
    return Vec3((is_ring ? core_point : surface_point) - b.pose.position);
  };
  const Mat3 across = Mat3::Identity() - n * n.transpose();
  const bool curved_a = refined && pair.sides[0].kind == SmoothSideKind::surface;
  const bool curved_b = refined && pair.sides[1].kind == SmoothSideKind::surface;
  r.w_a = curved_a ? Mat3(across * refined->radii_a * across)
                   : radii_of(pair.sides[0], near_a, -n, place(0, core.a, x));
  r.w_b = curved_b ? Mat3(across * refined->radii_b * across)
                   : radii_of(pair.sides[1], near_b, n, place(1, core.b, y));
  r.on_a = r.w_a.squaredNorm() >= r.w_b.squaredNorm();
  // The same on a surface that is flatter than the other side: where it is all but flat, rounding
  // of the normal moves its own place by far more.
  if (r.on_a && pair.sides[0].kind == SmoothSideKind::surface)
    x = y + gap * n;
  else if (!r.on_a && pair.sides[1].kind == SmoothSideKind::surface)
    y = x - gap * n;

  const Vec3 arm_a = x - a.pose.position, arm_b = y - b.pose.position;
  const Vec3 velocity =
      a.velocity + a.angular_velocity.cross(arm_a) - b.velocity - b.angular_velocity.cross(arm_b);
  r.n = n;
  r.gap = gap;
  r.u = velocity - n * n.dot(velocity);
  r.turn_a = a.angular_velocity.cross(n);
  r.turn_b = b.angular_velocity.cross(n);
  const double floor = least_radius * (arm_a.norm() + arm_b.norm());
  const Vec3 rest = normal_rate(pair, r, a, b, floor);
  const Vec3 rate = r.turn() + rest;
  Vec3 xi = r.w_a * (r.turn_a - r.turn() - rest), eta = r.w_b * (r.turn() - r.turn_b + rest);
  if (lines_cross) {
    const Along run(ga, gb, n, gap * rate - r.u - xi + eta);
    xi += run.alpha * ga;
    eta += run.beta * gb;
  } else if (is_flat(pair.sides[1]))
    eta = r.u + xi - gap * rate;
  else if (is_flat(pair.sides[0]))
    xi = gap * rate - r.u + eta;

  ContactNow now;
  now.firmness = found.firmness;
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
