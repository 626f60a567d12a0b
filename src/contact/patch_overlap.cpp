#include "contact/patch_overlap.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "contact/rim_region.h"

namespace abut::contact {
namespace {

constexpr double turn = 2 * M_PI;

/// Which part of a segment is over a flat patch, as parameters from 0 to 1, and by which borders it
/// is cut.
struct Clip {
  double from = 0, to = 1;
  Feature cut_from, cut_to;
  bool is_cut_from = false, is_cut_to = false;

  void enter(double t, const Feature& border) {
    if (t <= from) return;
    from = t;
    cut_from = border;
    is_cut_from = true;
  }
  void leave(double t, const Feature& border) {
    if (t >= to) return;
    to = t;
    cut_to = border;
    is_cut_to = true;
  }
};

std::optional<Clip> clip(const Vec2& start, const Vec2& along, const FlatPatch& flat,
                         double lateral) {
  Clip clip;
  if (flat.kind == PatchKind::polygon) {
    for (std::size_t i = 0; i < flat.corners.size(); ++i) {
      const Vec2& corner = flat.corners[i].at;
      const Vec2 side = flat.corners[(i + 1) % flat.corners.size()].at - corner;
      const double inside = cross(side, start - corner) / side.norm();
      const double slope = cross(side, along) / side.norm();
      // Where the segment runs along the border it is inside as far as can be told.
      if (std::abs(slope) <= lateral && inside >= -lateral) continue;
      if (slope > 0) clip.enter(-inside / slope, flat.borders[i]);
      if (slope < 0) clip.leave(-inside / slope, flat.borders[i]);
      if (slope == 0 && inside < -lateral) return std::nullopt;
    }
  } else if (flat.kind == PatchKind::disc) {
    const double squared = along.squaredNorm();
    const double middle = along.dot(flat.centre - start) / squared;
    const double aside = std::abs(cross(along, flat.centre - start)) / std::sqrt(squared);
    if (aside > flat.radius + lateral) return std::nullopt;
    const double half =
        std::sqrt(std::max(0.0, flat.radius * flat.radius - aside * aside) / squared);
    clip.enter(middle - half, rim_crossing(flat.atom, 0));
    clip.leave(middle + half, rim_crossing(flat.atom, 1));
  }
  if (clip.from > clip.to) {
    if ((clip.from - clip.to) * along.norm() > 2 * lateral) return std::nullopt;
    clip.from = clip.to = 0.5 * (clip.from + clip.to);
  }
  return clip;
}

class Overlapping {
 public:
  Overlapping(const FlatPatch& a, const FlatPatch& b, const Tolerances& tolerances)
      : a_(a), b_(b), lateral_(tolerances.lateral), sag_(tolerances.sag()) {}

  Overlap find() {
    if (a_.kind == PatchKind::point || b_.kind == PatchKind::point)
      point();
    else if (a_.kind == PatchKind::segment && b_.kind == PatchKind::segment)
      segments();
    else if (a_.kind == PatchKind::segment)
      segment_on_flat(a_, b_, false);
    else if (b_.kind == PatchKind::segment)
      segment_on_flat(b_, a_, true);
    else
      flats();
    return std::move(result_);
  }

 private:
  void add(const Vec2& at, const Feature& a, const Feature& b) {
    result_.points.push_back({at, a, b});
  }
  void add_either(const Vec2& at, const Feature& one, const Feature& other, bool swapped) {
    swapped ? add(at, other, one) : add(at, one, other);
  }

  // A point that is beside a line in the plane is on its end. Beside a flat part it is not what
  // touches: an edge that ends there may cross the border of the flat part.
  void point() {
    const bool swapped = a_.kind != PatchKind::point;
    const FlatPatch& point = swapped ? b_ : a_;
    const FlatPatch& other = swapped ? a_ : b_;
    const Vec2& at = point.corners.front().at;
    if (other.is_flat() && is_beside(at, other)) return;
    const Feature feature = other.kind == PatchKind::segment
                                ? nearest_on_segment(other.corners, other.feature, at)
                                : other.feature;
    add_either(at, point.feature, feature, swapped);
  }

  bool is_beside(const Vec2& at, const FlatPatch& flat) const {
    if (flat.kind == PatchKind::disc) return (at - flat.centre).norm() > flat.radius + 2 * lateral_;
    for (std::size_t i = 0; i < flat.corners.size(); ++i) {
      const Vec2& start = flat.corners[i].at;
      const Vec2 side = flat.corners[(i + 1) % flat.corners.size()].at - start;
      if (cross(side, at - start) < -2 * lateral_ * side.norm()) return true;
    }
    return false;
  }
  Feature nearest_on_segment(const std::vector<PatchCorner>& ends, const Feature& between,
                             const Vec2& at) const {
    const Vec2 along = ends[1].at - ends[0].at;
    const double t = along.dot(at - ends[0].at) / along.squaredNorm();
    const double slack = 2 * lateral_ / along.norm();
    if (t < -slack) return ends[0].feature;
    if (t > 1 + slack) return ends[1].feature;
    return between;
  }

