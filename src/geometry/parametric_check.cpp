#include "geometry/parametric_check.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "geometry/parametric_closing.h"
#include "geometry/self_intersection.h"

namespace abut::geometry {
namespace {

// How often a rectangle may be halved each way; next to a pole, convexity is not proven within the
// last of these.
constexpr int deepest_rectangle = 9;
constexpr int pole_strip = 6;
constexpr std::size_t most_pieces = 40000;
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

struct Piece {
  Interval around, along;
  int depth = 0;
  bool regular = true, star = true, convex = true;  // what it still has to show
};

class ParametricCheck {
 public:
  ParametricCheck(const EnclosedChart& chart, const ParameterDomain& domain,
                  const ParametricClosing& closing, SurfaceFindings& findings)
      : square_(chart, domain), closing_(closing), findings_(findings) {
    square_.exchanged = closing.exchanged;
  }

  ParametricVerdict run() {
    weigh();
    if (!findings_.failed()) prove();
    if (!findings_.failed()) look_closely();
    if (!findings_.failed() && !(star_ && !undecided_star_)) look_for_crossings();
    if (!findings_.failed()) conclude();
    return std::move(verdict_);
  }

 private:
  void weigh() {
    const Vec3 middle = 0.5 * (closing_.box.lower + closing_.box.upper);
    const std::vector<Rectangle> whole = {{{0, 0}, {1, 1}}};
    const double scale =
        (square_.around()[1] - square_.around()[0]) * (square_.along()[1] - square_.along()[0]);
    verdict_.integrals = integrate_cones(whole, middle, [&](std::size_t, double s, double t) {
      const SurfaceSample sample = square_.at(s, t);
      const Vec3 arm = sample.point - middle;
      return ConeElement{arm, scale * arm.dot(normal(sample))};
    });
    const double volume = verdict_.integrals.volume;
    if (!(std::abs(volume) > 1e-9 * closing_.size * closing_.size * closing_.size)) {
      findings_.error(About::function, "the surface encloses no volume");
      return;
    }
    verdict_.orientation = volume < 0 ? -1 : 1;
    verdict_.integrals.volume *= verdict_.orientation;
    verdict_.integrals.second *= verdict_.orientation;
    centre_ = verdict_.integrals.centroid;
  }

