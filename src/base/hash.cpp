#include "base/hash.h"

#include <fmt/format.h>

namespace abut::base {

void Hash::add(std::string_view text) {
  add(static_cast<std::uint64_t>(text.size()));
  for (const char c : text) add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
}

std::string Hash::hex() const {
  return fmt::format("{:016x}", state_);
}

}  // namespace abut::base
