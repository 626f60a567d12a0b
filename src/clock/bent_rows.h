#pragma once
// Bodies that bend in a step of an island: what they do alone, what they could touch, and their
// rows of the problem.

#include <vector>

#include "clock/step_attempt.h"

namespace abut::clock {

/// What a body that bends does without impulses of the problem.
void predict_bent(Attempt& attempt, int place);

/// Takes the motion of a body that bends from the problem.
void read_bent(Attempt& attempt, int place, const law::StepProblem& problem);

/// Sets the velocities of all slots of a body that bends to those without impulses.
void set_free(const AttemptBody& body, int place, law::StepProblem& problem);

void collect_bent_contacts(Attempt& attempt);
void add_bent_contact(Attempt& attempt, std::size_t pair, std::size_t contact);

/// Nodes of a sheet that dynamic bodies hold.
void add_holds(Attempt& attempt, int place);

void prove_bent(Attempt& attempt, std::vector<Failure>& failures);
void add_late_bent_contacts(Attempt& attempt, const Failure& failure);

/// Whether a body is turned inside out where the step ends; at the shortest step that is an error.
bool is_inside_out(const Attempt& attempt);

/// Where the point that holds a node of a sheet is, for the motion frame of its body.
Vec3 hold_place(const model::Model& model, const model::Bending& bending, const model::Hold& hold,
                const Pose& motion_pose);

/// The material point at x; of a sheet, the node nearest to it.
std::vector<flexible::ColumnWeight> weights_near(const flexible::BendingBody& body,
                                                 const flexible::Columns& columns, const Vec3& x);

}  // namespace abut::clock
