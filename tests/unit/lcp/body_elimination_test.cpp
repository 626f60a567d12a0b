#include "lcp/body_elimination.h"

#include <gtest/gtest.h>

#include "support/cones.h"
#include "support/seeds.h"
#include "support/sizes.h"

using namespace abut;
using namespace abut::lcp;
using namespace abut::test;

namespace {

// D x + W A x = r with D of order 1, for some of the blocks: the others have no x.
TEST(BodyElimination, SolvesForTheBlocksThatAreAdded) {
  RandomProblems random(abut::test::seed(1));
  for (int k = 0; k < cases(60); ++k) {
    SCOPED_TRACE(k);
    const int contacts = random.whole(1, 20);
    BodyRows body_rows;
    const ConeProblem problem =
        rough_bodies(random, {contacts, random.whole(1, contacts), 100, 1, false}, &body_rows);
    const ConeSystem system(
        SparseConeProblem{problem.a.sparseView(), problem.b, problem.blocks, body_rows});
    BodyElimination elimination(system);
    for (int round = 0; round < 2; ++round) {  // one for all: what was there before is forgotten
      elimination.clear();
      std::vector<PartMatrix> d, w;
      std::vector<Part> r, x;
      std::vector<bool> is_added;
      for (Index i = 0; i < contacts; ++i) {
        d.emplace_back(2 * PartMatrix::Identity() + 0.1 * random.matrix(3, 3));
        w.emplace_back(PartMatrix::Identity() + 0.05 * random.matrix(3, 3));
        r.emplace_back(random.vector(3));
        is_added.push_back(random.whole(0, 4) > 0);
        if (is_added.back()) elimination.add(i, d.back(), w.back());
      }
      ASSERT_TRUE(elimination.factorise());
      x = r;
      elimination.solve(x);
      for (Index i = 0; i < contacts; ++i) {
        if (!is_added[at(i)]) continue;
        Part moved = Part::Zero();
        double terms = 0;
        for (const Coupling& coupling : system.couplings(i)) {
          if (!is_added[at(coupling.column)]) continue;
          moved += coupling.a * x[at(coupling.column)];
          terms += coupling.a.norm() * x[at(coupling.column)].norm();
        }
        const Part left = d[at(i)] * x[at(i)] + w[at(i)] * moved - r[at(i)];
        EXPECT_LT(left.norm(), 1e-10 * (terms + r[at(i)].norm()));
      }
    }
  }
}

}  // namespace
