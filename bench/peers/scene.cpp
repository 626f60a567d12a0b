#include "scene.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <stdexcept>

namespace peers {
namespace {

Vec3 read_vector(const YAML::Node& node, const Vec3& fallback) {
  if (!node) return fallback;
  return {node[0].as<double>(), node[1].as<double>(), node[2].as<double>()};
}

void read_shape(const YAML::Node& node, Body& body) {
  if (const auto sphere = node["sphere"]) {
    body.shape = ShapeKind::sphere;
    body.radius = sphere["radius"].as<double>();
  } else if (const auto box = node["box"]) {
    body.shape = ShapeKind::box;
    body.size = read_vector(box["size"], body.size);
  } else if (const auto plane = node["plane"]) {
    body.shape = ShapeKind::plane;
    body.normal = read_vector(plane["normal"], body.normal);
    body.offset = plane["offset"].as<double>();
  } else {
    throw std::runtime_error("a shape other than sphere, box or plane");
  }
}

Body read_body(const YAML::Node& node, const YAML::Node& materials) {
  Body body;
  body.name = node["name"].as<std::string>();
  read_shape(node["shape"], body);
  body.fixed = node["motion"].as<std::string>("dynamic") == "fixed";
  if (!body.fixed) body.mass = node["mass"].as<double>();
  if (const auto material = node["material"])
    body.friction = materials[material.as<std::string>()]["friction"].as<double>();
  body.position = read_vector(node["position"], body.position);
  body.velocity = read_vector(node["velocity"], body.velocity);
  body.angular_velocity = read_vector(node["angular_velocity"], body.angular_velocity);
  return body;
}

// A body, or a grid of them, named as Abut names them.
void read_bodies(const YAML::Node& node, const YAML::Node& materials, std::vector<Body>& bodies) {
  const Body first = read_body(node, materials);
  const YAML::Node repeat = node["repeat"];
  if (!repeat) return bodies.push_back(first);
  const Vec3 spacing = read_vector(repeat["spacing"], Vec3::Zero());
  std::array<int, 3> count{};
  for (int k = 0; k < 3; ++k) count[k] = repeat["count"][k].as<int>();
  for (int i = 0; i < count[0]; ++i)
    for (int j = 0; j < count[1]; ++j)
      for (int k = 0; k < count[2]; ++k) {
        Body body = first;
        body.name +=
            "[" + std::to_string(i) + "," + std::to_string(j) + "," + std::to_string(k) + "]";
        body.position += spacing.cwiseProduct(Vec3(i, j, k));
        bodies.push_back(body);
      }
}

int find_body(const Scene& scene, const std::string& name) {
  if (name == "world") return world_body;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    if (scene.bodies[i].name == name) return static_cast<int>(i);
  throw std::runtime_error("no body is called " + name);
}

Hinge read_hinge(const Scene& scene, const YAML::Node& node) {
  if (node["type"].as<std::string>() != "hinge") throw std::runtime_error("a joint but no hinge");
  Hinge hinge;
  hinge.first = find_body(scene, node["bodies"][0].as<std::string>());
  hinge.second = find_body(scene, node["bodies"][1].as<std::string>());
  hinge.at = read_vector(node["at"], hinge.at);
  hinge.axis = read_vector(node["axis"], hinge.axis);
  return hinge;
}

double read_restitution(const YAML::Node& materials) {
  if (!materials) return 0;
  const double first = materials.begin()->second["restitution"].as<double>();
  for (const auto& entry : materials)
    if (entry.second["restitution"].as<double>() != first)
      throw std::runtime_error("more than one restitution");
  return first;
}

}  // namespace

Vec3 Body::moments() const {
  if (shape == ShapeKind::sphere) return Vec3::Constant(0.4 * mass * radius * radius);
  const Vec3 squares = size.cwiseAbs2();
  return mass / 12 * (Vec3::Constant(squares.sum()) - squares);
}

bool Scene::has_friction() const {
  return std::any_of(bodies.begin(), bodies.end(),
                     [](const Body& body) { return body.friction > 0; });
}

double friction_between(const Body& a, const Body& b) {
  return std::max(a.friction, b.friction);
}

Scene read_scene(const std::string& path) {
  const YAML::Node node = YAML::LoadFile(path);
  Scene scene;
  scene.path = path;
  scene.key = std::filesystem::path(path).stem().string();
  scene.title = node["name"].as<std::string>();
  scene.duration = node["duration"].as<double>();
  scene.gravity = read_vector(node["gravity"], scene.gravity);
  scene.restitution = read_restitution(node["materials"]);
  for (const auto& body : node["bodies"]) read_bodies(body, node["materials"], scene.bodies);
  if (!node["joints"]) return scene;
  for (const auto& joint : node["joints"]) scene.hinges.push_back(read_hinge(scene, joint));
  return scene;
}

}  // namespace peers
