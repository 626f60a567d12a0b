#pragma once
// The scene format, described once: every key with its type, unit, range, default and meaning.
// A new key is a line in one of these tables and its use in a builder.

#include <memory>

#include "scene/schema.h"

namespace abut::scene::format {

/// Sizes of things, m. Beyond these, squares and cubes of sizes run out of double precision long
/// before anything meaningful could be simulated.
inline constexpr double smallest_size = 1e-8;
inline constexpr double largest_size = 1e6;
inline Range sizes() {
  return {smallest_size, largest_size, false};
}

/// Positions, velocities and the like: any finite number that leaves room for its square.
inline constexpr double largest_number = 1e100;
inline Range any() {
  return {-largest_number, largest_number, false};
}

inline constexpr double largest_friction = 1e9;

std::shared_ptr<const Record> scene_record();  ///< the whole document
std::shared_ptr<const Record> material_record();
std::shared_ptr<const Record> body_record();
std::shared_ptr<const Record> shape_record();  ///< one key per shape
std::shared_ptr<const Record> sheet_record();
Type flexible_type();
Type boundary_type();
Type deformation_type();
Type joint_type();
Type force_type();

Key bodies_key();  ///< the two bodies of a spring or joint

Type friction_type();
Type orientation_type();
Type position_type();
Type direction_type();  ///< a vector whose length does not matter

/// The colour names of CSS level 1.
const std::vector<std::pair<std::string, std::string>>& color_names();

}  // namespace abut::scene::format
