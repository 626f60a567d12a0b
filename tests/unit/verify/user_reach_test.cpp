// How far surfaces reach, as the verifier finds it, against closed forms and the simulator's
// answer.

#include "verify/user_reach.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/random_hulls.h"
#include "support/seeds.h"
#include "support/sizes.h"
#include "support/surfaces.h"
#include "verify/curved_judge.h"

namespace {

using namespace abut;
using verify::Solid;

Solid solid_of(const std::shared_ptr<const geometry::ClosedSurface>& surface) {
  model::Body body;
  body.parts = {{shape::UserSurface{surface}, {}, 1000, 0}};
  return verify::solids_of(body).at(0);
}

std::shared_ptr<const geometry::ClosedSurface> by_equation() {
  static const auto surface = test::proven(
      test::implicit("(x/0.5)^2 + (y/0.3)^2 + (z/0.2)^2 - 1", {-0.6, -0.4, -0.3}, {0.6, 0.4, 0.3}));
  return surface;
}

std::shared_ptr<const geometry::ClosedSurface> by_parameters() {
  static const auto surface = test::proven(test::parametric(
      {"0.5*cos(u)*sin(v)", "0.3*sin(u)*sin(v)", "0.2*cos(v)"}, {0, 2 * M_PI}, {0, M_PI}));
  return surface;
}

TEST(UserReach, IsThatOfAnEllipsoid) {
  test::Random random(abut::test::seed(6, abut::test::few_rounds));
  for (const auto& surface : {by_equation(), by_parameters()}) {
    const Solid solid = solid_of(surface);
    ASSERT_EQ(solid.kind, verify::SolidKind::curved);
    for (int i = 0; i < test::cases(60); ++i) {
      Vec3 m = test::random_direction(random);
      if (i % 3 == 0) m = Vec3(1e-6 * m.x(), std::pow(10, -i / 4) * m.y(), 1).normalized();
      const double known = Vec3(0.5, 0.3, 0.2).cwiseProduct(m).norm();
      const double reach = verify::user_reach(solid, m);
      EXPECT_NEAR(reach, known, 2e-13) << surface->kind() << " " << m.transpose();
      EXPECT_LT(verify::user_level(solid, Vec3(0.5 * surface->patch(m).point)), -0.05);
      EXPECT_GT(verify::user_level(solid, Vec3(1.01 * surface->patch(m).point)), 1e-3);
    }
  }
}

TEST(UserReach, JudgesGapsAndOverlaps) {
  using verify::Outcome;
  for (const auto& surface : {by_equation(), by_parameters()}) {
    const Solid solid = solid_of(surface);
    model::Body floor;
    floor.parts = {{shape::Plane{}, {}, 1000, 0}};
    const Solid plane = verify::solids_of(floor).at(0);
    for (const double gap : {1e-9, 1e-11, -1e-9, -1e-3}) {
      BodyState on_pole, below, beside;
      on_pole.position = {0, 0, 0.2 + gap};
      verify::Hint hint;
      EXPECT_EQ(verify::judge_curved(solid, on_pole, plane, below, hint).outcome,
                gap > 0 ? Outcome::apart : Outcome::overlapping)
          << surface->kind() << " " << gap;
      beside.position = {1 + gap, 0, 0};
      const auto verdict = verify::judge_curved(solid, {}, solid, beside, hint);
      if (gap > 0) {
        EXPECT_EQ(verdict.outcome, Outcome::apart) << surface->kind() << " " << gap;
      } else {
        EXPECT_NE(verdict.outcome, Outcome::apart) << surface->kind() << " " << gap;
      }
    }
  }
}

}  // namespace
