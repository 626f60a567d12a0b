#include "geometry/implicit_check.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/union_find.h"
#include "geometry/local_convexity.h"

namespace abut::geometry {
namespace {

// How often a piece may be halved along each side before it counts as undecided, in search of the
// solid, of a value, and in the proofs.
constexpr int deepest_search = 24;
constexpr int deepest_face = 9;
constexpr int deepest_proof = 9;
// Pieces looked at, all together: about a second's work.
constexpr int most_pieces = 60000;
// With this many pieces at the surface the centre is known well enough.
constexpr std::size_t enough_pieces = 400;
// Where the surface touches the bounds, this part of their size is added on each side.
constexpr double widening = 1.0 / 64;
// Values below this part of the largest ones in the bounds count as zero (dimensionless).
constexpr double value_rounding = 1e-12;
// A gradient counts as zero where a step of this part of the size would make it so (dimensionless).
constexpr double gradient_rounding = 1e-7;
// A curvature is negative if it is below minus this, in units of 1/size (dimensionless): at a flat
// spot rounding leaves less.
constexpr double curvature_rounding = 1e-7;
// A surface whose normal turns by this (rad) within a piece as small as this part of the size has
// an edge.
constexpr double edge_angle = 0.5;
constexpr double edge_width = 1.0 / 300;
// Curvatures up to this, in units of 1/size, are flat (dimensionless). A surface that is flat at
// more than this part of the rays has flat faces or straight lines, on which a contact is no point.
constexpr double flatness = 1e-6;
constexpr double most_flat = 0.02;
// Rays along which the solid is looked at by numbers, per edge of a cube.
constexpr int rays_per_edge = 16;

using About = SurfaceFinding::About;

std::string shown(const Vec3& p) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", p.x(), p.y(), p.z());
}

Vec3 middle(const Aabb& box) {
  return 0.5 * (box.lower + box.upper);
}

Aabb octant(const Aabb& box, int index) {
  const Vec3 mid = middle(box);
  Aabb part = box;
  for (int i = 0; i < 3; ++i) ((index >> i & 1) != 0 ? part.lower[i] : part.upper[i]) = mid[i];
  return part;
}

bool is_finite(const Interval& x) {
  return std::isfinite(x.lower) && std::isfinite(x.upper);
}

Interval intersection(const Interval& a, const Interval& b) {
  return {std::max(a.lower, b.lower), std::min(a.upper, b.upper)};
}

struct Piece {
  Aabb box;
  int depth = 0;
};

class ImplicitCheck {
 public:
  ImplicitCheck(const EnclosedField& field, const Aabb& bounds) : field_(field), bounds_(bounds) {
    size_ = (bounds.upper - bounds.lower).norm();
  }

  ImplicitVerdict run() {
    if (!bounds_are_a_box() || !has_values() || !faces_are_outside() || !find_solid())
      return std::move(verdict_);
    prove();
    if (star_ && !failed_) look_along_rays();
    if (failed_) return std::move(verdict_);
    if (!star_ && !is_one_piece()) return std::move(verdict_);
    conclude();
    return std::move(verdict_);
  }

 private:
  void error(About about, std::string message) {
    verdict_.findings.push_back({Severity::error, about, std::move(message)});
    failed_ = true;
  }
  void warn(std::string message) {
    verdict_.findings.push_back({Severity::warning, About::function, std::move(message)});
  }

  bool bounds_are_a_box() {
    for (int i = 0; i < 3; ++i) {
      if (bounds_.lower[i] < bounds_.upper[i]) continue;
      error(About::bounds,
            fmt::format("the bounds run from {} to {} along {}; write the lower corner first",
                        bounds_.lower[i], bounds_.upper[i], "xyz"[i]));
      return false;
    }
    return true;
  }

  void undefined_at(const Vec3& p, const char* what) {
    error(About::function,
          fmt::format("the function {} {}; it must have a finite value everywhere in the bounds",
                      what, shown(p)));
  }

  // A grid of samples: how large values are, and whether they are numbers.
  bool has_values() {
    constexpr int last = 8;
    for (int i = 0; i <= last; ++i)
      for (int j = 0; j <= last; ++j)
        for (int k = 0; k <= last; ++k) {
          const Vec3 t = Vec3(i, j, k) / last;
          const Vec3 p = bounds_.lower + t.cwiseProduct(bounds_.upper - bounds_.lower);
          const double value = field_.at(p).value;
          if (!std::isfinite(value)) {
            undefined_at(p, std::isnan(value) ? "is undefined at" : "is infinite at");
            return false;
          }
          largest_ = std::max(largest_, std::abs(value));
          const bool border = i % last == 0 || j % last == 0 || k % last == 0;
          if (border) positive_border_ = positive_border_ || value > 0;
          if (!border) positive_inside_ = positive_inside_ || value > 0;
          negative_inside_ = negative_inside_ || (!border && value < 0);
        }
    return true;
  }

