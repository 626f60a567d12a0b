#include "law/sweeps.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "lcp/one_contact.h"

namespace abut::law {
namespace {

using impulse::immovable;

// Of the diagonal of an equality's own block (dimensionless): lets rows of one joint depend on each
// other.
constexpr double least_pivot = 1e-9;

// Sweeps over which their pace is measured, and the factor that a sweep leaves where it is not
// known or not to be believed (dimensionless).
constexpr std::size_t measured_sweeps = 5;
constexpr double slowest_pace = 0.99;

Twist answer_of(const impulse::Inertia& inertia, const body::RowSide& side) {
  return {inertia.inverse_mass * side.linear, inertia.inverse_inertia * side.angular};
}

double product(const body::RowSide& side, const Twist& twist) {
  return side(twist.linear, twist.angular);
}

// How far a contact is from its law, m/s: it approaches, or it opens and pushes nevertheless by an
// impulse that changes its motion by `pushed`, as those do that are left from an impact in the step
// before.
double short_of(double w, double pushed) {
  return w < 0 ? -w : std::min(w, pushed);
}

}  // namespace

Sweeps::Sweeps(StepProblem& problem) : problem_(problem) {
  contacts_.reserve(problem.blocks.size());
  is_contact_.reserve(problem.blocks.size());
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
    const StepBlock& block = problem.blocks[i];
    is_contact_.push_back(block.kind == StepBlock::Kind::contact && block.more == 0 &&
                          block.slots[0] != block.slots[1]);
    if (is_contact_.back())
      add_contact(block);
    else
      add_other(static_cast<int>(i));
  }
}

void Sweeps::add_contact(const StepBlock& block) {
  Contact contact;
  contact.slots = block.slots;
  contact.first = block.first;
  contact.friction = block.friction;
  contact.matrix.setZero();
  for (int i = 0; i < 3; ++i) {
    const StepRow& row = problem_.rows[block.first + i];
    contact.rows[i] = row.sides;
    contact.bias[i] = row.bias;
    contact.impulse[i] = row.impulse;
  }
  for (int k = 0; k < 3; ++k)
    for (const int side : {0, 1}) {
      if (block.slots[side] == immovable) continue;
      const Twist answer =
          answer_of(problem_.bodies[block.slots[side]].inertia, contact.rows[k][side]);
      for (int i = 0; i < 3; ++i) contact.matrix(i, k) += product(contact.rows[i][side], answer);
    }
  contact.inverse = contact.matrix.inverse();
  contacts_.push_back(contact);
  if (contact.impulse != Vec3::Zero()) push(contact, contact.impulse);
}

void Sweeps::add_other(int index) {
  const StepBlock& block = problem_.blocks[index];
  Block6 a = Block6::Zero();
  for (int i = 0; i < block.rows; ++i)
    for (int k = 0; k < block.rows; ++k) a(i, k) = entry(block, i, k);
  if (block.kind == StepBlock::Kind::equality) {
    const double scale = a.diagonal().head(block.rows).maxCoeff();
    for (int i = 0; i < block.rows; ++i) a(i, i) += least_pivot * scale;
    for (int i = block.rows; i < 6; ++i) a(i, i) = 1;
    a = a.ldlt().solve(Block6::Identity()).eval();
  }
  others_.push_back({index, a});
  for (int i = 0; i < block.rows; ++i)
    push(block, block.first + i, problem_.rows[block.first + i].impulse);
}

double Sweeps::entry(const StepBlock& block, int i, int k) const {
  double sum = 0;
  const StepRow &x = problem_.rows[block.first + i], &y = problem_.rows[block.first + k];
  for (const int s : {0, 1})
    for (const int t : {0, 1}) {
      if (block.slots[s] == immovable || block.slots[s] != block.slots[t]) continue;
      sum += product(x.sides[s], answer_of(problem_.bodies[block.slots[s]].inertia, y.sides[t]));
    }
  for (int m = 0; m < block.more; ++m) {
    const int slot = problem_.more_slots[block.first_more + m];
    sum += product(problem_.more_sides[x.first_more + m],
                   answer_of(problem_.bodies[slot].inertia, problem_.more_sides[y.first_more + m]));
  }
  return sum;
}

double Sweeps::sweep() {
  if (!changes_.empty()) overshoot();
  double largest = 0;
  energy_ = missing_ = 0;
  auto contact = contacts_.begin();
  auto other = others_.begin();
  for (const bool is_contact : is_contact_)
    largest = std::max(largest, is_contact ? relax(*contact++) : relax(*other++));
  changes_.push_back(largest);
  return left();
}

// Where sweeps converge linearly by a factor r, what is left is the last change times r / (1 - r).
double Sweeps::left() const {
  const double now = changes_.back();
  if (changes_.size() <= measured_sweeps) return slowest_pace / (1 - slowest_pace) * now;
  const double before = changes_[changes_.size() - 1 - measured_sweeps];
  const double ratio =
      before > 0 ? std::min(std::pow(now / before, 1.0 / measured_sweeps), slowest_pace) : 0;
  return now * std::max(1.0, ratio / (1 - ratio));
}

void Sweeps::write_impulses() {
  for (const Contact& contact : contacts_)
    for (int i = 0; i < 3; ++i) problem_.rows[contact.first + i].impulse = contact.impulse[i];
}

