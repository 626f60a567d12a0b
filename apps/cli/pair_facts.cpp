#include "pair_facts.h"
#include "base/limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <utility>

#include "contact/entity_regions.h"
#include "narrow/body_shape.h"
#include "narrow/pair.h"
#include "narrow/unsupported.h"
#include "near_pairs.h"
#include "part_overlaps.h"

namespace abut::cli {
namespace {

/// Overlaps beyond this many are counted, not listed: a scene with more has one mistake many times.
constexpr std::size_t most_errors = 100;

/// Shortest text that reads back as the same numbers. Adding zero takes the sign off minus zero.
std::string text_of(const Vec3& v) {
  return fmt::format("[{}, {}, {}]", v.x() + 0.0, v.y() + 0.0, v.z() + 0.0);
}

double rounded(double x, int digits) {
  return std::strtod(fmt::format("{:.{}g}", x, digits).c_str(), nullptr);
}

Vec3 rounded(const Vec3& v, int digits) {
  return {rounded(v.x(), digits), rounded(v.y(), digits), rounded(v.z(), digits)};
}

class Examination {
 public:
  Examination(const model::Model& model, const std::vector<Location>& places)
      : model_(model), places_(places), shapes_(model.bodies.size()) {}

  PairFindings run(bool all) {
    const double touching = model_.solver.contact_distance;
    for (const auto& [a, b] : near_pairs(model_, all ? infinity : touching)) {
      if (body(a).bends() || body(b).bends()) continue;
      if (narrow::PairQuery::supports(body(a), body(b))) compare(a, b, all);
    }
    report_unsupported();
    if (overlaps_ > most_errors) {
      findings_.problems.push_back(
          {Severity::error,
           {},
           fmt::format("{} further overlaps are not shown; mend those above "
                       "first",
                       overlaps_ - most_errors)});
    }
    for (Diagnostic& d : part_overlaps(model_, places_)) findings_.problems.push_back(std::move(d));
    return std::move(findings_);
  }

 private:
  const model::Body& body(BodyIndex i) const { return model_.bodies[static_cast<std::size_t>(i)]; }
  const Location& place(BodyIndex i) const { return places_[static_cast<std::size_t>(i)]; }

  std::shared_ptr<const narrow::BodyShape> shape_of(BodyIndex i) {
    auto& shape = shapes_[static_cast<std::size_t>(i)];
    if (!shape) shape = std::make_shared<const narrow::BodyShape>(body(i));
    return shape;
  }

  void compare(BodyIndex a, BodyIndex b, bool all) {
    const double touching = model_.solver.contact_distance;
    narrow::PairQuery query(shape_of(a), shape_of(b));
    const narrow::Separation separation = query.separation(body(a).pose, body(b).pose);
    PairFacts facts{a, b, PairState::apart, separation.gap, separation.normal, {}, {}};
    if (separation.gap < -touching) {
      facts.state = PairState::overlapping;
    } else if (separation.gap <= touching) {
      facts.state = PairState::touching;
    } else if (!all) {
      return;
    }
    if (facts.state != PairState::apart) {
      facts.regions = contact::entity_regions(
          query, body(a), body(b),
          contact::find_regions(query, body(a).pose, body(b).pose, touching), touching);
    }
    if (facts.state == PairState::overlapping) report_overlap(facts, query);
    findings_.pairs.push_back(std::move(facts));
  }

  double gap_with(const PairFacts& facts, const Remedy& remedy, narrow::PairQuery& query) const {
    Pose pose_a = body(facts.a).pose;
    Pose pose_b = body(facts.b).pose;
    (remedy.body == facts.a ? pose_a : pose_b).position = remedy.position;
    return query.separation(pose_a, pose_b).gap;
  }

