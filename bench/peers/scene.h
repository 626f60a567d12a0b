#pragma once
// A scene of the comparison, read from scenes/*.yaml: the same file that Abut runs. It holds just
// what these scenes need, in a form that every library can be fed from.

#include <Eigen/Core>
#include <string>
#include <vector>

namespace peers {

using Vec3 = Eigen::Vector3d;

enum class ShapeKind { sphere, box, plane };

struct Body {
  std::string name;
  ShapeKind shape = ShapeKind::box;
  Vec3 size = Vec3::Zero();  ///< of a box: its edges, m
  double radius = 0;         ///< of a sphere, m
  Vec3 normal = Vec3::UnitZ();
  double offset = 0;  ///< of a plane, along its normal, m
  bool fixed = false;
  double mass = 0;
  double friction = 0;           ///< of a pair: the larger one of its two bodies
  Vec3 position = Vec3::Zero();  ///< of the centre of mass; all bodies start unturned
  Vec3 velocity = Vec3::Zero();
  Vec3 angular_velocity = Vec3::Zero();

  /// Principal moments about the centre of mass, along the body's axes.
  Vec3 moments() const;
};

inline constexpr int world_body = -1;

struct Hinge {
  int first = world_body;
  int second = 0;
  Vec3 at = Vec3::Zero();
  Vec3 axis = Vec3::UnitY();
};

struct Scene {
  std::string path;
  std::string key;    ///< the file's stem
  std::string title;  ///< its first word is the scene's number
  double duration = 0;
  Vec3 gravity = Vec3(0, 0, -9.81);
  double restitution = 0;  ///< one for all
  std::vector<Body> bodies;
  std::vector<Hinge> hinges;

  bool has_contacts() const { return hinges.empty() && bodies.size() > 1; }
  bool has_friction() const;
};

double friction_between(const Body& a, const Body& b);

Scene read_scene(const std::string& path);

}  // namespace peers
