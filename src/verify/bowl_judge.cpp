#include "verify/bowl_judge.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "base/stop.h"
#include "verify/norm_of_two.h"
#include "verify/placement.h"
#include "verify/quadric_reach.h"

namespace abut::verify {
namespace {

// Triangles and arcs are cut down to this angle (rad): a square of it is less than rounding.
constexpr double least_angle = 1e-8;
// Pieces of a surface that are looked at in one judgement: what touches along a whole curve would
// need a hundred million of them, where there is no closed form.
constexpr long most_pieces = 20'000'000;
// Arcs of a ring to begin with.
constexpr int first_arcs = 8;

/// The wall, in its own frame.
class Wall {
 public:
  explicit Wall(const Solid& bowl) : bowl_(bowl) {
    radii_ = bowl.kind == SolidKind::bowl ? Vec3(Vec3::Constant(bowl.radius)) : bowl.radii;
  }
  /// A norm of the point less 1: convex, negative inside. Per metre it changes by at most
  /// steepness().
  double level(const Vec3& p) const {
    const Vec3 s = p.cwiseQuotient(radii_).cwiseAbs();
    if (is_quadric()) return s.norm() - 1;
    return norm_of_two(norm_of_two(s.x(), s.y(), 2 / bowl_.e2), s.z(), 2 / bowl_.e1) - 1;
  }
  /// No point within 1 / steepness of the origin is outside: the octahedron of the half axes.
  double steepness() const { return radii_.cwiseInverse().norm(); }
  /// Whether the norm is that of a quadric.
  bool is_quadric() const {
    return bowl_.kind == SolidKind::bowl || bowl_.curved == CurvedKind::ellipsoid;
  }
  bool is_round() const { return bowl_.kind == SolidKind::bowl; }
  const Vec3& radii() const { return radii_; }

