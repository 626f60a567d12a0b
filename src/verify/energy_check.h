#pragma once
// The energy book: its columns follow from the states, it balances, and nothing comes from nowhere.

#include <optional>
#include <vector>

#include "model/model.h"
#include "record/energy_audit.h"
#include "record/run_reader.h"
#include "verify/check.h"

namespace abut::verify {

class EnergyCheck : public Check {
 public:
  /// `model` is null where the run holds no scene; `tolerance` is the relative imbalance up to
  /// which the book counts as balanced. The model must outlive the check.
  /// `step_allowance` (J) is what steps of a finite length may leave besides; 0 without any.
  EnergyCheck(const std::vector<record::RecordedBody>& bodies, const model::Model* model,
              double tolerance, double step_allowance = 0);

  void frame(const record::Frame& frame) override;
  std::string measured() const override;

 private:
  /// What states give, J.
  struct Columns {
    double kinetic = 0, kinetic_scale = 0, potential = 0, potential_scale = 0, elastic = 0;
  };

  Columns columns_of(const record::Frame& frame) const;
  void compare_columns(const record::Frame& frame);
  void compare(double time, const char* column, double recorded, double recomputed, double scale);
  void compare_springs(const record::Frame& frame, double elastic);
  double opened_gaps(const record::Frame& frame) const;
  double inertial_force(const record::Frame& frame, BodyIndex body) const;
  void check_book(const record::Frame& frame);

  std::vector<record::RecordedBody> bodies_;
  const model::Model* model_;
  double tolerance_;
  double step_allowance_;
  record::EnergyAudit audit_;
  bool work_is_done_ = true;  ///< whether anything in the scene can
  std::optional<Energy> last_;
  double last_opened_ = 0;       ///< J
  Columns rest_;                 ///< what the last frame before an event does not show
  double worst_recomputed_ = 0;  ///< relative
};

}  // namespace abut::verify
