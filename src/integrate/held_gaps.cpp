#include "integrate/held_gaps.h"

#include <algorithm>
#include <map>
#include <optional>

#include "base/limits.h"
#include "contact/gap_proof.h"
#include "integrate/path_signals.h"
#include "integrate/prescribed.h"

namespace abut::integrate {
namespace {

// As a fraction of the contact distance: gaps must stay below this. A contact may be found at a gap
// up to that distance, and the first step brings it to the rest gap.
constexpr double highest_held = 1.2;

// A step is halved so often to find the parts that there is a proof for: to a time in which nothing
// gets far enough to be told.
constexpr int most_halvings = 30;

// Parts that are tried for a contact and a step: a place where nothing is smooth is come to in two
// per halving. What needs many more is not worth its price, and counts as not proven.
constexpr int most_parts = 10 * most_halvings;

using contact::FrameOverStep;
using contact::GapProof;

// A part of a step, within [0, 1] of it, and the frames of bodies over it that were asked for.
struct Part {
  double from = 0, to = 1;
  std::map<BodyIndex, std::optional<FrameOverStep>> frames = {};
};

class GapCheck {
 public:
  GapCheck(Equations& equations, const ode::Piece& piece)
      : equations_(equations),
        piece_(piece),
        set_(equations.constraints()),
        solver_(equations.model().solver),
        is_held_(set_.contact_count(), false) {
    for (const int row : equations.rows().found().basis)
      if (row < set_.contact_count()) is_held_[row] = true;
  }

  // Where a proof is not to be had, or needs normals, the contact is looked at.
  HeldGaps result(const UnprovenPairs& known) {
    std::vector<int> doubtful;
    for (int i = 0; i < set_.contact_count(); ++i)
      if (is_smooth(i) ||
          proof_of(i, whole_, {}, is_held_[i] ? highest(i) : infinity) != GapProof::holds)
        doubtful.push_back(i);
    HeldGaps gaps;
    if (doubtful.empty()) return gaps;
    const std::vector<std::vector<Vec3>> normals = looked_at(doubtful);
    gaps.are_kept = normals.size() == doubtful.size();
    if (!gaps.are_kept) return gaps;
    for (std::size_t k = 0; k < doubtful.size(); ++k) {
      const auto& [a, b] = set_.contacts()[doubtful[k]].bodies;
      const auto before = known.find({a, b});
      if (before != known.end() && before->second <= piece_.begin) continue;
      parts_left_ = most_parts;
      is_too_near_ = false;
      const double until = apart_until(doubtful[k], whole_, normals[k], most_halvings);
      if (until == 1) continue;
      // Between the instants that were looked at: a step that ends before strays less.
      if (is_too_near_ && until > 0) return {.are_kept = false, .unproven = {}};
      gaps.unproven.push_back({{a, b}, time_at(until)});
    }
    return gaps;
  }

 private:
  double lowest() const { return lowest_held_fraction * model::rest_gap(solver_); }
  double highest(int i) const {
    return highest_held * solver_.contact_distance + rise_of(set_.contacts()[i], solver_);
  }
  bool is_smooth(int i) const { return set_.contacts()[i].kind == contact::GapKind::smooth; }

  GapProof proof_of(int i, Part& part, std::span<const Vec3> normals, double highest) {
    const contact::Contact& contact = set_.contacts()[i];
    const FrameOverStep* a = frame_of(contact.bodies[0], part);
    const FrameOverStep* b = frame_of(contact.bodies[1], part);
    if (a == nullptr || b == nullptr) return GapProof::no_way;
    return prove_gap(contact, *a, *b, lowest(), highest, normals);
  }

  // Up to where in a part of the step there is a proof. What no polynomial is near over the part
  // may be near one over its halves, unless there is no proof even for its beginning.
  double apart_until(int i, Part& part, const std::vector<Vec3>& normals, int halvings) {
    if (--parts_left_ < 0) return part.from;
    const GapProof proof = proof_of(i, part, normals, infinity);
    if (proof == GapProof::holds) return part.to;
    if (proof == GapProof::no_way || halvings == 0) return part.from;
    if (!is_apart_at_first(i, part, normals)) {
      is_too_near_ = is_held_[i] && !is_smooth(i);
      return part.from;
    }
    const double middle = 0.5 * (part.from + part.to);
    double until = part.from;
    for (Part half : {Part{part.from, middle}, Part{middle, part.to}}) {
      until = apart_until(i, half, normals_over(i, half), halvings - 1);
      if (until < half.to) break;
    }
    return until;
  }

