#include "record/text_encoding.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>
#include <stdexcept>

namespace abut::record {
namespace {

constexpr std::string_view alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Adding 16 to the window size asks zlib for a gzip header, which holds no time and no name.
constexpr int gzip_window = 15 + 16;
constexpr int memory_level = 8;

constexpr std::array<int, 256> digit_values() {
  std::array<int, 256> values{};
  values.fill(-1);
  for (std::size_t i = 0; i < alphabet.size(); ++i)
    values[static_cast<unsigned char>(alphabet[i])] = static_cast<int>(i);
  return values;
}

std::string replaced(std::string_view text,
                     std::initializer_list<std::pair<std::string_view, std::string_view>> pairs) {
  std::array<bool, 256> begins{};  // with any of them, by byte
  for (const auto& [from, to] : pairs) begins[static_cast<unsigned char>(from[0])] = true;
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto stop = std::find_if(text.begin(), text.end(), [&begins](char c) {
      return begins[static_cast<unsigned char>(c)];
    });
    const auto plain = static_cast<std::size_t>(stop - text.begin());
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    std::string_view found = text.substr(0, 1), with = found;
    for (const auto& [from, to] : pairs) {
      if (!text.starts_with(from)) continue;
      found = from;
      with = to;
    }
    out += with;
    text.remove_prefix(found.size());
  }
  return out;
}

}  // namespace

std::string gzipped(std::string_view bytes) {
  z_stream stream{};
  const int started = deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_window,
                                   memory_level, Z_DEFAULT_STRATEGY);
  if (started != Z_OK) throw std::bad_alloc();
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  std::string in(bytes);  // zlib wants bytes that it could change
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int ended = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (ended != Z_STREAM_END) throw std::runtime_error("zlib could not compress");
  return out;
}

std::string base64(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  const auto byte = [&](std::size_t i) -> std::uint32_t {
    return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0;
  };
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::uint32_t group = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    out += alphabet[group >> 18];
    out += alphabet[group >> 12 & 63];
    out += i + 1 < bytes.size() ? alphabet[group >> 6 & 63] : '=';
    out += i + 2 < bytes.size() ? alphabet[group & 63] : '=';
  }
  return out;
}

std::string from_base64(std::string_view text) {
  static constexpr std::array<int, 256> values = digit_values();
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string out;
  out.reserve(text.size() * 3 / 4);
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const int value = values[static_cast<unsigned char>(c)];
    if (value < 0) throw std::invalid_argument("not base64");
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out += static_cast<char>(bits >> count & 255);
  }
  return out;
}

std::string json_for_script(std::string_view json) {
  return replaced(json,
                  {{"<", "\\u003c"}, {"\xe2\x80\xa8", "\\u2028"}, {"\xe2\x80\xa9", "\\u2029"}});
}

std::string html_text(std::string_view text) {
  return replaced(text, {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}});
}

}  // namespace abut::record
