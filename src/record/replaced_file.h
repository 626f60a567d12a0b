#pragma once
// A file that is written beside the one it replaces and takes its name when it is complete.

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace abut::record {

class ReplacedFile {
 public:
  /// Throws WriteError, as do the other functions.
  explicit ReplacedFile(const std::filesystem::path& path);
  /// Removes the file beside, unless finish() was called.
  ~ReplacedFile();
  ReplacedFile(const ReplacedFile&) = delete;
  ReplacedFile& operator=(const ReplacedFile&) = delete;

  void write(std::string_view text);
  void finish();

 private:
  [[noreturn]] void fail(int error_number) const;

  std::filesystem::path path_;
  std::filesystem::path temporary_;
  int descriptor_ = -1;
};

}  // namespace abut::record
