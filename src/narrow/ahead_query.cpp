#include "narrow/ahead_query.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "narrow/part_pair.h"
#include "narrow/solid_id.h"

namespace abut::narrow {

AheadQuery::AheadQuery(std::shared_ptr<const BodyShape> a, std::shared_ptr<const BodyShape> b)
    : a_(std::move(a)), b_(std::move(b)) {
  for (const Solid& solid_a : a_->solids())
    for (const Solid& solid_b : b_->solids()) pairs_.push_back(make_part_pair(solid_a, solid_b));
}

AheadQuery::AheadQuery(AheadQuery&&) noexcept = default;
AheadQuery& AheadQuery::operator=(AheadQuery&&) noexcept = default;
AheadQuery::~AheadQuery() = default;

AheadQuery::Found AheadQuery::separations(const Pose& a, const Pose& b, const Ahead& ahead) {
  Found all;
  PairStatistics unused;
  const Vec3 offset = a.position - b.position;
  if (!offset.allFinite()) return all;
  const auto named = [](int found, const Solid& solid) {
    return is_cell(found) ? found : solid.part;
  };
  std::size_t k = 0;
  for (const Solid& solid_a : a_->solids())
    for (const Solid& solid_b : b_->solids()) {
      PartPair& pair = *pairs_[k++];
      const Placed part_a = placed(solid_a, offset, a.orientation);
      const Placed part_b = placed(solid_b, Vec3::Zero(), b.orientation);
      if ((part_a.position - part_b.position).norm() - solid_a.bounding_radius() -
              solid_b.bounding_radius() >
          ahead.reach)
        continue;
      const std::size_t before = all.separations.size();
      all.reach = std::max(all.reach,
                           pair.separations_ahead(part_a, part_b, ahead, unused, all.separations));
      for (std::size_t i = before; i < all.separations.size(); ++i) {
        Separation& found = all.separations[i];
        found.part_a = named(found.part_a, solid_a);
        found.part_b = named(found.part_b, solid_b);
        found.point_a += b.position;
        found.point_b += b.position;
      }
    }
  std::erase_if(all.separations, [](const Separation& found) { return !std::isfinite(found.gap); });
  return all;
}

}  // namespace abut::narrow
