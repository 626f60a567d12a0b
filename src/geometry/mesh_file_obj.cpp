// Wavefront OBJ: vertices (`v`) and polygons (`f`); what concerns looks or names is passed over.

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <limits>

#include "abut/diagnostics.h"
#include "geometry/mesh_file.h"
#include "geometry/text_scanner.h"

namespace abut::geometry {
namespace {

/// Statements that do not change the surface.
constexpr std::array<std::string_view, 20> passed_over = {
    "vt",     "vn",       "vp",       "g",      "o",   "s",          "mg",
    "usemtl", "mtllib",   "usemap",   "maplib", "lod", "shadow_obj", "trace_obj",
    "bevel",  "c_interp", "d_interp", "l",      "p",   "call"};

/// Statements of curved surfaces, which are no polygons.
constexpr std::array<std::string_view, 16> free_form = {
    "cstype", "deg",  "bmat", "step", "curv", "curv2", "surf",  "parm",
    "trim",   "hole", "scrv", "sp",   "end",  "con",   "ctech", "stech"};

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

class ObjParser {
 public:
  ObjParser(std::string_view text, const std::string& file_name)
      : scanner_(text, file_name, TextSyntax{'#', '\\'}) {}

  PolygonMesh parse(Faces faces) {
    do {
      if (const std::optional<Word> keyword = scanner_.next_on_line()) statement(*keyword);
    } while (scanner_.next_line());
    check_forward_references();
    if (mesh_.vertices.empty()) {
      throw InputError(Location{scanner_.file_name()},
                       "the file has no vertices; write them as lines `v x y z`");
    }
    if (mesh_.faces.empty() && faces == Faces::required) {
      throw InputError(Location{scanner_.file_name()},
                       "the file has no faces; write them as lines `f 1 2 3`");
    }
    return std::move(mesh_);
  }

 private:
  void statement(const Word& keyword) {
    if (keyword.text == "v") return vertex();
    if (keyword.text == "f" || keyword.text == "fo") return face(keyword);
    if (contains(passed_over, keyword.text)) return;
    if (contains(free_form, keyword.text)) {
      scanner_.fail(keyword, fmt::format("{} belongs to a curved surface, which is not supported; "
                                         "export the surface as polygons",
                                         in_quotes(keyword.text)));
    }
    scanner_.fail(keyword, fmt::format("{} is no statement of the OBJ format; mend the word or "
                                       "make the line a comment with #",
                                       in_quotes(keyword.text)));
  }

  // v x y z [w] [r g b]: weights matter to curved surfaces only, colours not at all.
  void vertex() {
    Vec3 point;
    for (int axis = 0; axis < 3; ++axis) {
      point[axis] = scanner_.number(scanner_.require_on_line("a coordinate of the vertex"));
    }
    while (const std::optional<Word> extra = scanner_.next_on_line()) scanner_.number(*extra);
    mesh_.vertices.push_back(point);
  }

  void face(const Word& keyword) {
    std::vector<int> corners;
    while (const std::optional<Word> word = scanner_.next_on_line()) {
      corners.push_back(corner(*word));
    }
    if (corners.size() < 3) {
      scanner_.fail(keyword, fmt::format("the face has {} corners, but must have at least 3; list "
                                         "its vertices or remove the line",
                                         corners.size()));
    }
    mesh_.faces.push_back(std::move(corners));
  }

  // v, v/vt, v//vn or v/vt/vn; only the first number says where the corner is.
  int corner(const Word& word) {
    const std::size_t slash = word.text.find('/');
    check_decoration(word, slash);
    const Word number{word.text.substr(0, slash), word.line, word.column};
    const std::int64_t index = scanner_.integer(number, "the index of a vertex");
    const auto count = static_cast<std::int64_t>(mesh_.vertices.size());
    if (index == 0) scanner_.fail(word, "a vertex index is 0, but OBJ counts from 1; add 1");
    if (index < -count || index > std::numeric_limits<int>::max()) out_of_range(word, index);
    if (index > count) forward_references_.push_back({word, index});
    return static_cast<int>(index > 0 ? index - 1 : count + index);
  }

  void check_decoration(const Word& word, std::size_t slash) const {
    int parts = 0;
    while (slash != std::string_view::npos) {
      const std::size_t next = word.text.find('/', slash + 1);
      const std::string_view part = word.text.substr(slash + 1, next - slash - 1);
      if (++parts > 2) {
        scanner_.fail(word, fmt::format("{} has too many slashes; write v, v/vt, v//vn or v/vt/vn",
                                        in_quotes(word.text)));
      }
      const int offset = static_cast<int>(slash) + 1;
      if (!part.empty()) {
        scanner_.integer(Word{part, word.line, word.column + offset}, "an index");
      }
      slash = next;
    }
  }

  // A face may stand before its vertices, so too large an index is known to be wrong only at the
  // end of the file.
  void check_forward_references() const {
    for (const auto& [word, index] : forward_references_) {
      if (index > static_cast<std::int64_t>(mesh_.vertices.size())) out_of_range(word, index);
    }
  }

  [[noreturn]] void out_of_range(const Word& word, std::int64_t index) const {
    scanner_.fail(word, fmt::format("vertex index {} is out of range, for there are {} vertices; "
                                    "mend the index or add the vertex",
                                    index, mesh_.vertices.size()));
  }

  struct ForwardReference {
    Word word;
    std::int64_t index;
  };

  TextScanner scanner_;
  PolygonMesh mesh_;
  std::vector<ForwardReference> forward_references_;
};

}  // namespace

PolygonMesh parse_obj(std::string_view bytes, const std::string& file_name, Faces faces) {
  return ObjParser(bytes, file_name).parse(faces);
}

}  // namespace abut::geometry
