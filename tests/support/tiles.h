#pragma once
// A body that slides over flush tiles.

#include <fmt/format.h>

#include <string>

namespace abut::test {

/// The tiles are as many and as long as what starts near the middle of the first one at 1 m/s needs
/// for a second; `joint` (m) is left between them. The body is the last one, `slider`; `solver`
/// stands before it all.
inline std::string tiles_scene(const std::string& solver, const std::string& shape, double turn,
                               double joint, double friction) {
  std::string scene = fmt::format(
      "abut: 1\nduration: 1\n{}\nmaterials: {{m: {{density: 1000, friction: {}, restitution: "
      "0}}}}\nbodies:\n",
      solver, friction);
  for (int i = 0; i < 7; ++i)
    scene += fmt::format(
        "  - {{name: t{}, motion: fixed, material: m, shape: {{box: {{size: [{}, 1, 0.1]}}}}, "
        "position: [{}, 0, -0.05]}}\n",
        i, 0.2 - joint, 0.2 * i);
  return scene +
         fmt::format(
             "  - {{name: slider, material: m, shape: {{{}}}, position: [0.043, 0.02, 0.05], "
             "orientation: {{axis: [0, 0, 1], angle: {}}}, velocity: [1, 0, 0]}}\n",
             shape, turn);
}

inline constexpr const char* tile_box = "box: {size: [0.13, 0.1, 0.1]}";
inline constexpr const char* tile_ball = "sphere: {radius: 0.05}";
inline constexpr const char* tile_cylinder = "cylinder: {radius: 0.05, height: 0.1}";
inline constexpr const char* tile_rounded =
    "convex: {points: [[-0.055, -0.04, -0.04], [-0.055, -0.04, 0.04], [-0.055, 0.04, -0.04], "
    "[-0.055, 0.04, 0.04], [0.055, -0.04, -0.04], [0.055, -0.04, 0.04], [0.055, 0.04, -0.04], "
    "[0.055, 0.04, 0.04]], rounding: 0.01}";

}  // namespace abut::test