// Between sweeps impulses go on the way that the last one took them, ever farther (Nesterov), and
// velocities with them, until a sweep has to undo more than the one before: where sweeps need n
// rounds by themselves, it takes about the square root of that.
void Sweeps::overshoot() {
  const double next = 0.5 * (1 + std::sqrt(1 + 4 * pace_ * pace_));
  double beyond = (pace_ - 1) / next;
  pace_ = next;
  if (energy_ > last_energy_) {
    pace_ = 1;
    beyond = 0;
  }
  last_energy_ = energy_;
  if (last_velocities_.empty()) beyond = 0;
  last_contacts_.resize(contacts_.size(), Vec3::Zero());
  last_others_.resize(problem_.rows.size());
  last_velocities_.resize(problem_.bodies.size());
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Vec3 now = contacts_[i].impulse;
    contacts_[i].impulse += beyond * (now - last_contacts_[i]);
    last_contacts_[i] = now;
  }
  for (const Other& other : others_) {
    const StepBlock& block = problem_.blocks[other.block];
    for (int i = block.first; i < block.first + block.rows; ++i) {
      const double now = problem_.rows[i].impulse;
      problem_.rows[i].impulse += beyond * (now - last_others_[i]);
      last_others_[i] = now;
    }
  }
  for (std::size_t i = 0; i < problem_.bodies.size(); ++i) {
    Twist& velocity = problem_.bodies[i].velocity;
    const Twist now = velocity;
    velocity.linear += beyond * (now.linear - last_velocities_[i].linear);
    velocity.angular += beyond * (now.angular - last_velocities_[i].angular);
    last_velocities_[i] = now;
  }
}

double Sweeps::motion(const Contact& contact, int row) const {
  double w = contact.bias[row];
  for (const int side : {0, 1})
    if (contact.slots[side] != immovable)
      w += product(contact.rows[row][side], problem_.bodies[contact.slots[side]].velocity);
  return w;
}

void Sweeps::push(const Contact& contact, const Vec3& impulse) {
  for (const int side : {0, 1}) {
    if (contact.slots[side] == immovable) continue;
    StepBody& body = problem_.bodies[contact.slots[side]];
    Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
    for (int i = 0; i < 3; ++i) {
      force += impulse[i] * contact.rows[i][side].linear;
      torque += impulse[i] * contact.rows[i][side].angular;
    }
    body.velocity.linear += body.inertia.inverse_mass * force;
    body.velocity.angular.noalias() += body.inertia.inverse_inertia * torque;
  }
}

double Sweeps::relax(Contact& contact) {
  Vec3 w;
  w[0] = motion(contact, 0);
  const Vec3 before = contact.impulse;
  missing_ = std::max(missing_, short_of(w[0], contact.matrix(0, 0) * before[0]));
  if (w[0] >= 0 && before == Vec3::Zero()) return 0;
  w[1] = motion(contact, 1);
  w[2] = motion(contact, 2);
  const Vec3 q = w - contact.matrix * before;
  lcp::solve_contact(contact.friction, contact.matrix, contact.inverse, q, before, contact.impulse);
  const Vec3 change = contact.impulse - before;
  push(contact, change);
  const Vec3 moved = contact.matrix * change;
  energy_ += moved.dot(change);
  return moved.cwiseAbs().maxCoeff();
}

void Sweeps::push_slot(int slot, const body::RowSide& side, double impulse) {
  StepBody& body = problem_.bodies[slot];
  const Twist answer = answer_of(body.inertia, side);
  body.velocity.linear += impulse * answer.linear;
  body.velocity.angular += impulse * answer.angular;
}

void Sweeps::push(const StepBlock& block, int row, double impulse) {
  if (impulse == 0) return;
  for (const int side : {0, 1})
    if (block.slots[side] != immovable)
      push_slot(block.slots[side], problem_.rows[row].sides[side], impulse);
  for (int k = 0; k < block.more; ++k)
    push_slot(problem_.more_slots[block.first_more + k],
              problem_.more_sides[problem_.rows[row].first_more + k], impulse);
}

double Sweeps::relax(const Other& other) {
  const StepBlock& block = problem_.blocks[other.block];
  const Block6& a = other.matrix;
  Part6 w = Part6::Zero(), z = Part6::Zero();
  for (int i = 0; i < block.rows; ++i) {
    w[i] = problem_.motion(block, block.first + i);
    z[i] = problem_.rows[block.first + i].impulse;
  }
  Part6 found = z;
  if (block.kind == StepBlock::Kind::equality) {
    found -= a * w;
  } else if (block.kind == StepBlock::Kind::bounded) {
    if (a(0, 0) > 0) found[0] = std::clamp(z[0] - w[0] / a(0, 0), block.lower, block.upper);
  } else {
    const lcp::PartMatrix local = a.topLeftCorner<3, 3>();
    const lcp::Part guess = z.head<3>();
    const lcp::Part q = w.head<3>() - local * guess;
    lcp::Part result;
    lcp::solve_contact(block.friction, local, local.inverse(), q, guess, result);
    found.head<3>() = result;
  }
  const Part6 change = found - z;
  for (int i = 0; i < block.rows; ++i) {
    problem_.rows[block.first + i].impulse = found[i];
    push(block, block.first + i, change[i]);
  }
  if (block.kind == StepBlock::Kind::equality) {
    energy_ -= w.dot(change);
    missing_ = std::max(missing_, w.cwiseAbs().maxCoeff());
    return w.cwiseAbs().maxCoeff();
  }
  if (block.kind == StepBlock::Kind::contact || block.upper == infinity)
    missing_ = std::max(missing_, short_of(w[0], a(0, 0) * z[0]));
  double largest = 0;
  for (int i = 0; i < block.rows; ++i) {
    const double moved = a.row(i).head(block.rows).dot(change.head(block.rows));
    energy_ += moved * change[i];
    largest = std::max(largest, std::abs(moved));
  }
  return largest;
}

}  // namespace abut::law
