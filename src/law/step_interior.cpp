#include "law/step_interior.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "law/scaled_problem.h"

namespace abut::law {
namespace {

using lcp::PartMatrix;
using math::BlockLu;

// Steps of the method: it mostly takes 10 to 20. Those within which the merit falls by half.
constexpr int most_steps = 80;
constexpr int patience = 15;

// What is added to D, whose counterpart is 1 (dimensionless): rows may depend on each other.
constexpr double damping = 1e-8;

// Of the way to the boundary of a cone a step takes this part (dimensionless). A step that leads
// less far than the second is tried again towards the middle, with the third part of tau kept; the
// fourth is the least that is kept.
constexpr double most_of_the_way = 0.98;
constexpr double short_way = 0.1;
constexpr double kept_towards_middle = 0.5;
constexpr double least_kept = 1e-3;

// Of the square of the largest error of motions: what tau is not brought below, lest products
// vanish before there is a motion that they belong to (dimensionless).
constexpr double kept_error = 0.1;

// Of the accuracy (dimensionless): what a walk with given speeds of slip leaves. Steps within which
// these speeds have to be found.
constexpr double inner_accuracy = 0.1;
constexpr int most_repeated_steps = 5 * most_steps;

class Walk {
 public:
  explicit Walk(StepProblem& problem)
      : problem_(problem),
        scaled_(problem),
        matrix_(static_cast<int>(problem.bodies.size()), couplings_of(problem)) {
    scaled_.find_places(matrix_);
  }

  bool is_worth_while() const { return matrix_.fill() <= most_fill; }

  /// With |w_T| as it follows from the impulses: mostly there is a way.
  InteriorResult follow_speeds(double accuracy) { return go(accuracy); }

  /// With |w_T| given the problem is convex, and there is always a way. Speeds are those that the
  /// walk before ended with, until they stay.
  InteriorResult repeat_with_given_speeds(double accuracy) {
    InteriorResult result;
    given_ = std::vector<double>(laws_.size(), 0);
    while (!result.arrived && result.steps < most_repeated_steps) {
      const InteriorResult one = go(inner_accuracy * accuracy);
      result.steps += std::max(1, one.steps);
      observe();
      result.left = std::max(one.left, change_of_speeds());
      result.arrived = result.left <= accuracy;
      for (std::size_t k = 0; k < laws_.size(); ++k) (*given_)[k] = slip_speed(laws_[k]);
    }
    return result;
  }

 private:
  InteriorResult go(double accuracy) {
    InteriorResult result;
    place_inside();
    double best = infinity, mark = infinity;
    int stalled = 0;
    while (result.steps < most_steps && stalled < patience) {
      const double merit = observe();
      if (!std::isfinite(merit)) break;
      if (merit < best) {
        best = merit;
        best_.clear();
        for (const Law& law : laws_) best_.push_back(law.scaled_impulse());
      }
      if (merit <= accuracy) break;
      ++stalled;
      if (merit < 0.5 * mark) {
        mark = merit;
        stalled = 0;
      }
      ++result.steps;
      if (!step()) break;
    }
    result.arrived = best <= accuracy;
    result.left = best;
    if (best < infinity) scaled_.write_back(best_, problem_);
    return result;
  }

  static double slip_speed(const Law& law) { return law.motion.segment<2>(1).norm(); }

  // How far speeds of slip are from those that were given, m/s.
  double change_of_speeds() const {
    double most = 0;
    for (std::size_t i = 0; i < laws_.size(); ++i)
      if (laws_[i].is_contact())
        most = std::max(
            most, laws_[i].unit * laws_[i].slope * std::abs(slip_speed(laws_[i]) - (*given_)[i]));
    return most;
  }

  void place_inside() {
    double scale = 0;
    for (const Law& law : laws_) scale = std::max(scale, motion(law, free_).cwiseAbs().maxCoeff());
    for (Law& law : laws_) {
      if (law.is_equality()) continue;
      // Between two bounds, halfway at most.
      const double room =
          law.has_lower() && law.has_upper() ? 0.5 * (law.upper - law.lower) : scale;
      law.above = std::min(scale, room);
      law.over = scale;
      law.x = law.above * Cone::UnitX();
      law.y = scale * Cone::UnitX();
      if (law.has_lower() && law.has_upper()) law.above = law.upper - law.lower - law.x[0];
    }
  }

