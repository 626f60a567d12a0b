#include "server/live_session.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "support/scene_run.h"

namespace {

using namespace abut;
using namespace abut::server;

constexpr const char* dropped = R"(
abut: 1
duration: 1
bodies:
  - {name: floor, shape: {plane: {normal: [0, 0, 1], offset: 0}}, motion: fixed}
  - {name: ball, shape: {sphere: {radius: 0.5}}, position: [0, 0, 1.5]}
)";

/// The kind of a chunk, from its JSON.
std::string kind_of(const std::string& chunk) {
  std::uint32_t size = 0;
  std::memcpy(&size, chunk.data() + 4, 4);
  return nlohmann::json::parse(chunk.substr(8, size)).at("kind");
}

/// Takes messages until one is wanted. The bell must ring for it within a time that is long even on
/// a busy machine.
OutgoingMessage await(LiveSession& session,
                      const std::function<bool(const OutgoingMessage&)>& wanted) {
  for (;;) {
    while (const auto message = session.next())
      if (wanted(*message)) return *message;
    pollfd bell{session.bell(), POLLIN, 0};
    if (::poll(&bell, 1, 60000) <= 0) throw std::runtime_error("the session says nothing");
  }
}

bool is_text(const OutgoingMessage& message) {
  return message.is_text;
}

TEST(LiveSession, SimulatesToTheGoalAndNoFurther) {
  LiveSession session(test::scene(dropped), 1);
  session.begin();
  EXPECT_EQ(await(session, is_text).bytes, R"({"begin":true})");
  ASSERT_TRUE(session.hear(R"({"do": "goal", "time": 0.1})"));
  const auto frames = await(
      session, [](const OutgoingMessage& m) { return !m.is_text && kind_of(m.bytes) == "frames"; });
  EXPECT_FALSE(frames.bytes.empty());
}

TEST(LiveSession, StepsToTheNextEvent) {
  LiveSession session(test::scene(dropped), 1);
  session.begin();
  await(session, is_text);
  ASSERT_TRUE(session.hear(R"({"do": "step"})"));
  const auto json = nlohmann::json::parse(await(session, is_text).bytes);
  EXPECT_NEAR(json.at("stepped").get<double>(), std::sqrt(2 / 9.81), 1e-6);
}

TEST(LiveSession, RestartsForANewPage) {
  LiveSession session(test::scene(dropped), 1);
  for (int visit = 0; visit < 2; ++visit) {
    session.begin();
    EXPECT_EQ(await(session, is_text).bytes, R"({"begin":true})");
    ASSERT_TRUE(session.hear(R"({"do": "step"})"));
    await(session, is_text);
    session.end();
    EXPECT_FALSE(session.next().has_value());
  }
}

// The page loads anew, and what it then sees is the scene as it has become.
TEST(LiveSession, ReadsAnEditedSceneOnRestart) {
  std::string text = dropped, shown = dropped;
  LiveSession session(test::scene(text), 1, [&]() -> std::optional<model::Model> {
    if (text == shown) return std::nullopt;
    shown = text;
    return test::scene(text);
  });
  session.begin();
  await(session, is_text);
  ASSERT_TRUE(session.hear(R"({"do": "restart"})"));
  EXPECT_EQ(await(session, is_text).bytes, R"({"begin":true})");
  text.replace(text.find("1.5]"), 4, "4.5]");
  ASSERT_TRUE(session.hear(R"({"do": "restart"})"));
  EXPECT_EQ(await(session, is_text).bytes, R"({"reload":true})");
  session.end();
  session.begin();
  EXPECT_EQ(await(session, is_text).bytes, R"({"begin":true})");
  ASSERT_TRUE(session.hear(R"({"do": "step"})"));
  const auto json = nlohmann::json::parse(await(session, is_text).bytes);
  EXPECT_NEAR(json.at("stepped").get<double>(), std::sqrt(2 * 4 / 9.81), 1e-6);
}

TEST(LiveSession, LooksForAnEventForTenSecondsOnly) {
  LiveSession session(
      test::scene("abut: 1\nduration: 1\nbodies: [{name: ball, shape: {sphere: {radius: 1}}}]\n"),
      1);
  session.begin();
  await(session, is_text);
  ASSERT_TRUE(session.hear(R"({"do": "step"})"));
  const auto json = nlohmann::json::parse(await(session, is_text).bytes);
  EXPECT_GE(json.at("searched").get<double>(), 10);
  EXPECT_LT(json.at("searched").get<double>(), 11);
}

TEST(LiveSession, RefusesNonsense) {
  LiveSession session(test::scene(dropped), 1);
  session.begin();
  EXPECT_FALSE(session.hear("nonsense"));
  EXPECT_FALSE(session.hear(R"({"do": "goal", "time": "soon"})"));
}

}  // namespace
