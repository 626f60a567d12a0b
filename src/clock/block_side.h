#pragma once
// What rows of the problem see of a body: the six freedoms of a rigid one, the slots of one that
// bends, or what is given of one that does not yield.

#include <array>
#include <span>
#include <vector>

#include "clock/step_attempt.h"

namespace abut::clock {

/// One side of a block of rows, as the slots of the problem see it.
struct BlockSide {
  struct Part {
    int slot = 0;
    std::array<body::RowSide, 6> rows;
  };
  struct Node {
    int node = 0;
    std::array<Vec3, 6> rows;
  };
  int place = impulse::immovable;  ///< the body's first slot
  std::vector<Part> parts;         ///< also of what does not yield: supports work through it
  std::vector<Node> nodes;         ///< of a sheet
  std::array<double, 6> given{};   ///< what a body that does not yield moves the rows by, m/s
};

/// Appends a block with its rows, which have what is given as bias; its index.
int append_block(law::StepProblem& problem, law::StepBlock block,
                 const std::array<BlockSide, 2>& sides);

/// One side of a row: a point of a body that bends, of a rigid one, or of the world.
struct PointSide {
  int place = -1;
  const AttemptBent* bent = nullptr;
  std::vector<flexible::ColumnWeight> weights;
  Vec3 arm = Vec3::Zero();  ///< world axes
  impulse::Twist velocity;  ///< of a body that does not yield
  double sign = 1;

  /// Rows of its velocity along axes.
  BlockSide along(std::span<const Vec3> axes) const;
};

PointSide point_side(const Attempt& attempt, BodyIndex body, const Vec3& arm,
                     const std::vector<flexible::ColumnWeight>& weights, double sign);

/// A block whose rows are the relative velocity of two points along axes.
int append_point_block(Attempt& attempt, const law::StepBlock& block,
                       const std::array<Vec3, 3>& axes, const std::array<PointSide, 2>& sides);

}  // namespace abut::clock
