#pragma once
// The immutable description of what is simulated. The state that changes is in state.h.

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "abut/types.h"
#include "body/mass.h"
#include "body/script.h"
#include "joint/joint.h"
#include "model/bending.h"
#include "model/force.h"
#include "model/settings.h"
#include "shape/shape.h"

namespace abut::model {

struct Friction {
  double static_coefficient = 0;
  double dynamic_coefficient = 0;  ///< at most the static one
};

struct Material {
  std::string name;       ///< empty for an inline material
  double density = 1000;  ///< kg/m^3
  Friction friction;
  double restitution = 0;
};

/// Overrides the mixing of two materials, or of two bodies, given by name.
struct ContactOverride {
  std::array<std::string, 2> between;
  std::optional<Friction> friction;
  std::optional<double> restitution;
};

struct Dynamic {};
struct Fixed {};
using Motion = std::variant<Dynamic, Fixed, body::Script>;

struct Color {
  double red = 0, green = 0, blue = 0;  ///< in [0, 1]
};

struct Body {
  std::string name;
  std::vector<shape::Part> parts;  ///< posed in the body frame
  Motion motion = Dynamic{};
  body::Mass mass;               ///< zero where a part is unbounded
  double bounding_radius = 0;    ///< about the centre of mass, m
  Pose pose;                     ///< body frame at time 0
  Vec3 velocity = Vec3::Zero();  ///< of the centre of mass at time 0
  Vec3 angular_velocity = Vec3::Zero();
  std::optional<Color> color;
  /// Of a body that bends: `parts` are its shape at rest (a sheet has none), `mass` that at rest,
  /// and `bending` says how it starts; `pose`, `velocity` and `angular_velocity` say the same of
  /// the rigid motion that fits best.
  std::optional<Bending> bending;

  bool bends() const { return bending.has_value(); }
  bool is_dynamic() const { return std::holds_alternative<Dynamic>(motion); }
  const body::Script* script() const { return std::get_if<body::Script>(&motion); }
};

/// A file that the scene names, as it was read: without scale, and whether it was mended or not.
struct MeshFile {
  std::string file;  ///< as the scene writes it
  std::shared_ptr<const geometry::PolygonMesh> mesh;
};

struct Model {
  std::string name;
  Vec3 gravity = Vec3(0, 0, -9.81);
  double duration = 0;  ///< s
  RecordSettings record;
  SolverSettings solver;
  std::vector<Material> materials;
  std::vector<ContactOverride> contacts;
  std::vector<Body> bodies;
  std::vector<Force> forces;
  std::vector<joint::Joint> joints;
  std::vector<std::pair<BodyIndex, BodyIndex>> no_collide;
  std::string source;  ///< the scene text this came from, for the record; may be empty
  std::vector<MeshFile> mesh_files;  ///< that it names, for the record too
  PenaltySettings penalty;
};

}  // namespace abut::model
