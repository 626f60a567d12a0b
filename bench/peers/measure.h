#pragma once
// The errors of a run against the exact answer of its scene, from what every library can show: the
// states of its bodies. The same code judges all of them.

#include <memory>
#include <string>
#include <vector>

#include "world.h"

namespace peers {

struct Quantity {
  std::string name;
  std::string unit;
  double value = 0;  ///< never negative; NaN: what it is about did not happen
};

class Measure {
 public:
  virtual ~Measure() = default;
  virtual void look(const Snapshot& snapshot) = 0;
  /// The first one is the error that is plotted.
  virtual std::vector<Quantity> results() const = 0;
};

std::unique_ptr<Measure> measure_for(const Scene& scene);

}  // namespace peers
