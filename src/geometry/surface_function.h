#pragma once
// Functions of surfaces with enclosures: what value and derivatives can be over a box.
//
// A formula is enclosed by interval arithmetic, which proves things. A function object of the
// user's has no intervals; its range over a box is guessed from samples, generously, and what
// follows is likely, not proven (`is_proof`).

#include <array>
#include <memory>
#include <optional>

#include "abut/surface.h"
#include "geometry/aabb.h"
#include "math/expression.h"
#include "math/series.h"

namespace abut::geometry {

using math::Interval;

/// A box as its three coordinates.
using IntervalBox = std::array<Interval, 3>;
IntervalBox interval_box(const Aabb& box);

/// f with its gradient and Hessian over a box.
using FieldRange = math::MultiJet<Interval, 3>;

class EnclosedField : public ImplicitFunction {
 public:
  virtual FieldRange over(const IntervalBox& box) const = 0;
  virtual Interval range(const IntervalBox& box) const = 0;
  /// Along a path; nothing where that would be no proof.
  virtual std::optional<math::SeriesJet> over_path(
      const std::array<math::Series, 3>& path) const = 0;
  virtual bool is_proof() const = 0;
};

/// x, y and z over a rectangle of the parameters, with first and second derivatives.
using ChartRange = std::array<math::MultiJet<Interval, 2>, 3>;

class EnclosedChart : public ParametricFunction {
 public:
  virtual ChartRange over(const Interval& u, const Interval& v) const = 0;
  virtual bool is_proof() const = 0;
};

/// A formula in x, y, z.
std::shared_ptr<const EnclosedField> enclosed(math::Expression formula);
std::shared_ptr<const EnclosedField> enclosed(std::shared_ptr<const ImplicitFunction> function);

/// Formulas in u, v.
std::shared_ptr<const EnclosedChart> enclosed(std::array<math::Expression, 3> formulas);
std::shared_ptr<const EnclosedChart> enclosed(std::shared_ptr<const ParametricFunction> function);

}  // namespace abut::geometry
