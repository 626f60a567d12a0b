#pragma once
// A short fingerprint of a text, the same on every machine.

#include <string>
#include <string_view>

namespace abut::record {

/// 64-bit FNV-1a of the bytes, as 16 hexadecimal digits. Tells texts apart; no protection against
/// someone who wants two to look alike.
std::string text_hash(std::string_view text);

}  // namespace abut::record
