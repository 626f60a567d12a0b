#pragma once
// JSON whose keys stay in the order in which they are written.

#include <nlohmann/json.hpp>

#include "abut/types.h"

namespace abut::record {

using Json = nlohmann::ordered_json;

inline Json to_json(const Vec3& v) {
  return {v.x(), v.y(), v.z()};
}

/// (w, x, y, z), as everywhere in Abut.
inline Json to_json(const Quat& q) {
  return {q.w(), q.x(), q.y(), q.z()};
}

}  // namespace abut::record
