// The contacts of bodies with several parts: those of their outline, whatever it is made of.

#include "contact/hold.h"
#include "contact/reduced.h"
#include "unit/contact/contact_testing.h"

namespace abut::contact {
namespace {

using test::at;
using test::touching;

constexpr double rest = 0.2 * touching;

// Boxes side by side along x, with their tops at z = 0, from x = 0 on; `between` m apart.
model::Body row(int count, double length, double between) {
  model::Body body;
  for (int i = 0; i < count; ++i)
    body.parts.push_back({shape::Box{Vec3(length, 1, 0.5)},
                          {Vec3(i * (length + between) + length / 2, 0, -0.25), Quat::Identity()},
                          1000,
                          0});
  return body;
}

std::vector<Contact> contacts(const model::Body& a, const Pose& pose_a, const model::Body& b,
                              const Pose& pose_b) {
  const narrow::BodyShape shape_a(a), shape_b(b);
  std::vector<Contact> all;
  for (const ContactRegion& region : test::regions(a, pose_a, b, pose_b))
    for (const Contact& contact : contacts_of(region, a, shape_a, pose_a, b, shape_b, pose_b))
      all.push_back(contact);
  return reduced(std::move(all), {pose_a}, {pose_b}, touching);
}

TEST(UnionContacts, ABallFeelsNoSeam) {
  const double radius = 0.1;
  for (const double overlap : {0.0, 0.3})
    for (const double x :
         {-1e-5, -1e-6, -1e-8, -1e-9, -1e-12, 0.0, 1e-12, 1e-9, 1e-8, 1e-6, 1e-5}) {
      const Pose ball = at(1 + x, 0.2, radius + rest);
      const auto found = contacts(test::sphere(radius), ball, row(2, 1, -overlap), {});
      ASSERT_EQ(found.size(), 1U) << x << " " << overlap;
      const ContactNow now = evaluate(found[0], {ball}, {});
      EXPECT_NEAR(now.row.value, rest, 1e-15);
      EXPECT_LT((now.normal - Vec3::UnitZ()).norm(), 1e-7) << x;
    }
}

TEST(UnionContacts, ACornerInACornerTouchesAllItsWalls) {
  model::Body corner;
  for (const auto& [size, centre] :
       {std::pair(Vec3(5, 5, 1), Vec3(1.5, 1.5, -0.5)),
        std::pair(Vec3(1, 5, 4), Vec3(-0.5, 1.5, 2)), std::pair(Vec3(4, 1, 4), Vec3(2, -0.5, 2))})
    corner.parts.push_back({shape::Box{size}, {centre, Quat::Identity()}, 1000, 0});
  const model::Body tip = test::hull({{0, 0, 0}, {3, 1, 1}, {1, 3, 1}, {1, 1, 3}});
  const auto found = test::regions(tip, {}, corner, {});
  ASSERT_EQ(found.size(), 3U);
  const Vec3 expected[] = {Vec3::UnitZ(), Vec3::UnitX(), Vec3::UnitY()};
  for (int i = 0; i < 3; ++i)
    EXPECT_LT((found[i].normal - expected[i]).norm(), 1e-12) << found[i].normal.transpose();
}

TEST(UnionContacts, CombsOnEachOtherTouchAsTheirOutlineDoes) {
  const model::Body comb = row(16, 0.08, 0.02);
  const Pose above = at(0, 0, 0.5 + rest);
  const auto found = contacts(comb, above, comb, {});
  std::vector<Vec3> places;
  for (const Contact& contact : found)
    places.push_back(place_of(contact, evaluate(contact, {above}, {})));
  const double end = 16 * 0.08 + 15 * 0.02;
  EXPECT_EQ(found.size(), 4U);
  EXPECT_LT(test::mismatch(places, {{0, -0.5, 0}, {end, -0.5, 0}, {end, 0.5, 0}, {0, 0.5, 0}}),
            1e-9);
  // Every tooth is held: those in the middle by the contacts of the outer ones.
  const narrow::BodyShape shape(comb);
  const auto holds = holds_of(found, comb, shape, {above}, comb, shape, {});
  EXPECT_EQ(holds.size(), 16U);
}

TEST(UnionContacts, PartsWithOtherLawsKeepTheirContacts) {
  const model::Body floor = row(2, 1, 0), box = test::box(1, 0.5, 0.5);
  const narrow::BodyShape shape_a(box), shape_b(floor);
  const Pose above = at(1, 0, 0.25 + rest);
  std::vector<Contact> all;
  for (const ContactRegion& region : test::regions(box, above, floor, {}))
    for (const Contact& contact : contacts_of(region, box, shape_a, above, floor, shape_b, {}))
      all.push_back(contact);
  EXPECT_EQ(reduced(all, {above}, {}, touching).size(), 4U);
  for (Contact& contact : all)
    contact.friction = {0.1 + contact.label.part_b, 0.1 + contact.label.part_b};
  EXPECT_EQ(reduced(all, {above}, {}, touching).size(), 6U);
}

}  // namespace
}  // namespace abut::contact
