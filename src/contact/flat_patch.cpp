#include "contact/flat_patch.h"

#include <algorithm>
#include <cmath>

namespace abut::contact {
namespace {

using geometry::ConvexPolyhedron;
using geometry::ConvexSurface;
using narrow::Placed;
using narrow::Solid;
using narrow::SolidKind;

double sign_of(Side side) {
  return side == Side::upper ? 1 : -1;
}

/// The face at the highest vertex along m that is most nearly across it; -1 without faces.
int most_parallel_face(const ConvexPolyhedron& core, const Vec3& m) {
  int best = -1;
  double cosine = 0;
  for (const int h : core.leaving(core.support(m))) {
    const int face = core.half_edges()[h].face;
    if (face < 0 || core.faces()[face].normal.dot(m) <= cosine) continue;
    cosine = core.faces()[face].normal.dot(m);
    best = face;
  }
  return best;
}

/// Whether a flat part with this normal stays within the tolerance of the plane across m.
bool is_parallel(const Vec3& normal, const Vec3& m, double extent, double tolerance) {
  return normal.dot(m) > 0 && normal.cross(m).norm() * extent <= tolerance;
}

int parallel_face(const Solid& solid, const Vec3& m, double extent, double tolerance) {
  const int face = most_parallel_face(solid.core, m);
  if (face < 0) return -1;
  const double across = std::min(extent, 2 * solid.core.radius());
  return is_parallel(solid.core.faces()[face].normal, m, across, tolerance) ? face : -1;
}

int parallel_disc(const ConvexSurface& surface, const Vec3& m, double extent, double tolerance) {
  for (std::size_t i = 0; i < surface.discs().size(); ++i) {
    const ConvexSurface::Disc& disc = surface.discs()[i];
    const double across = std::min(extent, 2 * surface.atoms()[disc.atom].outer_radius());
    if (is_parallel(disc.normal, m, across, tolerance)) return static_cast<int>(i);
  }
  return -1;
}

class PatchMaker {
 public:
  PatchMaker(const Placed& part, Side side, const Chart& chart, double extent, double tolerance,
             PatchKind most)
      : part_(part),
        solid_(*part.solid),
        sign_(sign_of(side)),
        chart_(chart),
        m_(part.rotation.transpose() * (sign_ * chart.axes.col(2))),
        extent_(extent),
        tolerance_(tolerance),
        may_be_flat_(most > PatchKind::segment) {}

  FlatPatch make() {
    if (solid_.kind == SolidKind::plane)
      make_everything();
    else if (solid_.surface)
      of_surface(*solid_.surface);
    else
      of_core();
    return std::move(patch_);
  }

 private:
  PatchCorner corner(const Vec3& core, const Feature& feature) const {
    const Vec3 at = chart_(part_ * core);
    return {at.head<2>(), at.z() + sign_ * solid_.rounding, feature};
  }
  void set_plane(const Vec3& outward, const Vec3& through) {
    const Vec3 up = chart_.axes.transpose() * (part_.rotation * outward);
    const Vec3 at = chart_(part_ * through) + Vec3(0, 0, sign_ * solid_.rounding);
    patch_.slope = -up.head<2>() / up.z();
    patch_.height = at.z() - patch_.slope.dot(at.head<2>());
  }

  void make_everything() {
    patch_.kind = PatchKind::everything;
    patch_.feature = {FeatureKind::face, 0};
    set_plane(solid_.normal, Vec3::Zero());
  }

  void of_core() {
    const ConvexPolyhedron& core = solid_.core;
    const int face = may_be_flat_ ? parallel_face(solid_, m_, extent_, tolerance_) : -1;
    if (face >= 0) return make_polygon(face);
    const int v = core.support(m_);
    int flattest = -1;
    double least = tolerance_;
    for (const int h : core.leaving(v)) {
      const Vec3 along =
          core.vertices()[core.edge_end(h / 2)] - core.vertices()[core.edge_start(h / 2)];
      const double drop =
          std::abs(along.dot(m_)) * std::min(1.0, extent_ / std::max(along.norm(), extent_ * 1e-9));
      if (drop > least) continue;
      least = drop;
      flattest = h / 2;
    }
    if (flattest >= 0) return make_edge(flattest);
    patch_.feature = {FeatureKind::vertex, v};
    patch_.corners = {corner(core.vertices()[v], patch_.feature)};
  }

