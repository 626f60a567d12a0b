#pragma once
// Impacts: jumps of velocity by impulses at contacts, limits and joints.
//
// `newton` (Baraff 1993, section 4; Moore & Wilhelms 1988, section 3.2): all contacts at once. With
// u- the rates of the gaps before and u+ = u- + A j those after,
//     j >= 0,   u+ + e u- >= 0,   j . (u+ + e u-) = 0;      joints: u+ = 0
// (a motor of limited force has no impulse)
// where e is the restitution of a contact that approaches faster than the rest speed, and 0
// otherwise. `sequential`: the contacts between the two bodies that approach fastest collide as if
// the others did not touch, until nothing approaches.
//
// By default, `pass_on`, an impulse is passed on from body to body in rounds, as in the generalized
// reflections of Smith, Kaufman, Vouga, Tamstorf and Grinspun (Reflections on simultaneous impact,
// 2012). In a round all contacts that approach collide at once, so that what is symmetric stays so,
// while contacts that are at rest and could bounce wait until they are struck: the balls of
// Newton's cradle do what the toy does. Contacts that do not bounce take part in every round: they
// give way to nothing. When nothing approaches fast enough to bounce, or faster than a hundredth of
// the impulse, all contacts collide at once, without restitution. Where nothing bounces at all this
// is the only round, and the same as `newton`.
//
// Energy: half of j . (u+ + u-) is gained. At a contact that approached this is -(1 - e)|u-| j / 2,
// but a contact that was opening and is pushed shut could gain. Without restitution the jump is
// the projection onto what is possible, which never gains; so if energy would grow, the jump is
// taken partway between the two: far enough for as much restitution as energy allows. Where bodies
// are jammed, so that no motion has the restitution asked for, there is none.
//
// With friction the impulses at a contact, and the velocities they leave there, are those of
// Coulomb's law on the true cone instead (cone_impact.h); what slips has the dynamic
// coefficient. Without restitution this takes energy too: half of j . (u- + u+) is
// j . u+ - j . A j / 2, and friction is against the slip that is left.

#include <vector>

#include "impulse/constraint_set.h"
#include "lcp/lcp.h"

namespace abut::impulse {

struct Impact {
  const ConstraintSet* set = nullptr;
  const RowSystem* system = nullptr;  ///< all rows of the set, with their rates before
  double rest_speed = 0;              ///< approach under which there is no restitution, m/s
  bool is_smooth = false;             ///< friction is left out
  /// What restitution is the ratio of, where friction acts.
  model::RestitutionLaw law = model::RestitutionLaw::energetic;
  bool follows_slip = true;  ///< of contacts that collide alone (cone_impact.h)
};

/// A contact whose restitution was less than asked for, as energy would have been gained.
struct LimitedRestitution {
  int contact = 0;
  double restitution = 0;  ///< that was left
};

struct ImpactResult {
  lcp::Status status = lcp::Status::solved;
  Vector impulses;           ///< by row, N s
  std::vector<Twist> jumps;  ///< of the bodies' velocities, by slot
  double energy_gained = 0;  ///< J, not positive but for rounding
  double residual = 0;       ///< of the complementarity problems
  std::vector<LimitedRestitution> limited = {};
  long solves = 0;
  long pivots = 0;
};

Vector rates_of(const RowSystem& system);

/// Nothing happens.
ImpactResult no_impact(const Impact& impact);
/// With Newton's meaning of restitution, whatever `law` says.
ImpactResult newton(const Impact& impact);
ImpactResult pass_on(const Impact& impact);
ImpactResult sequential(const Impact& impact);
/// All at once and without restitution, from other rates than those of the system's rows.
ImpactResult settle_at_once(const Impact& impact, const Vector& rates);

/// The limit of impacts that follow each other ever faster, as when a body rocks from one contact
/// to another and back until both are closed: the given contacts end with no rate at all.
ImpactResult come_to_rest(const Impact& impact, const std::vector<int>& contacts);

}  // namespace abut::impulse
