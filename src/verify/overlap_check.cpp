#include "verify/overlap_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "verify/placement.h"
#include "verify/sound_state.h"

namespace abut::verify {
namespace {

bool same_pose(const BodyState& a, const BodyState& b) {
  return a.position == b.position && a.orientation.coeffs() == b.orientation.coeffs();
}

/// The axis along which the boxes are spread most, so that few of them share a place on it.
int widest_axis(const std::vector<Vec3>& centres) {
  Vec3 sum = Vec3::Zero(), squares = Vec3::Zero();
  for (const Vec3& c : centres) {
    sum += c;
    squares += c.cwiseProduct(c);
  }
  const double n = static_cast<double>(std::max<std::size_t>(centres.size(), 1));
  int axis = 0;
  (squares / n - (sum / n).cwiseProduct(sum / n)).maxCoeff(&axis);
  return axis;
}

}  // namespace

OverlapCheck::OverlapCheck(const model::Model& model, const AllowedDepth& allowed)
    : Check("overlap"), model_(model), allowed_(allowed), passing_(model) {
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    Body body;
    // Bodies that bend have a check of their own.
    if (!model.bodies[i].bends()) body.solids = solids_of(model.bodies[i]);
    for (const Solid& solid : body.solids) body.box = geometry::merged(body.box, solid.box);
    body.solid_boxes.resize(body.solids.size());
    if (!body.solids.empty()) (body.box.is_bounded() ? all_bounded_ : all_unbounded_).push_back(i);
    bodies_.push_back(std::move(body));
  }
}

bool OverlapCheck::may_touch(std::size_t a, std::size_t b) const {
  if (!model_.bodies[a].is_dynamic() && !model_.bodies[b].is_dynamic()) return false;
  return !passing_.contains(a, b);
}

void OverlapCheck::frame(const record::Frame& frame) {
  choose(frame);
  place(frame);
  find_parted_pairs(frame);
  find_bounded_pairs(frame);
  for (const std::size_t a : unbounded_) {
    for (const std::size_t b : bounded_) examine(b, a, frame);
    for (const std::size_t b : unbounded_) {
      if (a < b) examine(a, b, frame);
    }
  }
  if (last_.empty()) last_ = frame.bodies;
  for (std::size_t told = 0; told < frame.told_count(); ++told)
    last_[frame.told(told)] = frame.bodies[frame.told(told)];
  ++frames_;
}

/// Those that the frame tells of, and those that never move.
void OverlapCheck::choose(const record::Frame& frame) {
  const auto is_known = [&](std::size_t i) {
    return frame.tells_of(static_cast<BodyIndex>(i)) ||
           std::holds_alternative<model::Fixed>(model_.bodies[i].motion);
  };
  bounded_.clear();
  unbounded_.clear();
  std::copy_if(all_bounded_.begin(), all_bounded_.end(), std::back_inserter(bounded_), is_known);
  std::copy_if(all_unbounded_.begin(), all_unbounded_.end(), std::back_inserter(unbounded_),
               is_known);
}

void OverlapCheck::place(const record::Frame& frame) {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    Body& body = bodies_[i];
    const BodyState& state = frame.bodies[i];
    body.has_moved = last_.empty() || !same_pose(state, last_[i]);
    if (!body.has_moved) continue;
    body.world = geometry::Aabb{};
    if (!is_sound(state)) continue;  // another check tells; an empty box meets nothing
    for (std::size_t s = 0; s < body.solids.size(); ++s) {
      body.solid_boxes[s] = world_box(body.solids[s].box, state);
      body.world = geometry::merged(body.world, body.solid_boxes[s]);
    }
  }
}

/// Bodies whose joint broke may overlap until they are apart for the first time.
void OverlapCheck::find_parted_pairs(const record::Frame& frame) {
  passing_.frame(frame);
  for (const auto& pair : passing_.to_be_seen_apart()) {
    if (are_apart(pair.first, pair.second, frame)) passing_.note_apart(pair);
  }
}

bool OverlapCheck::are_apart(std::size_t a, std::size_t b, const record::Frame& frame) const {
  const Body &first = bodies_[a], &second = bodies_[b];
  for (std::size_t i = 0; i < first.solids.size(); ++i) {
    for (std::size_t k = 0; k < second.solids.size(); ++k) {
      if (!geometry::overlap(first.solid_boxes[i], second.solid_boxes[k])) continue;
      Hint hint;
      const Verdict verdict =
          judge(first.solids[i], frame.bodies[a], second.solids[k], frame.bodies[b], hint);
      if (verdict.outcome != Outcome::apart) return false;
    }
  }
  return true;
}

