#include "geometry/brep_index.h"

#include <algorithm>
#include <map>
#include <optional>

#include "geometry/line_count.h"
#include "geometry/segment_boxes.h"
#include "geometry/triangle_passage.h"

namespace abut::geometry {
namespace {

Triangle brep_triangle(const BrepEntities& solid, int t) {
  const auto& corners = solid.triangles[t];
  return {solid.points[corners[0]], solid.points[corners[1]], solid.points[corners[2]]};
}

/// A point, open side or open triangle of the triangulation.
struct BrepSimplex {
  TrianglePart part = TrianglePart::inside;
  int index = 0;

  auto operator<=>(const BrepSimplex&) const = default;
};

BrepSimplex simplex_of(const BrepEntities& solid, int t, TrianglePart part, int index) {
  switch (part) {
    case TrianglePart::corner:
      return {part, solid.triangles[t][index]};
    case TrianglePart::side:
      return {part, solid.sides[t][index]};
    case TrianglePart::inside:
      break;
  }
  return {part, t};
}

Where where_of(const BrepEntities& solid, const BrepSimplex& simplex) {
  switch (simplex.part) {
    case TrianglePart::corner:
      return solid.where_of_point[simplex.index];
    case TrianglePart::side:
      return solid.where_of_side[simplex.index];
    case TrianglePart::inside:
      break;
  }
  return solid.where_of_triangle[simplex.index];
}

Where open_space(bool is_inside) {
  return {is_inside ? Locus::in : Locus::out, -1};
}

/// Whether what lies from an open side of triangles towards `ahead` is inside. Precondition: no
/// triangle at the side holds it.
bool is_inside_beside(const BrepEntities& solid, int side, const Vec3& ahead) {
  const auto& ends = solid.side_ends[side];
  const int low = std::get<0>(ends), high = std::get<1>(ends);
  const Vec3 &a = solid.points[low], &b = solid.points[high];
  const auto tip = [&](int t) -> const Vec3& {
    const auto& corners = solid.triangles[t];
    for (const int c : corners)
      if (c != low && c != high) return solid.points[c];
    return solid.points[corners[0]];
  };
  // 0 for less than half a turn about the edge from `ahead`, 1 for half, 2 for more.
  const auto half = [&](int t) { return 1 - orientation_3d(a, b, ahead, tip(t)); };
  const auto comes_before = [&](int s, int t) {
    if (half(s) != half(t)) return half(s) < half(t);
    return orientation_3d(a, b, tip(s), tip(t)) > 0;
  };
  const auto& around = solid.side_triangles[side];
  const int first = *std::min_element(around.begin(), around.end(), comes_before);
  // Turning about the edge, one comes upon the back of a triangle that has the side upwards.
  const auto& corners = solid.triangles[first];
  const auto at =
      static_cast<std::size_t>(std::find(corners.begin(), corners.end(), low) - corners.begin());
  return corners[(at + 1) % 3] == high;
}

/// A place where the segment meets a simplex, or a free end.
struct Stop {
  Fraction t;
  std::optional<BrepSimplex> simplex;  ///< none: a free end
  int before = 0, after = 0;  ///< of an open triangle: heights of the ends, as in a passage
};

class SegmentWalk {
 public:
  SegmentWalk(const BrepEntities& solid, const BoxTree& tree, const Vec3& from, const Vec3& to)
      : solid_(solid), tree_(tree), from_(from), to_(to) {}

  SegmentClassification run() {
    for (const int t : triangles_along(tree_, from_, to_)) pass(t);
    add_free_end(0);
    add_free_end(1);
    std::vector<Stop> stops;
    for (auto& [key, stop] : stops_) stops.push_back(std::move(stop));
    std::sort(stops.begin(), stops.end(), [](const Stop& a, const Stop& b) { return a.t < b.t; });
    return told(stops);
  }

 private:
  // Two ends of a segment within one triangle are both in its inside.
  using Key = std::pair<std::optional<BrepSimplex>, int>;
  static Key key_of(const std::optional<BrepSimplex>& simplex, const Fraction& t) {
    return {simplex, t == 0 ? -1 : (t == 1 ? 1 : 0)};
  }

