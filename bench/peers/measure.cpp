#include "measure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "pendulum.h"

namespace peers {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double kinetic_energy(const Body& body, const BodyState& state) {
  const Vec3 spin = state.orientation.conjugate() * state.angular_velocity;
  return 0.5 * body.mass * state.velocity.squaredNorm() +
         0.5 * body.moments().dot(spin.cwiseAbs2());
}

double energy(const Scene& scene, const Snapshot& snapshot) {
  double sum = 0;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const Body& body = scene.bodies[i];
    if (body.fixed) continue;
    sum += kinetic_energy(body, snapshot.bodies[i]);
    sum -= body.mass * scene.gravity.dot(snapshot.bodies[i].position);
  }
  return sum;
}

Vec3 spin_momentum(const Body& body, const BodyState& state) {
  const Vec3 spin = state.orientation.conjugate() * state.angular_velocity;
  return state.orientation * body.moments().cwiseProduct(spin);
}

// A ball dropped with clearance h bounces to e^2 h; it lands after t = sqrt(2h/g), and the flights
// between impacts last 2et, 2e^2t, ... An impact shows as a turn of the velocity: it lies halfway
// between the last falling and the first rising state.
class BouncingBall final : public Measure {
 public:
  explicit BouncingBall(const Scene& scene)
      : radius_(scene.bodies.at(ball).radius),
        gravity_(scene.gravity.norm()),
        restitution_(scene.restitution),
        clearance_(scene.bodies.at(ball).position.z() - radius_) {}

  void look(const Snapshot& snapshot) override {
    const double z = snapshot.bodies[ball].position.z();
    const double speed = snapshot.bodies[ball].velocity.z();
    depth_ = std::max(depth_, radius_ - z);
    if (speed < 0) last_falling_ = snapshot.time;
    if (speed > 0) {
      if (!rising_) impacts_.push_back(0.5 * (last_falling_ + snapshot.time));
      // What is left of the climb follows from the speed, so that no state need be at the top.
      if (impacts_.size() == 1) apex_ = z + speed * speed / (2 * gravity_);
    }
    if (speed != 0) rising_ = speed > 0;
  }

  std::vector<Quantity> results() const override {
    return {{"third impact", "s", third_impact_error()},
            {"first apex", "m", std::abs(apex_ - exact_apex())},
            {"penetration", "m", depth_}};
  }

 private:
  static constexpr int ball = 1;

  double exact_apex() const { return radius_ + restitution_ * restitution_ * clearance_; }
  double third_impact_error() const {
    if (impacts_.size() < 3) return nan;
    const double fall = std::sqrt(2 * clearance_ / gravity_);
    const double exact = fall * (1 + 2 * restitution_ + 2 * restitution_ * restitution_);
    return std::abs(impacts_[2] - exact);
  }

  double radius_, gravity_, restitution_, clearance_;
  double depth_ = 0;
  double apex_ = nan;
  double last_falling_ = 0;
  bool rising_ = false;
  std::vector<double> impacts_;
};

// A block on a slope, which gravity is turned for: x = max(0, g_x - mu g_z) t^2 / 2. Overlap is
// that of its lower corners with the slope.
class BlockOnSlope final : public Measure {
 public:
  explicit BlockOnSlope(const Scene& scene)
      : half_(0.5 * scene.bodies.at(block).size),
        start_(scene.bodies.at(block).position),
        acceleration_(std::max(
            0.0, scene.gravity.x() + scene.bodies.at(block).friction * scene.gravity.z())) {}

  void look(const Snapshot& snapshot) override {
    const BodyState& now = snapshot.bodies[block];
    Vec3 exact = start_;
    exact.x() += 0.5 * acceleration_ * snapshot.time * snapshot.time;
    end_error_ = std::abs(now.position.x() - exact.x());
    worst_ = std::max(worst_, (now.position - exact).norm());
    for (const double x : {-half_.x(), half_.x()})
      for (const double y : {-half_.y(), half_.y()}) {
        const Vec3 corner = now.position + now.orientation * Vec3(x, y, -half_.z());
        depth_ = std::max(depth_, -corner.z());
      }
  }

  std::vector<Quantity> results() const override {
    return {{acceleration_ > 0 ? "place at the end" : "drift", "m", end_error_},
            {"worst place", "m", worst_},
            {"penetration", "m", depth_}};
  }

