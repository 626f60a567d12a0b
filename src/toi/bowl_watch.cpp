// Corners, rounded or not, in a bowl: the watch over each of them is a closed form.

#include <algorithm>
#include <limits>

#include "base/limits.h"
#include "geometry/cavity.h"
#include "toi/bowl_watch.h"
#include "toi/longest_free.h"
#include "toi/relative_motion.h"

namespace abut::toi {
namespace {

using motion::BodyPath;

class BowlPointsWatch final : public CloseWatch {
 public:
  BowlPointsWatch(const CarriedSolid& bowl, const CarriedSolid& inside)
      : cavity_(&bowl.solid->surface->atoms().front()),
        to_bowl_(bowl.pose.orientation.toRotationMatrix().transpose()),
        centre_(bowl.pose.position),
        radius_(inside.solid->rounding) {
    for (const Vec3& corner : inside.solid->core.vertices()) {
      points_.push_back(inside.pose.position + inside.pose.orientation * corner);
      reach_ = std::max(reach_, points_.back().norm());
    }
  }

  std::unique_ptr<CloseLook> at(const BodyPath& bowl, const BodyPath& inside, double t,
                                const HeldPlaces& held) const override {
    return std::make_unique<LookIntoBowl<BowlPointsWatch>>(*this, bowl, inside, t, held);
  }

  FreeInterval free_interval(const BodyPath& bowl, const BodyPath& inside, double t, double limit,
                             double clearance, const HeldPlaces& held) const {
    const std::vector<Line> lines = lines_at(bowl, inside, t, held);
    if (lines.empty()) return {limit, infinity};
    const double rounding =
        coordinate_rounding * (inside.pose(t).position.norm() + bowl.pose(t).position.norm() +
                               reach_ + centre_.norm() + cavity_->outer_radius());
    return concave::longest_free(t, limit, clearance, [&](double h) {
      const Straying stray = straying(inside, bowl, reach_, t, h);
      return [&, stray](double s) {
        return lowest(lines, stray.lines_hold ? s : 0) - rounding - stray.over(s);
      };
    });
  }

  double lowest_gap(const BodyPath& bowl, const BodyPath& inside, double t,
                    const HeldPlaces& held) const {
    return lowest(lines_at(bowl, inside, t, held), 0);
  }

 private:
  struct Line {
    Vec3 point, velocity;  // in the frame of the cavity
  };

  std::vector<Line> lines_at(const BodyPath& bowl, const BodyPath& inside, double t,
                             const HeldPlaces& held) const {
    const RelativeMotion seen = relative_motion(inside, bowl, t);
    std::vector<Line> lines;
    for (int i = 0; i < static_cast<int>(points_.size()); ++i) {
      if (std::count(held.points.begin(), held.points.end(), i) > 0) continue;
      lines.push_back(
          {to_bowl_ * (seen.at(points_[i]) - centre_), to_bowl_ * seen.velocity_of(points_[i])});
    }
    return lines;
  }

  double lowest(const std::vector<Line>& lines, double s) const {
    double least = infinity;
    for (const Line& line : lines)
      least = std::min(least, geometry::depth_in(*cavity_, line.point + s * line.velocity));
    return least - radius_;
  }

  const geometry::SupportAtom* cavity_;
  Mat3 to_bowl_;
  Vec3 centre_;
  double radius_;
  std::vector<Vec3> points_;  // in the motion frame
  double reach_ = 0;
};

}  // namespace

std::unique_ptr<CloseWatch> make_bowl_points_watch(const CarriedSolid& bowl,
                                                   const CarriedSolid& inside) {
  return std::make_unique<BowlPointsWatch>(bowl, inside);
}

std::unique_ptr<CloseWatch> make_close_watch(const CarriedSolid& a, const CarriedSolid& b) {
  using narrow::SolidKind;
  if (a.solid->is_convex() && b.solid->is_convex()) return nullptr;
  if (a.solid->kind == SolidKind::bowl) {
    // A ball that is less flat than the wall anywhere touches at one place (Blaschke): its centre
    // alone is watched.
    const bool has_corners = !b.solid->surface && b.solid->kind != SolidKind::ring;
    const double roundest = a.solid->surface->atoms().front().least_radius();
    if (has_corners && (b.solid->rounding == 0 || b.solid->rounding < roundest))
      return make_bowl_points_watch(a, b);
    return make_bowl_solid_watch(a, b);
  }
  if (a.solid->kind == SolidKind::ring && b.solid->kind != SolidKind::bowl)
    return make_ring_watch(a, b);
  return std::make_unique<SwappedWatch>(make_close_watch(b, a));
}

}  // namespace abut::toi
