#include "contact/smooth_gap.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/cavity.h"
#include "geometry/circle_minima.h"
#include "geometry/rim_distance.h"
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

// A contact that lasts has a gap below this times the reach of the coordinates (dimensionless):
// other local minima are told from it by theirs.
constexpr double plausible_gap = 1e-6;

// Both ends of a chord count as touching if they are so near, times the reach of the coordinates
// (dimensionless): far more than contacts stray.
constexpr double chord_slack = 1e-7;

// The place of a ring's contact is lost where its whole circle varies in distance by less than this
// part of the touching distance (dimensionless): less than 1, so that the circle is found then.
constexpr double lost_circle = 0.8;

// A rim's nearest place on a smooth surface is told from others if these are farther than this part
// of its radius (dimensionless).
constexpr double narrowest_minimum = 0.1;

PlacedAtom placed(const SmoothSide& side, const RigidMotion& body) {
  const Mat3 rotation = body.pose.orientation.toRotationMatrix();
  if (side.surface)
    return {&side.surface.surface->atoms()[side.atom], rotation * side.surface.rotation,
            rotation * side.surface.position + body.pose.position};
  return {&geometry::SupportAtom::origin(), rotation,
          rotation * side.feature.point + body.pose.position};
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

// Of the two ends of a chord, the one this contact is about: the one that touches, and while both
// do, the one that lies farther along `outward`. Which is nearer changes when the line passes
// through the plane of the disc, and is no matter of a contact at one end.
geometry::Extremum place_on_chord(const SmoothPair& pair, const geometry::AtomPair& atoms,
                                  const std::vector<geometry::Extremum>& places,
                                  const Vec3& outward) {
  const double rounding = pair.sides[0].rounding + pair.sides[1].rounding;
  const double closed = chord_slack * atoms.scale();
  const auto off = [&](const geometry::Extremum& e) { return std::abs(e.gap - rounding); };
  return *std::min_element(places.begin(), places.end(),
                           [&](const geometry::Extremum& x, const geometry::Extremum& y) {
                             if (outward.isZero(0) || std::max(off(x), off(y)) > closed)
                               return off(x) < off(y);
                             return outward.dot(x.a) > outward.dot(y.a);
                           });
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
    const Vec3 line = direction(other, side == 0 ? b : a);
    const std::vector<geometry::Extremum> places = rim_on_line(atoms, side, line, start);
    if (!places.empty()) return place_on_chord(pair, atoms, places, pair.chord_end * line);
  }
  if (is_line(pair.sides[1])) return extremal_normal_on(atoms, normals(pair, 1, b), start);
  if (is_line(pair.sides[0])) return extremal_normal_on(atoms, normals(pair, 0, a), start);
  return extremal_normal(atoms, start);
}

// The wall is on side `bowl`. The place is found from `start` alone if that leads to a gap that a
// contact can have; otherwise from all around.
geometry::Extremum extremum_in_bowl(const SmoothPair& pair, const geometry::AtomPair& atoms,
                                    int bowl, const RigidMotion& b, const Vec3& start) {
  const geometry::CavityPair cavity{bowl == 0 ? atoms.a : atoms.b, bowl == 0 ? atoms.b : atoms.a};
  const double rounding = pair.sides[1 - bowl].rounding;
  const double plausible = plausible_gap * cavity.scale();
  geometry::CavityPlace place = descend(cavity, bowl == 0 ? start : Vec3(-start));
  if (std::abs(place.clearance - rounding) > plausible) {
    const Vec3 apart = b.pose.orientation * pair.apart;
    double farthest = -std::numeric_limits<double>::infinity();
    for (const geometry::CavityPlace& one : cavity_minima(cavity)) {
      const bool closed = one.clearance - rounding <= plausible;
      // The nearest one comes first.
      if (std::isfinite(farthest) && !(closed && apart.dot(one.wall) > farthest)) continue;
      place = one;
      farthest = apart.dot(one.wall);
    }
  }
  geometry::Extremum found;
  found.normal = bowl == 0 ? place.normal : Vec3(-place.normal);
  found.gap = place.clearance;
  found.a = bowl == 0 ? place.wall : place.inside;
  found.b = bowl == 0 ? place.inside : place.wall;
  return found;
}

struct Found {
  geometry::Extremum extremum;
  double firmness = std::numeric_limits<double>::infinity();
};

geometry::PlacedCircle circle_of(const SmoothSide& side, const RigidMotion& body) {
  const Mat3 rotation = body.pose.orientation.toRotationMatrix();
  return {rotation * side.surface.position + body.pose.position, rotation * side.surface.rotation,
          side.circle};
}

