#include "support/random_hulls.h"

#include <cmath>

#include "support/dense.h"

namespace abut::test {

double uniform(Random& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

Vec3 random_direction(Random& random) {
  std::normal_distribution<double> normal;
  return Vec3(normal(random), normal(random), normal(random)).normalized();
}

Quat random_rotation(Random& random) {
  std::normal_distribution<double> normal;
  return Quat(normal(random), normal(random), normal(random), normal(random)).normalized();
}

geometry::PolygonMesh round_hull(Random& random, int points, const Vec3& radii) {
  std::vector<Vec3> cloud;
  for (int i = 0; i < points; ++i) cloud.push_back(radii.cwiseProduct(random_direction(random)));
  return geometry::convex_hull(cloud);
}

geometry::PolygonMesh prism_hull(int sides, double height) {
  std::vector<Vec3> cloud;
  for (int i = 0; i < sides; ++i) {
    const double angle = 2 * M_PI * i / sides;
    for (const double z : {-height / 2, height / 2}) {
      cloud.emplace_back(std::cos(angle), std::sin(angle), z);
    }
  }
  return geometry::convex_hull(cloud);
}

std::vector<geometry::PolygonMesh> hull_pool(Random& random, int count) {
  std::vector<geometry::PolygonMesh> pool;
  while (static_cast<int>(pool.size()) < count) {
    const int points = static_cast<int>(std::exp(uniform(random, std::log(4.0), std::log(201.0))));
    Vec3 radii = Vec3::Ones();
    if (pool.size() % 3 == 1) radii = Vec3(1, uniform(random, 0.05, 1), uniform(random, 0.01, 1));
    if (pool.size() % 4 == 3) {
      pool.push_back(prism_hull(3 + points / 3, uniform(random, 0.05, 2)));
    } else {
      pool.push_back(round_hull(random, points, radii));
    }
  }
  return pool;
}

geometry::PolygonMesh scaled(geometry::PolygonMesh mesh, double factor) {
  for (Vec3& v : mesh.vertices) v *= factor;
  return mesh;
}

geometry::RelativePose face_to_face(const geometry::ConvexPolyhedron& a,
                                    const geometry::ConvexPolyhedron& b, int f, int g, double gap,
                                    const Quat& twist) {
  const auto middle = [](const geometry::ConvexPolyhedron& p, int face) {
    Vec3 sum = Vec3::Zero();
    int count = 0;
    int h = p.faces()[face].first;
    do {
      sum += p.vertices()[p.half_edges()[h].origin];
      ++count;
      h = p.half_edges()[h].next;
    } while (h != p.faces()[face].first);
    return Vec3(sum / count);
  };
  const Vec3& n = b.faces()[g].normal;
  const Quat turn = turn_between(a.faces()[f].normal, -n);
  geometry::RelativePose pose;
  pose.rotation = (twist * turn).normalized().toRotationMatrix();
  pose.translation = middle(b, g) + gap * n - pose.rotation * middle(a, f);
  return pose;
}

PlacedPair random_pair(Random& random, const std::vector<geometry::PolygonMesh>& pool) {
  const auto pick = [&](double size) {
    const auto& mesh = pool[random() % pool.size()];
    return geometry::ConvexPolyhedron::from_hull(scaled(mesh, size));
  };
  const auto size = [&] { return std::pow(10, uniform(random, -3, 3)); };
  const double size_b = size();
  const double size_a = random() % 2 == 0 ? size() : size_b * uniform(random, 0.3, 3);
  PlacedPair pair{pick(size_a), pick(size_b), {}, ""};
  pair.a_in_b.rotation = random_rotation(random).toRotationMatrix();
  const double reach = pair.a.radius() + pair.b.radius();
  const int f = static_cast<int>(random() % pair.a.face_count());
  const int g = static_cast<int>(random() % pair.b.face_count());
  const Vec3 n = pair.b.faces()[g].normal;
  switch (random() % 6) {
    case 0:
      pair.kind = "apart";
      pair.a_in_b.translation = reach * uniform(random, 1, 3) * random_direction(random);
      break;
    case 1:
      pair.kind = "near";
      pair.a_in_b.translation = reach * uniform(random, 0.3, 1) * random_direction(random);
      break;
    case 2: {
      pair.kind = "touching";
      const Vec3 down = -(pair.a_in_b.rotation.transpose() * n);
      const Vec3 lowest = pair.a_in_b.rotation * pair.a.vertices()[pair.a.support(down)];
      const int h = pair.b.faces()[g].first;
      const Vec3 p = pair.b.vertices()[pair.b.half_edges()[h].origin];
      const Vec3 q = pair.b.vertices()[pair.b.half_edges()[h ^ 1].origin];
      pair.a_in_b.translation = p + uniform(random, 0, 1) * (q - p) - lowest;
      break;
    }
    case 3: {
      pair.kind = "parallel";
      const double gap = random() % 3 == 0 ? 0 : reach * std::pow(10, uniform(random, -14, 0));
      const Quat spin(Eigen::Quaterniond(Eigen::AngleAxisd(uniform(random, 0, 6), n)));
      pair.a_in_b = face_to_face(pair.a, pair.b, f, g, gap, spin);
      break;
    }
    case 4: {
      pair.kind = "nearly parallel";
      const double gap = reach * std::pow(10, uniform(random, -12, -1));
      const double angle = std::pow(10, uniform(random, -15, -2));
      const Vec3 axis = random_direction(random);
      const Quat tilt(Eigen::Quaterniond(Eigen::AngleAxisd(angle, axis)));
      pair.a_in_b = face_to_face(pair.a, pair.b, f, g, gap, tilt);
      break;
    }
    default:
      pair.kind = "nested";
      pair.a_in_b.translation = 0.1 * reach * uniform(random, 0, 1) * random_direction(random);
  }
  return pair;
}

}  // namespace abut::test
