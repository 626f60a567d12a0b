#pragma once
// One connection to the local server: its bytes, and what stage its talk has come to. Knows no
// sockets' names and opens none; the server hands it one.

#include <chrono>
#include <string>

#include "server/access.h"
#include "server/conversation.h"
#include "server/descriptor.h"
#include "server/websocket.h"

namespace abut::server {

class Connection {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Connection(Descriptor socket);

  int descriptor() const { return socket_.get(); }
  bool is_stream() const { return stage_ == Stage::stream; }
  bool is_page() const { return is_page_; }  ///< the page was asked for, and is sent
  bool wants_to_write() const { return written_ < outgoing_.size(); }
  /// Nothing more will come of it.
  bool is_over() const;

  /// Reads what is there. `is_taken`: another connection is the user's.
  void read(const Address& address, const std::string& page, bool is_taken,
            Conversation& conversation);
  /// Writes what can be written without waiting.
  void write();
  /// Takes messages of the conversation as long as the browser keeps up with reading them.
  void take_messages(Conversation& conversation);

 private:
  enum class Stage { head, stream, closing };

  void read_head(const Address& address, const std::string& page, bool is_taken,
                 Conversation& conversation);
  void read_messages(Conversation& conversation);
  void answer_ping(const std::string& payload);
  void answer(const std::string& response);
  void close_stream(CloseCode code);

  Descriptor socket_;
  Clock::time_point since_ = Clock::now();
  Stage stage_ = Stage::head;
  std::string incoming_;  // the head of the request
  std::string outgoing_;
  std::size_t written_ = 0;
  WebSocketReader reader_;
  bool is_page_ = false;
  bool is_gone_ = false;  // the other side is
};

}  // namespace abut::server
