// Bodies of all shapes on hills that are a mesh.

#include <cmath>
#include <filesystem>
#include <fstream>

#include "support/contact_runs.h"

namespace abut {
namespace {

// As tools/make-meshes has it.
constexpr double extent = 4;
double hills(double x, double y) {
  return 0.06 * (x * x + y * y) + 0.1 * std::sin(2.6 * x + 0.4) * std::cos(2.1 * y);
}

/// The squares `first` to `last` in both directions of a terrain of `cells` by `cells` squares of
/// two triangles each, in a file that lasts as long as this.
class Terrain {
 public:
  Terrain(int cells, int first, int last)
      : path_(std::filesystem::temp_directory_path() /
              ("abut_terrain_" + std::to_string(cells) + "_" + std::to_string(first) + ".obj")) {
    std::ofstream out(path_);
    out.precision(17);
    const int row = last - first + 1;
    const auto at = [&](int i) { return extent * (static_cast<double>(i) / cells - 0.5); };
    for (int j = first; j <= last; ++j)
      for (int i = first; i <= last; ++i)
        out << "v " << at(i) << " " << at(j) << " " << hills(at(i), at(j)) << "\n";
    for (const auto& [i, j] : {std::pair{first, first}, {last, first}, {last, last}, {first, last}})
      out << "v " << at(i) << " " << at(j) << " -0.5\n";
    const int base = row * row + 1;
    for (int j = 0; j + 1 < row; ++j)
      for (int i = 0; i + 1 < row; ++i) {
        const int a = j * row + i + 1;
        out << "f " << a << " " << a + 1 << " " << a + row + 1 << "\n";
        out << "f " << a << " " << a + row + 1 << " " << a + row << "\n";
      }
    const auto side = [&](int k, int from, int step) {
      out << "f " << base + k << " " << base + (k + 1) % 4;
      for (int i = row - 1; i >= 0; --i) out << " " << from + i * step;
      out << "\n";
    };
    side(0, 1, 1);
    side(1, row, row);
    side(2, row * row, -1);
    side(3, row * (row - 1) + 1, -row);
    out << "f " << base + 3 << " " << base + 2 << " " << base + 1 << " " << base << "\n";
  }
  ~Terrain() { std::filesystem::remove(path_); }
  Terrain(const Terrain&) = delete;
  Terrain& operator=(const Terrain&) = delete;
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

void expect_above_the_hills(const test::ContactRun& run) {
  const record::Frame& end = run.sink.frames.back();
  for (std::size_t i = 1; i < run.model.bodies.size(); ++i) {
    const Vec3& at = end.bodies[i].position;
    EXPECT_GT(at.z(), hills(at.x(), at.y())) << run.model.bodies[i].name;
  }
}

TEST(Terrain, BodiesOfAllShapesStayAboveTheHills) {
  const auto run = test::run_shipped("terrain", {"duration=0.7"});
  EXPECT_EQ(run.model.bodies.size(), 21U);
  EXPECT_GT(run.summary.min_gap, 0);
  EXPECT_EQ(run.summary.forced_stops, 0);
  EXPECT_LT(run.summary.energy_error, 1e-4);
  // Most of the fall of some 0.45 m is lost.
  EXPECT_LT(run.sink.frames.back().energy.kinetic, 0.3 * run.summary.energy_initial);
  expect_above_the_hills(run);
}

// From triangle to triangle: over convex edges, and down into hollows. An edge that an ellipsoid
// had all but left held it, and let it sink into the face beside.
TEST(Terrain, AnEggRollsFromTriangleToTriangle) {
  const Terrain terrain(224, 60, 140);
  const auto run = test::run_text(test::head(0.8, 60) + R"(
materials: {stone: {density: 2500, friction: 0.5, restitution: 0.2}}
bodies:
  - {name: hills, shape: {mesh: {file: )" +
                                  terrain.path() +
                                  R"(}}, material: stone, motion: fixed}
  - {name: egg, shape: {ellipsoid: {radii: [0.07, 0.07, 0.1]}}, material: stone, position: [-0.45, 0, 0.5], orientation: {euler: [60 deg, 0, 0]}}
)");
  EXPECT_LT(run.summary.energy_error, 1e-9);
  EXPECT_GT(run.summary.min_gap, 0);
  EXPECT_EQ(run.summary.stepped_fraction, 0);
  expect_above_the_hills(run);
}

// A cone and a can on edges that two triangles have in common: both are held by one contact. The
// triangle beside was looked at anew for every 1e-10 m, 355,000 times.
TEST(Terrain, EdgesThatTrianglesShareAreHeldOnce) {
  for (const char* shape : {"cone: {radius: 0.09, height: 0.18}}, position: [0.45, -0.45, 0.5], "
                            "orientation: {euler: [0, 40 deg, 0]}",
                            "cylinder: {radius: 0.08, height: 0.15}}, position: [-0.45, -0.45, "
                            "0.5], orientation: {euler: [80 deg, 0, 0]}"}) {
    const Terrain terrain(24, 0, 24);
    const auto run = test::run_text(test::head(1, 60) + R"(
materials: {stone: {density: 2500, friction: 0.5, restitution: 0.2}}
bodies:
  - {name: hills, shape: {mesh: {file: )" +
                                    terrain.path() +
                                    R"(}}, material: stone, motion: fixed}
  - {name: body, material: stone, shape: {)" +
                                    shape + "}\n");
    EXPECT_LT(run.summary.cache_hits, 50000) << shape;
    EXPECT_GT(run.summary.min_gap, 0);
    expect_above_the_hills(run);
  }
}

}  // namespace
}  // namespace abut