  void prove() {
    std::vector<Piece> open = {
        {{square_.around()[0], square_.around()[1]}, {square_.along()[0], square_.along()[1]}}};
    for (std::size_t next = 0; next < open.size() && !findings_.failed(); ++next) {
      Piece piece = open[next];
      piece.star = piece.star && star_;
      piece.convex = piece.convex && convex_;
      const bool has_values = examine(piece);
      const bool needs = piece.regular || piece.star || piece.convex || !has_values;
      if (!needs) continue;
      if (piece.depth < deepest_rectangle && open.size() < most_pieces) {
        cut(piece, open);
        continue;
      }
      const double s = (0.5 * (piece.around.lower + piece.around.upper) - square_.around()[0]) /
                       (square_.around()[1] - square_.around()[0]);
      const double t = (0.5 * (piece.along.lower + piece.along.upper) - square_.along()[0]) /
                       (square_.along()[1] - square_.along()[0]);
      if (!has_values) {
        findings_.error(About::function,
                        fmt::format("the surface seems to have no finite derivatives near {}",
                                    square_.place(s, t)));
        return;
      }
      if (piece.regular) irregular(s, t, std::pow(0.5, piece.depth + 1));
      if (piece.star) undecided_star_ = square_.place(s, t);
      if (piece.convex) undecided_convex_ = square_.place(s, t);
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
    const ChartRange x = enclosed(square_.chart(), piece.around, piece.along, square_.exchanged);
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
    const bool low = !closing_.is_ring && piece.along.lower <= square_.along()[0];
    const bool high = !closing_.is_ring && piece.along.upper >= square_.along()[1];
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
        closing_.size * closing_.size /
        ((square_.around()[1] - square_.around()[0]) * (square_.along()[1] - square_.along()[0]));
    bool vanishes = false;
    for (int k = 0; k < 9; ++k) {
      const int row = k / 3 - 1, column = k % 3 - 1;
      const SurfaceSample x = square_.at(std::clamp(s + column * around_it, 0.0, 1.0),
                                         std::clamp(t + row * around_it, 0.0, 1.0));
      const double slant = normal(x).norm() / (x.u.norm() * x.v.norm());
      vanishes = vanishes || !(normal(x).norm() > no_normal * typical) || !(slant > no_normal);
    }
    if (!vanishes) {
      undecided_star_ = square_.place(s, t);
      return;
    }
    findings_.error(
        About::function,
        fmt::format("the surface has no normal near {}: its tangents by u and v are parallel or "
                    "vanish there",
                    square_.place(s, t)));
  }

  // By numbers, also next to the poles.
  void look_closely() {
    int flat = 0;
    for (int j = 0; j <= 2 * grid_samples; ++j)
      for (int i = 0; i < 2 * grid_samples; ++i) {
        const double s = static_cast<double>(i) / (2 * grid_samples);
        double t = static_cast<double>(j) / (2 * grid_samples);
        if (!closing_.is_ring) t = std::clamp(t, 1e-4, 1 - 1e-4);
        const SurfaceSample x = square_.at(s, t);
        const Vec3 n = verdict_.orientation * normal(x).normalized();
        if (!(normal(x).norm() > 0)) {
          irregular(s, t, 0);
          if (findings_.failed()) return;
        }
        if (n.dot(x.point - centre_) < 0) star_ = false;
        const double e = x.u.squaredNorm(), f = x.u.dot(x.v), g = x.v.squaredNorm();
        const double l = -x.uu.dot(n), m = -x.uv.dot(n), k = -x.vv.dot(n);
        const double area = e * g - f * f;
        const double product = (l * k - m * m) / area;
        const double sum = (e * k - 2 * f * m + g * l) / area;
        const double least = 0.5 * sum - std::sqrt(std::max(0.0, 0.25 * sum * sum - product));
        if (!(least > -curvature_rounding / closing_.size)) convex_ = false;
        if (least < flatness / closing_.size) ++flat;
      }
    if (flat > most_flat * 4 * grid_samples * grid_samples) convex_ = false;
  }

  // Triangles with their corners on the surface, on which sides that meet share their corners.
  void look_for_crossings() {
    const int last = closing_.is_ring ? crossing_cells : crossing_cells - 1;
    std::vector<Vec3> points;
    for (int j = 0; j < last; ++j)
      for (int i = 0; i < crossing_cells; ++i)
        points.push_back(square_
                             .at(static_cast<double>(i) / crossing_cells,
                                 static_cast<double>(closing_.is_ring ? j : j + 1) / crossing_cells)
                             .point);
    const auto index = [&](int i, int j) {
      return (j % last) * crossing_cells + i % crossing_cells;
    };
    std::vector<MeshTriangle> triangles;
    int face = 0;
    const auto add = [&](int a, int b, int c) { triangles.push_back({{a, b, c}, face++}); };
    const int rows = closing_.is_ring ? last : last - 1;
    for (int j = 0; j < rows; ++j)
      for (int i = 0; i < crossing_cells; ++i) {
        add(index(i, j), index(i + 1, j), index(i + 1, j + 1));
        add(index(i, j), index(i + 1, j + 1), index(i, j + 1));
      }
    if (!closing_.is_ring) {
      for (const bool top : {false, true}) {
        const auto pole = static_cast<int>(points.size());
        points.push_back(square_.at(0, top ? 1 : 0).point);
        for (int i = 0; i < crossing_cells; ++i)
          add(pole, index(i, top ? last - 1 : 0), index(i + 1, top ? last - 1 : 0));
      }
    }
    const auto crossing = crossing_faces(points, triangles, 1);
    if (crossing.empty()) return;
    const MeshTriangle& first = triangles[static_cast<std::size_t>(crossing.front().first)];
    const Vec3& p = points[static_cast<std::size_t>(first.corners[0])];
    findings_.error(About::function,
                    fmt::format("the surface crosses itself near ({:.6g}, {:.6g}, {:.6g})", p.x(),
                                p.y(), p.z()));
  }

  void conclude() {
    verdict_.sound = true;
    verdict_.exchanged = closing_.exchanged;
    verdict_.is_ring = closing_.is_ring;
    verdict_.centre = centre_;
    verdict_.star_shaped = star_;
    verdict_.convex = convex_ && star_;
    // The samples' box, widened by how far a surface can bulge between them.
    verdict_.box = inflated(closing_.box, bulge());
    if (!square_.chart().is_proof()) return;
    if (undecided_star_ || !star_)
      findings_.warn(
          fmt::format("it could not be proven that the surface does not cross itself{}; triangles "
                      "drawn on it do not",
                      undecided_star_ ? " near " + *undecided_star_ : ""));
    if (convex_ && star_ && undecided_convex_)
      findings_.warn(
          fmt::format("it could not be proven that the solid is convex near {}; numbers show no "
                      "fault, so it is taken to be",
                      *undecided_convex_));
  }

  // Between samples that are h apart a curve leaves the box of its ends by at most h^2 |x''| / 8.
  double bulge() const {
    Vec3 largest = Vec3::Zero();
    for (int i = 0; i <= grid_samples; ++i)
      for (int j = 0; j <= grid_samples; ++j) {
        const SurfaceSample x = square_.at(static_cast<double>(i) / grid_samples,
                                           static_cast<double>(j) / grid_samples);
        largest = largest.cwiseMax(Vec3(x.uu.norm(), x.uv.norm(), x.vv.norm()));
      }
    const double a = (square_.around()[1] - square_.around()[0]) / grid_samples;
    const double b = (square_.along()[1] - square_.along()[0]) / grid_samples;
    return 2 * (a * a * largest[0] + 2 * a * b * largest[1] + b * b * largest[2]) / 8;
  }

  SquareChart square_;
  ParametricClosing closing_;
  SurfaceFindings& findings_;
  ParametricVerdict verdict_;
  Vec3 centre_ = Vec3::Zero();
  bool star_ = true, convex_ = true;
  std::optional<std::string> undecided_star_, undecided_convex_;
};

}  // namespace

ParametricVerdict check_parametric(const EnclosedChart& chart, const ParameterDomain& domain) {
  SurfaceFindings findings;
  const ParametricClosing closing = check_closing(chart, domain, findings);
  ParametricVerdict verdict;
  if (!findings.failed()) verdict = ParametricCheck(chart, domain, closing, findings).run();
  verdict.findings = findings.take();
  return verdict;
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
