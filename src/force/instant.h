#pragma once
// The rows of contacts with friction at an instant, while their forces are looked for.

#include "force/contact_forces.h"
#include "force/slip.h"
#include "impulse/row_system.h"

namespace abut::force {

/// What is given: bodies, their rows, and how these would accelerate without forces. The set,
/// the bodies and their inertias must outlive it.
class Instant {
 public:
  Instant(const ConstraintSet& set, const BodiesNow& bodies, const std::vector<Inertia>& inertias,
          const std::vector<Twist>& free);

  const ConstraintSet& set() const { return set_; }
  /// Every row by itself, and with the forces of contacts that slide leaning against their slip.
  const impulse::RowSystem& plain() const { return plain_; }
  const impulse::RowSystem& system() const { return system_; }
  /// The accelerations of the rows without forces.
  const Vector& free() const { return free_; }
  const contact::ContactNow& place(int contact) const { return rows_.contacts[contact]; }

  const body::ConstraintRow& row(int index) const { return rows_.rows[index].row; }
  /// The two directions of slip of a contact.
  const Vec3& direction(int contact, int k) const {
    return row(set_.tangent_of(contact) + k).sides[0].linear;
  }
  Slip slip(int contact) const {
    return slip_of(set_, bodies_, contact, &rows_.rows[set_.tangent_of(contact)]);
  }

  /// Lets contacts lean against slip along a unit direction, or no more; `renew` when all do.
  void lean_against(int contact, const Vec3& along, double friction);
  void stand_up(int contact) { rows_.rows[contact].leaning.reset(); }
  void renew() { system_ = impulse::RowSystem(rows_.rows, inertias_); }

  Vector accelerations(const Vector& forces) const {
    return free_ + system_.along(system_.response(forces));
  }
  /// By which rounding may change the accelerations of rows.
  Vector rounding(const Vector& forces, const std::vector<int>& rows) const;
  /// How the slip of a contact accelerates.
  Vec3 slipping(const Vector& accelerations, int contact) const;
  /// The force on the first body of a contact.
  Vec3 force_on_a(const Vector& forces, int contact) const;

 private:
  const ConstraintSet& set_;
  const BodiesNow& bodies_;
  const std::vector<Inertia>& inertias_;
  impulse::RowsNow rows_;
  impulse::RowSystem plain_, system_;
  Vector free_;
};

}  // namespace abut::force
