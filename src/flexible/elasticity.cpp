#include "flexible/elasticity.h"

namespace abut::flexible {

void add_product(const std::vector<ColumnPair>& pairs, const Blocks& blocks, double scale,
                 const Columns& x, Columns& y) {
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const auto [k, l] = pairs[p];
    const Vec3 first = scale * x.col(k), second = scale * x.col(l);
    y.col(k).noalias() += blocks[p] * second;
    if (k != l) y.col(l).noalias() += blocks[p].transpose() * first;
  }
}

}  // namespace abut::flexible
