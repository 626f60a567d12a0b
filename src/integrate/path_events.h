#pragma once
// What ends the smooth motion of an island from within (Bouma & Vanecek 1991, section 7, events of
// type 1, 3 and 4): a contact that leaves its features, one that rests without force and comes
// nearer or departs, a force that would have to pull, friction that would have to be more than it
// can be, slip that stops, a joint that meets its limit or breaks.
//
// Where contacts stick, their forces are often not unique: four corners of a block on a slope share
// its weight, and what one cannot bear another may. So there it is not the end of what is allowed
// for some forces that counts, but that for all of them: before a contact slips, other forces are
// looked for (HeldRows::share_anew).

#include <optional>
#include <vector>

#include "integrate/held_now.h"
#include "ode/dormand_prince_853.h"

namespace abut::integrate {

enum class PathEventKind {
  release,  ///< the force of a contact or limit reaches zero
  support,  ///< a contact reaches the end of its face, edge or vertex
  shift,    ///< a contact that rests without force is pressed, comes nearer or departs
  slip,     ///< friction becomes too weak to keep a contact from slipping
  stick,    ///< the slip of a contact stops
  creep,    ///< the slip of a contact is too slow to be followed, and is to be stopped
  free,     ///< a guided contact cannot keep its direction, or need not any more
  limit,    ///< a joint's coordinate meets its limit
  breaks,   ///< a joint bears more than it can
  turns,    ///< the spring of a contact changes its phase: nothing that others need to know of
  parts,    ///< the bodies of a spring have separated
  drags,    ///< the motion takes more work than it is worth to be followed
  fails     ///< the motion cannot be continued: see IslandPath::failure
};

/// What counts as no time, s: a millionth of that in which slip begins to be told from none. Where
/// an event follows the beginning of a motion within it, who slips or leaves was asked there, and
/// to ask again would give the same answer: it is the event that must decide.
inline constexpr double no_time = 1e-6 * force::creep_time;

struct PathEvent {
  double time = 0;
  PathEventKind kind = PathEventKind::release;
  /// Of the contact or limit among the rows, of the joint in the model, or of the spring.
  int index = 0;
  bool is_upper = false;    ///< of a limit
  double seen = 0;          ///< when it was seen to have happened, after its time
  bool is_at_once = false;  ///< where the motion began anew, but for no time
  /// Where forces reach the end of what is allowed: the contacts that leave or slip soon after if
  /// nothing holds them. The forces of others are only shared out anew.
  Changes changes = {};
};

/// Whether a contact's force, or its friction, reaches the end of what is allowed.
bool is_end_of_force(const PathEvent& event, const impulse::ConstraintSet& set);

/// Joint coordinates, by joint of the island: the angles count turns, so they must be followed.
using Coordinates = std::vector<double>;

/// The first event within the piece, if any. `coordinates` are those where the piece begins;
/// `begun` is when the motion began anew.
std::optional<PathEvent> first_event(Equations& equations, const ode::Piece& piece,
                                     const Coordinates& coordinates, double begun);

/// The coordinates at t, near the given ones.
Coordinates followed(Equations& equations, double t, const ode::Vector& y, const Coordinates& near);

}  // namespace abut::integrate
