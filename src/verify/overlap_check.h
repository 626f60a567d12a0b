#pragma once
// No two bodies overlap in any recorded configuration.

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "geometry/aabb.h"
#include "model/model.h"
#include "verify/check.h"
#include "verify/pair_judge.h"
#include "verify/passing_pairs.h"

namespace abut::verify {

/// Overlaps up to this are no fault.
struct AllowedDepth {
  double depth = 0;         ///< m
  bool by_springs = false;  ///< contacts are springs, which have to be overlapped to push
};

class OverlapCheck : public Check {
 public:
  /// The model must outlive the check.
  OverlapCheck(const model::Model& model, const AllowedDepth& allowed);

  void frame(const record::Frame& frame) override;
  std::string measured() const override;

 private:
  struct Body {
    std::vector<Solid> solids;
    geometry::Aabb box;                       ///< of all of them, body frame
    std::vector<geometry::Aabb> solid_boxes;  ///< in the world, in this frame
    geometry::Aabb world;                     ///< in this frame
    bool has_moved = true;                    ///< since the last frame
  };
  struct Memory {
    std::vector<Hint> hints;  ///< by pair of solids
    long frame = -1;          ///< when the verdict was found
    bool is_clean = false;    ///< no overlap, and nothing unknown
  };

  void choose(const record::Frame& frame);
  void place(const record::Frame& frame);
  void find_parted_pairs(const record::Frame& frame);
  bool are_apart(std::size_t a, std::size_t b, const record::Frame& frame) const;
  void find_bounded_pairs(const record::Frame& frame);
  void examine(std::size_t a, std::size_t b, const record::Frame& frame);
  void compare(std::size_t a, std::size_t b, const record::Frame& frame, Memory& memory);
  void note(std::size_t a, std::size_t b, const Solid& solid_a, const Solid& solid_b,
            const Verdict& verdict, const record::Frame& frame);
  bool may_touch(std::size_t a, std::size_t b) const;
  static std::uint64_t key_of(std::size_t a, std::size_t b) {
    return (static_cast<std::uint64_t>(a) << 32U) | b;
  }

  const model::Model& model_;
  AllowedDepth allowed_;
  std::vector<Body> bodies_;
  std::vector<std::size_t> all_bounded_, all_unbounded_;
  std::vector<std::size_t> bounded_, unbounded_;  ///< whose states are known in this frame
  PassingPairs passing_;
  std::unordered_map<std::uint64_t, Memory> memories_;
  std::vector<BodyState> last_;
  long frames_ = 0, near_pairs_ = 0, exact_ = 0, within_rounding_ = 0;
  double deepest_ = 0;
};

}  // namespace abut::verify
