#include "scene/loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "scene/checker.h"
#include "scene/format.h"
#include "scene/overrides.h"
#include "scene/yaml_document.h"

namespace abut::scene {
namespace {

/// No scene is larger; a file that is was named by mistake.
constexpr std::uintmax_t maximum_file_size = 1'000'000'000;

std::string read_file(const std::string& path) {
  std::error_code status;
  if (std::filesystem::is_directory(path, status)) {
    throw InputError({path, 0, 0}, "this is a folder; name a scene file in it");
  }
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    throw InputError({path, 0, 0}, "the file cannot be opened; check the path and permissions");
  }
  const auto size = std::filesystem::file_size(path, status);
  if (!status && size > maximum_file_size) {
    throw InputError({path, 0, 0},
                     fmt::format("the file has {} bytes, too many for a scene", size));
  }
  std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (stream.bad()) throw InputError({path, 0, 0}, "the file cannot be read");
  return text;
}

/// Starts a comment that records an override.
constexpr std::string_view override_mark = "# --set ";

/// Keeps comments of the scene itself that look like that from being taken for overrides.
constexpr std::string_view own_comments_end = "# The comments above are the scene's own.\n";

bool ends_like_an_override(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  const auto line_break = text.rfind('\n');
  const std::size_t start = line_break == std::string_view::npos ? 0 : line_break + 1;
  return text.substr(start).starts_with(override_mark);
}

/// The scene as recorded: its text, and as comments what the command line changed.
std::string source_of(std::string_view text, const std::vector<std::string>& overrides) {
  std::string source(text);
  const bool is_ambiguous = ends_like_an_override(text);
  const bool goes_on = is_ambiguous || !overrides.empty();
  if (goes_on && !source.empty() && source.back() != '\n') source += '\n';
  if (is_ambiguous) source += own_comments_end;
  for (const std::string& change : overrides) {
    source += override_mark;
    for (const char c : change) source += c == '\n' || c == '\r' ? ' ' : c;
    source += '\n';
  }
  return source;
}

/// The comments that source_of() added, in order.
std::vector<std::string> recorded_overrides(std::string_view source) {
  std::vector<std::string> overrides;
  while (!source.empty() && source.back() == '\n') {
    source.remove_suffix(1);
    const auto line_break = source.rfind('\n');
    const std::size_t start = line_break == std::string_view::npos ? 0 : line_break + 1;
    if (!source.substr(start).starts_with(override_mark)) break;
    overrides.emplace_back(source.substr(start + override_mark.size()));
    source = source.substr(0, start);
  }
  std::reverse(overrides.begin(), overrides.end());
  return overrides;
}

}  // namespace

LoadedScene load_scene_file(const std::string& path, const std::vector<std::string>& overrides) {
  return load_scene_text(read_file(path), path, overrides);
}

LoadedScene load_recorded_scene(std::string_view source, const std::string& file_name,
                                const std::vector<model::MeshFile>& kept) {
  const bool has_folder = std::filesystem::path(file_name).has_parent_path();
  const auto read_mesh = [&](const std::string& path, geometry::Faces faces) {
    if (!has_folder)
      for (const model::MeshFile& one : kept)
        if (one.file == path) return *one.mesh;
    return geometry::read_mesh_file(path, faces);
  };
  return load_scene_text(source, file_name, recorded_overrides(source), read_mesh);
}

LoadedScene load_scene_text(std::string_view text, const std::string& file_name,
                            const std::vector<std::string>& overrides) {
  return load_scene_text(text, file_name, overrides, geometry::read_mesh_file);
}

LoadedScene load_scene_text(std::string_view text, const std::string& file_name,
                            const std::vector<std::string>& overrides,
                            const MeshReader& read_mesh) {
  Problems problems(file_name, overrides);
  auto document = parse_yaml(text, problems);
  if (!document) problems.throw_if_errors();
  apply_overrides(*document, overrides, problems);
  check_document(*document, *format::scene_record(), problems);

  const std::filesystem::path path(file_name);
  LoadedScene scene;
  scene.model.name = path.stem().string();
  scene.model.source = source_of(text, overrides);
  Builder builder{scene.model, problems, read_mesh, path.parent_path().string(), {}, {}, -1,
                  {},          {},       {}};
  build_settings(*document, builder);
  build_materials(*document, builder);
  build_bodies(*document, builder);
  build_holds(builder);
  check_bending_clock(*document, builder);
  build_scale(*document, builder);
  build_contacts(*document, builder);
  build_joints(*document, builder);
  build_forces(*document, builder);
  build_no_collide(*document, builder);
  if (document->is_map() && document->find("bodies") == nullptr) {
    problems.warning(document->mark, "the scene has no bodies; add them under `bodies`");
  }
  problems.throw_if_errors();
  scene.warnings = problems.sorted();
  scene.body_places.resize(scene.model.bodies.size());
  for (const auto& [name, declared] : builder.names) {
    if (declared.kind == Declared::Kind::body && declared.index >= 0) {
      scene.body_places[static_cast<std::size_t>(declared.index)] =
          problems.location(declared.mark);
    }
  }
  return scene;
}

}  // namespace abut::scene
