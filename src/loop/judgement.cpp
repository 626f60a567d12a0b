#include "loop/judgement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "model/promises.h"

namespace abut::loop {
namespace {

// Pairs that a message names; more are counted.
constexpr std::size_t most_named = 3;

std::string named(const model::Model& model, const std::set<broad::Pair>& pairs) {
  std::string text;
  std::size_t count = 0;
  for (const auto& [a, b] : pairs) {
    if (count++ == most_named) break;
    text += fmt::format("{}{} and {}", text.empty() ? "" : ", ", model.bodies[a].name,
                        model.bodies[b].name);
  }
  if (pairs.size() > most_named)
    text += fmt::format(", and {} more pairs", pairs.size() - most_named);
  return text;
}

double smallest_radius(const model::Model& model) {
  double radius = std::numeric_limits<double>::infinity();
  for (const model::Body& body : model.bodies)
    if (body.is_dynamic()) radius = std::min(radius, body.bounding_radius);
  return radius;
}

class Judgement {
 public:
  Judgement(const model::Model& model, const record::Summary& summary)
      : model_(model), summary_(summary) {}

  std::string found(const Seen& seen) {
    if (!seen.unresolved.empty())
      note(
          fmt::format("bodies met whose contact could not be computed ({}): they may have "
                      "overlapped",
                      named(model_, seen.unresolved)));
    if (model_.solver.contact == model::ContactModel::constraint && summary_.min_gap < 0)
      note(fmt::format("bodies overlapped by {:.3g} m", -summary_.min_gap));
    judge_rounding();
    const bool stepped = summary_.stepped_fraction > 0;
    const double energy = model::promised_energy(model_.solver, stepped, seen.energy_in_motion);
    compare("energy", summary_.energy_error, energy);
    judge_losses(seen.energy_returned, energy);
    compare("momentum", summary_.momentum_error, model::promised_balance(model_.solver, stepped));
    if (summary_.forced_stops > 0)
      note(
          fmt::format("bodies were stopped {} times because no motion of theirs could be proven "
                      "free of overlap",
                      summary_.forced_stops));
    judge_joints(seen.widest_joint);
    compare("complementarity", summary_.lcp_residual_max, model::promised_residual);
    return text_;
  }

 private:
  void note(const std::string& what) { text_ += (text_.empty() ? "" : "; ") + what; }

  // Written so that what is not a number is not kept either.
  void compare(const char* what, double error, double promised) {
    if (error <= promised) return;
    note(
        fmt::format("the {} error is {:.2g} (relative), more than the {:.2g} that the settings "
                    "promise",
                    what, error, promised));
  }

  // A book that is closed by what is missing in it balances always.
  void judge_losses(double returned, double promised) {
    if (returned <= promised) return;
    note(
        fmt::format("energy that was dissipated came back, {:.2g} (relative), more than the {:.2g} "
                    "that the settings promise",
                    returned, promised));
  }

  // Of gaps as fractions of the size of joints.
  void judge_joints(double widest) {
    const double promised = model::promised_joint_gap(summary_.stepped_fraction > 0);
    if (widest <= promised) return;
    note(
        fmt::format("joints were open by up to {:.2g} of the radius of their bodies, more than the "
                    "{:.2g} that is promised; look for joints that contradict each other",
                    widest, promised));
  }

  // Where bodies touched, gaps smaller than the contact distance had to be told.
  void judge_rounding() {
    const double lost = summary_.position_rounding;
    const bool touched = summary_.contacts_max > 0 || summary_.impacts > 0;
    const bool too_coarse = !(lost <= model::promised_position * smallest_radius(model_));
    if (!too_coarse && !(touched && lost > model_.solver.contact_distance)) return;
    note(
        fmt::format("bodies were so far from the origin that their positions are multiples of "
                    "{:.2g} m; move the scene nearer to the origin{}",
                    lost, too_coarse ? "" : ", or enlarge solver.contact_distance"));
  }

  const model::Model& model_;
  const record::Summary& summary_;
  std::string text_;
};

}  // namespace

std::string broken_promises(const model::Model& model, const record::Summary& summary,
                            const Seen& seen) {
  return Judgement(model, summary).found(seen);
}

}  // namespace abut::loop
