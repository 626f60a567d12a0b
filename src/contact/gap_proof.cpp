#include "contact/gap_proof.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/limits.h"
#include "contact/smooth_gap.h"
#include "math/bernstein.h"

namespace abut::contact {
namespace {

using math::Polynomial;
using math::PolynomialVector;

// What rounding does to polynomials here, as a fraction of their largest terms (dimensionless):
// degrees are below 200, so coefficients of a product are sums of at most a hundred products, with
// weights that are positive, and at most four products follow each other: 400 units of 2^-53.
constexpr double proof_rounding = 5e-14;
// And to coordinates, whose differences are taken first.
constexpr double coordinate_rounding = 4e-16;

// Instants from which polynomials that stand for roots are taken: more than for directions, whose
// errors count by their squares.
constexpr int root_instants = 17;
constexpr int root_attempts = 6;

// By what part of the lowest gap polynomials that stand for roots lie above them (dimensionless).
constexpr double root_margin = 0.01;

// By how much lengths of directions are taken to be larger than they are (dimensionless).
constexpr double length_margin = 1e-12;

// As a homogeneous vector: value / weight.
struct MovingPlace {
  PolynomialVector value;
  Polynomial weight{1};
};

PolynomialVector turned(const FrameOverStep& frame, const Vec3& v) {
  PolynomialVector sum;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i)
      if (v[j] != 0) sum[i] += frame.rotation[j][i] * v[j];
  return sum;
}

// Of a point that the body carries, from the centre of another: differences of coordinates come
// first.
MovingPlace place_of(const FrameOverStep& frame, const Vec3& point, const PolynomialVector& from) {
  const PolynomialVector centre = frame.centre - from;
  if (point.isZero(0)) return {centre, 1};
  return {centre * frame.weight + turned(frame, point), frame.weight};
}

// x_a - x_b of two points.
MovingPlace between(const FrameOverStep& a, const Vec3& in_a, const FrameOverStep& b,
                    const Vec3& in_b) {
  MovingPlace place = place_of(a, in_a, b.centre);
  if (in_b.isZero(0)) return place;
  const PolynomialVector other = turned(b, in_b);
  return {place.value * b.weight - other * place.weight, place.weight * b.weight};
}

double size_of(const Polynomial& p) {
  return p.bernstein().cwiseAbs().maxCoeff();
}

double size_of(const PolynomialVector& v) {
  return size_of(v[0]) + size_of(v[1]) + size_of(v[2]);
}

// What rounding does to distances, m, of the lengths that they are made of.
double rounding_of(const FrameOverStep& a, const FrameOverStep& b, double lengths) {
  return coordinate_rounding * (a.reach + b.reach) + proof_rounding * lengths;
}

// The value of a gap times a positive weight, with what rounding may do to it.
struct Bounded {
  Polynomial value, weight;
  double rounding = 0;
};

bool is_between(const Bounded& gap, double lowest, double highest) {
  if (!is_above(gap.value - gap.weight * lowest, gap.rounding)) return false;
  return highest == infinity || is_above(gap.weight * highest - gap.value, gap.rounding);
}

// Where rounding may be as large as what is to be shown, nothing can be.
GapProof verdict(bool holds, double rounding, double least) {
  if (holds) return GapProof::holds;
  return rounding < 0.5 * least ? GapProof::fails : GapProof::no_way;
}

GapProof point_on_plane(const Contact& c, const FrameOverStep& point, const FrameOverStep& plane,
                        double lowest, double highest) {
  const CarriedFeature& carried = c.features[1 - c.point_side];
  const Vec3& at = c.features[c.point_side].point;
  const MovingPlace place = place_of(point, at, plane.centre);
  const PolynomialVector normal = turned(plane, carried.direction);
  Bounded gap;
  gap.weight = place.weight * plane.weight;
  gap.value =
      dot(normal, place.value) - gap.weight * (carried.direction.dot(carried.point) + c.rounding());
  gap.rounding =
      rounding_of(point, plane, size_of(place.value) + carried.point.norm() + c.rounding());
  return verdict(is_between(gap, lowest, highest), gap.rounding, lowest);
}

// Of distances, by their squares: d^2 = square / weight, made of lengths of this size, m.
GapProof by_squares(const Polynomial& square, const Polynomial& weight, double core, double size,
                    double rounding, double lowest, double highest) {
  const double least = core + lowest, most = core + highest;
  const double of_squares = 2 * std::max(core, size) * rounding;
  bool holds = is_above(square - weight * (least * least), of_squares);
  if (holds && highest < infinity) holds = is_above(weight * (most * most) - square, of_squares);
  return verdict(holds, rounding, lowest);
}

GapProof point_on_point(const Contact& c, const FrameOverStep& a, const FrameOverStep& b,
                        double lowest, double highest) {
  const MovingPlace d = between(a, c.features[0].point, b, c.features[1].point);
  const double size = size_of(d.value);
  return by_squares(dot(d.value, d.value), d.weight * d.weight, c.rounding(), size,
                    rounding_of(a, b, size), lowest, highest);
}

// A line has many points: the one next to the centre makes the least of degrees.
Vec3 foot_of(const CarriedFeature& line) {
  const Vec3 foot = line.point - line.direction * line.direction.dot(line.point);
  return foot.norm() > proof_rounding * line.point.norm() ? foot : Vec3(Vec3::Zero());
}

GapProof point_on_line(const Contact& c, const FrameOverStep& point, const FrameOverStep& line,
                       double lowest, double highest) {
  const CarriedFeature& carried = c.features[1 - c.point_side];
  const MovingPlace d = between(point, c.features[c.point_side].point, line, foot_of(carried));
  const PolynomialVector area = cross(d.value, turned(line, carried.direction));
  const Polynomial weight = d.weight * line.weight;
  const double size = size_of(d.value);
  return by_squares(dot(area, area), weight * weight, c.rounding(), size,
                    rounding_of(point, line, size), lowest, highest);
}

GapProof edge_on_edge(const Contact& c, const FrameOverStep& a, const FrameOverStep& b,
                      double lowest, double highest) {
  const PolynomialVector across =
      cross(turned(a, c.features[0].direction), turned(b, c.features[1].direction));
  const MovingPlace d = between(a, foot_of(c.features[0]), b, foot_of(c.features[1]));
  const Polynomial volume = dot(across, d.value) * c.edge_sign;
  const Polynomial sine = dot(across, across);  // squared, with weights
  const double size = size_of(d.value), rounding = rounding_of(a, b, size);
  if (c.rounding() > 0)
    return is_above(volume, 0) ? by_squares(volume * volume, sine * d.weight * d.weight,
                                            c.rounding(), size, rounding, lowest, highest)
                               : GapProof::fails;
  // Squares of nothing but a gap would drown in rounding.
  const Eigen::VectorXd sines = sine.bernstein();
  const double largest = std::sqrt(sines.maxCoeff());
  const double smallest = std::sqrt(std::max(0.0, sines.minCoeff()));
  const bool holds =
      is_above(volume - d.weight * (lowest * largest), rounding) &&
      (highest == infinity || is_above(d.weight * (highest * smallest) - volume, rounding));
  return verdict(holds, rounding, lowest * largest);
}

// The polynomial that has these values at instants that divide [0, 1] evenly.
template <int Instants>
Polynomial through(const Eigen::Matrix<double, Instants, 1>& values) {
  using Matrix = Eigen::Matrix<double, Instants, Instants>;
  static const Matrix coefficients = [] {
    Matrix basis;
    for (int i = 0; i < Instants; ++i)
      basis.row(i) = math::bernstein_basis<Instants - 1>(double(i) / (Instants - 1)).transpose();
    return Matrix(basis.inverse());
  }();
  return Polynomial::from_bernstein(coefficients * values);
}

// A polynomial that is larger than the root of another, by about `margin`, or ten times that, and
// so on: whether it is near enough turns out in the end.
std::optional<Polynomial> above_root(const Polynomial& square, double margin) {
  if (square.is_zero()) return Polynomial(0);
  Eigen::Matrix<double, root_instants, 1> values;
  for (int i = 0; i < root_instants; ++i)
    values[i] = std::sqrt(std::max(0.0, square.value(double(i) / (root_instants - 1))));
  const Polynomial near = through<root_instants>(values);
  const double rounding = proof_rounding * size_of(square);
  for (int i = 0; i < root_attempts; ++i, margin *= 10) {
    const Polynomial root = near + Polynomial(margin);
    if (is_above(root, 0) && is_above(root * root - square, rounding)) return root;
  }
  return std::nullopt;
}

// The support function of one side along -m or m: m.x of a point of it, and what is added to that,
// times the weight of the side's frame.
struct Extent {
  Vec3 point = Vec3::Zero();  // in the motion frame
  Polynomial more{0};
};

// The ellipsoid, disc or point that a side is made of, but for its rounding: half axes, about
// `centre` along the columns of `axes`, in the motion frame.
struct Core {
  Vec3 radii = Vec3::Zero();
  Vec3 centre = Vec3::Zero();
  Mat3 axes = Mat3::Identity();
};

// What surrounds a ring is apart where the ring is. Nothing of surfaces without a closed form.
std::optional<Core> core_of(const SmoothSide& side) {
  if (side.kind == SmoothSideKind::point) return Core{Vec3::Zero(), side.feature.point};
  if (side.kind == SmoothSideKind::ring)
    return Core{{side.circle, side.circle, 0}, side.surface.position, side.surface.rotation};
  if (side.kind != SmoothSideKind::surface && side.kind != SmoothSideKind::bowl)
    return std::nullopt;
  const geometry::SupportAtom& atom = side.surface.surface->atoms()[side.atom];
  Core core;
  if (atom.is_ellipsoid())
    core.radii = atom.half_axes();
  else if (atom.is_circle())
    core.radii = Vec3(atom.outer_radius(), atom.outer_radius(), 0);
  else if (!atom.is_point())
    return std::nullopt;
  core.centre = side.surface.position + side.surface.rotation * atom.centre();
  core.axes = side.surface.rotation;
  return core;
}

bool is_straight(const SmoothSide& side) {
  return side.kind == SmoothSideKind::line && side.level == 0;
}

bool is_plane(const SmoothSide& side) {
  return side.kind == SmoothSideKind::plane;
}

// Planes and lines have an extent only along directions that are across them.
std::optional<Extent> extent_of(const SmoothSide& side, const FrameOverStep& frame,
                                const PolynomialVector& m, const Polynomial& length,
                                double margin) {
  if (is_plane(side)) return Extent{side.feature.point};
  const Polynomial around = frame.weight * length * side.rounding;
  if (is_straight(side)) return Extent{foot_of(side.feature), around};
  const std::optional<Core> core = core_of(side);
  if (!core) return std::nullopt;
  Polynomial square;
  for (int k = 0; k < 3; ++k) {
    if (core->radii[k] == 0) continue;
    const Polynomial along = dot(m, turned(frame, core->axes.col(k))) * core->radii[k];
    square += along * along;
  }
  const std::optional<Polynomial> root = above_root(square, margin);
  if (!root) return std::nullopt;
  return Extent{core->centre, *root + around};
}

bool has_proof(const SmoothSide& side) {
  return is_plane(side) || is_straight(side) ||
         (side.kind != SmoothSideKind::bowl && core_of(side).has_value());
}

// The direction from b to a, of any length, along which the sides are to be shown apart.
std::optional<PolynomialVector> parting(const SmoothPair& pair, const FrameOverStep& a,
                                        const FrameOverStep& b, std::span<const Vec3> normals) {
  const auto& [side_a, side_b] = pair.sides;
  if (is_plane(side_b)) return turned(b, side_b.feature.direction);
  if (is_plane(side_a)) return turned(a, -side_a.feature.direction);
  if (normals.size() != proof_instants) return std::nullopt;
  const PolynomialVector along_a = turned(a, side_a.feature.direction);
  const PolynomialVector along_b = turned(b, side_b.feature.direction);
  if (is_straight(side_a) && is_straight(side_b)) {
    const PolynomialVector across = cross(along_a, along_b);
    const Vec3 first(across[0].value(0), across[1].value(0), across[2].value(0));
    return across * Polynomial(first.dot(normals.front()) < 0 ? -1 : 1);
  }
  PolynomialVector m;
  for (int k = 0; k < 3; ++k) {
    Eigen::Matrix<double, proof_instants, 1> values;
    for (int i = 0; i < proof_instants; ++i) values[i] = normals[i][k];
    m[k] = through<proof_instants>(values);
  }
  if (is_straight(side_a)) return cross(cross(along_a, m), along_a);
  if (is_straight(side_b)) return cross(cross(along_b, m), along_b);
  return m;
}

GapProof smooth_apart(const SmoothPair& pair, const FrameOverStep& a, const FrameOverStep& b,
                      double lowest, std::span<const Vec3> normals) {
  const auto& [side_a, side_b] = pair.sides;
  if (!has_proof(side_a) || !has_proof(side_b)) return GapProof::no_way;
  // A plane meets all lines but those that are parallel to it.
  if ((is_plane(side_a) && is_straight(side_b)) || (is_plane(side_b) && is_straight(side_a)))
    return GapProof::no_way;
  const std::optional<PolynomialVector> m = parting(pair, a, b, normals);
  if (!m) return GapProof::no_way;
  std::optional<Polynomial> length;
  if (is_plane(side_a) || is_plane(side_b))
    length = is_plane(side_b) ? b.weight : a.weight;
  else
    length = above_root(dot(*m, *m), length_margin);
  if (!length) return GapProof::fails;
  const double margin = root_margin * lowest;
  const std::optional<Extent> of_a = extent_of(side_a, a, *m, *length, margin);
  const std::optional<Extent> of_b = extent_of(side_b, b, *m, *length, margin);
  if (!of_a || !of_b) return GapProof::fails;
  const MovingPlace d = between(a, of_a->point, b, of_b->point);
  // All in the weight of both frames, which d may lack where a point is a centre.
  const Polynomial weight = a.weight * b.weight;
  const Polynomial missing = (of_a->point.isZero(0) ? a.weight : Polynomial(1)) *
                             (of_b->point.isZero(0) ? b.weight : Polynomial(1));
  const Polynomial room = dot(*m, d.value) * missing - of_a->more * b.weight -
                          of_b->more * a.weight - weight * *length * lowest;
  const double rounding =
      rounding_of(a, b, size_of(d.value) + size_of(of_a->more) + size_of(of_b->more));
  return verdict(is_above(room, rounding), rounding, lowest);
}

// A point x from the middle of an ellipsoid of half axes r, with f = |(x_k / r_k)|, is within the
// ellipsoid f r, whose support function along any m lies (1 - f) h(m) >= (1 - f) min r below that
// of the whole: the wall is no nearer. For a sphere that is its distance, and a ball may be around
// x.
GapProof point_in_bowl(const SmoothSide& point, const FrameOverStep& a, const SmoothSide& bowl,
                       const FrameOverStep& b, double lowest) {
  const std::optional<Core> core = core_of(bowl);
  if (!core || point.kind != SmoothSideKind::point) return GapProof::no_way;
  const double least = core->radii.minCoeff(), most = core->radii.maxCoeff();
  if (least == 0 || (point.rounding > 0 && least < most)) return GapProof::no_way;
  const double room = least - point.rounding - bowl.rounding;
  const MovingPlace d = between(a, point.feature.point, b, core->centre);
  Polynomial square;
  for (int k = 0; k < 3; ++k) {
    const Polynomial along = dot(d.value, turned(b, core->axes.col(k))) * (least / core->radii[k]);
    square += along * along;
  }
  const Polynomial weight = d.weight * b.weight;
  const double rounding = rounding_of(a, b, size_of(d.value));
  const bool holds = is_above(weight * weight * ((room - lowest) * (room - lowest)) - square,
                              2 * least * rounding);
  return verdict(holds, rounding, lowest);
}

GapProof smooth_gap(const SmoothPair& pair, const FrameOverStep& a, const FrameOverStep& b,
                    double lowest, std::span<const Vec3> normals) {
  const auto& [side_a, side_b] = pair.sides;
  if (side_b.kind == SmoothSideKind::bowl) return point_in_bowl(side_a, a, side_b, b, lowest);
  if (side_a.kind == SmoothSideKind::bowl) return point_in_bowl(side_b, b, side_a, a, lowest);
  return smooth_apart(pair, a, b, lowest, normals);
}

}  // namespace

