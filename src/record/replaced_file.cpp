#include "record/replaced_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "record/write_error.h"

namespace abut::record {

ReplacedFile::ReplacedFile(const std::filesystem::path& path) : path_(path), temporary_(path) {
  temporary_ += ".partial";
  descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail(errno);
}

ReplacedFile::~ReplacedFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  ::unlink(temporary_.c_str());
}

void ReplacedFile::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor_, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(errno);
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

void ReplacedFile::finish() {
  const int closed = ::close(std::exchange(descriptor_, -1));
  const int error = closed == 0 || errno == EINTR ? 0 : errno;
  if (error == 0 && ::rename(temporary_.c_str(), path_.c_str()) == 0) return;
  const int reason = error == 0 ? errno : error;
  ::unlink(temporary_.c_str());
  fail(reason);
}

void ReplacedFile::fail(int error_number) const {
  throw WriteError(path_, std::generic_category().message(error_number));
}

}  // namespace abut::record