  // Whether the surface stays off the faces of the bounds, or at most touches them.
  bool faces_are_outside() {
    bool touches = false;
    for (int face = 0; face < 6; ++face) {
      Aabb flat = bounds_;
      const int axis = face / 2;
      (face % 2 == 0 ? flat.upper : flat.lower)[axis] =
          (face % 2 == 0 ? flat.lower : flat.upper)[axis];
      if (!face_is_outside(flat, axis, touches)) return false;
    }
    verdict_.region =
        touches ? inflated(bounds_, Vec3(widening * (bounds_.upper - bounds_.lower))) : bounds_;
    return true;
  }

  bool face_is_outside(const Aabb& face, int axis, bool& touches) {
    std::vector<Piece> open = {{face, 0}};
    while (!open.empty()) {
      const Piece piece = open.back();
      open.pop_back();
      ++pieces_;
      const Interval range = field_.range(interval_box(piece.box));
      if (is_finite(range) && range.lower > 0) continue;
      const Vec3 p = middle(piece.box);
      const double value = field_.at(p).value;
      if (!std::isfinite(value)) {
        undefined_at(p, "is undefined or infinite at");
        return false;
      }
      if (value < -value_rounding * largest_) {
        leaves_bounds(p, value);
        return false;
      }
      if (piece.depth == deepest_face || pieces_ > most_pieces) {
        if (!is_finite(range)) {
          undefined_at(p, "seems to be undefined or infinite near");
          return false;
        }
        touches = true;
        continue;
      }
      // Four quarters: an octant of a flat box is one of them twice.
      for (int k = 0; k < 8; ++k)
        if ((k >> axis & 1) == 0) {
          Aabb part = octant(piece.box, k);
          part.lower[axis] = part.upper[axis] = piece.box.lower[axis];
          open.push_back({part, piece.depth + 1});
        }
    }
    return true;
  }

  void leaves_bounds(const Vec3& p, double value) {
    if (!positive_border_ && positive_inside_) {
      error(About::function,
            fmt::format("the function is positive inside and negative outside (it is {:.6g} at {}, "
                        "on the border of the bounds); it must be negative inside: write -(...)",
                        value, shown(p)));
    } else if (!positive_border_ && !positive_inside_) {
      error(About::function,
            fmt::format("the function is negative in the whole of the bounds, as far as samples "
                        "tell (it is {:.6g} at {}); widen the bounds, or turn its sign",
                        value, shown(p)));
    } else {
      error(About::bounds, fmt::format("the surface is not closed within the bounds: the function "
                                       "is {:.6g}, negative, at {} on their border; widen them",
                                       value, shown(p)));
    }
  }

  // Natural range, and where that says nothing the one by the mean value theorem.
  Interval range_of(const Aabb& box) {
    ++pieces_;
    const IntervalBox b = interval_box(box);
    const Interval range = field_.range(b);
    if (range.lower > 0 || range.upper < 0 || !is_finite(range)) return range;
    return intersection(range, mean_value(box, field_.over(b)));
  }

  Interval mean_value(const Aabb& box, const FieldRange& f) const {
    const Vec3 mid = middle(box);
    const IntervalBox b = interval_box(box);
    Interval sum = field_.range({Interval(mid.x()), Interval(mid.y()), Interval(mid.z())});
    for (std::size_t i = 0; i < 3; ++i)
      sum = sum + f.first[i] * (b[i] - Interval(mid[static_cast<int>(i)]));
    return sum;
  }

