#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <random>

#include "abut/diagnostics.h"
#include "record/run_layout.h"
#include "record/run_reader.h"
#include "record/run_writer.h"
#include "record/write_error.h"
#include "support/files.h"
#include "support/seeds.h"
#include "support/sizes.h"
#include "synthetic_run.h"

namespace {

using abut::record::RunReader;
using abut::record::RunStatus;
using abut::record::RunWriter;
using synthetic::TemporaryDirectory;

abut::record::Summary finished(RunStatus status) {
  abut::record::Summary summary;
  summary.status = status;
  summary.duration = 2.5;
  summary.steps = 7;
  summary.state_hash = "0123456789abcdef";
  return summary;
}

/// Writes frames and events, flushing at every `flush_every`-th frame.
void write_run(RunWriter& writer, std::size_t bodies, std::size_t frames, std::size_t flush_every) {
  writer.begin(synthetic::model_with(bodies));
  for (std::size_t i = 0; i < frames; ++i) {
    writer.frame(synthetic::frame_at(i, bodies));
    writer.event(synthetic::event_at(i));
    if (flush_every != 0 && i % flush_every == 0) writer.flush();
  }
}

void expect_frames_and_events(const RunReader& run, std::size_t bodies) {
  const auto frames = run.frames(0, run.frame_count());
  for (std::size_t i = 0; i < frames.size(); ++i) {
    ASSERT_NO_FATAL_FAILURE(synthetic::expect_same(frames[i], synthetic::frame_at(i, bodies))) << i;
  }
  const auto events = run.events(0, run.event_count());
  for (std::size_t i = 0; i < events.size(); ++i) {
    ASSERT_NO_FATAL_FAILURE(synthetic::expect_same(events[i], synthetic::event_at(i))) << i;
  }
}

bool h5dump_reads(const std::filesystem::path& path) {
  return std::system(("h5dump " + path.string() + " > /dev/null 2>&1").c_str()) == 0;
}

}  // namespace

TEST(RunFile, ReturnsWhatWasWritten) {
  // Bodies and frames such that chunks are single, several, partly filled, and split by bodies.
  struct Case {
    std::size_t bodies, frames, flush_every;
  };
  for (const auto [bodies, frames, flush_every] :
       {Case{0, 5, 0}, Case{1, 1, 0}, Case{1, 1000, 0}, Case{1, 1000, 7}, Case{3, 700, 300},
        Case{40, 300, 50}, Case{9000, 5, 1}}) {
    SCOPED_TRACE(fmt::format("{} bodies, {} frames", bodies, frames));
    const TemporaryDirectory directory;
    const auto path = directory / "run.h5";
    RunWriter writer(path);
    write_run(writer, bodies, frames, flush_every);
    writer.end(finished(RunStatus::complete));

    const RunReader run(path);
    EXPECT_EQ(run.frame_count(), frames);
    EXPECT_EQ(run.event_count(), frames);
    ASSERT_NO_FATAL_FAILURE(expect_frames_and_events(run, bodies));
    EXPECT_EQ(run.facts().status, RunStatus::complete);
    ASSERT_TRUE(run.summary().has_value());
    EXPECT_EQ(run.summary()->steps, 7);
    EXPECT_EQ(run.summary()->state_hash, "0123456789abcdef");
    EXPECT_TRUE(h5dump_reads(path));
  }
}

