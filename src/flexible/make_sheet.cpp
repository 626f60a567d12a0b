// Nodes at the corners of cells, springs along and across them.

#include <algorithm>
#include <cmath>

#include "flexible/make.h"
#include "flexible/spring_elasticity.h"

namespace abut::flexible {
namespace {

class SheetBuilder {
 public:
  explicit SheetBuilder(const SheetShape& sheet) : sheet_(sheet) {
    grid_ = {sheet.cells_x, sheet.cells_y};
  }

  std::shared_ptr<const BendingBody> build() {
    auto body = std::make_shared<BendingBody>();
    body->kind = Kind::sheet;
    body->mass = ColumnMass(masses());
    body->elasticity = std::make_shared<SpringElasticity>(grid_.nodes(), springs());
    body->half_thickness = sheet_.thickness / 2;
    body->closed = false;
    body->extent = std::max(sheet_.size_x, sheet_.size_y) / 2;
    body->grid = grid_;
    add_boundary(body->boundary);
    return body;
  }

 private:
  Vec3 rest(int i, int j) const {
    return {sheet_.size_x * (static_cast<double>(i) / grid_.cells_x - 0.5),
            sheet_.size_y * (static_cast<double>(j) / grid_.cells_y - 0.5), 0};
  }

  /// A node has a quarter of each of the cells around it.
  Vector masses() const {
    const double cell =
        sheet_.density * (sheet_.size_x / grid_.cells_x) * (sheet_.size_y / grid_.cells_y);
    Vector mass = Vector::Zero(grid_.nodes());
    for (int j = 0; j < grid_.cells_y; ++j)
      for (int i = 0; i < grid_.cells_x; ++i)
        for (const int node : {grid_.node(i, j), grid_.node(i + 1, j), grid_.node(i, j + 1),
                               grid_.node(i + 1, j + 1)})
          mass[node] += cell / 4;
    return mass;
  }

  /// From (i, j) by (di, dj), if the sheet goes that far.
  void add_spring(int i, int j, int di, int dj, double stiffness,
                  std::vector<Spring>& springs) const {
    const int to_i = i + di, to_j = j + dj;
    if (to_i < 0 || to_i > grid_.cells_x || to_j > grid_.cells_y || stiffness == 0) return;
    const double length = (rest(to_i, to_j) - rest(i, j)).norm();
    springs.push_back(
        {grid_.node(i, j), grid_.node(to_i, to_j), length, stiffness, sheet_.damping});
  }

  std::vector<Spring> springs() const {
    std::vector<Spring> springs;
    for (int j = 0; j <= grid_.cells_y; ++j) {
      for (int i = 0; i <= grid_.cells_x; ++i) {
        add_spring(i, j, 1, 0, sheet_.stretch, springs);
        add_spring(i, j, 0, 1, sheet_.stretch, springs);
        add_spring(i, j, 1, 1, sheet_.shear, springs);
        add_spring(i, j, -1, 1, sheet_.shear, springs);
        add_spring(i, j, 2, 0, sheet_.bend, springs);
        add_spring(i, j, 0, 2, sheet_.bend, springs);
      }
    }
    return springs;
  }

  /// Diagonals alternate, so that no direction of folding is preferred.
  void add_boundary(Boundary& boundary) const {
    for (int j = 0; j <= grid_.cells_y; ++j)
      for (int i = 0; i <= grid_.cells_x; ++i) {
        const ColumnWeight itself = {grid_.node(i, j), 1};
        boundary.add_vertex(rest(i, j), std::span(&itself, 1));
      }
    for (int j = 0; j < grid_.cells_y; ++j) {
      for (int i = 0; i < grid_.cells_x; ++i) {
        const int a = grid_.node(i, j), b = grid_.node(i + 1, j);
        const int c = grid_.node(i + 1, j + 1), d = grid_.node(i, j + 1);
        const bool even = (i + j) % 2 == 0;
        boundary.add_triangle(even ? Boundary::Triangle{a, b, c} : Boundary::Triangle{a, b, d}, 0);
        boundary.add_triangle(even ? Boundary::Triangle{a, c, d} : Boundary::Triangle{b, c, d}, 0);
      }
    }
  }

  const SheetShape& sheet_;
  Grid grid_;
};

}  // namespace

std::shared_ptr<const BendingBody> make_sheet(const SheetShape& sheet) {
  return SheetBuilder(sheet).build();
}

}  // namespace abut::flexible
