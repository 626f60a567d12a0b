#include "abut/brep_index.h"

#include <gtest/gtest.h>

#include <cmath>

namespace abut {
namespace {

TEST(PublicBrepIndex, ClassifiesAgainstABox) {
  const BrepIndex box(Shape::box(Vec3(2, 4, 6)));
  EXPECT_EQ(box.face_count(), 6);
  EXPECT_EQ(box.edge_count(), 12);
  EXPECT_EQ(box.vertex_count(), 8);
  EXPECT_EQ(box.classify(Vec3(0, 0, 0)).locus, Locus::in);
  EXPECT_EQ(box.classify(Vec3(0, 0, 3.5)).locus, Locus::out);
  const Where top = box.classify(Vec3(0.5, 1, 3));
  EXPECT_EQ(top, (Where{Locus::on_face, 5}));
  EXPECT_EQ(box.face_normal(top.entity), Vec3::UnitZ());
  const Where corner = box.classify(Vec3(1, 2, 3));
  ASSERT_EQ(corner.locus, Locus::on_vertex);
  EXPECT_EQ(box.vertex(corner.entity), Vec3(1, 2, 3));
  const Where edge = box.classify(Vec3(1, 2, 0));
  ASSERT_EQ(edge.locus, Locus::on_edge);
  EXPECT_EQ(box.edge_faces(edge.entity), (std::vector<int>{1, 3}));
  EXPECT_THROW(box.vertex(8), InputError);
  EXPECT_THROW(box.classify(Vec3(NAN, 0, 0)), InputError);
}

// A smaller box that stands in a corner of a larger one, turned by a quarter.
TEST(PublicBrepIndex, ClassifiesTheEdgesOfAnotherSolid) {
  const BrepIndex large(Shape::box(Vec3(4, 4, 4))), small(Shape::box(Vec3(2, 2, 2)));
  const Pose pose{Vec3(2, 0, 3), Quat(std::sqrt(0.5), 0, 0, std::sqrt(0.5))};
  int on_face = 0, out = 0;
  for (int edge = 0; edge < small.edge_count(); ++edge) {
    const SegmentClassification found = large.classify_edge(small, edge, pose);
    EXPECT_EQ(found.points.size(), found.stretches.size() + 1);
    bool is_out = true;
    for (const Where& where : found.stretches) {
      EXPECT_NE(where.locus, Locus::in);
      on_face += where == Where{Locus::on_face, 5} ? 1 : 0;
      is_out = is_out && where.locus == Locus::out;
    }
    out += is_out ? 1 : 0;
  }
  EXPECT_EQ(on_face, 3);  // one edge of its lower face all along, two half
  EXPECT_EQ(out, 9);
}

TEST(PublicBrepIndex, RefusesCurvedShapes) {
  EXPECT_THROW(BrepIndex(Shape::sphere(1)), InputError);
  EXPECT_THROW(BrepIndex(Shape::convex({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, 0.1)),
               InputError);
}

}  // namespace
}  // namespace abut
