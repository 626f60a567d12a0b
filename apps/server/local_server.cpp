#include "server/local_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <list>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "server/connection.h"

namespace abut::server {
namespace {

using Clock = std::chrono::steady_clock;

/// A page that is loaded anew is back within this; one that is not was closed.
constexpr auto reload_time = std::chrono::milliseconds(2500);

/// A page that was asked for is given this long to connect, on a busy machine too.
constexpr auto loading_time = std::chrono::seconds(20);

/// Connections at a time: a browser opens a few; more is someone else's nonsense.
constexpr std::size_t most_connections = 16;

/// How often signals and times are looked at while nothing happens, ms.
constexpr int heartbeat = 100;

[[noreturn]] void fail(const char* what) {
  throw std::runtime_error(std::string("the server: ") + what + ": " +
                           std::generic_category().message(errno));
}

sockaddr_in loopback(int port) {
  sockaddr_in place{};
  place.sin_family = AF_INET;
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  place.sin_port = htons(static_cast<std::uint16_t>(port));
  return place;
}

Descriptor listening_socket(int port) {
  Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket.is_open()) fail("no socket");
  const int yes = 1;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  const sockaddr_in place = loopback(port);
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&place), sizeof place) != 0)
    fail("the port cannot be had");
  if (::listen(socket.get(), static_cast<int>(most_connections)) != 0) fail("no listening");
  return socket;
}

int port_of(const Descriptor& socket) {
  sockaddr_in place{};
  socklen_t size = sizeof place;
  if (::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&place), &size) != 0)
    fail("no address");
  return ntohs(place.sin_port);
}

/// The connections of the moment, and whether the page is still there.
class Reception {
 public:
  Reception(const Address& address, const Descriptor& listener, const std::string& page,
            Conversation& conversation)
      : address_(address), listener_(listener), page_(page), conversation_(conversation) {}
  ~Reception() {
    if (stream_ != nullptr) conversation_.end();
  }
  Reception(const Reception&) = delete;
  Reception& operator=(const Reception&) = delete;

  /// Waits for something to happen and deals with it.
  void attend() {
    std::vector<pollfd> watched{{listener_.get(), POLLIN, 0}, {conversation_.bell(), POLLIN, 0}};
    for (const Connection& one : connections_) {
      const auto events = static_cast<short>(POLLIN | (one.wants_to_write() ? POLLOUT : 0));
      watched.push_back({one.descriptor(), events, 0});
    }
    if (::poll(watched.data(), watched.size(), heartbeat) < 0 && errno != EINTR) fail("no waiting");
    std::size_t place = 2;
    for (Connection& one : connections_) deal_with(one, watched[place++].revents);
    drop_finished();
    if ((watched[0].revents & POLLIN) != 0) let_in();
  }

  /// The page was there, and did not come back.
  bool is_over() const {
    const bool is_loading = asked_ && Clock::now() - *asked_ < loading_time;
    return left_ && !is_loading && Clock::now() - *left_ > reload_time;
  }

 private:
  void let_in() {
    Descriptor socket(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!socket.is_open() || connections_.size() >= most_connections) return;
    const int yes = 1;
    ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    connections_.emplace_back(std::move(socket));
  }

  void deal_with(Connection& one, short happened) {
    if ((happened & (POLLIN | POLLHUP | POLLERR)) != 0)
      one.read(address_, page_, stream_ != nullptr, conversation_);
    if (stream_ == nullptr && one.is_stream()) {
      stream_ = &one;
      left_.reset();
      asked_.reset();
    }
    if (one.is_page()) asked_ = Clock::now();
    if (stream_ == &one) one.take_messages(conversation_);
    one.write();
  }

  void drop_finished() {
    connections_.remove_if([this](const Connection& one) {
      if (!one.is_over()) return false;
      if (stream_ == &one) {
        stream_ = nullptr;
        left_ = Clock::now();
        conversation_.end();
      }
      return true;
    });
  }

  const Address& address_;
  const Descriptor& listener_;
  const std::string& page_;
  Conversation& conversation_;
  std::list<Connection> connections_;
  const Connection* stream_ = nullptr;      // the user's
  std::optional<Clock::time_point> left_;   // when the page was last seen to go
  std::optional<Clock::time_point> asked_;  // when it was last sent, since it connected
};

}  // namespace

LocalServer::LocalServer(int port) : listener_(listening_socket(port)) {
  address_ = {port_of(listener_), make_token()};
}

void LocalServer::serve(const std::string& page, Conversation& conversation,
                        const std::atomic<bool>& interrupt) {
  Reception reception(address_, listener_, page, conversation);
  while (!interrupt && !reception.is_over()) reception.attend();
}

}  // namespace abut::server
