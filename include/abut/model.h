#pragma once
// What is simulated: loaded from a scene file or built in code.

#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "abut/diagnostics.h"
#include "abut/export.h"
#include "abut/surface.h"
#include "abut/types.h"

namespace abut {

namespace model {
struct Model;
}

/// A solid in a frame of its own. Cheap to copy.
class ABUT_API Shape {
 public:
  static Shape sphere(double radius);
  static Shape ellipsoid(const Vec3& radii);
  static Shape superellipsoid(const Vec3& radii, double e1, double e2);
  static Shape capsule(double radius, double height);   ///< height of the cylindrical part
  static Shape cylinder(double radius, double height);  ///< along z, centred
  static Shape cone(double radius, double height);      ///< apex at +height/2
  static Shape torus(double radius, double tube);       ///< around z
  static Shape box(const Vec3& size);
  static Shape plane(const Vec3& normal, double offset);  ///< for fixed bodies
  /// All points within `rounding` of the convex hull of the points.
  static Shape convex(const std::vector<Vec3>& points, double rounding = 0);
  /// Faces list vertex indices counter-clockwise from outside.
  static Shape mesh(const std::vector<Vec3>& vertices, const std::vector<std::vector<int>>& faces);
  static Shape mesh_file(const std::string& path, double scale = 1);  ///< OBJ, STL or PLY
  /// All points of the box from `lower` to `upper` where the function is negative; the surface must
  /// be closed within it. Formulas are those of scene files: `x^2/4 + y^2 + z^2 - 1`.
  static Shape implicit(const std::string& function, const Vec3& lower, const Vec3& upper);
  static Shape implicit(std::shared_ptr<const ImplicitFunction> function, const Vec3& lower,
                        const Vec3& upper);
  /// What the surface (x, y, z)(u, v) encloses; each range is {from, to}. Opposite sides of the
  /// domain must meet, or a side must shrink to a point.
  static Shape parametric(const std::array<std::string, 3>& xyz, const std::array<double, 2>& u,
                          const std::array<double, 2>& v);
  static Shape parametric(std::shared_ptr<const ParametricFunction> function,
                          const std::array<double, 2>& u, const std::array<double, 2>& v);

  struct Geometry;
  const Geometry& geometry() const { return *geometry_; }

 private:
  explicit Shape(std::shared_ptr<const Geometry> geometry) : geometry_(std::move(geometry)) {}
  std::shared_ptr<const Geometry> geometry_;
};

enum class Motion { dynamic, fixed };

/// A piece of a body: where it sits in the body frame, and how dense it is.
struct Part {
  Shape shape;
  Pose pose = {};
  double density = 1000;  ///< kg/m^3
};

struct BodyDescription {
  std::string name;
  std::vector<Part> parts;
  Motion motion = Motion::dynamic;
  Pose pose = {};                ///< of the body frame at time 0
  Vec3 velocity = Vec3::Zero();  ///< of the centre of mass
  Vec3 angular_velocity = Vec3::Zero();
  std::optional<double> mass = {};  ///< kg; replaces what the densities give
};

/// A joint put where the bodies stand at time 0: points and directions are world values then.
struct JointDescription {
  std::string name = {};  ///< unique; empty: `joints[0]` and so on, by its place
  JointType type = JointType::ball;
  std::array<BodyIndex, 2> bodies = {world, world};  ///< one of them may be the world
  /// Where the joint is; without it, at the second body's position. Of a distance joint, the point
  /// on the first body, by default its position.
  std::optional<Vec3> at = {};
  std::optional<Vec3> at2 = {};    ///< of a distance joint: the point on the second body, likewise
  std::optional<Vec3> axis = {};   ///< needed but for ball, weld and distance; any length
  std::optional<Vec3> axis2 = {};  ///< of a universal joint: the second body's axis
  /// Least and greatest angle (rad) of a hinge, displacement (m) along the axis of others. It is 0
  /// at time 0.
  std::optional<std::array<double, 2>> limits = {};
  std::optional<JointMotor> motor = {};
  double break_force = std::numeric_limits<double>::infinity();   ///< N
  double break_torque = std::numeric_limits<double>::infinity();  ///< N m
  bool collide = false;  ///< whether the two bodies can touch each other
};

/// Mass, centre of mass (body frame) and inertia (about it, body axes).
struct MassProperties {
  double volume = 0;
  double mass = 0;
  Vec3 centre_of_mass = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();
};

/// A description of bodies, joints and forces. Values are checked where they are given; what is
/// wrong is thrown as InputError.
class ABUT_API Model {
 public:
  Model();
  ~Model();
  Model(const Model&);
  Model& operator=(const Model&);
  Model(Model&&) noexcept;
  Model& operator=(Model&&) noexcept;

  /// `overrides` are texts like `solver.tolerance=1e-6`.
  static Model from_file(const std::string& path, const std::vector<std::string>& overrides = {});
  static Model from_text(std::string_view text, const std::string& file_name = "scene");

  void set_name(const std::string& name);
  void set_gravity(const Vec3& gravity);
  void set_duration(double seconds);
  void set_record_rate(double samples_per_second);
  void set_tolerance(double tolerance);

  /// Of all contacts, instead of what materials and pairs have; the dynamic one is at most the
  /// static one.
  void set_friction(double static_coefficient, double dynamic_coefficient);
  void set_restitution(double coefficient);

  BodyIndex add_body(const BodyDescription& body);
  JointIndex add_joint(const JointDescription& joint);
  /// Between two points, each given in world coordinates at time 0 and carried by its body.
  void add_spring(BodyIndex a, const Vec3& at_a, BodyIndex b, const Vec3& at_b, double length,
                  double stiffness, double damping = 0);
  void add_drag(BodyIndex body, double linear, double quadratic = 0, double angular = 0,
                const Vec3& wind = Vec3::Zero());
  /// A constant force at a point given in world coordinates at time 0 and carried by the body.
  void add_force(BodyIndex body, const Vec3& force, const Vec3& at,
                 const Vec3& torque = Vec3::Zero());
  /// An impulse at a world point.
  void add_impulse(BodyIndex body, double time, const Vec3& impulse, const Vec3& at);

  int body_count() const;
  const std::string& body_name(BodyIndex body) const;
  BodyIndex body(std::string_view name) const;  ///< throws InputError if there is none
  MassProperties mass(BodyIndex body) const;
  int joint_count() const;
  const std::string& joint_name(JointIndex joint) const;
  JointIndex joint(std::string_view name) const;  ///< throws InputError if there is none
  /// What the loader found questionable but accepted.
  const std::vector<Diagnostic>& warnings() const;

  const model::Model& internal() const { return *model_; }

 private:
  friend class Simulation;

  void require_body(BodyIndex body) const;
  Vec3 carried(BodyIndex body, const Vec3& at) const;

  std::unique_ptr<model::Model> model_;
  std::vector<Diagnostic> warnings_;
};

}  // namespace abut