 private:
  const Solid& bowl_;
  Vec3 radii_;
};

/// What is found out about all points that must be inside.
struct Findings {
  double tolerance = 0;     // levels below minus this are inside beyond doubt
  double highest = -1e300;  // of levels of points of the solid itself
  bool proven = true;       // all of it is inside beyond doubt
  long pieces = 0;          // that were looked at
  bool is_open() const { return pieces >= most_pieces; }
};

/// centre + axes * (unit ball).
struct Ball {
  Vec3 centre = Vec3::Zero();
  Mat3 axes = Mat3::Zero();
};

/// In a quadric: no more than the nearest point counts, and that is known in closed form.
void look_at_quadric(const Wall& wall, const Ball& ball, Findings& findings) {
  const Vec3 scale = wall.radii().cwiseInverse();
  const QuadricReach reach =
      quadric_reach(scale.cwiseProduct(ball.centre), scale.asDiagonal() * ball.axes);
  findings.highest = std::max(findings.highest, reach.found - 1);
  if (reach.most - 1 > -findings.tolerance) findings.proven = false;
}

using Triangle = std::array<Vec3, 3>;

std::vector<Triangle> octahedron() {
  std::vector<Triangle> faces;
  for (const double x : {-1.0, 1.0})
    for (const double y : {-1.0, 1.0})
      for (const double z : {-1.0, 1.0})
        faces.push_back({Vec3(x, 0, 0), Vec3(0, y, 0), Vec3(0, 0, z)});
  return faces;
}

void look_at(const Wall& wall, const Ball& ball, Findings& findings) {
  if (wall.is_quadric()) return look_at_quadric(wall, ball, findings);
  const double centre = wall.level(ball.centre);
  findings.highest = std::max(findings.highest, centre);
  if (centre > -findings.tolerance) findings.proven = false;
  if (ball.axes.isZero(0)) return;
  std::vector<Triangle> todo = octahedron();
  while (!todo.empty()) {
    base::stop_if_wished();
    const Triangle t = todo.back();
    todo.pop_back();
    const Vec3 normal = (t[1] - t[0]).cross(t[2] - t[0]).normalized();
    const double distance = std::abs(normal.dot(t[0]));
    double corner = -std::numeric_limits<double>::infinity();
    for (const Vec3& u : t) {
      findings.highest = std::max(findings.highest, wall.level(ball.centre + ball.axes * u));
      corner = std::max(corner, wall.level(ball.centre + ball.axes * (u / distance)));
    }
    if (corner <= -findings.tolerance) continue;
    if (++findings.pieces >= most_pieces) {
      findings.proven = false;
      return;
    }
    if (findings.highest > findings.tolerance || (t[1] - t[0]).norm() < least_angle) {
      findings.proven = false;
      if (findings.highest > findings.tolerance) return;
      continue;
    }
    const Vec3 a = (t[0] + t[1]).normalized(), b = (t[1] + t[2]).normalized(),
               c = (t[2] + t[0]).normalized();
    for (const Triangle& part :
         {Triangle{t[0], a, c}, Triangle{a, t[1], b}, Triangle{c, b, t[2]}, Triangle{a, b, c}})
      todo.push_back(part);
  }
}

/// A circle about z, rounded or not.
struct Circle {
  Vec3 centre = Vec3::Zero();
  double radius = 0, tube = 0;
};

/// The farthest point of a circle from the centre of a ball is known, and a tube around it reaches
/// as much farther; that of a bare circle from the wall of a quadric is that of its disc.
bool looked_at_circle(const Wall& wall, const Circle& circle, const Mat3& rotation,
                      const Vec3& position, Findings& findings) {
  if (!wall.is_quadric() || (circle.tube > 0 && !wall.is_round())) return false;
  const Vec3 scale = wall.radii().cwiseInverse();
  Mat3 axes = circle.radius * rotation;
  axes.col(2).setZero();
  const QuadricReach reach = quadric_reach(scale.cwiseProduct(position + rotation * circle.centre),
                                           scale.asDiagonal() * axes);
  const double tube = circle.tube * scale.x();
  findings.highest = std::max(findings.highest, reach.found + tube - 1);
  if (reach.most + tube - 1 > -findings.tolerance) findings.proven = false;
  return true;
}

void look_at_circle(const Wall& wall, const Circle& circle, const Mat3& rotation,
                    const Vec3& position, Findings& findings) {
  if (looked_at_circle(wall, circle, rotation, position, findings)) return;
  struct Arc {
    double from, to;
  };
  std::vector<Arc> todo;
  todo.reserve(first_arcs);
  for (int i = 0; i < first_arcs; ++i)
    todo.push_back({2 * M_PI * i / first_arcs, 2 * M_PI * (i + 1) / first_arcs});
  const auto at = [&](double angle, double stretch) -> Ball {
    const Vec3 out = stretch * circle.radius * Vec3(std::cos(angle), std::sin(angle), 0);
    return {position + rotation * (circle.centre + out), circle.tube * Mat3::Identity()};
  };
  while (!todo.empty() && findings.highest <= findings.tolerance) {
    base::stop_if_wished();
    const Arc arc = todo.back();
    todo.pop_back();
    const double middle = 0.5 * (arc.from + arc.to), half = 0.5 * (arc.to - arc.from);
    Findings around;
    around.tolerance = findings.tolerance;
    around.pieces = findings.pieces;
    for (const Ball& ball : {at(arc.from, 1), at(arc.to, 1), at(middle, 1 / std::cos(half))})
      if (around.proven) look_at(wall, ball, around);
    findings.pieces = around.pieces + 1;
    if (around.proven) continue;
    look_at(wall, at(middle, 1), findings);
    if (!findings.proven || half < least_angle || findings.is_open()) {
      findings.proven = false;
      return;
    }
    todo.push_back({arc.from, middle});
    todo.push_back({middle, arc.to});
  }
}

}  // namespace

bool is_bowl_pair(const Solid& inside, const Solid& bowl) {
  const bool is_known =
      inside.kind == SolidKind::ring ||
      (inside.kind == SolidKind::curved &&
       (inside.curved == CurvedKind::ellipsoid || inside.curved == CurvedKind::cylinder ||
        inside.curved == CurvedKind::cone));
  if (bowl.kind == SolidKind::bowl) return is_known;
  return bowl.kind == SolidKind::cavity && (is_known || inside.kind == SolidKind::hull);
}

Verdict judge_in_bowl(const Solid& inside, const BodyState& state_inside, const Solid& bowl,
                      const BodyState& state_bowl) {
  const PlacedPair pair(inside, state_inside, bowl, state_bowl);
  const Wall wall(bowl);
  const Mat3 to_bowl = pair.b.rotation.transpose();
  const Mat3 rotation = to_bowl * pair.a.rotation;
  const Vec3 position = to_bowl * (pair.a.position - pair.b.position);
  Findings findings;
  findings.tolerance = pair.margin * wall.steepness();
  // Cylinders and cones are the hulls of their rims, and of the apex.
  const Vec3 end(0, 0, inside.radii.z());
  if (inside.kind == SolidKind::ring) {
    look_at_circle(wall, {Vec3::Zero(), inside.radii.x(), inside.radius}, rotation, position,
                   findings);
  } else if (inside.kind == SolidKind::curved && inside.curved != CurvedKind::ellipsoid) {
    look_at_circle(wall, {-end, inside.radii.x(), 0}, rotation, position, findings);
    if (inside.curved == CurvedKind::cylinder)
      look_at_circle(wall, {end, inside.radii.x(), 0}, rotation, position, findings);
    else
      look_at(wall, {position + rotation * end, Mat3::Zero()}, findings);
  } else if (inside.kind == SolidKind::curved) {
    look_at(wall, {position, rotation * inside.radii.asDiagonal()}, findings);
  } else {
    for (const Vec3& corner : inside.points)
      look_at(wall, {position + rotation * corner, inside.radius * Mat3::Identity()}, findings);
  }
  const double depth = std::max(0.0, findings.highest / wall.steepness());
  if (findings.proven) return {Outcome::apart, 0, false};
  if (findings.highest > findings.tolerance) return {Outcome::overlapping, depth, false};
  return {findings.is_open() ? Outcome::unknown : Outcome::within_rounding, depth, false};
}

}  // namespace abut::verify
