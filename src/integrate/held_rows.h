#pragma once
// The rows of contacts and joints that carry forces while the motion of an island is smooth, and
// these forces: those that keep the second derivatives of the rows at zero. Which rows carry them
// is found where the motion begins anew (force/active_set.h).
//
// Friction that sticks is held like a joint. Friction that slides makes the force of its contact
// lean, against the slip of the moment. Where something slides, forces that are not unique change
// the motion; where nothing does, only who bears how much.

#include <optional>
#include <vector>

#include "force/active_set.h"
#include "force/sharing.h"
#include "integrate/friction_modes.h"

namespace abut::integrate {

class HeldRows {
 public:
  explicit HeldRows(AppliedForces& applied) : applied_(applied), modes_(applied) {}

  /// The motion begins anew where the applied forces were evaluated last.
  void begin();
  /// As found where the motion began.
  const force::ContactForces& found() const { return found_; }
  bool have_unique_forces() const;
  const std::vector<int>& basis() const { return basis_; }      ///< rows that are held
  const std::vector<int>& placed() const { return placed_; }    ///< of these, that know positions
  const std::vector<int>& implied() const { return implied_; }  ///< of joints, implied by others
  const std::vector<int>& active() const { return active_; }    ///< with friction: that forces need
  /// The places of held rows among the active ones.
  const std::vector<int>& held_places() const { return carrying_.held; }
  FrictionModes& modes() { return modes_; }
  const FrictionModes& modes() const { return modes_; }

  /// To be called at the beginning of each step: directions of slip are taken from there.
  void follow_slip(double t, const ode::Vector& y);
  /// Takes a row out of those that are held, if it had no force where the motion began.
  bool let_go(int row);
  /// Looks for other forces that hold all that is held, where those followed so far are not allowed
  /// any more; false if there are none. Where nothing slides the motion stays the same, otherwise
  /// it must be integrated anew. From `from` on, the others count; before, what was followed then.
  bool share_anew(double t, const ode::Vector& y, double from);
  /// Other forces for one instant, by row, if there are any; what is followed stays.
  std::optional<impulse::Vector> shared_at(double t, const ode::Vector& y,
                                           const impulse::RowsNow& rows);
  /// Puts what was followed at t in place of what is followed now, for as long as it lives.
  class At;
  /// What contacts and joints would do there if they were asked, with friction as it is.
  force::ContactForces found_at(double t, const ode::Vector& y);
  /// Whether forces hold every row that is held.
  bool are_held_by(const force::ContactForces& found) const;

  /// Applied forces, and those of the rows.
  IslandNow& evaluate(double t, motion::Side side, const ode::Vector& y,
                      SlipThatIsOver over = SlipThatIsOver::has_ended);
  /// By row, without friction, as evaluated last.
  impulse::Vector forces_of_basis() const { return by_row(basis_forces_); }
  /// Of values by row of the basis; zero for the others.
  impulse::Vector by_row(const impulse::Vector& of_basis) const;
  /// With friction: the system of the active rows, and forces by row of all.
  struct Shared {
    impulse::RowSystem system;
    impulse::Vector forces;
  };
  Shared shared_forces_of(const impulse::RowsNow& all);
  /// Adds the force of a row to what acts, and to the books.
  void push(int row, const impulse::SystemRow& content, double force);
  /// Keeps the factors of the rows that are held, from call to call.
  impulse::RowSolver& solver() { return solver_; }

 private:
  // What was followed up to a time, where something slides: reports may ask for it later.
  struct Share {
    double until = 0;
    impulse::Vector reference;
    std::vector<int> carriers, guides;
  };

  void list_rows();
  void list_active_rows();
  void swap(Share& share);
  void keep_sticking(int contact, const force::ContactForces& found);
  double power_of_row(int row, const impulse::SystemRow& content, double force) const;
  /// By active row, given the content of these.
  Shared shared_forces(impulse::RowsNow active_rows);

  AppliedForces& applied_;
  FrictionModes modes_;
  force::ContactForces found_;
  std::vector<int> basis_, placed_, implied_, active_;
  force::Carrying carrying_;      // places among the active rows
  force::AllowedForces allowed_;  // of the active rows
  force::Sharing sharing_;
  impulse::Vector reference_;          // forces that those followed stay near to, where not unique
  std::vector<Share> earlier_shares_;  // in the order of time
  impulse::RowSolver solver_;
  impulse::Vector basis_forces_;
};

class HeldRows::At {
 public:
  At(HeldRows& rows, double t);
  ~At();
  At(const At&) = delete;
  At& operator=(const At&) = delete;

 private:
  HeldRows& rows_;
  Share* share_ = nullptr;
};

}  // namespace abut::integrate
