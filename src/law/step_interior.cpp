#include "law/step_interior.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "lcp/second_order_cone.h"
#include "math/block_lu.h"

namespace abut::law {
namespace {

using impulse::immovable;
using lcp::Cone;
using lcp::PartMatrix;
using math::BlockLu;
using Part6 = BlockLu::Part;
using Block6 = BlockLu::Block;

// Steps of the method: it mostly takes 10 to 20. Those within which the merit falls by half.
constexpr int most_steps = 80;
constexpr int patience = 15;

// Products of blocks in one elimination up to which it is worth its while: beyond, many short steps
// with a few sweeps each lead farther in the same time.
constexpr std::size_t most_fill = 100000;

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

// The law of one block, with its rows scaled such that their own answer is 1.
struct Law {
  StepBlock::Kind kind;
  std::array<int, 2> slots;
  int first, rows;
  double unit;  // m/s per scaled velocity
  std::array<Block6, 2> j = {Block6::Zero(), Block6::Zero()};
  Part6 bias = Part6::Zero();
  double slope = 1;                    // mu of a contact
  double lower = 0, upper = infinity;  // of a bounded row, scaled
  // Where it stands.
  Part6 impulse = Part6::Zero();            // of an equality
  Cone x = Cone::Zero(), y = Cone::Zero();  // of a contact, or above the lower bound
  double above = 0, over = 0;               // the same, below the upper bound
  Part6 motion = Part6::Zero(), error = Part6::Zero();

  bool is_contact() const { return kind == StepBlock::Kind::contact; }
  bool is_equality() const { return kind == StepBlock::Kind::equality; }
  bool has_lower() const { return !is_equality() && lower > -infinity; }
  bool has_upper() const { return kind == StepBlock::Kind::bounded && upper < infinity; }

  Part6 scaled_impulse() const {
    if (is_equality()) return impulse;
    Part6 p = Part6::Zero();
    p.head<3>() = x;
    if (!is_contact()) p[0] = has_lower() ? x[0] + lower : upper - above;
    return p;
  }
};

// One step of a law: of its impulse, and of its motions.
struct LawStep {
  Part6 dx = Part6::Zero();
  Cone dy = Cone::Zero();
  double over = 0;  // dy at the upper bound
};

class Walk {
 public:
  Walk(StepProblem& problem, double accuracy, bool follows_speed)
      : problem_(problem),
        accuracy_(accuracy),
        follows_speed_(follows_speed),
        matrix_(static_cast<int>(problem.bodies.size()), couplings_of(problem)) {
    for (const StepBody& body : problem.bodies) scale_body(body);
    for (const StepBlock& block : problem.blocks) add_law(block);
    place_inside();
  }

  InteriorResult go() {
    InteriorResult result;
    if (matrix_.fill() > most_fill) return result;
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
      if (merit <= accuracy_) break;
      ++stalled;
      if (merit < 0.5 * mark) {
        mark = merit;
        stalled = 0;
      }
      ++result.steps;
      if (!step()) break;
    }
    result.arrived = best <= accuracy_;
    if (result.arrived) write_back();
    return result;
  }

 private:
  static std::vector<std::array<int, 2>> couplings_of(const StepProblem& problem) {
    std::vector<std::array<int, 2>> pairs;
    for (const StepBlock& block : problem.blocks)
      if (block.slots[0] != immovable && block.slots[1] != immovable)
        pairs.push_back(
            {std::min(block.slots[0], block.slots[1]), std::max(block.slots[0], block.slots[1])});
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs;
  }

  // M^-1 = C C^T; velocities are C times the scaled ones.
  void scale_body(const StepBody& body) {
    roots_.push_back({std::sqrt(body.inertia.inverse_mass),
                      body.inertia.inverse_inertia.llt().matrixL().toDenseMatrix()});
    Part6 free;
    free.head<3>() = body.velocity.linear / roots_.back().linear;
    free.tail<3>() =
        roots_.back().angular.triangularView<Eigen::Lower>().solve(body.velocity.angular);
    free_.push_back(free);
  }

  void add_law(const StepBlock& block) {
    Law law{block.kind, block.slots, block.first, block.rows, 1};
    Part6 answer = Part6::Zero();
    for (int i = 0; i < block.rows; ++i) {
      const StepRow& row = problem_.rows[block.first + i];
      law.bias[i] = row.bias;
      for (const int side : {0, 1}) {
        if (block.slots[side] == immovable) continue;
        const Root& root = roots_[block.slots[side]];
        law.j[side].row(i) << root.linear * row.sides[side].linear.transpose(),
            (root.angular.transpose() * row.sides[side].angular).transpose();
        answer[i] += law.j[side].row(i).squaredNorm();
      }
    }
    law.unit = std::sqrt(answer.maxCoeff());
    if (!(law.unit > 0)) law.unit = 1;
    law.slope = law.is_contact() ? block.friction : 1;
    Part6 divisor = Part6::Constant(law.unit);
    divisor[0] *= law.slope;
    law.bias = law.bias.cwiseQuotient(divisor);
    for (Block6& j : law.j) j = divisor.cwiseInverse().asDiagonal() * j;
    if (law.kind == StepBlock::Kind::bounded) {
      law.lower = block.lower * law.unit;
      law.upper = block.upper * law.unit;
      if (!law.has_lower() && !law.has_upper()) law.kind = StepBlock::Kind::equality;
    }
    laws_.push_back(law);
  }

  void place_inside() {
    double scale = 0;
    for (const Law& law : laws_) scale = std::max(scale, motion(law, free_).cwiseAbs().maxCoeff());
    for (Law& law : laws_) {
      if (law.is_equality()) continue;
      // Between two bounds, halfway at most.
      const double room =
          law.has_lower() && law.has_upper() ? 0.5 * (law.upper - law.lower) : scale;
      law.x[0] = law.above = std::min(scale, room);
      if (law.has_lower() && law.has_upper()) law.above = law.upper - law.lower - law.x[0];
      law.y[0] = law.over = scale;
    }
  }

