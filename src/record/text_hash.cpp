#include "record/text_hash.h"

#include <fmt/format.h>

#include <cstdint>

namespace abut::record {

std::string text_hash(std::string_view text) {
  constexpr std::uint64_t offset_basis = 0xcbf29ce484222325U;
  constexpr std::uint64_t prime = 0x100000001b3U;
  std::uint64_t hash = offset_basis;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * prime;
  return fmt::format("{:016x}", hash);
}

}  // namespace abut::record
