#include "film.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "program_search.h"

namespace abut::cli {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const std::string& why) {
  throw std::runtime_error("cannot write " + path.string() + ": " + why);
}

}  // namespace

std::optional<fs::path> find_film_maker() {
  return find_program({"ffmpeg"});
}

Film::Film(const fs::path& path, double rate) : path_(path), temporary_(path) {
  temporary_ += ".partial";
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) fail(path_, std::generic_category().message(errno));
  std::vector<std::string> words{
      find_film_maker().value().string(), "-loglevel", "error", "-y", "-f", "image2pipe",
      "-framerate", fmt::format("{}", rate), "-c:v", "png", "-i", "-",
      // H.264 in the form that every player knows, which wants even sizes.
      "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf",
      "20", "-movflags", "+faststart", "-f", "mp4", temporary_.string()};
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  const int error =
      ::posix_spawn(&process_, words[0].c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[0]);
  input_ = ends[1];
  if (error != 0) fail(path_, "ffmpeg: " + std::generic_category().message(error));
}

Film::~Film() {
  if (input_ >= 0) ::close(input_);
  if (process_ > 0) ::waitpid(process_, nullptr, 0);
  std::error_code ignored;
  fs::remove(temporary_, ignored);
}

void Film::add(const std::string& png) {
  std::string_view rest = png;
  while (!rest.empty()) {
    const ssize_t count = ::write(input_, rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(path_, "ffmpeg gave up");
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
}

void Film::finish() {
  ::close(std::exchange(input_, -1));
  int status = 0;
  ::waitpid(std::exchange(process_, -1), &status, 0);
  if (status != 0) fail(path_, "ffmpeg failed");
  std::error_code error;
  fs::rename(temporary_, path_, error);
  if (error) fail(path_, error.message());
}

}  // namespace abut::cli
