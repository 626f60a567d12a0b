#pragma once
// What is asked of the shapes of two bodies: when they first touch, whether they overlap, their
// contacts, and what these hold.

#include <memory>
#include <vector>

#include "broad/sweep_and_prune.h"
#include "contact/contact.h"
#include "integrate/spring_scale.h"
#include "loop/spring_watch.h"
#include "narrow/body_shape.h"
#include "toi/first_contact.h"

namespace abut::loop {

class PairGeometry {
 public:
  PairGeometry(const model::Model& model, const integrate::Scripts& scripts)
      : model_(model),
        spring_scale_(integrate::spring_scale(model, scripts)),
        shapes_(model.bodies.size()) {}

  const integrate::SpringScale& spring_scale() const { return spring_scale_; }

  toi::FirstContact search(BodyIndex a, BodyIndex b) const;
  /// By more than contact events mend; at poses of the motion frames, here as below.
  bool overlap(BodyIndex a, BodyIndex b, const Pose& pose_a, const Pose& pose_b) const;
  bool are_nested(const broad::Pair& pair, const Pose& pose_a, const Pose& pose_b);
  /// Makes the shapes of two bodies; whether contacts of them can be told.
  bool make_shapes(const broad::Pair& pair);
  /// Of bodies whose shapes were made. The query is made where it is null.
  std::vector<contact::Contact> contacts(const broad::Pair& pair,
                                         std::unique_ptr<narrow::PairQuery>& query,
                                         const Pose& pose_a, const Pose& pose_b) const;
  SpringWatch watch_of(const broad::Pair& pair, std::vector<contact::Contact> springs) const;
  std::vector<toi::PartHold> holds(const broad::Pair& pair,
                                   const std::vector<contact::Contact>& contacts,
                                   const body::RigidMotion& motion_a,
                                   const body::RigidMotion& motion_b);

 private:
  std::shared_ptr<const narrow::BodyShape> shape_of(BodyIndex body);

  const model::Model& model_;
  const integrate::SpringScale spring_scale_;
  std::vector<std::shared_ptr<const narrow::BodyShape>> shapes_;  // by body, made when needed
};

}  // namespace abut::loop