  // Velocities and motions for the impulses as they are; how far that is from a solution, m/s.
  double observe() {
    velocities_ = free_;
    for (const Law& law : laws_) push(law, law.scaled_impulse(), velocities_);
    double merit = 0;
    worst_ = 0;
    for (std::size_t i = 0; i < laws_.size(); ++i) {
      Law& law = laws_[i];
      law.motion = law.error = motion(law, velocities_);
      if (law.is_contact()) law.error[0] += given_ ? (*given_)[i] : slip_speed(law);
      double left = 0;
      if (law.has_lower()) {
        law.error.head<3>() -= law.y;
        left = lcp::distance_to_law(law.x, law.y);
      }
      if (law.has_upper()) {
        law.error[0] += law.over;
        left = std::max(left, std::min(law.above, law.over));
      }
      worst_ = std::max(worst_, law.error.cwiseAbs().maxCoeff());
      merit = std::max(
          {merit, law.unit * law.slope * law.error.cwiseAbs().maxCoeff(), law.unit * left});
    }
    return merit;
  }

  double tau() const {
    double sum = 0, count = 0;
    for (const Law& law : laws_) {
      if (law.has_lower()) sum += law.x.dot(law.y), ++count;
      if (law.has_upper()) sum += law.above * law.over, ++count;
    }
    return count > 0 ? sum / count : 0;
  }

  struct Linear {
    Block6 k = Block6::Zero(), kg = Block6::Zero();  // K, K G
  };

  bool linearise() {
    matrix_.clear();
    for (int i = 0; i < static_cast<int>(free_.size()); ++i) matrix_.at(i, i).setIdentity();
    linear_.assign(laws_.size(), {});
    scalings_.clear();
    for (std::size_t i = 0; i < laws_.size(); ++i) {
      const Law& law = laws_[i];
      Linear& linear = linear_[i];
      scalings_.emplace_back(law.has_lower() ? law.x : Cone(Cone::UnitX()),
                             law.has_lower() ? law.y : Cone(Cone::UnitX()));
      if (!scalings_.back().lambda.allFinite()) return false;
      if (law.is_equality()) {
        linear.k.diagonal().head(law.rows).setConstant(1 / damping);
        linear.kg = linear.k;
      } else if (law.is_contact()) {
        linear.k.topLeftCorner<3, 3>() = scalings_.back().damped_square(damping);
        PartMatrix g = PartMatrix::Identity();
        g.block<1, 2>(0, 1) = along_slip(law).transpose();
        linear.kg.topLeftCorner<3, 3>() = linear.k.topLeftCorner<3, 3>() * g;
      } else {
        double d = damping;
        if (law.has_lower()) d += law.y[0] / law.x[0];
        if (law.has_upper()) d += law.over / law.above;
        linear.k(0, 0) = linear.kg(0, 0) = 1 / d;
      }
      scaled_.add_to_matrix(law, linear.kg);
    }
    return matrix_.factorise();
  }

  // What the product at an upper bound is to change by, without its second order.
  double upper_target(std::size_t i, double aim, const std::vector<LawStep>* first) const {
    const double target = aim - laws_[i].above * laws_[i].over;
    return first == nullptr ? target : target + (*first)[i].dx[0] * (*first)[i].over;
  }

  // What f is, with `aim` of tau kept and without what a first step leaves of second order.
  std::vector<Part6> directions(double aim, const std::vector<LawStep>* first) const {
    std::vector<Part6> f(laws_.size(), Part6::Zero());
    for (std::size_t i = 0; i < laws_.size(); ++i) {
      const Law& law = laws_[i];
      if (law.has_lower()) {
        const lcp::ConeScaling& s = scalings_[i];
        Cone target = -lcp::jordan_product(s.lambda, s.lambda);
        if (first != nullptr)
          target -= lcp::jordan_product(s.inverse * (*first)[i].dx.head<3>(), s.w * (*first)[i].dy);
        target[0] += aim;
        f[i].head<3>() = s.inverse * lcp::jordan_quotient(target, s.lambda);
      }
      if (law.has_upper()) f[i][0] -= upper_target(i, aim, first) / law.above;
    }
    return f;
  }

  // The derivative of |w_T|, where it is not given.
  Eigen::Vector2d along_slip(const Law& law) const {
    const double speed = slip_speed(law);
    if (given_ || !(speed > 0)) return Eigen::Vector2d::Zero();
    return law.motion.segment<2>(1) / speed;
  }

