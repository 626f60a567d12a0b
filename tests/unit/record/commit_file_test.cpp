#include "record/commit_file.h"

#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <fstream>

#include "record/write_error.h"
#include "support/files.h"
#include "synthetic_run.h"

namespace {

using abut::record::CommitFile;
using synthetic::TemporaryDirectory;

void write(CommitFile& file, std::uint64_t address, const std::string& text) {
  file.write(address, text.data(), text.size(), true);
}

}  // namespace

TEST(CommitFile, AppearsWithItsFirstCommitAndOnlyThen) {
  const TemporaryDirectory directory;
  {
    CommitFile file(directory / "f");
    write(file, file.allocate(3), "abc");
    EXPECT_FALSE(std::filesystem::exists(directory / "f"));
  }
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
  {
    CommitFile file(directory / "f");
    write(file, file.allocate(3), "abc");
    file.commit();
    write(file, file.allocate(3), "def");
  }
  EXPECT_EQ(abut::test::content_of(directory / "f"), "abc");
}

TEST(CommitFile, GrowsToItsEndEvenWhereNothingWasWritten) {
  const TemporaryDirectory directory;
  CommitFile file(directory / "f");
  write(file, file.allocate(2), "ab");
  file.allocate(8);
  file.commit();
  EXPECT_EQ(abut::test::content_of(directory / "f"), "ab" + std::string(14, '\0'));
}

TEST(CommitFile, KeepsSmallBlocksWithinAPage) {
  const TemporaryDirectory directory;
  CommitFile file(directory / "f");
  std::uint64_t previous_end = 0;
  for (const std::uint64_t size : {100, 4000, 4096, 1, 4095, 9000, 50, 512, 3600}) {
    const std::uint64_t address = file.allocate(size);
    EXPECT_GE(address, previous_end);
    if (size <= 4096) {
      EXPECT_EQ(address / 4096, (address + size - 1) / 4096) << size;
    }
    previous_end = address + size;
    EXPECT_EQ(file.end(), previous_end);
  }
}

// Against a plain array of bytes, with writes that overlap in every way.
RC_GTEST_PROP(CommitFileProperty, BehavesLikeAnArrayOfBytes, ()) {
  const TemporaryDirectory directory;
  constexpr std::size_t size = 64;
  CommitFile file(directory / "f");
  file.allocate(size);
  std::string expected(size, '\0');
  const int steps = *rc::gen::inRange(1, 40);
  for (int step = 0; step < steps; ++step) {
    const auto from = *rc::gen::inRange<std::size_t>(0, size);
    const auto count = *rc::gen::inRange<std::size_t>(1, size - from + 1);
    switch (*rc::gen::inRange(0, 4)) {
      case 0: {
        std::string seen(count, '?');
        file.read(from, seen.data(), count);
        RC_ASSERT(seen == expected.substr(from, count));
        break;
      }
      case 1:
        file.commit();
        break;
      default: {
        const std::string text(count, static_cast<char>('a' + step % 26));
        write(file, from, text);
        expected.replace(from, count, text);
      }
    }
  }
  file.commit();
  file.close();
  RC_ASSERT(abut::test::content_of(directory / "f") == expected);
}
