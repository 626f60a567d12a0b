#include "model/contact_scale.h"

#include <algorithm>

#include "base/limits.h"

namespace abut::model {
namespace {

// Radii, m, between which the contact distance does not depend on the size of bodies.
constexpr double small_radius = 1e-3;
constexpr double large_radius = 10;

// Gaps are told to a few dozen roundings of the places of bodies, and contacts are told from each
// other by gaps of a twentieth of the contact distance: so many roundings make one (dimensionless).
constexpr double roundings_to_carry = 1e4;

// Of the smallest radius (dimensionless): what counts as touching stays small beside bodies.
constexpr double largest_part = 1e-3;

}  // namespace

double reach_of(const Model& model) {
  double reach = 0;
  for (const Body& body : model.bodies)
    if (body.is_dynamic())
      reach = std::max(reach, body::central_from_body(body.mass, body.pose).position.norm() +
                                  body.bounding_radius);
  return reach;
}

double least_contact_distance(const Model& model) {
  return roundings_to_carry * epsilon * reach_of(model);
}

double default_contact_distance(const Model& model) {
  double smallest = large_radius, largest = small_radius;
  for (const Body& body : model.bodies) {
    if (!body.is_dynamic()) continue;
    smallest = std::min(smallest, body.bounding_radius);
    largest = std::max(largest, body.bounding_radius);
  }
  const double usual = SolverSettings{}.contact_distance;
  double distance = usual;
  if (largest > large_radius)
    distance = usual * (largest / large_radius);
  else if (smallest < small_radius)
    distance = usual * (smallest / small_radius);
  // Where positions mean nothing for the size of bodies, a larger distance does not either.
  const double most = std::max(distance, largest_part * smallest);
  return std::max(distance, std::min(least_contact_distance(model), most));
}

}  // namespace abut::model
