// The chunks of a playback that are not frames: shapes, series, events.

#include <cmath>
#include <limits>
#include <map>

#include "record/playback_chunk.h"
#include "record/playback_frames.h"

namespace abut::record {
namespace {

void append(std::vector<float>& out, const Vec3& v) {
  for (const double x : {v.x(), v.y(), v.z()}) out.push_back(static_cast<float>(x));
}

void append(std::vector<double>& out, const Vec3& v) {
  out.insert(out.end(), v.data(), v.data() + 3);
}

/// Linear momentum, and angular momentum about the world's origin, of the dynamic bodies:
/// p = sum m v, L = sum c x m v + R I R^T w.
struct Momentum {
  Vec3 linear = Vec3::Zero();
  Vec3 angular = Vec3::Zero();
};

Momentum momentum_of(const Frame& frame, const std::vector<model::Body>& bodies) {
  Momentum sum;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!bodies[i].is_dynamic()) continue;
    const BodyState& state = frame.bodies[i];
    const body::Mass& mass = bodies[i].mass;
    const Vec3 p = mass.mass * state.velocity;
    const Mat3 rotation = state.orientation.toRotationMatrix();
    sum.linear += p;
    sum.angular += state.centre_of_mass.cross(p) +
                   rotation * mass.inertia * rotation.transpose() * state.angular_velocity;
  }
  return sum;
}

double smallest_gap(const Frame& frame) {
  double least = std::numeric_limits<double>::quiet_NaN();
  for (const ContactState& contact : frame.contacts) least = std::fmin(least, contact.gap);
  return least;
}

}  // namespace

std::string shapes_chunk(const std::vector<DisplayMesh>& meshes) {
  std::vector<float> vertices, normals, edges;
  std::vector<std::uint32_t> triangles, ends;
  for (const DisplayMesh& mesh : meshes) {
    for (const Vec3& v : mesh.vertices) append(vertices, v);
    for (const Vec3& n : mesh.normals) append(normals, n);
    for (const auto& t : mesh.triangles) triangles.insert(triangles.end(), t.begin(), t.end());
    for (const auto& [a, b] : mesh.edges) {
      append(edges, a);
      append(edges, b);
    }
    for (const std::size_t end : {vertices.size() / 3, triangles.size() / 3, edges.size() / 6})
      ends.push_back(static_cast<std::uint32_t>(end));
  }
  ChunkWriter chunk("shapes");
  chunk.add("ends", ends, {meshes.size(), 3});
  chunk.add("vertices", vertices, {vertices.size() / 3, 3}, Packing::differences);
  chunk.add("normals", normals, {normals.size() / 3, 3}, Packing::differences);
  chunk.add("triangles", triangles, {triangles.size() / 3, 3}, Packing::differences);
  chunk.add("edges", edges, {edges.size() / 6, 2, 3}, Packing::differences);
  return chunk.bytes();
}

struct SeriesChunk::Columns {
  std::vector<double> time, kinetic, potential, elastic, dissipated, work, linear, angular, gap;
  std::vector<std::uint32_t> contacts;
};

SeriesChunk::SeriesChunk(const model::Model& model)
    : model_(model), columns_(std::make_unique<Columns>()) {}
SeriesChunk::~SeriesChunk() = default;

void SeriesChunk::append(const Frame& frame) {
  Columns& to = *columns_;
  to.time.push_back(frame.time);
  to.kinetic.push_back(frame.energy.kinetic);
  to.potential.push_back(frame.energy.potential);
  to.elastic.push_back(frame.energy.elastic);
  to.dissipated.push_back(frame.energy.dissipated);
  to.work.push_back(frame.energy.work);
  const Momentum momentum = momentum_of(frame, model_.bodies);
  record::append(to.linear, momentum.linear);
  record::append(to.angular, momentum.angular);
  to.gap.push_back(smallest_gap(frame));
  to.contacts.push_back(static_cast<std::uint32_t>(frame.contacts.size()));
}

std::string SeriesChunk::bytes() const {
  const Columns& of = *columns_;
  const std::size_t n = of.time.size();
  ChunkWriter chunk("series");
  chunk.add("time", of.time, {n});
  chunk.add("kinetic", of.kinetic, {n});
  chunk.add("potential", of.potential, {n});
  chunk.add("elastic", of.elastic, {n});
  chunk.add("dissipated", of.dissipated, {n});
  chunk.add("work", of.work, {n});
  chunk.add("linear_momentum", of.linear, {n, 3});
  chunk.add("angular_momentum", of.angular, {n, 3});
  chunk.add("smallest_gap", of.gap, {n});
  chunk.add("contacts", of.contacts, {n});
  return chunk.bytes();
}

struct EventChunk::Columns {
  std::vector<double> time;
  std::vector<std::uint8_t> kind;
  std::vector<std::int32_t> body_a, body_b;
  std::vector<double> point, normal, normal_impulse, impulse;
  std::vector<std::uint32_t> detail;  // places in `texts`
  std::map<std::string, std::uint32_t> places;
  Json texts = Json::array();
};

EventChunk::EventChunk(const Vec3& origin)
    : origin_(origin), columns_(std::make_unique<Columns>()) {}
EventChunk::~EventChunk() = default;

void EventChunk::append(const Event& event) {
  Columns& to = *columns_;
  to.time.push_back(event.time);
  to.kind.push_back(static_cast<std::uint8_t>(event.kind));
  to.body_a.push_back(event.body_a);
  to.body_b.push_back(event.body_b);
  record::append(to.point, event.point - origin_);
  record::append(to.normal, event.normal);
  to.normal_impulse.push_back(event.normal_impulse);
  record::append(to.impulse, event.impulse);
  const auto [place, is_new] =
      to.places.try_emplace(event.detail, static_cast<std::uint32_t>(to.texts.size()));
  if (is_new) to.texts.push_back(event.detail);
  to.detail.push_back(place->second);
}

std::string EventChunk::bytes() const {
  const Columns& of = *columns_;
  Json kinds = Json::array();
  for (int k = 0; k <= static_cast<int>(EventKind::script); ++k)
    kinds.push_back(to_string(static_cast<EventKind>(k)));
  const std::size_t n = of.time.size();
  ChunkWriter chunk("events");
  chunk.note("kinds", kinds);
  chunk.note("details", of.texts);
  chunk.add("time", of.time, {n});
  chunk.add("kind", of.kind, {n});
  chunk.add("body_a", of.body_a, {n}, Packing::differences);
  chunk.add("body_b", of.body_b, {n}, Packing::differences);
  chunk.add("point", of.point, {n, 3}, Packing::differences);
  chunk.add("normal", of.normal, {n, 3}, Packing::differences);
  chunk.add("normal_impulse", of.normal_impulse, {n}, Packing::differences);
  chunk.add("impulse", of.impulse, {n, 3}, Packing::differences);
  chunk.add("detail", of.detail, {n}, Packing::differences);
  return chunk.bytes();
}

}  // namespace abut::record
