// Any bytes are a request, the beginning of one, or refused; what is let in has the token.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "server/access.h"
#include "server/http_request.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace abut::server;
  static const Address address{4711, "0123456789abcdef0123456789abcdef"};
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const ParsedHead head = parse_head(bytes);
  if (head.status != HeadStatus::complete) return 0;
  if (head.size > size || head.request.headers.size() > most_headers) std::abort();
  const Verdict verdict = judge(head.request, address, false);
  if (verdict.errand == Errand::refused) return 0;
  const bool has_token = bytes.substr(0, head.size).find(address.token) != std::string_view::npos;
  if (!has_token || head.request.header("host") == nullptr) std::abort();
  return 0;
}