  void segment_on_flat(const FlatPatch& segment, const FlatPatch& flat, bool swapped) {
    const PatchCorner &from = segment.corners[0], &to = segment.corners[1];
    const Vec2 along = to.at - from.at;
    const std::optional<Clip> part = clip(from.at, along, flat, lateral_);
    if (!part) return;
    const bool is_point = (part->to - part->from) * along.norm() <= 2 * lateral_;
    result_.dimension = is_point ? 0 : 1;
    const auto end = [&](double t, bool is_cut, const PatchCorner& corner, const Feature& border) {
      if (is_cut)
        add_either(from.at + t * along, segment.feature, border, swapped);
      else
        add_either(corner.at, corner.feature, flat.feature, swapped);
    };
    end(part->from, part->is_cut_from, from, part->cut_from);
    if (!is_point) end(part->to, part->is_cut_to, to, part->cut_to);
  }

  // Segments that are rounded across may be some way beside each other with no more gap than can be
  // told: d^2 / (2 r).
  void segments() {
    const Vec2 p = a_.corners[0].at, along = a_.corners[1].at - p;
    const Vec2 q = b_.corners[0].at, beside = b_.corners[1].at - q;
    const double length = along.norm();
    const double ra = a_.curvature_radius, rb = b_.curvature_radius;
    const double aside = lateral_ + std::sqrt(2 * sag_ * (ra + rb));
    double from = along.dot(q - p) / (length * length);
    double to = along.dot(q + beside - p) / (length * length);
    const bool reversed = from > to;
    if (reversed) std::swap(from, to);
    const double begin = std::max(0.0, from), end = std::min(1.0, to);
    const double sine = cross(along, beside) / (length * beside.norm());
    if (std::abs(sine) * (end - begin) * length > 2 * aside || end <= begin ||
        std::abs(along.dot(beside)) < 0.5 * length * beside.norm())
      return crossing(p, along, q, beside);
    result_.dimension = 1;
    const double slack = 2 * lateral_ / length;
    const auto at_end = [&](double t, bool of_a, const PatchCorner& corner_a,
                            const PatchCorner& corner_b) {
      if (of_a)
        add(p + t * along, corner_a.feature, b_.feature);
      else
        add(p + t * along, a_.feature, corner_b.feature);
    };
    at_end(begin, from <= slack, a_.corners[0], b_.corners[reversed ? 1 : 0]);
    at_end(end, to >= 1 - slack, a_.corners[1], b_.corners[reversed ? 0 : 1]);
  }

  void crossing(const Vec2& p, const Vec2& along, const Vec2& q, const Vec2& beside) {
    const double area = cross(along, beside);
    if (area == 0) return;
    const double s = cross(q - p, beside) / area, t = cross(q - p, along) / area;
    const auto feature = [&](const FlatPatch& patch, double at, double length) {
      const double slack = 2 * lateral_ / length;
      if (at < -slack) return patch.corners[0].feature;
      return at > 1 + slack ? patch.corners[1].feature : patch.feature;
    };
    add(p + std::clamp(s, 0.0, 1.0) * along, feature(a_, s, along.norm()),
        feature(b_, t, beside.norm()));
  }

  void flats() {
    result_.dimension = 2;
    for (const bool swapped : {false, true}) {
      const FlatPatch& one = swapped ? b_ : a_;
      const FlatPatch& other = swapped ? a_ : b_;
      if (one.kind == PatchKind::disc) {
        add_arcs(one, other, swapped);
      } else if (one.kind == PatchKind::polygon) {
        for (const PatchCorner& corner : one.corners)
          if (is_over(corner.at, other))
            add_either(corner.at, corner.feature, other.feature, swapped);
      }
    }
    add_crossings();
  }

  bool is_over(const Vec2& at, const FlatPatch& flat) const {
    if (flat.kind == PatchKind::everything) return true;
    if (flat.kind == PatchKind::disc) return (at - flat.centre).norm() <= flat.radius;
    for (std::size_t i = 0; i < flat.corners.size(); ++i) {
      const Vec2& start = flat.corners[i].at;
      const Vec2 side = flat.corners[(i + 1) % flat.corners.size()].at - start;
      if (cross(side, at - start) < 0) return false;
    }
    return true;
  }

  static double angle_of(const FlatPatch& disc, const Vec2& at) {
    const Vec2 out = at - disc.centre;
    return disc.turns * (std::atan2(out.y(), out.x()) - disc.angle_zero);
  }
  static Vec2 place(const FlatPatch& disc, double angle) {
    const double seen = disc.angle_zero + disc.turns * angle;
    return disc.centre + disc.radius * Vec2(std::cos(seen), std::sin(seen));
  }

