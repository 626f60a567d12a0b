#pragma once
// What a public Shape holds.

#include "abut/model.h"
#include "shape/shape.h"

namespace abut {

struct Shape::Geometry {
  shape::Geometry value;
};

}  // namespace abut
