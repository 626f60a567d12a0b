#pragma once
// The scenes that come with Abut.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace abut::cli {

struct ShippedScene {
  std::string name;  ///< file name without ending
  std::filesystem::path path;
};

/// In the order of their names. Empty where no directory of scenes is found.
std::vector<ShippedScene> shipped_scenes();

std::optional<ShippedScene> shipped_scene(const std::string& name);

}  // namespace abut::cli
