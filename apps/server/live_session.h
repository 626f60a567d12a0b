#pragma once
// A live simulation in a thread of its own, and the page that watches it.
//
// The page says how far it wants to see (GoalCommand), a little ahead of what it shows; the
// simulation goes there and waits. Where it cannot keep up the page finds that the motion ends
// before the goal, and shows time passing more slowly: the rate of its pictures is its own.
//
// Messages to the page besides chunks are JSON: {"begin": true} before the first frame of a run
// from time 0, {"stepped": 1.5} where a step ended, {"searched": 11.5} where a step found no event
// up to there, {"failed": "..."} where the motion cannot go on, {"went_on": true} where an
// intervention mended that, {"reload": true} where the scene is another one now.

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "server/conversation.h"
#include "server/descriptor.h"
#include "server/live_world.h"

namespace abut::server {

/// How long a step to the next event may be, simulated seconds.
inline constexpr double longest_search = 10;

class LiveSession final : public Conversation {
 public:
  /// Whatever the scene has become since it was asked for last, or nothing if it is the same. Asked
  /// when the page restarts, in the thread of the server; an InputError is told to the page.
  using Renew = std::function<std::optional<model::Model>()>;

  LiveSession(model::Model model, int threads, Renew renew = {});
  ~LiveSession() override;

  record::Playback beginning() const { return world_->beginning(); }

  void begin() override;
  bool hear(std::string_view text) override;
  void end() override;
  std::optional<OutgoingMessage> next() override;
  int bell() const override { return bell_.get(); }

 private:
  // What the thread of the server leaves to that of the simulation.
  struct Wishes {
    std::deque<LiveCommand> commands;
    double goal = 0;
    bool restart = false;
    std::optional<model::Model> scene;  // instead of the present one
    bool cancel_step = false;           // a goal was set instead
    bool watched = false;               // somebody is there
    bool quit = false;
  };

  bool is_renewed();
  void work();
  bool has_work() const;
  void carry_out(const LiveCommand& command);
  void go_on();
  void send_chunks();
  void send(OutgoingMessage message);
  void send_text(std::string text);
  void ring();

  const int threads_;
  const Renew renew_;
  std::atomic<bool> interrupt_ = false;
  std::unique_ptr<LiveWorld> world_;
  Descriptor bell_;

  std::mutex mutex_;  // of the wishes and the messages
  std::condition_variable changed_;
  Wishes wishes_;
  std::deque<OutgoingMessage> messages_;
  std::size_t waiting_bytes_ = 0;  // of the messages

  // Of the simulation's thread alone.
  double goal_ = 0;
  bool is_stepping_ = false;
  long events_before_ = 0;
  double step_from_ = 0;  // s
  bool has_failed_ = false;
  std::thread thread_;
};

}  // namespace abut::server
