#include "geometry/placed_convex.h"

#include <limits>

namespace abut::geometry {
namespace {

// Bounds of a distance that differ by less than this times the reach of the coordinates agree
// (dimensionless).
constexpr double agreement = 64 * std::numeric_limits<double>::epsilon();

}  // namespace

PlacedAtom PlacedConvex::atom(int index) const {
  if (surface != nullptr) return {&surface->atoms()[index], rotation, position};
  return {&SupportAtom::origin(), rotation, position + rotation * polyhedron->vertices()[index]};
}

int PlacedConvex::farthest_atom(const Vec3& m) const {
  const Vec3 local = rotation.transpose() * m;
  return surface != nullptr ? surface->farthest_atom(local) : polyhedron->support(local);
}

double PlacedConvex::height(const Vec3& m) const {
  return atom(farthest_atom(m)).height(m);
}

double PlacedConvex::size() const {
  return surface != nullptr ? surface->outer_radius() : polyhedron->radius();
}

ConvexPair::ConvexPair(const PlacedConvex& of_a, const PlacedConvex& of_b)
    : a(of_a), b(of_b), scale((of_a.position - of_b.position).norm() + of_a.size() + of_b.size()) {}

bool ConvexPair::agree(double lower, double upper) const {
  return upper - lower <= agreement * scale;
}

}  // namespace abut::geometry
