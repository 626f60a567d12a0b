#include "scene/reference.h"

#include <fmt/format.h>

#include <set>
#include <vector>

#include "scene/format.h"

namespace abut::scene {
namespace {

std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) {
    text.replace(at, 1, "\\|");
  }
  return text;
}

std::string how_to_write(const Type& type) {
  std::string text = describe(type);
  for (const std::string& word : type.unsupported) {
    text += fmt::format(" (`{}` is not supported yet)", word);
  }
  if (const std::string range = describe(type.range, type.dimension); !range.empty()) {
    // Bounds that only keep numbers finite are no news to a reader.
    if (type.range.upper < format::largest_number || type.range.lower > -format::largest_number) {
      const bool only_finite = type.range.upper >= format::largest_number;
      text += only_finite && type.range.lower == 0
                  ? (type.range.lower_open ? ", positive" : ", zero or positive")
                  : ", " + range;
    }
  }
  return text;
}

/// Writes the section of a record and remembers the records it mentions.
class Writer {
 public:
  void section(const Record& record, const std::string& title) {
    if (!written_.insert(title).second) return;
    out_ += fmt::format("## {}\n\n{}\n\n", title, record.help);
    if (!record.supported) out_ += "Not supported yet.\n\n";
    out_ += "| key | value | default | meaning |\n|---|---|---|---|\n";
    for (const Key& key : record.keys) {
      const std::string state = key.supported ? "" : " Not supported yet.";
      const std::string otherwise = key.required ? "required" : key.default_text;
      out_ += fmt::format("| `{}` | {} | {} | {}.{} |\n", key.name, cell(how_to_write(key.type)),
                          cell(otherwise), cell(key.help), state);
    }
    out_ += '\n';
    for (const Key& key : record.keys) follow(key.type, key.name);
  }

  std::string text() { return std::move(out_); }
  void append(const std::string& text) { out_ += text; }

 private:
  void follow(const Type& type, const std::string& key) {
    if (type.element != nullptr) follow(*type.element, key);
    for (const Type& alternative : type.alternatives) follow(alternative, key);
    for (const auto& record : type.records)
      section(*record, fmt::format("{}: {}", key, record->name));
    if (type.record != nullptr) section(*type.record, type.record->name);
  }

  std::string out_;
  std::set<std::string> written_;
};

std::string units() {
  std::string text =
      "## units\n\nNumbers are SI. A quantity may carry a unit (`5 mm`, `7.85 g/cm^3`, `30 deg`), "
      "and units combine with `*`, `/` and `^`. Simple arithmetic is allowed (`1/60`, `2*pi/3`); "
      "a unit behind it applies to all of it (`1/60 s`). A plain angle is in radians.\n\nKnown "
      "units:";
  for (const std::string& name : unit_names()) text += fmt::format(" `{}`", name);
  return text + "\n";
}

}  // namespace

std::string reference_page() {
  Writer writer;
  writer.append(
      "# Scene file reference\n\nEvery key of a scene file. This page is generated from "
      "the tables that the loader itself uses.\n\n");
  writer.section(*format::scene_record(), "scene");
  writer.append(units());
  return writer.text();
}

}  // namespace abut::scene
