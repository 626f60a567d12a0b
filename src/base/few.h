#pragma once
// A sequence that mostly has few items, which it keeps without asking for memory.

#include <boost/container/small_vector.hpp>
#include <cstddef>

namespace abut {

template <class Item, std::size_t few>
using Few = boost::container::small_vector<Item, few>;

}  // namespace abut
