#include "flexible/solid_elasticity.h"

#include "math/compensated_sum.h"
#include "math/dense.h"

namespace abut::flexible {
namespace {

/// The polynomials that E consists of, 1 first: so that only the first orthonormal one has a share
/// in the constant.
int polynomial_index(int a, int b) {
  if (a == 0) return b;
  if (b == 0) return a;
  return 4 + product_column(a - 1, b - 1);
}

Vector polynomials_at(int count, const Vec3& q) {
  Vector phi(count);
  const Eigen::Vector4d x(1, q.x(), q.y(), q.z());
  for (int a = 0; a < 4; ++a)
    for (int b = a; b < 4; ++b)
      if (const int k = polynomial_index(a, b); k < count) phi[k] = x[a] * x[b];
  return phi;
}

/// L with integral of phi phi^T = L L^T: phi = L * (orthonormal ones).
Matrix orthonormal_factor(int count, const std::vector<shape::CubaturePoint>& volume,
                          const Scale& scale) {
  std::vector<math::CompensatedSum> sums(static_cast<std::size_t>(count * count));
  for (const shape::CubaturePoint& point : volume) {
    const Vector phi = polynomials_at(count, scale.normalised(point.point));
    for (int i = 0; i < count; ++i)
      for (int j = 0; j <= i; ++j)
        sums[static_cast<std::size_t>(i * count + j)].add(point.weight * phi[i] * phi[j]);
  }
  Matrix gram(count, count);
  for (int i = 0; i < count; ++i)
    for (int j = 0; j <= i; ++j)
      gram(i, j) = gram(j, i) = sums[static_cast<std::size_t>(i * count + j)].value();
  return math::cholesky_factor(gram);
}

Mat3 symmetric_part(const Mat3& m) {
  return 0.5 * (m + m.transpose());
}

}  // namespace

SolidElasticity::SolidElasticity(Kind kind, const std::vector<shape::CubaturePoint>& volume,
                                 const Scale& scale, const SolidMaterial& material)
    : gradients_(kind == Kind::affine ? 1 : largest_gradients),
      modes_(kind == Kind::affine ? 1 : largest_modes),
      lambda_(material.young * material.poisson /
              ((1 + material.poisson) * (1 - 2 * material.poisson))),
      mu_(material.young / (2 * (1 + material.poisson))),
      tau_(material.damping) {
  const Matrix factor = orthonormal_factor(modes_, volume, scale);
  for (int m = 0; m < modes_; ++m) {
    Eigen::Matrix4d& coupling = couplings_[static_cast<std::size_t>(m)];
    coupling.setZero();
    for (int a = 0; a < gradients_; ++a)
      for (int b = 0; b < gradients_; ++b) coupling(a, b) = factor(polynomial_index(a, b), m);
  }
  one_ = factor.row(0).transpose();

  // F at the middle, and its derivatives by q.
  const int columns = column_count(kind) - 1;
  from_columns_ = Matrix::Zero(columns, 3 * gradients_);
  from_columns_.leftCols<3>() = basis_gradient(kind, scale.middle).topRows(columns);
  const Matrix at_origin = basis_gradient(kind, Vec3::Zero());
  for (int a = 1; a < gradients_; ++a) {
    const Matrix along = basis_gradient(kind, Vec3::Unit(a - 1)) - at_origin;
    from_columns_.middleCols<3>(3 * a) = scale.size * along.topRows(columns);
  }
  for (int k = 0; k < columns; ++k)
    for (int l = k; l < columns; ++l) pairs_.push_back({k, l});
}

SolidElasticity::Gradients SolidElasticity::gradients(const Columns& columns) const {
  return columns.leftCols(from_columns_.rows()) * from_columns_;
}

SolidElasticity::Gradients SolidElasticity::mixed(int mode, const Gradients& g) const {
  const Eigen::Matrix4d& c = couplings_[static_cast<std::size_t>(mode)];
  Gradients h = Gradients::Zero(3, g.cols());
  for (int a = 0; a < gradients_; ++a)
    for (int b = 0; b < gradients_; ++b)
      if (c(a, b) != 0) h.middleCols<3>(3 * a) += c(a, b) * g.middleCols<3>(3 * b);
  return h;
}

SolidElasticity::PerMode SolidElasticity::strains(const Gradients& g) const {
  PerMode strain;
  for (int m = 0; m < modes_; ++m) {
    const Gradients h = mixed(m, g);
    Mat3 metric = -one_[m] * Mat3::Identity();
    for (int a = 0; a < gradients_; ++a)
      metric += g.middleCols<3>(3 * a).transpose() * h.middleCols<3>(3 * a);
    strain[static_cast<std::size_t>(m)] = 0.5 * symmetric_part(metric);
  }
  return strain;
}

SolidElasticity::PerMode SolidElasticity::strain_rates(const Gradients& g,
                                                       const Gradients& rates) const {
  PerMode rate;
  for (int m = 0; m < modes_; ++m) {
    const Gradients h = mixed(m, g);
    Mat3 sum = Mat3::Zero();
    for (int a = 0; a < gradients_; ++a)
      sum += rates.middleCols<3>(3 * a).transpose() * h.middleCols<3>(3 * a);
    rate[static_cast<std::size_t>(m)] = symmetric_part(sum);
  }
  return rate;
}

Mat3 SolidElasticity::stress(const Mat3& strain) const {
  return lambda_ * strain.trace() * Mat3::Identity() + 2 * mu_ * strain;
}

double SolidElasticity::energy(const Columns& columns) const {
  const PerMode strain = strains(gradients(columns));
  double sum = 0;
  for (int m = 0; m < modes_; ++m) {
    const Mat3& e = strain[static_cast<std::size_t>(m)];
    sum += 0.5 * lambda_ * e.trace() * e.trace() + mu_ * e.squaredNorm();
  }
  return sum;
}

void SolidElasticity::add_stress_force(const Gradients& g, const PerMode& stresses,
                                       Columns& force) const {
  Gradients sum = Gradients::Zero(3, g.cols());
  for (int m = 0; m < modes_; ++m) {
    const Gradients h = mixed(m, g);
    for (int a = 0; a < gradients_; ++a)
      sum.middleCols<3>(3 * a) += h.middleCols<3>(3 * a) * stresses[static_cast<std::size_t>(m)];
  }
  force.leftCols(from_columns_.rows()) -= sum * from_columns_.transpose();
}

void SolidElasticity::add_force(const Columns& columns, Columns& force) const {
  const Gradients g = gradients(columns);
  PerMode each = strains(g);
  for (int m = 0; m < modes_; ++m) {
    Mat3& e = each[static_cast<std::size_t>(m)];
    e = stress(e);
  }
  add_stress_force(g, each, force);
}

// The strain is quadratic in the columns, so over a straight way it changes by exactly what its
// derivative half-way says; and the energy is quadratic in the strain, so the mean of the stresses
// at both ends does the work.
void SolidElasticity::add_mean_force(const Columns& from, const Columns& to, Columns& force) const {
  const Gradients g0 = gradients(from), g1 = gradients(to);
  const PerMode e0 = strains(g0), e1 = strains(g1);
  PerMode mean;
  for (std::size_t m = 0; m < static_cast<std::size_t>(modes_); ++m)
    mean[m] = stress(0.5 * (e0[m] + e1[m]));
  add_stress_force(0.5 * (g0 + g1), mean, force);
}

void SolidElasticity::add_damping(const State& state, Columns& force) const {
  if (tau_ == 0) return;
  const Gradients g = gradients(state.columns);
  PerMode each = strain_rates(g, gradients(state.rates));
  for (int m = 0; m < modes_; ++m) {
    Mat3& e = each[static_cast<std::size_t>(m)];
    e = tau_ * stress(e);
  }
  add_stress_force(g, each, force);
}

double SolidElasticity::dissipation(const State& state) const {
  const PerMode rate = strain_rates(gradients(state.columns), gradients(state.rates));
  double sum = 0;
  for (int m = 0; m < modes_; ++m) {
    const Mat3& e = rate[static_cast<std::size_t>(m)];
    sum += lambda_ * e.trace() * e.trace() + 2 * mu_ * e.squaredNorm();
  }
  return tau_ * sum;
}

Matrix SolidElasticity::geometric(const PerMode& strains) const {
  Matrix sum = Matrix::Zero(3 * gradients_, 3 * gradients_);
  for (int m = 0; m < modes_; ++m) {
    const Mat3 s = stress(strains[static_cast<std::size_t>(m)]);
    const Eigen::Matrix4d& c = couplings_[static_cast<std::size_t>(m)];
    for (int a = 0; a < gradients_; ++a)
      for (int b = 0; b < gradients_; ++b) sum.block<3, 3>(3 * a, 3 * b) += c(a, b) * s;
  }
  return sum;
}

// With h_x the columns of H^m, x = (a, i), y = (b, j), the second variation of the energy by strain
// is at (x, y)
//     lambda h_ai h_bj^T + mu (delta_ij sum_k h_ak h_bk^T + h_aj h_bi^T).
void SolidElasticity::material_blocks(const Gradients& g, double scale, Matrix& whole) const {
  for (int m = 0; m < modes_; ++m) {
    const Gradients h = mixed(m, g);
    for (int a = 0; a < gradients_; ++a) {
      for (int b = a; b < gradients_; ++b) {
        const Mat3 both = scale * mu_ * h.middleCols<3>(3 * a) * h.middleCols<3>(3 * b).transpose();
        for (int i = 0; i < 3; ++i) {
          for (int j = 0; j < 3; ++j) {
            auto block = whole.block<3, 3>(3 * (3 * a + i), 3 * (3 * b + j));
            block += scale * lambda_ * h.col(3 * a + i) * h.col(3 * b + j).transpose() +
                     scale * mu_ * h.col(3 * a + j) * h.col(3 * b + i).transpose();
            if (i == j) block += both;
          }
        }
      }
    }
  }
  for (int a = 0; a < gradients_; ++a)
    for (int b = 0; b < a; ++b)
      whole.block<9, 9>(9 * a, 9 * b) = whole.block<9, 9>(9 * b, 9 * a).transpose();
}

/// From the gradients to the columns they are made of.
void SolidElasticity::fold(const Matrix& whole, Blocks& blocks) const {
  blocks.assign(pairs_.size(), Mat3::Zero());
  const auto n = static_cast<int>(from_columns_.cols());
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    for (int x = 0; x < n; ++x) {
      const double wx = from_columns_(pairs_[p].first, x);
      if (wx == 0) continue;
      for (int y = 0; y < n; ++y) {
        const double w = wx * from_columns_(pairs_[p].second, y);
        if (w != 0) blocks[p] += w * whole.block<3, 3>(3 * x, 3 * y);
      }
    }
  }
}

void SolidElasticity::stiffness(const Columns& columns, Blocks& blocks, bool convex) const {
  const Gradients g = gradients(columns);
  Matrix scalar = geometric(strains(g));
  if (convex) scalar = math::semidefinite_part(scalar);
  const auto n = static_cast<int>(from_columns_.cols());
  Matrix whole = Matrix::Zero(3 * n, 3 * n);
  material_blocks(g, 1, whole);
  for (int x = 0; x < n; ++x)
    for (int y = 0; y < n; ++y) whole.block<3, 3>(3 * x, 3 * y).diagonal().array() += scalar(x, y);
  fold(whole, blocks);
}

void SolidElasticity::damping(const Columns& columns, Blocks& blocks) const {
  const auto n = static_cast<int>(from_columns_.cols());
  Matrix whole = Matrix::Zero(3 * n, 3 * n);
  if (tau_ > 0) material_blocks(gradients(columns), tau_, whole);
  fold(whole, blocks);
}

}  // namespace abut::flexible
