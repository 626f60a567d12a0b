#include "record/text_encoding.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <zlib.h>

#include <stdexcept>

namespace {

using namespace abut::record;

TEST(TextEncoding, Base64OfTheStandard) {
  // RFC 4648, section 10.
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xff\xfe"), "//4=");
  EXPECT_THROW(from_base64("a*b"), std::invalid_argument);
}

RC_GTEST_PROP(TextEncoding, Base64ComesBack, (const std::string& bytes)) {
  RC_ASSERT(from_base64(base64(bytes)) == bytes);
}

RC_GTEST_PROP(TextEncoding, GzipComesBack, (const std::string& bytes)) {
  std::string packed = gzipped(bytes);
  std::string out(bytes.size() + 1, '\0');
  z_stream stream{};
  RC_ASSERT(inflateInit2(&stream, 15 + 16) == Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  RC_ASSERT(inflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  RC_ASSERT(out == bytes);
}

TEST(TextEncoding, NothingInAScriptElementCanEndIt) {
  const std::string json = json_for_script("[\"</script><!--<script>\xe2\x80\xa8\"]");
  EXPECT_EQ(json.find('<'), std::string::npos);
  EXPECT_EQ(json, "[\"\\u003c/script>\\u003c!--\\u003cscript>\\u2028\"]");
}

TEST(TextEncoding, TextBetweenTags) {
  EXPECT_EQ(html_text("a<b>&amp;"), "a&lt;b&gt;&amp;amp;");
}

}  // namespace
