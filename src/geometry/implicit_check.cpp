#include "geometry/implicit_check.h"

#include <Eigen/LU>
#include <numeric>

#include "base/union_find.h"
#include "geometry/implicit_search.h"
#include "geometry/local_convexity.h"

namespace abut::geometry {
namespace {

// How often a piece may be halved along each side before it counts as undecided in the proofs.
constexpr int deepest_proof = 9;
// A gradient counts as zero where a step of this part of the size would make it so (dimensionless).
constexpr double gradient_rounding = 1e-7;
// A surface whose normal turns by this (rad) within a piece as small as this part of the size has
// an edge.
constexpr double edge_angle = 0.5;
constexpr double edge_width = 1.0 / 300;
// Rays along which the solid is looked at by numbers, per edge of a cube.
constexpr int rays_per_edge = 16;

using About = SurfaceFinding::About;

class ImplicitCheck {
 public:
  ImplicitCheck(const EnclosedField& field, ImplicitSolid solid, SurfaceFindings& findings)
      : field_(field), solid_(std::move(solid)), findings_(findings), centre_(solid_.centre) {}

  ImplicitVerdict run() {
    prove();
    if (star_ && !findings_.failed()) look_along_rays();
    if (!findings_.failed() && !star_) look_for_several_pieces();
    if (!findings_.failed()) conclude();
    return std::move(verdict_);
  }

 private:
  // What a piece still has to show.
  struct Needs {
    bool regular = true, star = true, convex = true;
    bool any() const { return regular || star || convex; }
  };

  void prove() {
    std::vector<std::pair<Piece, Needs>> open;
    for (const Aabb& box : solid_.undecided) open.push_back({{box, 0}, {}});
    for (std::size_t next = 0; next < open.size() && !findings_.failed(); ++next) {
      const auto [piece, before] = open[next];
      Needs needs = before;
      needs.star = needs.star && star_;
      needs.convex = needs.convex && convex_;
      const IntervalBox b = interval_box(piece.box);
      ++solid_.pieces;
      const FieldRange f = field_.over(b);
      const Interval value = intersection(f.value, mean_value(field_, piece.box, f));
      if (value.lower > 0) continue;
      if (value.upper < 0) {
        solid_.inside.push_back(piece.box);
        continue;
      }
      if (needs.star && is_seen_from_centre(f, b)) needs.star = needs.regular = false;
      if (needs.regular && is_regular(f)) needs.regular = false;
      if (needs.convex && is_locally_convex(f)) needs.convex = false;
      if (needs.any()) probe(piece.box, needs);
      const bool last = piece.depth == deepest_proof || solid_.pieces > 2 * most_pieces;
      if (!needs.any() || last) {
        if (needs.any()) note_undecided(piece.box, needs);
        verdict_.surface.push_back(piece.box);
        continue;
      }
      for (int k = 0; k < 8; ++k) open.push_back({{octant(piece.box, k), piece.depth + 1}, needs});
    }
  }

  bool is_seen_from_centre(const FieldRange& f, const IntervalBox& b) const {
    Interval sum;
    for (std::size_t i = 0; i < 3; ++i)
      sum = sum + f.first[i] * (b[i] - Interval(centre_[static_cast<int>(i)]));
    return sum.lower > 0;
  }

  // Gradients at any two places of the piece make an acute angle: none is zero, and the surface
  // runs through it in one direction (Plantinga and Vegter 2004).
  static bool is_regular(const FieldRange& f) {
    Interval sum;
    for (const Interval& g : f.first) sum = sum + g * g;
    return sum.lower > 0;
  }

  std::optional<Vec3> onto_surface(Vec3 p, const Aabb& box) const {
    const Aabb near = inflated(box, Vec3(0.5 * (box.upper - box.lower)));
    for (int i = 0; i < 20; ++i) {
      const FieldSample f = field_.at(p);
      const double squared = f.gradient.squaredNorm();
      if (!(squared > 0)) return f.value == 0 ? std::optional(p) : std::nullopt;
      if (std::abs(f.value) <= value_rounding * solid_.size * std::sqrt(squared)) return p;
      p -= f.value / squared * f.gradient;
      if (!near.contains(p)) return std::nullopt;
    }
    return std::nullopt;
  }

