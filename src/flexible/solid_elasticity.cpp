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

/// The components of (m + m^T)/2.
Eigen::Matrix<double, 6, 1> symmetric_part(const Mat3& m) {
  Eigen::Matrix<double, 6, 1> s;
  s << m(0, 0), m(1, 1), m(2, 2), (m(1, 2) + m(2, 1)) / 2, (m(0, 2) + m(2, 0)) / 2,
      (m(0, 1) + m(1, 0)) / 2;
  return s;
}

Mat3 whole_of(const Eigen::Matrix<double, 6, 1>& s) {
  Mat3 m;
  m << s[0], s[5], s[4], s[5], s[1], s[3], s[4], s[3], s[2];
  return m;
}

/// A : B, summed over all columns: components off the diagonal count twice.
template <class Stack>
double inner(const Stack& a, const Stack& b) {
  return a.template topRows<3>().cwiseProduct(b.template topRows<3>()).sum() +
         2 * a.template bottomRows<3>().cwiseProduct(b.template bottomRows<3>()).sum();
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
  factor_ = orthonormal_factor(modes_, volume, scale);

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

SolidElasticity::Symmetric SolidElasticity::products(const Gradients& a, const Gradients& b) const {
  Symmetric sums(6, modes_);
  for (int i = 0; i < gradients_; ++i) {
    for (int j = i; j < gradients_; ++j) {
      Mat3 product = a.middleCols<3>(3 * i).transpose() * b.middleCols<3>(3 * j);
      if (i != j) product += a.middleCols<3>(3 * j).transpose() * b.middleCols<3>(3 * i);
      sums.col(polynomial_index(i, j)) = symmetric_part(product);
    }
  }
  return sums;
}

SolidElasticity::Symmetric SolidElasticity::strains(const Gradients& g) const {
  Symmetric strain = products(g, g) * factor_;
  strain.topRows<3>().rowwise() -= factor_.row(0);
  return 0.5 * strain;
}

SolidElasticity::Symmetric SolidElasticity::strain_rates(const Gradients& g,
                                                         const Gradients& rates) const {
  return products(rates, g) * factor_;
}

SolidElasticity::Symmetric SolidElasticity::stresses(const Symmetric& strains) const {
  Symmetric stress = 2 * mu_ * strains;
  stress.topRows<3>().rowwise() += lambda_ * strains.topRows<3>().colwise().sum();
  return stress;
}

SolidElasticity::Tension SolidElasticity::tension(const Symmetric& stresses) const {
  const Symmetric by_product = stresses * factor_.transpose();
  Tension t(3 * gradients_, 3 * gradients_);
  for (int a = 0; a < gradients_; ++a)
    for (int b = 0; b < gradients_; ++b)
      t.block<3, 3>(3 * a, 3 * b) = whole_of(by_product.col(polynomial_index(a, b)));
  return t;
}

double SolidElasticity::energy(const Columns& columns) const {
  const Symmetric strain = strains(gradients(columns));
  return 0.5 * inner(strain, stresses(strain));
}

void SolidElasticity::add_tension_force(const Gradients& g, const Symmetric& stresses,
                                        Columns& force) const {
  const Gradients pull = g * tension(stresses);
  force.leftCols(from_columns_.rows()) -= pull * from_columns_.transpose();
}

void SolidElasticity::add_force(const Columns& columns, Columns& force) const {
  const Gradients g = gradients(columns);
  add_tension_force(g, stresses(strains(g)), force);
}

// The strain is quadratic in the columns, so over a straight way it changes by exactly what its
// derivative half-way says; and the energy is quadratic in the strain, so the mean of the stresses
// at both ends does the work.
void SolidElasticity::add_mean_force(const Columns& from, const Columns& to, Columns& force) const {
  const Gradients g0 = gradients(from), g1 = gradients(to);
  const Symmetric mean = 0.5 * (strains(g0) + strains(g1));
  add_tension_force(0.5 * (g0 + g1), stresses(mean), force);
}

void SolidElasticity::add_damping(const State& state, Columns& force) const {
  if (tau_ == 0) return;
  const Gradients g = gradients(state.columns);
  add_tension_force(g, tau_ * stresses(strain_rates(g, gradients(state.rates))), force);
}

double SolidElasticity::dissipation(const State& state) const {
  if (tau_ == 0) return 0;
  const Symmetric rate = strain_rates(gradients(state.columns), gradients(state.rates));
  return tau_ * inner(rate, stresses(rate));
}

SolidElasticity::Gradients SolidElasticity::mixed(int mode, const Gradients& g) const {
  Gradients h = Gradients::Zero(3, g.cols());
  for (int a = 0; a < gradients_; ++a)
    for (int b = 0; b < gradients_; ++b)
      h.middleCols<3>(3 * a) += factor_(polynomial_index(a, b), mode) * g.middleCols<3>(3 * b);
  return h;
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
  // The stress acts on x, y and z alike.
  Matrix scalar = tension(stresses(strains(g)));
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