 private:
  static constexpr int block = 1;
  Vec3 half_, start_;
  double acceleration_;
  double end_error_ = nan;
  double worst_ = 0;
  double depth_ = 0;
};

// A sphere that is launched with speed v and without spin loses mu g of speed per second and gains
// 5/2 mu g of rolling speed, until both are 5/7 v at t = 2 v / (7 mu g).
class SlidingSphere final : public Measure {
 public:
  explicit SlidingSphere(const Scene& scene)
      : radius_(scene.bodies.at(ball).radius),
        start_(scene.bodies.at(ball).position.x()),
        speed_(scene.bodies.at(ball).velocity.x()),
        friction_(scene.bodies.at(ball).friction * scene.gravity.norm()) {}

  void look(const Snapshot& snapshot) override {
    const BodyState& now = snapshot.bodies[ball];
    const double slides = 2 * speed_ / (7 * friction_);
    const double t = std::min(snapshot.time, slides);
    const double exact = start_ + speed_ * t - 0.5 * friction_ * t * t +
                         5.0 / 7 * speed_ * std::max(0.0, snapshot.time - slides);
    end_error_ = std::abs(now.position.x() - exact);
    speed_error_ = std::abs(now.velocity.x() - 5.0 / 7 * speed_);
    depth_ = std::max(depth_, radius_ - now.position.z());
    const double slip = now.velocity.x() - radius_ * now.angular_velocity.y();
    if (snapshot.time > slides) slip_ = std::max(slip_, std::abs(slip));
  }

  std::vector<Quantity> results() const override {
    return {{"place at the end", "m", end_error_},
            {"final speed", "m/s", speed_error_},
            {"slip when it should roll", "m/s", slip_},
            {"penetration", "m", depth_}};
  }

 private:
  static constexpr int ball = 1;
  double radius_, start_, speed_, friction_;
  double end_error_ = nan;
  double speed_error_ = nan;
  double slip_ = 0;
  double depth_ = 0;
};

// All fall, one after the other. Overlap is that of corners with the floor and with the next
// domino. Energy is taken relative to that of the start, and must never rise. How long the wave
// takes from one to the next, once it is even, has no closed form: it is told, not judged.
class Dominoes final : public Measure {
 public:
  explicit Dominoes(const Scene& scene)
      : scene_(scene),
        least_energy_(energy(scene, initial_snapshot(scene))),
        start_(least_energy_),
        leans_(scene.bodies.size(), 0),
        leant_at_(scene.bodies.size(), nan) {}

  void look(const Snapshot& snapshot) override {
    const double now = energy(scene_, snapshot);
    gained_ = std::max(gained_, (now - least_energy_) / start_);
    least_energy_ = std::min(least_energy_, now);
    standing_ = 0;
    for (std::size_t i = 1; i < snapshot.bodies.size(); ++i) {
      const BodyState& one = snapshot.bodies[i];
      const Vec3 up = one.orientation * Vec3::UnitZ();
      if (up.z() > fallen_cosine) ++standing_;
      look_whether_it_leans(i, up.x(), snapshot.time);
      const Vec3 half = 0.5 * scene_.bodies[i].size;
      for (int k = 0; k < 8; ++k) {
        const Vec3 corner = one.position + one.orientation * corner_of(half, k);
        depth_ = std::max(depth_, -corner.z());
        if (i > 1) look_inside(snapshot.bodies[i - 1], scene_.bodies[i - 1], corner);
        if (i + 1 < snapshot.bodies.size())
          look_inside(snapshot.bodies[i + 1], scene_.bodies[i + 1], corner);
      }
    }
    last_time_ = snapshot.time;
  }

  std::vector<Quantity> results() const override {
    return {{"penetration", "m", depth_},
            {"dominoes still standing", "number", standing_},
            {"energy gained", "relative", gained_},
            {"time from one to the next", "s", time_to_the_next()}};
  }

 private:
  static constexpr double fallen_cosine = 0.9;
  static constexpr double leaning = 0.1;    // sine of the angle at which the wave has come
  static constexpr int from = 50, to = 90;  // dominoes between which the wave is even

