#include "geometry/surface_integrals.h"

#include <algorithm>
#include <cmath>

namespace abut::geometry {
namespace {

// 1, three first and six second moments of the cones.
using Moments = Eigen::Matrix<double, 10, 1>;

// Nodes of Gauss and Legendre along each parameter: degree 15 per rectangle.
constexpr std::array<double, 4> nodes = {0.1834346424956498049, 0.5255324099163289858,
                                         0.7966664774136267396, 0.9602898564975362317};
constexpr std::array<double, 4> weights = {0.3626837833783619830, 0.3137066458778872873,
                                           0.2223810344533744706, 0.1012285362903762592};

// A rectangle is fine if cutting it into four changes the integrals by less than this part of the
// whole (dimensionless). The four together are then better by many digits.
constexpr double enough = 1e-12;
// A kink in a parametrisation is followed down to pieces of 2^-10 of the rectangle, as long as
// there are not too many of them.
constexpr int deepest = 10;
constexpr int most_rectangles = 50000;

class Integrator {
 public:
  Integrator(const std::function<ConeElement(std::size_t, double, double)>& element, double size)
      : element_(element), size_(size) {}

  Moments gauss(std::size_t index, const Rectangle& r) const {
    Moments sum = Moments::Zero();
    const double half_a = 0.5 * (r.to[0] - r.from[0]), half_b = 0.5 * (r.to[1] - r.from[1]);
    const double mid_a = 0.5 * (r.to[0] + r.from[0]), mid_b = 0.5 * (r.to[1] + r.from[1]);
    for (int i = 0; i < 8; ++i)
      for (int j = 0; j < 8; ++j) {
        const double a = (i < 4 ? -1 : 1) * nodes[static_cast<std::size_t>(i % 4)];
        const double b = (j < 4 ? -1 : 1) * nodes[static_cast<std::size_t>(j % 4)];
        const double w =
            weights[static_cast<std::size_t>(i % 4)] * weights[static_cast<std::size_t>(j % 4)];
        add(sum, element_(index, mid_a + half_a * a, mid_b + half_b * b), w * half_a * half_b);
      }
    return sum;
  }

  Moments integral(std::size_t index, const Rectangle& r, const Moments& coarse, int depth) {
    const double a = 0.5 * (r.from[0] + r.to[0]), b = 0.5 * (r.from[1] + r.to[1]);
    const std::array<Rectangle, 4> quarters = {
        Rectangle{r.from, {a, b}}, Rectangle{{a, r.from[1]}, {r.to[0], b}},
        Rectangle{{r.from[0], b}, {a, r.to[1]}}, Rectangle{{a, b}, r.to}};
    std::array<Moments, 4> parts;
    Moments sum = Moments::Zero();
    for (std::size_t i = 0; i < 4; ++i) sum += parts[i] = gauss(index, quarters[i]);
    const double change = (sum - coarse).cwiseAbs().maxCoeff();
    if (change <= enough * size_ || depth == deepest || ++pieces_ > most_rectangles) {
      changes_ += change;
      return sum;
    }
    sum.setZero();
    for (std::size_t i = 0; i < 4; ++i) sum += integral(index, quarters[i], parts[i], depth + 1);
    return sum;
  }

  double changes() const { return changes_; }

 private:
  static void add(Moments& sum, const ConeElement& e, double factor) {
    const double w = factor * e.weight;
    const Vec3& x = e.arm;
    sum[0] += w / 3;
    for (int i = 0; i < 3; ++i) sum[1 + i] += w / 4 * x[i];
    int k = 4;
    for (int i = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j) sum[k++] += w / 5 * x[i] * x[j];
  }

  const std::function<ConeElement(std::size_t, double, double)>& element_;
  double size_;
  double changes_ = 0;
  int pieces_ = 0;
};

}  // namespace

VolumeIntegrals integrate_cones(
    const std::vector<Rectangle>& rectangles, const Vec3& c,
    const std::function<ConeElement(std::size_t rectangle, double a, double b)>& element) {
  // Lengths are counted in units of the solid's reach from c, so that all moments are alike.
  double reach = 0;
  for (std::size_t i = 0; i < rectangles.size(); ++i) {
    const Rectangle& r = rectangles[i];
    for (int k = 0; k < 9; ++k) {
      const int row = k / 3, column = k % 3;
      const double s = 0.25 + 0.25 * column, t = 0.25 + 0.25 * row;
      const ConeElement e =
          element(i, r.from[0] + s * (r.to[0] - r.from[0]), r.from[1] + t * (r.to[1] - r.from[1]));
      reach = std::max(reach, e.arm.norm());
    }
  }
  const double cubed = reach * reach * reach;
  const std::function<ConeElement(std::size_t, double, double)> scaled = [&](std::size_t i,
                                                                             double a, double b) {
    const ConeElement e = element(i, a, b);
    return ConeElement{e.arm / reach, e.weight / cubed};
  };
  std::vector<Moments> coarse;
  double size = 0;
  Moments rough = Moments::Zero();
  for (std::size_t i = 0; i < rectangles.size(); ++i) {
    coarse.push_back(Integrator(scaled, 1).gauss(i, rectangles[i]));
    rough += coarse.back();
  }
  size = std::abs(rough[0]);
  Integrator integrator(scaled, size);
  Moments sum = Moments::Zero();
  for (std::size_t i = 0; i < rectangles.size(); ++i)
    sum += integrator.integral(i, rectangles[i], coarse[i], 0);

  VolumeIntegrals result;
  result.volume = sum[0] * cubed;
  const Vec3 arm = sum.segment<3>(1) / sum[0];
  result.centroid = c + reach * arm;
  Mat3 second;
  int k = 4;
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j) second(i, j) = second(j, i) = sum[k++];
  result.second = (second - sum[0] * arm * arm.transpose()) * cubed * reach * reach;
  result.relative_change = integrator.changes() / std::abs(sum[0]);
  return result;
}

}  // namespace abut::geometry
