#pragma once
// How Abut says what is wrong with an input, and where.

#include <stdexcept>
#include <string>
#include <vector>

#include "abut/export.h"

namespace abut {

/// A place in a file; line and column count from 1, and 0 means "not known".
struct Location {
  std::string file;
  int line = 0;
  int column = 0;
};

enum class Severity { error, warning };

struct Diagnostic {
  Severity severity = Severity::error;
  Location location;
  std::string message;  ///< what is wrong, with the offending value; how to mend it
};

/// `file:line:column: error: message`, leaving out the parts that are not known.
ABUT_API std::string to_string(const Diagnostic& diagnostic);

/// An input that cannot be used. Carries everything found wrong with it, not only the first.
class ABUT_API InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<Diagnostic> diagnostics);
  InputError(Location location, std::string message);
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

/// A simulation that could not go on: when, why, and what to try. What was recorded is kept.
class ABUT_API SimulationError : public std::runtime_error {
 public:
  SimulationError(double time, const std::string& what_happened);
  double time() const { return time_; }

 private:
  double time_;
};

}  // namespace abut