TEST(RunFile, KeepsTheFactsOfTheScene) {
  const TemporaryDirectory directory;
  auto model = synthetic::model_with(2);
  model.name = "Stra\u00dfe, \"quoted\"\n";
  model.source = std::string("text with a NUL \0 inside", 24);
  model.bodies[0].name = "";
  model.bodies[1].name = "a,b\"c\nd";
  model.bodies[1].motion = abut::model::Fixed{};
  model.joints.resize(2);
  model.joints[0].name = "elbow";
  model.joints[1].name = "a,b\"c\nd";
  RunWriter writer(directory / "run.h5");
  writer.begin(model);
  writer.end(finished(RunStatus::interrupted));

  const RunReader run(directory / "run.h5");
  EXPECT_EQ(run.facts().scene_name, model.name);
  EXPECT_EQ(run.facts().scene_text, model.source);
  EXPECT_EQ(run.facts().status, RunStatus::interrupted);
  EXPECT_EQ(run.frame_count(), 0U);
  ASSERT_EQ(run.facts().bodies.size(), 2U);
  EXPECT_EQ(run.facts().bodies[0].name, "");
  EXPECT_EQ(run.facts().bodies[1].name, "a,b\"c\nd");
  EXPECT_EQ(run.facts().bodies[0].motion, abut::record::RecordedMotion::dynamic);
  EXPECT_EQ(run.facts().bodies[1].motion, abut::record::RecordedMotion::fixed);
  EXPECT_EQ(run.facts().joints, (std::vector<std::string>{"elbow", "a,b\"c\nd"}));
  EXPECT_EQ(run.facts().bodies[1].mass, 2.0);
  EXPECT_EQ(run.facts().bodies[1].inertia(1, 2), 5.0);
  EXPECT_EQ(run.facts().bodies[1].centre_of_mass, abut::Vec3(0.1, 0.2, 0.3));
}

TEST(RunFile, SameRunGivesTheSameContents) {
  const TemporaryDirectory directory;
  // Flushing at other moments, as a slower machine would, may lay the file out differently.
  const std::size_t flush_every[2] = {0, 7};
  for (std::size_t i = 0; i < 2; ++i) {
    RunWriter writer(directory / fmt::format("{}.h5", i));
    write_run(writer, 3, 300, flush_every[i]);
    writer.end(finished(RunStatus::complete));
  }
  const auto difference = "h5diff -v " + (directory / "0.h5").string() + " " +
                          (directory / "1.h5").string() + " > /dev/null";
  EXPECT_EQ(std::system(difference.c_str()), 0);
}

TEST(RunFile, CompressesWholeChunksOfResting) {
  const TemporaryDirectory directory;
  constexpr std::size_t bodies = 100, frames = 2000;
  RunWriter writer(directory / "run.h5");
  writer.begin(synthetic::model_with(bodies));
  auto frame = synthetic::frame_at(0, bodies);
  for (std::size_t i = 0; i < frames; ++i) {
    frame.time = static_cast<double>(i);
    writer.frame(frame);
  }
  writer.end(finished(RunStatus::complete));
  EXPECT_LT(std::filesystem::file_size(directory / "run.h5"),
            bodies * 22 * sizeof(double) * frames / 10);
}

std::size_t size_with_flushes(const std::filesystem::path& path, std::size_t flush_every) {
  RunWriter writer(path);
  write_run(writer, 100, 300, flush_every);
  writer.end(finished(RunStatus::complete));
  return std::filesystem::file_size(path);
}

// What a flush writes of chunks that are not complete is written again: at most a chunk of every
// column for each flush, compressed.
TEST(RunFile, FlushesCostLittleSpace) {
  const TemporaryDirectory directory;
  const std::size_t without = size_with_flushes(directory / "0.h5", 0);
  const std::size_t with_ten = size_with_flushes(directory / "1.h5", 30);
  EXPECT_LT(with_ten, 3 * without / 2);
}

// Events that say the same share the text.
TEST(RunFile, DetailsAreStoredOnce) {
  const TemporaryDirectory directory;
  constexpr std::size_t events = 20000;
  const std::string detail(200, 'x');
  {
    RunWriter writer(directory / "run.h5");
    writer.begin(synthetic::model_with(1));
    for (std::size_t i = 0; i < events; ++i) {
      abut::Event event = synthetic::event_at(i);
      event.detail = i % 2 == 0 ? detail : "";
      writer.event(event);
    }
    writer.end(finished(RunStatus::complete));
  }
  EXPECT_LT(std::filesystem::file_size(directory / "run.h5"), events * detail.size() / 2);
  const RunReader run(directory / "run.h5");
  const auto found = run.events(events - 2, 2);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].detail, detail);
  EXPECT_EQ(found[1].detail, "");
}

