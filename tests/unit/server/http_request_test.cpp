#include "server/http_request.h"

#include <gtest/gtest.h>

namespace {

using namespace abut::server;

const std::string good =
    "GET /token/ HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nAccept: text/html\r\n\r\n";

TEST(HttpRequest, ReadsLineAndHeaders) {
  const ParsedHead head = parse_head(good + "rest");
  ASSERT_EQ(head.status, HeadStatus::complete);
  EXPECT_EQ(head.request.method, "GET");
  EXPECT_EQ(head.request.target, "/token/");
  ASSERT_NE(head.request.header("host"), nullptr);
  EXPECT_EQ(*head.request.header("host"), "127.0.0.1:8080");
  EXPECT_EQ(head.request.header("origin"), nullptr);
  EXPECT_EQ(head.size, good.size());
}

TEST(HttpRequest, EveryPartOfAHeadIsIncomplete) {
  for (std::size_t size = 0; size < good.size(); ++size)
    EXPECT_EQ(parse_head(good.substr(0, size)).status, HeadStatus::incomplete) << size;
}

TEST(HttpRequest, WhatBreaksTheGrammarIsBad) {
  for (const char* text :
       {"GET / HTTP/1.0\r\n\r\n", "GET  / HTTP/1.1\r\n\r\n", "GET /\r\n\r\n", "\r\n\r\n",
        "GET http://other/ HTTP/1.1\r\n\r\n", "G\tET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost : a\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost\r\n\r\n", "GET / HTTP/1.1\r\n: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\nabcd",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", "GET /a b HTTP/1.1\r\n\r\n",
        "GET /\x01 HTTP/1.1\r\n\r\n"})
    EXPECT_EQ(parse_head(text).status, HeadStatus::bad) << text;
}

TEST(HttpRequest, LongOrManyHeadersAreRefused) {
  const std::string long_head =
      "GET / HTTP/1.1\r\nX: " + std::string(largest_head, 'x') + "\r\n\r\n";
  EXPECT_EQ(parse_head(long_head).status, HeadStatus::too_large);
  std::string many = "GET / HTTP/1.1\r\n";
  for (std::size_t i = 0; i <= most_headers; ++i) many += "X" + std::to_string(i) + ": y\r\n";
  EXPECT_EQ(parse_head(many + "\r\n").status, HeadStatus::bad);
}

TEST(HttpResponse, TellsItsLengthAndEnds) {
  const std::string text = http_response(403, "text/plain", "no", "X: y\r\n");
  EXPECT_TRUE(text.starts_with("HTTP/1.1 403 Forbidden\r\n"));
  EXPECT_NE(text.find("Content-Length: 2\r\n"), std::string::npos);
  EXPECT_TRUE(text.ends_with("X: y\r\n\r\nno"));
}

}  // namespace