  bool is_apart_at_first(int i, Part& part, const std::vector<Vec3>& normals) {
    const contact::Contact& contact = set_.contacts()[i];
    const FrameOverStep a = frame_of(contact.bodies[0], part)->at(0);
    const FrameOverStep b = frame_of(contact.bodies[1], part)->at(0);
    const std::vector<Vec3> same(normals.size(), normals.front());
    return prove_gap(contact, a, b, lowest(), infinity, same) == GapProof::holds;
  }

  double time_at(double s) const {
    return s == 1 ? piece_.end : piece_.begin + (piece_.end - piece_.begin) * s;
  }
  double instant_of(const Part& part, int instant) const {
    const double within = double(instant) / (contact::proof_instants - 1);
    return time_at(part.from + (part.to - part.from) * within);
  }

  std::vector<Vec3> normals_over(int i, const Part& part) {
    std::vector<Vec3> normals;
    ode::Vector y;
    for (int instant = 0; instant < contact::proof_instants; ++instant) {
      const double t = instant_of(part, instant);
      piece_.evaluate(t, y);
      normals.push_back(contacts_at(t, y, {i}).front().normal);
    }
    return normals;
  }

  std::vector<contact::ContactNow> contacts_at(double t, const ode::Vector& y,
                                               const std::vector<int>& contacts) {
    const impulse::BodiesNow bodies = equations_.applied().evaluate(t, y).placed();
    std::vector<contact::ContactNow> now;
    now.reserve(contacts.size());
    for (const int contact : contacts) now.push_back(set_.contact_now(contact, bodies));
    return now;
  }

  // The normals of these contacts by instant, or none where one that is held does not keep its gap.
  std::vector<std::vector<Vec3>> looked_at(const std::vector<int>& contacts) {
    std::vector<std::vector<Vec3>> normals(contacts.size());
    ode::Vector y;
    for (int instant = 0; instant < contact::proof_instants; ++instant) {
      const double t = instant_of(whole_, instant);
      piece_.evaluate(t, y);
      const std::vector<contact::ContactNow> now = contacts_at(t, y, contacts);
      for (std::size_t k = 0; k < contacts.size(); ++k) {
        const int i = contacts[k];
        const double gap = now[k].row.value;
        if (is_held_[i] && !(gap > lowest() && gap < highest(i))) return {};
        normals[k].push_back(now[k].normal);
      }
    }
    return normals;
  }

  // Null where a script has no bounds.
  const FrameOverStep* frame_of(BodyIndex body, Part& part) {
    const auto known = part.frames.find(body);
    if (known != part.frames.end()) return known->second ? &*known->second : nullptr;
    std::optional<FrameOverStep>& frame = part.frames[body];
    const std::vector<BodyIndex>& bodies = equations_.island().bodies;
    const auto slot = std::lower_bound(bodies.begin(), bodies.end(), body);
    if (slot != bodies.end() && *slot == body) {
      const math::BernsteinCoefficients<7, 8> rows = math::bernstein_restricted<7, 8>(
          piece_.coefficients.middleRows<7>(body_size * (slot - bodies.begin())), part.from,
          part.to);
      frame = FrameOverStep::moving(rows.topRows<3>(), rows.bottomRows<4>());
    } else if (const motion::ScriptMotion* script = equations_.applied().script(body)) {
      const double length = piece_.end - piece_.begin;
      if (const auto near =
              script->piece(piece_.begin + length * part.from, piece_.begin + length * part.to))
        frame = FrameOverStep::scripted(*near);
    } else {
      frame = FrameOverStep::resting(equations_.applied().support_pose(body, piece_.begin));
    }
    return frame ? &*frame : nullptr;
  }

  Equations& equations_;
  const ode::Piece& piece_;
  const impulse::ConstraintSet& set_;
  const model::SolverSettings& solver_;
  std::vector<bool> is_held_;  // by contact
  int parts_left_ = 0;
  bool is_too_near_ = false;  // where the proof of flat features that are held ended
  Part whole_;
};

}  // namespace

HeldGaps held_gaps(Equations& equations, const ode::Piece& piece, const UnprovenPairs& known) {
  if (equations.constraints().contact_count() == 0) return {};
  return GapCheck(equations, piece).result(known);
}

}  // namespace abut::integrate
