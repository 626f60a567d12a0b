#include "law/sheet_newton.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <optional>

#include "base/limits.h"
#include "law/sheet_rows.h"
#include "law/split_system.h"

namespace abut::law {
namespace {

using math::NodeBlock;
using math::NodeVector;

// Rounds in which impulses are taken over, mostly 2 to 6, and steps of Newton's method in each.
constexpr int most_rounds = 60;
constexpr int most_newton = 30;

// Where what a row is off by did not fall to the first part of it in a round (dimensionless), as
// under a heavy body on light nodes, it gives way by the second part of that from then on, down to
// the third: the worse the matrix is the less digits of it are left.
constexpr double least_gain = 0.5, stiffer = 0.3, least_give = 1e-4;

// Of the accuracy asked for (dimensionless): what linear systems leave of the motion and of the
// impulses of any row. Rounds that others follow need no more than to gain on the one before.
constexpr double solved_part = 0.2;

// Of the energy that a linear system takes out (dimensionless): what it may leave while rows still
// open, close, stick and slide.
constexpr double rough_part = 0.02;

// Along the way of a step of Newton's method (dimensionless): where the slope is less than this
// part of that where it begins it is over. The place is looked for so often.
constexpr double flat_part = 1e-2;
constexpr int most_places = 12;

math::Enough enough_for(double mass, double accuracy) {
  return {mass * accuracy * accuracy, accuracy, 0};
}

NodeBlock inverse_of(const NodeBlock& block) {
  return NodeBlock(Mat3(block.matrix().inverse()));
}

class SheetNewton {
 public:
  SheetNewton(StepProblem& problem, double accuracy)
      : problem_(problem), accuracy_(accuracy), nodes_(problem.node_velocities.size()) {
    for (const StepSheet& sheet : problem.sheets) mass_ += sheet.mass;
    lay_out_parts();
    rows_.emplace(problem, own_inverses_);
  }

  StepSolution go(double enough) {
    StepSolution solution;
    observe();
    double left = worst_error();
    do {
      ++solution.sweeps;
      wanted_ = std::max(accuracy_, left);
      if (!minimise()) break;
      left = take_impulses();
      if (left <= accuracy_) left = fit_velocities();
    } while (solution.sweeps < most_rounds && left > accuracy_);
    if (left > accuracy_) left = fit_velocities();
    write_back();
    solution.solved = left <= enough;
    return solution;
  }

 private:
  // The least value of the function that belongs to the impulses as they are.
  bool minimise() {
    bool is_near = false;
    for (int k = 0; k < most_newton; ++k) {
      for (SheetLaw& law : rows_->laws) linearise(law);
      const double mismatch = step(is_near ? 0 : rough_part);
      if (is_solved_ && mismatch <= solved_part * wanted_) return true;
      is_near = mismatch <= wanted_;
    }
    return false;
  }

  // Velocities that belong to the impulses, which are lawful; how far they are from the law, m/s.
  double fit_velocities() {
    wanted_ = accuracy_;
    for (SheetLaw& law : rows_->laws) keep_impulse(law);
    apply_own(v_, momenta_now_);
    solve(0);
    for (std::size_t i = 0; i < v_.size(); ++i) v_[i] += way_[i];
    settle_slots();
    observe();
    return worst_error();
  }

  double worst_error() const {
    double worst = 0;
    for (const SheetLaw& law : rows_->laws) worst = std::max(worst, error_of(law));
    return worst;
  }

  // Velocities, what they would be without impulses times the matrix, and its own blocks.
  void lay_out_parts() {
    const std::size_t count = nodes_ + 2 * problem_.bodies.size();
    v_.reserve(count);
    momenta_.reserve(count);
    own_.reserve(count);
    for (std::size_t i = 0; i < nodes_; ++i) {
      v_.push_back(math::quad(problem_.node_velocities[i]));
      momenta_.push_back(math::quad(problem_.node_momenta[i]));
    }
    for (const StepSheet& sheet : problem_.sheets)
      for (int i = 0; i < sheet.matrix->nodes(); ++i) own_.push_back(sheet.matrix->diagonal(i));
    for (const StepBody& body : problem_.bodies) {
      own_.emplace_back(Mat3(Mat3::Identity() / body.inertia.inverse_mass));
      own_.emplace_back(Mat3(body.inertia.inverse_inertia.inverse()));
      for (const Vec3& part : {body.velocity.linear, body.velocity.angular}) {
        v_.push_back(math::quad(part));
        momenta_.push_back(own_[momenta_.size()] * v_.back());
      }
    }
    for (const NodeBlock& block : own_) own_inverses_.push_back(inverse_of(block));
    all_ = own_;
    system_.emplace(problem_.sheets, count);
    for (std::size_t i = 0; i < count; ++i)
      system_->set_inverse(static_cast<int>(i), own_inverses_[i]);
    pushed_.resize(v_.size());
    momenta_now_.resize(v_.size());
    apply_own(v_, momenta_now_);
  }

