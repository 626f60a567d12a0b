#pragma once
// Bodies that fit exactly between others, so that no gap is left for their contacts.

#include <string>
#include <vector>

#include "pair_facts.h"

namespace abut::cli {

/// A remark for every body that faces touch from opposite sides, of one other body or of several
/// that do not yield: contacts are kept at gaps, and a run has no room for these.
std::vector<std::string> notes_on_fits(const model::Model& model,
                                       const std::vector<PairFacts>& pairs);

}  // namespace abut::cli
