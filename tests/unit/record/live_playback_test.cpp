#include "record/live_playback.h"

#include <gtest/gtest.h>

#include "chunk_reading.h"
#include "synthetic_run.h"

namespace {

using namespace abut::record;
using chunks::array_of;
using chunks::kind_of;

TEST(LivePlayback, BeginsWithTheScene) {
  const abut::model::Model model = synthetic::model_with(3);
  const Playback playback = LivePlayback(model).beginning();
  const auto header = nlohmann::json::parse(playback.header);
  EXPECT_EQ(header["status"], "live");
  EXPECT_EQ(header["bodies"].size(), 3u);
  EXPECT_EQ(header["scene"]["text"], model.source);
  ASSERT_EQ(playback.chunks.size(), 1u);
  EXPECT_EQ(kind_of(playback.chunks[0]), "shapes");
}

TEST(LivePlayback, GivesEachFrameAndEventOnce) {
  const abut::model::Model model = synthetic::model_with(2);
  LivePlayback live(model);
  EXPECT_TRUE(live.take().empty());
  for (std::size_t i = 0; i < 5; ++i) live.add(synthetic::frame_at(i, 2));
  live.add(synthetic::event_at(0));
  const auto first = live.take();
  ASSERT_EQ(first.size(), 3u);
  EXPECT_EQ(kind_of(first[0]), "events");
  EXPECT_EQ(kind_of(first[1]), "series");
  EXPECT_EQ(kind_of(first[2]), "frames");
  EXPECT_TRUE(live.take().empty());
  live.add(synthetic::frame_at(5, 2));
  const auto second = live.take();
  ASSERT_EQ(second.size(), 2u);
  const auto times = array_of<double>(second[1], "time");
  ASSERT_EQ(times.size(), 1u);
  EXPECT_EQ(times[0], synthetic::frame_at(5, 2).time);
  EXPECT_EQ(array_of<double>(second[0], "kinetic")[0], synthetic::frame_at(5, 2).energy.kinetic);
}

}  // namespace
