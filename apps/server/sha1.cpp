#include "server/sha1.h"

#include <array>
#include <bit>
#include <cstdint>

namespace abut::server {
namespace {

constexpr std::size_t block_size = 64;

/// The message, a one bit, zeros, and the length in bits: whole blocks.
std::string padded(std::string_view bytes) {
  std::string text(bytes);
  text += '\x80';
  while (text.size() % block_size != block_size - 8) text += '\0';
  const std::uint64_t bits = std::uint64_t{8} * bytes.size();
  for (int shift = 56; shift >= 0; shift -= 8) text += static_cast<char>(bits >> shift & 255);
  return text;
}

std::uint32_t word_at(std::string_view text, std::size_t place) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i) word = word << 8 | static_cast<std::uint8_t>(text[place + i]);
  return word;
}

using State = std::array<std::uint32_t, 5>;

/// The function and the constant of a round (FIPS 180-4, sections 4.1.1 and 4.2.1).
std::uint32_t mixed(int round, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  if (round < 20) return ((b & c) | (~b & d)) + 0x5A827999U;
  if (round < 40) return (b ^ c ^ d) + 0x6ED9EBA1U;
  if (round < 60) return ((b & c) | (b & d) | (c & d)) + 0x8F1BBCDCU;
  return (b ^ c ^ d) + 0xCA62C1D6U;
}

void take_block(State& state, std::string_view block) {
  std::array<std::uint32_t, 80> w{};
  for (std::size_t i = 0; i < 16; ++i) w[i] = word_at(block, 4 * i);
  for (std::size_t i = 16; i < 80; ++i)
    w[i] = std::rotl(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
  auto [a, b, c, d, e] = state;
  for (int round = 0; round < 80; ++round) {
    const std::uint32_t next =
        std::rotl(a, 5) + mixed(round, b, c, d) + e + w[static_cast<std::size_t>(round)];
    e = d;
    d = c;
    c = std::rotl(b, 30);
    b = a;
    a = next;
  }
  const State add{a, b, c, d, e};
  for (std::size_t i = 0; i < 5; ++i) state[i] += add[i];
}

}  // namespace

std::string sha1(std::string_view bytes) {
  State state{0x67452301U, 0xEFCDAB89U, 0x98BADCFEU, 0x10325476U, 0xC3D2E1F0U};
  const std::string text = padded(bytes);
  for (std::size_t i = 0; i < text.size(); i += block_size)
    take_block(state, std::string_view(text).substr(i, block_size));
  std::string digest;
  for (const std::uint32_t word : state)
    for (int shift = 24; shift >= 0; shift -= 8) digest += static_cast<char>(word >> shift & 255);
  return digest;
}

}  // namespace abut::server
