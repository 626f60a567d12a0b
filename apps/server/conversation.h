#pragma once
// What a page talks to once it is connected.

#include <optional>
#include <string>
#include <string_view>

namespace abut::server {

struct OutgoingMessage {
  bool is_text = false;  ///< JSON; otherwise a chunk of a playback
  std::string bytes;
};

class Conversation {
 public:
  virtual ~Conversation() = default;

  /// A page has connected, anew or for the first time.
  virtual void begin() = 0;
  /// A message of the page. False: it makes no sense, and the connection is to be closed.
  virtual bool hear(std::string_view text) = 0;
  /// The page is gone.
  virtual void end() = 0;
  /// What is to be sent next, if anything is.
  virtual std::optional<OutgoingMessage> next() = 0;
  /// Becomes readable when there may be something to send; -1: there never is.
  virtual int bell() const { return -1; }
};

/// For a page that only tells, by its connection, that it is still open.
class Silence final : public Conversation {
 public:
  void begin() override {}
  bool hear(std::string_view /*text*/) override { return false; }
  void end() override {}
  std::optional<OutgoingMessage> next() override { return std::nullopt; }
};

}  // namespace abut::server
