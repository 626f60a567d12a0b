#pragma once
// Everything: models, simulations, and the data they exchange.

#include "abut/brep_index.h"
#include "abut/classification.h"
#include "abut/diagnostics.h"
#include "abut/model.h"
#include "abut/simulation.h"
#include "abut/summary.h"
#include "abut/surface.h"
#include "abut/types.h"

namespace abut {

/// The version of the library, such as `0.1.0`.
ABUT_API std::string_view version();

}  // namespace abut
