#include "force/nearest_allowed.h"

namespace abut::force {

Eigen::VectorXd Limits::nearest(const Eigen::VectorXd& v,
                                std::vector<lcp::PartMatrix>* slopes) const {
  Eigen::VectorXd x = v;
  for (const LimitedForce& force : forces_) {
    lcp::Part part = lcp::Part::Zero();
    for (int k = 0; k < force.block.rows; ++k) part[k] = v[force.places[lcp::at(k)]];
    const lcp::NearestPart found = lcp::nearest_part(force.block, part);
    for (int k = 0; k < force.block.rows; ++k) x[force.places[lcp::at(k)]] = found.value[k];
    if (slopes != nullptr) slopes->push_back(found.slope);
  }
  return x;
}

}  // namespace abut::force
