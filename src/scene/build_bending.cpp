// Elastic solids: how far they bend, of what, and how they start.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "flexible/make.h"
#include "scene/builder.h"
#include "scene/read.h"
#include "shape/cubature.h"

namespace abut::scene {
namespace {

/// Triangles that the longest side of a body may be divided into: beyond, a boundary has millions.
constexpr double most_edges_along = 100;

/// A key that stands beside `flexible` or in it.
const Node* find_either(const Node& body, std::string_view key, Builder& builder) {
  const Node* flexible = body.find("flexible");
  const Node* inner = flexible == nullptr ? nullptr : flexible->find(key);
  const Node* outer = body.find(key);
  if (inner != nullptr && outer != nullptr)
    builder.problems.error(inner->mark,
                           fmt::format("{} is given twice, here and for the body; keep one", key));
  return outer != nullptr ? outer : inner;
}

/// The keys that mean something only where the body is flexible.
void refuse_without_flexible(const Node& node, Builder& builder) {
  for (const char* key : {"boundary", "deformation", "deformation_rate"})
    if (const Node* given = node.find(key))
      builder.problems.error(
          given->mark,
          fmt::format("{} is given, but the body is rigid; remove it, or add `flexible`", key));
}

/// What cannot bend: bodies that do not move freely, and shapes without exact integrals.
bool may_bend(const Node& node, const Node& flexible, const model::Body& body, Builder& builder) {
  const std::size_t errors = builder.problems.error_count();
  if (!body.is_dynamic())
    builder.problems.error(
        flexible.mark,
        fmt::format("flexible is given, but the body {}; remove it, or make the motion dynamic",
                    body.script() != nullptr ? "follows a script" : "is fixed"));
  for (const shape::Part& part : body.parts) {
    if (shape::has_cubature(part.geometry)) continue;
    const bool rounded = std::holds_alternative<shape::Convex>(part.geometry);
    builder.problems.error(
        flexible.mark,
        fmt::format("a body of shape {}{} cannot be flexible; {}", shape::name_of(part.geometry),
                    rounded ? " with rounding" : "",
                    rounded ? "leave the rounding out" : "use a mesh of it, or leave it rigid"));
    break;
  }
  for (const char* key : {"inertia", "com"})
    if (const Node* given = node.find(key))
      builder.problems.error(given->mark,
                             fmt::format("{} is given, but the mass of a flexible body follows "
                                         "from its shape; remove it",
                                         key));
  return builder.problems.error_count() == errors;
}

std::optional<flexible::SolidMaterial> read_solid_material(const Node& flexible, Builder& builder) {
  flexible::SolidMaterial material;
  material.young = read_number_or(flexible, "young", 0);
  material.poisson = read_number_or(flexible, "poisson", 0.3);
  material.damping = read_number_or(flexible, "damping", 0);
  if (material.poisson < 0.5) return material;
  builder.problems.error(flexible.find("poisson")->mark,
                         fmt::format("poisson is {:g}, but must be less than 0.5; at 0.5 the body "
                                     "could not change its volume at all, give 0.49",
                                     material.poisson));
  return std::nullopt;
}

double longest_side(const model::Body& body) {
  return 2 * body.bounding_radius;
}

flexible::BoundaryDetail read_boundary(const Node& node, const model::Body& body,
                                       Builder& builder) {
  flexible::BoundaryDetail detail;
  const Node* boundary = find_either(node, "boundary", builder);
  if (boundary == nullptr || !boundary->valid) return detail;
  const Node* cells = boundary->find("cells");
  const Node* edge = boundary->find("edge");
  if (cells != nullptr && edge != nullptr)
    builder.problems.error(edge->mark, "both `cells` and `edge` are given; keep one");
  if (cells != nullptr) {
    detail.cells.emplace();
    for (std::size_t i = 0; i < 3; ++i)
      (*detail.cells)[i] = static_cast<int>(cells->items[i].number);
    const bool boxes = std::all_of(
        body.parts.begin(), body.parts.end(),
        [](const shape::Part& part) { return std::holds_alternative<shape::Box>(part.geometry); });
    if (!boxes)
      builder.problems.error(cells->mark,
                             "cells divide boxes only; give `edge`, the longest edge of a "
                             "triangle, for other shapes");
  }
  if (edge != nullptr) {
    detail.edge = edge->number;
    const double least = longest_side(body) / most_edges_along;
    if (edge->number < least)
      builder.problems.error(edge->mark, fmt::format("edge is {:g} m, but the body is {:.3g} m "
                                                     "long; give at least {:.2g} m",
                                                     edge->number, longest_side(body), least));
  }
  return detail;
}

/// Three rows of the same length: 3, or 10 for order 2.
std::optional<flexible::Columns> read_rows(const Node& node, std::string_view key, int order,
                                           Builder& builder) {
  if (!node.valid) return std::nullopt;
  const std::size_t width = node.items[0].items.size();
  const bool even = std::all_of(node.items.begin(), node.items.end(),
                                [&](const Node& row) { return row.items.size() == width; });
  if (!even || (width != 3 && (width != 10 || order != 2))) {
    builder.problems.error(node.mark, fmt::format("{} must be 3 rows of 3 numbers each{}", key,
                                                  order == 2 ? ", or 3 rows of 10" : ""));
    return std::nullopt;
  }
  flexible::Columns rows(3, static_cast<Eigen::Index>(width));
  for (Eigen::Index i = 0; i < 3; ++i)
    for (Eigen::Index j = 0; j < rows.cols(); ++j)
      rows(i, j) =
          node.items[static_cast<std::size_t>(i)].items[static_cast<std::size_t>(j)].number;
  return rows;
}

/// Reports one of two keys that say the same.
void refuse_both(const Node& node, const char* key, std::string_view instead, Builder& builder) {
  if (const Node* given = node.find(key))
    builder.problems.error(given->mark, fmt::format("both `{}` and `{}` are given; {} says how the "
                                                    "body is turned as well, remove {}",
                                                    key, instead, instead, key));
}

/// Sets the start of a body that bends.
class Start {
 public:
  Start(const Node& node, model::Body& body, int order, Builder& builder)
      : node_(node), body_(body), bending_(*body.bending), order_(order), builder_(builder) {}