  static Vec3 corner_of(const Vec3& half, int k) {
    return {k & 1 ? half.x() : -half.x(), k & 2 ? half.y() : -half.y(),
            k & 4 ? half.z() : -half.z()};
  }
  // Neighbours may lie with corners above each other's edges, so their width is left out.
  void look_inside(const BodyState& other, const Body& box, const Vec3& corner) {
    const Vec3 seen = other.orientation.conjugate() * (corner - other.position);
    const double inside =
        std::min(0.5 * box.size.x() - std::abs(seen.x()), 0.5 * box.size.z() - std::abs(seen.z()));
    depth_ = std::max(depth_, inside);
  }

  void look_whether_it_leans(std::size_t i, double lean, double time) {
    if (std::isnan(leant_at_[i]) && lean > leaning)
      leant_at_[i] = last_time_ + (time - last_time_) * (leaning - leans_[i]) / (lean - leans_[i]);
    leans_[i] = lean;
  }
  double time_to_the_next() const { return (leant_at_[to] - leant_at_[from]) / (to - from); }

  Scene scene_;
  double least_energy_, start_;
  std::vector<double> leans_, leant_at_;
  double last_time_ = 0;
  double gained_ = 0;
  double standing_ = 0;
  double depth_ = 0;
};

// Nothing should move. The overlap is that of a cube's lower corners with the top face below.
class Stack final : public Measure {
 public:
  explicit Stack(const Scene& scene) : scene_(scene) {}

  void look(const Snapshot& snapshot) override {
    const std::size_t top = scene_.bodies.size() - 1;
    const Vec3 moved = snapshot.bodies[top].position - scene_.bodies[top].position;
    drift_ = std::max(drift_, moved.norm());
    if (std::isnan(moved.sum())) drift_ = nan;
    for (std::size_t i = 1; i <= top; ++i) depth_ = std::max(depth_, overlap(snapshot, i));
  }

  std::vector<Quantity> results() const override {
    return {{"drift of the top", "m", drift_}, {"penetration", "m", depth_}};
  }

 private:
  double overlap(const Snapshot& snapshot, std::size_t upper) const {
    const BodyState& below = snapshot.bodies[upper - 1];
    const BodyState& above = snapshot.bodies[upper];
    const double top_face = upper == 1 ? 0 : 0.5 * scene_.bodies[upper - 1].size.z();
    const Vec3 half = 0.5 * scene_.bodies[upper].size;
    double deepest = 0;
    for (const double x : {-half.x(), half.x()})
      for (const double y : {-half.y(), half.y()}) {
        const Vec3 corner = above.position + above.orientation * Vec3(x, y, -half.z());
        const Vec3 seen = below.orientation.conjugate() * (corner - below.position);
        deepest = std::max(deepest, top_face - seen.z());
      }
    return deepest;
  }

  Scene scene_;
  double drift_ = 0;
  double depth_ = 0;
};

// Equal spheres with restitution 1 swap their speeds.
class SpheresInLine final : public Measure {
 public:
  explicit SpheresInLine(const Scene& scene)
      : speed_(scene.bodies.front().velocity.x()), radius_(scene.bodies.front().radius) {}

  void look(const Snapshot& snapshot) override {
    last_ = snapshot;
    for (std::size_t i = 1; i < snapshot.bodies.size(); ++i) {
      const Vec3 apart = snapshot.bodies[i].position - snapshot.bodies[i - 1].position;
      depth_ = std::max(depth_, 2 * radius_ - apart.norm());
    }
  }

  std::vector<Quantity> results() const override {
    double worst = 0;
    for (std::size_t i = 0; i < last_.bodies.size(); ++i) {
      const double exact = i + 1 == last_.bodies.size() ? speed_ : 0;
      worst = std::max(worst, (last_.bodies[i].velocity - exact * Vec3::UnitX()).norm());
    }
    return {{"final speed", "m/s", worst}, {"penetration", "m", depth_}};
  }

 private:
  double speed_, radius_;
  double depth_ = 0;
  Snapshot last_;
};

class TumblingBox final : public Measure {
 public:
  explicit TumblingBox(const Scene& scene)
      : scene_(scene),
        energy_(energy(scene, initial_snapshot(scene))),
        momentum_(spin_momentum(scene.bodies[0], initial_snapshot(scene).bodies[0])) {}

  void look(const Snapshot& snapshot) override {
    const double now = energy(scene_, snapshot);
    energy_drift_ = std::max(energy_drift_, std::abs(now - energy_) / energy_);
    const Vec3 change = spin_momentum(scene_.bodies[0], snapshot.bodies[0]) - momentum_;
    momentum_drift_ = std::max(momentum_drift_, change.norm() / momentum_.norm());
  }