/// Sweeps over the boxes from low to high: those that begin before one ends may meet it.
void OverlapCheck::find_bounded_pairs(const record::Frame& frame) {
  std::vector<Vec3> centres;
  std::vector<std::size_t> order;
  for (const std::size_t i : bounded_) {
    const geometry::Aabb& box = bodies_[i].world;
    if (box.is_empty()) continue;
    centres.emplace_back(0.5 * (box.lower + box.upper));
    order.push_back(i);
  }
  const int axis = widest_axis(centres);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return bodies_[a].world.lower[axis] < bodies_[b].world.lower[axis];
  });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double end = bodies_[order[i]].world.upper[axis];
    for (std::size_t k = i + 1; k < order.size(); ++k) {
      if (bodies_[order[k]].world.lower[axis] > end) break;
      if (geometry::overlap(bodies_[order[i]].world, bodies_[order[k]].world)) {
        examine(order[i], order[k], frame);
      }
    }
  }
}

void OverlapCheck::examine(std::size_t a, std::size_t b, const record::Frame& frame) {
  if (!may_touch(a, b) || bodies_[a].world.is_empty() || bodies_[b].world.is_empty()) return;
  Memory& memory = memories_[key_of(std::min(a, b), std::max(a, b))];
  const bool still_holds = memory.is_clean && memory.frame == frames_ - 1 &&
                           !bodies_[a].has_moved && !bodies_[b].has_moved;
  ++near_pairs_;
  if (!still_holds) compare(std::min(a, b), std::max(a, b), frame, memory);
  memory.frame = frames_;
}

void OverlapCheck::compare(std::size_t a, std::size_t b, const record::Frame& frame,
                           Memory& memory) {
  const Body &first = bodies_[a], &second = bodies_[b];
  memory.hints.resize(first.solids.size() * second.solids.size());
  memory.is_clean = true;
  auto hint = memory.hints.begin();
  for (std::size_t i = 0; i < first.solids.size(); ++i) {
    for (std::size_t k = 0; k < second.solids.size(); ++k, ++hint) {
      if (!geometry::overlap(first.solid_boxes[i], second.solid_boxes[k])) continue;
      const Verdict verdict =
          judge(first.solids[i], frame.bodies[a], second.solids[k], frame.bodies[b], *hint);
      if (verdict.outcome != Outcome::apart) memory.is_clean = false;
      note(a, b, first.solids[i], second.solids[k], verdict, frame);
    }
  }
}

void OverlapCheck::note(std::size_t a, std::size_t b, const Solid& solid_a, const Solid& solid_b,
                        const Verdict& verdict, const record::Frame& frame) {
  if (verdict.needed_exact) ++exact_;
  deepest_ = std::max(deepest_, verdict.depth);
  // What the scene itself puts this near each other counts as touching, and is set apart.
  const bool as_placed = frames_ == 0 && frame.kind == record::FrameKind::before;
  const double most =
      as_placed ? std::max(allowed_.depth, model_.solver.contact_distance) : allowed_.depth;
  const bool allowed = verdict.outcome == Outcome::overlapping && verdict.depth <= most;
  if (verdict.outcome == Outcome::unknown) {
    const auto [low, high] = std::minmax(solid_a.shape, solid_b.shape);
    could_not_check(fmt::format("overlap of a {} and a {} whose boxes meet", low, high));
  } else if (verdict.outcome == Outcome::within_rounding || allowed) {
    ++within_rounding_;
  } else if (verdict.outcome == Outcome::overlapping) {
    fault(frame.time, fmt::format("{} and {} overlap by {:.3g} m", model_.bodies[a].name,
                                  model_.bodies[b].name, verdict.depth));
  }
}

std::string OverlapCheck::measured() const {
  std::string text = fmt::format("{} near pairs of bodies in {} frames, {} decided exactly",
                                 near_pairs_, frames_, exact_);
  if (within_rounding_ > 0 || fault_count() > 0) {
    text += fmt::format("; deepest overlap {:.3g} m", deepest_);
  }
  if (allowed_.by_springs && std::isfinite(allowed_.depth))
    text += fmt::format(
        "; contact is by springs, which overlapped by up to {:.3g} m as the summary "
        "says",
        allowed_.depth);
  else if (allowed_.by_springs)
    text += "; contact is by springs, and no summary says how deep they went";
  if (within_rounding_ > 0)
    text += fmt::format("; {} times within what is allowed", within_rounding_);
  return text;
}

}  // namespace abut::verify
