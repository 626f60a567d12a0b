#include "server/websocket.h"

#include <stdexcept>

#include "record/text_encoding.h"
#include "server/sha1.h"

namespace abut::server {
namespace {

/// RFC 6455, section 1.3.
constexpr std::string_view protocol_name = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
constexpr std::size_t key_size = 16;

constexpr unsigned last_bit = 0x80, reserved_bits = 0x70, opcode_bits = 0x0F;
constexpr unsigned mask_bit = 0x80, length_bits = 0x7F;
/// Lengths of up to 125 stand in the second byte; these say that two or eight bytes follow.
constexpr unsigned two_bytes_follow = 126, eight_bytes_follow = 127;
constexpr std::uint64_t largest_control = 125, largest_in_two_bytes = 65535;
constexpr std::size_t mask_size = 4;

bool is_known(unsigned opcode) {
  return opcode <= 2 || (opcode >= 8 && opcode <= 10);
}

bool is_control(Opcode opcode) {
  return opcode >= Opcode::close;
}

std::uint64_t big_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char c : bytes) value = value << 8 | static_cast<std::uint8_t>(c);
  return value;
}

}  // namespace

std::string websocket_answer(std::string_view key) {
  try {
    if (record::from_base64(key).size() != key_size) return {};
  } catch (const std::invalid_argument&) {
    return {};
  }
  return record::base64(sha1(std::string(key) + std::string(protocol_name)));
}

std::string websocket_frame(Opcode opcode, std::string_view payload) {
  std::string frame(1, static_cast<char>(last_bit | static_cast<unsigned>(opcode)));
  const std::uint64_t size = payload.size();
  const auto append = [&](int bytes) {
    for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8)
      frame += static_cast<char>(size >> shift & 255);
  };
  if (size <= largest_control) {
    append(1);
  } else if (size <= largest_in_two_bytes) {
    frame += static_cast<char>(two_bytes_follow);
    append(2);
  } else {
    frame += static_cast<char>(eight_bytes_follow);
    append(8);
  }
  frame += payload;
  return frame;
}

std::string close_frame(CloseCode code) {
  const auto number = static_cast<unsigned>(code);
  const std::string payload{static_cast<char>(number >> 8), static_cast<char>(number & 255)};
  return websocket_frame(Opcode::close, payload);
}

ReadStatus WebSocketReader::fail(CloseCode code) {
  failure_ = code;
  has_failed_ = true;
  return ReadStatus::failed;
}

ReadStatus WebSocketReader::read_head(Frame& frame) {
  if (bytes_.size() < 2) return ReadStatus::incomplete;
  const auto first = static_cast<std::uint8_t>(bytes_[0]);
  const auto second = static_cast<std::uint8_t>(bytes_[1]);
  if ((first & reserved_bits) != 0 || !is_known(first & opcode_bits) || (second & mask_bit) == 0)
    return fail(CloseCode::protocol_error);
  frame.opcode = static_cast<Opcode>(first & opcode_bits);
  frame.is_last = (first & last_bit) != 0;
  frame.size = second & length_bits;
  const bool is_long = frame.size >= two_bytes_follow;
  const std::size_t more = frame.size == two_bytes_follow ? 2 : is_long ? 8 : 0;
  if (is_control(frame.opcode) && (is_long || !frame.is_last))
    return fail(CloseCode::protocol_error);
  if (bytes_.size() < 2 + more) return ReadStatus::incomplete;
  if (is_long) {
    frame.size = big_endian(std::string_view(bytes_).substr(2, more));
    if (frame.size <= (more == 2 ? largest_control : largest_in_two_bytes))
      return fail(CloseCode::protocol_error);
  }
  frame.head = 2 + more + mask_size;
  return ReadStatus::message;
}

bool WebSocketReader::is_in_order(const Frame& frame) const {
  if (is_control(frame.opcode)) return true;
  const bool within = pieces_opcode_ != Opcode::continuation;
  return (frame.opcode == Opcode::continuation) == within;
}

std::string WebSocketReader::unmasked(const Frame& frame) const {
  std::string payload = bytes_.substr(frame.head, static_cast<std::size_t>(frame.size));
  const std::size_t mask = frame.head - mask_size;
  for (std::size_t i = 0; i < payload.size(); ++i)
    payload[i] = static_cast<char>(payload[i] ^ bytes_[mask + i % mask_size]);
  return payload;
}

ReadStatus WebSocketReader::next(WebSocketMessage& message) {
  while (!has_failed_) {
    Frame frame;
    const ReadStatus head = read_head(frame);
    if (head != ReadStatus::message) return head;
    if (!is_in_order(frame)) return fail(CloseCode::protocol_error);
    // Before the payload is there: what is too large is never kept.
    const std::size_t before = is_control(frame.opcode) ? 0 : pieces_.size();
    if (frame.size > largest_message_ - before) return fail(CloseCode::too_large);
    if (bytes_.size() < frame.head + frame.size) return ReadStatus::incomplete;
    std::string payload = unmasked(frame);
    bytes_.erase(0, frame.head + payload.size());
    if (is_control(frame.opcode)) {
      message = {frame.opcode, std::move(payload)};
      return ReadStatus::message;
    }
    if (frame.opcode != Opcode::continuation) pieces_opcode_ = frame.opcode;
    pieces_ += payload;
    if (!frame.is_last) continue;
    message = {pieces_opcode_, std::move(pieces_)};
    pieces_.clear();
    pieces_opcode_ = Opcode::continuation;
    return ReadStatus::message;
  }
  return ReadStatus::failed;
}

}  // namespace abut::server
