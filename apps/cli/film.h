#pragma once
// Pictures to a film, by ffmpeg.

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>

namespace abut::cli {

std::optional<std::filesystem::path> find_film_maker();

/// An mp4 file that appears under its name when it is complete. Throws std::runtime_error.
class Film {
 public:
  /// `rate` pictures per second.
  Film(const std::filesystem::path& path, double rate);
  /// Drops what was not finished.
  ~Film();
  Film(const Film&) = delete;
  Film& operator=(const Film&) = delete;

  /// `png`: the next picture; all have the same size.
  void add(const std::string& png);
  void finish();

 private:
  std::filesystem::path path_, temporary_;
  pid_t process_ = -1;
  int input_ = -1;
};

}  // namespace abut::cli
