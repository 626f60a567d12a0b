// Bodies that bend in the step clock: free flight, contact, sheets; nothing overlaps, books close.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/limits.h"
#include "flexible/make.h"
#include "loop/run.h"
#include "model/contact_law.h"
#include "support/models.h"

namespace abut {
namespace {

constexpr double weight = 9.81;

struct BentRun {
  model::Model model;
  test::KeepingSink sink;
  record::Summary summary;
};

model::Model scene_of(double duration) {
  model::Model model = test::empty_model(duration);
  model.gravity = Vec3(0, 0, -weight);
  model.record.rate = 100;
  model.solver.clock = model::Clock::step;
  model.solver.step = 0.005;
  return model;
}

void set_start(model::Body& body, const Pose& pose, const Vec3& velocity, const Vec3& spin) {
  const flexible::BendingBody& bending = *body.bending->body;
  body.pose = pose;
  body.velocity = velocity;
  body.angular_velocity = spin;
  body.bending->initial.columns = flexible::placed(bending, pose);
  body.bending->initial.rates =
      flexible::rigid_rates(bending, body.bending->initial.columns, velocity, spin);
}

/// A box of jelly.
model::Body jelly(int order, const Vec3& size, double young, const Pose& pose,
                  const Vec3& velocity = Vec3::Zero(), const Vec3& spin = Vec3::Zero(),
                  double damping = 0) {
  model::Body body = test::body_of(shape::Box{size});
  body.name = "jelly";
  flexible::BoundaryDetail detail;
  detail.cells = std::array{2, 2, 2};
  body.bending.emplace();
  body.bending->body = flexible::make_solid(order, body.parts, {young, 0.3, damping}, detail);
  set_start(body, pose, velocity, spin);
  return body;
}

model::Body cloth(double size, int cells, const Pose& pose) {
  model::Body body;
  body.name = "cloth";
  flexible::SheetShape sheet;
  sheet.size_x = sheet.size_y = size;
  sheet.cells_x = sheet.cells_y = cells;
  sheet.stretch = 500;
  sheet.shear = 100;
  sheet.bend = 0.5;
  sheet.damping = 0.01;
  sheet.thickness = 0.01;
  body.bending.emplace();
  body.bending->body = flexible::make_sheet(sheet);
  body.mass.mass = body.bending->body->mass.total();
  body.mass.principal = Vec3::Constant(body.mass.mass * size * size / 12);
  body.mass.inertia = body.mass.principal.asDiagonal();
  body.bounding_radius = size / std::sqrt(2.0);
  set_start(body, pose, Vec3::Zero(), Vec3::Zero());
  return body;
}

model::Body fixed(const shape::Geometry& geometry, const Vec3& position) {
  model::Body body;
  body.name = "support";
  body.motion = model::Fixed{};
  body.parts.push_back({geometry, {}, 1000, 0});
  body.pose.position = position;
  body.bounding_radius = shape::bounding_radius(body.parts, Vec3::Zero());
  return body;
}

BentRun run_bent(const model::Model& model) {
  BentRun ran{model, {}, {}};
  loop::RunOptions options;
  options.threads = 1;
  ran.summary = loop::run(ran.model, ran.sink, options);
  return ran;
}

double energy_of(const record::Frame& frame) {
  return frame.energy.mechanical();
}

void expect_apart(const BentRun& ran) {
  EXPECT_EQ(ran.summary.status, RunStatus::complete) << ran.summary.message;
  EXPECT_GT(ran.summary.min_gap, 0);
  EXPECT_EQ(ran.summary.forced_stops, 0);
}

/// The lowest point of the boundary of a body in a frame.
double lowest(const BentRun& ran, const record::Frame& frame, std::size_t body) {
  std::vector<Vec3> places;
  const flexible::BendingBody& bending = *ran.model.bodies[body].bending->body;
  bending.boundary.places(frame.bending[body].columns, places);
  double low = infinity;
  for (const Vec3& place : places) low = std::min(low, place.z() - bending.half_thickness);
  return low;
}

// Without contact a body that bends falls as a rigid one does.
TEST(Bending, FreeFallIsThatOfARigidBody) {
  for (const int order : {1, 2}) {
    model::Model model = scene_of(1);
    model.bodies.push_back(jelly(order, Vec3(1, 0.6, 0.4), 1e5, {}, Vec3(1, 2, 5)));
    const BentRun ran = run_bent(model);
    EXPECT_EQ(ran.summary.status, RunStatus::complete) << ran.summary.message;
    const BodyState& last = ran.sink.last(0);
    EXPECT_NEAR((last.position - Vec3(1, 2, 5 - weight / 2)).norm(), 0, 1e-9) << order;
    EXPECT_NEAR((last.velocity - Vec3(1, 2, 5 - weight)).norm(), 0, 1e-9) << order;
    EXPECT_NEAR(last.orientation.angularDistance(Quat::Identity()), 0, 1e-9) << order;
    EXPECT_LT(ran.summary.energy_error, 1e-9) << order;
    EXPECT_LT(ran.summary.momentum_error, 1e-9) << order;
  }
}

// A cube that is sheared swings with w^2 = 24 mu / (rho a^2) while it falls
// (docs/theory/bending.md): a hundred periods keep its energy, its momentum and its phase.
TEST(Bending, AFlightFollowsVibrations) {
  const double a = 0.7, mu = 1e5 / 2.6, small = 1e-6;
  const double omega = std::sqrt(24 * mu / (1000 * a * a)), period = 2 * std::numbers::pi / omega;
  for (const int order : {1, 2}) {
    model::Model model = scene_of(100.25 * period);
    model.solver.tolerance = 1e-11;
    model.bodies.push_back(jelly(order, Vec3::Constant(a), 1e5, {}, Vec3(1, 2, 5)));
    flexible::Columns& columns = model.bodies.back().bending->initial.columns;
    const int x = order == 1 ? 0 : 6, y = x + 1;
    columns(1, x) = columns(0, y) = small;
    const BentRun ran = run_bent(model);
    EXPECT_EQ(ran.summary.status, RunStatus::complete) << ran.summary.message;
    EXPECT_LT(ran.summary.energy_error, 1e-9) << order;
    EXPECT_LT(ran.summary.momentum_error, 1e-11) << order;
    const flexible::State& end = ran.sink.frames.back().bending[0];
    EXPECT_NEAR(end.rates(1, x) / (small * omega), -1, 1e-7) << order;
    // Where the cosine is zero a phase error shows: one of 1e-8 per radian is allowed.
    EXPECT_NEAR(end.columns(1, x) / small, 0, 1e-8 * 100.25 * 2 * std::numbers::pi) << order;
  }
}

// A stiff body turns as a rigid one, but for what the spin stretches it by; its momentum is kept.
TEST(Bending, SpinIsThatOfARigidBody) {
  for (const int order : {1, 2}) {
    model::Model model = scene_of(1);
    model.gravity.setZero();
    model.bodies.push_back(jelly(order, Vec3(1, 0.6, 0.4), 1e6, {}, Vec3::Zero(), Vec3(0, 0, 2)));
    const BentRun ran = run_bent(model);
    const BodyState& last = ran.sink.last(0);
    const Quat turned(Eigen::AngleAxisd(2, Vec3::UnitZ()));
    EXPECT_NEAR(last.orientation.angularDistance(turned), 0, 2e-3) << order;
    EXPECT_LT(ran.summary.momentum_error, 1e-9) << order;
    EXPECT_LT(ran.summary.energy_error, 1e-9) << order;
  }
}

// A cube of jelly falls on a plane, is squashed, and rebounds by its own elasticity: there is no
// restitution. Energy is never gained.
TEST(Bending, JellyReboundsFromAPlane) {
  for (const int order : {1, 2}) {
    model::Model model = scene_of(1.2);
    model.bodies.push_back(fixed(shape::Plane{}, Vec3::Zero()));
    model.bodies.push_back(jelly(order, Vec3(1, 1, 1), 4e5, {Vec3(0, 0, 1.0), Quat::Identity()}));
    const BentRun ran = run_bent(model);
    expect_apart(ran);
    double flattest = 1, highest = 0, least_dissipated = 0;
    for (const record::Frame& frame : ran.sink.frames) {
      EXPECT_GT(lowest(ran, frame, 1), 0);
      const double z = frame.bodies[1].centre_of_mass.z();
      if (frame.time < 0.5) flattest = std::min(flattest, z);
      if (frame.time > 0.5) highest = std::max(highest, z);
      least_dissipated = std::min(least_dissipated, frame.energy.dissipated);
    }
    EXPECT_LT(flattest, 0.45) << order;
    EXPECT_GT(highest, 0.6) << order;
    EXPECT_LT(highest, 1.0) << order;
    EXPECT_GT(least_dissipated, -0.02 * 1000 * weight * 0.5) << order;
    EXPECT_LT(energy_of(ran.sink.frames.back()), energy_of(ran.sink.frames.front())) << order;
    EXPECT_LT(ran.summary.momentum_error, 1e-2) << order;
  }
}

// A sheet that is held at its corners hangs still in the end, its weight on the pins.
TEST(Bending, ASheetHangsFromItsCorners) {
  model::Model model = scene_of(2);
  model.bodies.push_back(cloth(1, 8, {}));
  model::Bending& bending = *model.bodies[0].bending;
  const flexible::Grid& grid = bending.body->grid;
  for (const int i : {0, 8})
    for (const int j : {0, 8}) bending.holds.push_back({i, j, grid.node(i, j), world, "pin"});
  const BentRun ran = run_bent(model);
  expect_apart(ran);
  const flexible::State& last = ran.sink.frames.back().bending[0];
  for (const model::Hold& hold : bending.holds)
    EXPECT_NEAR((last.columns.col(hold.column) - bending.initial.columns.col(hold.column)).norm(),
                0, 1e-12);
  EXPECT_LT(last.columns.row(2).minCoeff(), -0.02);
  EXPECT_LT(last.rates.cwiseAbs().maxCoeff(), 0.5);
  EXPECT_LT(ran.summary.momentum_error, 1e-2);
}

// A cloth falls over a ball: no triangle of it comes nearer than half its thickness.
TEST(Bending, AClothFallsOverABall) {
  model::Model model = scene_of(1);
  model::set_friction(model, {0.3, 0.3});
  model.bodies.push_back(fixed(shape::Sphere{0.3}, Vec3::Zero()));
  model.bodies.push_back(cloth(1, 12, {Vec3(0.03, 0.02, 0.35), Quat::Identity()}));
  const BentRun ran = run_bent(model);
  expect_apart(ran);
  const flexible::BendingBody& sheet = *model.bodies[1].bending->body;
  for (const record::Frame& frame : ran.sink.frames) {
    std::vector<Vec3> places;
    sheet.boundary.places(frame.bending[1].columns, places);
    for (const Vec3& place : places) EXPECT_GT(place.norm(), 0.3 + sheet.half_thickness);
  }
  EXPECT_LT(lowest(ran, ran.sink.frames.back(), 1), 0.1);
}

// Two bodies that bend, one on the other, and a rigid one on top: one problem for all.
TEST(Bending, BodiesThatBendCarryOthers) {
  model::Model model = scene_of(0.8);
  model::set_friction(model, {0.5, 0.5});
  model.bodies.push_back(fixed(shape::Plane{}, Vec3::Zero()));
  model.bodies.push_back(jelly(1, Vec3(1, 1, 0.5), 1e6, {Vec3(0, 0, 0.26), Quat::Identity()},
                               Vec3::Zero(), Vec3::Zero(), 0.01));
  model.bodies.push_back(jelly(2, Vec3(0.8, 0.8, 0.5), 1e6, {Vec3(0, 0, 0.78), Quat::Identity()},
                               Vec3::Zero(), Vec3::Zero(), 0.01));
  model::Body top = test::body_of(shape::Box{Vec3(0.5, 0.5, 0.5)});
  top.pose.position = Vec3(0, 0, 1.3);
  model.bodies.push_back(top);
  const BentRun ran = run_bent(model);
  expect_apart(ran);
  EXPECT_NEAR(ran.sink.last(3).position.z(), 1.25, 0.05);
  EXPECT_LT(ran.sink.last(3).velocity.norm(), 0.1);
  EXPECT_LT(ran.summary.momentum_error, 1e-2);
}

}  // namespace
}  // namespace abut
