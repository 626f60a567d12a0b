#include "messages.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <stdexcept>
#include <system_error>

#include "base/text.h"

namespace abut::cli {

void tell_error(std::string_view message) {
  fmt::print(stderr, "abut: error: {}\n", base::harmless(message));
}

void tell_note(std::string_view message) {
  fmt::print(stderr, "abut: {}\n", base::harmless(message));
}

void tell_diagnostics(const std::vector<Diagnostic>& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics) {
    fmt::print(stderr, "{}\n", base::harmless(to_string(diagnostic)));
  }
}

void print(std::string_view result) {
  const std::string text = base::harmless(result);
  const bool arrived =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (arrived) return;
  throw std::runtime_error("cannot write to standard output: " +
                           std::generic_category().message(errno));
}

}  // namespace abut::cli