  void observe() {
    for (SheetLaw& law : rows_->laws) law.motion = law.bias + rows_->along(law, v_);
  }

  // One step of Newton's method, as far as the function that it minimises falls; how far impulses
  // are then from what the matrix took them for, m/s.
  double step(double rough) {
    solve(rough);
    // Single precision has the digits that the way itself has.
    for (std::size_t i = 0; i < way_.size(); ++i) pushed_[i] = own_[i] * way_[i];
    system_->add_coupling_within(way_, pushed_);
    const double curvature = math::dot(way_, pushed_);
    const double slope = math::dot(way_, momenta_now_) - math::dot(way_, momenta_);
    rates_.clear();
    for (const SheetLaw& law : rows_->laws) rates_.push_back(rows_->along(law, way_));
    // The derivative of the function along the way grows with t.
    const auto derivative = [&](double t) {
      double sum = slope + t * curvature;
      for (std::size_t i = 0; i < rows_->laws.size(); ++i)
        sum -= rates_[i].dot(wished(rows_->laws[i], rows_->laws[i].motion + t * rates_[i]));
      return sum;
    };
    const double t = flat_place(derivative);
    for (std::size_t i = 0; i < v_.size(); ++i) {
      v_[i] += way_[i] * t;
      momenta_now_[i] += pushed_[i] * t;
    }
    double mismatch = t < 1 ? infinity : 0;
    for (std::size_t i = 0; i < rows_->laws.size(); ++i) {
      SheetLaw& law = rows_->laws[i];
      law.motion += t * rates_[i];
      const SheetPart linear = law.e - stiffness_times(law, law.motion);
      mismatch =
          std::max(mismatch, law.answer * (wished(law, law.motion) - linear).cwiseAbs().maxCoeff());
    }
    return mismatch;
  }

  // Where the slope of a convex function that falls at 0 has become flat, at 1 at the latest
  // (regula falsi, with the kept end halved).
  template <class Derivative>
  static double flat_place(const Derivative& derivative) {
    double low = 0, high = 1, at_low = derivative(0), at_high = derivative(1);
    const double flat = flat_part * std::abs(at_low);
    if (at_high <= flat || !(at_low < 0)) return 1;
    double t = 1;
    for (int k = 0; k < most_places; ++k) {
      t = low + (high - low) * at_low / (at_low - at_high);
      const double here = derivative(t);
      if (std::abs(here) <= flat) break;
      if (here > 0) {
        high = t;
        at_high = here;
        at_low *= 0.5;
      } else {
        low = t;
        at_low = here;
        at_high *= 0.5;
      }
    }
    return t;
  }

  // The impulses that belong to the motions; how far both are from the law, m/s.
  double take_impulses() {
    double worst = 0;
    for (SheetLaw& law : rows_->laws) {
      const SheetPart known = wished(law, law.motion);
      law.impulse = lawful(law, known);
      law.bound = law.friction * law.impulse[0];
      const double error =
          std::max(error_of(law), law.answer * (law.impulse - known).cwiseAbs().maxCoeff());
      if (error > std::max(accuracy_, least_gain * law.error))
        law.give = std::max(stiffer * law.give, least_give);
      law.error = error;
      worst = std::max(worst, error);
    }
    return worst;
  }

  // y = M x.
  void apply_own(const NodeVector& x, NodeVector& y) const {
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = own_[i] * x[i];
    for (const StepSheet& sheet : problem_.sheets)
      sheet.matrix->add_coupling(&x[sheet.first], &y[sheet.first]);
  }

