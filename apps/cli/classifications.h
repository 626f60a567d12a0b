#pragma once
// What `abut check --classify` asks and is answered: where points, segments and the edges of other
// bodies are relative to a body with flat faces.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "abut/classification.h"
#include "model/model.h"

namespace abut::cli {

struct ClassificationFacts {
  std::string body;
  std::optional<std::string> edge_of;  ///< the other body, where its edges were asked for
  int edge = -1;                       ///< which of them
  SegmentClassification found;         ///< in the frame of the body; of a point, one point
  /// What was met, by name: the ends of edges, the place of vertices, the normals of faces.
  std::map<std::string, std::vector<Vec3>> entities;
};

/// `BODY=[x, y, z]`, `BODY=[[x, y, z], [x, y, z]]` or `BODY=BODY`, of which the edges that are out
/// all along are left out. Throws InputError for what is none of these.
std::vector<ClassificationFacts> classify(const model::Model& model, const std::string& question);

/// `out`, `in`, `face 1`, `edge 1` or `vertex 1`, counted from 1.
std::string entity_name(const Where& where);

}  // namespace abut::cli
