#include "abut/diagnostics.h"

#include <fmt/format.h>

#include <utility>

namespace abut {
namespace {

std::string joined(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (!text.empty()) text += '\n';
    text += to_string(diagnostic);
  }
  return text;
}

}  // namespace

std::string to_string(const Diagnostic& diagnostic) {
  const Location& location = diagnostic.location;
  std::string text = location.file;
  if (location.line > 0) {
    text += fmt::format("{}{}", text.empty() ? "" : ":", location.line);
    if (location.column > 0) text += fmt::format(":{}", location.column);
  }
  if (!text.empty()) text += ": ";
  text += diagnostic.severity == Severity::error ? "error: " : "warning: ";
  return text + diagnostic.message;
}

InputError::InputError(std::vector<Diagnostic> diagnostics)
    : std::runtime_error(joined(diagnostics)), diagnostics_(std::move(diagnostics)) {}

InputError::InputError(Location location, std::string message)
    : InputError(
          std::vector{Diagnostic{Severity::error, std::move(location), std::move(message)}}) {}

SimulationError::SimulationError(double time, const std::string& what_happened)
    : std::runtime_error(fmt::format("at time {} s: {}", time, what_happened)), time_(time) {}

}  // namespace abut
