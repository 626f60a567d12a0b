#include "record/summary.h"

#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "abut/diagnostics.h"
#include "record/write_error.h"
#include "synthetic_run.h"

namespace {

using abut::record::parse_summary;
using abut::record::Summary;
using abut::record::summary_json;

Summary example() {
  Summary s;
  s.status = abut::record::RunStatus::failed;
  s.message = "stopped at t = 1.5: \"reason\"";
  s.duration = 1.5;
  s.wall_seconds = 0.1;
  s.costs = {0.01, 0.02, 0.03, 0.04, 0.05, 0.06};
  s.steps = 3;
  s.rejected_steps = 4;
  s.events = 5;
  s.impacts = 6;
  s.contacts_max = 7;
  s.limits_met = 14;
  s.max_penetration = 8e-10;
  s.energy_initial = 1.0 / 3.0;
  s.energy_final = -2;
  s.dissipated_by_impacts = 1;
  s.dissipated_by_friction = 2;
  s.dissipated_by_damping = 4;
  s.work = 9;
  s.energy_error = 1e-12;
  s.momentum_error = 1e-13;
  s.cache_hits = 10;
  s.cache_misses = 11;
  s.lcp_solves = 12;
  s.lcp_pivots = 13;
  s.lcp_residual_max = 1e-15;
  s.forces_not_unique = 14;
  s.jams = 15;
  s.state_hash = "00ff00ff00ff00ff";
  return s;
}

}  // namespace

TEST(Summary, HasTheKeysOfTheContractInOrder) {
  const auto json = nlohmann::ordered_json::parse(summary_json(example(), "scene"));
  const std::vector<std::string> contract{"duration",       "wall_seconds",      "steps",
                                          "events",         "impacts",           "contacts_max",
                                          "min_gap",        "max_penetration",   "energy_initial",
                                          "energy_final",   "energy_dissipated", "energy_error",
                                          "momentum_error", "cache_hits",        "cache_misses",
                                          "lcp_solves",     "lcp_pivots",        "lcp_residual_max",
                                          "state_hash"};
  std::vector<std::string> found;
  for (const auto& [key, value] : json.items()) {
    if (std::find(contract.begin(), contract.end(), key) != contract.end()) found.push_back(key);
  }
  EXPECT_EQ(found, contract);
  EXPECT_EQ(json["scene"], "scene");
  EXPECT_EQ(json["status"], "failed");
  EXPECT_EQ(json["energy_dissipated"], 7.0);
  EXPECT_EQ(json["energy_dissipated_by"]["friction"], 2.0);
  EXPECT_TRUE(json["min_gap"].is_null());
}

TEST(Summary, ReadsBackWhatItWrites) {
  const Summary s = example();
  const Summary t = parse_summary(summary_json(s, "scene"), "origin");
  EXPECT_EQ(t.status, s.status);
  EXPECT_EQ(t.message, s.message);
  EXPECT_EQ(t.rejected_steps, 4);
  EXPECT_EQ(t.costs.contact_times, 0.02);
  EXPECT_EQ(t.costs.recording, 0.06);
  EXPECT_EQ(t.contacts_max, 7);
  EXPECT_EQ(t.limits_met, 14);
  EXPECT_TRUE(std::isnan(t.min_gap));
  EXPECT_EQ(t.energy_initial, 1.0 / 3.0);
  EXPECT_EQ(t.dissipated_by_friction, 2);
  EXPECT_EQ(t.impacts, 6);
  EXPECT_EQ(t.max_penetration, 8e-10);
  EXPECT_EQ(t.dissipated_by_impacts, 1);
  EXPECT_EQ(t.dissipated_by_damping, 4);
  EXPECT_EQ(t.work, 9);
  EXPECT_EQ(t.lcp_solves, 12);
  EXPECT_EQ(t.lcp_residual_max, 1e-15);
  EXPECT_EQ(t.lcp_pivots, 13);
  EXPECT_EQ(t.forces_not_unique, 14);
  EXPECT_EQ(t.jams, 15);
  EXPECT_EQ(t.state_hash, s.state_hash);
  EXPECT_EQ(summary_json(t, "scene"), summary_json(s, "scene"));
}

TEST(Summary, WritesNullForWhatIsNotFinite) {
  Summary s = example();
  s.min_gap = std::numeric_limits<double>::infinity();
  s.energy_error = std::numeric_limits<double>::quiet_NaN();
  const auto json = nlohmann::json::parse(summary_json(s, ""));
  EXPECT_TRUE(json["min_gap"].is_null());
  EXPECT_TRUE(json["energy_error"].is_null());
}

TEST(Summary, SurvivesNamesThatAreNotUtf8) {
  const auto json = nlohmann::json::parse(summary_json(example(), "\xff\xfe"));
  EXPECT_EQ(json["scene"], "\xef\xbf\xbd\xef\xbf\xbd");  // two replacement characters
}

TEST(Summary, RejectsDamagedTextNamingTheFile) {
  for (const char* text : {"", "{", "[]", "{\"status\": \"odd\"}", "{\"status\": 3}"}) {
    try {
      parse_summary(text, "file.h5");
      FAIL() << text;
    } catch (const abut::InputError& error) {
      EXPECT_EQ(error.diagnostics().front().location.file, "file.h5");
    }
  }
}

TEST(Summary, ReplacesTheFileInOnePiece) {
  const synthetic::TemporaryDirectory directory;
  std::ofstream(directory / "summary.json") << "old";
  abut::record::write_summary(directory / "summary.json", "new\n");
  std::ifstream file(directory / "summary.json");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "new\n");
  EXPECT_FALSE(std::filesystem::exists(directory / "summary.json.partial"));
  EXPECT_THROW(abut::record::write_summary(directory / "absent" / "summary.json", ""),
               abut::record::WriteError);
}

TEST(Summary, TellsPeopleWhatMatters) {
  const std::string text = abut::record::format_summary(example(), "Two balls");
  for (const char* part : {"Two balls: failed", "1.5 s", "5, of which 6 impacts", "dissipated 7 J",
                           "up to 7 at a time; 12 LCPs solved by 13 pivots, residual 1.0e-15",
                           "1 J by impacts, 2 J by friction, 4 J by damping", "1.00e-12",
                           "00ff00ff00ff00ff", "stopped at"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}
