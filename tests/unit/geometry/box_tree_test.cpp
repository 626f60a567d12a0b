#include "geometry/box_tree.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

using namespace abut;
using namespace abut::geometry;

RC_GTEST_PROP(BoxTree, FindsWhatAComparisonOfAllFinds, ()) {
  const auto box = [] {
    const auto c = [](int most) { return double(*rc::gen::inRange(0, most)); };
    const Vec3 low(c(20), c(20), c(20));
    return Box3(low, low + Vec3(c(4), c(4), c(4)));
  };
  std::vector<Box3> boxes;
  const int count = *rc::gen::inRange(0, 100);
  for (int i = 0; i < count; ++i) boxes.push_back(box());
  const Box3 query = box();
  std::vector<int> expected;
  for (int i = 0; i < count; ++i) {
    if (boxes[i].intersects(query)) expected.push_back(i);
  }
  std::vector<int> found;
  BoxTree(boxes).find_overlapping(query, found);
  std::sort(found.begin(), found.end());
  RC_ASSERT(found == expected);
}

TEST(BoxTree, ManyEqualBoxes) {
  const std::vector<Box3> boxes(1000, Box3(Vec3::Zero(), Vec3::Ones()));
  std::vector<int> found;
  BoxTree(boxes).find_overlapping(Box3(Vec3::Ones(), Vec3::Constant(2)), found);
  EXPECT_EQ(found.size(), 1000u);  // touching counts
}
