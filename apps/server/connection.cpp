#include "server/connection.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>

#include "server/local_server.h"

namespace abut::server {
namespace {

/// How long a request may take to arrive, and an answer to leave.
constexpr auto patience = std::chrono::seconds(10);

/// While this much waits to be sent, nothing more is taken: the conversation waits in turn.
constexpr std::size_t enough_waiting = std::size_t{1} << 20;

/// The page holds its scripts and styles itself and may reach nothing but this server.
std::string page_headers(int port) {
  return fmt::format(
      "Content-Security-Policy: default-src 'none'; script-src 'unsafe-inline'; "
      "style-src 'unsafe-inline'; img-src data: blob:; connect-src ws://127.0.0.1:{0} "
      "ws://localhost:{0}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n",
      port);
}

std::string refused(int status, std::string_view reason) {
  return http_response(status, "text/plain; charset=utf-8", fmt::format("abut: {}\n", reason));
}

}  // namespace

Connection::Connection(Descriptor socket) : socket_(std::move(socket)), reader_(largest_message) {}

bool Connection::is_over() const {
  if (is_gone_) return true;
  if (stage_ == Stage::closing && !wants_to_write()) return true;
  return stage_ != Stage::stream && Clock::now() - since_ > patience;
}

void Connection::answer(const std::string& response) {
  outgoing_ += response;
  stage_ = Stage::closing;
}

void Connection::close_stream(CloseCode code) {
  outgoing_ += close_frame(code);
  stage_ = Stage::closing;
  since_ = Clock::now();
}

void Connection::read(const Address& address, const std::string& page, bool is_taken,
                      Conversation& conversation) {
  std::array<char, 16384> buffer;
  const ssize_t count = ::recv(socket_.get(), buffer.data(), buffer.size(), 0);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count <= 0) {
    is_gone_ = true;
    return;
  }
  const std::string_view bytes(buffer.data(), static_cast<std::size_t>(count));
  if (stage_ == Stage::head) {
    incoming_ += bytes;
    read_head(address, page, is_taken, conversation);
  } else if (stage_ == Stage::stream) {
    reader_.feed(bytes);
    read_messages(conversation);
  }
}

void Connection::read_head(const Address& address, const std::string& page, bool is_taken,
                           Conversation& conversation) {
  const ParsedHead head = parse_head(incoming_);
  if (head.status == HeadStatus::incomplete) return;
  if (head.status == HeadStatus::bad) return answer(refused(400, "this is no request"));
  if (head.status == HeadStatus::too_large) return answer(refused(431, "the request is too long"));
  const Verdict verdict = judge(head.request, address, is_taken);
  if (verdict.errand == Errand::refused) return answer(refused(verdict.status, verdict.reason));
  is_page_ = verdict.errand == Errand::page;
  if (is_page_)
    return answer(http_response(200, "text/html; charset=utf-8", page, page_headers(address.port)));
  outgoing_ += fmt::format(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      "Sec-WebSocket-Accept: {}\r\n\r\n",
      verdict.handshake);
  stage_ = Stage::stream;
  conversation.begin();
  reader_.feed(std::string_view(incoming_).substr(head.size));
  incoming_.clear();
  read_messages(conversation);
}

void Connection::read_messages(Conversation& conversation) {
  WebSocketMessage message;
  for (;;) {
    const ReadStatus status = reader_.next(message);
    if (status == ReadStatus::incomplete) return;
    if (status == ReadStatus::failed) return close_stream(reader_.failure());
    if (message.opcode == Opcode::close) return close_stream(CloseCode::normal);
    if (message.opcode == Opcode::ping)
      answer_ping(message.payload);
    else if (message.opcode != Opcode::pong &&
             (message.opcode != Opcode::text || !conversation.hear(message.payload)))
      return close_stream(CloseCode::not_accepted);
  }
}

// Who asks without reading the answers gets none for a while: an answer to the latest ping is all
// that is owed.
void Connection::answer_ping(const std::string& payload) {
  if (outgoing_.size() - written_ < enough_waiting)
    outgoing_ += websocket_frame(Opcode::pong, payload);
}

void Connection::take_messages(Conversation& conversation) {
  while (is_stream() && outgoing_.size() - written_ < enough_waiting) {
    const auto message = conversation.next();
    if (!message) return;
    outgoing_ += websocket_frame(message->is_text ? Opcode::text : Opcode::binary, message->bytes);
  }
}

void Connection::write() {
  while (wants_to_write()) {
    const ssize_t count = ::send(socket_.get(), outgoing_.data() + written_,
                                 outgoing_.size() - written_, MSG_NOSIGNAL);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) break;
    if (count <= 0) {
      is_gone_ = true;
      return;
    }
    written_ += static_cast<std::size_t>(count);
    since_ = stage_ == Stage::closing ? Clock::now() : since_;
  }
  if (written_ == outgoing_.size()) {
    outgoing_.clear();
    written_ = 0;
  } else if (written_ >= enough_waiting) {
    outgoing_.erase(0, written_);
    written_ = 0;
  }
}

}  // namespace abut::server
