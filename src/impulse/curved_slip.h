#pragma once
// Slip whose direction turns while the impulse grows (Keller 1986, section 4).
//
// The curve is integrated in the variables of hodograph.h. Where slip dies or is born, ln v is
// linear in tau and theta tends to a zero of b exponentially: the method of order 8 takes a few
// dozen steps, and leaves once the direction has settled to rounding or slip has stopped.
//
// Over an interval of tau on which the normal rate w - mu c.s keeps its sign, u_n is monotonic and
// so are the works, so events are found by signs at its ends. The rate changes sign only where
// theta, itself monotonic, crosses the directions with c.s = w / mu.

#include "impulse/impact_progress.h"

namespace abut::impulse {

enum class CurvedEnd {
  over,     ///< the impact is
  settled,  ///< the direction does not change any more
  stopped,  ///< the slip is slower than `stopped_speed`
  failed
};

/// Slip with dynamic friction mu > 0 from where the impact stands, until one of these happens.
CurvedEnd slip_in_a_curve(const SlipFlow& flow, double mu, double stopped_speed,
                          ImpactProgress& progress);

/// Whether slip keeps this direction, but for rounding.
bool keeps_direction(const SlipFlow& flow, double mu, const Vec2& s);

}  // namespace abut::impulse
