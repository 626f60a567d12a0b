// Simbody: variable steps with error control. Contact is the compliant one of Hunt and Crossley,
// which knows spheres and half-spaces; its restitution depends on the speed of the impact.
#include <Simbody.h>

#include <cmath>

#include "world.h"

namespace peers {
namespace {

struct Settings {
  double accuracy;   // of the integrator, relative
  double stiffness;  // plane-strain modulus, Pa
};

Settings settings_of(Accuracy accuracy) {
  if (accuracy == Accuracy::high) return {1e-9, 1e9};
  return {1e-3, 1e6};
}

// Without a limit the steps of free flight, which the integrator finds easy, jump over contacts, s.
constexpr double longest_step_with_contacts = 1.0 / 60;

SimTK::Vec3 to_simbody(const Vec3& v) {
  return {v.x(), v.y(), v.z()};
}
Vec3 from_simbody(const SimTK::Vec3& v) {
  return {v[0], v[1], v[2]};
}

// From f = k x^1.5 (1 + a v), m v dv = -f dx: over an impact from speed u to e u, the integral of
// v / (1 + a v) dv vanishes, so that a u - ln(1 + a u) = -a e u - ln(1 - a e u). With s = a u, the
// difference of the sides falls as s grows; Simbody's coefficient is c = 2a/3.
// Where nothing bounces, or nothing falls, a usual one is taken.
constexpr double usual_dissipation = 1;  // s/m

double dissipation(double restitution, double speed) {
  if (restitution >= 1) return 0;
  if (!(restitution > 0 && speed > 0)) return usual_dissipation;
  double low = 0, high = 1 / restitution;
  for (int i = 0; i < 60; ++i) {
    const double s = 0.5 * (low + high);
    const double r = s * restitution;
    (s - std::log1p(s) + r + std::log1p(-r) > 0 ? low : high) = s;
  }
  return low / speed * 2 / 3;
}

void require_known_contacts(const Scene& scene) {
  if (!scene.has_contacts()) return;
  for (const Body& body : scene.bodies) {
    if (body.shape == ShapeKind::box) throw NotOffered("no contact of boxes with boxes or spheres");
    if (body.friction != scene.bodies.front().friction)
      throw NotOffered("the larger friction of a pair: it takes a mean");
  }
}

class SimbodyWorld final : public World {
 public:
  SimbodyWorld(const Scene& scene, Accuracy accuracy)
      : scene_(scene), settings_(settings_of(accuracy)) {
    SimTK::Force::Gravity(forces_, matter_, to_simbody(scene.gravity));
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) add_body(static_cast<int>(i));
    if (scene.has_contacts()) set_contact_law();
    state_ = system_.realizeTopology();
    if (scene.hinges.empty()) set_velocities();
  }

  void run(const Observer& observer) override {
    SimTK::RungeKuttaMersonIntegrator integrator(system_);
    integrator.setAccuracy(settings_.accuracy);
    if (scene_.has_contacts()) integrator.setMaximumStepSize(longest_step_with_contacts);
    integrator.setReturnEveryInternalStep(true);
    integrator.setFinalTime(scene_.duration);
    integrator.initialize(state_);
    while (!integrator.isSimulationOver()) {
      integrator.stepTo(scene_.duration);
      if (observer) observer(snapshot_of(integrator.getState()));
    }
  }

 private:
  const Hinge* hinge_of(int body) const {
    for (const Hinge& hinge : scene_.hinges)
      if (hinge.second == body) return &hinge;
    return nullptr;
  }

  void add_body(int index) {
    const Body& body = scene_.bodies[index];
    movers_.emplace_back();
    if (!body.fixed) {
      const SimTK::Inertia inertia(to_simbody(body.moments()));
      const SimTK::Body::Rigid rigid(SimTK::MassProperties(body.mass, SimTK::Vec3(0), inertia));
      movers_.back() = make_mover(index, rigid);
    }
    if (scene_.has_contacts()) add_surface(body, movers_.back());
  }

