#pragma once
// A boxed problem (lcp.h) as   x >= 0,  v = M x + q >= 0,  x.v = 0.
//
//   no bounds      z is eliminated with the equations w = 0 as far as these determine it. What is
//   left
//                  of them is split: z = x+ - x-, and w = 0 becomes w >= 0 and -w >= 0. If an
//                  equation is left without unknowns, it holds, or the problem is `contradictory`.
//   one bound      z = lower + x, v = w, or z = upper - x, v = -w.
//   two bounds     z = lower + x, v = w + y; y >= 0 is complementary to upper - z.
// Rows and columns are first scaled by powers of 2, which complementarity does not notice. If A is
// positive semidefinite and its equations without bounds are regular, M is positive semidefinite
// but for this scaling of rows.

#include "lcp/basis_factor.h"
#include "lcp/lcp.h"

namespace abut::lcp {

class StandardForm {
 public:
  explicit StandardForm(const Problem& problem);

  const Matrix& m() const { return m_; }
  const Vector& q() const { return q_; }
  bool contradictory() const { return contradictory_; }

  /// The unknowns of the boxed problem.
  Vector z(const Vector& x) const;

 private:
  /// z = by_u u + constant, where u are the bounded unknowns and the free ones that the equations
  /// w = 0 do not determine; the same for w.
  struct Reduced {
    Matrix z_by_u;
    Vector z_constant;
    Matrix w_by_u;
    Vector w_constant;
    std::vector<Index> bounded;         // rows and unknowns: the first of u
    std::vector<Index> left_equations;  // as many as unknowns are left
    std::vector<Index> left_unknowns;   // the last of u
  };

  void equilibrate(const Problem& problem);
  Reduced eliminate_free_unknowns() const;
  void clear_rounding_errors(Reduced& reduced) const;
  void drop_empty_equations(Reduced& reduced);
  void combine_left_equations(Reduced& reduced) const;
  void assemble(const Reduced& reduced);

  Problem scaled_;
  Vector column_scales_;
  Matrix m_;
  Vector q_;
  Matrix z_by_x_;
  Vector z_constant_;
  bool contradictory_ = false;
};

}  // namespace abut::lcp
