#pragma once
// Smooth surfaces given by functions of your own, for Shape::implicit and Shape::parametric.
//
// A function object returns its value with first and second derivatives. It must be a pure function
// of its arguments: the same bits for the same point, from any thread.

#include "abut/export.h"
#include "abut/types.h"

namespace abut {

/// A function of space at a point.
struct FieldSample {
  double value = 0;
  Vec3 gradient = Vec3::Zero();
  Mat3 hessian = Mat3::Zero();
};

/// f(x, y, z), negative inside the solid, positive outside. For example a ball:
///
///     struct Ball : abut::ImplicitFunction {
///       abut::FieldSample at(const abut::Vec3& p) const override {
///         return {p.squaredNorm() - 1, 2 * p, 2 * abut::Mat3::Identity()};
///       }
///     };
class ABUT_API ImplicitFunction {
 public:
  virtual ~ImplicitFunction() = default;
  virtual FieldSample at(const Vec3& p) const = 0;
};

/// A point of a surface with its derivatives by the two parameters.
struct SurfaceSample {
  Vec3 point = Vec3::Zero();
  Vec3 u = Vec3::Zero();
  Vec3 v = Vec3::Zero();
  Vec3 uu = Vec3::Zero();
  Vec3 uv = Vec3::Zero();
  Vec3 vv = Vec3::Zero();
};

/// (x, y, z)(u, v).
class ABUT_API ParametricFunction {
 public:
  virtual ~ParametricFunction() = default;
  virtual SurfaceSample at(double u, double v) const = 0;
};

}  // namespace abut
