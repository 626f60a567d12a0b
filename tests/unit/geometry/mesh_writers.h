#pragma once
// Writes meshes in every format that can be read, byte by byte, for round trips.

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>

#include "geometry/polygon_mesh.h"

namespace samples {

inline std::string obj_text(const abut::geometry::PolygonMesh& mesh) {
  std::string text;
  for (const abut::Vec3& v : mesh.vertices)
    text += fmt::format("v {} {} {}\n", v.x(), v.y(), v.z());
  for (const std::vector<int>& face : mesh.faces) {
    text += "f";
    for (const int corner : face) text += fmt::format(" {}", corner + 1);
    text += "\n";
  }
  return text;
}

template <class T>
void append(std::string& bytes, T value, std::endian order) {
  std::string raw(sizeof(T), '\0');
  std::memcpy(raw.data(), &value, sizeof(T));
  if (order != std::endian::native) std::reverse(raw.begin(), raw.end());
  bytes += raw;
}

/// Triangles only.
inline std::string stl_text(const abut::geometry::PolygonMesh& mesh) {
  std::string text = "solid sample of a name\n";
  for (const std::vector<int>& face : mesh.faces) {
    text += " facet normal 0 0 0\n  outer loop\n";
    for (const int corner : face) {
      const abut::Vec3& v = mesh.vertices[corner];
      text += fmt::format("   vertex {} {} {}\n", v.x(), v.y(), v.z());
    }
    text += "  endloop\n endfacet\n";
  }
  return text + "endsolid sample of a name\n";
}

/// Triangles with coordinates that single precision holds.
inline std::string stl_binary(const abut::geometry::PolygonMesh& mesh,
                              const std::string& title = "binary") {
  std::string bytes = title;
  bytes.resize(80, ' ');
  append(bytes, std::uint32_t(mesh.faces.size()), std::endian::little);
  for (const std::vector<int>& face : mesh.faces) {
    for (int i = 0; i < 3; ++i) append(bytes, 0.0f, std::endian::little);
    for (const int corner : face) {
      for (int axis = 0; axis < 3; ++axis) {
        append(bytes, float(mesh.vertices[corner][axis]), std::endian::little);
      }
    }
    append(bytes, std::uint16_t(0), std::endian::little);
  }
  return bytes;
}

inline std::string ply_text(const abut::geometry::PolygonMesh& mesh) {
  std::string text = fmt::format(
      "ply\nformat ascii 1.0\ncomment a sample\nelement vertex {}\nproperty double x\n"
      "property double y\nproperty double z\nelement face {}\n"
      "property list uchar int vertex_indices\nend_header\n",
      mesh.vertices.size(), mesh.faces.size());
  for (const abut::Vec3& v : mesh.vertices) text += fmt::format("{} {} {}\n", v.x(), v.y(), v.z());
  for (const std::vector<int>& face : mesh.faces) {
    text += std::to_string(face.size());
    for (const int corner : face) text += fmt::format(" {}", corner);
    text += "\n";
  }
  return text;
}

/// With a colour between the coordinates, lists after and before the corners, and an element that
/// nobody asked for between vertices and faces.
inline std::string ply_binary(const abut::geometry::PolygonMesh& mesh, std::endian order) {
  std::string bytes = fmt::format(
      "ply\r\nformat {} 1.0\r\nelement vertex {}\r\nproperty double x\r\nproperty uchar red\r\n"
      "property float64 y\r\nproperty double z\r\nelement extra 2\r\nproperty short a\r\n"
      "property list ushort float b\r\nelement face {}\r\nproperty list uint8 int8 before\r\n"
      "property list int32 uint16 vertex_index\r\nproperty float after\r\nend_header\r\n",
      order == std::endian::big ? "binary_big_endian" : "binary_little_endian",
      mesh.vertices.size(), mesh.faces.size());
  for (const abut::Vec3& v : mesh.vertices) {
    append(bytes, v.x(), order);
    append(bytes, std::uint8_t(200), order);
    append(bytes, v.y(), order);
    append(bytes, v.z(), order);
  }
  for (int i = 0; i < 2; ++i) {
    append(bytes, std::int16_t(-7), order);
    append(bytes, std::uint16_t(i), order);
    for (int k = 0; k < i; ++k) append(bytes, 1.5f, order);
  }
  for (const std::vector<int>& face : mesh.faces) {
    append(bytes, std::uint8_t(1), order);
    append(bytes, std::int8_t(-1), order);
    append(bytes, std::int32_t(face.size()), order);
    for (const int corner : face) append(bytes, std::uint16_t(corner), order);
    append(bytes, 2.5f, order);
  }
  return bytes;
}

}  // namespace samples
