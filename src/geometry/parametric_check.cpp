#include "geometry/parametric_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "geometry/self_intersection.h"

namespace abut::geometry {
namespace {

// Samples along each side, and over the domain.
constexpr int side_samples = 64;
constexpr int grid_samples = 32;
// Sides meet if their points are this near, in units of the size, and their normals differ by less
// than that (rad).
constexpr double meeting = 1e-9;
constexpr double smooth = 1e-6;
// How near to a pole its normal is looked at, in units of the range, and by how much it may vary
// (rad).
constexpr double near_pole = 1e-5;
constexpr double one_normal = 1e-2;
// How often a rectangle may be halved each way; next to a pole, convexity is not proven within the
// last of these.
constexpr int deepest_proof = 9;
constexpr int pole_strip = 6;
constexpr std::size_t most_pieces = 40000;
// Curvatures count as negative below minus this, in units of 1/size.
constexpr double curvature_rounding = 1e-7;
// Curvatures up to this, in units of 1/size, are flat (dimensionless). A surface that is flat at
// more than this part of the samples has flat faces or straight lines, on which a contact is no
// point.
constexpr double flatness = 1e-6;
constexpr double most_flat = 0.02;
// Where |x_u x x_v| is below this part of its typical value there is no normal (dimensionless).
constexpr double no_normal = 1e-9;
// Cells each way of the triangles that must not cross.
constexpr int crossing_cells = 48;

using About = SurfaceFinding::About;
using Vector = std::array<Interval, 3>;

Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Interval dot(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Vector constant(const Vec3& a) {
  return {Interval(a.x()), Interval(a.y()), Interval(a.z())};
}

bool all_finite(const SurfaceSample& s) {
  return s.point.allFinite() && s.u.allFinite() && s.v.allFinite() && s.uu.allFinite() &&
         s.uv.allFinite() && s.vv.allFinite();
}

struct Piece {
  Interval around, along;
  int depth = 0;
  bool regular = true, star = true, convex = true;  // what it still has to show
};

class ParametricCheck {
 public:
  ParametricCheck(const EnclosedChart& chart, const ParameterDomain& domain)
      : chart_(chart), domain_(domain) {}

  ParametricVerdict run() {
    if (!domain_is_a_rectangle() || !has_values() || !closes() || !poles_are_smooth())
      return std::move(verdict_);
    weigh();
    if (failed_) return std::move(verdict_);
    prove();
    if (!failed_) look_closely();
    if (!failed_ && !(star_ && !undecided_star_)) look_for_crossings();
    if (failed_) return std::move(verdict_);
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

  // In terms of the exchanged parameters.
  const std::array<double, 2>& around() const { return verdict_.exchanged ? domain_.v : domain_.u; }
  const std::array<double, 2>& along() const { return verdict_.exchanged ? domain_.u : domain_.v; }
  static double within(const std::array<double, 2>& range, double t) {
    return range[0] + t * (range[1] - range[0]);
  }
  SurfaceSample at(double s, double t) const {
    return sampled(chart_, within(around(), s), within(along(), t), verdict_.exchanged);
  }
  std::string place(double s, double t) const {
    const double a = within(around(), s), b = within(along(), t);
    return fmt::format("u = {:.6g}, v = {:.6g}", verdict_.exchanged ? b : a,
                       verdict_.exchanged ? a : b);
  }
  static Vec3 normal(const SurfaceSample& s) { return s.u.cross(s.v); }

  bool domain_is_a_rectangle() {
    for (const auto& [range, name] : {std::pair(domain_.u, 'u'), std::pair(domain_.v, 'v')}) {
      if (std::isfinite(range[0]) && std::isfinite(range[1]) && range[0] < range[1]) continue;
      error(About::bounds, fmt::format("{} runs from {} to {}; write the lower end first", name,
                                       range[0], range[1]));
      return false;
    }
    return true;
  }

  bool has_values() {
    for (int i = 0; i <= grid_samples; ++i)
      for (int j = 0; j <= grid_samples; ++j) {
        const double s = static_cast<double>(i) / grid_samples;
        const double t = static_cast<double>(j) / grid_samples;
        const SurfaceSample sample = at(s, t);
        if (!all_finite(sample)) {
          error(About::function,
                fmt::format("the surface has no finite point, or no finite first and second "
                            "derivatives, at {}",
                            place(s, t)));
          return false;
        }
        box_ = merged(box_, {sample.point, sample.point});
      }
    size_ = (box_.upper - box_.lower).norm();
    if (size_ > 0) return true;
    error(About::function, "the surface is a single point");
    return false;
  }

  // The largest distance between opposite sides, and how long each of them is.
  struct Sides {
    double apart = 0;
    double kink = 0;  ///< angle between the normals, rad
    std::array<double, 2> length = {0, 0};
  };
  // Sides at the two ends of the first parameter.
  Sides sides_of_first() const {
    Sides sides;
    const Vec3 start[2] = {at(0, 0).point, at(1, 0).point};
    for (int i = 0; i <= side_samples; ++i) {
      const double t = static_cast<double>(i) / side_samples;
      const SurfaceSample low = at(0, t), high = at(1, t);
      sides.apart = std::max(sides.apart, (low.point - high.point).norm());
      sides.length[0] = std::max(sides.length[0], (low.point - start[0]).norm());
      sides.length[1] = std::max(sides.length[1], (high.point - start[1]).norm());
      const Vec3 a = normal(low), b = normal(high);
      if (a.norm() > 0 && b.norm() > 0 && i > 0 && i < side_samples)
        sides.kink = std::max(sides.kink, (a.normalized() - b.normalized()).norm());
    }
    return sides;
  }

  bool closes() {
    verdict_.exchanged = false;
    const Sides u = sides_of_first();
    verdict_.exchanged = true;
    const Sides v = sides_of_first();
    const double near = meeting * size_;
    const auto meets = [near](const Sides& s) { return s.apart <= near; };
    const auto poles = [near](const Sides& s) {
      return s.length[0] <= near && s.length[1] <= near;
    };
    // A side that is a point meets nothing; a pole at both ends goes with the other going around.
    const bool u_around = meets(u) && !poles(u), v_around = meets(v) && !poles(v);
    if (u_around && (v_around || poles(v)))
      verdict_.exchanged = false;
    else if (v_around && poles(u))
      verdict_.exchanged = true;
    else
      return is_open(u, v, u_around, v_around);
    verdict_.is_ring = u_around && v_around;
    const double kink = std::max(u_around ? u.kink : 0.0, v_around ? v.kink : 0.0);
    if (kink <= smooth) return true;
    error(
        About::function,
        fmt::format("the surface has an edge where opposite sides of its domain meet: the normals "
                    "differ by {:.3g} rad",
                    kink));
    return false;
  }

  bool is_open(const Sides& u, const Sides& v, bool u_around, bool v_around) {
    std::string message = "the surface is not closed: ";
    if (!u_around && !v_around) {
      message += fmt::format(
          "neither the sides u = {:.6g} and u = {:.6g} meet (they are up to {:.3g} m apart), nor "
          "v = {:.6g} and v = {:.6g} ({:.3g} m)",
          domain_.u[0], domain_.u[1], u.apart, domain_.v[0], domain_.v[1], v.apart);
    } else {
      const Sides& open = u_around ? v : u;
      const char name = u_around ? 'v' : 'u';
      const auto& range = u_around ? domain_.v : domain_.u;
      message += fmt::format(
          "the sides {0} = {1:.6g} and {0} = {2:.6g} neither meet (they are up to {3:.3g} m apart) "
          "nor shrink to points (they reach over {4:.3g} m and {5:.3g} m)",
          name, range[0], range[1], open.apart, open.length[0], open.length[1]);
    }
    error(About::bounds, message + "; check the ranges of u and v");
    return false;
  }

  // At a pole all normals are the same, and the surface goes round it once.
  bool poles_are_smooth() {
    if (verdict_.is_ring) return true;
    for (const double end : {0.0, 1.0}) {
      const double t = end == 0 ? near_pole : 1 - near_pole;
      const Vec3 first = normal(at(0, t)).normalized();
      double turn = 0;
      Vec3 before = at(0, t).u.normalized();
      for (int i = 1; i <= side_samples; ++i) {
        const SurfaceSample s = at(static_cast<double>(i) / side_samples, t);
        const double off = (normal(s).normalized() - first).norm();
        if (!(off <= one_normal)) {
          error(About::function, fmt::format("the surface has a corner at the pole {}: its normals "
                                             "there differ by {:.3g} rad",
                                             place(0, end), off));
          return false;
        }
        const Vec3 now = s.u.normalized();
        turn += std::atan2(before.cross(now).dot(first), before.dot(now));
        before = now;
      }
      const double turns = std::abs(turn) / (2 * M_PI);
      if (std::abs(turns - 1) > 0.01) {
        error(About::bounds,
              fmt::format("the surface goes round its pole {} {:.3g} times, but must "
                          "once; check the range of {}",
                          place(0, end), turns, verdict_.exchanged ? 'v' : 'u'));
        return false;
      }
    }
    return true;
  }

  void weigh() {
    const Vec3 middle = 0.5 * (box_.lower + box_.upper);
    const std::vector<Rectangle> whole = {{{0, 0}, {1, 1}}};
    const double scale = (around()[1] - around()[0]) * (along()[1] - along()[0]);
    verdict_.integrals = integrate_cones(whole, middle, [&](std::size_t, double s, double t) {
      const SurfaceSample sample = at(s, t);
      const Vec3 arm = sample.point - middle;
      return ConeElement{arm, scale * arm.dot(normal(sample))};
    });
    const double volume = verdict_.integrals.volume;
    if (!(std::abs(volume) > 1e-9 * size_ * size_ * size_)) {
      error(About::function, "the surface encloses no volume");
      return;
    }
    verdict_.orientation = volume < 0 ? -1 : 1;
    verdict_.integrals.volume *= verdict_.orientation;
    verdict_.integrals.second *= verdict_.orientation;
    centre_ = verdict_.integrals.centroid;
  }

  void prove() {
    std::vector<Piece> open = {{{around()[0], around()[1]}, {along()[0], along()[1]}}};
    for (std::size_t next = 0; next < open.size() && !failed_; ++next) {
      Piece piece = open[next];
      piece.star = piece.star && star_;
      piece.convex = piece.convex && convex_;
      const bool has_values = examine(piece);
      const bool needs = piece.regular || piece.star || piece.convex || !has_values;
      if (!needs) continue;
      if (piece.depth < deepest_proof && open.size() < most_pieces) {
        cut(piece, open);
        continue;
      }
      const double s = (0.5 * (piece.around.lower + piece.around.upper) - around()[0]) /
                       (around()[1] - around()[0]);
      const double t =
          (0.5 * (piece.along.lower + piece.along.upper) - along()[0]) / (along()[1] - along()[0]);
      if (!has_values) {
        error(About::function,
              fmt::format("the surface seems to have no finite derivatives near {}", place(s, t)));
        return;
      }
      if (piece.regular) irregular(s, t, std::pow(0.5, piece.depth + 1));
      if (piece.star) undecided_star_ = place(s, t);
      if (piece.convex) undecided_convex_ = place(s, t);
    }
  }

  static void cut(const Piece& piece, std::vector<Piece>& open) {
    const double a = 0.5 * (piece.around.lower + piece.around.upper);
    const double b = 0.5 * (piece.along.lower + piece.along.upper);
    for (int k = 0; k < 4; ++k) {
      Piece part = piece;
      ++part.depth;
      ((k & 1) != 0 ? part.around.lower : part.around.upper) = a;
      ((k & 2) != 0 ? part.along.lower : part.along.upper) = b;
      open.push_back(part);
    }
  }

  // Crosses off what holds over the whole piece. False if there may be no value.
  bool examine(Piece& piece) {
    const ChartRange x = enclosed(chart_, piece.around, piece.along, verdict_.exchanged);
    Vector point, by_u, by_v, by_uu, by_uv, by_vv;
    for (std::size_t i = 0; i < 3; ++i) {
      point[i] = x[i].value;
      by_u[i] = x[i].first[0];
      by_v[i] = x[i].first[1];
      by_uu[i] = x[i].by(0, 0);
      by_uv[i] = x[i].by(0, 1);
      by_vv[i] = x[i].by(1, 1);
      if (!(std::isfinite(point[i].width()) && std::isfinite(by_u[i].width()) &&
            std::isfinite(by_v[i].width())))
        return false;
    }
    const bool low = !verdict_.is_ring && piece.along.lower <= along()[0];
    const bool high = !verdict_.is_ring && piece.along.upper >= along()[1];
    // Next to a pole N is divided by the distance from it; at both there is no one to divide by.
    if (low && high) return true;
    const Interval sign(verdict_.orientation * (high ? -1 : 1));
    Vector n = cross(low || high ? by_uv : by_u, by_v);
    for (Interval& c : n) c = sign * c;
    const Vec3 mean(0.5 * (n[0].lower + n[0].upper), 0.5 * (n[1].lower + n[1].upper),
                    0.5 * (n[2].lower + n[2].upper));
    if (piece.regular && dot(n, constant(mean)).lower > 0) piece.regular = false;
    if (piece.star) {
      const Vector arm = {point[0] - Interval(centre_.x()), point[1] - Interval(centre_.y()),
                          point[2] - Interval(centre_.z())};
      if (dot(n, arm).lower > 0) piece.star = piece.regular = false;
    }
    if (!piece.convex) return true;
    if (low || high) {
      if (piece.depth >= pole_strip) piece.convex = false;
      return true;
    }
    const Interval uu = -dot(by_uu, n), uv = -dot(by_uv, n), vv = -dot(by_vv, n);
    if (uu.lower > 0 && (uu * vv - square(uv)).lower > 0) piece.convex = false;
    return true;
  }

  // Whether N vanishes at the place, or at most `around` from it (in units of the ranges).
  void irregular(double s, double t, double around_it) {
    const double typical =
        size_ * size_ / ((around()[1] - around()[0]) * (along()[1] - along()[0]));
    bool vanishes = false;
    for (int k = 0; k < 9; ++k) {
      const SurfaceSample x = at(std::clamp(s + (k % 3 - 1) * around_it, 0.0, 1.0),
                                 std::clamp(t + (k / 3 - 1) * around_it, 0.0, 1.0));
      const double slant = normal(x).norm() / (x.u.norm() * x.v.norm());
      vanishes = vanishes || !(normal(x).norm() > no_normal * typical) || !(slant > no_normal);
    }
    if (!vanishes) {
      undecided_star_ = place(s, t);
      return;
    }
    error(About::function,
          fmt::format("the surface has no normal near {}: its tangents by u and v are parallel or "
                      "vanish there",
                      place(s, t)));
  }

  // By numbers, also next to the poles.
  void look_closely() {
    int flat = 0;
    for (int j = 0; j <= 2 * grid_samples; ++j)
      for (int i = 0; i < 2 * grid_samples; ++i) {
        const double s = static_cast<double>(i) / (2 * grid_samples);
        double t = static_cast<double>(j) / (2 * grid_samples);
        if (!verdict_.is_ring) t = std::clamp(t, 1e-4, 1 - 1e-4);
        const SurfaceSample x = at(s, t);
        const Vec3 n = verdict_.orientation * normal(x).normalized();
        if (!(normal(x).norm() > 0)) {
          irregular(s, t, 0);
          if (failed_) return;
        }
        if (n.dot(x.point - centre_) < 0) star_ = false;
        const double e = x.u.squaredNorm(), f = x.u.dot(x.v), g = x.v.squaredNorm();
        const double l = -x.uu.dot(n), m = -x.uv.dot(n), k = -x.vv.dot(n);
        const double area = e * g - f * f;
        const double product = (l * k - m * m) / area;
        const double sum = (e * k - 2 * f * m + g * l) / area;
        const double least = 0.5 * sum - std::sqrt(std::max(0.0, 0.25 * sum * sum - product));
        if (!(least > -curvature_rounding / size_)) convex_ = false;
        if (least < flatness / size_) ++flat;
      }
    if (flat > most_flat * 4 * grid_samples * grid_samples) convex_ = false;
  }

  // Triangles with their corners on the surface, on which sides that meet share their corners.
  void look_for_crossings() {
    const int last = verdict_.is_ring ? crossing_cells : crossing_cells - 1;
    std::vector<Vec3> points;
    for (int j = 0; j < last; ++j)
      for (int i = 0; i < crossing_cells; ++i)
        points.push_back(at(static_cast<double>(i) / crossing_cells,
                            static_cast<double>(verdict_.is_ring ? j : j + 1) / crossing_cells)
                             .point);
    const auto index = [&](int i, int j) {
      return (j % last) * crossing_cells + i % crossing_cells;
    };
    std::vector<MeshTriangle> triangles;
    int face = 0;
    const auto add = [&](int a, int b, int c) { triangles.push_back({{a, b, c}, face++}); };
    const int rows = verdict_.is_ring ? last : last - 1;
    for (int j = 0; j < rows; ++j)
      for (int i = 0; i < crossing_cells; ++i) {
        add(index(i, j), index(i + 1, j), index(i + 1, j + 1));
        add(index(i, j), index(i + 1, j + 1), index(i, j + 1));
      }
    if (!verdict_.is_ring) {
      for (const bool top : {false, true}) {
        const auto pole = static_cast<int>(points.size());
        points.push_back(at(0, top ? 1 : 0).point);
        for (int i = 0; i < crossing_cells; ++i)
          add(pole, index(i, top ? last - 1 : 0), index(i + 1, top ? last - 1 : 0));
      }
    }
    const auto crossing = crossing_faces(points, triangles, 1);
    if (crossing.empty()) return;
    const MeshTriangle& first = triangles[static_cast<std::size_t>(crossing.front().first)];
    const Vec3& p = points[static_cast<std::size_t>(first.corners[0])];
    error(About::function, fmt::format("the surface crosses itself near ({:.6g}, {:.6g}, {:.6g})",
                                       p.x(), p.y(), p.z()));
  }

  void conclude() {
    verdict_.sound = true;
    verdict_.centre = centre_;
    verdict_.star_shaped = star_;
    verdict_.convex = convex_ && star_;
    // The samples' box, widened by how far a surface can bulge between them.
    verdict_.box = inflated(box_, bulge());
    if (!chart_.is_proof()) return;
    if (undecided_star_ || !star_)
      warn(
          fmt::format("it could not be proven that the surface does not cross itself{}; triangles "
                      "drawn on it do not",
                      undecided_star_ ? " near " + *undecided_star_ : ""));
    if (convex_ && star_ && undecided_convex_)
      warn(
          fmt::format("it could not be proven that the solid is convex near {}; numbers show no "
                      "fault, so it is taken to be",
                      *undecided_convex_));
  }

  // Between samples that are h apart a curve leaves the box of its ends by at most h^2 |x''| / 8.
  double bulge() const {
    Vec3 largest = Vec3::Zero();
    for (int i = 0; i <= grid_samples; ++i)
      for (int j = 0; j <= grid_samples; ++j) {
        const SurfaceSample x =
            at(static_cast<double>(i) / grid_samples, static_cast<double>(j) / grid_samples);
        largest = largest.cwiseMax(Vec3(x.uu.norm(), x.uv.norm(), x.vv.norm()));
      }
    const double a = (around()[1] - around()[0]) / grid_samples;
    const double b = (along()[1] - along()[0]) / grid_samples;
    return 2 * (a * a * largest[0] + 2 * a * b * largest[1] + b * b * largest[2]) / 8;
  }

  const EnclosedChart& chart_;
  ParameterDomain domain_;
  ParametricVerdict verdict_;
  bool failed_ = false;
  Aabb box_;
  double size_ = 0;
  Vec3 centre_ = Vec3::Zero();
  bool star_ = true, convex_ = true;
  std::optional<std::string> undecided_star_, undecided_convex_;
};

}  // namespace

ParametricVerdict check_parametric(const EnclosedChart& chart, const ParameterDomain& domain) {
  return ParametricCheck(chart, domain).run();
}

SurfaceSample sampled(const EnclosedChart& chart, double around, double along, bool exchanged) {
  if (!exchanged) return chart.at(around, along);
  SurfaceSample s = chart.at(along, around);
  std::swap(s.u, s.v);
  std::swap(s.uu, s.vv);
  return s;
}

ChartRange enclosed(const EnclosedChart& chart, const Interval& around, const Interval& along,
                    bool exchanged) {
  if (!exchanged) return chart.over(around, along);
  ChartRange range = chart.over(along, around);
  for (auto& x : range) {
    std::swap(x.first[0], x.first[1]);
    std::swap(x.second[0], x.second[2]);
  }
  return range;
}

}  // namespace abut::geometry