// How far a point is from what the other side is made of.
geometry::DistanceFromPoint distance_from(const SmoothSide& side, const RigidMotion& body) {
  const Vec3 at = body.pose.position + body.pose.orientation * side.feature.point;
  const Vec3 along = direction(side, body);
  switch (side.kind) {
    case SmoothSideKind::plane:
      return [=](const Vec3& p) { return geometry::from_plane(p, at, along); };
    case SmoothSideKind::line:
      if (side.level != 0)
        return [=, level = side.level](const Vec3& p) {
          return geometry::from_lines(p, at, along, level);
        };
      return [=](const Vec3& p) {
        return geometry::from_segment(p, at, along, std::numeric_limits<double>::infinity());
      };
    case SmoothSideKind::ring:
      return [circle = circle_of(side, body)](const Vec3& p) {
        return geometry::from_circle(p, circle);
      };
    case SmoothSideKind::surface:
      if (is_rim(side)) {
        const PlacedAtom rim = placed(side, body);
        const geometry::PlacedCircle circle{rim.rotation * rim.atom->centre() + rim.position,
                                            rim.rotation, rim.atom->outer_radius()};
        return [circle](const Vec3& p) { return geometry::from_circle(p, circle); };
      }
      return [atom = placed(side, body)](const Vec3& p) -> geometry::DistanceOfSet {
        const Vec3 between = p - atom.position;
        const Vec3 start = between.isZero() ? Vec3(Vec3::UnitZ()) : Vec3(between.normalized());
        const geometry::Extremum found = geometry::extremal_normal(
            {{&geometry::SupportAtom::origin(), Mat3::Identity(), p}, atom}, start);
        return {found.gap, found.normal, found.b};
      };
    case SmoothSideKind::bowl:
      return [atom = placed(side, body)](const Vec3& p) -> geometry::DistanceOfSet {
        const Vec3 local = atom.rotation.transpose() * (p - atom.position);
        const Vec3 m = geometry::towards_nearest_wall(*atom.atom, local);
        const double depth = atom.atom->height(m) - m.dot(local);
        const Vec3 normal = -(atom.rotation * m);
        return {depth, normal, p - depth * normal};
      };
    case SmoothSideKind::point:
      break;
  }
  return [=](const Vec3& p) { return geometry::from_point(p, at); };
}

// Of all places where the circle comes nearest, the one this contact is about: downhill from where
// it was found, if that leads to a gap that a contact can have, and looked for all around
// otherwise, or where several places touch at once. Where the whole circle is about to be as near,
// the contact loses its place: the distance varies from side to side by about twice its second
// derivative, and the event is located half a slack below zero.
Found extremum_of_ring(const SmoothPair& pair, int ring, const RigidMotion& a,
                       const RigidMotion& b) {
  const SmoothSide &own = pair.sides[ring], &other = pair.sides[1 - ring];
  const geometry::PlacedCircle circle = circle_of(own, ring == 0 ? a : b);
  const geometry::DistanceFromPoint distance = distance_from(other, ring == 0 ? b : a);
  const double rounding = own.rounding + other.rounding;
  const double plausible = rounding + plausible_gap * (circle.radius + rounding);
  // Minima of a circle without a tube, a rim, are as wide as the other surface makes them.
  double width = rounding;
  if (rounding == 0 && other.surface)
    width = std::max(other.surface.surface->atoms()[other.atom].least_radius(),
                     narrowest_minimum * circle.radius);
  const auto off = [&](const geometry::CirclePlace& place) {
    return std::abs(place.distance() - rounding);
  };
  std::vector<geometry::CirclePlace> places;
  if (pair.apart.isZero(0)) {
    const RigidMotion& body = ring == 0 ? a : b;
    const Vec3 first = body.pose.position + body.pose.orientation * pair.places[ring];
    places = {minimum_downhill(circle, distance, circle.angle_of(first))};
  }
  if (places.empty() || !(off(places.front()) <= plausible - rounding))
    places = circle_minima(circle, distance, plausible, width);
  if (places.empty()) places = {nearest_on_circle(circle, distance, width, 0)};
  // An edge goes on beyond its ends here, where the circle may come nearer to it or pass it: the
  // place that is meant is the one whose gap is that of a contact.
  const Vec3 apart = b.pose.orientation * pair.apart;
  const auto comes_first = [&](const geometry::CirclePlace& x, const geometry::CirclePlace& y) {
    const bool both_closed = std::max(off(x), off(y)) <= plausible - rounding;
    if (pair.apart.isZero(0) || !both_closed) return off(x) < off(y);
    return apart.dot(x.on_circle) > apart.dot(y.on_circle);
  };
  const geometry::CirclePlace& place = *std::min_element(places.begin(), places.end(), comes_first);
  Found found;
  geometry::Extremum& e = found.extremum;
  e.normal = ring == 0 ? place.other.normal : Vec3(-place.other.normal);
  e.gap = place.distance();
  e.a = ring == 0 ? place.on_circle : place.other.nearest;
  e.b = ring == 0 ? place.other.nearest : place.on_circle;
  found.firmness = 2 * place.stiffness - (lost_circle + 0.5 * support_slack) * pair.tolerance;
  return found;
}

