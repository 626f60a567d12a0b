#pragma once
// Values out of checked nodes. All take nodes that the checker marked valid.

#include <optional>
#include <string>
#include <vector>

#include "abut/types.h"
#include "model/model.h"
#include "scene/node.h"
#include "scene/problems.h"

namespace abut::scene {

Vec3 read_vec3(const Node& node);
Vec3 read_vec3_or(const Node& map, std::string_view key, const Vec3& otherwise);
double read_number_or(const Node& map, std::string_view key, double otherwise);
bool read_flag_or(const Node& map, std::string_view key, bool otherwise);

/// A vector made unit length; reports one without direction.
std::optional<Vec3> read_direction(const Node& node, std::string_view name, Problems& problems);

/// Any of the three ways to write an orientation; reports those that define none.
std::optional<Quat> read_orientation(const Node& node, Problems& problems);
Quat read_orientation_or(const Node& map, const Quat& otherwise, Problems& problems);

std::optional<model::Friction> read_friction(const Node& node, Problems& problems);
std::optional<model::Color> read_color(const Node& node, Problems& problems);

}  // namespace abut::scene