  /// True if the body starts deformed or deforming.
  bool build() {
    bending_.initial.columns = flexible::placed(*bending_.body, body_.pose);
    const Node* f = find_either(node_, "deformation", builder_);
    const Node* rate = find_either(node_, "deformation_rate", builder_);
    if (f != nullptr) deform(*f);
    if (rate != nullptr) {
      set_rates(*rate);
    } else {
      bending_.initial.rates = flexible::rigid_rates(*bending_.body, bending_.initial.columns,
                                                     body_.velocity, body_.angular_velocity);
    }
    return f != nullptr || rate != nullptr;
  }

 private:
  /// Puts F, or all of R, into the columns. The last column is the body's position.
  void deform(const Node& node) {
    refuse_both(node_, "orientation", "deformation", builder_);
    const auto rows = read_rows(node, "deformation", order_, builder_);
    if (!rows) return;
    flexible::Columns& columns = bending_.initial.columns;
    const Eigen::Index last = columns.cols() - 1;
    if (rows->cols() == 3) {
      columns.middleCols(last - 3, 3) = *rows;
    } else {
      const Node* position = node_.find("position");
      const Vec3 given = rows->col(last);
      if (position != nullptr && !given.isZero(0) && given != body_.pose.position)
        builder_.problems.error(position->mark,
                                "position differs from the last column of deformation, which says "
                                "the same; remove one, or make that column 0");
      if (position == nullptr) body_.pose.position = given;
      columns.leftCols(last) = rows->leftCols(last);
      columns.col(last) = body_.pose.position;
    }
    refuse_inverted(node);
  }

