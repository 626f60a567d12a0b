#include "geometry/rim_distance.h"

#include <cmath>
#include <limits>

namespace abut::geometry {
namespace {

/// The unit vector from the axis to a point; some one on the axis itself.
Vec3 away_from_axis(const Vec3& aside, const Vec3& axis) {
  const double length = aside.norm();
  return length > 0 ? Vec3(aside / length) : Vec3(axis.unitOrthogonal());
}

/// Keeps what is nearest of outer features, and the shortest way out.
class Nearest {
 public:
  explicit Nearest(const Vec3& point)
      : point_(point), out_(away_from_axis(Vec3(point.x(), point.y(), 0), Vec3::UnitZ())) {}

  double rho() const { return out_.dot(point_); }
  const Vec3& out() const { return out_; }

  /// A straight part of the outline with this outward normal, at this signed distance; `beside`:
  /// the foot of the point lies on it.
  void offer_flat(const Vec3& normal, double distance, bool beside, const Feature& feature) {
    const DistanceOfSet found{distance, normal, point_ - distance * normal};
    if (distance >= 0) outside_ = true;
    if (distance >= 0 && beside) take(outer_, {found, feature}, distance < outer_.point.distance);
    take(inner_, {found, feature}, distance > inner_.point.distance);
  }
  void offer_corner(const Vec3& at, const Feature& feature) {
    const DistanceOfSet found = from_point(point_, at);
    take(outer_, {found, feature}, found.distance < outer_.point.distance);
  }
  const RimDistance& result() const { return outside_ ? outer_ : inner_; }

 private:
  static void take(RimDistance& best, const RimDistance& found, bool better) {
    if (better) best = found;
  }

  Vec3 point_, out_;
  bool outside_ = false;
  RimDistance outer_{{std::numeric_limits<double>::infinity(), Vec3::UnitZ(), Vec3::Zero()}, {}};
  RimDistance inner_{{-std::numeric_limits<double>::infinity(), Vec3::UnitZ(), Vec3::Zero()}, {}};
};

}  // namespace

RimDistance from_rims(const Vec3& point, const ConvexSurface& surface) {
  Nearest nearest(point);
  for (std::size_t i = 0; i < surface.discs().size(); ++i) {
    const ConvexSurface::Disc& disc = surface.discs()[i];
    const SupportAtom& rim = surface.atoms()[disc.atom];
    nearest.offer_flat(disc.normal, disc.normal.dot(point - rim.centre()),
                       nearest.rho() <= rim.outer_radius(),
                       {FeatureKind::face, static_cast<int>(i)});
  }
  const ConvexSurface::Lines& lines = surface.lines().front();
  const auto end_of = [&](int atom) -> Vec3 {
    const SupportAtom& rim = surface.atoms()[atom];
    return rim.centre() + rim.outer_radius() * nearest.out();
  };
  const Vec3 from = end_of(lines.from), to = end_of(lines.to), along = to - from;
  const double level = lines.normals.level;
  const Vec3 normal = std::sqrt(1 - level * level) * nearest.out() + level * lines.normals.axis;
  const double where = along.dot(point - from) / along.squaredNorm();
  nearest.offer_flat(normal, normal.dot(point - from), where >= 0 && where <= 1,
                     {FeatureKind::smooth, 0});
  for (const int atom : {lines.from, lines.to})
    nearest.offer_corner(
        end_of(atom),
        {surface.atoms()[atom].is_point() ? FeatureKind::vertex : FeatureKind::edge, atom});
  return nearest.result();
}

RimDistance from_rims(const Vec3& point, const ConvexSurface& surface, const Mat3& rotation,
                      const Vec3& position) {
  const auto [local, feature] = from_rims(rotation.transpose() * (point - position), surface);
  return {{local.distance, rotation * local.normal, rotation * local.nearest + position}, feature};
}

DistanceOfSet from_lines(const Vec3& point, const Vec3& apex, const Vec3& axis, double level) {
  const Vec3 between = point - apex;
  const Vec3 out = away_from_axis(between - axis * axis.dot(between), axis);
  const Vec3 normal = std::sqrt(1 - level * level) * out + level * axis;
  const double distance = normal.dot(between);
  return {distance, normal, point - distance * normal};
}

}  // namespace abut::geometry
