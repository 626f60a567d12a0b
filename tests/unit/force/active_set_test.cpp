// Forces of contacts and joints at an instant, against statics and dense algebra.

#include "force/active_set.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/constants.h"
#include "support/dense.h"
#include "support/models.h"
#include "support/seeds.h"
#include "unit/impulse/random_rows.h"

namespace abut::force {
namespace {

using test::RandomRows;

using abut::test::g;

/// A box of 1000 kg with its centre 0.5 above the ground and legs at the given places.
struct Table {
  model::Model model = test::empty_model(1);
  std::vector<body::RigidMotion> motions;
  std::vector<Inertia> inertias;
  ConstraintSet set;
  std::vector<impulse::Support> supports;
  std::vector<Twist> free;

  /// With friction, each leg is said to begin to slip along x.
  explicit Table(const std::vector<Vec3>& legs, double friction = 0) {
    model.bodies.push_back(test::body_of(shape::Box{Vec3(1, 1, 1)}));
    motions = {{{Vec3(0, 0, 0.5), Quat::Identity()}, Vec3::Zero(), Vec3::Zero()}};
    inertias = {Inertia::of(model.bodies[0].mass, Quat::Identity())};
    std::vector<contact::Contact> contacts;
    for (const Vec3& leg : legs) {
      contact::Contact contact;
      contact.bodies = {0, world};
      contact.features[0].point = leg - motions[0].pose.position;
      contact.friction = {friction, friction};
      if (friction > 0) contact.give_way(Vec3::UnitX());
      contacts.push_back(contact);
    }
    set = ConstraintSet(model, {0}, contacts, {}, {}, {});
    supports.assign(set.supports().size(), {});
    free = {{Vec3(0, 0, -g), Vec3::Zero()}};
  }
  BodiesNow now() const { return {motions, supports}; }
  ContactForces found() const { return find_forces(set, now(), inertias, free); }
  Vector reported() const { return least_norm_forces(set, now(), inertias, free); }
  impulse::RowSystem system() const { return {set.evaluate(now()).rows, inertias}; }
};

TEST(ContactForces, ATableStandsAndItsLegsShareAlike) {
  const Table table({Vec3(1, 1, 0), Vec3(-1, 1, 0), Vec3(-1, -1, 0), Vec3(1, -1, 0)});
  const ContactForces found = table.found();
  ASSERT_EQ(found.status, lcp::Status::solved);
  EXPECT_NEAR(found.forces.sum(), 1000 * g, 1e-8);
  EXPECT_LT(found.accelerations.cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT((found.free - Vector::Constant(4, -g)).norm(), 1e-13);
  const Vector shares = table.reported();
  EXPECT_LT((shares - Vector::Constant(4, 250 * g)).norm(), 1e-7);
}

// Slip begins where the legs accelerate to, whatever was expected of them before.
TEST(ContactForces, ATableThatIsPushedSlipsWhereItIsPushed) {
  Table table({Vec3(1, 1, 0), Vec3(-1, 1, 0), Vec3(-1, -1, 0), Vec3(1, -1, 0)}, 0.5);
  const Vec3 across(-0.6, 0.8, 0);
  table.free[0].linear += 0.7 * g * across;
  const ContactForces found = table.found();
  ASSERT_EQ(found.status, lcp::Status::solved);
  Vec3 force = Vec3::Zero();
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(found.modes[i].mode, FrictionMode::slides);
    EXPECT_LT((found.modes[i].along - across).norm(), 1e-9);
    force += found.on_a[i];
  }
  EXPECT_LT((force - 1000 * g * (Vec3::UnitZ() - 0.5 * across)).norm(), 1e-6);
}

// One that is pushed too little stays, also if it was thought to slip.
TEST(ContactForces, ATableThatIsPushedTooLittleStays) {
  Table table({Vec3(1, 1, 0), Vec3(-1, 1, 0), Vec3(-1, -1, 0), Vec3(1, -1, 0)}, 0.5);
  table.free[0].linear += 0.3 * g * Vec3(-0.6, 0.8, 0);
  const ContactForces found = table.found();
  ASSERT_EQ(found.status, lcp::Status::solved);
  for (const ContactMode& mode : found.modes) EXPECT_EQ(mode.mode, FrictionMode::sticks);
  EXPECT_LT(found.accelerations.cwiseAbs().maxCoeff(), 1e-11);
}

// Where all legs press, least norm is the pseudo-inverse; where that would pull, no leg pulls and
// the table moves the same.
TEST(ContactForces, LeastNormIsThePseudoInverseWhereAllLegsPress) {
  RandomRows random(test::seed(1));
  int pressed = 0, lifted = 0;
  for (int round = 0; round < 200; ++round) {
    SCOPED_TRACE(round);
    std::vector<Vec3> legs;
    for (int i = random.whole(1, 8); i > 0; --i)
      legs.emplace_back(random.number(-1, 1), random.number(-1, 1), 0);
    const Table table(legs);
    const ContactForces found = table.found();
    ASSERT_EQ(found.status, lcp::Status::solved);
    const Vector shares = table.reported();
    const impulse::RowSystem system = table.system();
    EXPECT_LT((system.along(system.response(shares - found.forces))).norm(), 1e-8 * g);
    EXPECT_GT(shares.minCoeff(), -1e-8 * 1000 * g);
    EXPECT_LE(shares.norm(), found.forces.norm() * (1 + 1e-9));
    const impulse::Matrix a = system.matrix();
    const Vector all = test::least_norm_solution(a, -found.free);
    const bool holds = (a * all + found.free).norm() < 1e-9 && all.minCoeff() > 1e-6;
    ++(holds ? pressed : lifted);
    EXPECT_TRUE(!holds || (shares - all).norm() < 1e-6 * all.norm());
  }
  EXPECT_GT(pressed, 20);
  EXPECT_GT(lifted, 20);
}

TEST(ContactForces, ALegThatDoesNotPressRises) {
  const Table table({Vec3(0.5, 0, 0), Vec3(1, 0, 0)});  // both on one side: it tips over the inner
  const ContactForces found = table.found();
  EXPECT_GT(found.forces[0], 0);
  EXPECT_EQ(found.forces[1], 0);
  EXPECT_NEAR(found.accelerations[0], 0, 1e-12);
  EXPECT_GT(found.accelerations[1], 0);
  EXPECT_EQ(found.basis, std::vector<int>{0});
}

/// A beam on a hinge about y whose motor keeps it still; its centre is 1 m away along `side` * x.
ContactForces held_by_motor(double side, double most) {
  model::Model model = test::empty_model(1);
  model.bodies.push_back(test::body_of(shape::Box{Vec3(1, 1, 1)}));
  model.bodies[0].pose.position = Vec3(side, 0, 0);
  joint::Joint hinge;
  hinge.name = "hinge";
  hinge.type = joint::Type::hinge;
  hinge.bodies = {world, 0};
  hinge.frames[0].orientation = hinge.frames[1].orientation =
      test::turn_between(Vec3::UnitZ(), Vec3::UnitY());
  hinge.frames[1].position = Vec3(-side, 0, 0);
  hinge.motor = joint::Motor{0, most};
  model.joints.push_back(hinge);
  const std::vector<body::RigidMotion> motions = {
      {model.bodies[0].pose, Vec3::Zero(), Vec3::Zero()}};
  const std::vector<Inertia> inertias = {Inertia::of(model.bodies[0].mass, Quat::Identity())};
  const ConstraintSet set(model, {0}, {}, {}, {{0, impulse::Drive::keeps}}, {0});
  const std::vector<impulse::Support> supports(set.supports().size());
  return find_forces(set, {motions, supports}, inertias, {{Vec3(0, 0, -g), Vec3::Zero()}});
}

// A motor of limited force pushes and brakes: whichever way its load turns it.
TEST(ContactForces, AMotorHoldsItsLoadEitherWay) {
  for (const double side : {1.0, -1.0}) {
    const ContactForces found = held_by_motor(side, 2e4);
    ASSERT_EQ(found.status, lcp::Status::solved);
    EXPECT_NEAR(std::abs(found.forces[0]), 1000 * g, 1e-8);
    EXPECT_LT(found.accelerations.cwiseAbs().maxCoeff(), 1e-11);
  }
  EXPECT_NEAR(held_by_motor(1, 2e4).forces[0], -held_by_motor(-1, 2e4).forces[0], 1e-8);
}

TEST(ContactForces, AMotorThatIsTooWeakGivesAllItHas) {
  for (const double side : {1.0, -1.0}) {
    const ContactForces found = held_by_motor(side, 500 * g);
    EXPECT_NEAR(std::abs(found.forces[0]), 500 * g, 1e-9);
    EXPECT_GT(std::abs(found.accelerations[0]), 1);
  }
}

/// Painleve's rod: it leans by 0.5 rad from the vertical, turns about its centre, and its lower end
/// slides over the ground.
struct SlidingRod {
  model::Model model = test::empty_model(1);
  std::vector<body::RigidMotion> motions;
  std::vector<Inertia> inertias;
  ConstraintSet set;
  std::vector<impulse::Support> supports;
  static constexpr double lean = 0.5, half = 0.5;

