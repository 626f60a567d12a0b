#pragma once
// Seeds of random tests. What holds for one seed may hold by luck of one machine's rounding: a test
// that asks for a seed is run in several rounds, each with another one (tests/main.cpp).

#include <string>

namespace abut::test {

/// Rounds of a test that takes a fraction of a second, and of one that takes seconds.
inline constexpr int usual_rounds = 5;
inline constexpr int few_rounds = 2;

/// The seed of this round of the test that runs; `first` is that of the first round. Under
/// sanitizers, which look for faults of memory and not for rare numbers, there is one round.
unsigned seed(unsigned first, int rounds = usual_rounds);

/// Begins the next round; returns the tests that want it, as a filter, empty without any.
std::string begin_next_round();

}  // namespace abut::test
