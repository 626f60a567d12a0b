#include "server/live_session.h"

#include <sys/eventfd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "abut/diagnostics.h"

namespace abut::server {
namespace {

using Clock = std::chrono::steady_clock;

/// While this much waits to be sent, the simulation waits, bytes.
constexpr std::size_t enough_to_send = std::size_t{4} << 20;

/// Commands that wait while the simulation is at work; a page that sends more is not ours.
constexpr std::size_t most_commands = 1000;

/// What was simulated is sent at least this often: several times per picture.
constexpr auto sending_interval = std::chrono::milliseconds(5);

Descriptor make_bell() {
  Descriptor bell(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!bell.is_open())
    throw std::runtime_error("no event descriptor: " + std::generic_category().message(errno));
  return bell;
}

std::string json_text(const char* key, const nlohmann::json& value) {
  return nlohmann::json{{key, value}}.dump(-1, ' ', false,
                                           nlohmann::json::error_handler_t::replace);
}

}  // namespace

LiveSession::LiveSession(model::Model model, int threads, Renew renew)
    : threads_(threads),
      renew_(std::move(renew)),
      world_(std::make_unique<LiveWorld>(std::move(model), threads, interrupt_)),
      bell_(make_bell()) {
  thread_ = std::thread([this] { work(); });
}

LiveSession::~LiveSession() {
  {
    const std::scoped_lock lock(mutex_);
    wishes_.quit = true;
    interrupt_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

// --- Of the server's thread ---------------------------------------------------------------------

void LiveSession::begin() {
  {
    const std::scoped_lock lock(mutex_);
    std::optional<model::Model> scene = std::move(wishes_.scene);
    wishes_ = {};
    wishes_.scene = std::move(scene);
    wishes_.restart = true;
    wishes_.watched = true;
    messages_.clear();
    waiting_bytes_ = 0;
    interrupt_ = true;
  }
  changed_.notify_one();
}

void LiveSession::end() {
  const std::scoped_lock lock(mutex_);
  wishes_.watched = false;
  messages_.clear();
  waiting_bytes_ = 0;
}

bool LiveSession::hear(std::string_view text) {
  const auto command = parse_command(text);
  if (!command) return false;
  if (std::holds_alternative<RestartCommand>(*command) && is_renewed()) return true;
  {
    const std::scoped_lock lock(mutex_);
    if (const auto* goal = std::get_if<GoalCommand>(&*command)) {
      wishes_.goal = goal->time;
      wishes_.cancel_step = true;
    } else if (std::holds_alternative<RestartCommand>(*command)) {
      wishes_.commands.clear();
      wishes_.goal = 0;
      wishes_.restart = true;
      interrupt_ = true;
    } else {
      // Of several places that a body was pulled to meanwhile, the last one counts.
      auto& waiting = wishes_.commands;
      if (std::holds_alternative<GrabCommand>(*command) && !waiting.empty() &&
          std::holds_alternative<GrabCommand>(waiting.back()))
        waiting.pop_back();
      if (waiting.size() >= most_commands) return false;
      waiting.push_back(*command);
    }
  }
  changed_.notify_one();
  return true;
}

// Whether a restart is none of the scene that is shown: it is another one, or cannot be read.
bool LiveSession::is_renewed() {
  if (!renew_) return false;
  try {
    std::optional<model::Model> scene = renew_();
    if (!scene) return false;
    const std::scoped_lock lock(mutex_);
    wishes_.scene = std::move(scene);
    interrupt_ = true;
  } catch (const InputError& error) {
    send_text(json_text("failed", error.what()));
    return true;
  }
  changed_.notify_one();
  send_text(json_text("reload", true));
  return true;
}

std::optional<OutgoingMessage> LiveSession::next() {
  std::optional<OutgoingMessage> message;
  {
    const std::scoped_lock lock(mutex_);
    std::uint64_t rings = 0;
    [[maybe_unused]] const ssize_t silenced = ::read(bell_.get(), &rings, sizeof rings);
    if (messages_.empty()) return std::nullopt;
    message = std::move(messages_.front());
    messages_.pop_front();
    waiting_bytes_ -= message->bytes.size();
  }
  changed_.notify_one();
  return message;
}

// --- Of the simulation's thread -----------------------------------------------------------------

bool LiveSession::has_work() const {
  const bool behind = is_stepping_ || world_->time() < wishes_.goal;
  return wishes_.restart || wishes_.scene || !wishes_.commands.empty() ||
         (wishes_.watched && behind && !has_failed_ && waiting_bytes_ < enough_to_send);
}

void LiveSession::work() {
  for (;;) {
    std::deque<LiveCommand> commands;
    std::optional<model::Model> scene;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return wishes_.quit || has_work(); });
      if (wishes_.quit) return;
      if (std::exchange(wishes_.cancel_step, false)) is_stepping_ = false;
      if (wishes_.restart) commands.emplace_back(RestartCommand{});
      commands.insert(commands.end(), wishes_.commands.begin(), wishes_.commands.end());
      scene = std::exchange(wishes_.scene, std::nullopt);
      wishes_.restart = false;
      wishes_.commands.clear();
      goal_ = wishes_.goal;
      interrupt_ = false;
    }
    if (scene) world_ = std::make_unique<LiveWorld>(std::move(*scene), threads_, interrupt_);
    for (const LiveCommand& command : commands) carry_out(command);
    go_on();
  }
}

void LiveSession::carry_out(const LiveCommand& command) {
  const bool had_failed = has_failed_;
  has_failed_ = false;
  if (std::holds_alternative<StepCommand>(command)) {
    is_stepping_ = true;
    events_before_ = world_->event_count();
    step_from_ = world_->time();
  } else if (std::holds_alternative<RestartCommand>(command)) {
    is_stepping_ = false;
    world_->restart();
    send_text(json_text("begin", true));
    return;
  } else if (const auto* set = std::get_if<SetCommand>(&command)) {
    world_->set(*set);
  } else if (const auto* grab = std::get_if<GrabCommand>(&command)) {
    world_->grab(*grab);
  } else {
    world_->release();
  }
  if (had_failed) send_text(json_text("went_on", true));
}

// Until the goal is reached, but no longer than until something should be sent: there may be new
// wishes by then.
void LiveSession::go_on() {
  const auto until = Clock::now() + sending_interval;
  while (!interrupt_ && (is_stepping_ || world_->time() < goal_) && Clock::now() < until) {
    const bool went_on = world_->advance();
    if (!world_->failure().empty()) {
      is_stepping_ = false;
      has_failed_ = true;
      send_chunks();
      send_text(json_text("failed", world_->failure()));
      return;
    }
    if (!went_on) break;  // interrupted
    const bool has_found = world_->event_count() > events_before_;
    if (is_stepping_ && (has_found || world_->time() >= step_from_ + longest_search)) {
      is_stepping_ = false;
      send_chunks();
      send_text(json_text(has_found ? "stepped" : "searched", world_->time()));
      return;
    }
  }
  send_chunks();
}

void LiveSession::send_chunks() {
  for (std::string& chunk : world_->take_chunks()) send({false, std::move(chunk)});
}

void LiveSession::send_text(std::string text) {
  send({true, std::move(text)});
}

void LiveSession::send(OutgoingMessage message) {
  {
    const std::scoped_lock lock(mutex_);
    if (!wishes_.watched) return;
    waiting_bytes_ += message.bytes.size();
    messages_.push_back(std::move(message));
  }
  ring();
}

void LiveSession::ring() {
  const std::uint64_t once = 1;
  [[maybe_unused]] const ssize_t rung = ::write(bell_.get(), &once, sizeof once);
}

}  // namespace abut::server