  // Places at which the rim passes the border of the other patch, with what it passes.
  struct Passage {
    Vec2 at = Vec2::Zero();
    Feature rim, border;
  };
  std::vector<Passage> passages(const FlatPatch& disc, const FlatPatch& other) const {
    std::vector<Passage> found;
    if (other.kind == PatchKind::polygon)
      for (std::size_t i = 0; i < other.corners.size(); ++i) {
        const Vec2& start = other.corners[i].at;
        const Vec2 side = other.corners[(i + 1) % other.corners.size()].at - start;
        const double squared = side.squaredNorm();
        const double middle = side.dot(disc.centre - start) / squared;
        const double aside = cross(side, disc.centre - start) / std::sqrt(squared);
        const double rest = disc.radius * disc.radius - aside * aside;
        if (rest <= 0) continue;
        for (const double sign : {-1.0, 1.0}) {
          const double t = middle + sign * std::sqrt(rest / squared);
          if (t >= 0 && t <= 1)
            found.push_back(
                {start + t * side, rim_crossing(disc.atom, sign > 0 ? 1 : 0), other.borders[i]});
        }
      }
    if (other.kind == PatchKind::disc) {
      const Vec2 between = other.centre - disc.centre;
      const double d = between.norm();
      if (d > 0) {
        const double along =
            (d * d + disc.radius * disc.radius - other.radius * other.radius) / (2 * d);
        const double rest = disc.radius * disc.radius - along * along;
        const Vec2 e = between / d;
        if (rest > 0)
          for (const double sign : {-1.0, 1.0})
            found.push_back({disc.centre + along * e + sign * std::sqrt(rest) * Vec2(-e.y(), e.x()),
                             rim_crossing(disc.atom, sign > 0 ? 1 : 0),
                             rim_crossing(other.atom, sign > 0 ? 1 : 0)});
      }
    }
    return found;
  }

  void add_arcs(const FlatPatch& disc, const FlatPatch& other, bool swapped) {
    std::vector<double> angles;
    for (const Passage& passage : passages(disc, other))
      angles.push_back(angle_of(disc, passage.at));
    for (double& angle : angles) angle -= turn * std::floor(angle / turn);
    std::sort(angles.begin(), angles.end());
    if (angles.empty()) {
      // Equal discs one above the other: one of them has the arc.
      const bool same = other.kind == PatchKind::disc && disc.radius >= other.radius;
      if (is_over(place(disc, 0), other) && !(same && swapped))
        add_arc(disc, other, 0, turn, swapped);
      return;
    }
    for (std::size_t i = 0; i < angles.size(); ++i) {
      const double from = angles[i];
      const double to = i + 1 < angles.size() ? angles[i + 1] : angles.front() + turn;
      if ((to - from) * disc.radius <= 2 * lateral_) continue;
      if (is_over(place(disc, 0.5 * (from + to)), other)) add_arc(disc, other, from, to, swapped);
    }
  }

  void add_arc(const FlatPatch& disc, const FlatPatch& other, double from, double to,
               bool swapped) {
    result_.arcs.push_back({swapped ? 1 : 0, disc.atom, from, to});
    const double step = turn / rim_samples;
    const bool whole = to - from >= turn;
    const double margin = whole ? 0 : 2 * lateral_ / disc.radius;
    int first = static_cast<int>(std::ceil((from + margin) / step));
    int last = static_cast<int>(std::floor((to - margin) / step));
    if (whole) last = first + rim_samples - 1;
    const auto add_place = [&](double angle, int number) {
      add_either(place(disc, angle),
                 {FeatureKind::rim_place, geometry::rim_place_index(disc.atom, number)},
                 other.feature, swapped);
    };
    for (int k = first; k <= last; ++k)
      add_place(k * step, (k % rim_samples) * (geometry::places_per_rim / rim_samples));
    // A short arc has its middle.
    if (last < first) {
      const double middle = 0.5 * (from + to);
      add_place(middle, static_cast<int>(middle / turn * geometry::places_per_rim) %
                            geometry::places_per_rim);
    }
  }

  void add_crossings() {
    if (a_.kind == PatchKind::disc) {
      for (const Passage& passage : passages(a_, b_)) add(passage.at, passage.rim, passage.border);
    } else {
      for (const Passage& passage : passages(b_, a_)) add(passage.at, passage.border, passage.rim);
    }
  }

  const FlatPatch& a_;
  const FlatPatch& b_;
  double lateral_, sag_;
  Overlap result_;
};

}  // namespace

Overlap overlap_of(const FlatPatch& a, const FlatPatch& b, const Tolerances& tolerances) {
  return Overlapping(a, b, tolerances).find();
}

}  // namespace abut::contact
