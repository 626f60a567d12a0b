#pragma once
// Two bodies near each other: where they could touch within a step, what they did to each other in
// the last one, and the proof that they stay apart.

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "base/limits.h"
#include "contact/contact_set.h"
#include "flexible/columns.h"
#include "model/contact_law.h"
#include "narrow/ahead_query.h"
#include "narrow/body_shape.h"
#include "toi/first_contact.h"

namespace abut::clock {

/// A place at which the bodies could touch within a step: a row of the step's problem.
struct StepContact {
  contact::ContactLabel label;
  Vec3 normal = Vec3::UnitZ();    ///< from b to a, world
  std::array<Vec3, 2> arms = {};  ///< places, as the motion frames of the bodies carry them
  double gap = 0;                 ///< where the step begins, m
  double kept = 0;                ///< the gap it is kept at, m
  double within = 0;              ///< time by which it counts, s; the step's length
  double bounces_at = infinity;   ///< when it closes, s into the step, of a contact that bounces
  bool found_late = false;        ///< the proof failed there
  model::ContactLaw law;
  /// Of a body that bends: its place is a combination of columns, and the arm says nothing.
  std::array<std::vector<flexible::ColumnWeight>, 2> weights;
  // Of the step's solution:
  Vec3 impulse = Vec3::Zero();  ///< on a, N s
  bool slides = false;
};

/// What a pair did in one step.
struct PairStep {
  double begin = 0, end = 0;
  double kick = 0;  ///< time over which the impulses acted, s
  std::vector<StepContact> contacts;
};

/// What contacts of a step have of the last one: impulses that the same features exchanged.
class Memory {
 public:
  /// For a kick of length `kick` (s). `last` is to outlive it.
  Memory(const PairStep& last, double kick);
  /// 0 if they exchanged none.
  Vec3 impulse(const contact::ContactLabel& label) const;
  void recall(StepContact& contact) const;
  /// The same, turned with the normal of the contact, so that it stays within the cone of friction.
  Vec3 turned_impulse(const StepContact& contact) const;

 private:
  const StepContact* find(const contact::ContactLabel& label) const;

  std::vector<const StepContact*> sorted_;  // by label
  double ratio_;
};

/// Two bodies that could touch, or one that could touch itself, and what they did.
class TouchingPair {
 public:
  TouchingPair(const model::Model& model, BodyIndex a, BodyIndex b);

  BodyIndex a() const { return bodies_[0]; }
  BodyIndex b() const { return bodies_[1]; }
  const std::array<BodyIndex, 2>& bodies() const { return bodies_; }
  /// The gap that contacts are kept at, m.
  double kept_gap() const { return kept_gap_; }

  std::vector<PairStep> steps;  ///< of the step that is being taken
  PairStep last;                ///< the last one that was

 private:
  std::array<BodyIndex, 2> bodies_;
  double kept_gap_;
};

/// Of two rigid bodies.
class NearPair : public TouchingPair {
 public:
  NearPair(const model::Model& model, BodyIndex a, BodyIndex b,
           std::shared_ptr<const narrow::BodyShape> shape_a,
           std::shared_ptr<const narrow::BodyShape> shape_b);

  /// A body as it moves in a step: the pose of its motion frame, and velocities there.
  struct Moving {
    Pose pose;
    Vec3 velocity = Vec3::Zero();
    Vec3 spin = Vec3::Zero();
    double radius = 0;  ///< how far from its origin places are at most that count, m
  };

