#pragma once
// A run as an animation in binary glTF 2.0, which Blender, game engines and browsers read.

#include <filesystem>
#include <string>
#include <vector>

#include "model/model.h"
#include "record/run_reader.h"

namespace abut::record {

/// Writes the file in one piece. glTF has y up, quaternions (x, y, z, w) and single precision: a
/// root node turns the scene's z axis up. Curved shapes are triangles there. Of a plane a square is
/// shown. `model` is the one that was run. Returns what was left out to keep the file small.
/// Throws WriteError, or InputError where the run cannot be read.
std::vector<std::string> write_glb(const RunReader& run, const model::Model& model,
                                   const std::filesystem::path& path);

}  // namespace abut::record
