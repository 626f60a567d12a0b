#pragma once
// The run is one of the scene whose text it holds.

#include <optional>
#include <string>

#include "model/model.h"
#include "record/run_reader.h"
#include "verify/check.h"

namespace abut::verify {

/// The model that the recorded scene text describes, or why there is none. Mesh files are
/// those that the run keeps, or are read from `mesh_folder`.
struct RebuiltScene {
  std::optional<model::Model> model;
  std::string reason;  ///< empty where there is a model
};
RebuiltScene rebuild(const record::RunFacts& facts, const std::string& mesh_folder);

/// Compares names, masses and inertias with the record, the poses of the first frame with those of
/// the scene, and the text with its fingerprint.
class SceneCheck : public Check {
 public:
  /// Without a model only the fingerprint is compared. The model must outlive the check.
  SceneCheck(const record::RunFacts& facts, const RebuiltScene& scene);

  void frame(const record::Frame& frame) override;
  std::string measured() const override;

  /// Whether the record has the bodies of the model, so that the two can be compared further.
  bool same_bodies() const { return same_bodies_; }

 private:
  void compare_bodies(const record::RunFacts& facts);

  const model::Model* model_ = nullptr;
  std::string reason_;
  bool same_bodies_ = false;
  bool has_started_ = false;
};

}  // namespace abut::verify
