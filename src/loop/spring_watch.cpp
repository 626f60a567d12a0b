#include "loop/spring_watch.h"

#include <algorithm>
#include <cmath>

namespace abut::loop {
namespace {

// Points of contact are the same within this fraction of the size of the smaller body
// (dimensionless): far more than the tolerance within which features are told apart, and far less
// than overlaps are deep.
constexpr double same_place = 1e-6;

// The margin as a fraction of the depth aimed at, and at least so many contact distances
// (dimensionless): little enough to be near, more than what rests moves.
constexpr double margin_fraction = 0.01;
constexpr double least_margin = 10;

// Bodies that have moved by less than this fraction of that (dimensionless) need not be looked at.
constexpr double unseen_motion = 0.2;

// Instants of a step that are looked at. While springs are compressed, steps are short against the
// time in which a point could come and go.
constexpr int samples = 2;

// How often a bracket is halved: down to the resolution of time in a step.
constexpr int halvings = 50;

struct Point {
  Vec3 place;
  double gap;
};

Point point_at(const contact::Contact& contact, const Pose& a, const Pose& b) {
  const contact::ContactNow now = contact::evaluate(contact, {a}, {b});
  return {contact::place_of(contact, now), now.row.value};
}

bool has_place(const std::vector<Point>& points, const Vec3& place, double tolerance) {
  return std::any_of(points.begin(), points.end(),
                     [&](const Point& point) { return (point.place - place).norm() <= tolerance; });
}

std::vector<Point> points_at(const std::vector<contact::Contact>& contacts, const Pose& a,
                             const Pose& b) {
  std::vector<Point> points;
  points.reserve(contacts.size());
  for (const contact::Contact& contact : contacts) points.push_back(point_at(contact, a, b));
  return points;
}

}  // namespace

double spring_margin(const integrate::SpringScale& scale, const model::SolverSettings& solver) {
  return std::max(margin_fraction * scale.depth, least_margin * solver.contact_distance);
}

double spring_tolerance(const model::Body& a, const model::Body& b) {
  return same_place * std::min(a.bounding_radius, b.bounding_radius);
}

bool SpringWatch::has_changed(const Pose& a, const Pose& b, const ContactFinder& find) const {
  const std::vector<Point> followed = points_at(springs_, a, b);
  const std::vector<Point> found = points_at(find(a, b), a, b);
  return std::any_of(found.begin(), found.end(),
                     [&](const Point& point) {
                       return point.gap < 0.5 * margin_ &&
                              !has_place(followed, point.place, tolerance_);
                     }) ||
         std::any_of(followed.begin(), followed.end(), [&](const Point& point) {
           return point.gap < -0.5 * margin_ && !has_place(found, point.place, tolerance_);
         });
}

// By more than a fraction of what tells points apart.
bool SpringWatch::has_moved(const Pose& a, const Pose& b) const {
  if (!unchanged_) return true;
  const auto& [a0, b0] = *unchanged_;
  const Vec3 shift = (a.position - b.position) - (a0.position - b0.position);
  const double turn =
      a.orientation.angularDistance(a0.orientation) + b.orientation.angularDistance(b0.orientation);
  const double lever = reach_ + (a.position - b.position).norm();
  return shift.norm() + lever * turn > unseen_motion * tolerance_;
}

std::optional<double> SpringWatch::first_change(const motion::BodyPath& a,
                                                const motion::BodyPath& b, double from, double to,
                                                const ContactFinder& find) {
  double before = from;
  for (int k = 1; k <= samples; ++k) {
    double now = k == samples ? to : from + (to - from) * k / samples;
    const Pose pose_a = a.pose(now), pose_b = b.pose(now);
    if (!has_moved(pose_a, pose_b)) continue;
    if (!has_changed(pose_a, pose_b, find)) {
      unchanged_ = {pose_a, pose_b};
      before = now;
      continue;
    }
    // What changed at once is dealt with here, for time to go on.
    if (before == from && has_changed(a.pose(from), b.pose(from), find)) return now;
    for (int i = 0; i < halvings; ++i) {
      const double middle = 0.5 * (before + now);
      if (!(middle > before && middle < now)) break;
      (has_changed(a.pose(middle), b.pose(middle), find) ? now : before) = middle;
    }
    return now;
  }
  return std::nullopt;
}

}  // namespace abut::loop
