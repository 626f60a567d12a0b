// MuJoCo, fed with a model in its own XML. It has no coefficient of restitution: contacts are
// springs and dampers, whose damping is chosen here so that they return it.
#include <mujoco/mujoco.h>

#include <cmath>
#include <cstring>
#include <numbers>
#include <sstream>

#include "world.h"

namespace peers {
namespace {

// Contact forces want small steps; motion without contact does not, with a method of fourth order.
double step_of(const Scene& scene, Accuracy accuracy) {
  if (accuracy == Accuracy::standard) return 0.002;
  return scene.has_contacts() ? 1e-4 : 1e-3;
}

// A unit mass meets a spring and a damper, x'' = -w^2 x - 2 z w x', which can push but not pull. It
// leaves with the fraction e = exp(-z (pi - 2 asin z) / sqrt(1 - z^2)) of its speed, for any w.
// Since e falls as z grows, bisection finds z.
double damping_ratio(double restitution) {
  double low = 0, high = 1;
  for (int i = 0; i < 60; ++i) {
    const double z = 0.5 * (low + high);
    const double e = std::exp(-z * (std::numbers::pi - 2 * std::asin(z)) / std::sqrt(1 - z * z));
    (e > restitution ? low : high) = z;
  }
  return low;
}

// Bouncing contacts last about 16 steps; the others take the default, or the stiffest that MuJoCo
// allows, which is a time constant of two steps.
std::string contact_attributes(const Scene& scene, Accuracy accuracy) {
  const double step = step_of(scene, accuracy);
  std::ostringstream text;
  text.precision(17);
  if (scene.restitution > 0) {
    const double frequency = 0.2 / step;
    text << "solimp='0.9999 0.9999 0.001' solref='" << -frequency * frequency << ' '
         << -2 * damping_ratio(scene.restitution) * frequency << "'";
  } else if (accuracy == Accuracy::high) {
    text << "solimp='0.9999 0.9999 0.001' solref='" << 2 * step << " 1'";
  }
  return text.str();
}

// From here on the room that MuJoCo makes for contacts by itself is too small.
constexpr std::size_t many_bodies = 20;

class ModelText {
 public:
  ModelText(const Scene& scene, Accuracy accuracy) : scene_(scene) {
    text_.precision(17);
    const bool high = accuracy == Accuracy::high;
    text_ << "<mujoco><option timestep='" << step_of(scene, accuracy) << "' gravity='"
          << scene.gravity.transpose() << "'";
    if (high) text_ << " integrator='RK4' iterations='1000' tolerance='1e-15' cone='elliptic'";
    text_ << "/><default><geom condim='" << (scene.has_friction() ? 3 : 1) << "' "
          << contact_attributes(scene, accuracy);
    if (!scene.has_contacts()) text_ << " contype='0' conaffinity='0'";
    text_ << "/></default>";
    if (scene.bodies.size() > many_bodies) text_ << "<size njmax='6000' nconmax='1500'/>";
    text_ << "<worldbody>";
    add_children(world_body);
    text_ << "</worldbody></mujoco>";
  }

  std::string str() const { return text_.str(); }

 private:
  // Bodies hang from what they are hinged to; all others from the world.
  void add_children(int parent) {
    for (int i = 0; i < static_cast<int>(scene_.bodies.size()); ++i) {
      const Hinge* hinge = hinge_of(i);
      if ((hinge ? hinge->first : world_body) == parent) add_body(i, parent, hinge);
    }
  }

  const Hinge* hinge_of(int body) const {
    for (const Hinge& hinge : scene_.hinges)
      if (hinge.second == body) return &hinge;
    return nullptr;
  }

  void add_body(int index, int parent, const Hinge* hinge) {
    const Body& body = scene_.bodies[index];
    if (body.fixed) return add_geometry(body, body.position);
    const Vec3 origin = parent == world_body ? Vec3::Zero() : scene_.bodies[parent].position;
    text_ << "<body name='" << body.name << "' pos='" << (body.position - origin).transpose()
          << "'>";
    if (hinge)
      text_ << "<joint type='hinge' pos='" << (hinge->at - body.position).transpose() << "' axis='"
            << hinge->axis.transpose() << "'/>";
    else
      text_ << "<freejoint/>";
    text_ << "<inertial pos='0 0 0' mass='" << body.mass << "' diaginertia='"
          << body.moments().transpose() << "'/>";
    add_geometry(body, Vec3::Zero());
    add_children(index);
    text_ << "</body>";
  }

