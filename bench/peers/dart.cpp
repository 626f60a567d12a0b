// DART with its own collision detector and its default solver of the complementarity problem
// (pivoting first, sweeping if that fails).
#include <dart/collision/CollisionFilter.hpp>
#include <dart/collision/CollisionObject.hpp>
#include <dart/collision/dart/DARTCollisionDetector.hpp>
#include <dart/constraint/ConstraintSolver.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/SphereShape.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>
#include <set>
#include <unordered_set>

#include "world.h"

namespace peers {
namespace {

using dart::dynamics::BodyNode;

double step_of(Accuracy accuracy) {
  return accuracy == Accuracy::high ? 1e-4 : 1e-3;
}

// Its detector has no half-space: the floor is a slab.
constexpr double slab_thickness = 2, slab_width = 200;

// Its default is a thousand, beyond which contacts are forgotten.
constexpr std::size_t most_contacts = 100000;

dart::dynamics::ShapePtr make_shape(const Body& body) {
  if (body.shape == ShapeKind::sphere)
    return std::make_shared<dart::dynamics::SphereShape>(body.radius);
  if (body.shape == ShapeKind::box) return std::make_shared<dart::dynamics::BoxShape>(body.size);
  return std::make_shared<dart::dynamics::BoxShape>(Vec3(slab_width, slab_width, slab_thickness));
}

Vec3 centre_of(const Body& body) {
  if (body.shape != ShapeKind::plane) return body.position;
  if (body.normal != Vec3::UnitZ()) throw NotOffered("half-spaces that are not floors");
  return (body.offset - 0.5 * slab_thickness) * body.normal;
}

Eigen::Isometry3d moved(const Vec3& by) {
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.translation() = by;
  return pose;
}

// DART takes the smaller friction of a pair, and here it shall be the larger one. Where bodies that
// move have less of it than those that are fixed, each of them has two surfaces: one with the
// friction of the fixed ones, for these, and one with its own, for all that move.
void require_rough_floor(const Scene& scene) {
  std::set<double> fixed, moving;
  for (const Body& body : scene.bodies) (body.fixed ? fixed : moving).insert(body.friction);
  if (fixed.size() > 1 || moving.size() > 1 || (!fixed.empty() && *moving.begin() > *fixed.begin()))
    throw NotOffered("the larger friction of a pair but with a rough floor");
}

struct TwoSurfaces : dart::collision::BodyNodeCollisionFilter {
  std::unordered_set<const dart::dynamics::ShapeFrame*> fixed, for_fixed;

  bool ignoresCollision(const dart::collision::CollisionObject* a,
                        const dart::collision::CollisionObject* b) const override {
    return meets_wrongly(a->getShapeFrame(), b->getShapeFrame()) ||
           meets_wrongly(b->getShapeFrame(), a->getShapeFrame()) ||
           BodyNodeCollisionFilter::ignoresCollision(a, b);
  }

 private:
  bool meets_wrongly(const dart::dynamics::ShapeFrame* one,
                     const dart::dynamics::ShapeFrame* other) const {
    if (fixed.contains(one)) return !for_fixed.empty() && !for_fixed.contains(other);
    return for_fixed.contains(one) && !fixed.contains(other);
  }
};

class DartWorld final : public SteppedWorld {
 public:
  DartWorld(const Scene& scene, Accuracy accuracy) : SteppedWorld(scene, step_of(accuracy)) {
    world_->setGravity(scene.gravity);
    world_->setTimeStep(step_of(accuracy));
    world_->getConstraintSolver()->setCollisionDetector(
        dart::collision::DARTCollisionDetector::create());
    world_->getConstraintSolver()->getCollisionOption().maxNumContacts = most_contacts;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) add_body(static_cast<int>(i));
    world_->getConstraintSolver()->getCollisionOption().collisionFilter = surfaces_;
    for (const auto& skeleton : skeletons_) world_->addSkeleton(skeleton);
  }

 private:
  void step() override { world_->step(); }

  BodyState state_of(int body) const override {
    const BodyNode& node = *nodes_[body];
    const Eigen::Isometry3d& pose = node.getWorldTransform();
    return {pose.translation(), Eigen::Quaterniond(pose.linear()), node.getCOMLinearVelocity(),
            node.getAngularVelocity()};
  }

