// Bullet, in double precision, with its sequential-impulse solver.
#include <BulletCollision/CollisionDispatch/btManifoldResult.h>
#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <cmath>

#include "world.h"

namespace peers {
namespace {

struct Settings {
  double step;
  int iterations;
  bool sleeping;
};

Settings settings_of(Accuracy accuracy) {
  if (accuracy == Accuracy::high) return {1e-4, 200, false};
  return {1.0 / 60, 10, true};
}

// By default overlaps of up to 4 cm are pushed out by adding to the velocity. That spoils impacts,
// while stacks stand better with it.
bool pushes_out_apart(const Scene& scene, Accuracy accuracy) {
  return accuracy == Accuracy::high && (scene.restitution > 0 || scene.gravity.isZero());
}

btVector3 to_bullet(const Vec3& v) {
  return {v.x(), v.y(), v.z()};
}
Vec3 from_bullet(const btVector3& v) {
  return {v.x(), v.y(), v.z()};
}

std::unique_ptr<btCollisionShape> make_shape(const Body& body) {
  if (body.shape == ShapeKind::sphere) return std::make_unique<btSphereShape>(body.radius);
  if (body.shape == ShapeKind::box) return std::make_unique<btBoxShape>(to_bullet(0.5 * body.size));
  return std::make_unique<btStaticPlaneShape>(to_bullet(body.normal), body.offset);
}

btScalar larger_friction(const btCollisionObject* a, const btCollisionObject* b) {
  return std::max(a->getFriction(), b->getFriction());
}

class BulletWorld final : public SteppedWorld {
 public:
  BulletWorld(const Scene& scene, Accuracy accuracy)
      : SteppedWorld(scene, settings_of(accuracy).step), accuracy_(accuracy) {
    gCalculateCombinedFrictionCallback = larger_friction;  // it would multiply them
    world_.setGravity(to_bullet(scene.gravity));
    world_.getSolverInfo().m_numIterations = settings_of(accuracy).iterations;
    if (pushes_out_apart(scene, accuracy))
      world_.getSolverInfo().m_splitImpulsePenetrationThreshold = 0;
    for (const Body& body : scene.bodies) add_body(body);
    for (const Hinge& hinge : scene.hinges) add_hinge(hinge);
  }

  ~BulletWorld() override {
    for (const auto& hinge : hinges_) world_.removeConstraint(hinge.get());
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }

 private:
  void step() override { world_.stepSimulation(step_, 0); }

  BodyState state_of(int body) const override {
    const btRigidBody& rigid = *bodies_[body];
    const btQuaternion q = rigid.getOrientation();
    return {from_bullet(rigid.getCenterOfMassPosition()),
            {q.w(), q.x(), q.y(), q.z()},
            from_bullet(rigid.getLinearVelocity()),
            from_bullet(rigid.getAngularVelocity())};
  }

  void add_body(const Body& body) {
    shapes_.push_back(make_shape(body));
    btRigidBody::btRigidBodyConstructionInfo info(body.mass, nullptr, shapes_.back().get(),
                                                  to_bullet(body.moments()));
    info.m_startWorldTransform.setIdentity();
    info.m_startWorldTransform.setOrigin(to_bullet(body.position));
    info.m_friction = body.friction;
    info.m_restitution = std::sqrt(scene_.restitution);  // Bullet multiplies those of a pair
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    btRigidBody& rigid = *bodies_.back();
    rigid.setLinearVelocity(to_bullet(body.velocity));
    rigid.setAngularVelocity(to_bullet(body.angular_velocity));
    tune(body, rigid);
    world_.addRigidBody(&rigid);
  }

  void tune(const Body& body, btRigidBody& rigid) const {
    if (!settings_of(accuracy_).sleeping) rigid.setActivationState(DISABLE_DEACTIVATION);
    // Otherwise contacts act before bodies touch, which at small steps takes restitution away.
    if (accuracy_ == Accuracy::high) rigid.setContactProcessingThreshold(0);
    if (body.shape != ShapeKind::sphere || scene_.key != "sphere_and_plate") return;
    rigid.setCcdMotionThreshold(body.radius);
    rigid.setCcdSweptSphereRadius(0.5 * body.radius);
  }

  void add_hinge(const Hinge& hinge) {
    const btVector3 axis = to_bullet(hinge.axis);
    btRigidBody& second = *bodies_[hinge.second];
    const btVector3 in_second = to_bullet(hinge.at - scene_.bodies[hinge.second].position);
    if (hinge.first == world_body) {
      hinges_.push_back(std::make_unique<btHingeConstraint>(second, in_second, axis));
    } else {
      const btVector3 in_first = to_bullet(hinge.at - scene_.bodies[hinge.first].position);
      hinges_.push_back(std::make_unique<btHingeConstraint>(*bodies_[hinge.first], second, in_first,
                                                            in_second, axis, axis));
    }
    constexpr bool jointed_bodies_do_not_collide = true;
    world_.addConstraint(hinges_.back().get(), jointed_bodies_do_not_collide);
  }

  const Accuracy accuracy_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<std::unique_ptr<btHingeConstraint>> hinges_;
  btDiscreteDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_};
};

}  // namespace

std::string library_name() {
  return "Bullet " + std::to_string(btGetVersion() / 100) + "." +
         std::to_string(btGetVersion() % 100);
}

std::string settings_text(const Scene& scene, Accuracy accuracy) {
  if (accuracy == Accuracy::standard) return "step 1/60 s, 10 iterations";
  const std::string text = "step 1e-4 s, 200 iterations, no sleeping, contact threshold 0";
  return pushes_out_apart(scene, accuracy) ? text + ", split-impulse threshold 0" : text;
}

std::unique_ptr<World> make_world(const Scene& scene, Accuracy accuracy) {
  return std::make_unique<BulletWorld>(scene, accuracy);
}

}  // namespace peers
