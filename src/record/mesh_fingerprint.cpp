#include "record/mesh_fingerprint.h"

#include <cstdint>

#include "base/hash.h"

namespace abut::record {

std::string fingerprint(const geometry::PolygonMesh& mesh) {
  base::Hash hash;
  for (const Vec3& vertex : mesh.vertices)
    for (const double x : {vertex.x(), vertex.y(), vertex.z()}) hash.add(x);
  for (const std::vector<int>& face : mesh.faces) {
    hash.add(face.size());
    for (const int corner : face) hash.add(static_cast<std::uint64_t>(corner));
  }
  return hash.hex();
}

}  // namespace abut::record
