#pragma once
// What a library must offer to be compared. Each one is a program of its own, since some of them
// carry the same symbols, and since one that aborts must not take the others with it.

#include <Eigen/Geometry>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "scene.h"

namespace peers {

/// Less than the default, which Abut alone is asked for; the library's defaults; small steps, many
/// iterations.
enum class Accuracy { low, standard, high };

struct BodyState {
  Vec3 position = Vec3::Zero();  ///< of the centre of mass
  Eigen::Quaternion<double, Eigen::DontAlign> orientation =
      Eigen::Quaternion<double, Eigen::DontAlign>::Identity();
  Vec3 velocity = Vec3::Zero();
  Vec3 angular_velocity = Vec3::Zero();  ///< world axes
};

/// The bodies in the order of the scene; those that are fixed keep their place.
struct Snapshot {
  double time = 0;
  std::vector<BodyState> bodies;
};

using Observer = std::function<void(const Snapshot&)>;

class World {
 public:
  virtual ~World() = default;
  /// To the end of the scene. `observer`, where there is one, sees every state that the library
  /// passes through.
  virtual void run(const Observer& observer) = 0;
};

/// A world that goes on in steps of one length.
class SteppedWorld : public World {
 public:
  SteppedWorld(const Scene& scene, double step);
  void run(const Observer& observer) final;

 protected:
  virtual void step() = 0;
  virtual BodyState state_of(int body) const = 0;  ///< asked for bodies that move

  const Scene scene_;
  const double step_;

 private:
  void show(const Observer& observer, Snapshot& snapshot) const;
};

/// A scene that the library has no means for; the message says what is missing.
struct NotOffered : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What each program defines.
std::string library_name();
std::string settings_text(const Scene& scene, Accuracy accuracy);
std::unique_ptr<World> make_world(const Scene& scene, Accuracy accuracy);

Snapshot initial_snapshot(const Scene& scene);

}  // namespace peers