  void refuse_inverted(const Node& node) {
    const auto found = flexible::inversion(*bending_.body, bending_.initial.columns);
    if (found.verdict == flexible::Inversion::none) return;
    const Vec3& p = found.point;
    if (found.verdict == flexible::Inversion::undecided) {
      builder_.problems.warning(node.mark,
                                "it cannot be shown that deformation turns no place of the body "
                                "inside out");
      return;
    }
    const double determinant =
        flexible::deformation_at(bending_.body->kind, bending_.initial.columns, p).determinant();
    builder_.problems.error(
        node.mark, fmt::format("deformation turns the body inside out: its determinant is {:g} at "
                               "[{:g}, {:g}, {:g}] of the body frame, but must be positive",
                               determinant, p.x(), p.y(), p.z()));
  }

  void set_rates(const Node& node) {
    refuse_both(node_, "angular_velocity", "deformation_rate", builder_);
    const auto rows = read_rows(node, "deformation_rate", order_, builder_);
    if (!rows) return;
    flexible::Columns& rates = bending_.initial.rates;
    rates = flexible::Columns::Zero(3, bending_.body->columns());
    const Eigen::Index last = rates.cols() - 1;
    if (rows->cols() == 3) {
      rates.middleCols(last - 3, 3) = *rows;
    } else {
      rates = *rows;
      const Node* velocity = node_.find("velocity");
      if (velocity == nullptr) return;
      if (!rows->col(last).isZero(0))
        builder_.problems.error(velocity->mark,
                                "both `velocity` and the last column of deformation_rate say how "
                                "fast the body is; remove one, or make that column 0");
    }
    rates.col(last) += body_.velocity - bending_.body->mass.centre(rates);
  }

  const Node& node_;
  model::Body& body_;
  model::Bending& bending_;
  int order_;
  Builder& builder_;
};

/// What others ask a rigid body for; of one that starts undeformed the scene has said it.
void describe_as_rigid(model::Body& body) {
  const flexible::State& start = body.bending->initial;
  const flexible::BendingBody& shape = *body.bending->body;
  const flexible::RigidFit fit = flexible::rigid_fit(shape, start);
  body.pose.orientation = fit.rotation;
  body.velocity = fit.velocity;
  body.angular_velocity = fit.angular_velocity;
  for (int v = 0; v < shape.boundary.vertex_count(); ++v) {
    const Vec3 place = flexible::combined(shape.boundary.weights(v), start.columns);
    body.bounding_radius = std::max(body.bounding_radius, (place - fit.centre).norm());
  }
}

}  // namespace

void build_flexible(const Node& node, model::Body& body, Builder& builder) {
  const std::size_t errors = builder.problems.error_count();
  const Node* flexible = node.find("flexible");
  if (flexible == nullptr) return refuse_without_flexible(node, builder);
  if (!flexible->valid || !may_bend(node, *flexible, body, builder)) return;
  const int order = static_cast<int>(read_number_or(*flexible, "order", 1));
  const auto material = read_solid_material(*flexible, builder);
  const flexible::BoundaryDetail detail = read_boundary(node, body, builder);
  if (builder.problems.error_count() > errors) return;
  body.bending.emplace();
  body.bending->body = flexible::make_solid(order, body.parts, *material, detail);
  body.bending->material = body.parts.front().material;
  const bool deformed = Start(node, body, order, builder).build();
  if (deformed && builder.problems.error_count() == errors) describe_as_rigid(body);
}

void shift_bending(model::Body& body, const Vec3& offset) {
  if (!body.bends()) return;
  body.bending->initial.columns += offset * body.bending->body->mass.one().transpose();
}

void check_bending_clock(const Node& document, Builder& builder) {
  const Node* solver = document.find("solver");
  const Node* clock = solver == nullptr ? nullptr : solver->valid_at("clock");
  if (clock == nullptr || builder.model.solver.clock != model::Clock::event) return;
  for (const model::Body& body : builder.model.bodies) {
    if (!body.bends()) continue;
    builder.problems.error(clock->mark,
                           fmt::format("clock is `event`, but body {} bends, which is simulated in "
                                       "steps; give `auto` or `step`",
                                       body.name));
    return;
  }
}

}  // namespace abut::scene