  /// Everything that can come within `within` (m) of each other in `duration` (s); with the
  /// impulses that the same features exchanged in the last step, for a kick of length `kick`.
  std::vector<StepContact> contacts(const std::array<Moving, 2>& bodies, double duration,
                                    double within, double kick);
  /// A row keeps bodies apart along the line between two places, and a corner that goes past
  /// another one, above it, mostly moves along that line: it would be stopped where nothing is in
  /// its way. So where bodies that went on like this for `duration` (s) would pass a row and still
  /// be apart, what is near each other there takes its place, as seen from where that would be.
  /// Whether there was such a row: bodies that went straight through each other would be apart
  /// there, too, which is for the proof to find.
  bool look_past(std::vector<StepContact>& contacts, const std::array<Moving, 2>& bodies,
                 double duration, double kick);
  /// Everything within `reach` (m) of each other, for poses of the motion frames; without memory.
  std::vector<StepContact> contacts_found(const Pose& a, const Pose& b, double reach);

  /// The gap of a contact once the bodies have moved, between the same features: a face turns with
  /// its body, and two edges span a plane. Nothing where features do not tell, as of curved bodies.
  std::optional<double> gap_after(const StepContact& contact, const std::array<Pose, 2>& before,
                                  const std::array<Pose, 2>& after) const;

  /// Proves the bodies apart, or tells where they come too near.
  toi::SearchResult prove(const motion::BodyPath& a, const motion::BodyPath& b, double from,
                          double to);
  /// A lower bound of the gap, m; exact where it is no more than `enough`.
  double gap(const Pose& a, const Pose& b, double enough);
  /// How far apart they are, with where.
  std::optional<narrow::Separation> separation(const Pose& a, const Pose& b) {
    return search_.separation(a, b);
  }

  /// The least gap that contacts found by `contacts` are kept at, m.
  double least_kept() const { return least_kept_; }
  bool is_supported() const { return search_.supported() && query_.has_value(); }
  narrow::PairStatistics statistics() const { return search_.pair_statistics(); }

 private:
  std::vector<StepContact> contacts_of(const std::vector<contact::ContactRegion>& regions,
                                       const Pose& a, const Pose& b) const;
  /// Places that were found, and when.
  struct Found {
    Pose a, b;
    double reach = 0;
    std::vector<StepContact> contacts;
  };
  bool still_holds(const Found& found, const Pose& a, const Pose& b, double reach) const;
  static std::vector<StepContact> carried(const Found& found, const Pose& a, const Pose& b);
  std::optional<Vec3> normal_after(const StepContact& contact, const std::array<Pose, 2>& before,
                                   const std::array<Pose, 2>& after) const;
  const narrow::Solid& solid_of(const contact::ContactLabel& label, int side) const;
  Vec3 edge_in_space(const contact::ContactLabel& label, int side, const Pose& pose) const;
  narrow::Ahead ahead_of(const std::array<Moving, 2>& bodies, double duration, double within) const;
  std::vector<StepContact> contacts_ahead(const Pose& a, const Pose& b, const narrow::Ahead& ahead);

  const model::Model& model_;
  toi::FirstContact search_;
  std::optional<narrow::PairQuery> query_;
  std::optional<narrow::AheadQuery> ahead_;
  double least_kept_;  // of the contacts found last, m
  bool may_turn_;      // a body moves that no joint holds
  std::optional<Found> found_;
};

/// Lowers the gaps that contacts of one pair are kept at where there is less room: of two that face
/// each other, as those of a peg in its hole, both gaps together are all the play there is.
/// `least` (m) is always wanted. `free_to_turn` is the attitude of the first body if the bodies may
/// turn against each other: a peg that leans touches both walls, at different heights, and opens
/// both gaps when it stands up.
void fit_to_play(std::vector<StepContact>& contacts, double least,
                 const std::optional<Quat>& free_to_turn = {});

/// Of the kept gap (dimensionless): bodies that come nearer than this within a step are not proven
/// apart, and the step is taken again with the place that came too near. Far below what sweeps
/// leave of the kept gap, far above rounding.
inline constexpr double proven_lower = 0.04, proven_upper = 0.05;

/// The gap that stepped contacts of two bodies are kept at, m.
double kept_gap(const model::Model& model, BodyIndex a, BodyIndex b);

}  // namespace abut::clock
