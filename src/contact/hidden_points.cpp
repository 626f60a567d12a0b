#include "contact/hidden_points.h"

#include <algorithm>
#include <numeric>

#include "base/limits.h"
#include "narrow/outer_surface.h"

namespace abut::contact {
namespace {

using narrow::Solid;
using narrow::SurfacePlace;

class Union {
 public:
  Union(const ShapeAt& a, const ShapeAt& b, double seam, const TurnedRegion& turned,
        std::vector<ContactRegion>& regions)
      : bodies_{a, b},
        tolerance_(seam),
        turned_(turned),
        regions_(regions),
        kept_for_(regions.size()) {
    std::iota(kept_for_.begin(), kept_for_.end(), 0);
  }

  void leave_out_hidden() {
    std::vector<double> rises;
    for (const ContactRegion& region : regions_) rises.push_back(largest_rise(region));
    std::vector<std::size_t> order(regions_.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t x, std::size_t y) { return rises[x] > rises[y]; });
    for (const std::size_t i : order)
      if (rises[i] > 0) look_at(i);
    std::erase_if(regions_, [](const ContactRegion& region) { return region.points.empty(); });
  }

 private:
  SurfacePlace place_of(int side, const ContactRegion& region, const ContactPoint& point) const {
    const Pose& pose = bodies_[side].pose;
    const double sign = side == 0 ? 1 : -1;
    const Quat to_body = pose.orientation.conjugate();
    const Vec3 on_surface = point.position + 0.5 * sign * point.gap * region.normal;
    return {region.label.part(side), to_body * (on_surface - pose.position),
            to_body * (-sign * region.normal)};
  }

  double largest_rise(const ContactRegion& region) const {
    double largest = 0;
    for (int side = 0; side < 2; ++side)
      for (const Solid& other : bodies_[side].shape->solids())
        if (other.part != region.label.part(side))
          for (const ContactPoint& point : region.points)
            largest = std::max(
                largest, narrow::rise_above(other, place_of(side, region, point), tolerance_));
    return largest;
  }

  // The region that stayed where this one did not, and so on.
  std::size_t kept_for(std::size_t i) const {
    while (kept_for_[i] != i) i = kept_for_[i];
    return i;
  }

  // Regions of other parts of this side with the same part of the other one.
  std::vector<std::size_t> rivals_of(std::size_t index, int side) const {
    const ContactRegion& own = regions_[index];
    std::vector<std::size_t> rivals;
    for (std::size_t i = 0; i < regions_.size(); ++i)
      if (regions_[i].label.part(side) != own.label.part(side) &&
          regions_[i].label.part(1 - side) == own.label.part(1 - side) && kept_for(i) != index)
        rivals.push_back(i);
    return rivals;
  }

  bool is_hidden(int side, const std::vector<std::size_t>& rivals, const ContactRegion& region,
                 const ContactPoint& point) const {
    std::vector<int> others;
    for (const std::size_t i : rivals) others.push_back(regions_[i].label.part(side));
    return narrow::is_hidden(*bodies_[side].shape, place_of(side, region, point), others,
                             tolerance_);
  }

  static double least_gap(const ContactRegion& region) {
    double least = infinity;
    for (const ContactPoint& point : region.points) least = std::min(least, point.gap);
    return least;
  }

  // Whether the normal of the region is one of the parts' own at a point.
  bool has_normal(const ContactRegion& region, const ContactPoint& point) const {
    for (const int side : {0, 1}) {
      const SurfacePlace place = place_of(side, region, point);
      const Solid& own = bodies_[side].shape->solids()[place.part];
      if (own.is_convex() && narrow::highest_above(own, place) > tolerance_) return false;
    }
    return true;
  }

  void look_at(std::size_t index) {
    const std::vector<std::size_t> rivals[2] = {rivals_of(index, 0), rivals_of(index, 1)};
    const auto hidden = [&](const ContactRegion& region, const ContactPoint& point) {
      return is_hidden(0, rivals[0], region, point) || is_hidden(1, rivals[1], region, point);
    };
    const auto leave_out = [&](ContactRegion& region) {
      const double nearest = least_gap(region);
      std::erase_if(region.points, [&](const ContactPoint& p) { return hidden(region, p); });
      if (least_gap(region) > nearest + region.tolerance + tolerance_)
        std::erase_if(region.points, [&](const ContactPoint& p) { return !has_normal(region, p); });
      return !region.points.empty();
    };
    ContactRegion& region = regions_[index];
    const ContactRegion whole = region;
    if (leave_out(region)) return;
    for (const Vec3& normal : normals_beside(whole)) {
      std::optional<ContactRegion> other = turned_(index, normal);
      if (!other || !leave_out(*other)) continue;
      region = std::move(*other);
      return;
    }
    kept_for_[index] = kept_for((rivals[0].empty() ? rivals[1] : rivals[0]).front());
  }

  // Normals, from b to a, of the flat faces that meet at the first point of a region.
  std::vector<Vec3> normals_beside(const ContactRegion& region) const {
    std::vector<Vec3> normals;
    for (const int side : {1, 0}) {
      const SurfacePlace place = place_of(side, region, region.points.front());
      const Solid& solid = bodies_[side].shape->solids()[place.part];
      const Quat to_part = solid.orientation.conjugate();
      const Vec3 point = to_part * (place.point - solid.position);
      for (const auto& face : solid.core.faces())
        if (face.offset - face.normal.dot(point) <= tolerance_)
          normals.emplace_back((side == 0 ? -1 : 1) * (bodies_[side].pose.orientation *
                                                       (solid.orientation * face.normal)));
    }
    return normals;
  }

  ShapeAt bodies_[2];
  double tolerance_;
  const TurnedRegion& turned_;
  std::vector<ContactRegion>& regions_;
  std::vector<std::size_t> kept_for_;  ///< by region: itself, or one for which it was left out
};

}  // namespace

void leave_out_hidden(const ShapeAt& a, const ShapeAt& b, double seam, const TurnedRegion& turned,
                      std::vector<ContactRegion>& regions) {
  if (a.shape->solids().size() == 1 && b.shape->solids().size() == 1) return;
  // What is felt of a mesh its own boundary tells (contact/boundary_points.h).
  if (a.shape->has_cells() || b.shape->has_cells()) return;
  if (regions.size() > 1) Union(a, b, seam, turned, regions).leave_out_hidden();
}

}  // namespace abut::contact
