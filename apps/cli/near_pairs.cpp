#include "near_pairs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "model/joints.h"

namespace abut::cli {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

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

class Search {
 public:
  Search(const model::Model& model, double distance) : model_(model), distance_(distance) {
    for (const auto& pair : model::pairs_without_contact(model)) excepted_.insert(pair);
  }

  std::vector<BodyPair> run() {
    for (BodyIndex i = 0; i < static_cast<BodyIndex>(model_.bodies.size()); ++i) {
      const Ball ball = ball_of(model_, i);
      (std::isfinite(ball.radius) ? balls_ : unbounded_).push_back(ball);
    }
    sweep();
    for (const Ball& large : unbounded_) {
      const model::Body& body = model_.bodies[static_cast<std::size_t>(large.body)];
      for (const Ball& ball : balls_) {
        if (bound(body, ball) <= distance_) consider(large.body, ball.body);
      }
    }
    std::sort(found_.begin(), found_.end());
    return std::move(found_);
  }

 private:
  bool is_dynamic(BodyIndex i) const {
    return model_.bodies[static_cast<std::size_t>(i)].is_dynamic();
  }

  void consider(BodyIndex a, BodyIndex b) {
    const BodyPair pair = std::minmax(a, b);
    if (!is_dynamic(a) && !is_dynamic(b)) return;
    if (!excepted_.contains(pair)) found_.push_back(pair);
  }

  int axis_of_largest_spread() const {
    Vec3 low = Vec3::Constant(infinity);
    Vec3 high = -low;
    for (const Ball& ball : balls_) {
      low = low.cwiseMin(ball.centre);
      high = high.cwiseMax(ball.centre);
    }
    int axis = 0;
    (high - low).maxCoeff(&axis);
    return axis;
  }

  /// Compares each ball with those that begin before it ends, along one axis.
  void sweep() {
    const int axis = axis_of_largest_spread();
    const auto start = [axis](const Ball& ball) { return ball.centre[axis] - ball.radius; };
    std::sort(balls_.begin(), balls_.end(),
              [&](const Ball& x, const Ball& y) { return start(x) < start(y); });
    for (std::size_t i = 0; i < balls_.size(); ++i) {
      const Ball& ball = balls_[i];
      const double end = ball.centre[axis] + ball.radius + distance_;
      for (std::size_t k = i + 1; k < balls_.size() && start(balls_[k]) <= end; ++k) {
        const double reach = ball.radius + balls_[k].radius + distance_;
        if ((balls_[k].centre - ball.centre).squaredNorm() > reach * reach) continue;
        consider(ball.body, balls_[k].body);
      }
    }
  }

  const model::Model& model_;
  double distance_;
  std::set<BodyPair> excepted_;
  std::vector<Ball> balls_;
  std::vector<Ball> unbounded_;
  std::vector<BodyPair> found_;
};

}  // namespace

std::vector<BodyPair> near_pairs(const model::Model& model, double distance) {
  return Search(model, distance).run();
}

}  // namespace abut::cli
