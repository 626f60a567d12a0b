#include <gtest/gtest.h>

#include <Eigen/LU>
#include <numbers>

#include "lcp/cone_problem.h"
#include "support/cones.h"
#include "support/seeds.h"
#include "support/sizes.h"

using namespace abut;
using namespace abut::lcp;
using namespace abut::test;

namespace {

// Residuals are relative to the terms of each block; 1e-15 is usual.
constexpr double small_cone_residual = 1e-12;

ConeSolution expect_cones_solved(const ConeProblem& problem, const ConeStart* start = nullptr) {
  ConeSolution solution = solve_cones(problem, start);
  EXPECT_EQ(solution.status, Status::solved);
  EXPECT_LT(cone_residual(problem, solution.z), small_cone_residual);
  EXPECT_EQ(solution.refutation.size(), 0);
  return solution;
}

/// A block of mass 1 on four feet with friction, pushed along x by `push`, gravity g.
ConeProblem pushed_block(double friction, double push, double gravity) {
  std::vector<RoughContact> feet;
  for (const double x : {-1.0, 1.0}) {
    for (const double y : {-1.0, 1.0})
      feet.push_back({0, -1, Eigen::Vector3d::UnitZ(), {x, y, 0}, {x, y, 0}, friction});
  }
  // The feet are level with the centre of mass, so that nothing tips.
  return rough_problem({{1, Eigen::Vector3d::Ones(), {push, 0, -gravity}, {0, 0, 0}}}, feet);
}

TEST(SolveCones, BlockSticksUpToTheConeAndSlidesBeyond) {
  const double g = 10, mu = 0.5;
  for (const double push : {0.0, 2.0, 4.9, 5.0, 5.1, 20.0}) {
    SCOPED_TRACE(push);
    const ConeProblem problem = pushed_block(mu, push, g);
    const ConeSolution s = expect_cones_solved(problem);
    double weight = 0;
    Eigen::Vector2d pull = Eigen::Vector2d::Zero();
    for (Eigen::Index k = 0; k < 12; k += 3) {
      weight += s.z[k];
      pull += s.z.segment<2>(k + 1);
      EXPECT_NEAR(s.w[k], 0, 1e-13 * g);
      EXPECT_NEAR(s.w.segment<2>(k + 1).norm(), std::max(0.0, push - mu * g), 1e-12 * g);
    }
    EXPECT_NEAR(weight, g, 1e-13 * g);
    EXPECT_NEAR(pull.norm(), std::min(push, mu * g), 1e-12 * g);
    if (push == 20) {
      EXPECT_EQ(std::count(s.modes.begin(), s.modes.end(), Mode::slip), 4);
    }
    if (push == 2) {
      EXPECT_EQ(std::count(s.modes.begin(), s.modes.end(), Mode::slip), 0);
    }
  }
}

TEST(SolveCones, ContactsThatSlipDoNotLiftOff) {
  // The convex law would have w_N = mu |w_T|.
  ConeProblem p{Matrix::Identity(3, 3), Vector(3), {ConeBlock::contact(0.5)}};
  p.b << -1, 3, 4;
  const ConeSolution s = expect_cones_solved(p);
  EXPECT_EQ(s.modes[0], Mode::slip);
  EXPECT_NEAR(s.w[0], 0, 1e-15);
  EXPECT_NEAR((s.z - Eigen::Vector3d(1, -0.3, -0.4)).norm(), 0, 1e-15);
}

TEST(SolveCones, NothingToDo) {
  EXPECT_EQ(expect_cones_solved({Matrix(0, 0), Vector(0), {}}).iterations, 0);
  RandomProblems random(abut::test::seed(1));
  ConeProblem p = rough_bodies(random, {});
  p.b.setZero();
  const ConeSolution at_rest = expect_cones_solved(p);
  EXPECT_EQ(at_rest.z.norm(), 0);
  for (std::size_t k = 0; k < p.blocks.size(); ++k) p.b[static_cast<Eigen::Index>(3 * k)] = 1;
  const ConeSolution apart = expect_cones_solved(p);
  EXPECT_EQ(apart.z.norm(), 0);
  EXPECT_EQ(std::count(apart.modes.begin(), apart.modes.end(), Mode::open), 10);
}

/// All solutions of planar contacts, by trying all modes: linear equations each.
std::vector<Vector> all_planar_solutions(const ConeProblem& p) {
  const auto count = static_cast<Eigen::Index>(p.blocks.size());
  std::vector<Vector> solutions;
  for (int code = 0; code < std::pow(4, count); ++code) {
    // Rows: z = 0; w = 0; or w_N = 0 and z_T = side mu z_N.
    Matrix m = Matrix::Zero(2 * count, 2 * count);
    Vector r = Vector::Zero(2 * count);
    std::vector<int> modes;
    for (Eigen::Index k = 0, rest = code; k < count; ++k, rest /= 4) {
      const int mode = static_cast<int>(rest % 4);
      modes.push_back(mode);
      const Eigen::Index row = 2 * k;
      if (mode == 0) {
        m.block<2, 2>(row, row).setIdentity();
      } else if (mode == 1) {
        m.middleRows<2>(row) = p.a.middleRows<2>(row);
        r.segment<2>(row) = -p.b.segment<2>(row);
      } else {
        m.row(row) = p.a.row(row);
        r[row] = -p.b[row];
        m(row + 1, row + 1) = 1;
        m(row + 1, row) = (mode == 2 ? -1 : 1) * p.blocks[static_cast<std::size_t>(k)].friction;
      }
    }
    const Eigen::FullPivLU<Matrix> lu(m);
    if (lu.rank() < 2 * count) continue;
    const Vector z = lu.solve(r), w = p.a * z + p.b;
    bool holds = true;
    for (Eigen::Index k = 0; k < count; ++k) {
      const double mu = p.blocks[static_cast<std::size_t>(k)].friction;
      const double zn = z[2 * k], zt = z[2 * k + 1], wn = w[2 * k], wt = w[2 * k + 1];
      const int mode = modes[static_cast<std::size_t>(k)];
      holds = holds && (mode == 0   ? wn >= 0
                        : mode == 1 ? std::abs(zt) <= mu * zn
                        : mode == 2 ? zn >= 0 && wt <= 0
                                    : zn >= 0 && wt >= 0);
    }
    if (holds) solutions.push_back(z);
  }
  return solutions;
}

TEST(SolveCones, PlanarContactsAgainstAllModes) {
  RandomProblems random(abut::test::seed(2));
  int refuted = 0, unsolvable = 0, missed = 0;
  const int tries = cases(2000);
  for (int k = 0; k < tries; ++k) {
    SCOPED_TRACE(k);
    const int count = random.whole(1, 3);
    ConeProblem p;
    const Matrix j = random.matrix(2 * count, 2 * count + 1);
    p.a = j * j.transpose();
    if (k % 3 == 0) p.a += 0.7 * random.matrix(2 * count, 2 * count);  // as with sliding contacts
    p.b = random.vector(2 * count);
    for (int i = 0; i < count; ++i)
      p.blocks.push_back(ConeBlock::planar_contact(0.25 * random.whole(0, 8)));
    const std::vector<Vector> all = all_planar_solutions(p);
    const ConeSolution s = solve_cones(p);
    if (s.status == Status::solved) {
      double nearest = infinite;
      for (const Vector& z : all) nearest = std::min(nearest, (z - s.z).norm());
      EXPECT_LT(nearest, 1e-9 * (1 + s.z.norm()));
    } else if (s.status == Status::no_solution) {
      ++refuted;
      EXPECT_TRUE(all.empty());
      EXPECT_TRUE(refutes(p, s.refutation));
    } else {
      missed += !all.empty();
    }
    unsolvable += all.empty();
    if (k % 3 != 0) {
      EXPECT_EQ(s.status, Status::solved);
    }
  }
  if (!test::sanitized) {  // a tenth of the cases may have none
    EXPECT_GT(unsolvable, 0);
    EXPECT_GT(refuted, 0);  // the others have the right signs of w somewhere, and no proof
  }
  // Only matrices without any structure may have solutions that are not found.
  EXPECT_LE(missed, tries / 100);
}

TEST(SolveCones, OneContactAgainstAScanOfDirections) {
  RandomProblems random(abut::test::seed(3));
  for (int k = 0; k < cases(100); ++k) {
    SCOPED_TRACE(k);
    const Matrix j = random.matrix(3, 4);
    const double mu = 0.5 * random.whole(1, 4);
    const ConeProblem p{j * j.transpose(), random.vector(3), {ConeBlock::contact(mu)}};
    const ConeSolution s = expect_cones_solved(p);
    const Eigen::Vector3d stuck = -p.a.inverse() * p.b;
    if (p.b[0] >= 0) {
      EXPECT_EQ(s.z.norm(), 0);
    } else if (stuck.tail<2>().norm() <= mu * stuck[0]) {
      EXPECT_LT((s.z - stuck).norm(), 1e-10 * stuck.norm());
    } else {
      // Directions in which force and motion are opposite: zeros of the sine between them.
      const auto force = [&](double angle) -> Eigen::Vector3d {
        const Eigen::Vector3d g(1, mu * std::cos(angle), mu * std::sin(angle));
        return -p.b[0] / p.a.row(0).dot(g) * g;
      };
      const auto sine = [&](double angle) {
        const Eigen::Vector2d w = (p.a * force(angle) + p.b).tail<2>();
        return w.x() * std::sin(angle) - w.y() * std::cos(angle);
      };
      double nearest = infinite;
      constexpr int samples = 2000;
      for (int i = 0; i < samples; ++i) {
        double low = 2 * std::numbers::pi * i / samples,
               high = low + 2 * std::numbers::pi / samples;
        const bool rises = sine(low) < 0;
        if (rises == (sine(high) < 0)) continue;
        for (int step = 0; step < 60; ++step) {
          const double middle = (low + high) / 2;
          ((sine(middle) < 0) == rises ? low : high) = middle;
        }
        const Eigen::Vector3d z = force(low);
        const Eigen::Vector3d w = p.a * z + p.b;
        if (z[0] >= 0 && w.tail<2>().dot(z.tail<2>()) <= 0)
          nearest = std::min(nearest, (z - s.z).norm() / s.z.norm());
      }
      EXPECT_LT(nearest, 1e-10);
    }
  }
}

TEST(SolveCones, WithoutFrictionItIsTheLinearProblem) {
  RandomProblems random(abut::test::seed(4));
  for (int k = 0; k < cases(100); ++k) {
    SCOPED_TRACE(k);
    const int contacts = random.whole(1, 20);
    ConeProblem p =
        rough_bodies(random, {contacts, random.whole(1, contacts), 1000, 0, k % 2 == 0});
    const ConeSolution s = expect_cones_solved(p);
    std::vector<Eigen::Index> normals;
    for (int i = 0; i < contacts; ++i) normals.push_back(3 * i);
    const Problem linear = Problem::complementarity(p.a(normals, normals), Vector(p.b(normals)));
    const Solution expected = solve_psd(linear);
    const double scale = p.b.norm() + p.a.norm() * s.z.norm();
    EXPECT_LT((Vector(s.w(normals)) - expected.w).norm(), 1e-10 * scale);
    for (int i = 0; i < contacts; ++i) EXPECT_EQ(s.z.segment<2>(3 * i + 1).norm(), 0);
  }
}

TEST(SolveCones, RowsWithBoundsAreTheLinearProblem) {
  RandomProblems random(abut::test::seed(5));
  for (int k = 0; k < cases(100); ++k) {
    SCOPED_TRACE(k);
    const int n = random.whole(1, 25);
    Problem linear = k % 2 == 0 ? random.contacts(n, random.whole(1, 2 * n))
                                : random.degenerate(n, random.whole(1, n));
    random.mix_bounds(linear);
    ConeProblem p{linear.a, linear.b, {}};
    for (int i = 0; i < n; ++i)
      p.blocks.push_back(ConeBlock::bounded(linear.lower[i], linear.upper[i]));
    const ConeSolution s = expect_cones_solved(p);
    const Solution expected = solve_psd(linear);
    EXPECT_LT((s.w - expected.w).norm(), 1e-9 * (1 + p.a.norm() * expected.z.norm()));
  }
}

// Bodies pressed from all sides by contacts in random directions. With friction up to 1 all are
// solved; with up to 2 and masses as 1 to 1000 a few large ones may have no solution at all, and
// must be told from those that are.
TEST(SolveCones, RandomBodiesOfAllKinds) {
  RandomProblems random(abut::test::seed(6));
  int hard = 0, left = 0;
  const int largest = full_size() ? 60 : 25;
  for (int k = 0; k < cases(120); ++k) {
    const int contacts = random.whole(1, largest);
    const int bodies = std::max(1, contacts * random.whole(2, 10) / 10);
    const RoughOptions options{contacts, bodies, k % 2 == 0 ? 1.0 : 1000.0,
                               std::vector{0.3, 1.0, 2.0}[static_cast<std::size_t>(k % 3)],
                               k % 5 == 0};
    SCOPED_TRACE(testing::Message()
                 << "case " << k << ", " << contacts << " contacts, " << bodies << " bodies");
    BodyRows body_rows;
    const ConeProblem p = rough_bodies(random, options, &body_rows);
    const bool is_hard = options.most_friction > 1 && options.mass_ratio > 1;
    if (is_hard) {
      ++hard;
      if (solve_cones(p).status != Status::solved) {
        ++left;
        continue;
      }
    }
    const ConeSolution s = expect_cones_solved(p);
    // The same again, sparse, and by way of the bodies; and from its own solution.
    SparseConeProblem sparse{p.a.sparseView(), p.b, p.blocks};
    EXPECT_LT(solve_cones(sparse).residual, small_cone_residual);
    sparse.bodies = body_rows;
    EXPECT_LT(solve_cones(sparse).residual, small_cone_residual);
    const ConeStart start = s.as_start();
    EXPECT_LE(expect_cones_solved(p, &start).iterations, is_hard ? 5 : 1);
  }
  EXPECT_LE(left, hard / 50);
}

TEST(SolveCones, DegenerateContacts) {
  // Small whole numbers: ties, zero loads, dependent rows, forces on the boundaries of cones.
  RandomProblems random(abut::test::seed(7));
  for (int k = 0; k < cases(200); ++k) {
    SCOPED_TRACE(k);
    const int contacts = random.whole(1, 8), freedoms = random.whole(1, 3 * contacts);
    const Problem linear = random.degenerate(3 * contacts, freedoms);
    ConeProblem p{linear.a, linear.b, {}};
    for (int i = 0; i < contacts; ++i) p.blocks.push_back(ConeBlock::contact(random.whole(0, 2)));
    expect_cones_solved(p);
  }
}

TEST(SolveCones, WallsStandOrSlide) {
  std::vector<std::pair<int, int>> walls = {{1, 1}, {2, 2}};
  if (full_size()) walls.insert(walls.end(), {{3, 3}, {4, 4}});
  for (const auto& [bricks, courses] : walls) {
    for (const double mu : {0.0, 0.2, 0.6, 2.0}) {
      for (const double tilt : {0.0, 0.1, 0.3, 0.5}) {
        SCOPED_TRACE(testing::Message()
                     << bricks << " x " << courses << ", mu " << mu << ", tilt " << tilt);
        const ConeProblem wall = rough_wall(bricks, courses, mu, tilt);
        const ConeSolution s = expect_cones_solved(wall);
        // Below the angle of friction one brick stays, though many forces would do. In a wall the
        // bricks at the ends stick out by half and tip.
        if (tilt == 0 || (bricks == 1 && std::tan(tilt) < mu && tilt < 0.5)) {
          EXPECT_LT(s.w.cwiseAbs().maxCoeff(), 1e-9);
        }
      }
    }
  }
}

TEST(SolveCones, SteadyContactTakesFewSystemsOfEquations) {
  // Random bodies, of which some are jammed: most take one to three systems, and those whose rows
  // are nearly dependent a few more, for the last digits.
  RandomProblems random(abut::test::seed(8));
  const int tries = cases(30);
  long total = 0, same = 0;
  for (int k = 0; k < tries; ++k) {
    SCOPED_TRACE(k);
    const int contacts = random.whole(1, 15);
    ConeProblem p = rough_bodies(random, {contacts, contacts, 1, 0.5, true});
    const ConeStart start = expect_cones_solved(p).as_start();
    p.b += 1e-7 * (p.a * random.vector(p.size()));
    const ConeSolution again = expect_cones_solved(p, &start);
    if (again.modes != start.modes) continue;
    ++same;
    total += again.iterations;
  }
  if (!test::sanitized) {        // too few cases to count
    EXPECT_GE(same, tries / 3);  // where forces are not unique, modes may change
  }
  EXPECT_LE(total, 4 * same);
  // One that is not, and stands: forces on the boundaries of cones have to find new places.
  ConeProblem wall = rough_wall(2, 2, 0.6, 0);
  const ConeStart standing = expect_cones_solved(wall).as_start();
  EXPECT_EQ(expect_cones_solved(wall, &standing).iterations, 0);
  wall.b *= 1 + 1e-6;
  EXPECT_LE(expect_cones_solved(wall, &standing).iterations, 30);
  // Sliding in a direction that turns.
  const ConeStart before = expect_cones_solved(pushed_block(0.5, 20, 10)).as_start();
  ConeProblem p = pushed_block(0.5, 20, 10);
  p.b[2] += 0.1, p.b[5] += 0.1, p.b[8] += 0.1, p.b[11] += 0.1;
  EXPECT_LE(expect_cones_solved(p, &before).iterations, 4);
}

TEST(SolveCones, PainleveHasNoSolution) {
  // A sliding contact whose own force presses it in: w = -z - 1.
  ConeProblem p{-Matrix::Identity(1, 1), -Vector::Ones(1), {ConeBlock::bounded(0, infinite)}};
  const ConeSolution s = solve_cones(p);
  EXPECT_EQ(s.status, Status::no_solution);
  EXPECT_TRUE(refutes(p, s.refutation));
  // Next to a contact with friction that has nothing to do with it.
  p.blocks.push_back(ConeBlock::contact(0.5));
  p.a.conservativeResizeLike(Matrix::Zero(4, 4));
  p.a.bottomRightCorner(3, 3).setIdentity();
  p.b.conservativeResizeLike(-Vector::Ones(4));
  p.b << -1, -1, 2, 0;
  const ConeSolution both = solve_cones(p);
  EXPECT_EQ(both.status, Status::no_solution);
  EXPECT_TRUE(refutes(p, both.refutation));
}

TEST(SolveCones, SlidingAndStickingContactsTogether) {
  // Some contacts slide in a known direction: their columns are A (n + mu t), and A is not
  // symmetric.
  RandomProblems random(abut::test::seed(9));
  int solved = 0;
  const int tries = cases(100);
  for (int k = 0; k < tries; ++k) {
    SCOPED_TRACE(k);
    const int contacts = random.whole(2, 12);
    const ConeProblem all = rough_bodies(random, {contacts, contacts, 10, 0.5, true});
    const int sliding = random.whole(1, contacts);
    const auto rows = static_cast<Eigen::Index>(sliding + 3 * (contacts - sliding));
    Matrix rows_of = Matrix::Zero(rows, 3 * contacts), columns_of = rows_of;
    ConeProblem p;
    for (int i = 0; i < contacts; ++i) {
      const Eigen::Index from = 3 * i;
      if (i < sliding) {
        rows_of(i, from) = columns_of(i, from) = 1;
        columns_of.block<1, 2>(i, from + 1) =
            0.3 * Eigen::Vector2d(random.vector(2)).normalized().transpose();
        p.blocks.push_back(ConeBlock::bounded(0, infinite));
      } else {
        const Eigen::Index to = sliding + 3 * (i - sliding);
        rows_of.block<3, 3>(to, from).setIdentity();
        columns_of.block<3, 3>(to, from).setIdentity();
        p.blocks.push_back(all.blocks[static_cast<std::size_t>(i)]);
      }
    }
    p.a = rows_of * all.a * columns_of.transpose();
    p.b = rows_of * all.b;
    const ConeSolution s = solve_cones(p);
    if (s.status == Status::solved) {
      ++solved;
      EXPECT_LT(cone_residual(p, s.z), small_cone_residual);
    } else if (s.status == Status::no_solution) {
      EXPECT_TRUE(refutes(p, s.refutation));
    }
  }
  EXPECT_GE(solved, 95 * tries / 100);
}

}  // namespace
