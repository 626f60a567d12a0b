#include "geometry/surface_function.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace abut::geometry {
namespace {

// A range that samples leave open is widened by this part of its width on either side
// (dimensionless): between samples a smooth function goes little beyond them.
constexpr double sample_margin = 0.5;

class Widening {
 public:
  void add(double x) {
    if (!(x >= range_.lower)) range_.lower = x;
    if (!(x <= range_.upper)) range_.upper = x;
    finite_ = finite_ && std::isfinite(x);
  }
  Interval widened() const {
    if (!finite_) return Interval::whole();
    const double margin = sample_margin * range_.width();
    return {range_.lower - margin, range_.upper + margin};
  }

 private:
  Interval range_ = {std::numeric_limits<double>::infinity(),
                     -std::numeric_limits<double>::infinity()};
  bool finite_ = true;
};

double along(const Interval& x, int i, int count) {
  const double t = static_cast<double>(i) / (count - 1);
  return (1 - t) * x.lower + t * x.upper;
}

class FormulaField final : public EnclosedField {
 public:
  explicit FormulaField(math::Expression formula) : formula_(std::move(formula)) {}

  FieldSample at(const Vec3& p) const override {
    const auto jet = formula_.jets<3>(std::array{p.x(), p.y(), p.z()});
    FieldSample sample;
    sample.value = jet.value;
    for (std::size_t i = 0; i < 3; ++i) {
      sample.gradient[static_cast<int>(i)] = jet.first[i];
      for (std::size_t j = 0; j < 3; ++j)
        sample.hessian(static_cast<int>(i), static_cast<int>(j)) = jet.by(i, j);
    }
    return sample;
  }
  FieldRange over(const IntervalBox& box) const override { return formula_.jets<3>(box); }
  Interval range(const IntervalBox& box) const override { return formula_.range(box); }
  std::optional<math::SeriesJet> over_path(const std::array<math::Series, 3>& path) const override {
    return formula_.jets(path);
  }
  bool is_proof() const override { return true; }

 private:
  math::Expression formula_;
};

class SampledField final : public EnclosedField {
 public:
  explicit SampledField(std::shared_ptr<const ImplicitFunction> function)
      : function_(std::move(function)) {}

  FieldSample at(const Vec3& p) const override { return function_->at(p); }
  FieldRange over(const IntervalBox& box) const override {
    Widening value;
    std::array<Widening, 3> first;
    std::array<Widening, FieldRange::pairs> second;
    for (int k = 0; k < 27; ++k) {
      const FieldSample s =
          at(Vec3(along(box[0], k % 3, 3), along(box[1], k / 3 % 3, 3), along(box[2], k / 9, 3)));
      value.add(s.value);
      for (std::size_t i = 0; i < 3; ++i) {
        first[i].add(s.gradient[static_cast<int>(i)]);
        for (std::size_t j = i; j < 3; ++j)
          second[FieldRange::pair(i, j)].add(s.hessian(static_cast<int>(i), static_cast<int>(j)));
      }
    }
    FieldRange range(value.widened());
    for (std::size_t i = 0; i < 3; ++i) range.first[i] = first[i].widened();
    for (std::size_t i = 0; i < second.size(); ++i) range.second[i] = second[i].widened();
    return range;
  }
  Interval range(const IntervalBox& box) const override { return over(box).value; }
  std::optional<math::SeriesJet> over_path(const std::array<math::Series, 3>&) const override {
    return std::nullopt;
  }
  bool is_proof() const override { return false; }

 private:
  std::shared_ptr<const ImplicitFunction> function_;
};

class FormulaChart final : public EnclosedChart {
 public:
  explicit FormulaChart(std::array<math::Expression, 3> formulas)
      : formulas_(std::move(formulas)) {}

  SurfaceSample at(double u, double v) const override {
    SurfaceSample sample;
    for (int i = 0; i < 3; ++i) {
      const auto jet = formulas_[static_cast<std::size_t>(i)].jets<2>(std::array{u, v});
      sample.point[i] = jet.value;
      sample.u[i] = jet.first[0];
      sample.v[i] = jet.first[1];
      sample.uu[i] = jet.by(0, 0);
      sample.uv[i] = jet.by(0, 1);
      sample.vv[i] = jet.by(1, 1);
    }
    return sample;
  }
  ChartRange over(const Interval& u, const Interval& v) const override {
    ChartRange range;
    for (std::size_t i = 0; i < 3; ++i) range[i] = formulas_[i].jets<2>(std::array{u, v});
    return range;
  }
  bool is_proof() const override { return true; }

 private:
  std::array<math::Expression, 3> formulas_;
};

class SampledChart final : public EnclosedChart {
 public:
  explicit SampledChart(std::shared_ptr<const ParametricFunction> function)
      : function_(std::move(function)) {}

  SurfaceSample at(double u, double v) const override { return function_->at(u, v); }
  ChartRange over(const Interval& u, const Interval& v) const override {
    std::array<std::array<Widening, 6>, 3> ranges;
    for (int k = 0; k < 16; ++k) {
      const SurfaceSample s = at(along(u, k % 4, 4), along(v, k / 4, 4));
      for (int i = 0; i < 3; ++i) {
        auto& of = ranges[static_cast<std::size_t>(i)];
        of[0].add(s.point[i]);
        of[1].add(s.u[i]);
        of[2].add(s.v[i]);
        of[3].add(s.uu[i]);
        of[4].add(s.uv[i]);
        of[5].add(s.vv[i]);
      }
    }
    ChartRange range;
    for (std::size_t i = 0; i < 3; ++i) {
      range[i].value = ranges[i][0].widened();
      range[i].first = {ranges[i][1].widened(), ranges[i][2].widened()};
      range[i].second = {ranges[i][3].widened(), ranges[i][4].widened(), ranges[i][5].widened()};
    }
    return range;
  }
  bool is_proof() const override { return false; }

 private:
  std::shared_ptr<const ParametricFunction> function_;
};

}  // namespace

IntervalBox interval_box(const Aabb& box) {
  return {Interval(box.lower.x(), box.upper.x()), Interval(box.lower.y(), box.upper.y()),
          Interval(box.lower.z(), box.upper.z())};
}

std::shared_ptr<const EnclosedField> enclosed(math::Expression formula) {
  return std::make_shared<const FormulaField>(std::move(formula));
}

std::shared_ptr<const EnclosedField> enclosed(std::shared_ptr<const ImplicitFunction> function) {
  return std::make_shared<const SampledField>(std::move(function));
}

std::shared_ptr<const EnclosedChart> enclosed(std::array<math::Expression, 3> formulas) {
  return std::make_shared<const FormulaChart>(std::move(formulas));
}

std::shared_ptr<const EnclosedChart> enclosed(std::shared_ptr<const ParametricFunction> function) {
  return std::make_shared<const SampledChart>(std::move(function));
}

}  // namespace abut::geometry
