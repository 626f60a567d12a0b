#pragma once
// The colours in which bodies are shown.

#include <vector>

#include "model/model.h"

namespace abut::record {

/// The scene's colours (sRGB). A body that it gives none has one of a palette that people with any
/// kind of colour vision tell apart: bodies of one family (`brick[0,0,0]`, `brick[0,0,1]`, ...) the
/// same, a little lighter or darker from one to the next. Fixed bodies are grey.
std::vector<model::Color> display_colors(const model::Model& model);

}  // namespace abut::record
