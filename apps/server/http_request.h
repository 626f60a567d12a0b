#pragma once
// The head of an HTTP/1.1 request (RFC 9112), read strictly: a local server for one page has no
// reason to guess what a malformed request means.

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace abut::server {

/// Browsers send about 1 kB.
inline constexpr std::size_t largest_head = 8192;
inline constexpr std::size_t most_headers = 64;

struct HttpRequest {
  std::string method;
  std::string target;                                        ///< such as `/token/`
  std::vector<std::pair<std::string, std::string>> headers;  ///< names in lower case

  /// The value of a header, or null. Precondition: the name is in lower case.
  const std::string* header(std::string_view name) const;
};

enum class HeadStatus { incomplete, complete, bad, too_large };

struct ParsedHead {
  HeadStatus status = HeadStatus::incomplete;
  HttpRequest request;   ///< where it is complete
  std::size_t size = 0;  ///< of the head, in bytes; what follows belongs to another protocol
};

/// Bad is, besides what breaks the grammar: another version than 1.1, a header that comes twice, a
/// header that is folded over lines, and any sign of a body.
ParsedHead parse_head(std::string_view bytes);

/// A whole response that ends the connection. `extra` are more header lines, each with its end.
std::string http_response(int status, std::string_view type, std::string_view body,
                          std::string_view extra = {});

}  // namespace abut::server
