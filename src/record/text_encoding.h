#pragma once
// Bytes and texts in a form that a web page can hold.

#include <cstddef>
#include <string>
#include <string_view>

namespace abut::record {

/// The gzip form of the bytes, the same for the same bytes.
std::string gzipped(std::string_view bytes);

/// As RFC 4648 says, with padding and without line breaks.
std::string base64(std::string_view bytes);

/// The reverse; nothing but the alphabet and padding is expected. Throws std::invalid_argument.
std::string from_base64(std::string_view text);

/// JSON that may stand inside a <script> element: `<` is written as an escape, so that no text in
/// it can end the element or open a comment. So are U+2028 and U+2029, for older readers.
std::string json_for_script(std::string_view json);

/// Text that may stand between tags.
std::string html_text(std::string_view text);

}  // namespace abut::record
