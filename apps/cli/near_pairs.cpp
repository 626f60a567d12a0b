#include "near_pairs.h"
#include "base/limits.h"

#include <algorithm>
#include <cmath>

#include "broad/sweep_and_prune.h"
#include "model/joints.h"

namespace abut::cli {
namespace {

struct Ball {
  BodyIndex body = 0;
  Vec3 centre = Vec3::Zero();
  double radius = 0;
};

Ball ball_of(const model::Model& model, BodyIndex i) {
  const model::Body& body = model.bodies[static_cast<std::size_t>(i)];
  return {i, body.pose.position + body.pose.orientation * body.mass.central.position,
          body.bounding_radius};
}

/// A lower bound of the distance from the ball to a body with unbounded parts.
double bound(const model::Body& body, const Ball& ball) {
  double least = infinity;
  for (const shape::Part& part : body.parts) {
    const Vec3 position = body.pose.position + body.pose.orientation * part.pose.position;
    if (const auto* plane = std::get_if<shape::Plane>(&part.geometry)) {
      const Vec3 up = body.pose.orientation * (part.pose.orientation * plane->normal);
      least = std::min(least, up.dot(ball.centre - position) - plane->offset - ball.radius);
    } else {
      const double radius = shape::bounding_radius({part}, part.pose.position);
      least = std::min(least, (ball.centre - position).norm() - radius - ball.radius);
    }
  }
  return least;
}

/// A lower bound of the distance of two bodies by their balls; of one without bounds, by its parts.
double bound(const model::Model& model, const Ball& a, const Ball& b) {
  if (!std::isfinite(a.radius)) return bound(model.bodies[static_cast<std::size_t>(a.body)], b);
  if (!std::isfinite(b.radius)) return bound(model.bodies[static_cast<std::size_t>(b.body)], a);
  return (a.centre - b.centre).norm() - a.radius - b.radius;
}

}  // namespace

std::vector<BodyPair> near_pairs(const model::Model& model, double distance) {
  const std::vector<BodyPair> excepted = model::pairs_without_contact(model);
  broad::BroadPhase broad([&](BodyIndex a, BodyIndex b) {
    const bool is_one_dynamic = model.bodies[static_cast<std::size_t>(a)].is_dynamic() ||
                                model.bodies[static_cast<std::size_t>(b)].is_dynamic();
    return is_one_dynamic && !std::binary_search(excepted.begin(), excepted.end(), BodyPair(a, b));
  });
  std::vector<Ball> balls;
  for (BodyIndex i = 0; i < static_cast<BodyIndex>(model.bodies.size()); ++i) {
    balls.push_back(ball_of(model, i));
    const auto& [body, centre, radius] = balls.back();
    broad.insert(body, geometry::inflated({centre, centre}, radius + 0.5 * distance));
  }
  std::vector<BodyPair> found;
  for (const auto& [a, b] : broad.find_pairs()) {
    const double apart =
        bound(model, balls[static_cast<std::size_t>(a)], balls[static_cast<std::size_t>(b)]);
    if (apart <= distance) found.emplace_back(a, b);
  }
  return found;
}

}  // namespace abut::cli
