#include "server/http_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

namespace abut::server {
namespace {

constexpr std::string_view line_end = "\r\n";

/// RFC 9110, section 5.6.2.
bool is_token(std::string_view text) {
  constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           marks.find(c) != std::string_view::npos;
  });
}

bool is_visible(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

/// Bytes beyond ASCII are allowed, control characters but for the tab are not.
bool is_value(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte == '\t' || (byte >= ' ' && byte != 127);
  });
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

bool read_request_line(std::string_view line, HttpRequest& request) {
  const auto first = line.find(' ');
  const auto last = line.rfind(' ');
  if (first == std::string_view::npos || last == first) return false;
  request.method = line.substr(0, first);
  request.target = line.substr(first + 1, last - first - 1);
  return is_token(request.method) && request.target.starts_with('/') &&
         is_visible(request.target) && line.substr(last + 1) == "HTTP/1.1";
}

bool read_header(std::string_view line, HttpRequest& request) {
  const auto colon = line.find(':');
  if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) return false;
  const std::string_view value = trimmed(line.substr(colon + 1));
  std::string name = lower(line.substr(0, colon));
  if (!is_value(value) || request.header(name) != nullptr) return false;
  request.headers.emplace_back(std::move(name), value);
  return true;
}

bool has_body(const HttpRequest& request) {
  const std::string* length = request.header("content-length");
  return request.header("transfer-encoding") != nullptr || (length != nullptr && *length != "0");
}

std::optional<HttpRequest> read_lines(std::string_view head) {
  HttpRequest request;
  bool is_first = true;
  while (!head.empty()) {
    const auto end = head.find(line_end);
    const std::string_view line = head.substr(0, end);
    if (is_first ? !read_request_line(line, request) : !read_header(line, request))
      return std::nullopt;
    if (request.headers.size() > most_headers) return std::nullopt;
    is_first = false;
    head.remove_prefix(end + line_end.size());
  }
  if (is_first || has_body(request)) return std::nullopt;
  return request;
}

std::string_view reason_of(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 409:
      return "Conflict";
    case 431:
      return "Request Header Fields Too Large";
    default:
      return "Error";
  }
}

}  // namespace

const std::string* HttpRequest::header(std::string_view name) const {
  const auto found = std::find_if(headers.begin(), headers.end(),
                                  [name](const auto& entry) { return entry.first == name; });
  return found == headers.end() ? nullptr : &found->second;
}

ParsedHead parse_head(std::string_view bytes) {
  const auto end = bytes.substr(0, largest_head).find("\r\n\r\n");
  if (end == std::string_view::npos)
    return {bytes.size() < largest_head ? HeadStatus::incomplete : HeadStatus::too_large, {}, 0};
  auto request = read_lines(bytes.substr(0, end + line_end.size()));
  if (!request) return {HeadStatus::bad, {}, 0};
  return {HeadStatus::complete, std::move(*request), end + 2 * line_end.size()};
}

std::string http_response(int status, std::string_view type, std::string_view body,
                          std::string_view extra) {
  return fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n"
      "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
      "Referrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n"
      "Cross-Origin-Opener-Policy: same-origin\r\n{}\r\n{}",
      status, reason_of(status), type, body.size(), extra, body);
}

}  // namespace abut::server