  std::vector<Quantity> results() const override {
    return {{"energy drift", "relative", energy_drift_},
            {"angular momentum drift", "relative", momentum_drift_}};
  }

 private:
  Scene scene_;
  double energy_;
  Vec3 momentum_;
  double energy_drift_ = 0;
  double momentum_drift_ = 0;
};

// Energy is taken relative to what the rods can give: the fall from the horizontal to hanging.
class DoublePendulum final : public Measure {
 public:
  explicit DoublePendulum(const Scene& scene)
      : scene_(scene), energy_(energy(scene, initial_snapshot(scene))) {
    for (const Hinge& hinge : scene.hinges) {
      const Body& lower = scene.bodies[hinge.second];
      fall_energy_ += lower.mass * scene.gravity.norm() * lower.position.x();
    }
  }

  void look(const Snapshot& snapshot) override {
    const double change = std::abs(energy(scene_, snapshot) - energy_);
    drift_ = std::max(drift_, change / fall_energy_);
    for (const Hinge& hinge : scene_.hinges) gap_ = std::max(gap_, gap_of(hinge, snapshot));
    last_ = snapshot;
  }

  std::vector<Quantity> results() const override {
    return {{"energy drift", "relative", drift_},
            {"end of the lower rod", "m", tip_error()},
            {"gap of the hinges", "m", gap_}};
  }

 private:
  Vec3 carried(int body, const Vec3& at, const Snapshot& snapshot) const {
    if (body == world_body) return at;
    const BodyState& state = snapshot.bodies[body];
    return state.position + state.orientation * (at - scene_.bodies[body].position);
  }
  double gap_of(const Hinge& hinge, const Snapshot& snapshot) const {
    return (carried(hinge.first, hinge.at, snapshot) - carried(hinge.second, hinge.at, snapshot))
        .norm();
  }
  double tip_error() const {
    const Body& lower = scene_.bodies.back();
    const Vec3 tip_at_start = lower.position + Vec3(0.5 * lower.size.x(), 0, 0);
    const int last = static_cast<int>(scene_.bodies.size()) - 1;
    return (carried(last, tip_at_start, last_) - exact_tip(scene_, last_.time)).norm();
  }

  Scene scene_;
  double energy_;
  double fall_energy_ = 0;
  double drift_ = 0;
  double gap_ = 0;
  Snapshot last_;
};

// With restitution 0 the sphere stays at the plate's face.
class SphereAndPlate final : public Measure {
 public:
  explicit SphereAndPlate(const Scene& scene)
      : end_(scene.bodies[plate].position.x() - 0.5 * scene.bodies[plate].size.x() -
             scene.bodies[sphere].radius) {}

  void look(const Snapshot& snapshot) override {
    const double beyond = snapshot.bodies[sphere].position.x() - end_;
    error_ = std::abs(beyond);
    depth_ = std::max(depth_, beyond);
  }

  std::vector<Quantity> results() const override {
    return {{"final position", "m", error_}, {"penetration", "m", depth_}};
  }

 private:
  static constexpr int plate = 0, sphere = 1;
  double end_;
  double error_ = nan;
  double depth_ = 0;
};

}  // namespace

std::unique_ptr<Measure> measure_for(const Scene& scene) {
  if (scene.key == "bouncing_ball") return std::make_unique<BouncingBall>(scene);
  if (scene.key == "block_slides" || scene.key == "block_sticks")
    return std::make_unique<BlockOnSlope>(scene);
  if (scene.key == "sliding_sphere") return std::make_unique<SlidingSphere>(scene);
  if (scene.key == "dominoes") return std::make_unique<Dominoes>(scene);
  if (scene.key == "stack" || scene.key == "heavy_on_light") return std::make_unique<Stack>(scene);
  if (scene.key == "spheres_in_line") return std::make_unique<SpheresInLine>(scene);
  if (scene.key == "tumbling_box") return std::make_unique<TumblingBox>(scene);
  if (scene.key == "double_pendulum") return std::make_unique<DoublePendulum>(scene);
  if (scene.key == "sphere_and_plate") return std::make_unique<SphereAndPlate>(scene);
  throw std::runtime_error("no measure for the scene " + scene.key);
}

}  // namespace peers
