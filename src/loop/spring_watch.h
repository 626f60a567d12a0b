#pragma once
// Two bodies that are in touch by springs: when do others of their points come to touch, or go on
// to other features?
//
// Bodies that overlap have no gap to be certified. So, unlike a first touch, a change among the
// points of bodies in touch is looked for at some instants of every step, and located between them.
// Points get their springs while they are still apart, and these push once they overlap. A point
// that comes in late all the same finds its spring compressed; that is told in the energy book.

#include <array>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "contact/contact.h"
#include "integrate/spring_scale.h"
#include "motion/path.h"

namespace abut::loop {

/// Points of contact of two bodies are the same if they are no farther apart than this, m.
double spring_tolerance(const model::Body& a, const model::Body& b);

/// Points of bodies in touch that come nearer than this have springs, m, which push once they
/// overlap: so that points that rise and sink by little need no search, and none is found late.
double spring_margin(const integrate::SpringScale& scale, const model::SolverSettings& solver);

/// What touches, at poses of the motion frames.
using ContactFinder = std::function<std::vector<contact::Contact>(const Pose&, const Pose&)>;

/// The points of two bodies that springs are at.
class SpringWatch {
 public:
  SpringWatch() = default;
  /// Points are the same within `tolerance`; those nearer than half the margin need a spring, and a
  /// spring is at a loss that is as deep without a point (m).
  /// `reach` is the largest distance of a point of contact from the origin of the motion frame of
  /// a dynamic body, or more, m.
  SpringWatch(std::vector<contact::Contact> springs, double tolerance, double margin, double reach)
      : springs_(std::move(springs)), tolerance_(tolerance), margin_(margin), reach_(reach) {}

  bool empty() const { return springs_.empty(); }

  /// The first instant in (from, to] at which a point comes near that no spring is at, or a spring
  /// is compressed at a place that is no point of contact any more. Motion so small that no point
  /// could tell the difference is not looked at until it has added up.
  std::optional<double> first_change(const motion::BodyPath& a, const motion::BodyPath& b,
                                     double from, double to, const ContactFinder& find);

 private:
  bool has_changed(const Pose& a, const Pose& b, const ContactFinder& find) const;
  bool has_moved(const Pose& a, const Pose& b) const;

  std::vector<contact::Contact> springs_;
  double tolerance_ = 0, margin_ = 0, reach_ = 0;
  std::optional<std::array<Pose, 2>> unchanged_;  // where nothing had changed last
};

}  // namespace abut::loop
