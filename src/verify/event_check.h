#pragma once
// Events belong to frames, and say of contacts what the frames say.

#include <vector>

#include "model/model.h"
#include "record/present_contacts.h"
#include "verify/instant_check.h"
#include "verify/solid.h"
#include "verify/stepped_times.h"

namespace abut::verify {

class EventCheck : public InstantCheck {
 public:
  /// Run and model must outlive the check. Contacts of bodies that are stepped change without
  /// events.
  EventCheck(const record::RunReader& run, const model::Model& model, SteppedTimes stepped);

  std::string measured() const override;
  void finish() override;

 protected:
  void instant(const Instant& now) override;
  void between(const record::Frame& frame) override;
  void stray(const Event& event) override;

 private:
  bool is_sound_event(const Event& event);
  bool is_told(const Event& event, const record::Frame& frame);
  void check_impulse(const Event& event);
  void check_place(const Event& event, const record::Frame& frame);
  void check_outside_impulse(const Event& event, const record::Frame& frame);
  void check_kind(const Event& event, const Instant& now);
  void check_mode(const Event& event, const Instant& now);
  void check_changes(const Instant& now);
  void expect_same_contacts(const record::Frame& frame);
  std::string names_of(BodyIndex a, BodyIndex b) const;

  const model::Model& model_;
  SteppedTimes stepped_;
  std::vector<std::vector<Solid>> solids_;  ///< by body
  std::vector<int> impulses_told_;          ///< by force of the model
  record::PresentContacts contacts_;
  double last_time_ = -1;  ///< of a frame
  long events_ = 0;
};

}  // namespace abut::verify
