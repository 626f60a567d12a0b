#pragma once
// Boxes that meet at points: their velocities, and the rows of what they do to each other.

#include "impulse/impact.h"
#include "support/models.h"
#include "unit/impulse/random_rows.h"

namespace abut::test {

/// Bodies, their velocities and contacts, with the rows they make.
struct ImpactScene {
  model::Model model = test::empty_model(1);
  std::vector<BodyIndex> bodies;
  std::vector<body::RigidMotion> motions;
  std::vector<impulse::Inertia> inertias;
  std::vector<contact::Contact> contacts;
  impulse::ConstraintSet set;
  std::vector<impulse::Support> supports;
  impulse::RowSystem system;

  void add_body(const Vec3& at, const Vec3& velocity, const Vec3& spin = Vec3::Zero(),
                double density = 1000) {
    model.bodies.push_back(test::body_of(shape::Box{Vec3(1, 1, 1)}, density));
    bodies.push_back(static_cast<int>(bodies.size()));
    motions.push_back({{at, Quat::Identity()}, velocity, spin});
    inertias.push_back(impulse::Inertia::of(model.bodies.back().mass, Quat::Identity()));
  }
  /// A point of body a on a plane through `at` (world) with normal n that b carries.
  void add_contact(BodyIndex a, BodyIndex b, const Vec3& at, const Vec3& n, double restitution,
                   const model::Friction& friction = {}) {
    contact::Contact contact;
    contact.bodies = {a, b};
    contact.kind = contact::GapKind::point_plane;
    contact.features[0].point = at - motions[a].pose.position;
    contact.features[1] = {b == world ? at : Vec3(at - motions[b].pose.position), n};
    contact.restitution = restitution;
    contact.friction = friction;
    contacts.push_back(contact);
  }
  impulse::Impact impact(double rest_speed = 0) {
    set = impulse::ConstraintSet(model, bodies, contacts, {}, {}, {});
    supports.assign(set.supports().size(), {});
    system = impulse::RowSystem(set.evaluate({motions, supports}).rows, inertias);
    return {&set, &system, rest_speed};
  }
  impulse::Vector rates() const {
    impulse::Vector rates(system.size());
    for (int i = 0; i < system.size(); ++i) rates[i] = system[i].row.rate;
    return rates;
  }
  double kinetic(const std::vector<impulse::Twist>* jumps) const {
    double energy = 0;
    for (std::size_t i = 0; i < motions.size(); ++i) {
      Vec3 v = motions[i].velocity, w = motions[i].angular_velocity;
      if (jumps) v += (*jumps)[i].linear, w += (*jumps)[i].angular;
      energy += 0.5 / inertias[i].inverse_mass * v.squaredNorm() +
                0.5 * w.dot(inertias[i].inverse_inertia.inverse() * w);
    }
    return energy;
  }
};

inline ImpactScene random_scene(RandomRows& random, bool one_restitution,
                                const model::Friction& friction = {}) {
  ImpactScene scene;
  const int bodies = random.whole(1, 5);
  for (int i = 0; i < bodies; ++i)
    scene.add_body(random.vector(), random.vector(), random.vector(), random.number(100, 3000));
  const double e = random.number(0, 1);
  for (int i = random.whole(1, 12); i > 0; --i) {
    const int a = random.whole(0, bodies - 1), other = random.whole(-1, bodies - 1);
    scene.add_contact(a, other == a ? world : other, random.vector(), random.vector().normalized(),
                      one_restitution ? e : random.number(0, 1), friction);
  }
  return scene;
}

}  // namespace abut::test
