#pragma once
// A file that changes in commits only, each of which may be cut short anywhere by the death of the
// process and still leaves a valid HDF5 file.
//
// HDF5 itself gives no such promise: a flush writes its blocks in an order of its own, so that a
// process killed in the middle leaves sizes that speak of data not yet there. Here all writes are
// held in memory until commit(), which writes them in an order in which every prefix is valid:
//
//   1. blocks in space that no earlier commit covers: nothing on disk refers to them yet;
//   2. the superblock, which says where the file ends;
//   3. nodes of chunk indices, parents before children: a parent may already know the new half of
//      a node that was split (written in 1), while the old node still holds all its entries;
//   4. other blocks: chunks and string heaps, which only ever gain content behind the old one;
//   5. object headers, which hold the extents: only now can a reader ask for the new rows.
//
// A reader therefore sees each dataset either before or after a commit. Space is never reused, and
// no block of up to a page crosses a page boundary, since the kernel may stop a write of a dying
// process between two pages.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <vector>

namespace abut::record {

class CommitFile {
 public:
  /// Creates the file, under a temporary name until the first commit. Throws WriteError.
  explicit CommitFile(std::filesystem::path path);
  /// Drops what has not been committed; removes the temporary file if nothing has.
  ~CommitFile();
  CommitFile(const CommitFile&) = delete;
  CommitFile& operator=(const CommitFile&) = delete;

  /// Address of `size` fresh bytes at the end.
  std::uint64_t allocate(std::uint64_t size);
  std::uint64_t end() const { return end_; }
  void set_end(std::uint64_t end) { end_ = end; }

  /// `raw` marks the contents of datasets, as opposed to HDF5's own structures.
  void write(std::uint64_t address, const void* data, std::size_t size, bool raw);
  /// Sees pending writes; bytes never written read as zero.
  void read(std::uint64_t address, void* data, std::size_t size) const;

  std::size_t pending_bytes() const { return pending_bytes_; }

  /// Writes everything pending. Throws WriteError; then the file stays as the last commit left it
  /// and takes no further commits.
  void commit();
  /// Closes the file and reports what the system says to that. Throws WriteError.
  void close();

  const std::filesystem::path& path() const { return path_; }

 private:
  struct Block {
    std::vector<std::byte> bytes;
    bool raw = false;
  };
  using Blocks = std::map<std::uint64_t, Block>;

  static int commit_rank(std::uint64_t address, const Block& block);
  void write_out(std::uint64_t address, const std::byte* data, std::size_t size);
  void write_fresh_parts();
  void write_changed_parts();
  [[noreturn]] void fail(int error_number);

  std::filesystem::path path_;
  std::filesystem::path temporary_;  ///< empty once the file has its own name
  int descriptor_ = -1;
  bool failed_ = false;
  std::uint64_t end_ = 0;            ///< of the allocated space
  std::uint64_t committed_end_ = 0;  ///< of the space that a reader may already look at
  std::size_t pending_bytes_ = 0;
  Blocks pending_;  ///< disjoint, by address
};

}  // namespace abut::record