  bool find_solid() {
    std::vector<Piece> open = {{verdict_.region, 0}};
    bool found = false;
    double volume = 0;
    Vec3 first_moment = Vec3::Zero();
    const auto count_in = [&](const Aabb& box) {
      const double v = (box.upper - box.lower).prod();
      volume += v;
      first_moment += v * middle(box);
      found = true;
    };
    for (int depth = 0; depth <= deepest_search && !open.empty(); ++depth) {
      std::vector<Piece> next;
      std::vector<Aabb> undecided;
      for (const Piece& piece : open) {
        const Interval range = range_of(piece.box);
        const Vec3 mid = middle(piece.box);
        const double value = field_.at(mid).value;
        if (!std::isfinite(value)) {
          undefined_at(mid, "is undefined or infinite at");
          return false;
        }
        if (range.lower > 0) continue;
        if (range.upper < 0) {
          count_in(piece.box);
          verdict_.inside.push_back(piece.box);
          continue;
        }
        if (!is_finite(range) && depth == deepest_search) {
          undefined_at(mid, "seems to be undefined or infinite near");
          return false;
        }
        found = found || value < 0;
        undecided.push_back(piece.box);
      }
      const bool enough = found && (undecided.size() >= enough_pieces || pieces_ > most_pieces);
      for (const Aabb& box : undecided) {
        const bool finite = is_finite(field_.range(interval_box(box)));
        if (enough && finite) {
          candidates_.push_back({box, depth});
          continue;
        }
        if (pieces_ > most_pieces) {
          if (finite)
            too_large();
          else
            undefined_at(middle(box), "seems to be undefined or infinite near");
          return false;
        }
        for (int k = 0; k < 8; ++k) next.push_back({octant(box, k), depth + 1});
      }
      open = std::move(next);
    }
    for (const Piece& piece : open) candidates_.push_back({piece.box, piece.depth});
    if (!found) {
      is_empty();
      return false;
    }
    for (const Piece& piece : candidates_)
      if (field_.at(middle(piece.box)).value < 0) count_in(piece.box);
    centre_ = volume > 0 ? Vec3(first_moment / volume) : middle(verdict_.region);
    // From now on the size is that of the solid, however wide the bounds are.
    Aabb around;
    for (const Aabb& box : verdict_.inside) around = merged(around, box);
    for (const Piece& piece : candidates_) around = merged(around, piece.box);
    size_ = std::min(size_, (around.upper - around.lower).norm());
    return true;
  }

  void too_large() {
    error(About::bounds,
          "no solid was found in the bounds with reasonable effort; draw the bounds "
          "closely around it");
  }

  void is_empty() {
    const bool proven = field_.is_proof() && candidates_.empty();
    error(About::function,
          fmt::format("the function is negative nowhere in the bounds{}, so the solid is empty",
                      proven ? "" : ", as far as samples tell"));
  }

  // What a piece still has to show.
  struct Needs {
    bool regular = true, star = true, convex = true;
    bool any() const { return regular || star || convex; }
  };

