// Any bytes are messages of an allowed size, or fail; how they are cut into portions makes no
// difference. Text messages go on to the reader of commands.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "server/live_command.h"
#include "server/websocket.h"

namespace {

using namespace abut::server;

constexpr std::size_t largest = 4096;

std::vector<std::string> messages_of(std::string_view bytes, std::size_t portion) {
  WebSocketReader reader(largest);
  std::vector<std::string> found;
  WebSocketMessage message;
  ReadStatus status = ReadStatus::incomplete;
  for (std::size_t i = 0; i < bytes.size() && status != ReadStatus::failed; i += portion) {
    reader.feed(bytes.substr(i, portion));
    while ((status = reader.next(message)) == ReadStatus::message) {
      if (message.payload.size() > largest || message.opcode == Opcode::continuation) std::abort();
      if (message.opcode == Opcode::text) parse_command(message.payload);
      found.push_back(message.payload);
    }
  }
  found.push_back(status == ReadStatus::failed ? "failed" : "going on");
  return found;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t portion = 1 + data[0];
  if (messages_of(bytes, portion) != messages_of(bytes, bytes.size() + 1)) std::abort();
  return 0;
}
