#include "server/access.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace {

using namespace abut::server;

const Address address{4711, "0123456789abcdef0123456789abcdef"};

HttpRequest request_for(const std::string& rest) {
  return {"GET", "/" + address.token + rest, {{"host", "127.0.0.1:4711"}}};
}

void put(HttpRequest& request, const std::string& name, const std::string& value) {
  std::erase_if(request.headers, [&](const auto& entry) { return entry.first == name; });
  request.headers.emplace_back(name, value);
}

HttpRequest stream_request() {
  HttpRequest request = request_for("/live");
  put(request, "origin", "http://127.0.0.1:4711");
  put(request, "upgrade", "websocket");
  put(request, "connection", "keep-alive, Upgrade");
  put(request, "sec-websocket-version", "13");
  put(request, "sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==");
  return request;
}

int status_of(const HttpRequest& request, bool is_taken = false) {
  const Verdict verdict = judge(request, address, is_taken);
  EXPECT_EQ(verdict.errand, Errand::refused);
  EXPECT_FALSE(verdict.reason.empty());
  return verdict.status;
}

TEST(Access, LetsItsOwnPageIn) {
  EXPECT_EQ(judge(request_for("/"), address, false).errand, Errand::page);
  HttpRequest by_name = request_for("/");
  put(by_name, "host", "localhost:4711");
  EXPECT_EQ(judge(by_name, address, false).errand, Errand::page);
  const Verdict stream = judge(stream_request(), address, false);
  EXPECT_EQ(stream.errand, Errand::stream);
  EXPECT_EQ(stream.handshake, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

TEST(Access, RefusesOtherHosts) {
  for (const char* host : {"evil.example:4711", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:47110",
                           "[::1]:4711", "", "127.0.0.1:4711.evil.example"}) {
    HttpRequest request = request_for("/");
    put(request, "host", host);
    EXPECT_EQ(status_of(request), 403) << host;
  }
  HttpRequest without = request_for("/");
  without.headers.clear();
  EXPECT_EQ(status_of(without), 403);
}

TEST(Access, RefusesOtherOrigins) {
  for (const char* origin : {"http://evil.example", "null", "https://127.0.0.1:4711",
                             "http://127.0.0.1:4712", "http://localhost:4711", ""}) {
    HttpRequest request = stream_request();
    put(request, "origin", origin);
    EXPECT_EQ(status_of(request), 403) << origin;
    HttpRequest page = request_for("/");
    put(page, "origin", origin);
    EXPECT_EQ(status_of(page), 403) << origin;
  }
  HttpRequest without = stream_request();
  std::erase_if(without.headers, [](const auto& entry) { return entry.first == "origin"; });
  EXPECT_EQ(status_of(without), 403);
}

TEST(Access, RefusesWrongTokens) {
  std::string one_off = address.token;
  one_off.back() = '0';
  for (const std::string& target : {std::string("/"), std::string("//"), "/" + one_off + "/",
                                    "/" + address.token.substr(1) + "/", "/" + address.token + "0/",
                                    std::string("/live"), "/x/" + address.token + "/"}) {
    HttpRequest request = request_for("/");
    request.target = target;
    EXPECT_EQ(status_of(request), 403) << target;
  }
}

TEST(Access, RefusesWhatIsNotThere) {
  EXPECT_EQ(status_of(request_for("/other")), 404);
  EXPECT_EQ(status_of(request_for("")), 404);
  EXPECT_EQ(status_of(request_for("/../x")), 404);
  HttpRequest sending = request_for("/");
  sending.method = "POST";
  EXPECT_EQ(status_of(sending), 405);
}

TEST(Access, RefusesWhatIsNoWebSocket) {
  for (const char* name : {"upgrade", "connection", "sec-websocket-version", "sec-websocket-key"}) {
    HttpRequest request = stream_request();
    put(request, name, "nonsense");
    EXPECT_EQ(status_of(request), 400) << name;
  }
}

TEST(Access, HasOneUser) {
  EXPECT_EQ(status_of(stream_request(), true), 409);
  EXPECT_EQ(judge(request_for("/"), address, true).errand, Errand::page) << "it is loaded anew";
  HttpRequest stranger = request_for("/");
  stranger.target = "/guess/";
  EXPECT_EQ(status_of(stranger, true), 403) << "who has no token learns nothing";
}

TEST(Access, TokensAreLongAndDiffer) {
  const std::string one = make_token();
  EXPECT_EQ(one.size(), 32u);
  EXPECT_EQ(one.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_NE(one, make_token());
  EXPECT_TRUE(same_secret(one, one));
  EXPECT_FALSE(same_secret(one, one.substr(1)));
}

}  // namespace
