#pragma once
// A browser without a window, which draws pages for us.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace abut::cli {

/// Where Chromium is: what ABUT_BROWSER names, or the first of its usual names on the PATH.
std::optional<std::filesystem::path> find_browser();

/// Chromium, spoken to through a pipe in its DevTools protocol. All functions throw
/// std::runtime_error where it does not do what it is told, or is silent for too long.
class Browser {
 public:
  Browser(const std::filesystem::path& program, int width, int height);
  /// Ends the browser and removes what it left on disk.
  ~Browser();
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  void open(const std::filesystem::path& page);
  /// Evaluates an expression, waits if it is a promise, and gives its value as JSON.
  std::string evaluate(const std::string& expression);
  /// What the page looks like now, as PNG.
  std::string picture();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace abut::cli