  SlidingRod(double friction, double spin) {
    model.gravity = Vec3(0, 0, -g);
    model.bodies.push_back(test::body_of(shape::Box{Vec3(0.01, 0.01, 2 * half)}));
    const Quat attitude(Eigen::AngleAxisd(lean, Vec3::UnitY()));
    const Vec3 centre(0, 0, half * std::cos(lean));
    motions = {{{centre, attitude}, Vec3(-3, 0, 0), Vec3(0, spin, 0)}};
    inertias = {Inertia::of(model.bodies[0].mass, attitude)};
    contact::Contact contact;
    contact.bodies = {0, world};
    contact.features[0].point = Vec3(0, 0, -half);
    contact.friction = {friction, friction};
    set = ConstraintSet(model, {0}, {contact}, {}, {}, {});
    supports.assign(set.supports().size(), {});
    // The end must neither rise nor sink.
    const double rate = set.evaluate(now()).rows[0].row.rate;
    motions[0].velocity.z() -= rate;
  }
  BodiesNow now() const { return {motions, supports}; }
  ContactForces found() const {
    return find_forces(set, now(), inertias, {{Vec3(0, 0, -g), Vec3::Zero()}});
  }
  /// What a unit of force, with the friction of a slip towards -x, does to the end's acceleration.
  /// With s = half sin, c = half cos: (1 + (m / I) s (s - mu c)) / m.
  double effect(double friction) const {
    const body::Mass& mass = model.bodies[0].mass;
    const double moment = mass.principal.maxCoeff();
    const double s = half * std::sin(lean), c = half * std::cos(lean);
    return 1 / mass.mass + s * (s - friction * c) / moment;
  }
  /// The acceleration of the end without a force: it falls, and the turn lifts it.
  static double free_acceleration(double spin) { return half * std::cos(lean) * spin * spin - g; }
};

// The closed form has one solution, a force or none, where effect > 0; none where a contact is
// pressed by its own friction and falls; two where it is and does not.
TEST(ContactForces, PainlevesRodHasNoneOneOrTwoSolutions) {
  int seen[3] = {0, 0, 0};
  for (const double friction : {0.2, 0.6, 1.0, 1.2, 1.3, 1.4, 1.5, 2.0, 4.0})
    for (const double spin : {0.0, 3.0, 6.6, 6.8, 12.0}) {
      SCOPED_TRACE(testing::Message() << "friction " << friction << ", spin " << spin);
      const SlidingRod rod(friction, spin);
      const ContactForces found = rod.found();
      const double effect = rod.effect(friction), falls = rod.free_acceleration(spin);
      ASSERT_NEAR(found.free.size() > 0 ? found.free[0] : falls, falls, 1e-9);
      const int solutions = effect > 0 ? 1 : falls < 0 ? 0 : 2;
      ++seen[solutions];
      EXPECT_EQ(found.status == lcp::Status::solved, solutions > 0);
      EXPECT_EQ(found.is_one_of_two, solutions == 2);
      if (solutions == 0) {
        EXPECT_EQ(found.status, lcp::Status::no_solution);
        continue;
      }
      const double force = falls < 0 ? -falls / effect : 0;
      EXPECT_NEAR(found.forces[0], force, 1e-9 * (1 + force));
    }
  for (const int count : seen) EXPECT_GT(count, 3);
}

/// A box that slides on its four corners.
struct SlidingBox {
  model::Model model = test::empty_model(1);
  std::vector<body::RigidMotion> motions;
  std::vector<Inertia> inertias;
  ConstraintSet set;
  std::vector<impulse::Support> supports;

