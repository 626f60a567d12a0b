#pragma once
// The energy book: its columns follow from the states, it balances, and nothing comes from nowhere.

#include <optional>
#include <vector>

#include "model/model.h"
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
  void compare_columns(const record::Frame& frame);
  void compare(double time, const char* column, double recorded, double recomputed, double scale);
  void compare_springs(const record::Frame& frame, double elastic);
  void check_book(double time, const Energy& energy);

  std::vector<record::RecordedBody> bodies_;
  const model::Model* model_;
  double tolerance_;
  double step_allowance_;
  std::optional<Energy> first_, last_;
  double contact_energy_ = 0;    ///< of all bodies raised by a pile of contact distances, J
  double scale_ = 0;             ///< largest energy in motion or exchanged so far, J
  double worst_balance_ = 0;     ///< J
  double worst_recomputed_ = 0;  ///< relative
};

}  // namespace abut::verify
