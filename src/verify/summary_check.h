#pragma once
// The certificate of a run says what its record says.

#include <optional>

#include "base/hash.h"
#include "record/energy_audit.h"
#include "record/present_contacts.h"
#include "record/run_reader.h"
#include "verify/instant_check.h"

namespace abut::verify {

class SummaryCheck : public Check {
 public:
  /// `model` is null where the run holds no scene. Run and model must outlive the check.
  SummaryCheck(const record::RunReader& run, const model::Model* model);

  void frame(const record::Frame& frame) override;
  void finish() override;
  std::string measured() const override;

 private:
  void compare_states(const Summary& summary);
  void compare_counts(const Summary& summary);
  void compare_energies(const Summary& summary);
  void compare_gap(const Summary& summary);
  void check_promises(const Summary& summary);
  void count_events();
  void expect(bool holds, const std::string& what) {
    if (!holds) fault(last_time_, what);
  }
  void compare(const char* what, double told, double found, double scale);

  const record::RunReader& run_;
  const model::Model* model_;
  base::Hash hash_;
  record::EnergyAudit audit_;
  double energy_initial_ = 0;
  double last_time_ = 0;
  record::PresentContacts contacts_;
  long contacts_max_ = 0;
  bool has_contact_ = false;
  double smallest_gap_;
  long impact_events_ = 0;
  long instants_of_impact_ = 0;
};

}  // namespace abut::verify
