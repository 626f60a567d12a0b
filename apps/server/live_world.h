#pragma once
// A simulation that can be interfered with. Between interventions it is the event loop of every
// run. An intervention ends that run at its last frame and begins one of the changed model there
// (loop/continuation.h), so that the same interventions at the same frames give the same bits.

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "loop/event_loop.h"
#include "record/live_playback.h"
#include "server/live_command.h"

namespace abut::server {

class LiveWorld final : private record::Sink {
 public:
  /// `interrupt` cuts a long calculation short; the next intervention goes on from what there is.
  LiveWorld(model::Model model, int threads, const std::atomic<bool>& interrupt);
  ~LiveWorld() override;

  /// The model at time 0 with the duration and frame rate of live runs.
  const model::Model& scene() const { return scene_; }
  record::Playback beginning() const { return playback_.beginning(); }
  /// The same of a model that nothing is simulated of yet.
  static record::Playback beginning_of(const model::Model& model);

  void restart();
  void set(const SetCommand& command);
  /// False: there is no such body, or it does not yield to forces.
  bool grab(const GrabCommand& command);
  void release();

  /// Goes on to the next instant that is recorded. False where the motion cannot go on: `failure`
  /// says why, and an intervention may help.
  bool advance();
  const std::string& failure() const { return failure_; }

  double time() const { return time_; }         ///< of the last frame, since the last restart, s
  long event_count() const { return events_; }  ///< since the last restart
  /// What came since the last call, as chunks for the player.
  std::vector<std::string> take_chunks() { return playback_.take(); }

  /// The last frame of the present run, which has none before advance(); its time counts from the
  /// last intervention.
  const record::Frame& frame() const { return loop_->frame(); }
  /// The energies of that frame, with all that went before.
  const Energy& told_energy() const { return told_; }

 private:
  void begin(const model::Model& model) override;
  void frame(const record::Frame& frame) override;
  void event(const Event& event) override;
  void end(const record::Summary& summary) override;

  model::Model without_spring(model::Model model) const;
  void go_on_with(model::Model model);
  void intervene();

  const model::Model scene_;
  const loop::RunOptions options_;
  record::LivePlayback playback_;

  SetCommand parameters_;
  std::optional<GrabCommand> grip_;
  bool has_spring_ = false;  // the model that runs has the grip's forces, as its last ones

  std::unique_ptr<const model::Model> model_;  // of the present run
  std::vector<JointIndex> joint_of_;           // its joints, as the scene counts them
  std::unique_ptr<loop::EventLoop> loop_;
  std::string failure_;
  bool continues_ = false;  // the present run goes on from another one
  long events_ = 0;
  double time_ = 0;
  double started_ = 0;          // the time at which the present run began
  Energy told_;                 // energies of the last frame, as they were told
  Energy carried_;              // what the present run's books do not know: dissipated and work
  bool is_first_frame_ = true;  // of the present run
};

}  // namespace abut::server
