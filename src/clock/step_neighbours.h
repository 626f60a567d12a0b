#pragma once
// Which bodies could meet within a step: boxes as far as they can get, and the pairs that are near.

#include <functional>
#include <memory>
#include <vector>

#include "clock/stepped_state.h"
#include "motion/swept_box.h"

namespace abut::clock {

/// A dynamic body that somebody else moves.
struct Outsider {
  BodyIndex body = 0;
  Pose pose;         ///< of its central frame, where the step begins
  double reach = 0;  ///< how far a point of it may get within a step, m
};

class StepNeighbours {
 public:
  /// Says which pairs of bodies, the smaller index first, touch each other at all.
  using Filter = std::function<bool(BodyIndex, BodyIndex)>;

  StepNeighbours(SteppedState& state, Filter may_touch);

  void begin();
  /// Other bodies are stepped from now on.
  void forget_pairs();
  /// The body moves as anybody else does.
  void forget_width(BodyIndex body) { widened_[body] = 1; }
  /// Boxes that were widened become narrower again.
  void narrow();

  /// Lays boxes around all bodies, as far as they can get in a step of length h.
  void place_boxes(double h, const std::vector<Outsider>& outsiders);
  /// The pairs of bodies whose boxes meet.
  std::vector<broad::Pair> pairs() { return broad_.find_pairs(); }
  /// Islands that sleep wake up where something that moves could reach them: whether any did.
  bool wake_met(double h);
  /// The outsiders that could come as near to a body as the kept gap within the step.
  std::vector<BodyIndex> met(const std::vector<Outsider>& outsiders);
  /// Of the pairs whose boxes meet, those that could come as near as the kept gap.
  void find_near_pairs();
  const std::vector<NearPair*>& near() const { return near_; }
  const std::vector<BentPair*>& near_bent() const { return near_bent_; }
  /// Whether bodies that got farther than their boxes were widened by could have met what they were
  /// not compared with: their boxes are as wide now as they got. In a heap somebody is always
  /// struck by something faster, and mostly among those that were near anyway.
  bool could_have_met_others(const std::vector<SteppedBody>& before);

  NearPair& pair_of(const broad::Pair& pair);
  BentPair& bent_pair_of(const broad::Pair& pair);

 private:
  double reach_of(const SteppedBody& body, double h) const;
  geometry::Aabb box_at(BodyIndex body, const Pose& pose) const;
  bool stays_apart(const broad::Pair& pair, const std::vector<SteppedBody>& before);
  std::unique_ptr<NearPair> make_pair(const broad::Pair& pair);
  std::shared_ptr<const narrow::BodyShape> shape_of(BodyIndex body);
  void find_near_bent_pairs(const std::vector<broad::Pair>& found);

  SteppedState& state_;
  std::vector<double> reaches_;  // by body: how far it may get within the step, m
  std::vector<double> widened_;  // by body: by what factor, since it got farther
  std::vector<motion::Outline> outlines_;
  std::vector<std::shared_ptr<const narrow::BodyShape>> shapes_;
  broad::BroadPhase broad_;
  std::vector<NearPair*> near_;  // that could meet within the step
  std::vector<BentPair*> near_bent_;
};

/// The speed of the fastest point of a body that bends, m/s.
double fastest_point(const SteppedBody& body);

}  // namespace abut::clock
