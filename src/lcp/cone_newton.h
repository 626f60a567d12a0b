#pragma once
// Newton's method on the laws of all blocks at once, within a proximal term.
//
// A step of the proximal-point method solves the problem with A + alpha 1 in place of A and
// b - alpha c in place of b, c being the point it starts from: near c, and regular even where A is
// not. At a fixed point z = c the proximal term is gone, and z solves the problem itself. Inside,
// F(z) = 0 (cone_laws.h) is solved by Newton's method with the derivative of the piece that z is
// on, and with steps shortened until |F| falls (Qi and Sun, 1993).

#include "lcp/cone_system.h"

namespace abut::lcp {

class ConeNewton {
 public:
  explicit ConeNewton(const ConeSystem& system);

  struct Limits {
    int steps;
    double small;  // |F| relative to what it is made of that is as good as 0
  };

  /// Moves z towards the solution of the problem with the proximal term alpha around `centre`.
  /// The first step is taken on the pieces `modes`, if given. Returns whether |F| is small.
  bool run(Vector& z, double alpha, const Vector& centre, const Limits& limits,
           const std::vector<Mode>* modes = nullptr);

  /// max |F| of the problem itself, relative to the forces that z and b amount to.
  double error(const Vector& z) const;

  std::vector<Mode> modes(const Vector& z) const;
  long solves() const { return solves_; }

 private:
  Vector laws(const Vector& z, double alpha, const Vector& centre, Vector& w) const;
  bool direction(const Vector& z, const Vector& w, double alpha, const std::vector<Mode>& modes,
                 Vector& step);
  bool solve_dense(const std::vector<Mode>& modes, const std::vector<Law>& laws, double alpha,
                   Vector& step);

  const ConeSystem& system_;
  long solves_ = 0;
};

}  // namespace abut::lcp
