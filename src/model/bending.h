#pragma once
// What a body of the model has more if it bends.

#include <memory>
#include <string>
#include <vector>

#include "flexible/bending_body.h"

namespace abut::model {

/// A node of a sheet that is held: where it starts, or by the point of a body that is there.
struct Hold {
  int i = 0, j = 0;  ///< of the sheet's grid
  int column = 0;
  BodyIndex body = world;  ///< pinned to the world, or attached to a body
  std::string name;        ///< in joints.csv: `BODY.pin[i,j]`, `BODY.attach[i,j]`
};

struct Bending {
  std::shared_ptr<const flexible::BendingBody> body;
  flexible::State initial;  ///< at time 0
  int material = 0;         ///< of a sheet; parts of solids have their own
  std::vector<Hold> holds;  ///< of a sheet
};

}  // namespace abut::model
