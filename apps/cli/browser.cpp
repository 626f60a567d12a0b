#include "browser.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "program_search.h"
#include "record/text_encoding.h"

namespace abut::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

/// How long an answer may take: drawing without a graphics card may take seconds on a busy machine.
constexpr auto patience = std::chrono::seconds(120);
/// How long the browser gets to end by itself.
constexpr auto farewell = std::chrono::seconds(3);

/// The descriptors on which Chromium listens and answers with --remote-debugging-pipe.
constexpr int browser_reads = 3;
constexpr int browser_writes = 4;

[[noreturn]] void fail(const std::string& what, int error_number) {
  throw std::runtime_error("the browser: " + what + ": " +
                           std::generic_category().message(error_number));
}

/// Two ends of a pipe, above the descriptors that the browser expects.
struct Pipe {
  int read = -1, write = -1;
  Pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) fail("no pipe", errno);
    read = raised(ends[0]);
    write = raised(ends[1]);
  }
  ~Pipe() {
    if (read >= 0) ::close(read);
    if (write >= 0) ::close(write);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  static int raised(int descriptor) {
    const int moved = ::fcntl(descriptor, F_DUPFD_CLOEXEC, browser_writes + 1);
    ::close(descriptor);
    if (moved < 0) fail("no descriptor", errno);
    return moved;
  }
  static void close_end(int& descriptor) {
    ::close(descriptor);
    descriptor = -1;
  }
};

fs::path make_profile() {
  std::string name = (fs::temp_directory_path() / "abut-browser-XXXXXX").string();
  if (!::mkdtemp(name.data())) fail("no temporary folder", errno);
  return name;
}

pid_t start(const std::vector<std::string>& command, int reads, int writes) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, reads, browser_reads);
  posix_spawn_file_actions_adddup2(&actions, writes, browser_writes);
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&actions, standard, "/dev/null", O_RDWR, 0);
  std::vector<std::string> words = command;
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t process = -1;
  const int error =
      ::posix_spawn(&process, words[0].c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) fail("cannot start " + words[0], error);
  return process;
}

std::string file_url(const fs::path& page) {
  std::string url = "file://";
  for (const char c : fs::absolute(page).string()) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) || std::strchr("/-_.~", c);
    url += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return url;
}

}  // namespace

std::optional<fs::path> find_browser() {
  const char* chosen = std::getenv("ABUT_BROWSER");
  if (!chosen || !*chosen) return find_program({"chromium", "chromium-browser", "google-chrome"});
  if (::access(chosen, X_OK) != 0) return std::nullopt;
  return chosen;
}

class Browser::Implementation {
 public:
  Implementation(const fs::path& program, int width, int height) : profile_(make_profile()) {
    std::vector<std::string> command{
        program.string(), "--headless=new", "--remote-debugging-pipe",
        "--user-data-dir=" + profile_.string(), fmt::format("--window-size={},{}", width, height),
        "--force-device-scale-factor=1", "--enable-unsafe-swiftshader", "--hide-scrollbars",
        "--mute-audio", "--no-first-run", "--disable-extensions",
        // Nothing that a browser does besides drawing: no
        // updates, no keyrings, no saving of power.
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
        "--disable-breakpad", "--password-store=basic", "--use-mock-keychain",
        "--no-default-browser-check", "--disable-dev-shm-usage", "--disable-renderer-backgrounding",
        "--disable-backgrounding-occluded-windows", "--disable-background-timer-throttling"};
    if (::geteuid() == 0) command.emplace_back("--no-sandbox");  // which root cannot have
    process_ = start(command, to_browser_.read, from_browser_.write);
    Pipe::close_end(to_browser_.read);
    Pipe::close_end(from_browser_.write);
    try {
      attach(width, height);
    } catch (...) {
      end();
      throw;
    }
  }
  ~Implementation() { end(); }
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;

