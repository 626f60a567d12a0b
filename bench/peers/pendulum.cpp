#include "pendulum.h"

#include <cmath>

namespace peers {
namespace {

using Vec4 = Eigen::Vector4d;  // the angles below the horizontal, then their rates

// Two equal rods, mass m, length L, moment J about the centre, at angles a and b below the x axis.
// The centres are at (L/2)(cos a, -sin a) and L(cos a, -sin a) + (L/2)(cos b, -sin b); from
// Lagrange's equations, with c = m L^2 / 2,
//   (J + 5/4 m L^2) a'' + c cos(a - b) b'' = -c sin(a - b) b'^2 + 3/2 m g L cos a
//   c cos(a - b) a'' + (J + 1/4 m L^2) b'' =  c sin(a - b) a'^2 + 1/2 m g L cos b.
class Pendulum {
 public:
  explicit Pendulum(const Scene& scene)
      : mass_(scene.bodies[0].mass),
        length_(scene.bodies[0].size.x()),
        implicit_step_(scene.bodies[0].moments().y()),
        gravity_(scene.gravity.norm()) {}

  Vec4 rate(const Vec4& y) const {
    const double ml2 = mass_ * length_ * length_, c = 0.5 * ml2;
    const double cosine = std::cos(y[0] - y[1]), sine = std::sin(y[0] - y[1]);
    const double weight = mass_ * gravity_ * length_;
    const double aa = implicit_step_ + 1.25 * ml2, ab = c * cosine,
                 bb = implicit_step_ + 0.25 * ml2;
    const double fa = -c * sine * y[3] * y[3] + 1.5 * weight * std::cos(y[0]);
    const double fb = c * sine * y[2] * y[2] + 0.5 * weight * std::cos(y[1]);
    const double determinant = aa * bb - ab * ab;
    return {y[2], y[3], (bb * fa - ab * fb) / determinant, (aa * fb - ab * fa) / determinant};
  }

  Vec4 stepped(const Vec4& y, double h) const {  // the classical Runge-Kutta method
    const Vec4 k1 = rate(y), k2 = rate(y + 0.5 * h * k1), k3 = rate(y + 0.5 * h * k2),
               k4 = rate(y + h * k3);
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }

  Vec3 tip(const Vec4& y) const {
    return {length_ * (std::cos(y[0]) + std::cos(y[1])), 0,
            -length_ * (std::sin(y[0]) + std::sin(y[1]))};
  }

 private:
  double mass_, length_, implicit_step_, gravity_;
};

// At this many steps per second halving the step changes the tip after 10 s by less than 1e-10 m.
constexpr double steps_per_second = 20000;

}  // namespace

Vec3 exact_tip(const Scene& scene, double time) {
  const Pendulum pendulum(scene);
  const long steps = std::lround(std::ceil(time * steps_per_second));
  Vec4 y = Vec4::Zero();
  for (long i = 0; i < steps; ++i) y = pendulum.stepped(y, time / static_cast<double>(steps));
  return pendulum.tip(y);
}

}  // namespace peers
