#include "clock/sheet_flatness.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "clock/surface_tree.h"
#include "flexible/make.h"

namespace abut::clock {
namespace {

constexpr double h = 0.01, margin = 0.05;

struct Sheet {
  Sheet() {
    flexible::SheetShape shape;
    shape.size_x = shape.size_y = 1;
    shape.cells_x = shape.cells_y = 12;
    shape.stretch = 1;
    body = flexible::make_sheet(shape);
    tree.emplace(body->boundary);
    flatness.emplace(*body, tree->groups(), [this](int a, int b) { return !share_corner(a, b); });
  }

  bool share_corner(int a, int b) const {
    const auto &x = body->boundary.triangles()[a], &y = body->boundary.triangles()[b];
    for (const int i : x)
      for (const int j : y)
        if (i == j) return true;
    return false;
  }

  // Wound about an axis with this radius, and on its way to one of half of it.
  MovingSurface wound(double radius) const {
    const auto place = [](const Vec3& rest, double r) {
      return Vec3(r * std::sin(rest.x() / r), rest.y(), r * (1 - std::cos(rest.x() / r)));
    };
    MovingSurface surface;
    surface.body = body.get();
    for (const Vec3& rest : body->boundary.rest()) {
      surface.places.push_back(place(rest, radius));
      surface.velocities.push_back((place(rest, radius / 2) - place(rest, radius)) / h);
    }
    return surface;
  }

  std::vector<SurfaceTree::Pair> pairs(const SheetFlatness* flat) const {
    std::vector<SurfaceTree::Pair> found;
    tree->find_own_pairs(margin, found, flat);
    std::erase_if(found, [this](const auto& pair) { return share_corner(pair[0], pair[1]); });
    return found;
  }

  std::shared_ptr<const flexible::BendingBody> body;
  std::optional<SurfaceTree> tree;
  std::optional<SheetFlatness> flatness;
};

TEST(SheetFlatness, LeavesOutOnlyWhatKeepsApart) {
  Sheet sheet;
  for (const double radius : {0.1, 0.3, 1.0, 10.0}) {
    const MovingSurface surface = sheet.wound(radius);
    sheet.tree->fit(surface, h);
    sheet.flatness->fit(surface, h);
    const auto all = sheet.pairs(nullptr), left = sheet.pairs(&*sheet.flatness);
    EXPECT_GT(all.size(), 100U);
    for (const auto& [a, b] : all) {
      if (std::find(left.begin(), left.end(), SurfaceTree::Pair{a, b}) != left.end()) continue;
      for (const double s : {0.0, 0.3 * h, h}) {
        const Corners others = surface.corners(b, s);
        Obstacle obstacle;
        obstacle.corners = others;
        EXPECT_GT(gap_between(surface.corners(a, s), obstacle).gap, margin);
      }
    }
  }
}

// Winding turns F and shortens nothing: a third of a turn is flat enough.
TEST(SheetFlatness, LeavesOutEverythingOfASheetThatIsWound) {
  Sheet sheet;
  MovingSurface surface = sheet.wound(0.5);
  surface.velocities.assign(surface.places.size(), Vec3(1, 2, 3));
  sheet.tree->fit(surface, h);
  sheet.flatness->fit(surface, h);
  EXPECT_GT(sheet.pairs(nullptr).size(), 100U);
  EXPECT_TRUE(sheet.pairs(&*sheet.flatness).empty());
}

TEST(SheetFlatness, LeavesOutEverythingOfAFlatSheet) {
  Sheet sheet;
  MovingSurface surface = sheet.wound(1);
  surface.places = sheet.body->boundary.rest();
  surface.velocities.assign(surface.places.size(), Vec3(1, 2, 3));
  sheet.tree->fit(surface, h);
  sheet.flatness->fit(surface, h);
  EXPECT_GT(sheet.pairs(nullptr).size(), 100U);
  EXPECT_TRUE(sheet.pairs(&*sheet.flatness).empty());
}

}  // namespace
}  // namespace abut::clock
