#include "toi/cell_pairs.h"

#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "narrow/mesh_cells.h"
#include "narrow/solid_id.h"

namespace abut::toi {
namespace {

using motion::BodyPath;
using narrow::BodyShape;
using narrow::Separation;
using narrow::Solid;
using narrow::SolidKind;

// Pairs of cells that are looked at over one stretch of time: with more it is cut in two, down to
// stretches in which the parts move little against the distance that is searched.
constexpr std::size_t many_cells = 48;
constexpr double little_travel = 0.25;

// Of the size of the smaller part (dimensionless): how far around parts that rest against each
// other others are looked for, and so how large the bound of their gap can be.
constexpr double watched_fraction = 1e-3;

// By which a stretch of time grows after one that was not cut.
constexpr double longer = 4;

const Solid& part_solid(const std::shared_ptr<const BodyShape>& shape) {
  return shape->solids().front();
}

bool is_mesh(const std::shared_ptr<const BodyShape>& shape) {
  return part_solid(shape).kind == SolidKind::mesh;
}

Core core_of_cell(const model::Body& body, const Solid& cell) {
  const Pose frame = motion_frame(body);
  Core core;
  for (const Vec3& v : cell.core.vertices()) {
    const Vec3 in_body = cell.position + cell.orientation * v;
    core.points.emplace_back(frame.orientation.conjugate() * (in_body - frame.position));
    core.reach = std::max(core.reach, core.points.back().norm());
  }
  return core;
}

}  // namespace

CarriedSolid carried_solid(const model::Body& body, const BodyShape& shape) {
  const Solid& solid = shape.solids().front();
  const Pose frame = motion_frame(body);
  const Quat to_frame = frame.orientation.conjugate();
  return {&solid, {to_frame * (solid.position - frame.position), to_frame * solid.orientation}};
}

bool are_cells(const std::shared_ptr<const BodyShape>& a,
               const std::shared_ptr<const BodyShape>& b) {
  return a && b && (is_mesh(a) || is_mesh(b)) && narrow::PairQuery::supports(*a, *b);
}

FirstContact::CellPairs::CellPairs(PartSides sides)
    : sides_(std::move(sides)), whole_(sides_.shapes[0], sides_.shapes[1]) {}

FirstContact::PartPair& FirstContact::CellPairs::pair_of(const Cells& cells) {
  std::unique_ptr<Known>& known = pairs_[cells];
  if (known) {
    known->used = true;
    return known->pair;
  }
  known = std::make_unique<Known>();
  PartPair& pair = known->pair;
  std::shared_ptr<const BodyShape> shapes[2];
  std::optional<Core> cores[2];
  const shape::Plane* planes[2] = {nullptr, nullptr};
  int names[2];
  for (int side = 0; side < 2; ++side) {
    const int cell = side == 0 ? cells.first : cells.second;
    const model::Body& body = *sides_.bodies[side];
    const int part = sides_.parts[side];
    names[side] = cell < 0 ? part : narrow::cell_id(part, cell);
    shapes[side] = sides_.shapes[side];
    cores[side] = sides_.cores[side];
    planes[side] = std::get_if<shape::Plane>(&body.parts[part].geometry);
    if (cell < 0) continue;
    const Solid& solid = part_solid(shapes[side]).cells->solid(cell);
    cores[side] = core_of_cell(body, solid);
    shapes[side] = std::make_shared<const BodyShape>(solid);
  }
  pair.part_a = names[0];
  pair.part_b = names[1];
  pair.core_a = std::move(cores[0]);
  pair.core_b = std::move(cores[1]);
  pair.plane_a = planes[0];
  pair.plane_b = planes[1];
  pair.balls = {Ball::around(pair.core_a), Ball::around(pair.core_b)};
  pair.query.emplace(shapes[0], shapes[1]);
  pair.watch = make_close_watch(carried_solid(*sides_.bodies[0], *shapes[0]),
                                carried_solid(*sides_.bodies[1], *shapes[1]));
  return pair;
}

void FirstContact::CellPairs::hold(const std::vector<PartHold>& holds) {
  for (const auto& [cells, known] : pairs_) FirstContact::hold(known->pair, {});
  const auto cell = [](int id) { return narrow::is_cell(id) ? narrow::cell_of(id) : -1; };
  for (const PartHold& one : holds) {
    if (narrow::part_of(one.part_a) != sides_.parts[0] ||
        narrow::part_of(one.part_b) != sides_.parts[1])
      continue;
    FirstContact::hold(pair_of({cell(one.part_a), cell(one.part_b)}), {one});
  }
}

std::vector<FirstContact::CellPairs::Cells> FirstContact::CellPairs::near(const Pose& motion_a,
                                                                          const Pose& motion_b,
                                                                          double distance) const {
  const Pose a = body_pose(*sides_.bodies[0], motion_a), b = body_pose(*sides_.bodies[1], motion_b);
  const narrow::Placed placed_a =
      placed(part_solid(sides_.shapes[0]), a.position - b.position, a.orientation);
  const narrow::Placed placed_b = placed(part_solid(sides_.shapes[1]), Vec3::Zero(), b.orientation);
  std::vector<Cells> found;
  narrow::for_near_cells(placed_a, placed_b, distance, [&](const narrow::NearPieces& pieces) {
    found.emplace_back(pieces.a, pieces.b);
  });
  std::sort(found.begin(), found.end());
  return found;
}

Separation FirstContact::CellPairs::separation(const Pose& motion_a, const Pose& motion_b) {
  Separation found = whole_.separation(body_pose(*sides_.bodies[0], motion_a),
                                       body_pose(*sides_.bodies[1], motion_b));
  const auto named = [](int found_as, int part) {
    return narrow::is_cell(found_as) ? narrow::cell_id(part, narrow::cell_of(found_as)) : part;
  };
  found.part_a = named(found.part_a, sides_.parts[0]);
  found.part_b = named(found.part_b, sides_.parts[1]);
  return found;
}

// Of a part without bounds only what is near the other one counts: a point of it that comes within
// the distance d of the other part, which is within r of the origin of its frame, is no farther
// from its own origin than both frames are apart, and d, and r.
double FirstContact::CellPairs::travel(const BodyPath& a, const BodyPath& b, double from,
                                       double to) const {
  const BodyPath* paths[2] = {&a, &b};
  double reach[2], moved[2];
  for (int side = 0; side < 2; ++side) {
    const Solid& solid = part_solid(sides_.shapes[side]);
    const Pose frame = motion_frame(*sides_.bodies[side]);
    reach[side] = (solid.position - frame.position).norm() + solid.bounding_radius();
    moved[side] = paths[side]->speed_bound(from, to).linear * (to - from);
  }
  const double apart = (a.pose(from).position - b.pose(from).position).norm() + moved[0] + moved[1];
  double sum = 0;
  for (int side = 0; side < 2; ++side) {
    const motion::SpeedBound speed = paths[side]->speed_bound(from, to);
    const double radius =
        reach[side] < infinity ? reach[side] : 2 * (apart + std::min(reach[0], reach[1]));
    sum += speed.angular > 0 ? speed.at_radius(radius) * (to - from) : moved[side];
  }
  return sum;
}

void FirstContact::CellPairs::forget_unused() {
  std::erase_if(pairs_, [&](const auto& entry) {
    const Known& known = *entry.second;
    if (known.used || known.pair.is_held()) return false;
    forgotten_ += known.pair.query->statistics();
    return true;
  });
  for (const auto& [cells, known] : pairs_) known->used = false;
}

narrow::PairStatistics FirstContact::CellPairs::statistics() const {
  narrow::PairStatistics total = forgotten_;
  total += whole_.statistics();
  for (const auto& [cells, known] : pairs_) total += known->pair.query->statistics();
  return total;
}

double FirstContact::CellPairs::size() const {
  return std::min(part_solid(sides_.shapes[0]).bounding_radius(),
                  part_solid(sides_.shapes[1]).bounding_radius());
}

// What is held is watched for all of the time; the rest in stretches of it, each with the pairs of
// cells that can come near in it.
SearchResult FirstContact::search_cells(CellPairs& cells, const BodyPath& a, const BodyPath& b,
                                        double from, double to, Rivals rivals) {
  SearchResult result;
  result.free_until = to;
  result.gap_bound = infinity;
  const auto take = [&](const SearchResult& one) {
    result.gap_bound = rivals.gap = std::min(result.gap_bound, one.gap_bound);
    if (!one.touch) return;
    result.touch = one.touch;
    result.free_until = one.free_until;
  };
  for (const auto& [names, known] : cells.pairs_)
    if (known->pair.is_held()) take(search_held(known->pair, a, b, from, result.free_until));
  for (double t = from;;) {
    Rivals now{rivals.gap,
               {Outlook::of(a, t, result.free_until), Outlook::of(b, t, result.free_until)}};
    const SearchResult one = search_near_cells(cells, a, b, t, result.free_until, now);
    result.gap_bound = rivals.gap = std::min(result.gap_bound, one.gap_bound);
    if (one.touch) {
      result.touch = one.touch;
      result.free_until = one.free_until;
      break;
    }
    t = one.free_until;
    if (!(t < result.free_until)) break;
  }
  cells.forget_unused();
  return result;
}

// From `from` on, as far as it makes sense in one stretch: up to `free_until` of the result.
SearchResult FirstContact::search_near_cells(CellPairs& cells, const BodyPath& a, const BodyPath& b,
                                             double from, double to, Rivals& rivals) {
  SearchResult result;
  result.gap_bound = infinity;
  const Pose pose_a = a.pose(from), pose_b = b.pose(from);
  const double apart = leaving_multiple * settings_.touch.upper;
  const bool any_held = std::any_of(cells.pairs_.begin(), cells.pairs_.end(),
                                    [](const auto& entry) { return entry.second->pair.is_held(); });
  const double gap = cells.separation(pose_a, pose_b).gap;
  double end = cells.duration_ > 0 ? std::min(to, from + longer * cells.duration_) : to;
  std::vector<CellPairs::Cells> near;
  double beyond = 0;  // what is not looked at stays farther apart
  for (;;) {
    const double travel = cells.travel(a, b, from, end);
    // The nearest cells come no nearer than others that are looked at anyway.
    if (gap - travel > std::max(rivals.gap, apart)) {
      result.free_until = end;
      cells.duration_ = end - from;
      return result;
    }
    beyond = any_held ? std::max(2 * apart + travel, watched_fraction * cells.size())
                      : std::max(apart, gap + travel);
    near = cells.near(pose_a, pose_b, beyond + travel);
    // Fine meshes have many cells near any contact: shorter stretches do not make them fewer.
    const double little = std::max(little_travel * beyond, watched_fraction * cells.size());
    if (near.size() <= many_cells || travel <= little) break;
    const double middle = from + 0.5 * (end - from);
    if (!(middle > from && middle < end)) break;
    end = middle;
  }
  cells.duration_ = end - from;
  result.free_until = end;
  // What is beyond bounds the gap too, unless a pair that is looked at comes nearer.
  result.gap_bound = any_held ? beyond : infinity;
  const auto consider = [&](PartPair& pair) {
    if (pair.is_held() || stays_beyond(pair, rivals, result.free_until - from)) return;
    if (balls_stay_beyond(pair, rivals, result.free_until - from)) return;
    const SearchResult one = search(pair, a, b, from, result.free_until, rivals);
    result.gap_bound = std::min(result.gap_bound, one.gap_bound);
    rivals.gap = std::min(rivals.gap, one.gap_bound);
    if (!one.touch) return;
    result.touch = one.touch;
    result.free_until = one.free_until;
  };
  for (const CellPairs::Cells& pair : near) consider(cells.pair_of(pair));
  return result;
}

}  // namespace abut::toi
