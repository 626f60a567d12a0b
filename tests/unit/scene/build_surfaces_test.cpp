// Surfaces in scene files, and what is told about bad ones, and where.

#include <gtest/gtest.h>

#include "geometry/closed_surface.h"
#include "unit/scene/scene_testing.h"

using namespace scene_testing;

namespace {

std::string implicit(const std::string& function, const std::string& bounds) {
  return "    shape:\n      implicit:\n        function: \"" + function +
         "\"\n        bounds: " + bounds + "\n";
}

std::string parametric(const std::string& x, const std::string& u, const std::string& v) {
  return "    shape:\n      parametric:\n        x: \"" + x +
         "\"\n        y: sin(u)*sin(v)\n        z: cos(v)\n        u: " + u + "\n        v: " + v +
         "\n";
}

const std::string wide_bounds = "[[-2, -2, -2], [2, 2, 2]]";

const abut::geometry::ClosedSurface& surface_of(const abut::model::Model& model) {
  return *std::get<abut::shape::UserSurface>(model.bodies.at(0).parts.at(0).geometry).surface;
}

TEST(BuildSurfaces, LoadsBothKinds) {
  const auto egg = load(with_body(implicit("x^2/4 + y^2 + z^2 - 1", wide_bounds)));
  EXPECT_EQ(surface_of(egg).kind(), "implicit");
  EXPECT_TRUE(surface_of(egg).is_convex());
  EXPECT_NEAR(egg.bodies[0].mass.mass, 1000 * 8.0 / 3 * M_PI, 1e-8);
  const auto ball = load(with_body(parametric("2*cos(u)*sin(v)", "[0, 2*pi]", "[0, pi]")));
  EXPECT_EQ(surface_of(ball).kind(), "parametric");
  EXPECT_TRUE(surface_of(ball).is_convex());
  EXPECT_NEAR(ball.bodies[0].mass.mass, 1000 * 8.0 / 3 * M_PI, 1e-8);
}

// Bodies with the same formula share what was found out about it.
TEST(BuildSurfaces, ChecksAFormulaOnce) {
  const std::string body = implicit("x^2/4 + y^2 + z^2 - 1", wide_bounds);
  const auto model = load(header + "bodies:\n  - name: a\n" + body + "  - name: b\n" + body +
                          "    position: [9, 0, 0]\n");
  EXPECT_EQ(
      &surface_of(model),
      std::get<abut::shape::UserSurface>(model.bodies.at(1).parts.at(0).geometry).surface.get());
}

TEST(BuildSurfaces, ErrorsAreLocated) {
  EXPECT_TRUE(
      one_error(body_errors(implicit("x^2 + y^2 + ", wide_bounds)), "7:32", "formula ends"));
  EXPECT_TRUE(one_error(body_errors(implicit("x^2 + w", wide_bounds)), "7:26", "`w` is not known"));
  EXPECT_TRUE(
      one_error(body_errors(implicit("x^2 + u", wide_bounds)), "7:26", "x, y, z, pi and e"));
  EXPECT_TRUE(one_error(body_errors(implicit("x^2 + y^2 - 1", wide_bounds)), "8:17", "not closed"));
  EXPECT_TRUE(one_error(body_errors(implicit("1 - x^2 - y^2 - z^2", wide_bounds)), "7:19",
                        "must be negative inside"));
  EXPECT_TRUE(
      one_error(body_errors(implicit("x^2 + y^2 + z^2 - 1/x", wide_bounds)), "7:19", "infinite"));
  EXPECT_TRUE(one_error(body_errors(implicit("x^2 + y^2 + z^2 - 1", "[[2, 2, 2], [-2, -2, -2]]")),
                        "8:17", "lower corner first"));
  EXPECT_TRUE(one_error(body_errors(implicit("x^2 + y^2 + z^2 - 1", "[[-2, -2, -1e7], [2, 2, 2]]")),
                        "8:17", "the bounds reach to 1e+07 m"));
  EXPECT_TRUE(one_error(body_errors(implicit("x^2 + y^2 + z^2 - 1e-18",
                                             "[[-2e-9, -2e-9, -2e-9], [2e-9, 2e-9, 2e-9]]")),
                        "8:17", "sizes must lie between"));
  EXPECT_TRUE(one_error(body_errors(parametric("cos(u)*sin(w)", "[0, 2*pi]", "[0, pi]")), "7:24",
                        "`w` is not known"));
  EXPECT_TRUE(one_error(body_errors(parametric("cos(u)*sin(v)", "[0, 2*pi]", "[0, pi/2]")), "10:12",
                        "not closed"));
  EXPECT_TRUE(one_error(body_errors(parametric("cos(u)*sin(v)/v", "[0, 2*pi]", "[0, pi]")), "7:12",
                        "no finite point"));
  std::string endless = "x^2 + y^2 + z^2 - 1";
  for (int i = 0; i < 250; ++i) endless += " + 0*x";
  EXPECT_TRUE(one_error(body_errors(implicit(endless, "[[-2, -2, -2], [2, 2, 2]]")), "7:19",
                        "506 operations, but 500 are the most"));
}

TEST(BuildSurfaces, WarnsOfWhatCannotTouch) {
  const auto loaded = abut::scene::load_scene_text(
      with_body(implicit("(x^2 + y^2 + z^2)^2 - 2*(x^2 - y^2 - z^2) - 0.5", wide_bounds)),
      "test.yaml");
  ASSERT_EQ(loaded.warnings.size(), 1u);
  EXPECT_NE(loaded.warnings[0].message.find("not strictly convex"), std::string::npos);
  EXPECT_EQ(loaded.warnings[0].location.line, 7);
}

}  // namespace
