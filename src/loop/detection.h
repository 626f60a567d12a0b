#pragma once
// Watches the paths of all bodies for touches, window by window.

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "broad/sweep_and_prune.h"
#include "loop/exclusions.h"
#include "loop/pair_geometry.h"
#include "loop/paths.h"
#include "motion/swept_box.h"

namespace abut::loop {

struct FoundTouch {
  BodyIndex a = world;
  BodyIndex b = world;
  double time = 0;
};

struct Overlap {
  BodyIndex a = world;
  BodyIndex b = world;
  double depth = 0;  ///< m
};

struct DetectionStatistics {
  double time_seconds = 0;  ///< of wall time, spent on when pairs touch
  long cache_hits = 0;
  long cache_misses = 0;
  long unresolved = 0;  ///< meetings of shapes whose contact cannot be told yet
  long limits_met = 0;  ///< searches for distances or times that ended at their limit of work
};

class Detection {
 public:
  Detection(const model::Model& model, const integrate::Scripts& scripts);

  /// Bodies may be moved by this clock, which takes care of itself: a touch is looked for where one
  /// of two bodies is on a path.
  void follow(const clock::StepClock& steps) { steps_ = &steps; }
  /// Some bodies have passed to the step clock, or from it.
  void change_clock(const std::vector<BodyIndex>& bodies);

  /// Looks at all pairs over [from, to], each as far as the paths of both reach.
  void look(double from, double to, const Paths& paths, const base::ThreadPool& pool);
  /// The paths of some bodies are new from `from` on: looks again at their pairs, up to `to` and as
  /// far as the others are looked at.
  void look_again(const std::vector<BodyIndex>& bodies, double from, double to, const Paths& paths,
                  const base::ThreadPool& pool);
  /// The paths of some bodies go on: looks on at their pairs from where it stopped. All are known
  /// up to `now`.
  void look_farther(const std::vector<BodyIndex>& bodies, double now, double to, const Paths& paths,
                    const base::ThreadPool& pool);
  /// The first touch found and not yet overtaken by look_again; ties go to the lower indices.
  std::optional<FoundTouch> first_touch() const;
  /// The touch of this pair is being dealt with.
  void forget_touch(BodyIndex a, BodyIndex b) { note_touch({a, b}, watches_.at({a, b}), {}); }

  /// The deepest overlap at t of two bodies that are near each other. What is no deeper than the
  /// contact distance is a touch.
  std::optional<Overlap> deepest_overlap(double t, const Paths& paths);

  /// The bodies near a body, in the window.
  const std::vector<BodyIndex>& near(BodyIndex body) const { return near_[body]; }
  /// The contacts of two bodies that are near each other, at poses of their motion frames.
  std::vector<contact::Contact> contacts_of(BodyIndex a, BodyIndex b, const Pose& pose_a,
                                            const Pose& pose_b);
  /// Says which contacts of two bodies rest from now on, with the bodies' motions; none: the bodies
  /// are free of each other.
  void hold(BodyIndex a, BodyIndex b, const std::vector<contact::Contact>& contacts,
            const body::RigidMotion& motion_a, const body::RigidMotion& motion_b);

  /// Says which contacts of two bodies are springs from now on: until these part, the bodies are
  /// searched for others (loop/spring_watch.h).
  void follow(BodyIndex a, BodyIndex b, std::vector<contact::Contact> springs);
  const integrate::SpringScale& spring_scale() const { return geometry_.spring_scale(); }

  /// A joint that is gone may have kept its bodies from touching: they can from the next look on at
  /// whose beginning they are apart.
  Exclusions& exclusions() { return exclusions_; }
  const Exclusions& exclusions() const { return exclusions_; }
  /// Whether the bodies of a joint that is gone overlap at t, and go on doing so until they part.
  bool must_part(const joint::Joint& joint, double t, const Paths& paths) const;

  /// Pairs whose joint is gone, and that are apart for these poses of the motion frames, can touch
  /// from now on.
  void let_parted_touch(const std::function<Pose(BodyIndex)>& pose_of);

  /// Over all of the time looked at so far no two bodies came nearer than this, m, contacts that
  /// rest excepted. Infinite where there are no two bodies that could.
  double gap_bound() const { return gap_bound_; }
  /// Pairs that came so near each other that their contact had to be told, and could not be.
  std::set<broad::Pair> unresolved_pairs() const;
  DetectionStatistics statistics() const;

 private:
  // The path of a body over the window, piece by piece.
  using Pieces = std::vector<motion::BodyPath>;
  // What is known of two bodies that are near each other.
  struct Watch {
    std::unique_ptr<toi::FirstContact> search;  // made when they come nearer than the margin
    std::unique_ptr<narrow::PairQuery> query;   // for regions
    SpringWatch springs;                        // that the bodies are in touch by
    std::optional<double> touch;                // time of the first one in the window
    double begin = 0;                           // up to where nothing was found: to be gone on from
    bool due = false;
  };
  // What a search found: the first touch, and how near the bodies came before it, m.
  struct Found {
    std::optional<double> touch;
    double bound;
  };

  bool is_watched(BodyIndex a, BodyIndex b) const;
  Pieces pieces_of(BodyIndex body, double from, double to, const Paths& paths) const;
  void take_paths(BodyIndex body, double from, double to, const Paths& paths);
  void update_box(BodyIndex body, double from);
  void renew_pairs(double from);
  template <class Action>
  void for_pairs_of(const std::vector<BodyIndex>& bodies, const Action& action);
  void search_due(const base::ThreadPool& pool);
  double known_until(const broad::Pair& pair) const;
  void make_due(const broad::Pair& pair, Watch& watch, double from);
  Found search(const broad::Pair& pair, Watch& watch) const;
  void note_touch(const broad::Pair& pair, Watch& watch, const std::optional<double>& time);
  toi::FirstContact& search_of(const broad::Pair& pair, Watch& watch) const;

  const model::Model& model_;
  const integrate::Scripts& scripts_;
  PairGeometry geometry_;
  const clock::StepClock* steps_ = nullptr;
  double window_begin_ = 0;
  double window_end_ = 0;
  bool boxes_changed_ = false;
  std::vector<motion::Outline> outlines_;  // by body
  std::vector<Pieces> pieces_;             // by body, of the current window
  std::vector<double> horizons_;           // by body: up to where it is looked at
  std::vector<geometry::Aabb> boxes_;      // by body, as the broad phase has them
  std::vector<geometry::Aabb> needed_;     // by body: half of the margin around where it gets
  double margin_ = 0;                      // pairs farther apart than this need not be looked at
  std::unique_ptr<broad::BroadPhase> broad_;
  std::map<broad::Pair, Watch> watches_;
  std::vector<broad::Pair> due_;                      // to be searched
  std::set<std::pair<double, broad::Pair>> touches_;  // found and not overtaken, by time
  std::vector<std::vector<BodyIndex>> near_;          // by body
  Exclusions exclusions_;
  double gap_bound_;
  std::set<broad::Pair> unresolved_;  // of pairs that are far apart now
  DetectionStatistics forgotten_;     // of pairs that are far apart now
};

}  // namespace abut::loop
