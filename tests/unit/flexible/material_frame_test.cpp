#include "flexible/material_frame.h"

#include <gtest/gtest.h>

#include "support/bending.h"

namespace abut::flexible {
namespace {

const Vec3 point(0.2, -0.1, 0.3);

// The angular velocity is that of the polar rotation as it is found a moment later.
TEST(MaterialFrame, TurnsAsItsRotationDoes) {
  std::mt19937 random(7);
  for (const int order : {1, 2}) {
    const auto body = test::bending_box(order, {0.6, 0.5, 1});
    const Columns columns = test::deformed(*body, 0.1, random);
    const Columns rates = test::random_columns(columns.cols(), 1, random);
    const double h = 1e-6;
    const MaterialFrame now(*body, columns, point), before(*body, columns - h * rates, point),
        after(*body, columns + h * rates, point);
    const Mat3 turn = (after.rotation() - before.rotation()) / (2 * h) * now.rotation().transpose();
    const Vec3 spin(turn(2, 1), turn(0, 2), turn(1, 0));
    EXPECT_LT((now.angular_velocity(rates) - spin).norm(), 1e-8 * (1 + spin.norm())) << order;
    const Vec3 moved = (after.place() - before.place()) / (2 * h);
    EXPECT_LT((now.velocity(rates) - moved).norm(), 1e-9 * (1 + moved.norm())) << order;
  }
}

// The power of force and torque is that of the generalised force, which has their resultant and
// their moment.
TEST(MaterialFrame, ForceAndTorqueActThroughTheColumns) {
  std::mt19937 random(8);
  const Vec3 force(3, -2, 5), torque(0.7, 4, -1);
  for (const int order : {1, 2}) {
    const auto body = test::bending_box(order, {0.6, 0.5, 1});
    const Columns columns = test::deformed(*body, 0.1, random);
    const Columns rates = test::random_columns(columns.cols(), 1, random);
    const MaterialFrame frame(*body, columns, point);
    Columns generalised = Columns::Zero(3, columns.cols());
    frame.add(force, torque, generalised);
    const double power =
        force.dot(frame.velocity(rates)) + torque.dot(frame.angular_velocity(rates));
    EXPECT_NEAR(test::dot(generalised, rates), power, 1e-12 * std::abs(power)) << order;
    EXPECT_LT((generalised * body->mass.one() - force).norm(), 1e-13) << order;
    Vec3 moment = Vec3::Zero();
    for (Eigen::Index k = 0; k < columns.cols(); ++k) {
      const Vec3 r = columns.col(k), f = generalised.col(k);
      moment += r.cross(f);
    }
    EXPECT_LT((moment - torque - frame.place().cross(force)).norm(), 1e-11) << order;
  }
}

// Every point of a sheet at rest is where its weights say, on both kinds of cells.
TEST(MaterialFrame, PointsOfSheetsAreWithinTheirTriangles) {
  SheetShape shape;
  shape.size_x = 1.2;
  shape.size_y = 0.6;
  shape.cells_x = 3;
  shape.cells_y = 2;
  shape.stretch = 1;
  const auto sheet = make_sheet(shape);
  const Columns columns = placed(*sheet, Pose{});
  for (double x = -0.6; x <= 0.6; x += 0.13)
    for (double y = -0.3; y <= 0.3; y += 0.07) {
      const auto weights = weights_at(*sheet, Vec3(x, y, 0));
      for (const ColumnWeight& one : weights) EXPECT_GE(one.weight, -1e-12);
      EXPECT_LT((combined(weights, columns) - Vec3(x, y, 0)).norm(), 1e-14);
    }
  const Vec3 beyond = combined(weights_at(*sheet, Vec3(2, -5, 1)), columns);
  EXPECT_LT((beyond - Vec3(0.6, -0.3, 0)).norm(), 1e-14);
}

}  // namespace
}  // namespace abut::flexible
