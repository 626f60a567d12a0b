#include "geometry/ply_header.h"

#include <fmt/core.h>

#include <array>
#include <limits>
#include <utility>

namespace abut::geometry {
namespace {

constexpr std::array<std::pair<std::string_view, PlyType>, 16> type_names = {{
    {"char", PlyType::int8},
    {"int8", PlyType::int8},
    {"uchar", PlyType::uint8},
    {"uint8", PlyType::uint8},
    {"short", PlyType::int16},
    {"int16", PlyType::int16},
    {"ushort", PlyType::uint16},
    {"uint16", PlyType::uint16},
    {"int", PlyType::int32},
    {"int32", PlyType::int32},
    {"uint", PlyType::uint32},
    {"uint32", PlyType::uint32},
    {"float", PlyType::float32},
    {"float32", PlyType::float32},
    {"double", PlyType::float64},
    {"float64", PlyType::float64},
}};

PlyType type_from(const TextScanner& scanner, const Word& word) {
  for (const auto& [name, type] : type_names) {
    if (word.text == name) return type;
  }
  scanner.fail(word, fmt::format("{} is no type of the PLY format; use int8, uint8, int16, uint16, "
                                 "int32, uint32, float32 or float64",
                                 in_quotes(word.text)));
}

void read_format(TextScanner& scanner, PlyHeader& header) {
  const Word word = scanner.require_on_line("the encoding");
  if (word.text == "ascii") {
    header.is_text = true;
  } else if (word.text == "binary_little_endian") {
    header.is_text = false;
    header.order = std::endian::little;
  } else if (word.text == "binary_big_endian") {
    header.is_text = false;
    header.order = std::endian::big;
  } else {
    scanner.fail(word, fmt::format("{} is no encoding of the PLY format; use ascii, "
                                   "binary_little_endian or binary_big_endian",
                                   in_quotes(word.text)));
  }
  const Word version = scanner.require_on_line("the version 1.0");
  if (version.text != "1.0") {
    scanner.fail(version,
                 fmt::format("version {} of the PLY format is not known; write version 1.0",
                             in_quotes(version.text)));
  }
}

PlyElement read_element(TextScanner& scanner) {
  PlyElement element;
  element.name = scanner.require_on_line("the name of an element").text;
  element.place = scanner.require_on_line("the number of elements");
  element.count = scanner.integer(element.place, "a number of elements");
  if (element.count < 0 || element.count > std::numeric_limits<int>::max()) {
    scanner.fail(element.place,
                 fmt::format("the number of elements is {}, but must lie between 0 and {}; mend it",
                             element.count, std::numeric_limits<int>::max()));
  }
  return element;
}

PlyProperty read_property(TextScanner& scanner) {
  PlyProperty property;
  Word type = scanner.require_on_line("the type of a property");
  if (type.text == "list") {
    property.is_list = true;
    const Word count_type = scanner.require_on_line("the type of the list's length");
    property.count_type = type_from(scanner, count_type);
    if (property.count_type == PlyType::float32 || property.count_type == PlyType::float64) {
      scanner.fail(count_type,
                   fmt::format("the length of a list is of type {}, but must be a whole "
                               "number; use uint8 or int32",
                               in_quotes(count_type.text)));
    }
    type = scanner.require_on_line("the type of the list's items");
  }
  property.type = type_from(scanner, type);
  property.name = scanner.require_on_line("the name of a property").text;
  return property;
}

}  // namespace

std::size_t size_of(PlyType type) {
  switch (type) {
    case PlyType::int8:
    case PlyType::uint8:
      return 1;
    case PlyType::int16:
    case PlyType::uint16:
      return 2;
    case PlyType::int32:
    case PlyType::uint32:
    case PlyType::float32:
      return 4;
    case PlyType::float64:
      return 8;
  }
  return 8;
}

PlyHeader parse_ply_header(TextScanner& scanner) {
  const std::optional<Word> magic = scanner.next_on_line();
  if (!magic || magic->text != "ply") {
    scanner.fail(magic.value_or(Word{{}, 1, 1}),
                 "the file does not start with 'ply', so it is no PLY file; write it again");
  }
  PlyHeader header;
  bool has_format = false;
  while (scanner.next_line()) {
    const std::optional<Word> keyword = scanner.next_on_line();
    if (!keyword || keyword->text == "comment" || keyword->text == "obj_info") continue;
    if (keyword->text == "format") {
      read_format(scanner, header);
      has_format = true;
    } else if (keyword->text == "element") {
      header.elements.push_back(read_element(scanner));
    } else if (keyword->text == "property") {
      if (header.elements.empty()) {
        scanner.fail(*keyword, "a property stands before any element; put it below its element");
      }
      header.elements.back().properties.push_back(read_property(scanner));
    } else if (keyword->text == "end_header") {
      if (!has_format) {
        scanner.fail(*keyword, "the header has no format; add the line 'format ascii 1.0'");
      }
      scanner.next_line();
      return header;
    } else {
      scanner.fail(*keyword, fmt::format("{} is no statement of a PLY header; mend it or make it a "
                                         "comment",
                                         in_quotes(keyword->text)));
    }
  }
  scanner.fail_here("the file ends within its header; it is cut off, so write it again");
}

}  // namespace abut::geometry
