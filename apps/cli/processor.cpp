// What is compiled for processors with AVX2 dies of an illegal instruction on those without. This
// says so first: before main, and before anything else of the program is initialised.
//
// This file alone is compiled for every x86-64 (CMakeLists.txt), and calls nothing but the kernel.

#ifdef ABUT_NEEDS_AVX2

#include <unistd.h>

namespace {

constexpr char sentence[] =
    "abut: error: this program was built for processors with AVX2, FMA, BMI and BMI2 (x86-64-v3), "
    "which this one is not; build it with: cmake --preset release -DABUT_MARCH=x86-64 && cmake "
    "--build build\n";

// 101 is the first of the priorities that are not reserved: objects without one come after it.
[[gnu::constructor(101)]] void refuse_older_processors() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2"))
    return;
  // Whether it arrives or not: there is nothing else to do.
  if (::write(STDERR_FILENO, sentence, sizeof sentence - 1) < 0) ::_exit(1);
  ::_exit(1);
}

}  // namespace

#endif
