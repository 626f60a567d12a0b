#include "recorded_scene.h"

#include <filesystem>

#include "abut/diagnostics.h"
#include "scene/loader.h"

namespace abut::cli {

model::Model recorded_model(const record::RunReader& run, const std::string& mesh_folder) {
  if (run.facts().scene_text.empty())
    throw InputError(Location{}, "the run holds no scene text, so its bodies cannot be drawn");
  const std::filesystem::path name = std::filesystem::path(mesh_folder) / "recorded scene";
  try {
    return scene::load_recorded_scene(run.facts().scene_text, name.string(), run.facts().mesh_files)
        .model;
  } catch (const InputError& error) {
    std::vector<Diagnostic> diagnostics = error.diagnostics();
    diagnostics.push_back({Severity::warning, Location{name.string(), 0, 0},
                           "mesh files that the run does not keep are looked for in the current "
                           "folder; say with --meshes which one they are relative to"});
    throw InputError(std::move(diagnostics));
  }
}

}  // namespace abut::cli
