#include "abut/brep_index.h"

#include <fmt/format.h>

#include "api/shape_geometry.h"
#include "geometry/brep_index.h"
#include "shape/flat_surface.h"

namespace abut {
namespace {

void require_entity(const char* what, int index, std::size_t count) {
  if (index < 0 || static_cast<std::size_t>(index) >= count)
    throw InputError({}, fmt::format("there is no {} {}; the solid has {}", what, index, count));
}

void require_finite(const Vec3& point) {
  if (!point.allFinite()) throw InputError({}, "a point to be classified is not finite");
}

}  // namespace

BrepIndex::BrepIndex(const Shape& shape) {
  const shape::Geometry& geometry = shape.geometry().value;
  const auto surface = shape::flat_surface(geometry);
  if (!surface)
    throw InputError({}, fmt::format("a {} has curved faces; points are classified against boxes, "
                                     "convex shapes without rounding and meshes",
                                     shape::name_of(geometry)));
  index_ = std::make_shared<const geometry::BrepIndex>(*surface);
}

int BrepIndex::face_count() const {
  return static_cast<int>(index_->entities().face_normals.size());
}
int BrepIndex::edge_count() const {
  return static_cast<int>(index_->entities().edges.size());
}
int BrepIndex::vertex_count() const {
  return static_cast<int>(index_->entities().vertices.size());
}

const Vec3& BrepIndex::face_normal(int face) const {
  const auto& normals = index_->entities().face_normals;
  require_entity("face", face, normals.size());
  return normals[face];
}

std::array<Vec3, 2> BrepIndex::edge_ends(int edge) const {
  const geometry::BrepEntities& solid = index_->entities();
  require_entity("edge", edge, solid.edges.size());
  const auto& [from, to] = solid.edges[edge].ends;
  return {solid.points[from], solid.points[to]};
}

const std::vector<int>& BrepIndex::edge_faces(int edge) const {
  const auto& edges = index_->entities().edges;
  require_entity("edge", edge, edges.size());
  return edges[edge].faces;
}

const Vec3& BrepIndex::vertex(int vertex) const {
  const geometry::BrepEntities& solid = index_->entities();
  require_entity("vertex", vertex, solid.vertices.size());
  return solid.points[solid.vertices[vertex]];
}

Where BrepIndex::classify(const Vec3& point) const {
  require_finite(point);
  return index_->classify(point);
}

SegmentClassification BrepIndex::classify(const Vec3& from, const Vec3& to) const {
  require_finite(from);
  require_finite(to);
  return index_->classify(from, to);
}

SegmentClassification BrepIndex::classify_edge(const BrepIndex& other, int edge,
                                               const Pose& pose) const {
  const auto [from, to] = other.edge_ends(edge);
  return classify(pose.orientation * from + pose.position, pose.orientation * to + pose.position);
}

}  // namespace abut
