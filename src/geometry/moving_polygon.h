#pragma once
// When does a moving polygon first contain the origin? The common core of moving contact.

#include <array>

#include "abut/types.h"
#include "geometry/moving_contact.h"

namespace abut::geometry {

/// A triangle (Corners = 3) or a parallelogram (Corners = 4) in space, corners in order around it,
/// each moving on a straight line at constant speed during [0, 1]. Every coordinate may be off by
/// one relative rounding (2^-53): the answer then holds for the exact polygon.
template <int Corners>
struct MovingPolygon {
  std::array<Vec3, Corners> start;
  std::array<Vec3, Corners> end;
};

/// Intervals of time that one query may examine before it gives up with an undecided hit. Of the
/// pairs that stay apart, all but one in thousands are decided within 32; those that touch without
/// crossing would use up any limit, because tiny intervals near the touch can still be excluded.
inline constexpr int moving_contact_interval_limit = 128;

/// Intervals shorter than this are not divided further (fraction of the motion). A few roundings
/// of the time: nothing can be learnt below.
inline constexpr double shortest_interval = 0x1p-50;

/// How closely a proven contact is located (fraction of the motion).
inline constexpr double contact_time_tolerance = 0x1p-40;

MovingContact first_contact_with_origin(const MovingPolygon<3>& polygon);
MovingContact first_contact_with_origin(const MovingPolygon<4>& polygon);

}  // namespace abut::geometry
