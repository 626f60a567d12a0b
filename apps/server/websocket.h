#pragma once
// Messages over a WebSocket (RFC 6455), as a server sees them.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace abut::server {

/// The answer to the key that a browser opens with; empty if it is no key.
std::string websocket_answer(std::string_view key);

enum class Opcode : std::uint8_t {
  continuation = 0,
  text = 1,
  binary = 2,
  close = 8,
  ping = 9,
  pong = 10,
};

/// Why a connection is closed (RFC 6455, section 7.4.1).
enum class CloseCode : std::uint16_t {
  normal = 1000,
  protocol_error = 1002,
  not_accepted = 1008,
  too_large = 1009,
};

/// A frame from the server, in one piece and without a mask.
std::string websocket_frame(Opcode opcode, std::string_view payload);
std::string close_frame(CloseCode code);

struct WebSocketMessage {
  Opcode opcode = Opcode::text;  ///< never a continuation
  std::string payload;
};

enum class ReadStatus {
  incomplete,  ///< more bytes are needed
  message,
  failed,  ///< the connection must be closed, see WebSocketReader::failure()
};

/// Puts messages together from the bytes of a browser. Everything that the protocol forbids ends
/// it: frames without a mask, reserved bits, unknown opcodes, lengths that are not in the shortest
/// form, long or divided control frames, pieces out of order.
class WebSocketReader {
 public:
  /// `largest`: size of a message above which it is not read, bytes.
  explicit WebSocketReader(std::size_t largest) : largest_message_(largest) {}

  void feed(std::string_view bytes) { bytes_ += bytes; }
  /// The next message. Call it until it is incomplete.
  ReadStatus next(WebSocketMessage& message);
  CloseCode failure() const { return failure_; }

 private:
  struct Frame {
    Opcode opcode = Opcode::text;
    bool is_last = true;
    std::size_t head = 0;  // bytes before the payload
    std::uint64_t size = 0;
  };
  ReadStatus read_head(Frame& frame);
  ReadStatus fail(CloseCode code);
  bool is_in_order(const Frame& frame) const;
  std::string unmasked(const Frame& frame) const;

  std::size_t largest_message_;
  std::string bytes_;
  std::string pieces_;                           // of a message in several frames
  Opcode pieces_opcode_ = Opcode::continuation;  // of that message; none: continuation
  CloseCode failure_ = CloseCode::normal;
  bool has_failed_ = false;
};

}  // namespace abut::server
