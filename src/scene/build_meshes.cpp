// Shapes made of points: hulls and closed surfaces, written into the scene or read from files.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/text.h"
#include "geometry/convex_hull.h"
#include "geometry/convex_mesh.h"
#include "geometry/mesh_check.h"
#include "geometry/mesh_mend.h"
#include "scene/builder.h"
#include "scene/format.h"
#include "scene/read.h"

namespace abut::scene {
namespace {

using geometry::PolygonMesh;
using SharedMesh = std::shared_ptr<const PolygonMesh>;

/// Where the points come from, and where to report what is wrong with them.
struct Source {
  const Node* node = nullptr;  ///< the value of `file`, `points` or `vertices`
  std::string prefix;          ///< names the mesh file in messages; empty for points in the scene
  std::string cache_key;       ///< empty: not shared
};

Vec3 read_scale(const Node& parameters) {
  const Node* scale = parameters.valid_at("scale");
  if (scale == nullptr) return Vec3::Ones();
  return scale->is_sequence() ? read_vec3(*scale) : Vec3::Constant(scale->number);
}

std::string resolved(const std::string& file, const std::string& folder) {
  const std::filesystem::path path(file);
  if (path.is_absolute() || folder.empty()) return file;
  return (std::filesystem::path(folder) / path).string();
}

/// Exactly one of `file` and the given key.
const Node* one_source(const Node& parameters, const char* key, const char* shape,
                       Builder& builder) {
  const Node* file = parameters.find("file");
  const Node* inside = parameters.find(key);
  if ((file == nullptr) != (inside == nullptr)) return file != nullptr ? file : inside;
  builder.problems.error(
      parameters.mark,
      fmt::format("a {} needs either `file` or `{}`{}", shape, key,
                  file == nullptr ? "; give one of them" : ", not both; remove one"));
  return nullptr;
}

/// The problems of a mesh file, told at the place in the scene that names it.
void report(const InputError& error, const Source& source, Builder& builder) {
  for (const Diagnostic& diagnostic : error.diagnostics()) {
    const Location& place = diagnostic.location;
    const std::string where =
        place.line > 0 ? fmt::format("line {}, column {}: ", place.line, place.column) : "";
    builder.problems.error(source.node->mark, source.prefix + where + diagnostic.message);
  }
}

std::vector<Vec3> read_points(const Node& list) {
  std::vector<Vec3> points;
  points.reserve(list.items.size());
  for (const Node& item : list.items) points.push_back(read_vec3(item));
  return points;
}

bool within_range(const PolygonMesh& mesh, const Source& source, Builder& builder) {
  for (const Vec3& vertex : mesh.vertices) {
    if (vertex.cwiseAbs().maxCoeff() <= format::largest_size) continue;
    builder.problems.error(
        source.node->mark,
        fmt::format("{}a vertex lies at ({:g}, {:g}, {:g}), but coordinates must be within {:g} m; "
                    "check `scale`",
                    source.prefix, vertex.x(), vertex.y(), vertex.z(), format::largest_size));
    return false;
  }
  return true;
}

/// A run keeps the files its scene names, each once.
void keep_file(const std::string& file, const PolygonMesh& mesh, Builder& builder) {
  std::vector<model::MeshFile>& kept = builder.model.mesh_files;
  const auto is_this = [&](const model::MeshFile& one) { return one.file == file; };
  if (std::none_of(kept.begin(), kept.end(), is_this))
    kept.push_back({file, std::make_shared<const PolygonMesh>(mesh)});
}

std::optional<PolygonMesh> load(const Node& parameters, const Source& source, geometry::Faces faces,
                                Builder& builder) {
  PolygonMesh mesh;
  if (source.node->is_scalar()) {
    try {
      mesh = builder.read_mesh(resolved(source.node->text, builder.folder), faces);
      keep_file(source.node->text, mesh, builder);
    } catch (const InputError& error) {
      report(error, source, builder);
      return std::nullopt;
    }
  } else {
    mesh.vertices = read_points(*source.node);
    if (const Node* list = parameters.find("faces")) {
      for (const Node& face : list->items) {
        std::vector<int>& corners = mesh.faces.emplace_back();
        for (const Node& corner : face.items) corners.push_back(static_cast<int>(corner.number));
      }
    }
  }
  const Vec3 scale = read_scale(parameters);
  for (Vec3& vertex : mesh.vertices) vertex = vertex.cwiseProduct(scale);
  if (!within_range(mesh, source, builder)) return std::nullopt;
  return mesh;
}

Source source_of(const Node& node, const Node& parameters, std::string_view kind) {
  Source source{&node, "", ""};
  if (!node.is_scalar()) return source;
  const Vec3 scale = read_scale(parameters);
  source.prefix = fmt::format("mesh {}: ", base::shown(node.text));
  source.cache_key = fmt::format("{} {} {} {} {} {}", kind, scale.x(), scale.y(), scale.z(),
                                 read_flag_or(parameters, "mend", false), node.text);
  return source;
}

SharedMesh share(PolygonMesh mesh, const Source& source, Builder& builder) {
  auto shared = std::make_shared<const PolygonMesh>(std::move(mesh));
  if (!source.cache_key.empty()) builder.meshes.emplace(source.cache_key, shared);
  return shared;
}

SharedMesh cached(const Source& source, const Builder& builder) {
  const auto found = builder.meshes.find(source.cache_key);
  return found != builder.meshes.end() ? found->second : nullptr;
}

/// Reports what is wrong with a surface; true if it can be used.
bool is_closed_surface(const PolygonMesh& mesh, const Source& source, Builder& builder) {
  const auto problems = geometry::check_closed_surface(mesh);
  for (const geometry::MeshProblem& problem : problems) {
    const std::string message = source.prefix + problem.message;
    if (problem.severity == Severity::error) {
      builder.problems.error(source.node->mark, message);
    } else {
      builder.problems.warning(source.node->mark, message);
    }
  }
  return !geometry::has_error(problems);
}

}  // namespace

std::optional<shape::Geometry> build_convex(const Node& parameters, Builder& builder) {
  const Node* node = one_source(parameters, "points", "convex shape", builder);
  if (node == nullptr) return std::nullopt;
  const Source source = source_of(*node, parameters, "convex");
  const double rounding = read_number_or(parameters, "rounding", 0);
  if (rounding > 0 && rounding < format::smallest_size) {
    builder.problems.error(parameters.find("rounding")->mark,
                           fmt::format("rounding is {:g} m, but must be 0 or at least {:g} m",
                                       rounding, format::smallest_size));
    return std::nullopt;
  }
  if (auto known = cached(source, builder)) return shape::Convex{known, rounding};
  const auto mesh = load(parameters, source, geometry::Faces::optional, builder);
  if (!mesh) return std::nullopt;
  try {
    return shape::Convex{share(geometry::convex_hull(mesh->vertices), source, builder), rounding};
  } catch (const InputError& error) {
    for (const Diagnostic& diagnostic : error.diagnostics()) {
      builder.problems.error(node->mark, source.prefix + diagnostic.message);
    }
    return std::nullopt;
  }
}

std::optional<shape::Geometry> build_mesh(const Node& parameters, Builder& builder) {
  const Node* node = one_source(parameters, "vertices", "mesh", builder);
  if (node == nullptr) return std::nullopt;
  if ((parameters.find("faces") != nullptr) == node->is_scalar()) {
    builder.problems.error(parameters.mark, node->is_scalar()
                                                ? "`faces` goes with `vertices`, not with `file`; "
                                                  "remove it"
                                                : "a mesh with `vertices` needs `faces` too");
    return std::nullopt;
  }
  const Source source = source_of(*node, parameters, "mesh");
  const Source convex_source = source_of(*node, parameters, "convex mesh");
  if (auto known = cached(convex_source, builder)) return shape::Convex{known, 0};
  if (auto known = cached(source, builder)) return shape::Mesh{known};
  auto mesh = load(parameters, source, geometry::Faces::required, builder);
  if (!mesh) return std::nullopt;
  if (read_flag_or(parameters, "mend", false)) mesh = geometry::mended(*mesh);
  if (!is_closed_surface(*mesh, source, builder)) return std::nullopt;
  if (auto hull = geometry::hull_if_convex(*mesh))
    return shape::Convex{share(std::move(*hull), convex_source, builder), 0};
  return shape::Mesh{share(std::move(*mesh), source, builder)};
}

}  // namespace abut::scene
