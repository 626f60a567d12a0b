#pragma once
// Watches the paths of all bodies for the first touch.

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "base/parallel.h"
#include "broad/sweep_and_prune.h"
#include "integrate/cluster_path.h"
#include "motion/swept_box.h"
#include "toi/first_contact.h"

namespace abut::loop {

struct FoundTouch {
  BodyIndex a = world;
  BodyIndex b = world;
  toi::Touch touch;
};

struct DetectionStatistics {
  long cache_hits = 0;
  long cache_misses = 0;
  long unresolved = 0;  ///< meetings of shapes whose contact cannot be told yet
};

class Detection {
 public:
  Detection(const model::Model& model, const integrate::Scripts& scripts);

  /// The first touch within [from, to], which the paths must cover; ties go to the lower indices.
  /// `paths` by cluster, `path_of` by body (-1: not dynamic).
  std::optional<FoundTouch> first_touch(
      double from, double to, const std::vector<std::unique_ptr<integrate::ClusterPath>>& paths,
      const std::vector<int>& path_of, const base::ThreadPool& pool);

  /// Over all of the time looked at so far no two bodies came nearer than this, m. Infinite where
  /// there are no two bodies that could.
  double gap_bound() const { return gap_bound_; }
  DetectionStatistics statistics() const;

 private:
  // The path of a body over the window, piece by piece.
  using Pieces = std::vector<motion::BodyPath>;

  Pieces pieces_of(BodyIndex body, double from, double to,
                   const std::vector<std::unique_ptr<integrate::ClusterPath>>& paths,
                   const std::vector<int>& path_of) const;
  void update_boxes(double from, double to);
  std::vector<broad::Pair> near_pairs();
  toi::FirstContact& search_of(const broad::Pair& pair);
  std::optional<toi::Touch> search(const broad::Pair& pair, double from, double to, double& bound);
  bool may_touch(BodyIndex a, BodyIndex b) const;
  static void count(const toi::FirstContact& search, DetectionStatistics& total);

  const model::Model& model_;
  const integrate::Scripts& scripts_;
  std::vector<motion::Outline> outlines_;  // by body
  std::vector<Pieces> pieces_;             // by body, of the current window
  double margin_ = 0;                      // pairs farther apart than this need not be looked at
  std::unique_ptr<broad::BroadPhase> broad_;
  std::map<broad::Pair, std::unique_ptr<toi::FirstContact>> searches_;
  std::vector<std::pair<BodyIndex, BodyIndex>> excluded_;  // sorted, smaller index first
  double gap_bound_;
  DetectionStatistics forgotten_;  // of pairs that are far apart now
};

}  // namespace abut::loop
