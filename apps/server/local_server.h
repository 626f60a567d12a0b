#pragma once
// A server for one page and one user on this machine. It ends when the page is closed.

#include <atomic>
#include <string>

#include "server/access.h"
#include "server/conversation.h"
#include "server/descriptor.h"

namespace abut::server {

/// The largest message that a page may send, bytes; its own have a hundred or so.
inline constexpr std::size_t largest_message = 4096;

class LocalServer {
 public:
  /// Listens on 127.0.0.1. Port 0: any that is free. Throws std::runtime_error if it cannot.
  explicit LocalServer(int port);

  const Address& address() const { return address_; }

  /// Serves the page until it was opened and closed again, or until `interrupt` turns true. A page
  /// that comes back at once, because it is loaded anew, is let in again.
  void serve(const std::string& page, Conversation& conversation,
             const std::atomic<bool>& interrupt);

 private:
  Address address_;
  Descriptor listener_;
};

}  // namespace abut::server
