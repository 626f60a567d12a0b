#pragma once
// Turns a checked document into a model. One builder per subject; each reports what only shows when
// the parts of a scene are seen together: unknown names, impossible masses, broken meshes.
//
// A part of the document that the checker refused is passed over in silence: it has been reported.

#include <array>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "geometry/closed_surface.h"
#include "geometry/mesh_file.h"
#include "model/model.h"
#include "scene/node.h"
#include "scene/problems.h"

namespace abut::scene {

/// Reads a mesh file, throwing InputError; replaced in tests that must not touch files.
using MeshReader = std::function<geometry::PolygonMesh(const std::string& path, geometry::Faces)>;

/// Where a name was declared, and as what.
struct Declared {
  enum class Kind { material, body, grid } kind = Kind::body;
  Mark mark;
  int index = -1;  ///< in the model; -1 for a grid, or where the entry itself is faulty
};

struct Builder {
  model::Model& model;
  Problems& problems;
  const MeshReader& read_mesh;
  std::string folder;  ///< that mesh files are relative to; empty: the current one

  std::unordered_map<std::string, Declared> names;
  std::vector<bool> density_given;  ///< per material of the model
  int default_material = -1;        ///< of bodies that name none, once there is one
  /// Meshes by file and scale, so that a file is read once and bodies share it.
  std::map<std::string, std::shared_ptr<const geometry::PolygonMesh>> meshes;
  /// Surfaces by their formulas and ranges, so that each is checked once and bodies share it.
  std::map<std::string, geometry::CheckedSurface> surfaces;
  /// The `attach` of sheets, which may name bodies that come later; copies share their sheet.
  std::map<const flexible::BendingBody*, const Node*> attachments;

  /// Registers a name, reporting one that is taken or reserved.
  void declare(const std::string& name, const Declared& declared);
  /// The body of that name, reporting one that does not exist; nothing for a faulty body.
  std::optional<BodyIndex> body_named(const Node& name);
  /// "; did you mean `x`?" among the names of these kinds. Silent once more errors were found than
  /// are shown: comparing with all names is slow.
  std::string suggestion(const std::string& name,
                         std::initializer_list<Declared::Kind> kinds) const;
};

// In the order in which they run.
void build_settings(const Node& document, Builder& builder);
void build_materials(const Node& document, Builder& builder);
void build_bodies(const Node& document, Builder& builder);
/// The names of what sheets are held by, and the bodies they are attached to.
void build_holds(Builder& builder);
/// Bodies that bend are stepped: refuses `clock: event` for them.
void check_bending_clock(const Node& document, Builder& builder);
/// The contact distance, as the size of bodies asks for or allows.
void build_scale(const Node& document, Builder& builder);
void build_contacts(const Node& document, Builder& builder);
void build_joints(const Node& document, Builder& builder);
void build_forces(const Node& document, Builder& builder);
void build_no_collide(const Node& document, Builder& builder);

// Parts of build_bodies.

/// Index of the material named or written at `node`.
std::optional<int> build_material(const Node& node, Builder& builder);

/// The parts of a body in its frame, or nothing if one of them is faulty.
std::optional<std::vector<shape::Part>> build_parts(const Node& body, Builder& builder);

/// The geometry of a map with one shape key.
std::optional<shape::Geometry> build_geometry(const std::string& kind, const Node& parameters,
                                              Builder& builder);
std::optional<shape::Geometry> build_convex(const Node& parameters, Builder& builder);
std::optional<shape::Geometry> build_mesh(const Node& parameters, Builder& builder);
std::optional<shape::Geometry> build_implicit(const Node& parameters, Builder& builder);
std::optional<shape::Geometry> build_parametric(const Node& parameters, Builder& builder);

/// The motion of a body with the given pose; adjusts `pose` to where a script starts.
std::optional<model::Motion> build_motion(const Node& body, Pose& pose, Builder& builder);

/// Reports a turning speed, rad/s, that is too fast to be followed.
void refuse_fast_turns(const Mark& mark, double speed, Builder& builder);

/// Mass properties of the parts with the body's own mass, inertia and com; scales part densities.
std::optional<body::Mass> build_mass(const Node& body, std::vector<shape::Part>& parts,
                                     Builder& builder);

/// Index of the body's own material, or of the common default.
std::optional<int> body_material(const Node& body, Builder& builder);

/// The parameters of a body whose shape is a sheet, or nullptr.
const Node* sheet_of(const Node& body);
/// Makes the body a sheet.
void build_sheet(const Node& node, const Node& sheet, model::Body& body, Builder& builder);
/// Makes the body bend if the scene says so; reports keys that need it and stand without.
void build_flexible(const Node& node, model::Body& body, Builder& builder);
/// Moves the start of a copy of a body.
void shift_bending(model::Body& body, const Vec3& offset);

// Parts of build_joints and build_forces.

/// The two bodies of a connection ("joint", "spring"), either of which may be `world`, from the
/// names at `names`. Reports pairs that nothing can be hung between.
std::optional<std::array<BodyIndex, 2>> connected_bodies(const Node& names,
                                                         std::string_view connection,
                                                         Builder& builder);

/// The world points at `at`: none without it, one, or two.
std::vector<Vec3> given_points(const Node& entry);

}  // namespace abut::scene
