#include "flexible/material_frame.h"

#include <algorithm>

#include "flexible/basis.h"
#include "flexible/polar.h"

namespace abut::flexible {
namespace {

/// Of the point of a sheet nearest to p, which is within one of the two triangles of its cell.
std::vector<ColumnWeight> sheet_weights(const BendingBody& body, const Vec3& p) {
  const Boundary& boundary = body.boundary;
  const Vec3 &low = boundary.rest().front(), &high = boundary.rest().back();
  const auto along = [&](int axis, int cells) {
    return std::clamp((p[axis] - low[axis]) / (high[axis] - low[axis]), 0.0, 1.0) * cells;
  };
  const double x = along(0, body.grid.cells_x), y = along(1, body.grid.cells_y);
  const int i = std::min(static_cast<int>(x), body.grid.cells_x - 1);
  const int j = std::min(static_cast<int>(y), body.grid.cells_y - 1);
  const Vec3 inside = low + Vec3((high - low).x() * x / body.grid.cells_x,
                                 (high - low).y() * y / body.grid.cells_y, 0);
  std::vector<ColumnWeight> best;
  double most_inside = 0;
  for (const int triangle :
       {2 * (i + j * body.grid.cells_x), 2 * (i + j * body.grid.cells_x) + 1}) {
    const auto& corners = boundary.triangles()[static_cast<std::size_t>(triangle)];
    Mat3 edges = Mat3::Identity();
    edges.col(0) = boundary.rest(corners[1]) - boundary.rest(corners[0]);
    edges.col(1) = boundary.rest(corners[2]) - boundary.rest(corners[0]);
    const Vec3 part = edges.inverse() * (inside - boundary.rest(corners[0]));
    const Vec3 weights(1 - part.x() - part.y(), part.x(), part.y());
    if (!best.empty() && weights.minCoeff() <= most_inside) continue;
    most_inside = weights.minCoeff();
    best = boundary.weights_within(triangle, weights);
  }
  std::erase_if(best, [](const ColumnWeight& one) { return one.weight == 0; });
  return best;
}

}  // namespace

std::vector<ColumnWeight> weights_at(const BendingBody& body, const Vec3& p) {
  return body.is_sheet() ? sheet_weights(body, p) : weights_at(body.kind, p);
}

MaterialFrame::MaterialFrame(const BendingBody& body, const Columns& columns, const Vec3& p)
    : material_(p), weights_(weights_at(body, p)) {
  place_ = combined(weights_, columns);
  if (body.is_sheet()) return;
  const auto gradient = basis_gradient(body.kind, p);
  const Polar parts = polar(columns * gradient);
  rotation_ = parts.rotation;
  turning_ = rotation_ * parts.turning_of_skew() * rotation_.transpose();
  gradients_ = rotation_ * gradient.transpose();
}

Pose MaterialFrame::body_frame() const {
  return {place_ - rotation_ * material_, Quat(rotation_).normalized()};
}

Vec3 MaterialFrame::angular_velocity(const Columns& rates) const {
  Vec3 sum = Vec3::Zero();
  for (Eigen::Index k = 0; k < gradients_.cols(); ++k) {
    const Vec3 gradient = gradients_.col(k), rate = rates.col(k);
    sum += gradient.cross(rate);
  }
  return turning_ * sum;
}

void MaterialFrame::add(const Vec3& force, const Vec3& torque, Columns& generalised) const {
  add_force(weights_, force, generalised);
  if (torque.isZero(0)) return;
  const Vec3 turn = turning_ * torque;
  for (Eigen::Index k = 0; k < gradients_.cols(); ++k) {
    const Vec3 gradient = gradients_.col(k);
    generalised.col(k) += turn.cross(gradient);
  }
}

}  // namespace abut::flexible
