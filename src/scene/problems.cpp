#include "scene/problems.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace abut::scene {

void Problems::error(const Mark& mark, std::string message) {
  if (++error_count_ <= maximum_errors) {
    entries_.push_back({mark, Severity::error, std::move(message)});
  }
}

void Problems::warning(const Mark& mark, std::string message) {
  if (entries_.size() < 2 * maximum_errors) {
    entries_.push_back({mark, Severity::warning, std::move(message)});
  }
}

Location Problems::location(const Mark& mark) const {
  if (mark.override_index >= 0) {
    return {"--set " + overrides_[static_cast<std::size_t>(mark.override_index)], 0, 0};
  }
  return {file_, mark.line, mark.column};
}

std::vector<Diagnostic> Problems::sorted() const {
  std::vector<Entry> entries = entries_;
  const auto place = [](const Entry& entry) {
    return std::make_tuple(entry.mark.override_index, entry.mark.line, entry.mark.column);
  };
  std::stable_sort(entries.begin(), entries.end(),
                   [&](const Entry& a, const Entry& b) { return place(a) < place(b); });
  std::vector<Diagnostic> diagnostics;
  for (const Entry& entry : entries) {
    Diagnostic next{entry.severity, location(entry.mark), entry.message};
    const auto same = [&](const Diagnostic& earlier) {
      return earlier.message == next.message && earlier.location.line == next.location.line &&
             earlier.location.column == next.location.column &&
             earlier.location.file == next.location.file;
    };
    const bool repeated = std::any_of(diagnostics.begin(), diagnostics.end(), same);
    if (!repeated) diagnostics.push_back(std::move(next));
  }
  if (error_count_ > maximum_errors) {
    diagnostics.push_back({Severity::error,
                           {file_, 0, 0},
                           fmt::format("{} further errors are not shown; mend those above first",
                                       error_count_ - maximum_errors)});
  }
  return diagnostics;
}

void Problems::throw_if_errors() const {
  if (has_errors()) throw InputError(sorted());
}

}  // namespace abut::scene
