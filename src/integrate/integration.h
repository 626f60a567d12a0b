#pragma once
// The integration of an island, step by step: each step that is tried is judged, and taken, or
// taken again shorter, up to an event, or with other rows or forces.

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "integrate/held_gaps.h"
#include "integrate/path_events.h"
#include "ode/dormand_prince_853.h"

namespace abut::integrate {

class Integration {
 public:
  /// `switches`: the times, ascending, at which something acts that is not smooth. Goes on no
  /// further than `end`. Steps are added to `pieces`.
  Integration(Equations& equations, std::vector<ode::Piece>& pieces, std::vector<double> switches,
              double end);

  void begin(double t, ode::Vector y, Coordinates coordinates);
  /// One step, or up to an event.
  void go_on(ode::Workspace& workspace);

  const ode::Cursor& cursor() const { return cursor_; }
  /// Of the joints, at the cursor.
  const Coordinates& coordinates() const { return coordinates_; }
  /// What ended the motion, if something did: at the cursor.
  const std::optional<PathEvent>& event() const { return event_; }
  /// Why the motion cannot be continued, where the event says that it cannot.
  const std::string& failure() const { return failure_; }
  /// Whether a force makes all steps so short that following them takes more work than time is
  /// worth, and bodies may be stepped.
  bool is_too_stiff() const;
  /// False where something acts on the island that is not smooth.
  bool is_smooth_at(double t) const;
  const UnprovenPairs& unproven() const { return unproven_; }
  const ode::StepStatistics& statistics() const { return statistics_; }

 private:
  void restart();
  void end_by(PathEventKind kind, int index = -1);
  bool rests();
  long tried() const { return statistics_.accepted + statistics_.rejected; }
  bool has_turned_since(double t) const;
  bool is_dragging() const;
  void accept(const ode::Cursor& before, ode::Piece piece);
  void keep(ode::Piece piece, const HeldGaps& gaps);
  void look_what_is_due(double length);
  bool keeps_rates(bool is_shortest) const;
  bool joints_go_on(const ode::Cursor& before, const ode::Piece& piece);
  bool shares_anew(const PathEvent& event, const ode::Piece& piece);
  void evaluate_anew(const ode::Cursor& at);
  void reach_pending();
  void follow_slip_to(double end, const ode::Piece& piece);
  void fail(ode::StepStatus status);

  Equations& equations_;
  std::vector<ode::Piece>& pieces_;  // one per step, contiguous, the last ends at the cursor
  std::vector<double> switches_;
  double end_;
  double begin_ = 0;
  double limit_ = 0;                  // up to here the motion is smooth
  std::optional<PathEvent> pending_;  // found, at or before limit_
  std::optional<PathEvent> event_;    // reached
  std::string failure_;
  int sharings_ = 0;  // since the step began that is tried
  Coordinates coordinates_;
  ode::Cursor cursor_;
  ode::StepStatistics statistics_;
  long stiff_steps_ = 0;  // of those that were tried
  UnprovenPairs unproven_;
};

}  // namespace abut::integrate