  void make_polygon(int face) {
    const ConvexPolyhedron& core = solid_.core;
    patch_.kind = PatchKind::polygon;
    patch_.feature = {FeatureKind::face, face};
    const int first = core.faces()[face].first;
    int h = first;
    do {
      const int v = core.half_edges()[h].origin;
      patch_.corners.push_back(corner(core.vertices()[v], {FeatureKind::vertex, v}));
      patch_.borders.push_back({FeatureKind::edge, h / 2});
      h = core.half_edges()[h].next;
    } while (h != first);
    // Seen from within the solid the face turns the other way.
    if (sign_ < 0) {
      std::reverse(patch_.corners.begin(), patch_.corners.end());
      std::reverse(patch_.borders.begin(), patch_.borders.end());
      std::rotate(patch_.borders.begin(), patch_.borders.begin() + 1, patch_.borders.end());
    }
    set_plane(core.faces()[face].normal, core.vertices()[core.half_edges()[first].origin]);
  }

  void make_edge(int edge) {
    const ConvexPolyhedron& core = solid_.core;
    patch_.kind = PatchKind::segment;
    patch_.feature = {FeatureKind::edge, edge};
    patch_.curvature_radius = solid_.rounding;
    for (const int v : {core.edge_start(edge), core.edge_end(edge)})
      patch_.corners.push_back(corner(core.vertices()[v], {FeatureKind::vertex, v}));
  }

  void of_surface(const ConvexSurface& surface) {
    if (surface.is_smooth()) {
      patch_.feature = {FeatureKind::smooth, 0};
      patch_.corners = {corner(surface.support(m_), patch_.feature)};
      return;
    }
    const int disc = may_be_flat_ ? parallel_disc(surface, m_, extent_, tolerance_) : -1;
    if (disc >= 0) return make_disc(surface, disc);
    const auto rim_corner = [&](int atom) {
      const bool is_apex = surface.atoms()[atom].is_point();
      return corner(surface.atoms()[atom].support(m_),
                    {is_apex ? FeatureKind::vertex : FeatureKind::edge, atom});
    };
    const ConvexSurface::Lines& lines = surface.lines().front();
    const PatchCorner from = rim_corner(lines.from), to = rim_corner(lines.to);
    const double length = (from.at - to.at).norm();
    const double drop = std::abs(from.height - to.height);
    if (drop * std::min(1.0, extent_ / std::max(length, extent_ * 1e-9)) <= tolerance_ &&
        drop <= length) {
      patch_.kind = PatchKind::segment;
      patch_.feature = {FeatureKind::smooth, 0};
      patch_.corners = {from, to};
      patch_.curvature_radius = surface.atoms()[lines.from].outer_radius();
      return;
    }
    const int atom = surface.farthest_atom(m_);
    patch_.corners = {rim_corner(atom)};
    patch_.feature = patch_.corners.front().feature;
  }

  void make_disc(const ConvexSurface& surface, int disc) {
    patch_.kind = PatchKind::disc;
    patch_.feature = {FeatureKind::face, disc};
    patch_.atom = surface.discs()[disc].atom;
    const geometry::SupportAtom& rim = surface.atoms()[patch_.atom];
    patch_.radius = rim.outer_radius();
    patch_.centre = chart_(part_ * rim.centre()).head<2>();
    const Vec3 x = chart_.axes.transpose() * part_.rotation.col(0);
    patch_.angle_zero = std::atan2(x.y(), x.x());
    patch_.turns = part_.rotation.col(2).dot(chart_.axes.col(2)) > 0 ? 1 : -1;
    set_plane(surface.discs()[disc].normal, rim.centre());
  }

  const Placed& part_;
  const Solid& solid_;
  double sign_;
  const Chart& chart_;
  Vec3 m_;  // outward, in the frame of the solid
  double extent_, tolerance_;
  bool may_be_flat_;
  FlatPatch patch_;
};

}  // namespace

std::optional<Vec3> flat_normal(const Placed& part, Side side, const Vec3& normal, double extent,
                                double tolerance) {
  const Solid& solid = *part.solid;
  const double sign = sign_of(side);
  if (solid.kind == SolidKind::plane) return sign * (part.rotation * solid.normal);
  const Vec3 m = part.rotation.transpose() * (sign * normal);
  if (solid.surface) {
    const int disc = parallel_disc(*solid.surface, m, extent, tolerance);
    if (disc < 0) return std::nullopt;
    return sign * (part.rotation * solid.surface->discs()[disc].normal);
  }
  const int face = parallel_face(solid, m, extent, tolerance);
  if (face < 0) return std::nullopt;
  return sign * (part.rotation * solid.core.faces()[face].normal);
}

FlatPatch flat_patch(const Placed& part, Side side, const Chart& chart, double extent,
                     double tolerance, PatchKind most) {
  return PatchMaker(part, side, chart, extent, tolerance, most).make();
}

}  // namespace abut::contact
