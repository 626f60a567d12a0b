// The chunks of a playback that are not frames: shapes, series, events.

#include <cmath>
#include <limits>
#include <map>

#include "record/playback_chunk.h"
#include "record/playback_frames.h"
#include "record/selected_frames.h"

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

Momentum momentum_of(const Frame& frame, const std::vector<RecordedBody>& bodies) {
  Momentum sum;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies[i].motion != RecordedMotion::dynamic) continue;
    const BodyState& state = frame.bodies[i];
    const Vec3 p = bodies[i].mass * state.velocity;
    const Mat3 rotation = state.orientation.toRotationMatrix();
    sum.linear += p;
    sum.angular += state.centre_of_mass.cross(p) +
                   rotation * bodies[i].inertia * rotation.transpose() * state.angular_velocity;
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

std::string series_chunk(const RunReader& run, const PlaybackPlan& plan) {
  std::vector<double> time, kinetic, potential, elastic, dissipated, work, linear, angular, gap;
  std::vector<std::uint32_t> contacts;
  for_each_selected(run, plan.series_frames, [&](std::size_t, const Frame& frame) {
    time.push_back(frame.time);
    kinetic.push_back(frame.energy.kinetic);
    potential.push_back(frame.energy.potential);
    elastic.push_back(frame.energy.elastic);
    dissipated.push_back(frame.energy.dissipated);
    work.push_back(frame.energy.work);
    const Momentum momentum = momentum_of(frame, run.facts().bodies);
    append(linear, momentum.linear);
    append(angular, momentum.angular);
    gap.push_back(smallest_gap(frame));
    contacts.push_back(static_cast<std::uint32_t>(frame.contacts.size()));
  });
  const std::size_t n = time.size();
  ChunkWriter chunk("series");
  chunk.add("time", time, {n});
  chunk.add("kinetic", kinetic, {n});
  chunk.add("potential", potential, {n});
  chunk.add("elastic", elastic, {n});
  chunk.add("dissipated", dissipated, {n});
  chunk.add("work", work, {n});
  chunk.add("linear_momentum", linear, {n, 3});
  chunk.add("angular_momentum", angular, {n, 3});
  chunk.add("smallest_gap", gap, {n});
  chunk.add("contacts", contacts, {n});
  return chunk.bytes();
}

std::string events_chunk(const RunReader& run, const PlaybackPlan& plan, const Vec3& origin) {
  std::vector<double> time;
  std::vector<std::uint8_t> kind;
  std::vector<std::int32_t> body_a, body_b;
  std::vector<float> point, normal, normal_impulse, impulse;
  std::vector<std::uint32_t> detail;
  std::map<std::string, std::uint32_t> places;
  nlohmann::ordered_json texts = nlohmann::ordered_json::array();
  for (const Event& event : run.events(0, plan.events)) {
    time.push_back(event.time);
    kind.push_back(static_cast<std::uint8_t>(event.kind));
    body_a.push_back(event.body_a);
    body_b.push_back(event.body_b);
    append(point, event.point - origin);
    append(normal, event.normal);
    normal_impulse.push_back(static_cast<float>(event.normal_impulse));
    append(impulse, event.impulse);
    const auto [place, is_new] =
        places.try_emplace(event.detail, static_cast<std::uint32_t>(texts.size()));
    if (is_new) texts.push_back(event.detail);
    detail.push_back(place->second);
  }
  nlohmann::ordered_json kinds = nlohmann::ordered_json::array();
  for (int k = 0; k <= static_cast<int>(EventKind::script); ++k)
    kinds.push_back(to_string(static_cast<EventKind>(k)));
  const std::size_t n = time.size();
  ChunkWriter chunk("events");
  chunk.note("kinds", kinds);
  chunk.note("details", texts);
  chunk.add("time", time, {n});
  chunk.add("kind", kind, {n});
  chunk.add("body_a", body_a, {n}, Packing::differences);
  chunk.add("body_b", body_b, {n}, Packing::differences);
  chunk.add("point", point, {n, 3}, Packing::differences);
  chunk.add("normal", normal, {n, 3}, Packing::differences);
  chunk.add("normal_impulse", normal_impulse, {n}, Packing::differences);
  chunk.add("impulse", impulse, {n, 3}, Packing::differences);
  chunk.add("detail", detail, {n}, Packing::differences);
  return chunk.bytes();
}

}  // namespace abut::record
