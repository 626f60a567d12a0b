#pragma once
// How much a test tries.

#include <cstdlib>

namespace abut::test {

#ifdef ABUT_SANITIZED
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

/// The number of random cases a property test tries: `quick`, or ten times that when the
/// environment variable ABUT_TEST_FULL is set.
inline int cases(int quick) {
  return std::getenv("ABUT_TEST_FULL") != nullptr ? 10 * quick : quick;
}

/// The size of a large input: a tenth under sanitizers, which are up to a hundred times slower.
inline int large(int size) {
  return sanitized ? size / 10 : size;
}

}  // namespace abut::test