  // The way from v to the solution of (M + J^T D J) v = M v* + J^T (e - D b).
  void solve(double rough) {
    restore_blocks();
    const double accuracy = solved_part * wanted_;
    math::Enough enough = enough_for(mass_, accuracy);
    enough.fraction = rough;
    right_ = momenta_;
    for (const SheetLaw& law : rows_->laws) {
      if (law.acts || !law.e.isZero(0))
        rows_->push(law, law.e - stiffness_times(law, law.motion), right_);
      if (!law.acts) continue;
      enough.energy = std::min(enough.energy, law.give / law.answer * accuracy * accuracy);
      add_blocks(law);
    }
    for (std::size_t i = 0; i < v_.size(); ++i) right_[i] -= momenta_now_[i];
    for (std::vector<int>* parts : {&changed_, &coupled_}) {
      std::sort(parts->begin(), parts->end());
      parts->erase(std::unique(parts->begin(), parts->end()), parts->end());
    }
    for (const int place : changed_) system_->set_inverse(place, inverse_of(all_[place]));
    is_solved_ = system_->solve(
        coupled_,
        [this](const NodeVector& x, NodeVector& y) {
          for (const Coupling& one : couplings_) rows_->add_coupling(*one.law, one.b, x, y);
        },
        right_, enough, way_);
  }

  void restore_blocks() {
    for (const int place : changed_) {
      all_[place] = own_[place];
      system_->set_inverse(place, own_inverses_[place]);
    }
    changed_.clear();
    couplings_.clear();
    coupled_.clear();
  }

  // Of J^T D J.
  void add_blocks(const SheetLaw& law) {
    for (int k = 0; k < law.parts; ++k) {
      const NodeBlock block = rows_->block_of(law, k);
      const int place = rows_->part(law, k);
      all_[place] += block;
      changed_.push_back(place);
      if (law.parts == 1) continue;
      coupled_.push_back(place);
      if (k == 0) couplings_.push_back({&law, block});
    }
  }

  struct Coupling {
    const SheetLaw* law;
    NodeBlock b;  // of its first part
  };

  // Bodies have what impulses give them, to the last digit.
  void settle_slots() {
    right_ = momenta_;
    for (const SheetLaw& law : rows_->laws) rows_->push(law, law.impulse, right_);
    for (std::size_t i = nodes_; i < v_.size(); ++i) v_[i] = own_inverses_[i] * right_[i];
  }

  void write_back() {
    for (const SheetLaw& law : rows_->laws)
      for (int i = 0; i < law.rows; ++i) problem_.rows[law.first + i].impulse = law.impulse[i];
    for (std::size_t i = 0; i < nodes_; ++i) problem_.node_velocities[i] = v_[i].head<3>();
    for (std::size_t i = 0; i < problem_.bodies.size(); ++i)
      problem_.bodies[i].velocity = {v_[nodes_ + 2 * i].head<3>(),
                                     v_[nodes_ + 2 * i + 1].head<3>()};
  }

  StepProblem& problem_;
  double accuracy_;
  double wanted_ = 0;  // of the round, m/s
  std::size_t nodes_;
  double mass_ = 0;
  NodeVector v_, momenta_;
  NodeVector momenta_now_;                     // M v
  std::vector<NodeBlock> own_, own_inverses_;  // by part
  std::vector<NodeBlock> all_;                 // the same with blocks of rows
  std::vector<int> changed_;                   // parts of which these differ
  std::vector<int> coupled_;                   // parts that couplings act on
  std::vector<Coupling> couplings_;
  NodeVector right_, way_, pushed_;  // pushed: M times the way
  std::vector<SheetPart> rates_;     // of rows along the way
  std::optional<SheetRows> rows_;
  std::optional<SplitSystem> system_;
  bool is_solved_ = false;  // the last system, not only roughly
};

}  // namespace

StepSolution solve_with_sheets(StepProblem& problem, double accuracy, double enough) {
  return SheetNewton(problem, accuracy).go(enough);
}

void solve_sheet(const math::NodeMatrix& matrix, double mass, double accuracy,
                 const NodeVector& momentum, NodeVector& v) {
  SplitSystem system({{0, mass, &matrix}}, momentum.size());
  NodeVector right(momentum.size()), way;
  for (int i = 0; i < matrix.nodes(); ++i) {
    system.set_inverse(i, inverse_of(matrix.diagonal(i)));
    right[i] = matrix.diagonal(i) * v[i];
  }
  matrix.add_coupling(v.data(), right.data());
  for (std::size_t i = 0; i < right.size(); ++i) right[i] = momentum[i] - right[i];
  system.solve(
      {}, [](const auto&, auto&) {}, right, enough_for(mass, solved_part * accuracy), way);
  for (std::size_t i = 0; i < right.size(); ++i) v[i] += way[i];
}

}  // namespace abut::law