  static Part6 change(const Law& law, const std::vector<Part6>& dv) {
    Part6 moved = Part6::Zero();
    for (const int side : {0, 1}) {
      if (law.slots[side] == immovable) continue;
      if (law.is_equality())
        moved.noalias() += law.j[side] * dv[law.slots[side]];
      else
        moved.head<3>().noalias() += law.j[side].topRows<3>() * dv[law.slots[side]];
    }
    return moved;
  }

  static Part6 motion(const Law& law, const std::vector<Part6>& v) {
    return law.bias + change(law, v);
  }

  // Velocities and motions for the impulses as they are; how far that is from a solution, m/s.
  double observe() {
    velocities_ = free_;
    for (const Law& law : laws_) push(law, law.scaled_impulse(), velocities_);
    double merit = 0;
    worst_ = 0;
    for (Law& law : laws_) {
      law.motion = law.error = motion(law, velocities_);
      if (law.is_contact()) law.error[0] += law.motion.segment<2>(1).norm();
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

  static void push(const Law& law, const Part6& impulse, std::vector<Part6>& v) {
    for (const int side : {0, 1}) {
      if (law.slots[side] == immovable) continue;
      if (law.is_equality())
        v[law.slots[side]].noalias() += law.j[side].transpose() * impulse;
      else
        v[law.slots[side]].noalias() += law.j[side].topRows<3>().transpose() * impulse.head<3>();
    }
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
        linear.kg = linear.k;
        PartMatrix g = PartMatrix::Identity();
        g.block<1, 2>(0, 1) = along_slip(law).transpose();
        linear.kg.topLeftCorner<3, 3>() = linear.k.topLeftCorner<3, 3>() * g;
      } else {
        double d = damping;
        if (law.has_lower()) d += law.y[0] / law.x[0];
        if (law.has_upper()) d += law.over / law.above;
        linear.k(0, 0) = linear.kg(0, 0) = 1 / d;
      }
      add_to_matrix(law, linear);
    }
    return matrix_.factorise();
  }

  void add_to_matrix(const Law& law, const Linear& linear) {
    if (law.is_contact()) return add_rows<3>(law, linear);
    law.is_equality() ? add_rows<6>(law, linear) : add_rows<1>(law, linear);
  }

  template <int n>
  void add_rows(const Law& law, const Linear& linear) {
    for (const int b : {0, 1}) {
      if (law.slots[b] == immovable) continue;
      const Eigen::Matrix<double, n, 6> pushed =
          linear.kg.topLeftCorner<n, n>() * law.j[b].topRows<n>();
      for (const int a : {0, 1})
        if (law.slots[a] != immovable)
          matrix_.at(law.slots[a], law.slots[b]).noalias() +=
              law.j[a].topRows<n>().transpose() * pushed;
    }
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
      if (law.has_upper()) {
        double target = aim - law.above * law.over;
        if (first != nullptr) target += (*first)[i].dx[0] * (*first)[i].over;
        f[i][0] -= target / law.above;
      }
    }
    return f;
  }

  // The derivative of |w_T|, if it is followed.
  Eigen::Vector2d along_slip(const Law& law) const {
    const double speed = law.motion.segment<2>(1).norm();
    if (!follows_speed_ || !(speed > 0)) return Eigen::Vector2d::Zero();
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
      Part6 dy = law.error + change(law, moved);
      if (law.is_contact()) dy[0] += along_slip(law).dot(change(law, moved).segment<2>(1));
      if (law.has_upper()) {
        double target = aim - law.above * law.over;
        if (first != nullptr) target += (*first)[i].dx[0] * (*first)[i].over;
        steps[i].over = (target + law.over * steps[i].dx[0]) / law.above;
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

  static void take(Law& law, const LawStep& step, double length) {
    if (law.is_equality()) law.impulse += length * step.dx;
    if (law.has_lower()) {
      law.x += length * step.dx.head<3>();
      law.y += length * step.dy;
    }
    if (law.has_upper()) {
      law.above -= length * step.dx[0];
      law.over += length * step.over;
    }
  }

  void write_back() {
    velocities_ = free_;
    for (std::size_t i = 0; i < laws_.size(); ++i) {
      const Law& law = laws_[i];
      push(law, best_[i], velocities_);
      for (int k = 0; k < law.rows; ++k)
        problem_.rows[law.first + k].impulse = best_[i][k] / (law.unit * (k == 0 ? law.slope : 1));
    }
    for (std::size_t i = 0; i < roots_.size(); ++i)
      problem_.bodies[i].velocity = {roots_[i].linear * velocities_[i].head<3>(),
                                     roots_[i].angular * velocities_[i].tail<3>()};
  }

  struct Root {
    double linear;
    Mat3 angular;
  };

  StepProblem& problem_;
  double accuracy_;
  bool follows_speed_;  // |w_T| is not taken for constant
  std::vector<Root> roots_;
  std::vector<Part6> free_, velocities_;  // scaled
  std::vector<Law> laws_;
  std::vector<lcp::ConeScaling> scalings_;
  std::vector<Linear> linear_;
  BlockLu matrix_;
  std::vector<Part6> best_;
  double worst_ = 0;
};

}  // namespace

InteriorResult solve_from_inside(StepProblem& problem, double accuracy) {
  InteriorResult result;
  for (const bool follows_speed : {true, false}) {
    const int before = result.steps;
    result = Walk(problem, accuracy, follows_speed).go();
    result.steps += before;
    if (result.arrived) break;
  }
  return result;
}

}  // namespace abut::law
