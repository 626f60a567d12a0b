#pragma once
// What the tests of the loader share: scenes from text, and their complaints as lines.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "scene/loader.h"

namespace scene_testing {

// Not inline: what is made of it in the same file is made after it.
const std::string header = "abut: 1\nduration: 1\n";

inline abut::model::Model load(const std::string& text,
                               const std::vector<std::string>& overrides = {}) {
  try {
    return abut::scene::load_scene_text(text, "test.yaml", overrides).model;
  } catch (const abut::InputError& error) {
    ADD_FAILURE() << error.what();
    return {};
  }
}

inline bool mentions(const std::string& message, const std::string& part) {
  return message.find(part) != std::string::npos;
}

/// "line:column: message" of every error; empty if the scene is accepted.
inline std::vector<std::string> errors(const std::string& text,
                                       const std::vector<std::string>& overrides = {}) {
  std::vector<std::string> lines;
  try {
    abut::scene::load_scene_text(text, "test.yaml", overrides);
  } catch (const abut::InputError& error) {
    for (const abut::Diagnostic& d : error.diagnostics()) {
      if (d.severity != abut::Severity::error) continue;
      const std::string place = d.location.line > 0 ? std::to_string(d.location.line) + ":" +
                                                          std::to_string(d.location.column)
                                                    : d.location.file;
      lines.push_back(place + ": " + d.message);
    }
  }
  return lines;
}

/// Exactly one error, with the given start, that contains the given text.
inline ::testing::AssertionResult one_error(const std::vector<std::string>& lines,
                                            const std::string& place, const std::string& part) {
  std::string all;
  for (const std::string& line : lines) all += line + "\n";
  if (lines.size() != 1) {
    return ::testing::AssertionFailure() << lines.size() << " errors:\n" << all;
  }
  if (lines[0].rfind(place + ": ", 0) != 0) {
    return ::testing::AssertionFailure() << "not at " << place << ": " << all;
  }
  if (lines[0].find(part) == std::string::npos) {
    return ::testing::AssertionFailure() << "no \"" << part << "\" in: " << all;
  }
  return ::testing::AssertionSuccess();
}

/// A scene with one body that has these lines besides its name, from line 4 on, indented by 4.
inline std::string with_body(const std::string& lines) {
  return header + "bodies:\n  - name: b\n" + lines;
}

inline const std::string ball = "    shape: {sphere: {radius: 0.5}}\n";

inline std::vector<std::string> body_errors(const std::string& lines) {
  return errors(with_body(lines));
}

inline abut::model::Body body(const std::string& lines) {
  const auto model = load(with_body(lines));
  return model.bodies.empty() ? abut::model::Body() : model.bodies[0];
}

}  // namespace scene_testing
