#pragma once
// Which frames of a run a page holds, and how exactly. Included by .cpp files only.
//
// A page must stay small enough to be mailed and quick enough to be opened. Small runs go in whole,
// in single precision. Of large ones fewer frames are kept and poses are rounded to what can be
// seen; the plan says so in sentences that the page shows.

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "model/model.h"
#include "record/run_reader.h"

namespace abut::record {

/// A body that bends, which is drawn by its boundary.
struct BendingSurface {
  std::size_t body = 0;
  std::shared_ptr<const flexible::BendingBody> bending;
};

struct PlaybackPlan {
  std::vector<std::size_t> frames;         ///< of the record, ascending
  std::vector<bool> with_contacts;         ///< for each of these
  std::vector<std::size_t> series_frames;  ///< at which energies and the like are plotted
  std::size_t events = 0;                  ///< the first ones of the record
  bool has_event_frames = true;            ///< states just before and after each event are there
  bool compact = false;                    ///< rounded, and without angular velocities
  double position_step = 0;                ///< of compact poses, m
  double velocity_step = 0;                ///< m/s
  std::vector<std::size_t> moving;         ///< bodies that are not fixed
  std::vector<BendingSurface> bending;     ///< of these, those that bend
  std::vector<std::string> thinning;       ///< what is not in the page; empty: nothing is missing
};

/// What a page may hold. Sizes in bytes are before gzip and base64, which together save a third.
struct PlaybackLimits {
  std::size_t exact_poses = 150'000;  ///< bodies times frames in full, 52 bytes each
  std::size_t poses = 900'000;        ///< in all; rounded ones take 14 bytes or so
  std::size_t contacts = 150'000;     ///< of all frames together, 82 bytes each
  std::size_t events = 100'000;
  std::size_t series_frames = 20'000;    ///< more than a plot can show
  std::size_t states_read = 20'000'000;  ///< for the plots: a few seconds of reading
};

/// Bodies that are not fixed, ascending.
std::vector<std::size_t> moving_bodies(const model::Model& model);
/// Bodies that bend, ascending.
std::vector<BendingSurface> bending_surfaces(const model::Model& model);

PlaybackPlan plan_playback(const RunReader& run, const model::Model& model,
                           const PlaybackLimits& limits = {});

}  // namespace abut::record
