#pragma once
// What `abut check` finds worth a remark, though nothing is wrong with it.

#include <string>
#include <vector>

#include "model/model.h"

namespace abut::cli {

std::vector<std::string> notes_on(const model::Model& model);

}  // namespace abut::cli
