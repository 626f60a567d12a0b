#include "pair_facts.h"
#include "base/limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <memory>
#include <utility>

#include "narrow/body_shape.h"
#include "narrow/pair.h"
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

const char* article(std::string_view word) {
  return std::string_view("aeiou").find(word.front()) == std::string_view::npos ? "a" : "an";
}

std::string shape_text(const shape::Geometry& geometry) {
  const std::string_view name = shape::name_of(geometry);
  const bool inverted = shape::is_unbounded(geometry) && name != "plane";
  const std::string text = inverted ? fmt::format("inverted {}", name) : std::string(name);
  return fmt::format("{} {}", article(text), text);
}

class Examination {
 public:
  Examination(const model::Model& model, const std::vector<Location>& places)
      : model_(model), places_(places), shapes_(model.bodies.size()) {}

  PairFindings run(bool all) {
    const double touching = model_.solver.contact_distance;
    for (const auto& [a, b] : near_pairs(model_, all ? infinity : touching)) {
      if (narrow::PairQuery::supports(body(a), body(b))) {
        compare(a, b, all);
      } else if (!all || meet(a, b)) {
        note_unsupported(a, b);
      }
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

  /// Whether the pair is among those that are near; asked only of unsupported shapes.
  bool meet(BodyIndex a, BodyIndex b) {
    if (!near_known_) {
      near_ = near_pairs(model_, model_.solver.contact_distance);
      near_known_ = true;
    }
    return std::binary_search(near_.begin(), near_.end(), BodyPair(a, b));
  }

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
      facts.regions = contact::find_regions(query, body(a).pose, body(b).pose, touching);
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
  /// end by the sizes of both bodies, which always separates them.
  Remedy remedy_for(const PairFacts& facts, narrow::PairQuery& query) const {
    const bool moves_b = body(facts.b).is_dynamic();
    const BodyIndex mover = moves_b ? facts.b : facts.a;
    const Vec3 direction = moves_b ? Vec3(-facts.normal) : facts.normal;
    const double little = model_.solver.contact_distance;
    constexpr int most_moves = 1000;
    Remedy remedy{mover, body(mover).pose.position};
    double gap = facts.gap;
    for (int i = 0; i < most_moves && gap < 0; ++i) {
      remedy.position += (little - gap) * direction;
      gap = gap_with(facts, remedy, query);
    }
    const double sizes = 2 * (body(facts.a).bounding_radius + body(facts.b).bounding_radius);
    if (gap < 0 && std::isfinite(sizes)) remedy.position += sizes * direction;
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
    const BodyIndex mover = facts.remedy->body;
    const BodyIndex other = mover == facts.a ? facts.b : facts.a;
    const Vec3 direction = mover == facts.a ? facts.normal : Vec3(-facts.normal);
    findings_.problems.push_back(
        {model_.solver.contact == model::ContactModel::penalty ? Severity::warning
                                                               : Severity::error,
         place(mover),
         fmt::format("bodies {} and {} overlap by {:.6g} m; move {} along {}, to position {}, or "
                     "list the pair under no_collide",
                     body(other).name, body(mover).name, -facts.gap, body(mover).name,
                     text_of(rounded(direction, 6)), text_of(facts.remedy->position))});
  }

  void note_unsupported(BodyIndex a, BodyIndex b) {
    const auto alone = [](const shape::Part& part) {
      model::Body single;
      single.parts = {part};
      return single;
    };
    for (const shape::Part& p : body(a).parts) {
      for (const shape::Part& q : body(b).parts) {
        if (narrow::PairQuery::supports(alone(p), alone(q))) continue;
        std::pair names(shape_text(p.geometry), shape_text(q.geometry));
        if (names.second < names.first) std::swap(names.first, names.second);
        auto& [count, first] = unsupported_[names];
        if (count++ == 0) first = {a, b};
        return;
      }
    }
  }

  void report_unsupported() {
    for (const auto& [names, entry] : unsupported_) {
      const auto& [count, pair] = entry;
      std::string who = fmt::format("{} and {}", body(pair.first).name, body(pair.second).name);
      if (count == 2) who += ", and another pair,";
      if (count > 2) who += fmt::format(", and {} more pairs,", count - 1);
      findings_.problems.push_back(
          {Severity::warning, place(pair.second),
           fmt::format("contact between {} and {} is not detected yet; {} may pass through each "
                       "other",
                       names.first, names.second, who)});
    }
  }

  const model::Model& model_;
  const std::vector<Location>& places_;
  std::vector<std::shared_ptr<const narrow::BodyShape>> shapes_;
  bool near_known_ = false;
  std::vector<BodyPair> near_;
  std::map<std::pair<std::string, std::string>, std::pair<long, BodyPair>> unsupported_;
  std::size_t overlaps_ = 0;
  PairFindings findings_;
};

}  // namespace

PairFindings examine_pairs(const model::Model& model, const std::vector<Location>& places,
                           bool all) {
  return Examination(model, places).run(all);
}

}  // namespace abut::cli
