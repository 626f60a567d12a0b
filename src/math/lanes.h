#pragma once
// Vectors of many nodes in single precision, eight nodes at a time: all x, then all y, then all z.
//
// Nodes have places. A window of eight places may begin anywhere, so that there are eight unused
// places, always zero, before the first and after the last. Sums go lane by lane in a fixed order.

#include <Eigen/Core>
#include <array>
#include <vector>

#include "abut/types.h"

namespace abut::math {

inline constexpr int lane_count = 8;
using Lanes = Eigen::Array<float, lane_count, 1>;

/// Eight windows of a symmetric block: xx, yy, zz, xy, xz, yz.
inline constexpr int block_parts = 6;

struct LaneTriple {
  Lanes x, y, z;
};

class LaneVector {
 public:
  /// All zero, with room for so many places, a multiple of eight.
  void resize(int places) {
    stride_ = places + 2 * lane_count;
    data_.setZero(3 * stride_);
  }
  int places() const { return stride_ - 2 * lane_count; }

  LaneTriple window(int place) const {
    const float* at = data_.data() + lane_count + place;
    return {Eigen::Map<const Lanes>(at), Eigen::Map<const Lanes>(at + stride_),
            Eigen::Map<const Lanes>(at + 2 * stride_)};
  }
  void set_window(int place, const LaneTriple& value) {
    float* at = data_.data() + lane_count + place;
    Eigen::Map<Lanes>{at} = value.x;
    Eigen::Map<Lanes>{at + stride_} = value.y;
    Eigen::Map<Lanes>{at + 2 * stride_} = value.z;
  }
  Vec3 node(int place) const {
    const int at = lane_count + place;
    return {data_[at], data_[at + stride_], data_[at + 2 * stride_]};
  }
  void set_node(int place, const Vec3& value) {
    for (int i = 0; i < 3; ++i)
      data_[lane_count + place + i * stride_] = static_cast<float>(value[i]);
  }
  void add_node(int place, const Vec3& value) {
    for (int i = 0; i < 3; ++i)
      data_[lane_count + place + i * stride_] += static_cast<float>(value[i]);
  }

  /// All numbers, with the unused ones: a multiple of eight.
  Eigen::ArrayXf& all() { return data_; }
  const Eigen::ArrayXf& all() const { return data_; }
  Lanes eight(Eigen::Index i) const { return data_.segment<lane_count>(i); }

 private:
  int stride_ = 2 * lane_count;
  Eigen::ArrayXf data_ = Eigen::ArrayXf::Zero(6 * lane_count);
};

inline double dot(const LaneVector& x, const LaneVector& y) {
  Eigen::Array<double, lane_count, 1> sum = Eigen::Array<double, lane_count, 1>::Zero();
  for (Eigen::Index i = 0; i < x.all().size(); i += lane_count)
    sum += (x.eight(i) * y.eight(i)).cast<double>();
  double total = 0;
  for (int i = 0; i < lane_count; ++i) total += sum[i];
  return total;
}

/// B v for eight blocks.
inline LaneTriple times(const float* b, const LaneTriple& v) {
  const auto part = [b](int i) { return Eigen::Map<const Lanes>(b + i * lane_count); };
  return {part(0) * v.x + part(3) * v.y + part(4) * v.z,
          part(3) * v.x + part(1) * v.y + part(5) * v.z,
          part(4) * v.x + part(5) * v.y + part(2) * v.z};
}

/// sum -= B v.
inline void subtract(const float* b, const LaneTriple& v, LaneTriple& sum) {
  const LaneTriple product = times(b, v);
  sum.x -= product.x;
  sum.y -= product.y;
  sum.z -= product.z;
}

/// Writes a symmetric block to one lane of eight.
inline void set_block(const Mat3& block, int lane, float* b) {
  const std::array<double, block_parts> parts = {block(0, 0), block(1, 1), block(2, 2),
                                                 block(0, 1), block(0, 2), block(1, 2)};
  for (int i = 0; i < block_parts; ++i) b[i * lane_count + lane] = static_cast<float>(parts[i]);
}

}  // namespace abut::math
