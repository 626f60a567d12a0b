#include "contact/reduced.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <utility>

#include "contact/near_surface.h"
#include "contact/planar_hull.h"

namespace abut::contact {
namespace {

// Places no farther apart are one, in contact distances (dimensionless): the search for regions
// tells neighbouring features apart only beyond.
constexpr double one_place = 4;

// Normals that differ by less are one, rad: those of corners and edges are known to the rounding of
// coordinates over the rest gap, and faces that touch all over may be off by the contact distance
// over their size.
constexpr double one_normal = 1e-6;

// Points of one plane differ in height by less than this part of the contact distance
// (dimensionless), a quarter of the rest gap: what the vertices hold is held.
constexpr double one_height = 0.05;

// By what part of its trace the matrix of a fit is made regular (dimensionless): points on a line
// leave the slope across it open.
constexpr double regular = 1e-12;

using PartPair = std::pair<int, int>;

struct Place {
  Contact contact;
  Vec3 normal;     // from b to a
  Vec3 points[2];  // of the cores
  Vec3 at;
  PartPair parts;
  bool is_left_out = false;

  bool has_law_of(const Place& other) const {
    const model::Friction &own = contact.friction, &others = other.contact.friction;
    return contact.restitution == other.contact.restitution &&
           own.static_coefficient == others.static_coefficient &&
           own.dynamic_coefficient == others.dynamic_coefficient;
  }
};

class Reduction {
 public:
  Reduction(std::vector<Contact> contacts, const body::RigidMotion& a, const body::RigidMotion& b,
            double contact_distance)
      : distance_(contact_distance) {
    for (Contact& contact : contacts) {
      const ContactNow now = evaluate(contact, a, b);
      Place place{std::move(contact), now.normal, {now.points[0], now.points[1]}, {}, {}};
      place.at = place_of(place.contact, now);
      place.parts = {place.contact.label.part_a, place.contact.label.part_b};
      places_.push_back(std::move(place));
    }
  }

  std::vector<Contact> run() {
    for (std::size_t i = 0; i < places_.size(); ++i)
      for (std::size_t j = 0; j < places_.size(); ++j)
        if (is_same_as(places_[j], places_[i]) && comes_before(j, i)) places_[i].is_left_out = true;
    for (std::size_t i = 0; i < places_.size(); ++i) reduce_plane_of(i);
    std::vector<Contact> left;
    for (Place& place : places_)
      if (!place.is_left_out) left.push_back(std::move(place.contact));
    return left;
  }

 private:
  bool is_same_as(const Place& one, const Place& other) const {
    return one.parts != other.parts && !one.is_left_out &&
           (one.at - other.at).norm() <= one_place * distance_ &&
           (one.normal - other.normal).norm() <= one_normal;
  }
  // Faces first, since they know their normals best; then in the order of the list.
  bool comes_before(std::size_t one, std::size_t other) const {
    const auto has_face = [&](std::size_t i) {
      const ContactLabel& label = places_[i].contact.label;
      return label.a.kind == FeatureKind::face || label.b.kind == FeatureKind::face;
    };
    return has_face(one) != has_face(other) ? has_face(one) : one < other;
  }

  static bool is_flat(const Place& place) {
    const GapKind kind = place.contact.kind;
    return !place.is_left_out && !place.contact.arc &&
           (kind == GapKind::point_plane || kind == GapKind::edge_edge);
  }
  bool may_be_in_plane_of(const Place& one, const Place& other) const {
    return is_flat(other) && !other.contact.flush && one.has_law_of(other) &&
           one.contact.rounding_of == other.contact.rounding_of &&
           (one.normal - other.normal).norm() <= one_normal &&
           std::abs(one.normal.dot(other.at - one.at)) <= one_place * distance_;
  }

  // Whether the points of a side lie in one plane: the plane that fits them best fits all of them.
  bool are_in_plane(const std::vector<std::size_t>& members, int side, const Chart& chart) const {
    Mat3 normal_matrix = Mat3::Zero();
    Vec3 right = Vec3::Zero();
    const auto terms = [&](std::size_t i) {
      const Vec3 at = chart(places_[i].points[side]);
      return std::pair(Vec3(at.x(), at.y(), 1), at.z());
    };
    const double level = terms(members.front()).second;
    for (const std::size_t i : members) {
      const auto [row, height] = terms(i);
      normal_matrix += row * row.transpose();
      right += (height - level) * row;
    }
    normal_matrix += regular * normal_matrix.trace() * Mat3::Identity();
    const Vec3 plane = normal_matrix.inverse() * right;
    return std::all_of(members.begin(), members.end(), [&](std::size_t i) {
      const auto [row, height] = terms(i);
      return std::abs(height - level - plane.dot(row)) <= one_height * distance_;
    });
  }

  // Those of the plane that have not been looked at with an earlier one.
  void reduce_plane_of(std::size_t first) {
    if (!is_flat(places_[first]) || places_[first].contact.flush) return;
    std::vector<std::size_t> members;
    auto parts = std::make_shared<std::set<PartPair>>();
    for (std::size_t i = first; i < places_.size(); ++i) {
      if (!may_be_in_plane_of(places_[first], places_[i])) continue;
      members.push_back(i);
      parts->insert(places_[i].parts);
    }
    if (parts->size() < 2) return;
    const Chart chart(places_[first].at, places_[first].normal);
    if (!are_in_plane(members, 0, chart) || !are_in_plane(members, 1, chart)) return;
    std::vector<Vec2> at;
    for (const std::size_t i : members) at.emplace_back(chart(places_[i].at).head<2>());
    const PlanarHull hull = planar_hull(at, 2 * distance_);
    for (const std::size_t i : members) places_[i].is_left_out = true;
    for (const int vertex : hull.vertices) {
      Place& kept = places_[members[vertex]];
      kept.is_left_out = false;
      kept.contact.flush = parts;
    }
  }

  double distance_;
  std::vector<Place> places_;
};

}  // namespace

std::vector<Contact> reduced(std::vector<Contact> contacts, const body::RigidMotion& a,
                             const body::RigidMotion& b, double contact_distance) {
  if (contacts.size() < 2) return contacts;
  return Reduction(std::move(contacts), a, b, contact_distance).run();
}

}  // namespace abut::contact
