#include "joint/joint.h"

namespace abut::joint {

int equality_row_count(Type type) {
  switch (type) {
    case Type::point_on_plane:
    case Type::distance:
      return 1;
    case Type::point_on_line:
      return 2;
    case Type::ball:
      return 3;
    case Type::universal:
    case Type::cylindrical:
      return 4;
    case Type::hinge:
    case Type::prismatic:
      return 5;
    case Type::weld:
      return 6;
  }
  return 0;
}

Coordinate coordinate_of(Type type) {
  switch (type) {
    case Type::hinge:
      return Coordinate::angle;
    case Type::prismatic:
    case Type::cylindrical:
    case Type::point_on_line:
      return Coordinate::displacement;
    case Type::ball:
    case Type::universal:
    case Type::point_on_plane:
    case Type::weld:
    case Type::distance:
      return Coordinate::none;
  }
  return Coordinate::none;
}

bool has_axis(Type type) {
  return type != Type::ball && type != Type::weld && type != Type::distance;
}

}  // namespace abut::joint
