#include "contact/free_of_rims.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "contact/flat_patch.h"
#include "contact/span.h"

namespace abut::contact {
namespace {

// A rim counts as lying on the plane from this fraction of the tolerance of regions on
// (dimensionless): the region that is then found is that of the disc.
constexpr double flat_fraction = 0.5;

toi::CarriedRim carried_rim(const HeldPart& part, int atom, double flatness) {
  const geometry::SupportAtom& rim = part.solid->surface->atoms()[atom];
  return {part.point(rim.centre()), part.direction(Vec3::UnitZ()), rim.outer_radius(), flatness};
}

// What is free of a cylinder or cone.
class FreeOfRims {
 public:
  FreeOfRims(const HeldPart& part, const std::vector<HeldPlace>& places, bool on_face)
      : part_(part), surface_(*part.solid->surface), touched_(surface_.atoms().size(), false) {
    touches_at_one_end_ = on_face && span_of(places) == 0;
    std::vector<std::vector<Vec3>> on_rim(touched_.size());
    for (const HeldPlace& place : places) note(place, on_rim);
    // Three places of a rim hold its whole plane.
    for (std::size_t i = 0; i < on_rim.size(); ++i)
      if (!on_rim[i].empty() && Span(on_rim[i], part_.solid->bounding_radius()).dimension() >= 2)
        touched_[i] = true;
    hold_by_one_crossing(places);
    // Of a side that touches, no end can turn up.
    if (std::all_of(touched_.begin(), touched_.end(), [](bool t) { return t; })) rims_.clear();
  }

  void watch(toi::HeldPlane& plane, int side) const {
    plane.rims[side] = rims_;
    std::vector<int> free;
    for (std::size_t i = 0; i < touched_.size(); ++i)
      if (!touched_[i]) free.push_back(static_cast<int>(i));
    if (free.empty()) return;
    auto surface = part_.solid->surface;
    if (free.size() < touched_.size())
      surface = std::make_shared<const geometry::ConvexSurface>(
          geometry::ConvexSurface::of(surface_.atoms()[free.front()]));
    const Quat turned = part_.frame.orientation.conjugate() * part_.solid->orientation;
    plane.surfaces[side] = {surface, turned.toRotationMatrix(), part_.point(Vec3::Zero())};
  }

 private:
  void note(const HeldPlace& place, std::vector<std::vector<Vec3>>& on_rim) {
    const int index = place.feature.index;
    switch (place.feature.kind) {
      case FeatureKind::smooth:
        if (touches_at_one_end_)
          touch_with_rim(nearest_atom(place.surface), place.flatness);
        else
          touched_.assign(touched_.size(), true);
        break;
      case FeatureKind::face:
        touched_[surface_.discs()[index].atom] = true;
        break;
      case FeatureKind::rim_place:
        on_rim[index / geometry::places_per_rim].push_back(place.surface);
        break;
      case FeatureKind::vertex:
        touched_[index] = true;
        break;
      case FeatureKind::edge:
        if (is_rim_crossing(place.feature)) {
          on_rim[atom_of_rim(place.feature)].push_back(place.surface);
          break;
        }
        touch_with_rim(index, place.flatness);
        break;
    }
  }

  void touch_with_rim(int atom, double flatness) {
    touched_[atom] = true;
    if (surface_.atoms()[atom].is_circle())
      rims_.push_back(carried_rim(part_, atom, flat_fraction * flatness));
  }

  // Rims and apices differ in where they are along the axis.
  int nearest_atom(const Vec3& place) const {
    const Vec3 axis = part_.direction(Vec3::UnitZ());
    const auto off = [&](std::size_t atom) {
      return std::abs(axis.dot(place - part_.point(surface_.atoms()[atom].centre())));
    };
    std::size_t nearest = 0;
    for (std::size_t i = 1; i < touched_.size(); ++i)
      if (off(i) < off(nearest)) nearest = i;
    return static_cast<int>(nearest);
  }

  int span_of(const std::vector<HeldPlace>& places) const {
    std::vector<Vec3> points;
    points.reserve(places.size());
    for (const HeldPlace& place : places) points.push_back(place.surface);
    return Span(points, part_.solid->bounding_radius()).dimension();
  }

  // A line lay across the disc and has risen from one end of the chord: the rim touches it at the
  // other one, and nowhere else as long as the end that has risen stays up.
  void hold_by_one_crossing(const std::vector<HeldPlace>& places) {
    if (places.size() != 1) return;
    const Feature& feature = places.front().feature;
    if (feature.kind != FeatureKind::edge || !is_rim_crossing(feature)) return;
    touched_[atom_of_rim(feature)] = true;
    rims_.push_back(carried_rim(part_, atom_of_rim(feature), 0));
  }

  const HeldPart& part_;
  const geometry::ConvexSurface& surface_;
  std::vector<bool> touched_;
  std::vector<toi::CarriedRim> rims_;
  // A line that comes down onto a face is known to touch at one end only: the other one is free.
  bool touches_at_one_end_ = false;
};

}  // namespace

void watch_free_rims(const HeldPart& part, const std::vector<HeldPlace>& places,
                     toi::HeldPlane& plane, int side) {
  const bool on_face = plane.motion == toi::PlaneMotion::carried;
  FreeOfRims(part, places, on_face).watch(plane, side);
}

}  // namespace abut::contact
