#include "geometry/parametric_closing.h"

#include <algorithm>
#include <cmath>

namespace abut::geometry {
namespace {

// Samples along each side.
constexpr int side_samples = 64;
// Sides meet if their points are this near, in units of the size, and their normals differ by less
// than that (rad).
constexpr double meeting = 1e-9;
constexpr double smooth = 1e-6;
// How near to a pole its normal is looked at, in units of the range, and by how much it may vary
// (rad).
constexpr double near_pole = 1e-5;
constexpr double one_normal = 1e-2;

using About = SurfaceFinding::About;

bool all_finite(const SurfaceSample& s) {
  return s.point.allFinite() && s.u.allFinite() && s.v.allFinite() && s.uu.allFinite() &&
         s.uv.allFinite() && s.vv.allFinite();
}

class ClosingCheck {
 public:
  ClosingCheck(const EnclosedChart& chart, const ParameterDomain& domain, SurfaceFindings& findings)
      : square_(chart, domain), findings_(findings) {}

  ParametricClosing run() {
    if (domain_is_a_rectangle() && has_values() && closes()) poles_are_smooth();
    closing_.exchanged = square_.exchanged;
    return closing_;
  }

 private:
  bool domain_is_a_rectangle() {
    for (const auto& [range, name] :
         {std::pair(square_.domain().u, 'u'), std::pair(square_.domain().v, 'v')}) {
      if (std::isfinite(range[0]) && std::isfinite(range[1]) && range[0] < range[1]) continue;
      findings_.error(About::bounds, fmt::format("{} runs from {} to {}; write the lower end first",
                                                 name, range[0], range[1]));
      return false;
    }
    return true;
  }

  bool has_values() {
    for (int i = 0; i <= grid_samples; ++i)
      for (int j = 0; j <= grid_samples; ++j) {
        const double s = static_cast<double>(i) / grid_samples;
        const double t = static_cast<double>(j) / grid_samples;
        const SurfaceSample sample = square_.at(s, t);
        if (!all_finite(sample)) {
          findings_.error(
              About::function,
              fmt::format("the surface has no finite point, or no finite first and second "
                          "derivatives, at {}",
                          square_.place(s, t)));
          return false;
        }
        closing_.box = merged(closing_.box, {sample.point, sample.point});
      }
    closing_.size = (closing_.box.upper - closing_.box.lower).norm();
    if (closing_.size > 0) return true;
    findings_.error(About::function, "the surface is a single point");
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
    const Vec3 start[2] = {square_.at(0, 0).point, square_.at(1, 0).point};
    for (int i = 0; i <= side_samples; ++i) {
      const double t = static_cast<double>(i) / side_samples;
      const SurfaceSample low = square_.at(0, t), high = square_.at(1, t);
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
    square_.exchanged = false;
    const Sides u = sides_of_first();
    square_.exchanged = true;
    const Sides v = sides_of_first();
    const double near = meeting * closing_.size;
    const auto meets = [near](const Sides& s) { return s.apart <= near; };
    const auto poles = [near](const Sides& s) {
      return s.length[0] <= near && s.length[1] <= near;
    };
    // A side that is a point meets nothing; a pole at both ends goes with the other going around.
    const bool u_around = meets(u) && !poles(u), v_around = meets(v) && !poles(v);
    if (u_around && (v_around || poles(v)))
      square_.exchanged = false;
    else if (v_around && poles(u))
      square_.exchanged = true;
    else
      return is_open(u, v, u_around, v_around);
    closing_.is_ring = u_around && v_around;
    const double kink = std::max(u_around ? u.kink : 0.0, v_around ? v.kink : 0.0);
    if (kink <= smooth) return true;
    findings_.error(
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
          square_.domain().u[0], square_.domain().u[1], u.apart, square_.domain().v[0],
          square_.domain().v[1], v.apart);
    } else {
      const Sides& open = u_around ? v : u;
      const char name = u_around ? 'v' : 'u';
      const auto& range = u_around ? square_.domain().v : square_.domain().u;
      message += fmt::format(
          "the sides {0} = {1:.6g} and {0} = {2:.6g} neither meet (they are up to {3:.3g} m apart) "
          "nor shrink to points (they reach over {4:.3g} m and {5:.3g} m)",
          name, range[0], range[1], open.apart, open.length[0], open.length[1]);
    }
    findings_.error(About::bounds, message + "; check the ranges of u and v");
    return false;
  }

  // At a pole all normals are the same, and the surface goes round it once.
  bool poles_are_smooth() {
    if (closing_.is_ring) return true;
    for (const double end : {0.0, 1.0}) {
      const double t = end == 0 ? near_pole : 1 - near_pole;
      const Vec3 first = normal(square_.at(0, t)).normalized();
      double turn = 0;
      Vec3 before = square_.at(0, t).u.normalized();
      for (int i = 1; i <= side_samples; ++i) {
        const SurfaceSample s = square_.at(static_cast<double>(i) / side_samples, t);
        const double off = (normal(s).normalized() - first).norm();
        if (!(off <= one_normal)) {
          findings_.error(About::function,
                          fmt::format("the surface has a corner at the pole {}: its normals "
                                      "there differ by {:.3g} rad",
                                      square_.place(0, end), off));
          return false;
        }
        const Vec3 now = s.u.normalized();
        turn += std::atan2(before.cross(now).dot(first), before.dot(now));
        before = now;
      }
      const double turns = std::abs(turn) / (2 * M_PI);
      if (std::abs(turns - 1) > 0.01) {
        findings_.error(About::bounds,
                        fmt::format("the surface goes round its pole {} {:.3g} times, but must "
                                    "once; check the range of {}",
                                    square_.place(0, end), turns, square_.exchanged ? 'v' : 'u'));
        return false;
      }
    }
    return true;
  }

  SquareChart square_;
  SurfaceFindings& findings_;
  ParametricClosing closing_;
};

}  // namespace

ParametricClosing check_closing(const EnclosedChart& chart, const ParameterDomain& domain,
                                SurfaceFindings& findings) {
  return ClosingCheck(chart, domain, findings).run();
}

}  // namespace abut::geometry