  void prove() {
    std::vector<std::pair<Piece, Needs>> open;
    for (const Piece& piece : candidates_) open.push_back({{piece.box, 0}, {}});
    for (std::size_t next = 0; next < open.size() && !failed_; ++next) {
      const auto [piece, before] = open[next];
      Needs needs = before;
      needs.star = needs.star && star_;
      needs.convex = needs.convex && convex_;
      const IntervalBox b = interval_box(piece.box);
      ++pieces_;
      const FieldRange f = field_.over(b);
      const Interval value = intersection(f.value, mean_value(piece.box, f));
      if (value.lower > 0) continue;
      if (value.upper < 0) {
        verdict_.inside.push_back(piece.box);
        continue;
      }
      if (needs.star && is_seen_from_centre(f, b)) needs.star = needs.regular = false;
      if (needs.regular && is_regular(f)) needs.regular = false;
      if (needs.convex && is_locally_convex(f)) needs.convex = false;
      if (needs.any()) probe(piece.box, needs);
      const bool last = piece.depth == deepest_proof || pieces_ > 2 * most_pieces;
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
      if (std::abs(f.value) <= value_rounding * size_ * std::sqrt(squared)) return p;
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
    if (least_curvature(f) < -curvature_rounding / size_) convex_ = needs.convex = false;
  }

  bool vanishes(const FieldSample& f) const {
    return f.gradient.norm() <= gradient_rounding * size_ * f.hessian.norm() ||
           f.gradient.isZero(0);
  }

  void gradient_vanishes(const Vec3& p) {
    error(About::function,
          fmt::format("the gradient of the function vanishes on the surface, at {}: there is no "
                      "normal there; the function must cross zero with a slope, without corners",
                      shown(p)));
  }

  void note_undecided(const Aabb& box, const Needs& needs) {
    look_for_critical_point(box);
    if (!failed_) look_for_edge(box);
    if (failed_) return;
    if (needs.star || needs.regular) undecided_star_ = middle(box);
    if (needs.convex) undecided_convex_ = middle(box);
  }

  // Whether the gradient turns by a large angle within a piece this small.
  void look_for_edge(const Aabb& box) {
    if ((box.upper - box.lower).norm() > edge_width * size_) return;
    const Vec3 middle_normal = field_.at(middle(box)).gradient.normalized();
    for (int k = 0; k < 8; ++k) {
      const Vec3 part(k & 1, k >> 1 & 1, k >> 2 & 1);
      const Vec3 corner = box.lower + part.cwiseProduct(box.upper - box.lower);
      const Vec3 n = field_.at(corner).gradient.normalized();
      if ((n - middle_normal).norm() <= edge_angle) continue;
      error(About::function,
            fmt::format("the surface seems to have an edge or a corner near {}; it must be smooth",
                        shown(middle(box))));
      return;
    }
  }

  // Newton's method for grad f = 0.
  void look_for_critical_point(const Aabb& box) {
    if (failed_) return;
    const Aabb near = inflated(box, Vec3(2 * (box.upper - box.lower)));
    Vec3 p = middle(box);
    for (int i = 0; i < 30; ++i) {
      const FieldSample f = field_.at(p);
      if (!f.gradient.allFinite() || !f.hessian.allFinite()) return;
      if (vanishes(f)) {
        const double small = gradient_rounding * gradient_rounding * size_ * size_;
        if (std::abs(f.value) <= std::max(small * f.hessian.norm(), value_rounding * largest_))
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
          const auto p = crossing(d.cwiseProduct(verdict_.region.upper - verdict_.region.lower));
          if (!p) continue;
          const FieldSample f = field_.at(*p);
          if (!f.gradient.allFinite() || !f.hessian.allFinite()) {
            error(About::function,
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
          if (curvature < -curvature_rounding / size_) convex_ = false;
          if (curvature < flatness / size_) ++flat_rays_;
        }
    if (flat_rays_ > most_flat * 6 * rays_per_edge * rays_per_edge) convex_ = false;
  }

  // Where the function becomes positive on the way from the centre along d, which reaches the
  // border.
  std::optional<Vec3> crossing(const Vec3& d) const {
    double inside = 0, outside = 1;
    if (!(field_.at(centre_).value < 0)) return std::nullopt;
    for (int i = 0; i < 3; ++i) {
      const double room = d[i] > 0   ? (verdict_.region.upper[i] - centre_[i]) / d[i]
                          : d[i] < 0 ? (verdict_.region.lower[i] - centre_[i]) / d[i]
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
  bool is_one_piece() {
    std::vector<Aabb> boxes = verdict_.inside;
    const std::size_t certain = boxes.size();
    boxes.insert(boxes.end(), verdict_.surface.begin(), verdict_.surface.end());
    std::vector<std::size_t> order(boxes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return boxes[a].lower.x() < boxes[b].lower.x();
    });
    base::UnionFind groups(boxes.size());
    const double slack = 1e-12 * size_;
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
        error(About::function,
              fmt::format("the function is negative in separate places, such as {} and {}: the "
                          "solid would be in several pieces; draw the bounds around one of them "
                          "and write each as a shape of its own",
                          shown(one), shown(middle(boxes[i]))));
        return false;
      }
      group = own;
      one = middle(boxes[i]);
    }
    return true;
  }

  void conclude() {
    verdict_.sound = true;
    verdict_.centre = centre_;
    verdict_.star_shaped = star_;
    verdict_.convex = convex_ && star_;
    for (const auto* boxes : {&verdict_.inside, &verdict_.surface})
      for (const Aabb& box : *boxes) verdict_.box = merged(verdict_.box, box);
    if (!field_.is_proof()) return;
    if (undecided_star_)
      warn(
          fmt::format("it could not be proven that the surface is in one piece and smooth near {}; "
                      "numbers show no fault",
                      shown(*undecided_star_)));
    if (convex_ && star_ && undecided_convex_)
      warn(
          fmt::format("it could not be proven that the solid is convex near {}; numbers show no "
                      "fault, so it is taken to be",
                      shown(*undecided_convex_)));
  }

  const EnclosedField& field_;
  Aabb bounds_;
  ImplicitVerdict verdict_;
  bool failed_ = false;
  double size_ = 0;     ///< diagonal of the bounds, later of the solid
  double largest_ = 0;  ///< of the values of the function on a grid
  bool positive_border_ = false, positive_inside_ = false, negative_inside_ = false;
  long pieces_ = 0;
  std::vector<Piece> candidates_;
  Vec3 centre_ = Vec3::Zero();
  bool star_ = true, convex_ = true;
  int flat_rays_ = 0;
  std::optional<Vec3> undecided_star_, undecided_convex_;
};

}  // namespace

ImplicitVerdict check_implicit(const EnclosedField& field, const Aabb& bounds) {
  return ImplicitCheck(field, bounds).run();
}

}  // namespace abut::geometry