  // By numbers: faults at one place of the surface.
  void probe(const Aabb& box, Needs& needs) {
    const std::optional<Vec3> p = onto_surface(middle(box), box);
    if (!p) return;
    const FieldSample f = field_.at(*p);
    if (vanishes(f)) {
      gradient_vanishes(*p);
      return;
    }
    if (f.gradient.dot(*p - centre_) < 0) star_ = needs.star = false;
    if (least_curvature(f) < -curvature_rounding / solid_.size) convex_ = needs.convex = false;
  }

  bool vanishes(const FieldSample& f) const {
    return f.gradient.norm() <= gradient_rounding * solid_.size * f.hessian.norm() ||
           f.gradient.isZero(0);
  }

  void gradient_vanishes(const Vec3& p) {
    findings_.error(
        About::function,
        fmt::format("the gradient of the function vanishes on the surface, at {}: there is no "
                    "normal there; the function must cross zero with a slope, without corners",
                    shown(p)));
  }

  void note_undecided(const Aabb& box, const Needs& needs) {
    look_for_critical_point(box);
    if (!findings_.failed()) look_for_edge(box);
    if (findings_.failed()) return;
    if (needs.star || needs.regular) undecided_star_ = middle(box);
    if (needs.convex) undecided_convex_ = middle(box);
  }

  // Whether the gradient turns by a large angle within a piece this small.
  void look_for_edge(const Aabb& box) {
    if ((box.upper - box.lower).norm() > edge_width * solid_.size) return;
    const Vec3 middle_normal = field_.at(middle(box)).gradient.normalized();
    for (int k = 0; k < 8; ++k) {
      const Vec3 part(k & 1, k >> 1 & 1, k >> 2 & 1);
      const Vec3 corner = box.lower + part.cwiseProduct(box.upper - box.lower);
      const Vec3 n = field_.at(corner).gradient.normalized();
      if ((n - middle_normal).norm() <= edge_angle) continue;
      findings_.error(
          About::function,
          fmt::format("the surface seems to have an edge or a corner near {}; it must be smooth",
                      shown(middle(box))));
      return;
    }
  }

  // Newton's method for grad f = 0.
  void look_for_critical_point(const Aabb& box) {
    if (findings_.failed()) return;
    const Aabb near = inflated(box, Vec3(2 * (box.upper - box.lower)));
    Vec3 p = middle(box);
    for (int i = 0; i < 30; ++i) {
      const FieldSample f = field_.at(p);
      if (!f.gradient.allFinite() || !f.hessian.allFinite()) return;
      if (vanishes(f)) {
        const double small = gradient_rounding * gradient_rounding * solid_.size * solid_.size;
        if (std::abs(f.value) <=
            std::max(small * f.hessian.norm(), value_rounding * solid_.largest))
          gradient_vanishes(p);
        return;
      }
      const Vec3 step = f.hessian.fullPivLu().solve(f.gradient);
      p -= step;
      if (!p.allFinite() || !near.contains(p)) return;
    }
  }

  // Numbers once more, along rays from the centre to all sides.
  void look_along_rays() {
    for (int face = 0; face < 6; ++face)
      for (int i = 0; i < rays_per_edge; ++i)
        for (int j = 0; j < rays_per_edge; ++j) {
          Vec3 d;
          d[face / 2] = face % 2 == 0 ? 1 : -1;
          d[(face / 2 + 1) % 3] = (2 * i + 1.0) / rays_per_edge - 1;
          d[(face / 2 + 2) % 3] = (2 * j + 1.0) / rays_per_edge - 1;
          const auto p = crossing(d.cwiseProduct(solid_.region.upper - solid_.region.lower));
          if (!p) continue;
          const FieldSample f = field_.at(*p);
          if (!f.gradient.allFinite() || !f.hessian.allFinite()) {
            findings_.error(
                About::function,
                fmt::format("the function has no finite second derivatives on the surface, at {}",
                            shown(*p)));
            return;
          }
          if (vanishes(f)) {
            gradient_vanishes(*p);
            return;
          }
          if (f.gradient.dot(*p - centre_) < 0) star_ = false;
          const double curvature = least_curvature(f);
          if (curvature < -curvature_rounding / solid_.size) convex_ = false;
          if (curvature < flatness / solid_.size) ++flat_rays_;
        }
    if (flat_rays_ > most_flat * 6 * rays_per_edge * rays_per_edge) convex_ = false;
  }

