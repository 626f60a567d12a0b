#pragma once
// What a reader of mesh files complains of.

#include <gtest/gtest.h>

#include <string>

#include "abut/diagnostics.h"

namespace abut::test {

/// "line:column: message" of what `read` throws about the file `name`.
template <class Read>
std::string first_error(const char* name, const Read& read) {
  try {
    read();
  } catch (const InputError& error) {
    const Diagnostic& first = error.diagnostics().at(0);
    EXPECT_EQ(first.location.file, name);
    return std::to_string(first.location.line) + ":" + std::to_string(first.location.column) +
           ": " + first.message;
  }
  return "no error";
}

inline bool starts(const std::string& text, const std::string& beginning) {
  return text.compare(0, beginning.size(), beginning) == 0;
}

}  // namespace abut::test
