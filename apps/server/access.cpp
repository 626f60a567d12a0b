#include "server/access.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdint>
#include <stdexcept>
#include <system_error>

#include "server/websocket.h"

namespace abut::server {
namespace {

Verdict refusal(int status, std::string reason) {
  return {Errand::refused, status, std::move(reason), {}};
}

/// The names by which a user may have opened the page.
bool is_own_host(std::string_view host, int port) {
  return host == fmt::format("127.0.0.1:{}", port) || host == fmt::format("localhost:{}", port);
}

bool is_own_origin(std::string_view origin, std::string_view host) {
  return origin == fmt::format("http://{}", host);
}

/// Whether a list such as `keep-alive, Upgrade` has the word.
bool lists(const std::string* header, std::string_view word) {
  if (header == nullptr) return false;
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  return std::search(header->begin(), header->end(), word.begin(), word.end(), same) !=
         header->end();
}

Verdict judge_stream(const HttpRequest& request) {
  const std::string* version = request.header("sec-websocket-version");
  const std::string* key = request.header("sec-websocket-key");
  if (!lists(request.header("upgrade"), "websocket") ||
      !lists(request.header("connection"), "upgrade") || version == nullptr || *version != "13" ||
      key == nullptr)
    return refusal(400, "this address is for the page's own connection");
  std::string answer = websocket_answer(*key);
  if (answer.empty()) return refusal(400, "the key is none");
  return {Errand::stream, 101, {}, std::move(answer)};
}

}  // namespace

std::string Address::url() const {
  return fmt::format("http://127.0.0.1:{}/{}/", port, token);
}

std::string make_token() {
  std::array<std::uint8_t, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw std::runtime_error("no random numbers: " + std::generic_category().message(errno));
  std::string token;
  for (const std::uint8_t byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

bool same_secret(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    difference |= static_cast<unsigned>(static_cast<std::uint8_t>(a[i] ^ b[i]));
  return difference == 0;
}

Verdict judge(const HttpRequest& request, const Address& address, bool is_taken) {
  const std::string* host = request.header("host");
  if (host == nullptr || !is_own_host(*host, address.port))
    return refusal(403, "this server answers to its own address only");
  const std::string* origin = request.header("origin");
  if (origin != nullptr && !is_own_origin(*origin, *host))
    return refusal(403, "this server answers to its own page only");
  const std::string_view target = request.target;
  const std::size_t token_end = std::min(target.find('/', 1), target.size());
  if (!same_secret(target.substr(1, token_end - 1), address.token))
    return refusal(403, "the address lacks the token that abut printed");
  if (request.method != "GET") return refusal(405, "there is nothing to send here");
  const std::string_view rest = target.substr(token_end);
  if (rest != "/" && rest != "/live") return refusal(404, "there is nothing here");
  if (rest == "/") return {Errand::page, 200, {}, {}};
  if (is_taken) return refusal(409, "another page shows this; close it first");
  if (origin == nullptr) return refusal(403, "the page's connection must tell where it is from");
  return judge_stream(request);
}

}  // namespace abut::server
