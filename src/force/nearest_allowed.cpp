#include "force/nearest_allowed.h"

namespace abut::force {

Eigen::VectorXd Limits::nearest(const Eigen::VectorXd& v,
                                std::vector<lcp::PartMatrix>* slopes) const {
  Eigen::VectorXd x = v;
  for (const LimitedForce& force : forces_) {
    lcp::Part part = lcp::Part::Zero();
    for (int k = 0; k < force.block.rows; ++k) part[k] = v[force.places[lcp::at(k)]];
    lcp::NearestPart found = lcp::nearest_part(force.block, part);
    found.value += leak_ * (part - found.value);
    for (int k = 0; k < force.block.rows; ++k) x[force.places[lcp::at(k)]] = found.value[k];
    if (slopes == nullptr) continue;
    found.slope *= 1 - leak_;
    found.slope.diagonal().array() += leak_;
    slopes->push_back(found.slope);
  }
  return x;
}

}  // namespace abut::force
