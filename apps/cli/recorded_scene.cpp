#include "recorded_scene.h"

#include <filesystem>

#include "abut/diagnostics.h"
#include "scene/loader.h"

namespace abut::cli {

model::Model recorded_model(const record::RunReader& run, const std::string& mesh_folder) {
  if (run.facts().scene_text.empty())
    throw InputError(Location{}, "the run holds no scene text, so its bodies cannot be drawn");
  const std::filesystem::path name = std::filesystem::path(mesh_folder) / "recorded scene";
  return scene::load_recorded_scene(run.facts().scene_text, name.string()).model;
}

}  // namespace abut::cli