// Near b, so that bodies far from the origin lose nothing.
Found extremum(const SmoothPair& pair, const RigidMotion& near_a, const RigidMotion& near_b) {
  const geometry::AtomPair atoms{placed(pair.sides[0], near_a), placed(pair.sides[1], near_b)};
  const Vec3 start = near_b.pose.orientation * pair.start;
  for (const int side : {0, 1})
    if (pair.sides[side].kind == SmoothSideKind::ring)
      return extremum_of_ring(pair, side, near_a, near_b);
  for (const int side : {0, 1})
    if (pair.sides[side].kind == SmoothSideKind::bowl)
      return {extremum_in_bowl(pair, atoms, side, near_b, start)};
  geometry::Extremum found = extremum_from(pair, atoms, near_a, near_b, start);
  // A contact that has gone round to the other side of a body since its start may find a normal
  // along which the bodies overlap: then the line between them is a better start.
  const double rounding = pair.sides[0].rounding + pair.sides[1].rounding;
  if (found.gap - rounding < -deepest_plausible * atoms.scale()) {
    const Vec3 between = atoms.a.position - atoms.b.position;
    const bool one_line = is_line(pair.sides[0]) != is_line(pair.sides[1]);
    const Vec3 again =
        one_line || between.isZero() ? Vec3(Vec3::Zero()) : Vec3(between.normalized());
    const geometry::Extremum other =
        extremum_from(pair, atoms, near_a, near_b, one_line || !again.isZero() ? again : start);
    if (other.gap > found.gap) found = other;
  }
  return {found};
}

// Of a ring, where its circle is at `at`.
Mat3 ring_radii(const SmoothSide& side, const RigidMotion& body, const Vec3& outward,
                const Vec3& at) {
  const geometry::PlacedCircle circle = circle_of(side, body);
  const double angle = circle.angle_of(at);
  const Vec3 along = circle.tangent(angle);
  const double cosine = outward.dot(circle.outward(angle));
  const double least = 1 / geometry::largest_radius_factor;
  const double inverse = 1 / (std::abs(cosine) < least ? std::copysign(least, cosine) : cosine);
  return side.rounding * Mat3::Identity() + circle.radius * inverse * along * along.transpose();
}

// Radii of curvature of one side, its rounding included; zero of flat directions. `at` is its
// place, for a ring that on its circle.
Mat3 radii_of(const SmoothSide& side, const RigidMotion& body, const Vec3& outward,
              const Vec3& at) {
  const Mat3 across = Mat3::Identity() - outward * outward.transpose();
  if (side.kind == SmoothSideKind::surface)
    return across * placed(side, body).patch(outward).radii * across;
  if (side.kind == SmoothSideKind::bowl)
    return -(across * placed(side, body).patch(-outward).radii * across);
  if (side.kind == SmoothSideKind::ring)
    return across * ring_radii(side, body, outward, at) * across;
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

double away_from_zero(double x, double floor) {
  return std::abs(x) < floor ? std::copysign(floor, x) : x;
}

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
      return known + first * (first.dot(right) / away_from_zero(first.dot(radii * first), floor));
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
  RigidMotion near_a = a, near_b = b;
  near_a.pose.position -= b.pose.position;
  near_b.pose.position.setZero();
  Found found = extremum(pair, near_a, near_b);
  geometry::Extremum& core = found.extremum;
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

  const Vec3 arm_a = x - a.pose.position, arm_b = y - b.pose.position;
  const Vec3 velocity =
      a.velocity + a.angular_velocity.cross(arm_a) - b.velocity - b.angular_velocity.cross(arm_b);
  r.n = n;
  r.gap = gap;
  r.u = velocity - n * n.dot(velocity);
  r.turn_a = a.angular_velocity.cross(n);
  r.turn_b = b.angular_velocity.cross(n);
  const auto place = [&](int side, const Vec3& core_point, const Vec3& surface_point) {
    const bool is_ring = pair.sides[side].kind == SmoothSideKind::ring;
    return Vec3((is_ring ? core_point : surface_point) - b.pose.position);
  };
  r.w_a = radii_of(pair.sides[0], near_a, -n, place(0, core.a, x));
  r.w_b = radii_of(pair.sides[1], near_b, n, place(1, core.b, y));
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
