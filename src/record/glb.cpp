#include "record/glb.h"

#include <cmath>
#include <cstdint>
#include <map>
#include <string_view>

#include "abut/diagnostics.h"
#include "math/rotation.h"
#include "record/display_colors.h"
#include "record/display_mesh.h"
#include "record/filled_frames.h"
#include "record/json.h"
#include "record/playback_plan.h"
#include "record/replaced_file.h"
#include "record/version.h"

namespace abut::record {
namespace {

// Numbers of the glTF 2.0 specification.
constexpr int component_float = 5126;
constexpr int component_unsigned_int = 5125;
constexpr int target_vertices = 34962;
constexpr int target_indices = 34963;
constexpr std::uint32_t magic = 0x46546c67;
constexpr std::uint32_t chunk_json = 0x4e4f534a;
constexpr std::uint32_t chunk_binary = 0x004e4942;

/// Side of the square that stands for a plane, in extents of the scene.
constexpr double plane_extents = 6;

/// glTF colours are linear, scenes give sRGB (IEC 61966-2-1).
double linear(double c) {
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

/// (x, y, z, w) of unit length, as glTF wants it.
Json gltf_rotation(const Quat& orientation) {
  const Quat q = orientation.normalized();
  return {q.x(), q.y(), q.z(), q.w()};
}

/// The numbers of a glTF file and the tables that say what they are.
class Buffer {
 public:
  /// `components` numbers per element; `bounds` adds the least and the greatest of each.
  template <class T>
  std::size_t add(const std::vector<T>& values, std::size_t components, const char* type,
                  int target, bool bounds) {
    Json view{
        {"buffer", 0}, {"byteOffset", bytes_.size()}, {"byteLength", values.size() * sizeof(T)}};
    if (target != 0) view["target"] = target;
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    Json accessor{
        {"bufferView", views.size()},
        {"componentType", std::is_same_v<T, float> ? component_float : component_unsigned_int},
        {"count", values.size() / components},
        {"type", type}};
    if (bounds) add_bounds(accessor, values, components);
    views.push_back(std::move(view));
    accessors.push_back(std::move(accessor));
    return accessors.size() - 1;
  }

  const std::string& bytes() const { return bytes_; }
  Json views = Json::array();
  Json accessors = Json::array();

 private:
  template <class T>
  static void add_bounds(Json& accessor, const std::vector<T>& values, std::size_t components) {
    std::vector<T> least(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(components));
    std::vector<T> most = least;
    for (std::size_t i = 0; i < values.size(); ++i) {
      least[i % components] = std::min(least[i % components], values[i]);
      most[i % components] = std::max(most[i % components], values[i]);
    }
    accessor["min"] = least;
    accessor["max"] = most;
  }

  std::string bytes_;
};

std::vector<float> floats(const std::vector<Vec3>& vectors) {
  std::vector<float> out;
  for (const Vec3& v : vectors)
    for (const double x : {v.x(), v.y(), v.z()}) out.push_back(static_cast<float>(x));
  return out;
}

/// The square of side 1 in z = 0, facing up.
DisplayShape unit_square() {
  return {"square", Vec3::Ones(), [] {
            return DisplayMesh{{{-0.5, -0.5, 0}, {0.5, -0.5, 0}, {0.5, 0.5, 0}, {-0.5, 0.5, 0}},
                               std::vector<Vec3>(4, Vec3::UnitZ()),
                               {{0, 1, 2}, {0, 2, 3}},
                               {}};
          }};
}

/// Centre and extent of where the bodies start.
std::pair<Vec3, double> whereabouts(const model::Model& model) {
  Eigen::AlignedBox3d box;
  for (const model::Body& body : model.bodies) {
    if (!std::isfinite(body.bounding_radius)) continue;
    box.extend(Vec3(body.pose.position + Vec3::Constant(body.bounding_radius)));
    box.extend(Vec3(body.pose.position - Vec3::Constant(body.bounding_radius)));
  }
  if (box.isEmpty()) return {Vec3::Zero(), 1.0};
  return {box.center(), box.diagonal().norm()};
}

class Writer {
 public:
  Writer(const RunReader& run, const model::Model& model)
      : run_(run), model_(model), plan_(plan_playback(run, model)), colors_(display_colors(model)) {
    std::tie(centre_, extent_) = whereabouts(model);
    std::size_t parts = 0;
    for (const model::Body& body : model.bodies) parts += body.parts.size();
    detail_ = display_detail(parts);
  }

  std::string bytes() {
    add_nodes();
    add_animation();
    return packed();
  }
  const std::vector<std::string>& thinning() const { return plan_.thinning; }

 private:
  /// The root is node 0; the bodies follow in the order of the model, then their parts.
  void add_nodes() {
    const double half = std::sqrt(0.5);
    nodes_.push_back({{"name", model_.name}, {"rotation", {-half, 0, 0, half}}});
    Json children = Json::array();
    for (std::size_t i = 0; i < model_.bodies.size(); ++i) {
      const model::Body& body = model_.bodies[i];
      if (body.bends()) {
        // Its vertices are told in the world.
        nodes_.push_back({{"name", body.name}});
        children.push_back(i + 1);
        continue;
      }
      nodes_.push_back({{"name", body.name},
                        {"translation", to_json(body.pose.position)},
                        {"rotation", gltf_rotation(body.pose.orientation)}});
      children.push_back(i + 1);
    }
    nodes_[0]["children"] = children;
    for (std::size_t i = 0; i < model_.bodies.size(); ++i) {
      if (model_.bodies[i].bends()) continue;
      for (const shape::Part& part : model_.bodies[i].parts) add_part(i, part);
    }
  }

  void add_part(std::size_t body, const shape::Part& part) {
    Pose pose = part.pose;
    std::optional<DisplayShape> shape = display_shape(part.geometry, detail_);
    if (const auto* plane = std::get_if<shape::Plane>(&part.geometry)) {
      shape = unit_square();
      shape->scale = Vec3::Constant(plane_extents * extent_);
      pose = square_pose(model_.bodies[body], part, *plane);
    }
    nodes_[body + 1]["children"].push_back(nodes_.size());
    nodes_.push_back({{"mesh", mesh_index(*shape, colors_[body])},
                      {"translation", to_json(pose.position)},
                      {"rotation", gltf_rotation(pose.orientation)},
                      {"scale", to_json(shape->scale)}});
  }

  /// In the plane, where the bodies are nearest to it.
  Pose square_pose(const model::Body& body, const shape::Part& part,
                   const shape::Plane& plane) const {
    const Vec3 in_body = body.pose.orientation.conjugate() * (centre_ - body.pose.position);
    const Vec3 in_part = part.pose.orientation.conjugate() * (in_body - part.pose.position);
    const Vec3 foot = in_part + (plane.offset - plane.normal.dot(in_part)) * plane.normal;
    const Quat turn = math::turn_between(Vec3::UnitZ(), plane.normal);
    return {part.pose.position + part.pose.orientation * foot, part.pose.orientation * turn};
  }

  /// One mesh for each pair of shape and colour; the numbers are there once for each shape.
  std::size_t mesh_index(const DisplayShape& shape, const model::Color& color) {
    const std::size_t geometry = library_.index_of(shape);
    const std::size_t material = material_index(color);
    const auto [entry, is_new] = mesh_of_.try_emplace({geometry, material}, meshes_.size());
    if (is_new) {
      Json primitive = primitive_of(geometry);
      primitive["material"] = material;
      meshes_.push_back({{"primitives", {std::move(primitive)}}});
    }
    return entry->second;
  }

  Json primitive_of(std::size_t geometry) {
    while (primitives_.size() <= geometry) {
      const DisplayMesh& mesh = library_.meshes()[primitives_.size()];
      std::vector<std::uint32_t> indices;
      for (const auto& t : mesh.triangles) indices.insert(indices.end(), t.begin(), t.end());
      const std::size_t positions =
          buffer_.add(floats(mesh.vertices), 3, "VEC3", target_vertices, true);
      const std::size_t normals =
          buffer_.add(floats(mesh.normals), 3, "VEC3", target_vertices, false);
      primitives_.push_back(
          {{"attributes", {{"POSITION", positions}, {"NORMAL", normals}}},
           {"indices", buffer_.add(indices, 1, "SCALAR", target_indices, false)}});
    }
    return primitives_[geometry];
  }

  std::size_t material_index(const model::Color& c) {
    const std::array<double, 3> key{c.red, c.green, c.blue};
    const auto [entry, is_new] = material_of_.try_emplace(key, materials_.size());
    if (is_new) {
      materials_.push_back(
          {{"pbrMetallicRoughness",
            {{"baseColorFactor", {linear(c.red), linear(c.green), linear(c.blue), 1}},
             {"metallicFactor", 0},
             {"roughnessFactor", 0.6}}}});
    }
    return entry->second;
  }

  /// A body that bends is a mesh with one target per frame: how far its vertices are from where
  /// they start. Of two targets next to each other in time one gives way to the other.
  void add_bending(const BendingSurface& surface, std::size_t input, Json& samplers,
                   Json& channels) {
    const auto& shots = shots_[surface.body];
    std::vector<std::uint32_t> indices;
    for (const auto& corners : surface.bending->boundary.triangles())
      for (const int corner : corners) indices.push_back(static_cast<std::uint32_t>(corner));
    Json targets = Json::array();
    for (std::size_t k = 1; k < shots.size(); ++k) {
      std::vector<float> way(shots[k].size());
      for (std::size_t i = 0; i < way.size(); ++i) way[i] = shots[k][i] - shots[0][i];
      targets.push_back({{"POSITION", buffer_.add(way, 3, "VEC3", target_vertices, true)}});
    }
    Json primitive{
        {"attributes", {{"POSITION", buffer_.add(shots[0], 3, "VEC3", target_vertices, true)}}},
        {"indices", buffer_.add(indices, 1, "SCALAR", target_indices, false)},
        {"material", material_index(colors_[surface.body])}};
    const std::size_t material = primitive["material"];
    materials_[material]["doubleSided"] = true;
    Json mesh;
    if (!targets.empty()) {
      mesh["weights"] = std::vector<int>(targets.size(), 0);
      primitive["targets"] = targets;
    }
    mesh["primitives"] = Json::array({std::move(primitive)});
    nodes_[surface.body + 1]["mesh"] = meshes_.size();
    meshes_.push_back(std::move(mesh));
    if (targets.empty()) return;
    std::vector<float> weights;
    for (std::size_t k = 0; k < shots.size(); ++k)
      for (std::size_t i = 1; i < shots.size(); ++i) weights.push_back(i == k ? 1.0F : 0.0F);
    channels.push_back({{"sampler", samplers.size()},
                        {"target", {{"node", surface.body + 1}, {"path", "weights"}}}});
    samplers.push_back({{"input", input},
                        {"output", buffer_.add(weights, 1, "SCALAR", 0, false)},
                        {"interpolation", "LINEAR"}});
  }

  void note_bending(const Frame& frame) {
    std::vector<Vec3> places;
    for (const BendingSurface& surface : plan_.bending) {
      surface.bending->boundary.places(frame.bending[surface.body].columns, places);
      shots_[surface.body].push_back(floats(places));
    }
  }

  /// Times must increase strictly, in single precision. Poses do not jump, so of the frames of one
  /// instant the first will do.
  void add_animation() {
    std::vector<float> times;
    std::vector<std::vector<float>> positions(plan_.moving.size()), turns(plan_.moving.size());
    for_each_selected(run_, plan_.frames, [&](std::size_t, const Frame& frame) {
      const auto time = static_cast<float>(frame.time);
      if (!times.empty() && time <= times.back()) return;
      times.push_back(time);
      note_bending(frame);
      for (std::size_t i = 0; i < plan_.moving.size(); ++i) {
        const BodyState& state = frame.bodies[plan_.moving[i]];
        for (const double x : {state.position.x(), state.position.y(), state.position.z()})
          positions[i].push_back(static_cast<float>(x));
        const Quat q = state.orientation.normalized();
        for (const double x : {q.x(), q.y(), q.z(), q.w()})
          turns[i].push_back(static_cast<float>(x));
      }
    });
    if (times.empty() || plan_.moving.empty()) return;
    const std::size_t input = buffer_.add(times, 1, "SCALAR", 0, true);
    Json samplers = Json::array(), channels = Json::array();
    const auto channel = [&](std::size_t body, const char* path, std::size_t output) {
      channels.push_back(
          {{"sampler", samplers.size()}, {"target", {{"node", body + 1}, {"path", path}}}});
      samplers.push_back({{"input", input}, {"output", output}, {"interpolation", "LINEAR"}});
    };
    for (const BendingSurface& surface : plan_.bending)
      add_bending(surface, input, samplers, channels);
    for (std::size_t i = 0; i < plan_.moving.size(); ++i) {
      if (model_.bodies[plan_.moving[i]].bends()) continue;
      channel(plan_.moving[i], "translation", buffer_.add(positions[i], 3, "VEC3", 0, false));
      channel(plan_.moving[i], "rotation", buffer_.add(turns[i], 4, "VEC4", 0, false));
    }
    animations_.push_back({{"name", "run"}, {"samplers", samplers}, {"channels", channels}});
  }

  std::string packed() const {
    Json json{
        {"asset", {{"version", "2.0"}, {"generator", "Abut " + std::string(program_version())}}},
        {"scene", 0},
        {"scenes", {{{"nodes", {0}}}}},
        {"nodes", nodes_}};
    const auto list = [&json](const char* name, const Json& entries) {
      if (!entries.empty()) json[name] = entries;  // empty lists are not allowed
    };
    list("meshes", meshes_);
    list("materials", materials_);
    list("animations", animations_);
    list("accessors", buffer_.accessors);
    list("bufferViews", buffer_.views);
    if (!buffer_.bytes().empty()) json["buffers"] = {{{"byteLength", buffer_.bytes().size()}}};
    std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    text.append((4 - text.size() % 4) % 4, ' ');
    std::string out;
    const auto word = [&out](std::size_t value) {
      const auto w = static_cast<std::uint32_t>(value);
      out.append(reinterpret_cast<const char*>(&w), sizeof w);
    };
    const std::string& binary = buffer_.bytes();  // whole words throughout
    const std::size_t binary_size = binary.empty() ? 0 : 8 + binary.size();
    word(magic);
    word(2);
    word(12 + 8 + text.size() + binary_size);
    word(text.size());
    word(chunk_json);
    out += text;
    if (binary.empty()) return out;
    word(binary.size());
    word(chunk_binary);
    return out + binary;
  }

  const RunReader& run_;
  const model::Model& model_;
  PlaybackPlan plan_;
  std::vector<model::Color> colors_;
  Vec3 centre_ = Vec3::Zero();
  double extent_ = 1;
  int detail_ = 64;
  std::map<std::size_t, std::vector<std::vector<float>>> shots_;  ///< of bodies that bend
  MeshLibrary library_;
  Buffer buffer_;
  std::vector<Json> primitives_;  ///< by geometry
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> mesh_of_;
  std::map<std::array<double, 3>, std::size_t> material_of_;
  Json nodes_ = Json::array(), meshes_ = Json::array(), materials_ = Json::array(),
       animations_ = Json::array();
};

}  // namespace

std::vector<std::string> write_glb(const RunReader& run, const model::Model& model,
                                   const std::filesystem::path& path) {
  if (run.facts().bodies.size() != model.bodies.size())
    throw InputError(Location{}, "the run has other bodies than its scene");
  Writer writer(run, model);
  const std::string bytes = writer.bytes();
  ReplacedFile file(path);
  file.write(bytes);
  file.finish();
  return writer.thinning();
}

}  // namespace abut::record
