#include "record/glb.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <list>
#include <map>
#include <numeric>
#include <span>
#include <string_view>

#include "abut/diagnostics.h"
#include "base/stop.h"
#include "math/rotation.h"
#include "record/display_colors.h"
#include "record/display_mesh.h"
#include "record/filled_frames.h"
#include "record/glb_buffer.h"
#include "record/json.h"
#include "record/playback_plan.h"
#include "record/replaced_file.h"
#include "record/version.h"

namespace abut::record {
namespace {

// Numbers of the glTF 2.0 specification.
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

/// Where a node is, and how it is turned: (x, y, z, w) of unit length.
void append_place(std::string& text, const Pose& pose) {
  const Vec3& p = pose.position;
  const Quat q = pose.orientation.normalized();
  append_text(text, R"("translation":[)", p.x(), ',', p.y(), ',', p.z(), R"(],"rotation":[)", q.x(),
              ',', q.y(), ',', q.z(), ',', q.w(), ']');
}

/// The children of a node are next to each other.
std::string children_of(std::size_t first, std::size_t count) {
  if (count == 0) return "";  // empty lists are not allowed
  std::vector<std::size_t> children(count);
  std::iota(children.begin(), children.end(), first);
  return fmt::format(R"(,"children":[{}])", fmt::join(children, ","));
}

std::vector<float> floats(const std::vector<Vec3>& vectors) {
  std::vector<float> out;
  for (const Vec3& v : vectors)
    for (const double x : {v.x(), v.y(), v.z()}) out.push_back(static_cast<float>(x));
  return out;
}

/// Whether what a node begins with does not say it all: some element differs from the first.
bool changes(const std::vector<float>& values, std::size_t components) {
  return !std::equal(values.begin() + static_cast<std::ptrdiff_t>(components), values.end(),
                     values.begin());
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

  void write(ReplacedFile& file) {
    add_animation();
    add_nodes();
    pack(file);
  }
  const std::vector<std::string>& thinning() const { return plan_.thinning; }

 private:
  /// The root is node 0; the bodies follow in the order of the model, then those of their parts
  /// that need a node of their own.
  void add_nodes() {
    const double half = std::sqrt(0.5);
    const std::size_t count = model_.bodies.size();
    nodes_.add(R"({"name":)", json_text(model_.name), R"(,"rotation":[)", -half, ",0,0,", half, ']',
               children_of(1, count), '}');
    std::size_t next_part = 1 + count;
    for (std::size_t i = 0; i < count; ++i) {
      base::stop_if_wished();
      add_body(i, next_part);
    }
    for (std::size_t i = 0; i < count; ++i)
      for (const shape::Part& part : parts_of(model_.bodies[i])) {
        std::string& text = nodes_.begin() += '{';
        append_drawn(text, i, part);
        append_place(text += ',', part_pose(i, part));
        text += '}';
      }
  }

  /// Those that are nodes. Vertices of what bends are told in the world, and a body of one part
  /// that lies in its frame is drawn by its own node.
  static std::span<const shape::Part> parts_of(const model::Body& body) {
    return body.bends() || is_one_part(body) ? std::span<const shape::Part>() : body.parts;
  }

  static bool is_one_part(const model::Body& body) {
    if (body.parts.size() != 1 || std::holds_alternative<shape::Plane>(body.parts[0].geometry))
      return false;
    const Pose& pose = body.parts[0].pose;
    return pose.position == Vec3::Zero() && pose.orientation.coeffs() == Quat::Identity().coeffs();
  }

  void add_body(std::size_t index, std::size_t& next_part) {
    const model::Body& body = model_.bodies[index];
    const std::size_t parts = parts_of(body).size();
    std::string& text = nodes_.begin();
    append_text(text, R"({"name":)", json_text(body.name));
    if (!body.bends())
      append_place(text += ',', body.pose);
    else if (const auto mesh = bending_mesh_.find(index); mesh != bending_mesh_.end())
      append_text(text, R"(,"mesh":)", mesh->second);
    if (!body.bends() && is_one_part(body)) append_drawn(text += ',', index, body.parts[0]);
    text += children_of(next_part, parts) + "}";
    next_part += parts;
  }

  /// The mesh that a part is drawn by, and its scale.
  void append_drawn(std::string& text, std::size_t body, const shape::Part& part) {
    const DisplayShape shape = shape_of(part);
    const Vec3& scale = shape.scale;
    append_text(text, R"("mesh":)", mesh_index(shape, colors_[body]), R"(,"scale":[)", scale.x(),
                ',', scale.y(), ',', scale.z(), ']');
  }

  DisplayShape shape_of(const shape::Part& part) const {
    if (auto shape = display_shape(part.geometry, detail_)) return *std::move(shape);
    DisplayShape square = unit_square();
    square.scale = Vec3::Constant(plane_extents * extent_);
    return square;
  }

  Pose part_pose(std::size_t body, const shape::Part& part) const {
    const auto* plane = std::get_if<shape::Plane>(&part.geometry);
    return plane != nullptr ? square_pose(model_.bodies[body], part, *plane) : part.pose;
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
  void add_bending(const BendingSurface& surface, std::size_t input) {
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
    bending_mesh_[surface.body] = meshes_.size();
    meshes_.push_back(std::move(mesh));
    if (targets.empty()) return;
    std::vector<float> weights;
    for (std::size_t k = 0; k < shots.size(); ++k)
      for (std::size_t i = 1; i < shots.size(); ++i) weights.push_back(i == k ? 1.0F : 0.0F);
    add_channel(input, surface.body, "weights", buffer_.add(weights, 1, "SCALAR", 0, false));
  }

  void add_channel(std::size_t input, std::size_t body, const char* path, std::size_t output) {
    channels_.add(R"({"sampler":)", samplers_.size(), R"(,"target":{"node":)", body + 1,
                  R"(,"path":")", path, R"("}})");
    samplers_.add(R"({"input":)", input, R"(,"output":)", output, R"(,"interpolation":"LINEAR"})");
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
    std::vector<std::array<float, 7>> poses;  // of all that moves, frame by frame
    for_each_selected(run_, plan_.frames, [&](std::size_t, const Frame& frame) {
      const auto time = static_cast<float>(frame.time);
      if (!times.empty() && time <= times.back()) return;
      times.push_back(time);
      note_bending(frame);
      for (const std::size_t body : plan_.moving) poses.push_back(pose_of(frame.bodies[body]));
    });
    if (times.empty() || plan_.moving.empty()) return;
    const std::size_t input = buffer_.add(times, 1, "SCALAR", 0, true);
    for (const BendingSurface& surface : plan_.bending) add_bending(surface, input);
    std::vector<float> positions, turns;
    for (std::size_t i = 0; i < plan_.moving.size(); ++i) {
      if (model_.bodies[plan_.moving[i]].bends()) continue;
      positions.clear();
      turns.clear();
      for (std::size_t k = i; k < poses.size(); k += plan_.moving.size()) {
        positions.insert(positions.end(), poses[k].begin(), poses[k].begin() + 3);
        turns.insert(turns.end(), poses[k].begin() + 3, poses[k].end());
      }
      if (changes(positions, 3))
        add_channel(input, plan_.moving[i], "translation",
                    buffer_.add(positions, 3, "VEC3", 0, false));
      if (changes(turns, 4))
        add_channel(input, plan_.moving[i], "rotation", buffer_.add(turns, 4, "VEC4", 0, false));
    }
  }

  /// Position, and attitude as (x, y, z, w).
  static std::array<float, 7> pose_of(const BodyState& state) {
    const Vec3& p = state.position;
    const Quat q = state.orientation.normalized();
    const std::array<double, 7> pose = {p.x(), p.y(), p.z(), q.x(), q.y(), q.z(), q.w()};
    std::array<float, 7> rounded{};
    std::transform(pose.begin(), pose.end(), rounded.begin(),
                   [](double x) { return static_cast<float>(x); });
    return rounded;
  }

  /// The text that says what the numbers are, in pieces: of many bodies it is long. What is made
  /// for it is kept in `made`.
  std::vector<std::string_view> described(std::list<std::string>& made) const {
    std::vector<std::string_view> text;
    const auto add = [&](std::string piece) {
      text.emplace_back(made.emplace_back(std::move(piece)));
    };
    const auto add_list = [&](const char* name, const JsonEntries& list) {
      text.insert(text.end(), {name, "[", list.entries(), "]"});
    };
    const Json asset{{"version", "2.0"}, {"generator", "Abut " + std::string(program_version())}};
    add(R"({"asset":)" + json_text(asset) + R"(,"scene":0,"scenes":[{"nodes":[0]}])");
    add_list(R"(,"nodes":)", nodes_);
    // Empty lists are not allowed.
    if (!meshes_.empty()) add(R"(,"meshes":)" + json_text(meshes_));
    if (!materials_.empty()) add(R"(,"materials":)" + json_text(materials_));
    if (channels_.size() > 0) {
      add_list(R"(,"animations":[{"name":"run","samplers":)", samplers_);
      add_list(R"(,"channels":)", channels_);
      text.emplace_back("}]");
    }
    if (buffer_.accessors.size() > 0) {
      add_list(R"(,"accessors":)", buffer_.accessors);
      add_list(R"(,"bufferViews":)", buffer_.views);
      add(fmt::format(R"(,"buffers":[{{"byteLength":{}}}])", buffer_.bytes().size()));
    }
    text.emplace_back("}");
    return text;
  }

  void pack(ReplacedFile& file) const {
    std::list<std::string> made;
    std::vector<std::string_view> text = described(made);
    const auto length = [&text] {
      return std::accumulate(
          text.begin(), text.end(), std::size_t{0},
          [](std::size_t sum, std::string_view piece) { return sum + piece.size(); });
    };
    const std::string blanks((4 - length() % 4) % 4, ' ');
    text.emplace_back(blanks);
    const auto word = [&file](std::size_t value) {
      const auto w = static_cast<std::uint32_t>(value);
      file.write({reinterpret_cast<const char*>(&w), sizeof w});
    };
    const std::string& binary = buffer_.bytes();  // whole words throughout
    word(magic);
    word(2);
    word(12 + 8 + length() + (binary.empty() ? 0 : 8 + binary.size()));
    word(length());
    word(chunk_json);
    for (const std::string_view piece : text) file.write(piece);
    if (binary.empty()) return;
    word(binary.size());
    word(chunk_binary);
    file.write(binary);
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
  GlbBuffer buffer_;
  std::vector<Json> primitives_;  ///< by geometry
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> mesh_of_;
  std::map<std::array<double, 3>, std::size_t> material_of_;
  std::map<std::size_t, std::size_t> bending_mesh_;  ///< of bodies that bend
  JsonEntries nodes_, samplers_, channels_;
  Json meshes_ = Json::array(), materials_ = Json::array();
};

}  // namespace

std::vector<std::string> write_glb(const RunReader& run, const model::Model& model,
                                   const std::filesystem::path& path) {
  if (run.facts().bodies.size() != model.bodies.size())
    throw InputError(Location{}, "the run has other bodies than its scene");
  Writer writer(run, model);
  ReplacedFile file(path);
  writer.write(file);
  file.finish();
  return writer.thinning();
}

}  // namespace abut::record
