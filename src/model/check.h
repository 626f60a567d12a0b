#pragma once
// The invariants every model must satisfy, however it was made.

#include <string>
#include <vector>

#include "model/model.h"

namespace abut::model {

/// What is wrong with one body (its name, numbers, shapes and mass), as messages; empty: nothing.
std::vector<std::string> faults_of(const Body& body);

/// What is wrong with one joint between the model's bodies: its ends, its numbers, and whether it
/// is closed and within its limits at time 0.
std::vector<std::string> faults_of(const joint::Joint& joint, const Model& model);

/// What is wrong with the model as a whole: settings, references, unique names, every body and
/// every joint.
std::vector<std::string> faults_of(const Model& model);

}  // namespace abut::model
