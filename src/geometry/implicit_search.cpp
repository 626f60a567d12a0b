#include "geometry/implicit_search.h"

namespace abut::geometry {
namespace {

// How often a piece may be halved along each side before it counts as undecided, in search of the
// solid and on the faces of the bounds.
constexpr int deepest_search = 24;
constexpr int deepest_face = 9;
// With this many pieces at the surface the centre is known well enough.
constexpr std::size_t enough_pieces = 400;
// Where the surface touches the bounds, this part of their size is added on each side.
constexpr double widening = 1.0 / 64;

using About = SurfaceFinding::About;

class ImplicitSearch {
 public:
  ImplicitSearch(const EnclosedField& field, const Aabb& bounds, SurfaceFindings& findings)
      : field_(field), bounds_(bounds), findings_(findings) {
    solid_.size = (bounds.upper - bounds.lower).norm();
  }

  std::optional<ImplicitSolid> run() {
    if (!bounds_are_a_box() || !has_values() || !faces_are_outside() || !find_solid())
      return std::nullopt;
    return std::move(solid_);
  }

 private:
  bool bounds_are_a_box() {
    for (int i = 0; i < 3; ++i) {
      if (bounds_.lower[i] < bounds_.upper[i]) continue;
      findings_.error(
          About::bounds,
          fmt::format("the bounds run from {} to {} along {}; write the lower corner first",
                      bounds_.lower[i], bounds_.upper[i], "xyz"[i]));
      return false;
    }
    return true;
  }

  void undefined_at(const Vec3& p, const char* what) {
    findings_.error(
        About::function,
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
          solid_.largest = std::max(solid_.largest, std::abs(value));
          const bool border = i % last == 0 || j % last == 0 || k % last == 0;
          if (border) positive_border_ = positive_border_ || value > 0;
          if (!border) positive_inside_ = positive_inside_ || value > 0;
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
    solid_.region =
        touches ? inflated(bounds_, Vec3(widening * (bounds_.upper - bounds_.lower))) : bounds_;
    return true;
  }

  bool face_is_outside(const Aabb& face, int axis, bool& touches) {
    std::vector<Piece> open = {{face, 0}};
    while (!open.empty()) {
      const Piece piece = open.back();
      open.pop_back();
      ++solid_.pieces;
      const Interval range = field_.range(interval_box(piece.box));
      if (is_finite(range) && range.lower > 0) continue;
      const Vec3 p = middle(piece.box);
      const double value = field_.at(p).value;
      if (!std::isfinite(value)) {
        undefined_at(p, "is undefined or infinite at");
        return false;
      }
      if (value < -value_rounding * solid_.largest) {
        leaves_bounds(p, value);
        return false;
      }
      if (piece.depth == deepest_face || solid_.pieces > most_pieces) {
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
      findings_.error(
          About::function,
          fmt::format("the function is positive inside and negative outside (it is {:.6g} at {}, "
                      "on the border of the bounds); it must be negative inside: write -(...)",
                      value, shown(p)));
    } else if (!positive_border_ && !positive_inside_) {
      findings_.error(
          About::function,
          fmt::format("the function is negative in the whole of the bounds, as far as samples "
                      "tell (it is {:.6g} at {}); widen the bounds, or turn its sign",
                      value, shown(p)));
    } else {
      findings_.error(About::bounds,
                      fmt::format("the surface is not closed within the bounds: the function "
                                  "is {:.6g}, negative, at {} on their border; widen them",
                                  value, shown(p)));
    }
  }

  // Natural range, and where that says nothing the one by the mean value theorem.
  Interval range_of(const Aabb& box) {
    ++solid_.pieces;
    const IntervalBox b = interval_box(box);
    const Interval range = field_.range(b);
    if (range.lower > 0 || range.upper < 0 || !is_finite(range)) return range;
    return intersection(range, mean_value(field_, box, field_.over(b)));
  }

  bool find_solid() {
    std::vector<Piece> open = {{solid_.region, 0}};
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
          solid_.inside.push_back(piece.box);
          continue;
        }
        if (!is_finite(range) && depth == deepest_search) {
          undefined_at(mid, "seems to be undefined or infinite near");
          return false;
        }
        found = found || value < 0;
        undecided.push_back(piece.box);
      }
      const bool enough =
          found && (undecided.size() >= enough_pieces || solid_.pieces > most_pieces);
      for (const Aabb& box : undecided) {
        const bool finite = is_finite(field_.range(interval_box(box)));
        if (enough && finite) {
          solid_.undecided.push_back(box);
          continue;
        }
        if (solid_.pieces > most_pieces) {
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
    for (const Piece& piece : open) solid_.undecided.push_back(piece.box);
    if (!found) {
      is_empty();
      return false;
    }
    for (const Aabb& box : solid_.undecided)
      if (field_.at(middle(box)).value < 0) count_in(box);
    solid_.centre = volume > 0 ? Vec3(first_moment / volume) : middle(solid_.region);
    // From now on the size is that of the solid, however wide the bounds are.
    Aabb around;
    for (const Aabb& box : solid_.inside) around = merged(around, box);
    for (const Aabb& box : solid_.undecided) around = merged(around, box);
    solid_.size = std::min(solid_.size, (around.upper - around.lower).norm());
    return true;
  }

  void too_large() {
    findings_.error(About::bounds,
                    "no solid was found in the bounds with reasonable effort; draw the bounds "
                    "closely around it");
  }

  void is_empty() {
    const bool proven = field_.is_proof() && solid_.undecided.empty();
    findings_.error(
        About::function,
        fmt::format("the function is negative nowhere in the bounds{}, so the solid is empty",
                    proven ? "" : ", as far as samples tell"));
  }

  const EnclosedField& field_;
  Aabb bounds_;
  SurfaceFindings& findings_;
  ImplicitSolid solid_;
  bool positive_border_ = false, positive_inside_ = false;
};

}  // namespace

std::optional<ImplicitSolid> find_implicit_solid(const EnclosedField& field, const Aabb& bounds,
                                                 SurfaceFindings& findings) {
  return ImplicitSearch(field, bounds, findings).run();
}

}  // namespace abut::geometry
