#pragma once
// Impacts with friction by a law for one point (routh.h, moore_wilhelms.h): through joints, and
// where several points collide, one after the other.

#include "impulse/impact.h"
#include "impulse/moore_wilhelms.h"
#include "impulse/routh.h"

namespace abut::impulse {

/// Rounds per contact before the rest is settled at once: momentum that passes to
/// and fro in a closed group may need infinitely many.
inline constexpr long rounds_per_contact = 1000;

using PointLaw = PointImpactResult (*)(const PointImpact&);

/// The point that approaches fastest collides as if the others did not touch, until nothing
/// approaches.
ImpactResult point_by_point(const Impact& impact, PointLaw law);

/// The impact without collision of a contact that slides and jams; zero if it does not.
ImpactResult unjam(const Impact& impact, int contact);

}  // namespace abut::impulse