  /// Sends a command and waits for its result.
  Json call(const char* method, Json parameters) {
    const int id = ++last_id_;
    Json message{{"id", id}, {"method", method}, {"params", std::move(parameters)}};
    if (!session_.empty()) message["sessionId"] = session_;
    send(message.dump());
    while (true) {
      Json answer = Json::parse(receive());
      if (answer.value("id", 0) != id) continue;  // an event, or an answer nobody waits for
      if (answer.contains("error"))
        throw std::runtime_error("the browser: " + answer["error"].value("message", "error"));
      return answer.value("result", Json::object());
    }
  }

 private:
  void attach(int width, int height) {
    const Json target = call("Target.createTarget", {{"url", "about:blank"}});
    const Json attached =
        call("Target.attachToTarget", {{"targetId", target.at("targetId")}, {"flatten", true}});
    session_ = attached.at("sessionId").get<std::string>();
    call("Emulation.setDeviceMetricsOverride",
         {{"width", width}, {"height", height}, {"deviceScaleFactor", 1}, {"mobile", false}});
  }

  void send(std::string text) {
    text += '\0';
    std::string_view rest = text;
    while (!rest.empty()) {
      const ssize_t count = ::write(to_browser_.write, rest.data(), rest.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) fail("does not listen", errno);
      rest.remove_prefix(static_cast<std::size_t>(count));
    }
  }

  /// The next message, without the NUL that ends it.
  std::string receive() {
    const auto deadline = Clock::now() + patience;
    while (true) {
      const std::size_t end = received_.find('\0', searched_);
      if (end != std::string::npos) {
        std::string message = received_.substr(0, end);
        received_.erase(0, end + 1);
        searched_ = 0;
        return message;
      }
      searched_ = received_.size();
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
      pollfd wait{from_browser_.read, POLLIN, 0};
      const int ready = left > 0 ? ::poll(&wait, 1, static_cast<int>(left)) : 0;
      if (ready < 0 && errno == EINTR) continue;
      if (ready <= 0) throw std::runtime_error("the browser does not answer");
      char buffer[65536];
      const ssize_t count = ::read(from_browser_.read, buffer, sizeof buffer);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) throw std::runtime_error("the browser ended unexpectedly");
      received_.append(buffer, static_cast<std::size_t>(count));
    }
  }

  /// Closing the pipe is the sign to end.
  void end() noexcept {
    if (process_ <= 0) return;
    Pipe::close_end(to_browser_.write);
    const auto deadline = Clock::now() + farewell;
    int status = 0;
    while (::waitpid(process_, &status, WNOHANG) == 0) {
      if (Clock::now() > deadline) {
        ::kill(process_, SIGKILL);
        ::waitpid(process_, &status, 0);
        break;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    process_ = -1;
    std::error_code ignored;
    fs::remove_all(profile_, ignored);
  }

  fs::path profile_;
  Pipe to_browser_, from_browser_;
  pid_t process_ = -1;
  int last_id_ = 0;
  std::string session_, received_;
  std::size_t searched_ = 0;
};

Browser::Browser(const fs::path& program, int width, int height)
    : implementation_(std::make_unique<Implementation>(program, width, height)) {}
Browser::~Browser() = default;

void Browser::open(const fs::path& page) {
  implementation_->call("Page.enable", Json::object());
  const Json answer = implementation_->call("Page.navigate", {{"url", file_url(page)}});
  if (answer.contains("errorText"))
    throw std::runtime_error("the browser: " + answer["errorText"].get<std::string>());
  evaluate(
      "new Promise(done => document.readyState === 'complete' ? done(0) "
      ": addEventListener('load', () => done(0)))");
}

std::string Browser::evaluate(const std::string& expression) {
  const Json answer = implementation_->call(
      "Runtime.evaluate",
      {{"expression", expression}, {"awaitPromise", true}, {"returnByValue", true}});
  if (answer.contains("exceptionDetails")) {
    const Json& details = answer["exceptionDetails"];
    const Json exception = details.value("exception", Json::object());
    const std::string story = exception.value("description", "a script failed");
    throw std::runtime_error("the page: " + story.substr(0, story.find('\n')));
  }
  return answer.at("result").value("value", Json()).dump();
}

std::string Browser::picture() {
  const Json answer = implementation_->call("Page.captureScreenshot", {{"format", "png"}});
  return record::from_base64(answer.at("data").get<std::string>());
}

}  // namespace abut::cli
