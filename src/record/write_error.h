#pragma once
// An output that could not be written.

#include <filesystem>
#include <stdexcept>
#include <string>

namespace abut::record {

/// Says which file, and why. Whatever was written before stays as it is.
class WriteError : public std::runtime_error {
 public:
  WriteError(const std::filesystem::path& path, const std::string& reason)
      : std::runtime_error("cannot write " + path.string() + ": " + reason), reason_(reason) {}
  const std::string& reason() const { return reason_; }

 private:
  std::string reason_;
};

}  // namespace abut::record
