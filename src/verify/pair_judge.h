#pragma once
// Do two solids overlap in a recorded configuration?

#include <cstdint>

#include "verify/solid.h"

namespace abut::verify {

enum class Outcome : std::uint8_t {
  apart,            ///< proven: the interiors have no common point
  within_rounding,  ///< an overlap no deeper than the rounding of the recorded numbers
  overlapping,      ///< proven, and deeper than that
  unknown,          ///< no judgement about these shapes
};

struct Verdict {
  Outcome outcome = Outcome::unknown;
  double depth = 0;           ///< of an overlap, m
  bool needed_exact = false;  ///< doubles with their margin could not tell
};

/// Which direction separated a pair last time.
struct Hint {
  long candidate = 0;             ///< of two polyhedra
  Vec3 direction = Vec3::Zero();  ///< of curved solids, from a to b; zero at first
};

/// Whether doubles prove two hulls disjoint.
bool hulls_are_apart(const Solid& a, const BodyState& state_a, const Solid& b,
                     const BodyState& state_b);

/// Precondition: the states are finite, and their quaternions are not zero.
Verdict judge(const Solid& a, const BodyState& state_a, const Solid& b, const BodyState& state_b,
              Hint& hint);

}  // namespace abut::verify