  std::vector<LawStep> solved(double aim, const std::vector<LawStep>* first) const {
    const std::vector<Part6> f = directions(aim, first);
    std::vector<Part6> dv(free_.size(), Part6::Zero());
    std::vector<LawStep> steps(laws_.size());
    for (std::size_t i = 0; i < laws_.size(); ++i) {
      steps[i].dx = linear_[i].k * (f[i] - laws_[i].error);
      push(laws_[i], steps[i].dx, dv);
    }
    matrix_.solve(dv);
    std::vector<Part6> moved(free_.size(), Part6::Zero());
    for (std::size_t i = 0; i < laws_.size(); ++i) {
      steps[i].dx -= linear_[i].kg * change(laws_[i], dv);
      push(laws_[i], steps[i].dx, moved);
    }
    // Motions change as the impulses say, to rounding; what elimination leaves goes into the
    // products.
    for (std::size_t i = 0; i < laws_.size(); ++i) {
      const Law& law = laws_[i];
      const Part6 dw = change(law, moved);
      Part6 dy = law.error + dw;
      if (law.is_contact()) dy[0] += along_slip(law).dot(dw.segment<2>(1));
      if (law.has_upper()) {
        steps[i].over = (upper_target(i, aim, first) + law.over * steps[i].dx[0]) / law.above;
        dy[0] += steps[i].over;
      }
      if (law.has_lower()) steps[i].dy = dy.head<3>();
    }
    return steps;
  }

  double length_of(const std::vector<LawStep>& steps) const {
    double way = 1 / most_of_the_way;
    const auto half_line = [&](double x, double dx) {
      if (x + way * dx <= 0) way = std::min(way, -x / dx);
    };
    for (std::size_t i = 0; i < laws_.size(); ++i) {
      const Law& law = laws_[i];
      if (law.is_contact()) {
        way = lcp::step_inside(law.x, steps[i].dx.head<3>(), way);
        way = lcp::step_inside(law.y, steps[i].dy, way);
        continue;
      }
      if (law.has_lower()) {
        half_line(law.x[0], steps[i].dx[0]);
        half_line(law.y[0], steps[i].dy[0]);
      }
      if (law.has_upper()) {
        half_line(law.above, -steps[i].dx[0]);
        half_line(law.over, steps[i].over);
      }
    }
    return most_of_the_way * way;
  }

  bool step() {
    if (!linearise()) return false;
    const double now = tau();
    const std::vector<LawStep> first = solved(0, nullptr);
    const double kept = std::max(least_kept, std::pow(1 - std::min(1.0, length_of(first)), 3));
    std::vector<LawStep> best =
        solved(std::max(kept * now, std::min(now, kept_error * worst_ * worst_)), &first);
    double length = length_of(best);
    if (length < short_way) {
      std::vector<LawStep> other = solved(kept_towards_middle * now, nullptr);
      const double way = length_of(other);
      if (way > length) {
        length = way;
        best = std::move(other);
      }
    }
    if (!(length > lcp::no_way)) return false;
    length = std::min(length, 1.0);
    for (std::size_t i = 0; i < laws_.size(); ++i) take(laws_[i], best[i], length);
    return true;
  }

  StepProblem& problem_;
  ScaledProblem scaled_;
  std::vector<Law>& laws_ = scaled_.laws;
  const std::vector<Part6>& free_ = scaled_.free;
  std::vector<Part6> velocities_;  // scaled
  std::vector<lcp::ConeScaling> scalings_;
  std::vector<Linear> linear_;
  BlockLu matrix_;
  std::optional<std::vector<double>> given_;  // |w_T| by block, scaled
  std::vector<Part6> best_;
  double worst_ = 0;
};

}  // namespace

InteriorResult solve_from_inside(StepProblem& problem, double accuracy, double enough) {
  if (!is_narrow(problem)) return {};
  const StepProblem given = problem;
  Walk walk(problem);
  if (!walk.is_worth_while()) return {};
  const InteriorResult first = walk.follow_speeds(accuracy);
  if (first.arrived || first.left <= enough) return first;
  StepProblem tried = given;
  InteriorResult second = Walk(tried).repeat_with_given_speeds(accuracy);
  second.steps += first.steps;
  if (!(second.left < first.left)) return {false, second.steps, first.left};
  problem = std::move(tried);
  return second;
}

}  // namespace abut::law