  /// Moves the second body, if it is dynamic, or else the first, along the shortest way out of its
  /// deepest part. Other parts may still overlap then, so it goes on in that direction, in the
  /// end by the sizes of both bodies, which always separates them, unless one is unbounded: out of
  /// a bowl that is too small there is no way.
  std::optional<Remedy> remedy_for(const PairFacts& facts, narrow::PairQuery& query) const {
    const bool moves_b = body(facts.b).is_dynamic();
    const BodyIndex mover = moves_b ? facts.b : facts.a;
    const Vec3 direction = moves_b ? Vec3(-facts.normal) : facts.normal;
    const double little = model_.solver.contact_distance;
    const double sizes = 2 * (body(facts.a).bounding_radius + body(facts.b).bounding_radius);
    // Half-spaces and bowls are left after a way of the size of the other body and of the overlap.
    const double farthest =
        std::isfinite(sizes) ? sizes : 4 * body(mover).bounding_radius - 4 * facts.gap;
    constexpr int most_moves = 1000;
    Remedy remedy{mover, body(mover).pose.position};
    double gap = facts.gap, way = 0;
    for (int i = 0; i < most_moves && gap < 0 && way <= farthest; ++i) {
      way += little - gap;
      remedy.position = body(mover).pose.position + way * direction;
      gap = gap_with(facts, remedy, query);
    }
    if (gap < 0 && !std::isfinite(sizes)) return std::nullopt;
    if (gap < 0) remedy.position = body(mover).pose.position + sizes * direction;
    return shortened(remedy, facts, query);
  }

  /// With no more digits than it takes to be apart. Coordinates that need no change stay as they
  /// are, and the others change by less than a tenth of the depth.
  Remedy shortened(const Remedy& remedy, const PairFacts& facts, narrow::PairQuery& query) const {
    const Vec3& old = body(remedy.body).pose.position;
    for (const int digits : {4, 6, 9, 12}) {
      Remedy shorter{remedy.body, rounded(remedy.position, digits)};
      for (int i = 0; i < 3; ++i) {
        if (std::abs(remedy.position[i] - old[i]) <= model_.solver.contact_distance) {
          shorter.position[i] = old[i];
        }
      }
      const double change = (shorter.position - remedy.position).norm();
      if (change <= -facts.gap / 10 && gap_with(facts, shorter, query) >= 0) return shorter;
    }
    return remedy;
  }

  void report_overlap(PairFacts& facts, narrow::PairQuery& query) {
    facts.remedy = remedy_for(facts, query);
    if (++overlaps_ > most_errors) return;
    const Severity severity =
        model_.solver.contact == model::ContactModel::penalty ? Severity::warning : Severity::error;
    if (!facts.remedy) {
      findings_.problems.push_back(
          {severity, place(facts.b),
           fmt::format("bodies {} and {} overlap by {:.6g} m, and no place near is free; make one "
                       "of them fit the other, or list the pair under no_collide",
                       body(facts.a).name, body(facts.b).name, -facts.gap)});
      return;
    }
    const BodyIndex mover = facts.remedy->body;
    const BodyIndex other = mover == facts.a ? facts.b : facts.a;
    const Vec3 direction = mover == facts.a ? facts.normal : Vec3(-facts.normal);
    findings_.problems.push_back(
        {severity, place(mover),
         fmt::format("bodies {} and {} overlap by {:.6g} m; move {} along {}, to position {}, or "
                     "list the pair under no_collide",
                     body(other).name, body(mover).name, -facts.gap, body(mover).name,
                     text_of(rounded(direction, 6)), text_of(facts.remedy->position))});
  }

  /// Wherever they are now: how near they come is not known before the scene is run.
  void report_unsupported() {
    const bool ignored = model_.solver.unsupported == model::Unsupported::ignore;
    const auto pairs = narrow::unsupported_pairs(model_);
    for (std::size_t i = 0; i < std::min(pairs.size(), most_errors); ++i) {
      const std::string what = narrow::description(model_, pairs[i]);
      findings_.problems.push_back(
          {ignored ? Severity::warning : Severity::error, place(pairs[i].b),
           ignored ? what + "; they pass through each other"
                   : fmt::format("{}; {}", what, narrow::unsupported_remedy)});
    }
    if (pairs.size() > most_errors)
      findings_.problems.push_back({ignored ? Severity::warning : Severity::error,
                                    {},
                                    fmt::format("{} further pairs without contact are not shown",
                                                pairs.size() - most_errors)});
  }

  const model::Model& model_;
  const std::vector<Location>& places_;
  std::vector<std::shared_ptr<const narrow::BodyShape>> shapes_;
  std::size_t overlaps_ = 0;
  PairFindings findings_;
};

}  // namespace

PairFindings examine_pairs(const model::Model& model, const std::vector<Location>& places,
                           bool all) {
  return Examination(model, places).run(all);
}

}  // namespace abut::cli