FrameOverStep FrameOverStep::resting(const Pose& pose) {
  FrameOverStep frame;
  const Mat3 rotation = pose.orientation.toRotationMatrix();
  for (int i = 0; i < 3; ++i) {
    frame.centre[i] = pose.position[i];
    for (int j = 0; j < 3; ++j) frame.rotation[j][i] = rotation(i, j);
  }
  frame.reach = pose.position.norm();
  return frame;
}

// M(q) = N R(q) has the entries x^2 + w^2 - y^2 - z^2, 2 (x y - w z), ...
FrameOverStep FrameOverStep::moving(
    const motion::PolynomialMotion::CentreCoefficients& centre,
    const motion::PolynomialMotion::QuaternionCoefficients& quaternion) {
  FrameOverStep frame;
  std::array<Polynomial, 4> q;
  for (int i = 0; i < 4; ++i) q[i] = Polynomial::from_bernstein(quaternion.row(i).transpose());
  for (int i = 0; i < 3; ++i)
    frame.centre[i] = Polynomial::from_bernstein(centre.row(i).transpose());
  const auto& [x, y, z, w] = q;
  const Polynomial xx = x * x, yy = y * y, zz = z * z, ww = w * w;
  const Polynomial xy = x * y, yz = y * z, zx = z * x, xw = x * w, yw = y * w, zw = z * w;
  frame.weight = xx + yy + zz + ww;
  frame.rotation[0] = {ww + xx - yy - zz, 2.0 * (xy + zw), 2.0 * (zx - yw)};
  frame.rotation[1] = {2.0 * (xy - zw), ww + yy - zz - xx, 2.0 * (yz + xw)};
  frame.rotation[2] = {2.0 * (zx + yw), 2.0 * (yz - xw), ww + zz - xx - yy};
  frame.reach = centre.colwise().norm().maxCoeff();
  return frame;
}

GapProof prove_gap(const Contact& contact, const FrameOverStep& a, const FrameOverStep& b,
                   double lowest, double highest, std::span<const Vec3> normals) {
  if (contact.kind == GapKind::smooth) return smooth_gap(*contact.smooth, a, b, lowest, normals);
  if (contact.kind == GapKind::edge_edge) return edge_on_edge(contact, a, b, lowest, highest);
  if (contact.kind == GapKind::point_point) return point_on_point(contact, a, b, lowest, highest);
  const FrameOverStep& point = contact.point_side == 0 ? a : b;
  const FrameOverStep& other = contact.point_side == 0 ? b : a;
  return contact.kind == GapKind::point_plane
             ? point_on_plane(contact, point, other, lowest, highest)
             : point_on_line(contact, point, other, lowest, highest);
}

}  // namespace abut::contact