  SimTK::MobilizedBody make_mover(int index, const SimTK::Body& rigid) {
    const Body& body = scene_.bodies[index];
    const Hinge* hinge = hinge_of(index);
    if (!hinge)
      return SimTK::MobilizedBody::Free(matter_.Ground(), to_simbody(body.position), rigid,
                                        SimTK::Vec3(0));
    const bool on_ground = hinge->first == world_body;
    SimTK::MobilizedBody& parent = on_ground ? matter_.updGround() : movers_[hinge->first];
    const Vec3 origin = on_ground ? Vec3::Zero() : scene_.bodies[hinge->first].position;
    const SimTK::Rotation z_along_axis(SimTK::UnitVec3(to_simbody(hinge->axis)), SimTK::ZAxis);
    return SimTK::MobilizedBody::Pin(
        parent, SimTK::Transform(z_along_axis, to_simbody(hinge->at - origin)), rigid,
        SimTK::Transform(z_along_axis, to_simbody(hinge->at - body.position)));
  }

  void add_surface(const Body& body, SimTK::MobilizedBody& mover) {
    if (body.shape == ShapeKind::sphere) {
      contacts_.addBody(set_, mover, SimTK::ContactGeometry::Sphere(body.radius),
                        SimTK::Transform());
      return;
    }
    // Its half-space is that of positive x, so x must point down.
    const SimTK::Rotation x_down(SimTK::UnitVec3(to_simbody(-body.normal)), SimTK::XAxis);
    contacts_.addBody(set_, matter_.updGround(), SimTK::ContactGeometry::HalfSpace(),
                      SimTK::Transform(x_down, to_simbody(body.offset * body.normal)));
  }

  // The dissipation is right for the first impact.
  void set_contact_law() {
    SimTK::HuntCrossleyForce law(forces_, contacts_, set_);
    const double c = dissipation(scene_.restitution, first_impact_speed());
    for (int i = 0; i < contacts_.getNumBodies(set_); ++i) {
      const double friction = scene_.bodies[i].friction;
      law.setBodyParameters(SimTK::ContactSurfaceIndex(i), settings_.stiffness, c, friction,
                            friction, 0);
    }
  }

  double first_impact_speed() const {
    const Body& last = scene_.bodies.back();
    const double fall = last.position.z() - last.radius;
    return std::sqrt(2 * scene_.gravity.norm() * fall) + scene_.bodies.front().velocity.norm();
  }

  void set_velocities() {
    system_.realize(state_, SimTK::Stage::Position);
    for (std::size_t i = 0; i < movers_.size(); ++i) {
      const Body& body = scene_.bodies[i];
      if (body.fixed) continue;
      movers_[i].setUToFitVelocity(
          state_, SimTK::SpatialVec(to_simbody(body.angular_velocity), to_simbody(body.velocity)));
    }
  }

  Snapshot snapshot_of(const SimTK::State& state) const {
    system_.realize(state, SimTK::Stage::Velocity);
    Snapshot snapshot = initial_snapshot(scene_);
    snapshot.time = state.getTime();
    for (std::size_t i = 0; i < movers_.size(); ++i) {
      if (scene_.bodies[i].fixed) continue;
      const SimTK::MobilizedBody& mover = movers_[i];
      const SimTK::Quaternion q = mover.getBodyRotation(state).convertRotationToQuaternion();
      snapshot.bodies[i] = {from_simbody(mover.getBodyOriginLocation(state)),
                            {q[0], q[1], q[2], q[3]},
                            from_simbody(mover.getBodyOriginVelocity(state)),
                            from_simbody(mover.getBodyAngularVelocity(state))};
    }
    return snapshot;
  }

  const Scene scene_;
  const Settings settings_;
  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_{system_};
  SimTK::GeneralForceSubsystem forces_{system_};
  SimTK::GeneralContactSubsystem contacts_{system_};
  SimTK::ContactSetIndex set_ = contacts_.createContactSet();
  std::vector<SimTK::MobilizedBody> movers_;  // empty handles for fixed bodies
  SimTK::State state_;
};

}  // namespace

std::string library_name() {
  return "Simbody 3.7";
}

std::string settings_text(const Scene& scene, Accuracy accuracy) {
  const bool high = accuracy == Accuracy::high;
  const std::string integrator =
      high ? "Runge-Kutta-Merson, accuracy 1e-9" : "Runge-Kutta-Merson, accuracy 1e-3";
  if (!scene.has_contacts()) return integrator;
  return integrator + (high ? ", modulus 1e9 Pa" : ", modulus 1e6 Pa") +
         ", dissipation tuned to the first impact";
}

std::unique_ptr<World> make_world(const Scene& scene, Accuracy accuracy) {
  require_known_contacts(scene);
  return std::make_unique<SimbodyWorld>(scene, accuracy);
}

}  // namespace peers
