#include "clock/near_pair.h"

#include <gtest/gtest.h>

#include <random>

#include "math/rotation.h"
#include "support/models.h"
#include "support/seeds.h"
#include "support/sizes.h"

namespace abut::clock {
namespace {

StepContact contact_with(const Vec3& normal, double gap) {
  StepContact contact;
  contact.normal = normal;
  contact.gap = gap;
  contact.kept = 1e-4;
  return contact;
}

TEST(FitToPlay, ContactsThatFaceEachOtherShareThePlay) {
  std::vector<StepContact> contacts = {contact_with(Vec3::UnitX(), 1e-5),
                                       contact_with(-Vec3::UnitX(), 3e-5),
                                       contact_with(Vec3::UnitZ(), 0)};
  fit_to_play(contacts, 1e-8);
  EXPECT_NEAR(contacts[0].kept, 1e-5, 1e-18);
  EXPECT_NEAR(contacts[1].kept, 1e-5, 1e-18);
  EXPECT_EQ(contacts[2].kept, 1e-4);
}

TEST(FitToPlay, LeavesContactsAloneThatHaveRoom) {
  std::vector<StepContact> contacts = {contact_with(Vec3::UnitX(), 1e-3),
                                       contact_with(-Vec3::UnitX(), 0),
                                       contact_with(Vec3::UnitX(), 2e-3)};
  fit_to_play(contacts, 1e-8);
  for (const StepContact& contact : contacts) EXPECT_EQ(contact.kept, 1e-4);
}

TEST(FitToPlay, AlwaysWantsTheLeast) {
  std::vector<StepContact> contacts = {contact_with(Vec3::UnitY(), 0),
                                       contact_with(-Vec3::UnitY(), 0)};
  fit_to_play(contacts, 1e-8);
  for (const StepContact& contact : contacts) EXPECT_EQ(contact.kept, 1e-8);
}

// A pin that leans in its hole: at its top it touches one wall, at its foot the other one.
TEST(FitToPlay, LeavesRoomToWhatCanStandUp) {
  std::vector<StepContact> contacts = {contact_with(Vec3::UnitX(), 0),
                                       contact_with(-Vec3::UnitX(), 0)};
  contacts[0].arms[0] = Vec3(-0.005, 0, 0.1);
  contacts[1].arms[0] = Vec3(0.005, 0, -0.1);
  fit_to_play(contacts, 1e-8, Quat::Identity());
  for (const StepContact& contact : contacts) EXPECT_EQ(contact.kept, 1e-4);
  // What is just opposite is not opened by turning; nor is anything where a joint holds it.
  contacts[1].arms[0].z() = 0.099;
  fit_to_play(contacts, 1e-8, Quat::Identity());
  for (const StepContact& contact : contacts) EXPECT_EQ(contact.kept, 1e-8);
  contacts = {contact_with(Vec3::UnitX(), 0), contact_with(-Vec3::UnitX(), 0)};
  contacts[0].arms[0].z() = 0.1;
  fit_to_play(contacts, 1e-8);
  for (const StepContact& contact : contacts) EXPECT_EQ(contact.kept, 1e-8);
}

// Where bodies have moved by a little, gaps between the same features are what the search finds
// there: of corners over faces and of edges that cross.
TEST(NearPair, GapsFollowTheirFeatures) {
  model::Model model = test::empty_model(1);
  for (int i = 0; i < 2; ++i) model.bodies.push_back(test::body_of(shape::Box{Vec3(1, 1, 1)}));
  const auto shape = std::make_shared<const narrow::BodyShape>(model.bodies[0]);
  std::mt19937 random(test::seed(3));
  std::uniform_real_distribution<double> unit(-1, 1);
  const auto vector = [&](double size) {
    return Vec3(size * Vec3(unit(random), unit(random), unit(random)));
  };
  int faces = 0, edges = 0;
  for (int i = 0; i < test::cases(200); ++i) {
    NearPair pair(model, 0, 1, shape, shape);
    // A corner comes down on a face, or an edge on an edge across it.
    const bool crossing = i % 2 == 0;
    const Quat lean = math::rotation_exp(crossing ? Vec3(M_PI / 4, 0, 0) : Vec3(0, 0, 0));
    const Quat other =
        crossing ? math::rotation_exp(Vec3(0, M_PI / 4, 0)) : math::rotation_exp(Vec3(0.6, 0.5, 0));
    std::array<Pose, 2> before = {Pose{Vec3::Zero(), other * math::rotation_exp(vector(0.1))},
                                  Pose{Vec3::Zero(), lean * math::rotation_exp(vector(0.1))}};
    before[0].position = Vec3(0.1 * unit(random), 0.1 * unit(random), 2);
    for (int k = 0; k < 4; ++k)
      before[0].position.z() -= pair.separation(before[0], before[1])->gap - 1e-3;
    const std::vector<StepContact> contacts = pair.contacts_found(before[0], before[1], 2e-3);
    std::array<Pose, 2> after = before;
    for (Pose& pose : after) {
      pose.position += vector(1e-4);
      pose.orientation = math::rotation_exp(vector(1e-4)) * pose.orientation;
    }
    const std::vector<StepContact> there = pair.contacts_found(after[0], after[1], 3e-3);
    for (const StepContact& contact : contacts)
      for (const StepContact& found : there) {
        if (found.label != contact.label) continue;
        const std::optional<double> gap = pair.gap_after(contact, before, after);
        if (!gap) continue;
        EXPECT_NEAR(*gap, found.gap, 1e-7) << i;
        ++(contact.label.a.kind == narrow::FeatureKind::edge ? edges : faces);
      }
  }
  EXPECT_GT(faces, test::cases(200) / 4);
  EXPECT_GT(edges, test::cases(200) / 4);
}

// Boxes that cross with their edges are proven apart again and again, by the edges that were found
// before: features are looked for less than half as often as by pairs that remember nothing. The
// bound of their gap is none too high.
TEST(NearPair, EdgesThatCrossProveTheNextStepToo) {
  model::Model model = test::empty_model(1);
  for (int i = 0; i < 2; ++i) model.bodies.push_back(test::body_of(shape::Box{Vec3(1, 1, 1)}));
  const auto shape = std::make_shared<const narrow::BodyShape>(model.bodies[0]);
  std::mt19937 random(test::seed(5));
  std::uniform_real_distribution<double> unit(-1, 1);
  const double h = 1.0 / 240;
  long remembering = 0, forgetting = 0;  // how often features were looked for
  for (int i = 0; i < test::cases(50); ++i) {
    NearPair pair(model, 0, 1, shape, shape), fresh(model, 0, 1, shape, shape);
    std::array<Pose, 2> at = {Pose{Vec3(0.1 * unit(random), 0.1 * unit(random), 2),
                                   math::rotation_exp(Vec3(0, M_PI / 4, 0))},
                              Pose{Vec3::Zero(), math::rotation_exp(Vec3(M_PI / 4, 0, 0))}};
    for (int k = 0; k < 4; ++k) at[0].position.z() -= fresh.separation(at[0], at[1])->gap - 2e-3;
    const Vec3 spin(0.5 * unit(random), 0.5 * unit(random), unit(random));
    for (int step = 0; step < 10; ++step) {
      const double from = step * h, to = from + h;
      const motion::SteadyMotion moved{from, to, at[0], Vec3::Zero(), spin};
      const motion::BodyPath a = motion::BodyPath::steady(moved);
      const motion::BodyPath b = motion::BodyPath::resting(from, to, at[1]);
      const toi::SearchResult result = pair.prove(a, b, from, to);
      NearPair forgetful(model, 0, 1, shape, shape);
      forgetful.prove(a, b, from, to);
      forgetting += forgetful.statistics().queries;
      at[0] = moved.pose(to);
      if (result.touch) break;
      for (const double t : {from, 0.5 * (from + to), to})
        EXPECT_LE(result.gap_bound, fresh.separation(a.pose(t), at[1])->gap + 1e-12) << i;
      EXPECT_GT(result.gap_bound, 0) << i;
    }
    remembering += pair.statistics().queries;
  }
  EXPECT_LT(2 * remembering, forgetting);
}

}  // namespace
}  // namespace abut::clock