TEST(RunFile, AnUnfinishedWriterLeavesAReadableFile) {
  const TemporaryDirectory directory;
  {
    RunWriter writer(directory / "run.h5");
    write_run(writer, 2, 10, 0);
  }
  const RunReader run(directory / "run.h5");
  EXPECT_EQ(run.facts().status, RunStatus::running);
  EXPECT_EQ(run.frame_count(), 10U);
  EXPECT_FALSE(run.summary().has_value());
}

namespace {

/// Ends this process when it has worked for so long, at once and without a farewell. Measured is
/// its own time: how busy the machine is does not count.
void die_after(std::chrono::microseconds work) {
  itimerval timer{};
  timer.it_value.tv_sec = work.count() / 1000000;
  timer.it_value.tv_usec = std::max<suseconds_t>(1, work.count() % 1000000);
  if (::setitimer(ITIMER_PROF, &timer, nullptr) != 0) ::_exit(1);
}

/// A writer that dies `work` after its frame `start`, from which on it flushes every `flush_every`
/// frames, and a check of what it left. Returns how many frames that was.
std::size_t frames_after_death(std::size_t start, std::size_t flush_every,
                               std::chrono::microseconds work, bool ask_h5dump) {
  constexpr std::size_t bodies = 3;
  const TemporaryDirectory directory;
  const auto path = directory / "run.h5";
  const pid_t child = ::fork();
  if (child == 0) {
    RunWriter writer(path);
    writer.begin(synthetic::model_with(bodies));
    for (std::size_t i = 0; true; ++i) {
      if (i == start) die_after(work);
      writer.frame(synthetic::frame_at(i, bodies));
      writer.event(synthetic::event_at(i));
      if (i >= start && i % flush_every == 0) writer.flush();
    }
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF);

  const RunReader run(path);
  expect_frames_and_events(run, bodies);
  EXPECT_EQ(run.facts().status, RunStatus::running);
  if (ask_h5dump) {
    EXPECT_TRUE(h5dump_reads(path));
  }
  return run.frame_count();
}

int kill_trials() {
  return abut::test::cases(60);
}

/// Sanitizers slow the writer down; it must come as far before it dies.
constexpr int slowness = abut::test::sanitized ? 10 : 1;

}  // namespace

// The point of CommitFile: whenever the writer is killed, the file opens with plain HDF5 and
// everything in it is right. The child flushes as often as it can, so that most kills strike
// within a flush.
TEST(RunFile, IsReadableAfterKillAtAnyMoment) {
  std::mt19937 random(abut::test::seed(20240229, abut::test::few_rounds));
  std::uniform_int_distribution<int> work_us(0, 30000 * slowness);
  int with_frames = 0;
  for (int trial = 0; trial < kill_trials() && !HasFailure(); ++trial) {
    SCOPED_TRACE(fmt::format("trial {}", trial));
    const auto flush_every = static_cast<std::size_t>(1 + trial % 5);
    const std::chrono::microseconds work(work_us(random));
    with_frames += frames_after_death(0, flush_every, work, trial % 10 == 0) > 0 ? 1 : 0;
  }
  EXPECT_GT(with_frames, kill_trials() / 2);
}

// Late enough that the indices of the chunks grow from one node to several while flushing.
TEST(RunFile, IsReadableAfterKillWhileIndicesGrow) {
  constexpr std::size_t frames_per_index_node = 64 * 256;
  std::mt19937 random(abut::test::seed(20240301, abut::test::few_rounds));
  std::uniform_int_distribution<std::size_t> start(frames_per_index_node - 300,
                                                   frames_per_index_node + 100);
  std::uniform_int_distribution<int> work_us(0, 60000 * slowness);
  std::size_t most_frames = 0;
  const int trials = std::max(3, kill_trials() / 6);
  for (int trial = 0; trial < trials && !HasFailure(); ++trial) {
    SCOPED_TRACE(fmt::format("trial {}", trial));
    const std::chrono::microseconds work(work_us(random));
    most_frames = std::max(most_frames, frames_after_death(start(random), 40, work, trial == 0));
  }
  EXPECT_GT(most_frames, frames_per_index_node);
}

