#include "record/frame.h"

#include <limits>

namespace abut::record {

// A run in which no gap was ever measured has no smallest one.
Summary::Summary()
    : min_gap(std::numeric_limits<double>::quiet_NaN()),
      max_penetration(std::numeric_limits<double>::quiet_NaN()) {}

}  // namespace abut::record
