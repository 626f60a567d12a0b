#include "flexible/bending_body.h"

#include <cmath>

#include "flexible/basis.h"
#include "flexible/polar.h"

namespace abut::flexible {
namespace {

/// sum of m_k (r_k - centre) (rest_k)^T over the nodes of a sheet, whose polar rotation is that of
/// the least squares.
Mat3 correlation(const BendingBody& body, const Columns& columns) {
  const Vec3 centre = body.mass.centre(columns);
  Mat3 sum = Mat3::Zero();
  for (int k = 0; k < body.columns(); ++k)
    sum += body.mass(k, k) * (columns.col(k) - centre) * body.boundary.rest(k).transpose();
  return sum;
}

Mat3 mean_deformation(const BendingBody& body, const Columns& columns) {
  if (body.is_sheet()) return correlation(body, columns);
  return deformation_at(body.kind, columns, body.centroid);
}

/// The third column of a sheet's correlation is zero, since the sheet is flat at rest: the
/// rotation's third column is then the normal of the first two.
Mat3 with_normal(const Mat3& flat) {
  Mat3 whole = flat;
  const Vec3 a = flat.col(0), b = flat.col(1);
  const Vec3 normal = a.cross(b);
  const double area = normal.norm();
  if (area > 0) whole.col(2) = normal / std::sqrt(area);
  return whole;
}

/// The rate of the above column.
Mat3 with_normal_rate(const Mat3& flat, const Mat3& rate) {
  Mat3 whole = rate;
  const Vec3 a = flat.col(0), b = flat.col(1), da = rate.col(0), db = rate.col(1);
  const Vec3 normal = a.cross(b), change = da.cross(b) + a.cross(db);
  const double area = normal.norm();
  if (area > 0)
    whole.col(2) = change / std::sqrt(area) -
                   0.5 * normal * normal.dot(change) / (area * area * std::sqrt(area));
  return whole;
}

/// Newton's method for x(p) = x from a start; p is left where it ends.
bool newton(const BendingBody& body, const Columns& columns, const Vec3& x, Vec3& p) {
  constexpr int most_steps = 30;
  // Of the extent: where rounding of Z and of the columns is all that steps still consist of.
  constexpr double close_enough = 1e-13;
  for (int i = 0; i < most_steps; ++i) {
    const Vec3 off = x - combined(weights_at(body.kind, p), columns);
    const Vec3 step = deformation_at(body.kind, columns, p).inverse() * off;
    if (!step.allFinite()) return false;
    p += step;
    if (step.norm() <= close_enough * (body.extent + p.norm())) return true;
  }
  return false;
}

}  // namespace

std::vector<ColumnWeight> weights_at(Kind kind, const Vec3& p) {
  const Vector z = basis_at(kind, p);
  std::vector<ColumnWeight> weights;
  for (int k = 0; k < z.size(); ++k) weights.push_back({k, z[k]});
  return weights;
}

Mat3 deformation_at(Kind kind, const Columns& columns, const Vec3& p) {
  return columns * basis_gradient(kind, p);
}

Columns placed(const BendingBody& body, const Pose& pose) {
  Columns columns = Columns::Zero(3, body.columns());
  const Mat3 rotation = pose.orientation.normalized().toRotationMatrix();
  if (body.is_sheet()) {
    for (int k = 0; k < body.columns(); ++k)
      columns.col(k) = pose.position + rotation * body.boundary.rest(k);
    return columns;
  }
  for (int i = 0; i < 3; ++i) columns.col(linear_column(body.kind, i)) = rotation.col(i);
  columns.col(body.columns() - 1) = pose.position;
  return columns;
}

// r_k' = w x r_k for x(p) about the world's origin, and a shift of all points by a constant.
Columns rigid_rates(const BendingBody& body, const Columns& columns, const Vec3& velocity,
                    const Vec3& angular_velocity) {
  const Vec3 shift = velocity - angular_velocity.cross(body.mass.centre(columns));
  Columns rates(3, body.columns());
  for (int k = 0; k < body.columns(); ++k) {
    const Vec3 r = columns.col(k);
    rates.col(k) = angular_velocity.cross(r) + body.mass.one()[k] * shift;
  }
  return rates;
}

RigidFit rigid_fit(const BendingBody& body, const State& state) {
  RigidFit fit;
  fit.centre = body.mass.centre(state.columns);
  fit.velocity = body.mass.centre(state.rates);
  Mat3 f = mean_deformation(body, state.columns);
  Mat3 rate = mean_deformation(body, state.rates);
  if (body.is_sheet()) {
    rate = with_normal_rate(f, rate);
    f = with_normal(f);
  }
  const Polar parts = polar(f);
  fit.rotation = Quat(parts.rotation);
  fit.angular_velocity = turning(parts, rate);
  return fit;
}

bool material_point(const BendingBody& body, const Columns& columns, const Vec3& x, Vec3& p) {
  double nearest = (x - combined(weights_at(body.kind, body.centroid), columns)).squaredNorm();
  p = body.centroid;
  for (int v = 0; v < body.boundary.vertex_count(); ++v) {
    const double distance = (x - combined(body.boundary.weights(v), columns)).squaredNorm();
    if (distance >= nearest) continue;
    nearest = distance;
    p = body.boundary.rest(v);
  }
  if (newton(body, columns, x, p)) return true;
  p = body.centroid;
  return newton(body, columns, x, p);
}

}  // namespace abut::flexible
