#include "server/websocket.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

namespace {

using namespace abut::server;

/// A frame as a browser sends it, written from the RFC's picture and not with the code under test.
std::string from_browser(int first, std::string payload,
                         const std::string& mask = "\x11\x22\x33\x44") {
  std::string frame(1, static_cast<char>(first));
  const std::size_t size = payload.size();
  if (size < 126) {
    frame += static_cast<char>(0x80 | size);
  } else if (size < 65536) {
    frame += static_cast<char>(0x80 | 126);
    frame += {static_cast<char>(size / 256), static_cast<char>(size % 256)};
  } else {
    frame += static_cast<char>(0x80 | 127);
    frame += std::string(4, '\0');
    for (const int shift : {24, 16, 8, 0}) frame += static_cast<char>(size >> shift & 255);
  }
  for (std::size_t i = 0; i < size; ++i) payload[i] = static_cast<char>(payload[i] ^ mask[i % 4]);
  return frame + mask + payload;
}

CloseCode failure_of(const std::string& bytes, std::size_t largest = 1000) {
  WebSocketReader reader(largest);
  reader.feed(bytes);
  WebSocketMessage message;
  EXPECT_EQ(reader.next(message), ReadStatus::failed);
  EXPECT_EQ(reader.next(message), ReadStatus::failed) << "it stays so";
  return reader.failure();
}

TEST(WebSocket, AnswersTheKeyOfTheStandard) {
  EXPECT_EQ(websocket_answer("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
  for (const char* none : {"", "abc", "dGhlIHNhbXBsZQ==", "dGhlIHNhbXBsZSBub25jZQ=\n"})
    EXPECT_EQ(websocket_answer(none), "") << none;
}

// RFC 6455, section 5.7.
TEST(WebSocket, ReadsTheExamplesOfTheStandard) {
  WebSocketReader reader(100);
  WebSocketMessage message;
  reader.feed("\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58");
  ASSERT_EQ(reader.next(message), ReadStatus::message);
  EXPECT_EQ(message.opcode, Opcode::text);
  EXPECT_EQ(message.payload, "Hello");
  EXPECT_EQ(reader.next(message), ReadStatus::incomplete);
  EXPECT_EQ(websocket_frame(Opcode::text, "Hello"), "\x81\x05Hello");
  EXPECT_EQ(close_frame(CloseCode::too_large), std::string("\x88\x02\x03\xf1"));
}

TEST(WebSocket, PiecesMakeAMessageAndControlComesBetween) {
  WebSocketReader reader(100);
  reader.feed(from_browser(0x01, "Hel") + from_browser(0x89, "p") + from_browser(0x80, "lo"));
  WebSocketMessage message;
  ASSERT_EQ(reader.next(message), ReadStatus::message);
  EXPECT_EQ(message.opcode, Opcode::ping);
  ASSERT_EQ(reader.next(message), ReadStatus::message);
  EXPECT_EQ(message.opcode, Opcode::text);
  EXPECT_EQ(message.payload, "Hello");
}

RC_GTEST_PROP(WebSocket, AnyMessagesInAnyPortions, ()) {
  auto sizes = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 500));
  sizes.insert(sizes.end(), {125, 126, 65535, 65536});  // where lengths change their form
  std::string bytes;
  for (const int size : sizes)
    bytes += from_browser(0x82, std::string(static_cast<std::size_t>(size), 'x'));
  WebSocketReader reader(100000);
  WebSocketMessage message;
  std::vector<int> found;
  const auto portion = static_cast<std::size_t>(*rc::gen::inRange(1, 5000));
  for (std::size_t i = 0; i < bytes.size(); i += portion) {
    reader.feed(std::string_view(bytes).substr(i, portion));
    while (reader.next(message) == ReadStatus::message)
      found.push_back(static_cast<int>(message.payload.size()));
  }
  RC_ASSERT(found == sizes);
}

TEST(WebSocket, WhatTheProtocolForbidsFails) {
  using enum CloseCode;
  EXPECT_EQ(failure_of("\x81\x05Hello"), protocol_error) << "no mask";
  EXPECT_EQ(failure_of(from_browser(0xC1, "x")), protocol_error) << "reserved bit";
  EXPECT_EQ(failure_of(from_browser(0x83, "x")), protocol_error) << "unknown opcode";
  EXPECT_EQ(failure_of(from_browser(0x80, "x")), protocol_error) << "nothing to continue";
  EXPECT_EQ(failure_of(from_browser(0x01, "x") + from_browser(0x81, "y")), protocol_error)
      << "a message within another";
  EXPECT_EQ(failure_of(from_browser(0x09, "x")), protocol_error) << "divided control frame";
  EXPECT_EQ(failure_of(from_browser(0x89, std::string(126, 'x'))), protocol_error)
      << "long control frame";
  EXPECT_EQ(failure_of(std::string("\x81\xFE\x00\x05", 4)), protocol_error) << "length too long";
}

TEST(WebSocket, WhatIsTooLargeIsRefusedBeforeItIsThere) {
  EXPECT_EQ(failure_of(from_browser(0x81, std::string(1001, 'x')).substr(0, 8)),
            CloseCode::too_large);
  EXPECT_EQ(failure_of(std::string("\x81\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 10)),
            CloseCode::too_large);
  EXPECT_EQ(failure_of(from_browser(0x01, std::string(600, 'x')) +
                       from_browser(0x80, std::string(600, 'x'))),
            CloseCode::too_large)
      << "in pieces";
}

TEST(WebSocket, LongFramesOfTheServerTellTheirLength) {
  EXPECT_EQ(websocket_frame(Opcode::binary, std::string(126, 'x')).substr(0, 4),
            std::string("\x82\x7e\x00\x7e", 4));
  EXPECT_EQ(websocket_frame(Opcode::binary, std::string(65536, 'x')).substr(0, 10),
            std::string("\x82\x7f\x00\x00\x00\x00\x00\x01\x00\x00", 10));
}

}  // namespace
