#pragma once
// Collects what is wrong with a scene, so that all of it is told at once.

#include <string>
#include <vector>

#include "abut/diagnostics.h"
#include "scene/node.h"

namespace abut::scene {

class Problems {
 public:
  /// Reporting ends after this many errors; a scene with more has one mistake many times.
  static constexpr std::size_t maximum_errors = 100;

  Problems(std::string file, std::vector<std::string> overrides)
      : file_(std::move(file)), overrides_(std::move(overrides)) {}

  void error(const Mark& mark, std::string message);
  void warning(const Mark& mark, std::string message);

  bool has_errors() const { return error_count_ > 0; }
  std::size_t error_count() const { return error_count_; }

  /// Everything in the order of the text, without repetitions; overrides come last.
  std::vector<Diagnostic> sorted() const;
  /// Throws InputError if there are errors.
  void throw_if_errors() const;

  Location location(const Mark& mark) const;

 private:
  struct Entry {
    Mark mark;
    Severity severity;
    std::string message;
  };

  std::string file_;
  std::vector<std::string> overrides_;
  std::vector<Entry> entries_;
  std::size_t error_count_ = 0;
};

}  // namespace abut::scene
