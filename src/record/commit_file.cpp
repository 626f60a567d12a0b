#include "record/commit_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "record/write_error.h"

namespace abut::record {
namespace {

/// Smallest page of the systems Abut runs on, bytes. Larger pages are multiples of it.
constexpr std::uint64_t page_size = 4096;

/// Blocks this small are packed without regard to each other as long as they stay within a page.
constexpr std::uint64_t alignment = 8;

std::string reason_of(int error_number) {
  return std::generic_category().message(error_number);
}

bool has_signature(const std::vector<std::byte>& bytes, const char* signature) {
  return bytes.size() >= 6 && std::memcmp(bytes.data(), signature, 4) == 0;
}

}  // namespace

CommitFile::CommitFile(std::filesystem::path path) : path_(std::move(path)) {
  temporary_ = path_;
  temporary_ += ".partial";
  descriptor_ = ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw WriteError(path_, reason_of(errno));
}

CommitFile::~CommitFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

std::uint64_t CommitFile::allocate(std::uint64_t size) {
  std::uint64_t address = (end_ + alignment - 1) / alignment * alignment;
  const std::uint64_t room = page_size - address % page_size;
  // Larger blocks cross pages wherever they are.
  if (size > room && size <= page_size) address += room;
  end_ = address + size;
  return address;
}

void CommitFile::write(std::uint64_t address, const void* data, std::size_t size, bool raw) {
  const auto* bytes = static_cast<const std::byte*>(data);

  // What lies below an older pending block is patched into it; the rest becomes blocks of its own.
  // HDF5 rewrites whole blocks, so that in practice there is one block and it is replaced.
  auto it = pending_.lower_bound(address);
  if (it != pending_.begin()) {
    auto previous = std::prev(it);
    if (previous->first + previous->second.bytes.size() > address) it = previous;
  }
  std::uint64_t from = address;
  const std::uint64_t to = address + size;
  while (from < to) {
    if (it != pending_.end() && it->first <= from) {
      auto& old = it->second.bytes;
      const std::uint64_t offset = from - it->first;
      const std::size_t count = std::min<std::size_t>(old.size() - offset, to - from);
      std::memcpy(old.data() + offset, bytes + (from - address), count);
      from += count;
      ++it;
    } else {
      const std::uint64_t stop = it == pending_.end() ? to : std::min(to, it->first);
      const auto* begin = bytes + (from - address);
      pending_.emplace_hint(it, from, Block{{begin, begin + (stop - from)}, raw});
      pending_bytes_ += stop - from;
      from = stop;
    }
  }
}

void CommitFile::read(std::uint64_t address, void* data, std::size_t size) const {
  auto* bytes = static_cast<std::byte*>(data);
  std::size_t done = 0;
  while (done < size) {
    const ssize_t count =
        ::pread(descriptor_, bytes + done, size - done, static_cast<off_t>(address + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw WriteError(path_, "reading back failed: " + reason_of(errno));
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  std::fill(bytes + done, bytes + size, std::byte{0});

  auto it = pending_.upper_bound(address);
  if (it != pending_.begin()) --it;
  for (; it != pending_.end() && it->first < address + size; ++it) {
    const std::uint64_t block_end = it->first + it->second.bytes.size();
    const std::uint64_t from = std::max(address, it->first);
    const std::uint64_t to = std::min<std::uint64_t>(address + size, block_end);
    if (from >= to) continue;
    std::memcpy(bytes + (from - address), it->second.bytes.data() + (from - it->first), to - from);
  }
}

void CommitFile::commit() {
  if (failed_) throw WriteError(path_, "an earlier write failed");
  write_fresh_parts();
  write_changed_parts();
  pending_.clear();
  pending_bytes_ = 0;
  committed_end_ = end_;
  if (!temporary_.empty()) {
    if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail(errno);
    temporary_.clear();
  }
}

void CommitFile::close() {
  if (descriptor_ < 0) return;
  // close() is never repeated: the descriptor is gone even if it reports an error.
  const int result = ::close(std::exchange(descriptor_, -1));
  if (result != 0 && errno != EINTR) fail(errno);
}

/// Step 1 of the order above. The file must reach its new end before the superblock names it.
void CommitFile::write_fresh_parts() {
  for (const auto& [address, block] : pending_) {
    const std::uint64_t block_end = address + block.bytes.size();
    if (block_end <= committed_end_) continue;
    const std::uint64_t skip = address < committed_end_ ? committed_end_ - address : 0;
    write_out(address + skip, block.bytes.data() + skip, block.bytes.size() - skip);
  }
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) fail(errno);
  if (static_cast<std::uint64_t>(status.st_size) >= end_) return;
  if (::ftruncate(descriptor_, static_cast<off_t>(end_)) != 0) fail(errno);
}

/// Steps 2 to 5.
void CommitFile::write_changed_parts() {
  std::vector<std::pair<int, Blocks::const_iterator>> order;
  for (auto it = pending_.cbegin(); it != pending_.cend() && it->first < committed_end_; ++it) {
    order.emplace_back(commit_rank(it->first, it->second), it);
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [rank, it] : order) {
    const std::size_t size =
        std::min<std::size_t>(it->second.bytes.size(), committed_end_ - it->first);
    write_out(it->first, it->second.bytes.data(), size);
  }
}

int CommitFile::commit_rank(std::uint64_t address, const Block& block) {
  constexpr int highest_level = 255;  // levels of index nodes are stored in one byte
  constexpr int superblock = 0;
  constexpr int first_index_node = 1;
  constexpr int other = first_index_node + highest_level + 1;
  constexpr int object_header = other + 1;
  if (address == 0) return superblock;
  if (block.raw) return other;
  if (has_signature(block.bytes, "TREE")) {
    return first_index_node + highest_level - std::to_integer<int>(block.bytes[5]);
  }
  if (has_signature(block.bytes, "OHDR") || has_signature(block.bytes, "OCHK")) {
    return object_header;
  }
  return other;
}

void CommitFile::write_out(std::uint64_t address, const std::byte* data, std::size_t size) {
  while (size > 0) {
    const ssize_t count = ::pwrite(descriptor_, data, size, static_cast<off_t>(address));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(errno);
    address += static_cast<std::uint64_t>(count);
    data += count;
    size -= static_cast<std::size_t>(count);
  }
}

void CommitFile::fail(int error_number) {
  failed_ = true;
  throw WriteError(path_, reason_of(error_number));
}

}  // namespace abut::record