  SlidingBox(const Vec3& velocity, double spin) {
    model.gravity = Vec3(0, 0, -g);
    model.bodies.push_back(test::body_of(shape::Box{Vec3(1, 1, 1)}));
    motions = {{{Vec3(0, 0, 0.5), Quat::Identity()}, velocity, Vec3(0, 0, spin)}};
    inertias = {Inertia::of(model.bodies[0].mass, Quat::Identity())};
    std::vector<contact::Contact> contacts(4);
    for (int i = 0; i < 4; ++i) {
      contacts[i].bodies = {0, world};
      contacts[i].features[0].point = Vec3(i % 2 - 0.5, i / 2 - 0.5, -0.5);
      contacts[i].friction = {0.5, 0.5};
    }
    set = ConstraintSet(model, {0}, contacts, {}, {}, {});
    supports.assign(set.supports().size(), {});
  }
  int straight() const {
    const ContactForces found =
        find_forces(set, {motions, supports}, inertias, {{Vec3(0, 0, -g), Vec3::Zero()}});
    EXPECT_EQ(found.status, lcp::Status::solved);
    return static_cast<int>(
        std::count_if(found.modes.begin(), found.modes.end(),
                      [](const ContactMode& mode) { return mode.is_straight; }));
  }
};

// Only slow slip that goes straight on may be guided: fast slip can be followed, and where the box
// turns friction turns the slip of its corners.
TEST(ContactForces, SlowSlipGoesStraightWhereNothingTurnsIt) {
  const Vec3 along = Vec3(3, 4, 0).normalized();
  for (const double speed : {1e-8, 1e-6, 1e-4, 1e-3})
    EXPECT_EQ(SlidingBox(speed * along, 0).straight(), 4) << speed;
  EXPECT_EQ(SlidingBox(0.1 * along, 0).straight(), 0);
  EXPECT_EQ(SlidingBox(1e-3 * along, 1e-3).straight(), 0);
}

}  // namespace
}  // namespace abut::force