  void pass(int t) {
    const TrianglePassage passage = passage_through(from_, to_, brep_triangle(solid_, t));
    for (int i = 0; i < passage.count; ++i) {
      const TrianglePlace& place = passage.places[static_cast<std::size_t>(i)];
      const BrepSimplex simplex = simplex_of(solid_, t, place.part, place.index);
      Stop& stop = stops_[key_of(simplex, place.t)];
      stop = {place.t, simplex, passage.before, passage.after};
      has_end_[0] = has_end_[0] || place.t == 0;
      has_end_[1] = has_end_[1] || place.t == 1;
    }
    if (passage.count < 2) return;
    const bool is_forward = passage.places[0].t < passage.places[1].t;
    const TrianglePlace& first = passage.places[is_forward ? 0 : 1];
    const BrepSimplex at = simplex_of(solid_, t, first.part, first.index);
    covered_[key_of(at, first.t)] = simplex_of(solid_, t, passage.between, passage.between_side);
  }

  void add_free_end(int end) {
    if (has_end_[end]) return;
    const Fraction t(end);
    stops_[key_of(std::nullopt, t)] = {t, std::nullopt, 0, 0};
  }

  bool is_inside(const Vec3& free_point) const { return is_enclosed(free_point, solid_, tree_); }

  Where at(const Stop& stop) const {
    if (stop.simplex) return where_of(solid_, *stop.simplex);
    return open_space(is_inside(stop.t == 0 ? from_ : to_));
  }

  Where between(const Stop& stop, const Stop& next) const {
    const auto covering = covered_.find(key_of(stop.simplex, stop.t));
    if (covering != covered_.end()) return where_of(solid_, covering->second);
    if (!stop.simplex) return open_space(is_inside(from_));
    if (!next.simplex) return open_space(is_inside(to_));
    if (stop.simplex->part == TrianglePart::inside) return open_space(stop.after < 0);
    if (next.simplex->part == TrianglePart::inside) return open_space(next.before < 0);
    if (stop.simplex->part == TrianglePart::side)
      return open_space(is_inside_beside(solid_, stop.simplex->index, to_));
    if (next.simplex->part == TrianglePart::side)
      return open_space(is_inside_beside(solid_, next.simplex->index, from_));
    return open_space(
        is_enclosed(exact_between(from_, to_, Fraction((stop.t + next.t) / 2)), solid_, tree_));
  }

  Passage told(const Stop& stop, const Where& where) const {
    Passage passage{where, rounded(exact_between(from_, to_, stop.t)), stop.t.get_d()};
    if (stop.simplex && stop.simplex->part == TrianglePart::corner)
      passage.point = solid_.points[stop.simplex->index];
    return passage;
  }

  // Places within an entity that goes on are left out: sides and points of the triangulation that
  // are none of the solid.
  SegmentClassification told(const std::vector<Stop>& stops) const {
    SegmentClassification all;
    for (std::size_t i = 0; i < stops.size(); ++i) {
      const Where here = at(stops[i]);
      const bool is_last = i + 1 == stops.size();
      const Where ahead = is_last ? Where{} : between(stops[i], stops[i + 1]);
      if (i > 0 && !is_last && here == all.stretches.back() && here == ahead) continue;
      all.points.push_back(told(stops[i], here));
      if (!is_last) all.stretches.push_back(ahead);
    }
    return all;
  }

  const BrepEntities& solid_;
  const BoxTree& tree_;
  const Vec3 &from_, &to_;
  std::map<Key, Stop> stops_;
  std::map<Key, BrepSimplex> covered_;  // what the stretch after a stop lies in
  std::array<bool, 2> has_end_ = {false, false};
};

}  // namespace

BrepIndex::BrepIndex(const PolygonMesh& mesh) : entities_(entities_of(mesh)) {
  std::vector<Box3> boxes;
  boxes.reserve(entities_.triangles.size());
  for (const auto& triangle : entities_.triangles) {
    Box3 box;
    for (const int p : triangle) box.extend(entities_.points[p]);
    boxes.push_back(box);
  }
  tree_ = std::make_unique<const BoxTree>(std::move(boxes));
}

Where BrepIndex::classify(const Vec3& point) const {
  std::vector<int> near;
  tree_->find_overlapping(Box3(point, point), near);
  for (const int t : near) {
    const Triangle triangle = brep_triangle(entities_, t);
    if (orientation_3d(triangle[0], triangle[1], triangle[2], point) != 0) continue;
    const PartOfTriangle at = part_at(point, triangle);
    if (at.is_on) return where_of(entities_, simplex_of(entities_, t, at.part, at.index));
  }
  return open_space(is_enclosed(point, entities_, *tree_));
}

SegmentClassification BrepIndex::classify(const Vec3& from, const Vec3& to) const {
  if (from == to) return {{{classify(from), from, 0}}, {}};
  return SegmentWalk(entities_, *tree_, from, to).run();
}

}  // namespace abut::geometry
