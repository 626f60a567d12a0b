#pragma once
// A check looks at every frame of a run and says what it found.

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "record/frame.h"

namespace abut::verify {

/// Something that is wrong with a run.
struct Fault {
  std::string check;
  double time = 0;  ///< s
  std::string message;
};

class Check {
 public:
  explicit Check(std::string name) : name_(std::move(name)) {}
  virtual ~Check() = default;
  Check(const Check&) = delete;
  Check& operator=(const Check&) = delete;

  /// Called with every frame, in order.
  virtual void frame(const record::Frame& frame) = 0;
  /// Called after the last frame.
  virtual void finish() {}
  /// What was compared, and how well it agrees, in a few words.
  virtual std::string measured() const = 0;

  const std::string& name() const { return name_; }
  long fault_count() const { return fault_count_; }
  /// The first ones: what is wrong once is often wrong in every frame.
  const std::vector<Fault>& first_faults() const { return first_faults_; }
  /// What could not be judged, and how often.
  const std::map<std::string, long>& not_checked() const { return not_checked_; }

 protected:
  void fault(double time, std::string message) {
    ++fault_count_;
    if (first_faults_.size() < most_faults_kept) {
      first_faults_.push_back({name_, time, std::move(message)});
    }
  }
  void could_not_check(const std::string& what, long times = 1) { not_checked_[what] += times; }

 private:
  static constexpr std::size_t most_faults_kept = 100;

  std::string name_;
  long fault_count_ = 0;
  std::vector<Fault> first_faults_;
  std::map<std::string, long> not_checked_;
};

}  // namespace abut::verify
