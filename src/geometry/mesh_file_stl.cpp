// STL, as text and as binary. Every triangle carries its own corners; equal ones are welded.
//
// Binary files often start with the word `solid` too, so the size decides: a file is binary when it
// is exactly as long as the count of triangles in it demands. A text of that length would have to
// announce more than half a billion triangles in its bytes 80 to 83.

#include <fmt/core.h>

#include <cmath>
#include <cstdint>

#include "abut/diagnostics.h"
#include "geometry/byte_reader.h"
#include "geometry/mesh_file.h"
#include "geometry/mesh_weld.h"
#include "geometry/text_scanner.h"

namespace abut::geometry {
namespace {

constexpr std::size_t header_size = 80;    // bytes of free text
constexpr std::size_t data_start = 84;     // after the header and the count of triangles
constexpr std::size_t triangle_size = 50;  // normal and three corners as floats, two more bytes

/// The mesh of corners in threes, equal ones welded.
PolygonMesh mesh_from_corners(std::vector<Vec3> corners) {
  PolygonMesh mesh;
  for (int first = 0; first + 2 < static_cast<int>(corners.size()); first += 3) {
    mesh.faces.push_back({first, first + 1, first + 2});
  }
  for (Vec3& corner : corners) corner += Vec3::Zero();  // turns -0 into +0
  mesh.vertices = std::move(corners);
  return without_spare_vertices(mesh);
}

class AsciiStlParser {
 public:
  AsciiStlParser(std::string_view text, const std::string& file_name) : scanner_(text, file_name) {}

  std::vector<Vec3> parse() {
    while (const std::optional<Word> word = scanner_.next()) {
      expect(*word, "solid");
      skip_name();
      solid();
    }
    return std::move(corners_);
  }

 private:
  void solid() {
    for (;;) {
      const Word word = scanner_.require("'facet' or 'endsolid'");
      if (equal_ignoring_case(word.text, "endsolid")) return skip_name();
      if (equal_ignoring_case(word.text, "facet")) {
        facet();
      } else {
        scanner_.fail(word, fmt::format("{} stands where 'facet' or 'endsolid' should; mend the "
                                        "file or write it again",
                                        in_quotes(word.text)));
      }
    }
  }

  // facet normal nx ny nz, outer loop, three times vertex x y z, endloop, endfacet. The normal is
  // not needed, and exporters write anything there, so it is passed over unread.
  void facet() {
    expect(scanner_.require("'normal'"), "normal");
    for (int axis = 0; axis < 3; ++axis) scanner_.require("a component of the normal");
    expect(scanner_.require("'outer'"), "outer");
    expect(scanner_.require("'loop'"), "loop");
    for (int corner = 0; corner < 3; ++corner) {
      const Word word = scanner_.require("'vertex'");
      if (equal_ignoring_case(word.text, "endloop")) {
        scanner_.fail(word,
                      fmt::format("the facet has {} corners, but must have 3; add the missing "
                                  "ones or remove the facet",
                                  corner));
      }
      expect(word, "vertex");
      Vec3 point;
      for (int axis = 0; axis < 3; ++axis) {
        point[axis] = scanner_.number(scanner_.require("a coordinate of the vertex"));
      }
      corners_.push_back(point);
    }
    const Word end = scanner_.require("'endloop'");
    if (equal_ignoring_case(end.text, "vertex")) {
      scanner_.fail(end, "the facet has more than 3 corners; split it into triangles");
    }
    expect(end, "endloop");
    expect(scanner_.require("'endfacet'"), "endfacet");
  }

  void expect(const Word& word, std::string_view keyword) const {
    if (equal_ignoring_case(word.text, keyword)) return;
    scanner_.fail(word, fmt::format("{} stands where '{}' should; mend the file or write it again",
                                    in_quotes(word.text), keyword));
  }

  void skip_name() {
    while (scanner_.next_on_line()) continue;
  }

  TextScanner scanner_;
  std::vector<Vec3> corners_;
};

std::uint32_t announced_triangles(std::string_view bytes, const std::string& file_name) {
  return ByteReader(bytes, file_name, header_size, std::endian::little).read<std::uint32_t>();
}

std::size_t binary_size(std::uint32_t triangles) {
  return data_start + triangle_size * static_cast<std::size_t>(triangles);
}

/// Precondition: the bytes are as many as the count of triangles demands.
std::vector<Vec3> parse_binary(std::string_view bytes, const std::string& file_name) {
  ByteReader reader(bytes, file_name, data_start, std::endian::little);
  const std::uint32_t triangles = announced_triangles(bytes, file_name);
  std::vector<Vec3> corners;
  corners.reserve(3 * static_cast<std::size_t>(triangles));
  for (std::uint32_t triangle = 0; triangle < triangles; ++triangle) {
    reader.skip(3 * sizeof(float));  // the normal
    for (int corner = 0; corner < 3; ++corner) {
      Vec3 point;
      for (int axis = 0; axis < 3; ++axis) {
        const std::size_t offset = reader.offset();
        point[axis] = static_cast<double>(reader.read<float>());
        if (std::isfinite(point[axis])) continue;
        reader.fail(offset, fmt::format("a coordinate of triangle {} is {}, but must be finite; "
                                        "mend or remove the triangle",
                                        triangle, point[axis]));
      }
      corners.push_back(point);
    }
    reader.skip(2);  // attributes
  }
  return corners;
}

bool starts_like_text(std::string_view bytes, const std::string& file_name) {
  TextScanner scanner(bytes, file_name);
  const std::optional<Word> first = scanner.next();
  return first && equal_ignoring_case(first->text, "solid");
}

/// True if the second line starts with a keyword of the format, as it does in no binary file.
bool continues_like_text(std::string_view bytes, const std::string& file_name) {
  TextScanner scanner(bytes, file_name);
  scanner.next();
  scanner.next_line();
  const std::optional<Word> word = scanner.next();
  return !word || equal_ignoring_case(word->text, "facet") ||
         equal_ignoring_case(word->text, "endsolid");
}

std::vector<Vec3> corners_of(std::string_view bytes, const std::string& file_name) {
  const bool text_start = starts_like_text(bytes, file_name);
  if (bytes.size() < data_start) {
    if (text_start) return AsciiStlParser(bytes, file_name).parse();
    throw InputError(Location{file_name},
                     fmt::format("the file has {} bytes and does not start with 'solid', so it is "
                                 "no STL file, text or binary; write it again",
                                 bytes.size()));
  }
  const std::uint32_t triangles = announced_triangles(bytes, file_name);
  if (bytes.size() == binary_size(triangles)) return parse_binary(bytes, file_name);
  const bool has_zero_bytes = bytes.find('\0') != std::string_view::npos;
  if (text_start && (continues_like_text(bytes, file_name) || !has_zero_bytes)) {
    return AsciiStlParser(bytes, file_name).parse();
  }
  throw InputError(Location{file_name},
                   fmt::format("at byte {}: a binary STL file of {} triangles has {} bytes, but "
                               "this one has {}; it is {}, so write it again",
                               header_size, triangles, binary_size(triangles), bytes.size(),
                               bytes.size() < binary_size(triangles) ? "cut off" : "too long"));
}

}  // namespace

PolygonMesh parse_stl(std::string_view bytes, const std::string& file_name, Faces faces) {
  PolygonMesh mesh = mesh_from_corners(corners_of(bytes, file_name));
  if (mesh.faces.empty() && faces == Faces::required) {
    throw InputError(Location{file_name}, "the file has no triangles; export the surface again");
  }
  return mesh;
}

}  // namespace abut::geometry
