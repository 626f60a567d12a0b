#pragma once
// Scene files to models.

#include <string>
#include <string_view>
#include <vector>

#include "abut/diagnostics.h"
#include "model/model.h"
#include "scene/builder.h"

namespace abut::scene {

struct LoadedScene {
  model::Model model;
  std::vector<Diagnostic> warnings;
  std::vector<Location> body_places;  ///< where each body of the model stands in the file
};

/// `overrides` are texts `path=value` as after --set. Throws InputError with everything that is
/// wrong, errors and warnings, in the order of the text.
LoadedScene load_scene_file(const std::string& path,
                            const std::vector<std::string>& overrides = {});

/// The same from text. `file_name` names it in messages, and mesh files are relative to its folder.
LoadedScene load_scene_text(std::string_view text, const std::string& file_name,
                            const std::vector<std::string>& overrides = {});
LoadedScene load_scene_text(std::string_view text, const std::string& file_name,
                            const std::vector<std::string>& overrides, const MeshReader& read_mesh);

/// From the text that a run keeps of its scene (model::Model::source), which ends with the
/// overrides it was run with, as comments. Mesh files are those that the run keeps, if
/// `file_name` says no folder to read them from.
LoadedScene load_recorded_scene(std::string_view source, const std::string& file_name,
                                const std::vector<model::MeshFile>& kept);

}  // namespace abut::scene
