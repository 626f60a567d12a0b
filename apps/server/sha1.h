#pragma once
// SHA-1 (FIPS 180-4), which the opening of a WebSocket asks for. Not for secrets.

#include <string>
#include <string_view>

namespace abut::server {

/// The 20 bytes of the digest.
std::string sha1(std::string_view bytes);

}  // namespace abut::server
