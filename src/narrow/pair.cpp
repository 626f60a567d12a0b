#include "narrow/pair.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "base/limits.h"
#include "narrow/body_shape.h"
#include "narrow/part_pair.h"
#include "narrow/solid_id.h"

namespace abut::narrow {
namespace {

std::shared_ptr<const BodyShape> shape_of(const model::Body& body) {
  return std::make_shared<const BodyShape>(body);
}

/// A lower bound of the gap from balls around the solids; minus infinity for a plane.
double ball_bound(const Placed& a, const Placed& b) {
  return (a.position - b.position).norm() - a.solid->bounding_radius() - b.solid->bounding_radius();
}

/// Counts an answer that is only a bound. A gap that is not finite says nothing, and no comparison
/// may take it for one.
void judge(Separation& found, PairStatistics& statistics) {
  if (!std::isfinite(found.gap)) {
    found.gap = -infinity;
    found.converged = false;
  }
  if (!found.converged) ++statistics.limits_met;
}

/// The number of a part, or of the cell of it that was found.
int named(int found, const Solid& solid) {
  return is_cell(found) ? found : solid.part;
}

/// No search finds its way among places that are not finite.
bool is_somewhere(const Pose& pose) {
  return pose.position.allFinite() && pose.orientation.coeffs().allFinite();
}

Separation of_nowhere(PairStatistics& statistics) {
  Separation unknown;
  unknown.gap = -infinity;
  unknown.converged = false;
  judge(unknown, statistics);
  return unknown;
}

}  // namespace

/// All solids of both bodies in a frame with its origin at body b. Kept from query to query for its
/// memory.
struct PairQuery::PlacedBodies {
  std::vector<Placed> a, b;

  void place(const BodyShape& shape_a, const BodyShape& shape_b, const Pose& pose_a,
             const Pose& pose_b) {
    a.clear();
    b.clear();
    const Vec3 offset = pose_a.position - pose_b.position;
    for (const Solid& s : shape_a.solids()) a.push_back(placed(s, offset, pose_a.orientation));
    for (const Solid& s : shape_b.solids()) {
      b.push_back(placed(s, Vec3::Zero(), pose_b.orientation));
    }
  }
};

PairStatistics& PairStatistics::operator+=(const PairStatistics& other) {
  queries += other.queries;
  witness_hits += other.witness_hits;
  witness_misses += other.witness_misses;
  gjk_calls += other.gjk_calls;
  gjk_iterations += other.gjk_iterations;
  limits_met += other.limits_met;
  return *this;
}

bool PairQuery::supports(const model::Body& a, const model::Body& b) {
  if (!BodyShape::supports(a) || !BodyShape::supports(b)) return false;
  return supports(BodyShape(a), BodyShape(b));
}

bool PairQuery::supports(const BodyShape& a, const BodyShape& b) {
  for (const Solid& solid_a : a.solids())
    for (const Solid& solid_b : b.solids())
      if (!is_supported(solid_a, solid_b)) return false;
  return true;
}

PairQuery::PairQuery(const model::Body& a, const model::Body& b)
    : PairQuery(shape_of(a), shape_of(b)) {}

PairQuery::PairQuery(std::shared_ptr<const BodyShape> a, std::shared_ptr<const BodyShape> b)
    : a_(std::move(a)), b_(std::move(b)), bodies_(std::make_unique<PlacedBodies>()) {
  for (const Solid& solid_a : a_->solids()) {
    for (const Solid& solid_b : b_->solids()) {
      pairs_.push_back(make_part_pair(solid_a, solid_b));
      if (!pairs_.back()) throw std::invalid_argument("no distance of these two parts is known");
    }
  }
}

PairQuery::PairQuery(PairQuery&&) noexcept = default;
PairQuery& PairQuery::operator=(PairQuery&&) noexcept = default;
PairQuery::~PairQuery() = default;

Separation PairQuery::nearest(const Pose& a, const Pose& b, bool tells_depth) {
  if (!is_somewhere(a) || !is_somewhere(b)) return of_nowhere(statistics_);
  PlacedBodies& bodies = *bodies_;
  bodies.place(*a_, *b_, a, b);
  Separation best;
  best.gap = infinity;
  const auto consider = [&](std::size_t k) {
    const Placed& part_a = bodies.a[k / bodies.b.size()];
    const Placed& part_b = bodies.b[k % bodies.b.size()];
    if (ball_bound(part_a, part_b) >= best.gap) return;
    ++statistics_.queries;
    Separation found = tells_depth ? pairs_[k]->separation(part_a, part_b, statistics_)
                                   : pairs_[k]->separation_or_overlap(part_a, part_b, statistics_);
    judge(found, statistics_);
    if (!(found.gap < best.gap)) return;
    best = found;
    best.part_a = named(found.part_a, *part_a.solid);
    best.part_b = named(found.part_b, *part_b.solid);
    nearest_ = k;
  };
  // The pair that was nearest last time first: its gap rules out most of the others.
  const std::size_t first = nearest_;
  if (first < pairs_.size()) consider(first);
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    if (k != first) consider(k);
  }
  best.point_a += b.position;
  best.point_b += b.position;
  return best;
}

std::vector<Separation> PairQuery::separations_within(const Pose& a, const Pose& b,
                                                      double distance) {
  if (!is_somewhere(a) || !is_somewhere(b)) return {of_nowhere(statistics_)};
  PlacedBodies& bodies = *bodies_;
  bodies.place(*a_, *b_, a, b);
  std::vector<Separation> found;
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    const Placed& part_a = bodies.a[k / bodies.b.size()];
    const Placed& part_b = bodies.b[k % bodies.b.size()];
    if (ball_bound(part_a, part_b) > distance) continue;
    ++statistics_.queries;
    const std::size_t before = found.size();
    pairs_[k]->separations(part_a, part_b, distance, statistics_, found);
    for (std::size_t i = before; i < found.size(); ++i) {
      judge(found[i], statistics_);
      found[i].part_a = named(found[i].part_a, *part_a.solid);
      found[i].part_b = named(found[i].part_b, *part_b.solid);
      found[i].point_a += b.position;
      found[i].point_b += b.position;
    }
  }
  return found;
}

double PairQuery::gap_lower_bound(const Pose& a, const Pose& b, double enough) {
  if (!is_somewhere(a) || !is_somewhere(b)) return of_nowhere(statistics_).gap;
  PlacedBodies& bodies = *bodies_;
  bodies.place(*a_, *b_, a, b);
  double bound = infinity;
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    const Placed& part_a = bodies.a[k / bodies.b.size()];
    const Placed& part_b = bodies.b[k % bodies.b.size()];
    const double of_balls = ball_bound(part_a, part_b);
    if (of_balls > enough) {
      bound = std::min(bound, of_balls);
      continue;
    }
    ++statistics_.queries;
    const auto remembered = pairs_[k]->lower_bound(part_a, part_b);
    if (remembered && *remembered > enough) {
      ++statistics_.witness_hits;
      bound = std::min(bound, *remembered);
      continue;
    }
    Separation found = pairs_[k]->separation(part_a, part_b, statistics_);
    judge(found, statistics_);
    bound = std::min(bound, found.gap);
  }
  return bound;
}

}  // namespace abut::narrow
