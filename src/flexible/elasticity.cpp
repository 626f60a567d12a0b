#include "flexible/elasticity.h"

namespace abut::flexible {

void add_product(const std::vector<ColumnPair>& pairs, const Blocks& blocks, double scale,
                 const Columns& x, Columns& y) {
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const auto [k, l] = pairs[p];
    y.col(k) += scale * blocks[p] * x.col(l);
    if (k != l) y.col(l) += scale * blocks[p].transpose() * x.col(k);
  }
}

}  // namespace abut::flexible