  const Hinge* hinge_of(int body) const {
    for (const Hinge& hinge : scene_.hinges)
      if (hinge.second == body) return &hinge;
    return nullptr;
  }

  void add_body(int index) {
    const Body& body = scene_.bodies[index];
    if (body.fixed)
      nodes_.push_back(make_fixed(body));
    else if (const Hinge* hinge = hinge_of(index))
      nodes_.push_back(make_hinged(body, *hinge));
    else
      nodes_.push_back(make_free(body));
    if (!body.fixed) set_inertia(body);
    if (scene_.has_contacts()) add_surfaces(body);
  }

  dart::dynamics::SkeletonPtr new_skeleton(const std::string& name) {
    skeletons_.push_back(dart::dynamics::Skeleton::create(name));
    return skeletons_.back();
  }

  BodyNode* make_fixed(const Body& body) {
    auto [joint, node] =
        new_skeleton(body.name)->createJointAndBodyNodePair<dart::dynamics::WeldJoint>();
    joint->setTransformFromParentBodyNode(moved(centre_of(body)));
    return node;
  }

  BodyNode* make_free(const Body& body) {
    auto [joint, node] =
        new_skeleton(body.name)->createJointAndBodyNodePair<dart::dynamics::FreeJoint>();
    joint->setTransform(moved(body.position));
    joint->setLinearVelocity(body.velocity);
    joint->setAngularVelocity(body.angular_velocity);
    return node;
  }

  BodyNode* make_hinged(const Body& body, const Hinge& hinge) {
    const bool on_world = hinge.first == world_body;
    BodyNode* parent = on_world ? nullptr : nodes_[hinge.first];
    const Vec3 origin = on_world ? Vec3::Zero() : scene_.bodies[hinge.first].position;
    const auto skeleton = on_world ? new_skeleton(body.name) : skeletons_.back();
    auto [joint, node] =
        skeleton->createJointAndBodyNodePair<dart::dynamics::RevoluteJoint>(parent);
    // Left to itself, DART prints that it had to find names.
    joint->setName("hinge of " + body.name);
    node->setName(body.name);
    joint->setAxis(hinge.axis);
    joint->setTransformFromParentBodyNode(moved(hinge.at - origin));
    joint->setTransformFromChildBodyNode(moved(hinge.at - body.position));
    return node;
  }

  void set_inertia(const Body& body) {
    nodes_.back()->setInertia(
        dart::dynamics::Inertia(body.mass, Vec3::Zero(), body.moments().asDiagonal()));
  }

  void add_surfaces(const Body& body) {
    const auto* own = add_surface(body, body.friction);
    if (body.fixed) {
      surfaces_->fixed.insert(own);
    } else if (body.friction < greatest_friction()) {
      surfaces_->for_fixed.insert(add_surface(body, greatest_friction()));
    }
  }

  double greatest_friction() const {
    double greatest = 0;
    for (const Body& body : scene_.bodies) greatest = std::max(greatest, body.friction);
    return greatest;
  }

  const dart::dynamics::ShapeFrame* add_surface(const Body& body, double friction) {
    auto* surface =
        nodes_.back()
            ->createShapeNodeWith<dart::dynamics::CollisionAspect, dart::dynamics::DynamicsAspect>(
                make_shape(body));
    surface->getDynamicsAspect()->setFrictionCoeff(friction);
    // DART multiplies the restitutions of a pair.
    surface->getDynamicsAspect()->setRestitutionCoeff(std::sqrt(scene_.restitution));
    return surface;
  }

  std::shared_ptr<TwoSurfaces> surfaces_ = std::make_shared<TwoSurfaces>();
  dart::simulation::WorldPtr world_ = dart::simulation::World::create();
  std::vector<dart::dynamics::SkeletonPtr> skeletons_;
  std::vector<BodyNode*> nodes_;
};

}  // namespace

std::string library_name() {
  return "DART 6.12";
}

std::string settings_text(const Scene&, Accuracy accuracy) {
  return accuracy == Accuracy::high ? "step 1e-4 s" : "step 1e-3 s";
}

std::unique_ptr<World> make_world(const Scene& scene, Accuracy accuracy) {
  require_rough_floor(scene);
  return std::make_unique<DartWorld>(scene, accuracy);
}

}  // namespace peers
