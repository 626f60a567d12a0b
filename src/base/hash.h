#pragma once
// A fast 64-bit fingerprint of a sequence of numbers. Not cryptographic: it answers "are these the
// same bits?" across runs, thread counts and restarts.

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace abut::base {

class Hash {
 public:
  void add(std::uint64_t word) {
    state_ = (state_ ^ word) * 0x9E3779B97F4A7C15ULL;  // 2^64 / golden ratio, odd
    state_ ^= state_ >> 32;
  }
  /// Numbers that compare equal hash equal: -0.0 counts as 0.0.
  void add(double number) { add(std::bit_cast<std::uint64_t>(number == 0 ? 0.0 : number)); }
  void add(std::string_view text);

  std::uint64_t value() const { return state_; }
  /// 16 hexadecimal digits.
  std::string hex() const;

 private:
  std::uint64_t state_ = 0x243F6A8885A308D3ULL;  // the fraction of pi: nothing up the sleeve
};

}  // namespace abut::base