  void add_geometry(const Body& body, const Vec3& position) {
    // Of a pair MuJoCo takes the larger friction, as is asked for here.
    text_ << "<geom pos='" << position.transpose() << "' friction='" << body.friction << " 0 0' ";
    if (body.shape == ShapeKind::sphere)
      text_ << "type='sphere' size='" << body.radius << "'/>";
    else if (body.shape == ShapeKind::box)
      text_ << "type='box' size='" << 0.5 * body.size.transpose() << "'/>";
    else
      text_ << "type='plane' size='0 0 1' zaxis='" << body.normal.transpose() << "'/>";
  }

  const Scene& scene_;
  std::ostringstream text_;
};

mjModel* load(const std::string& text) {
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "scene.xml", static_cast<int>(text.size()));
  std::memcpy(files->filedata[0], text.data(), text.size());
  char error[1000] = "";
  mjModel* model = mj_loadXML("scene.xml", files.get(), error, sizeof(error));
  mj_deleteVFS(files.get());
  if (!model) throw std::runtime_error(error);
  return model;
}

class MujocoWorld final : public SteppedWorld {
 public:
  MujocoWorld(const Scene& scene, Accuracy accuracy)
      : SteppedWorld(scene, step_of(scene, accuracy)),
        model_(load(ModelText(scene, accuracy).str())),
        data_(mj_makeData(model_)) {
    for (const Body& body : scene.bodies) {
      ids_.push_back(body.fixed ? 0 : mj_name2id(model_, mjOBJ_BODY, body.name.c_str()));
      if (!body.fixed && scene.hinges.empty()) set_velocity(ids_.back(), body);
    }
  }
  ~MujocoWorld() override {
    mj_deleteData(data_);
    mj_deleteModel(model_);
  }

 private:
  void step() override { mj_step(model_, data_); }

  BodyState state_of(int body) const override {
    // After a step the coordinates are new but what depends on them is not.
    mj_kinematics(model_, data_);
    mj_comPos(model_, data_);
    mj_comVel(model_, data_);
    const int id = ids_[body];
    const mjtNum* x = data_->xipos + 3 * id;
    const mjtNum* q = data_->xquat + 4 * id;
    mjtNum velocity[6];  // turning, then moving
    mj_objectVelocity(model_, data_, mjOBJ_BODY, id, velocity, 0);
    return {{x[0], x[1], x[2]},
            {q[0], q[1], q[2], q[3]},
            {velocity[3], velocity[4], velocity[5]},
            {velocity[0], velocity[1], velocity[2]}};
  }

  void set_velocity(int id, const Body& body) {
    mjtNum* velocity = data_->qvel + model_->body_dofadr[id];
    for (int i = 0; i < 3; ++i) {
      velocity[i] = body.velocity[i];
      velocity[3 + i] = body.angular_velocity[i];
    }
  }

  mjModel* model_;
  mjData* data_;
  std::vector<int> ids_;
};

}  // namespace

std::string library_name() {
  return "MuJoCo " + std::string(mj_versionString());
}

std::string settings_text(const Scene& scene, Accuracy accuracy) {
  const bool high = accuracy == Accuracy::high;
  if (!scene.has_contacts()) return high ? "RK4, step 1e-3 s" : "Euler, step 2e-3 s";
  const std::string start =
      high ? "RK4, step 1e-4 s, elliptic cone, tolerance 1e-15" : "Euler, step 2e-3 s";
  if (scene.restitution > 0) return start + ", damping tuned to the restitution";
  return high ? start + ", stiffest contact" : start;
}

std::unique_ptr<World> make_world(const Scene& scene, Accuracy accuracy) {
  return std::make_unique<MujocoWorld>(scene, accuracy);
}

}  // namespace peers
