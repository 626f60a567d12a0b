#pragma once
// Who may talk to the local server, and about what.
//
// The server listens on 127.0.0.1 only, but any page that the user has open can send requests
// there, and by giving its own name the address 127.0.0.1 it can even read the answers. Against
// that: the Host must be the server's own address, an Origin (which scripts cannot forge) must be
// its own page, and the path must begin with a secret that only the user was told.

#include <string>
#include <string_view>

#include "server/http_request.h"

namespace abut::server {

struct Address {
  int port = 0;
  std::string token;  ///< the first part of every path

  std::string url() const;
};

/// 128 random bits in hexadecimal digits, from the system's source for secrets.
std::string make_token();

enum class Errand { page, stream, refused };

struct Verdict {
  Errand errand = Errand::refused;
  int status = 403;       ///< of the answer, if refused
  std::string reason;     ///< likewise, for people
  std::string handshake;  ///< of a stream: what to answer its key with
};

/// `is_taken`: a page is connected. There is one user, so that no second stream is opened. The page
/// itself may be asked for: one that is loaded anew comes before the old one is gone.
Verdict judge(const HttpRequest& request, const Address& address, bool is_taken);

/// Whether the texts are equal, in a time that does not depend on where they differ.
bool same_secret(std::string_view a, std::string_view b);

}  // namespace abut::server
