#pragma once
// How much a test tries.

#include <algorithm>
#include <cstdlib>

namespace abut::test {

#ifdef ABUT_SANITIZED
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

/// The size of a large input: a tenth under sanitizers, which are up to a hundred times slower.
inline int large(int size) {
  return sanitized ? std::max(1, size / 10) : size;
}

/// Whether the tests run at full size: the environment variable ABUT_TEST_FULL is set.
inline bool full_size() {
  return std::getenv("ABUT_TEST_FULL") != nullptr;
}

/// The number of random cases a property test tries: `quick`, ten times that at full size, and a
/// tenth under sanitizers.
inline int cases(int quick) {
  return large(full_size() ? 10 * quick : quick);
}

}  // namespace abut::test
