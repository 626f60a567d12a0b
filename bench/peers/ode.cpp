// ODE with QuickStep, its iterative solver: the direct one breaks down on the redundant contacts of
// a stack.
#include <ode/ode.h>

#include <array>

#include "world.h"

namespace peers {
namespace {

struct Settings {
  double step;
  int iterations;
};

Settings settings_of(Accuracy accuracy) {
  if (accuracy == Accuracy::high) return {1e-4, 200};
  return {1.0 / 60, 20};
}

Vec3 from_ode(const dReal* v) {
  return {v[0], v[1], v[2]};
}

// The library is opened once: closing and opening it again leaks.
void open_library() {
  static const bool opened = (dInitODE2(0), true);
  static_cast<void>(opened);
}

class OdeWorld final : public SteppedWorld {
 public:
  OdeWorld(const Scene& scene, Accuracy accuracy)
      : SteppedWorld(scene, settings_of(accuracy).step) {
    open_library();
    world_ = dWorldCreate();
    space_ = dHashSpaceCreate(nullptr);
    contacts_ = dJointGroupCreate(0);
    dWorldSetGravity(world_, scene.gravity.x(), scene.gravity.y(), scene.gravity.z());
    dWorldSetQuickStepNumIterations(world_, settings_of(accuracy).iterations);
    for (const Body& body : scene_.bodies) add_body(body);
    for (const Hinge& hinge : scene.hinges) add_hinge(hinge);
  }

  ~OdeWorld() override {
    dJointGroupDestroy(contacts_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
  }

 private:
  void step() override {
    if (scene_.has_contacts())
      dSpaceCollide(space_, this, [](void* self, dGeomID a, dGeomID b) {
        static_cast<OdeWorld*>(self)->meet(a, b);
      });
    dWorldQuickStep(world_, step_);
    dJointGroupEmpty(contacts_);
  }

  BodyState state_of(int body) const override {
    const dBodyID id = bodies_[body];
    const dReal* q = dBodyGetQuaternion(id);
    return {from_ode(dBodyGetPosition(id)),
            {q[0], q[1], q[2], q[3]},
            from_ode(dBodyGetLinearVel(id)),
            from_ode(dBodyGetAngularVel(id))};
  }

  void meet(dGeomID a, dGeomID b) {
    constexpr int most_contacts = 8;  // two faces meet in an octagon at most
    std::array<dContact, most_contacts> found{};
    const int count = dCollide(a, b, most_contacts, &found[0].geom, sizeof(dContact));
    for (int i = 0; i < count; ++i) {
      // Without this mode `mu` would be a force.
      found[i].surface.mode = dContactBounce | dContactApprox1;
      found[i].surface.mu = friction_between(body_of(a), body_of(b));
      found[i].surface.bounce = scene_.restitution;
      found[i].surface.bounce_vel = 0;
      const dJointID joint = dJointCreateContact(world_, contacts_, &found[i]);
      dJointAttach(joint, dGeomGetBody(a), dGeomGetBody(b));
    }
  }

  static const Body& body_of(dGeomID geometry) {
    return *static_cast<const Body*>(dGeomGetData(geometry));
  }

  dGeomID make_geometry(const Body& body) const {
    if (body.shape == ShapeKind::sphere) return dCreateSphere(space_, body.radius);
    if (body.shape == ShapeKind::box)
      return dCreateBox(space_, body.size.x(), body.size.y(), body.size.z());
    return dCreatePlane(space_, body.normal.x(), body.normal.y(), body.normal.z(), body.offset);
  }

  void add_body(const Body& body) {
    const dGeomID geometry = make_geometry(body);
    dGeomSetData(geometry, const_cast<Body*>(&body));
    bodies_.push_back(nullptr);
    if (body.shape == ShapeKind::plane) return;
    if (!body.fixed) {
      bodies_.back() = make_moving(body);
      dGeomSetBody(geometry, bodies_.back());
    }
    dGeomSetPosition(geometry, body.position.x(), body.position.y(), body.position.z());
  }

  dBodyID make_moving(const Body& body) const {
    const dBodyID id = dBodyCreate(world_);
    const Vec3 moments = body.moments();
    dMass mass;
    dMassSetParameters(&mass, body.mass, 0, 0, 0, moments.x(), moments.y(), moments.z(), 0, 0, 0);
    dBodySetMass(id, &mass);
    dBodySetPosition(id, body.position.x(), body.position.y(), body.position.z());
    dBodySetLinearVel(id, body.velocity.x(), body.velocity.y(), body.velocity.z());
    dBodySetAngularVel(id, body.angular_velocity.x(), body.angular_velocity.y(),
                       body.angular_velocity.z());
    return id;
  }

  void add_hinge(const Hinge& hinge) {
    const dJointID joint = dJointCreateHinge(world_, nullptr);
    dJointAttach(joint, hinge.first == world_body ? nullptr : bodies_[hinge.first],
                 bodies_[hinge.second]);
    dJointSetHingeAnchor(joint, hinge.at.x(), hinge.at.y(), hinge.at.z());
    dJointSetHingeAxis(joint, hinge.axis.x(), hinge.axis.y(), hinge.axis.z());
  }

  dWorldID world_;
  dSpaceID space_;
  dJointGroupID contacts_;
  std::vector<dBodyID> bodies_;  // null: fixed
};

}  // namespace

std::string library_name() {
  return "ODE 0.16";
}

std::string settings_text(const Scene&, Accuracy accuracy) {
  return accuracy == Accuracy::high ? "QuickStep, step 1e-4 s, 200 iterations"
                                    : "QuickStep, step 1/60 s, 20 iterations";
}

std::unique_ptr<World> make_world(const Scene& scene, Accuracy accuracy) {
  return std::make_unique<OdeWorld>(scene, accuracy);
}

}  // namespace peers
