// PLY: the elements `vertex` (x, y, z) and `face` (vertex_indices); others are passed over.

#include <fmt/core.h>

#include <cmath>
#include <limits>

#include "abut/diagnostics.h"
#include "geometry/byte_reader.h"
#include "geometry/mesh_file.h"
#include "geometry/ply_header.h"
#include "geometry/text_scanner.h"

namespace abut::geometry {
namespace {

/// Gives the values of a PLY body one by one, whatever its encoding.
class PlySource {
 public:
  PlySource() = default;
  PlySource(const PlySource&) = delete;
  PlySource& operator=(const PlySource&) = delete;
  virtual ~PlySource() = default;
  virtual double value(PlyType type) = 0;  ///< a finite number
  virtual void pass_over(PlyType type, std::int64_t count) = 0;
  /// The smallest number of bytes that a value of this type can take.
  virtual std::size_t least_size(PlyType type) const = 0;
  virtual std::size_t remaining() const = 0;
  virtual bool has_more_data() = 0;
  /// Throws at the place of the value that was read last.
  [[noreturn]] virtual void fail(const std::string& message) const = 0;
};

class TextSource final : public PlySource {
 public:
  TextSource(TextScanner& scanner, std::size_t size) : scanner_(scanner), size_(size) {}

  double value(PlyType) override {
    last_ = scanner_.require("a value");
    return scanner_.number(last_);
  }
  void pass_over(PlyType, std::int64_t count) override {
    for (std::int64_t i = 0; i < count; ++i) last_ = scanner_.require("a value");
  }
  std::size_t least_size(PlyType) const override { return 1; }
  std::size_t remaining() const override { return size_ - scanner_.offset(); }
  bool has_more_data() override {
    const std::optional<Word> word = scanner_.next();
    if (word) last_ = *word;
    return word.has_value();
  }
  [[noreturn]] void fail(const std::string& message) const override {
    scanner_.fail(last_, message);
  }

 private:
  TextScanner& scanner_;
  std::size_t size_;
  Word last_;
};

class BinarySource final : public PlySource {
 public:
  explicit BinarySource(const ByteReader& reader) : reader_(reader), last_(reader.offset()) {}

  double value(PlyType type) override {
    last_ = reader_.offset();
    const double number = any_value(type);
    if (!std::isfinite(number)) {
      fail(fmt::format("a value is {}, but must be finite; mend or remove it", number));
    }
    return number;
  }
  void pass_over(PlyType type, std::int64_t count) override {
    last_ = reader_.offset();
    reader_.skip(size_of(type) * static_cast<std::size_t>(count));
  }
  std::size_t least_size(PlyType type) const override { return size_of(type); }
  std::size_t remaining() const override { return reader_.remaining(); }
  bool has_more_data() override {
    last_ = reader_.offset();
    return reader_.remaining() > 0;
  }
  [[noreturn]] void fail(const std::string& message) const override {
    reader_.fail(last_, message);
  }

 private:
  double any_value(PlyType type) {
    switch (type) {
      case PlyType::int8:
        return reader_.read<std::int8_t>();
      case PlyType::uint8:
        return reader_.read<std::uint8_t>();
      case PlyType::int16:
        return reader_.read<std::int16_t>();
      case PlyType::uint16:
        return reader_.read<std::uint16_t>();
      case PlyType::int32:
        return reader_.read<std::int32_t>();
      case PlyType::uint32:
        return reader_.read<std::uint32_t>();
      case PlyType::float32:
        return static_cast<double>(reader_.read<float>());
      case PlyType::float64:
        break;
    }
    return reader_.read<double>();
  }

  ByteReader reader_;
  std::size_t last_;
};

bool is_corner_list(const PlyProperty& property) {
  return property.is_list && (property.name == "vertex_indices" || property.name == "vertex_index");
}

class PlyBody {
 public:
  PlyBody(PlySource& source, const TextScanner& header_scanner)
      : source_(source), header_(header_scanner) {}

  PolygonMesh read(const PlyHeader& header) {
    for (const PlyElement& element : header.elements) read_element(element);
    if (source_.has_more_data()) {
      source_.fail("more data follows than the header announces; mend the counts in the header");
    }
    check_corners();
    return std::move(mesh_);
  }

 private:
  void read_element(const PlyElement& element) {
    if (element.properties.empty()) return;
    check_size(element);
    if (element.name == "vertex") check_vertex_properties(element);
    for (std::int64_t row = 0; row < element.count; ++row) {
      if (element.name == "vertex") {
        read_vertex(element);
      } else if (element.name == "face") {
        read_face(element, row);
      } else {
        for (const PlyProperty& property : element.properties) pass_over(property);
      }
    }
  }

