#include "toi/cell_pairs.h"

#include <algorithm>
#include <cmath>
#include <tuple>

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

// Pairs of cells that are looked at over one stretch of time. With more it is cut in two, if that
// leaves less than half of them.
constexpr std::size_t many_cells = 48;

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

int cell_or_whole(int id) {
  return narrow::is_cell(id) ? narrow::cell_of(id) : -1;
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
  for (const PartHold& one : holds) {
    if (narrow::part_of(one.part_a) != sides_.parts[0] ||
        narrow::part_of(one.part_b) != sides_.parts[1])
      continue;
    FirstContact::hold(pair_of({cell_or_whole(one.part_a), cell_or_whole(one.part_b)}), {one});
  }
}

std::vector<narrow::NearPieces> FirstContact::CellPairs::near(const BodyPath& a, const BodyPath& b,
                                                              double from, double to,
                                                              double distance) const {
  const Pose pose_a = body_pose(*sides_.bodies[0], a.pose(from));
  const Pose pose_b = body_pose(*sides_.bodies[1], b.pose(from));
  const narrow::Placed placed_a =
      placed(part_solid(sides_.shapes[0]), pose_a.position - pose_b.position, pose_a.orientation);
  const narrow::Placed placed_b =
      placed(part_solid(sides_.shapes[1]), Vec3::Zero(), pose_b.orientation);
  std::vector<narrow::NearPieces> found;
  narrow::for_near_cells(placed_a, placed_b, drift(a, b, from, to), distance,
                         [&](const narrow::NearPieces& pieces) { found.push_back(pieces); });
  std::sort(found.begin(), found.end(),
            [](const narrow::NearPieces& x, const narrow::NearPieces& y) {
              return std::tuple(x.bound, x.a, x.b) < std::tuple(y.bound, y.a, y.b);
            });
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

double FirstContact::CellPairs::gap_at_most(const Pose& motion_a, const Pose& motion_b) {
  if (nearest_) {
    PartPair& pair = pair_of(*nearest_);
    return pair.query
        ->separation(body_pose(*sides_.bodies[0], motion_a), body_pose(*sides_.bodies[1], motion_b))
        .gap;
  }
  const Separation found = separation(motion_a, motion_b);
  nearest_ = {cell_or_whole(found.part_a), cell_or_whole(found.part_b)};
  return found.gap;
}

// Of a part without bounds only what is near the other one counts: a point of it that comes within
// the distance d of the other part, which is within r of the origin of its frame, is no farther
// from its own origin than both frames are apart, and d, and r.
narrow::Drift FirstContact::CellPairs::drift(const BodyPath& a, const BodyPath& b, double from,
                                             double to) const {
  const BodyPath* paths[2] = {&a, &b};
  const Vec3 origin = body_pose(*sides_.bodies[1], b.pose(from)).position;
  narrow::Drift drift;
  drift.duration = to - from;
  double reach[2], apart = (a.pose(from).position - b.pose(from).position).norm();
  for (int side = 0; side < 2; ++side) {
    const Solid& solid = part_solid(sides_.shapes[side]);
    const Pose frame = motion_frame(*sides_.bodies[side]);
    reach[side] = (solid.position - frame.position).norm() + solid.bounding_radius();
    apart += paths[side]->speed_bound(from, to).linear * drift.duration;
    const motion::Kinematics now = paths[side]->kinematics(from);
    drift.spin[side] = now.angular_velocity;
    drift.velocity[side] = now.velocity + now.angular_velocity.cross(origin - now.pose.position);
  }
  double bend = 0, way = 0;
  for (int side = 0; side < 2; ++side) {
    const double radius =
        reach[side] < infinity ? reach[side] : 2 * (apart + std::min(reach[0], reach[1]));
    bend += 0.5 * paths[side]->acceleration_bound(from, to).at_radius(radius);
    const motion::SpeedBound speed = paths[side]->speed_bound(from, to);
    way += speed.angular > 0 ? speed.at_radius(radius) : speed.linear;
  }
  drift.stray = bend * drift.duration * drift.duration;
  if (drift.stray <= way * drift.duration) return drift;
  // Farther from their lines than from where they are.
  drift.velocity = drift.spin = {Vec3::Zero(), Vec3::Zero()};
  drift.stray = way * drift.duration;
  return drift;
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
//
// Cells that stay farther apart than the nearest ones are now change neither the smallest gap nor
// the first touch.
SearchResult FirstContact::search_near_cells(CellPairs& cells, const BodyPath& a, const BodyPath& b,
                                             double from, double to, Rivals& rivals) {
  SearchResult result;
  const double apart = leaving_multiple * settings_.touch.upper;
  const bool any_held = std::any_of(cells.pairs_.begin(), cells.pairs_.end(),
                                    [](const auto& entry) { return entry.second->pair.is_held(); });
  const double beyond =
      any_held
          ? std::max(2 * apart, watched_fraction * cells.size())
          : std::max(apart, std::min(rivals.gap, cells.gap_at_most(a.pose(from), b.pose(from))));
  double end = cells.duration_ > 0 ? std::min(to, from + longer * cells.duration_) : to;
  std::vector<narrow::NearPieces> near = cells.near(a, b, from, end, beyond);
  while (near.size() > many_cells) {
    const double middle = from + 0.5 * (end - from);
    if (!(middle > from && middle < end)) break;
    std::vector<narrow::NearPieces> fewer = cells.near(a, b, from, middle, beyond);
    if (2 * fewer.size() + many_cells > near.size()) break;
    near = std::move(fewer);
    end = middle;
  }
  cells.duration_ = end - from;
  result.free_until = end;
  // What is beyond bounds the gap too, unless a pair that is looked at comes nearer.
  result.gap_bound = any_held ? beyond : infinity;
  for (const narrow::NearPieces& one : near) {
    if (one.bound > std::max(rivals.gap, apart)) break;
    PartPair& pair = cells.pair_of({one.a, one.b});
    if (pair.is_held() || stays_beyond(pair, rivals, result.free_until - from)) continue;
    if (balls_stay_beyond(pair, rivals, result.free_until - from)) continue;
    const SearchResult found = search(pair, a, b, from, result.free_until, rivals);
    if (found.gap_bound < result.gap_bound) cells.nearest_ = {one.a, one.b};
    result.gap_bound = std::min(result.gap_bound, found.gap_bound);
    rivals.gap = std::min(rivals.gap, found.gap_bound);
    if (!found.touch) continue;
    result.touch = found.touch;
    result.free_until = found.free_until;
  }
  return result;
}

}  // namespace abut::toi
