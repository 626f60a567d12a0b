#include "loop/spring_watch.h"

#include <algorithm>
#include <cmath>

namespace abut::loop {
namespace {

// Points of contact are the same within this fraction of the size of the smaller body
// (dimensionless): far more than the tolerance within which features are told apart, and far less
// than overlaps are deep.
constexpr double same_place = 1e-6;

// Instants of a step that are looked at: as many as turning points of its polynomials.
constexpr int samples = 8;

// How often a bracket is halved: down to the resolution of time in a step.
constexpr int halvings = 50;

struct Point {
  Vec3 place;
  double gap;
};

Point point_at(const contact::Contact& contact, const Pose& a, const Pose& b) {
  const contact::ContactNow now = contact::evaluate(contact, {a, {}, {}}, {b, {}, {}});
  return {contact::place_of(contact, now), now.row.value};
}

bool has_place(const std::vector<Point>& points, const Vec3& place, double tolerance) {
  return std::any_of(points.begin(), points.end(),
                     [&](const Point& point) { return (point.place - place).norm() <= tolerance; });
}

std::vector<Point> points_at(const std::vector<contact::Contact>& contacts, const Pose& a,
                             const Pose& b) {
  std::vector<Point> points;
  for (const contact::Contact& contact : contacts) points.push_back(point_at(contact, a, b));
  return points;
}

}  // namespace

double spring_tolerance(const model::Body& a, const model::Body& b) {
  return same_place * std::min(a.bounding_radius, b.bounding_radius);
}

std::optional<double> first_change(const std::vector<contact::Contact>& springs, double tolerance,
                                   double slack, const motion::BodyPath& a,
                                   const motion::BodyPath& b, double from, double to,
                                   const ContactFinder& find) {
  const auto has_changed = [&](double t) {
    const Pose pose_a = a.pose(t), pose_b = b.pose(t);
    const std::vector<Point> followed = points_at(springs, pose_a, pose_b);
    const std::vector<Point> found = points_at(find(pose_a, pose_b), pose_a, pose_b);
    return std::any_of(found.begin(), found.end(),
                       [&](const Point& point) {
                         return point.gap < 0 && !has_place(followed, point.place, tolerance);
                       }) ||
           std::any_of(followed.begin(), followed.end(), [&](const Point& point) {
             return point.gap < -slack && !has_place(found, point.place, tolerance);
           });
  };
  for (int k = 1; k <= samples; ++k) {
    double before = from + (to - from) * (k - 1) / samples;
    double now = k == samples ? to : from + (to - from) * k / samples;
    if (!has_changed(now)) continue;
    // What changed at once is dealt with here, for time to go on.
    if (k == 1 && has_changed(before)) return now;
    for (int i = 0; i < halvings; ++i) {
      const double middle = 0.5 * (before + now);
      if (!(middle > before && middle < now)) break;
      (has_changed(middle) ? now : before) = middle;
    }
    return now;
  }
  return std::nullopt;
}

}  // namespace abut::loop