TEST(RunFile, SaysWhyItCannotBeCreated) {
  try {
    RunWriter writer("/nonexistent/directory/run.h5");
    FAIL() << "no error";
  } catch (const abut::record::WriteError& error) {
    EXPECT_STREQ(error.what(),
                 "cannot write /nonexistent/directory/run.h5: No such file or directory");
  }
}

// A limit on the size of files stands for a full disk.
TEST(RunFile, KeepsWhatWasFlushedWhenTheDiskIsFull) {
  const TemporaryDirectory directory;
  const auto path = directory / "run.h5";
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{800000, 800000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    int reports = 0;
    try {
      RunWriter writer(path);
      try {
        write_run(writer, 3, 1000000, 100);
      } catch (const abut::record::WriteError& error) {
        reports +=
            std::string(error.what()) == "cannot write " + path.string() + ": File too large";
      }
      // Ending the run fails with the same words, and closing does no harm.
      writer.end(finished(RunStatus::failed));
    } catch (const abut::record::WriteError& error) {
      reports += std::string(error.what()) == "cannot write " + path.string() + ": File too large";
    }
    ::_exit(reports);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 2);

  const RunReader run(path);
  EXPECT_GT(run.frame_count(), 100U);
  ASSERT_NO_FATAL_FAILURE(expect_frames_and_events(run, 3));
  EXPECT_TRUE(h5dump_reads(path));
}

TEST(RunReader, RejectsWhatIsNoRun) {
  const TemporaryDirectory directory;
  EXPECT_THROW(RunReader(directory / "absent.h5"), abut::InputError);
  EXPECT_THROW(RunReader(directory.path()), abut::InputError);
  std::ofstream(directory / "empty.h5");
  EXPECT_THROW(RunReader(directory / "empty.h5"), abut::InputError);
  std::ofstream(directory / "text.h5") << "not HDF5";
  EXPECT_THROW(RunReader(directory / "text.h5"), abut::InputError);
}

namespace {

/// Reads all of a file that may be damaged; true if it was refused by name.
bool is_refused(const std::filesystem::path& path) {
  try {
    const RunReader run(path);
    run.frames(0, run.frame_count());
    run.events(0, run.event_count());
    run.summary();
    return false;
  } catch (const abut::InputError& error) {
    return std::string(error.what()).find("run.h5") != std::string::npos;
  }
}

std::string damaged_copy(const std::string& intact, int trial, std::mt19937& random) {
  // The structures of HDF5 lie mostly at the front.
  constexpr std::size_t front = 20000;
  std::string damaged = intact;
  if (trial % 2 == 0) {
    damaged.resize(random() % damaged.size());
  } else {
    for (int i = 0; i < 20; ++i) damaged[random() % front] = static_cast<char>(random());
  }
  return damaged;
}

}  // namespace

// A damaged file may be readable in part or not at all, but must never crash the reader. In a
// process of its own: HDF5 does not free all its memory after reading such files.
TEST(RunReader, SurvivesDamage) {
  const TemporaryDirectory directory;
  const auto path = directory / "run.h5";
  {
    RunWriter writer(path);
    write_run(writer, 2, 50, 5);
    writer.end(finished(RunStatus::complete));
  }
  const std::string intact = abut::test::content_of(path);
  const int trials = abut::test::large(200);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    std::mt19937 random(abut::test::seed(7));
    int refused = 0;
    for (int trial = 0; trial < trials; ++trial) {
      std::ofstream(path, std::ios::binary) << damaged_copy(intact, trial, random);
      refused += is_refused(path) ? 1 : 0;
    }
    ::_exit(refused);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_GE(WEXITSTATUS(status), trials / 2);  // every truncated file at least
}