  // Where the function becomes positive on the way from the centre along d, which reaches the
  // border.
  std::optional<Vec3> crossing(const Vec3& d) const {
    double inside = 0, outside = 1;
    if (!(field_.at(centre_).value < 0)) return std::nullopt;
    for (int i = 0; i < 3; ++i) {
      const double room = d[i] > 0   ? (solid_.region.upper[i] - centre_[i]) / d[i]
                          : d[i] < 0 ? (solid_.region.lower[i] - centre_[i]) / d[i]
                                     : 1;
      outside = std::min(outside, room);
    }
    if (!(field_.at(centre_ + outside * d).value > 0)) return std::nullopt;
    for (int i = 0; i < 60; ++i) {
      const double mid = 0.5 * (inside + outside);
      (field_.at(centre_ + mid * d).value < 0 ? inside : outside) = mid;
    }
    return Vec3(centre_ + 0.5 * (inside + outside) * d);
  }

  // Pieces that hold the solid, joined where they touch: those that do not hang together are
  // separated by pieces where the function is positive.
  void look_for_several_pieces() {
    std::vector<Aabb> boxes = solid_.inside;
    const std::size_t certain = boxes.size();
    boxes.insert(boxes.end(), verdict_.surface.begin(), verdict_.surface.end());
    std::vector<std::size_t> order(boxes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return boxes[a].lower.x() < boxes[b].lower.x();
    });
    base::UnionFind groups(boxes.size());
    const double slack = 1e-12 * solid_.size;
    for (std::size_t i = 0; i < order.size(); ++i)
      for (std::size_t j = i + 1; j < order.size(); ++j) {
        const Aabb &a = boxes[order[i]], &b = boxes[order[j]];
        if (b.lower.x() > a.upper.x() + slack) break;
        if (overlap(inflated(a, slack), b))
          groups.join(static_cast<int>(order[i]), static_cast<int>(order[j]));
      }
    std::optional<int> group;
    Vec3 one = Vec3::Zero();
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      if (i >= certain && !(field_.at(middle(boxes[i])).value < 0)) continue;
      const int own = groups.first_of(static_cast<int>(i));
      if (group && *group != own) {
        findings_.error(
            About::function,
            fmt::format("the function is negative in separate places, such as {} and {}: the "
                        "solid would be in several pieces; draw the bounds around one of them "
                        "and write each as a shape of its own",
                        shown(one), shown(middle(boxes[i]))));
        return;
      }
      group = own;
      one = middle(boxes[i]);
    }
  }

  void conclude() {
    verdict_.sound = true;
    verdict_.region = solid_.region;
    verdict_.inside = std::move(solid_.inside);
    verdict_.centre = centre_;
    verdict_.star_shaped = star_;
    verdict_.convex = convex_ && star_;
    for (const auto* boxes : {&verdict_.inside, &verdict_.surface})
      for (const Aabb& box : *boxes) verdict_.box = merged(verdict_.box, box);
    if (!field_.is_proof()) return;
    if (undecided_star_)
      findings_.warn(
          fmt::format("it could not be proven that the surface is in one piece and smooth near {}; "
                      "numbers show no fault",
                      shown(*undecided_star_)));
    if (convex_ && star_ && undecided_convex_)
      findings_.warn(
          fmt::format("it could not be proven that the solid is convex near {}; numbers show no "
                      "fault, so it is taken to be",
                      shown(*undecided_convex_)));
  }

  const EnclosedField& field_;
  ImplicitSolid solid_;
  SurfaceFindings& findings_;
  Vec3 centre_;
  ImplicitVerdict verdict_;
  bool star_ = true, convex_ = true;
  int flat_rays_ = 0;
  std::optional<Vec3> undecided_star_, undecided_convex_;
};

}  // namespace

ImplicitVerdict check_implicit(const EnclosedField& field, const Aabb& bounds) {
  SurfaceFindings findings;
  ImplicitVerdict verdict;
  if (std::optional<ImplicitSolid> solid = find_implicit_solid(field, bounds, findings))
    verdict = ImplicitCheck(field, std::move(*solid), findings).run();
  verdict.findings = findings.take();
  return verdict;
}

}  // namespace abut::geometry
