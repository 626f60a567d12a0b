#pragma once
// The central path: a smooth way from a force that is nowhere on a boundary to a solution.
//
// In the coordinates x = (z_N, z_T / mu), y = (w_N + mu |w_T|, mu w_T) the law of a contact is
// x in L, y in L, x.y = 0 with the cone L = {|x_T| <= x_N} of 45 degrees for every mu, 0 included.
// For epsilon > 0 its smooth neighbour (Chen, Harker, Kanzow and Smale; Fukushima, Luo and Tseng,
// 2002, for cones)
//     x - p(x - rho y) = 0,   p(d) = (d + (d^2 + 4 epsilon^2 e)^(1/2)) / 2 in the algebra of the
//     cone
// says x o y = epsilon^2 e / rho with x and y inside of L, and |w_T| is smoothed alike. Rows with
// bounds have the sum of two such terms. A proximal term, epsilon^2 of the diagonal, keeps forces
// bounded where contacts are jammed against each other: they could otherwise grow along a null
// vector of A until they had left the boundaries of their cones far behind.
//
// A second parameter, s, stands before mu |w_T|. For s = 0 the problem is convex if A is symmetric
// and semidefinite: it has one solution, and Newton's method finds it while epsilon falls from far
// up. From there a curve of solutions leads to s = 1: it cannot end, nor come back to s = 0, where
// the solution is alone, so it arrives if it is bounded. It may turn back on the way, in s as well
// as, later, in epsilon, so it is followed by its length (Allgower and Georg, Numerical
// Continuation Methods, 1990, chapter 2): a step along the tangent and Newton's method at right
// angles to it.

#include "lcp/cone_system.h"

namespace abut::lcp {

class ConePath {
 public:
  /// `system` must outlive this.
  explicit ConePath(const ConeSystem& system) : system_(system) {}

  /// Finds the start of the curve, at s = 0 with this epsilon, relative to the forces. False if
  /// Newton's method fails there.
  bool start(double relative_epsilon);

  /// One step along the curve. False if there is no way on.
  bool advance();

  /// How far the curve has come: s = 1 is reached at 1, beyond it epsilon falls.
  double parameter() const { return here_.parameter; }
  Vector forces() const { return forces_of(here_.x); }
  long solves() const { return solves_; }

 private:
  struct Smoothing {
    double epsilon;
    double s;
  };
  struct Point {
    Vector x;
    double parameter = 0;
  };

  Smoothing smoothing(double parameter) const;
  double proximity(const Smoothing& smoothing) const;
  Vector forces_of(const Vector& x) const;
  Vector laws(const Vector& x, const Smoothing& smoothing, Vector& w) const;
  void assemble(const Vector& x, const Vector& w, const Smoothing& smoothing);
  void border(const Point& point, const Vector& f);
  double descend(const Smoothing& smoothing);
  bool find_tangent(const Point& point, Vector& tangent);
  bool correct(Point& point, int& steps);
  double product(const Vector& a, const Vector& b) const;

  const ConeSystem& system_;
  double first_epsilon_ = 0;
  double scale_ = 0;   // of forces
  double weight_ = 0;  // of forces in the length of the curve, where the parameter has 1
  Point here_;
  Vector tangent_;     // of (x, parameter)
  double length_ = 0;  // of the next step
  Matrix matrix_;      // of the laws, by (x, parameter), and a row for the direction that is kept
  long solves_ = 0;
};

}  // namespace abut::lcp