  // Before anything is read or allocated: can the rest of the file hold what is announced?
  void check_size(const PlyElement& element) const {
    std::size_t row = 0;
    for (const PlyProperty& property : element.properties) {
      row += source_.least_size(property.is_list ? property.count_type : property.type);
    }
    if (static_cast<std::size_t>(element.count) <= source_.remaining() / row) return;
    header_.fail(element.place,
                 fmt::format("the header announces {} elements '{}', for which the remaining {} "
                             "bytes are too few; the file is cut off or the count is wrong",
                             element.count, element.name, source_.remaining()));
  }

  void check_vertex_properties(const PlyElement& element) const {
    for (const std::string_view name : {"x", "y", "z"}) {
      int found = 0;
      for (const PlyProperty& property : element.properties) {
        if (property.name == name && !property.is_list) ++found;
      }
      if (found == 1) continue;
      header_.fail(element.place,
                   fmt::format("the element 'vertex' has {} properties '{}', but must "
                               "have one; mend the header",
                               found, name));
    }
  }

  void read_vertex(const PlyElement& element) {
    Vec3 point = Vec3::Zero();
    for (const PlyProperty& property : element.properties) {
      const bool is_coordinate = !property.is_list && property.name.size() == 1 &&
                                 property.name[0] >= 'x' && property.name[0] <= 'z';
      if (is_coordinate) {
        point[property.name[0] - 'x'] = source_.value(property.type);
      } else {
        pass_over(property);
      }
    }
    mesh_.vertices.push_back(point);
  }

  void read_face(const PlyElement& element, std::int64_t row) {
    for (const PlyProperty& property : element.properties) {
      if (!is_corner_list(property)) {
        pass_over(property);
        continue;
      }
      const std::int64_t corners = list_length(property);
      if (corners < 3) {
        source_.fail(
            fmt::format("face {} has {} corners, but must have at least 3; complete or "
                        "remove it",
                        row, corners));
      }
      std::vector<int> face;
      face.reserve(static_cast<std::size_t>(corners));
      for (std::int64_t i = 0; i < corners; ++i) face.push_back(corner_index(property, row));
      mesh_.faces.push_back(std::move(face));
    }
  }

  int corner_index(const PlyProperty& property, std::int64_t row) {
    const double index = source_.value(property.type);
    if (index != std::floor(index) || index < 0 || index > std::numeric_limits<int>::max()) {
      source_.fail(
          fmt::format("face {} has the vertex index {}, but indices are whole numbers from "
                      "0; mend it",
                      row, index));
    }
    // Vertices nearly always stand before the faces; then the place of a bad index is known.
    if (!mesh_.vertices.empty() && index >= static_cast<double>(mesh_.vertices.size())) {
      source_.fail(
          fmt::format("face {} has the vertex index {}, but there are {} vertices, counted "
                      "from 0; mend it",
                      row, index, mesh_.vertices.size()));
    }
    return static_cast<int>(index);
  }

  std::int64_t list_length(const PlyProperty& property) {
    const double length = source_.value(property.count_type);
    if (length < 0 || length != std::floor(length)) {
      source_.fail(
          fmt::format("the length of a list is {}, but must be a whole number of at least "
                      "0; mend it",
                      length));
    }
    const std::size_t longest = source_.remaining() / source_.least_size(property.type);
    if (length > static_cast<double>(longest)) {
      source_.fail(
          fmt::format("a list of {} items is longer than the rest of the file; the file is "
                      "cut off or the length is wrong",
                      length));
    }
    return static_cast<std::int64_t>(length);
  }

  void pass_over(const PlyProperty& property) {
    source_.pass_over(property.type, property.is_list ? list_length(property) : 1);
  }

  void check_corners() const {
    const std::size_t count = mesh_.vertices.size();
    for (std::size_t face = 0; face < mesh_.faces.size(); ++face) {
      for (const int corner : mesh_.faces[face]) {
        if (static_cast<std::size_t>(corner) < count) continue;
        throw InputError(Location{header_.file_name()},
                         fmt::format("face {} has the vertex index {}, but there are {} vertices, "
                                     "counted from 0; mend it",
                                     face, corner, count));
      }
    }
  }

  PlySource& source_;
  const TextScanner& header_;
  PolygonMesh mesh_;
};

}  // namespace

PolygonMesh parse_ply(std::string_view bytes, const std::string& file_name, Faces faces) {
  TextScanner scanner(bytes, file_name);
  const PlyHeader header = parse_ply_header(scanner);
  PolygonMesh mesh;
  if (header.is_text) {
    TextSource source(scanner, bytes.size());
    mesh = PlyBody(source, scanner).read(header);
  } else {
    BinarySource source(ByteReader(bytes, file_name, scanner.offset(), header.order));
    mesh = PlyBody(source, scanner).read(header);
  }
  if (mesh.vertices.empty()) {
    throw InputError(Location{file_name},
                     "the file has no vertices; it needs an element 'vertex' with x, y and z");
  }
  if (mesh.faces.empty() && faces == Faces::required) {
    throw InputError(Location{file_name},
                     "the file has no faces; it needs an element 'face' with vertex_indices");
  }
  return mesh;
}

}  // namespace abut::geometry
