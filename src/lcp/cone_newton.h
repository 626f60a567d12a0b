#pragma once
// Newton's method on the laws of all blocks at once, within a proximal term.
//
// A step of the proximal-point method solves the problem with A + alpha 1 in place of A and
// b - alpha c in place of b, c being the point it starts from: near c, and regular even where A is
// not. At a fixed point z = c the proximal term is gone, and z solves the problem itself. Inside,
// F(z) = 0 (cone_laws.h) is solved by Newton's method with the derivative of the piece that z is
// on, and with steps shortened until |F| falls (Qi and Sun, 1993).

#include <optional>

#include "lcp/body_elimination.h"
#include "lcp/cone_system.h"

namespace abut::lcp {

class ConeNewton {
 public:
  /// `system` must outlive this.
  explicit ConeNewton(const ConeSystem& system) : system_(system) {}
  ConeNewton(const ConeNewton&) = delete;
  ConeNewton& operator=(const ConeNewton&) = delete;

  /// Steps between two centres. Where few do not lead from modes that are expected to be those of
  /// the solution to it, they may lead anywhere.
  static constexpr int few_steps = 10;
  static constexpr int many_steps = 40;

  /// Moves z towards the solution with a proximal term that is recentred until it is gone. The
  /// first step is taken on the pieces `modes`, if given. Returns whether z is a solution up to
  /// rounding errors.
  bool settle(Vector& z, const std::vector<Mode>* modes, int most_steps);

  /// Takes out what the proximal term left, along the modes of z: steps of least norm without it.
  void polish(Vector& z);

  /// max |F| of the problem itself, relative to the forces that z and b amount to.
  double error(const Vector& z);

  /// Contacts that stand still, up to the error() that z has, stick, even if their force is on the
  /// boundary of the cone.
  std::vector<Mode> modes(const Vector& z, double error) const;

  /// Systems of linear equations so far.
  long solves() const { return solves_; }

 private:
  /// A point and what the laws say there.
  struct State {
    Vector z, w, f;
    double merit = 0;  // |F|^2
  };

  void evaluate(State& state) const;
  double scale(const Vector& z) const;
  bool is_small(const State& state) const;
  bool run(State& state, const std::vector<Mode>* modes, int most_steps);
  bool step(State& state, double allowed_merit);
  void find_modes(const State& state);
  void find_laws(const State& state);
  bool find_direction(bool is_regular);
  bool solve_free_blocks(Index size, bool is_regular, Vector& moved);
  bool solve_by_bodies(Vector& moved);
  Vector solved_by_bodies(const Vector& right) const;
  template <typename Add>
  void for_free_blocks(Add add) const;

  const ConeSystem& system_;
  double alpha_ = 0;
  Vector centre_;
  std::vector<Mode> modes_;
  std::vector<Law> laws_;
  std::vector<Index> places_;  // of the rows of free blocks in the system of equations; -1: held
  Vector right_;
  Vector direction_;
  State trial_;
  State best_trial_;
  std::optional<BodyElimination> bodies_;  // once they were asked for
  long solves_ = 0;
};

}  // namespace abut::lcp
