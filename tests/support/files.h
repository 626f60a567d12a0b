#pragma once
// Files as tests look at them.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace abut::test {

inline std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace abut::test
