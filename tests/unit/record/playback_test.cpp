// What is put into a page, and what is left out.

#include "record/playback.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "abut/diagnostics.h"
#include "chunk_reading.h"
#include "record/playback_chunk.h"
#include "record/playback_plan.h"
#include "record/report.h"
#include "record/run_writer.h"
#include "synthetic_run.h"

namespace {

using namespace abut::record;
using chunks::array_of;
using Json = nlohmann::json;

class PlaybackTest : public testing::Test {
 protected:
  RunReader write(std::size_t bodies, std::size_t frames, std::size_t events = 0) {
    model = synthetic::model_with(bodies);
    RunWriter writer(directory / "run.h5");
    writer.begin(model);
    for (std::size_t i = 0; i < frames; ++i) writer.frame(synthetic::frame_at(i, bodies));
    for (std::size_t i = 0; i < events; ++i) writer.event(synthetic::event_at(i));
    writer.end(Summary());
    return RunReader(directory / "run.h5");
  }
  std::string page() {
    std::ifstream file(directory / "report.html", std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }

  synthetic::TemporaryDirectory directory;
  abut::model::Model model;
};

TEST_F(PlaybackTest, ASmallRunIsThereInSinglePrecision) {
  const RunReader run = write(2, 40, 5);
  const Playback playback = make_playback(run, model);
  EXPECT_TRUE(playback.thinning.empty());
  const Json header = Json::parse(playback.header);
  EXPECT_EQ(header["bodies"].size(), 2u);
  EXPECT_EQ(header["recorded"]["frames"], 40);
  ASSERT_EQ(playback.chunks.size(), 4u);
  const auto positions = array_of<float>(playback.chunks[3], "position");
  const auto forces = array_of<float>(playback.chunks[3], "contact.normal_force");
  const auto features = array_of<std::int32_t>(playback.chunks[3], "contact.feature_b");
  const auto unique = array_of<std::uint8_t>(playback.chunks[3], "contact.unique");
  const auto ends = array_of<std::uint32_t>(playback.chunks[3], "contacts_end");
  std::size_t row = 0;
  for (std::size_t f = 0; f < 40; ++f) {
    const Frame frame = synthetic::frame_at(f, 2);
    for (std::size_t b = 0; b < 2; ++b)
      for (int k = 0; k < 3; ++k)
        EXPECT_EQ(positions[6 * f + 3 * b + static_cast<std::size_t>(k)],
                  static_cast<float>(frame.bodies[b].position[k]));
    for (const abut::ContactState& contact : frame.contacts) {
      EXPECT_EQ(forces[row], static_cast<float>(contact.normal_force));
      EXPECT_EQ(features[3 * row + 1], static_cast<int>(contact.feature_b.kind));
      EXPECT_EQ(features[3 * row + 2], contact.feature_b.index);
      EXPECT_EQ(unique[row++] == 1, contact.unique);
    }
    EXPECT_EQ(ends[f], row);
  }
  EXPECT_EQ(array_of<double>(playback.chunks[2], "time").size(), 5u);
  EXPECT_EQ(array_of<double>(playback.chunks[1], "kinetic")[7], 7);
}

TEST_F(PlaybackTest, ALargeRunIsThinnedAndSaysSo) {
  const RunReader run = write(4, 300, 50);
  PlaybackLimits limits;
  limits.exact_poses = 100;
  limits.poses = 200;
  limits.contacts = 20;
  limits.events = 10;
  limits.series_frames = 30;
  const PlaybackPlan plan = plan_playback(run, model, limits);
  EXPECT_LE(plan.frames.size(), 52u);
  EXPECT_GE(plan.frames.size(), 25u);
  EXPECT_TRUE(plan.compact);
  EXPECT_FALSE(plan.has_event_frames);
  EXPECT_LE(plan.series_frames.size(), 31u);
  EXPECT_EQ(plan.series_frames.back(), 299u);
  EXPECT_EQ(plan.events, 10u);
  std::size_t contacts = 0;
  for (std::size_t i = 0; i < plan.frames.size(); ++i)
    if (plan.with_contacts[i]) contacts += synthetic::contacts_at(plan.frames[i]).size();
  EXPECT_LE(contacts, 320u);  // a single frame may have 300
  EXPECT_EQ(plan.thinning.size(), 5u);
}

TEST_F(PlaybackTest, ARunThatNeverBeganHasBodiesAllTheSame) {
  const RunReader run = write(2, 0);
  const Playback playback = make_playback(run, model);
  EXPECT_EQ(playback.chunks.size(), 3u);
  EXPECT_EQ(Json::parse(playback.header)["bodies"].size(), 2u);
  write_report(run, model, directory / "report.html");
}

TEST_F(PlaybackTest, AnotherModelIsRefused) {
  const RunReader run = write(2, 3);
  EXPECT_THROW(make_playback(run, synthetic::model_with(3)), abut::InputError);
}

TEST_F(PlaybackTest, PageIsWholeAndHoldsNamesAsText) {
  const RunReader run = write(1, 3);
  model.bodies[0].name = "</script><script>alert(1)</script>";
  const ReportNotes notes = write_report(run, model, directory / "report.html");
  EXPECT_FALSE(std::filesystem::exists(directory / "report.html.partial"));
  const std::string text = page();
  EXPECT_EQ(text.find("<script>alert"), std::string::npos);
  EXPECT_NE(text.find("</html>"), std::string::npos);
  EXPECT_EQ(text.find("abut-header") != std::string::npos, notes.has_player);
}

TEST_F(PlaybackTest, SameRunSameBytes) {
  const RunReader run = write(3, 20, 4);
  write_report(run, model, directory / "report.html");
  const std::string first = page();
  write_report(run, model, directory / "report.html");
  EXPECT_EQ(page(), first);
}

}  // namespace
