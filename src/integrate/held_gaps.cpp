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

using contact::GapProof;

class GapCheck {
 public:
  GapCheck(ClusterSystem& system, const ode::Piece& piece)
      : system_(system),
        piece_(piece),
        set_(system.constraints()),
        solver_(system.model().solver),
        is_held_(set_.contact_count(), false) {
    for (const int row : system.first_forces().basis)
      if (row < set_.contact_count()) is_held_[row] = true;
  }

  // Where a proof is not to be had, or needs normals, the contact is looked at.
  HeldGaps result() {
    std::vector<int> doubtful;
    for (int i = 0; i < set_.contact_count(); ++i)
      if (is_smooth(i) || proof_of(i, {}) != GapProof::holds) doubtful.push_back(i);
    HeldGaps gaps;
    if (doubtful.empty()) return gaps;
    const std::vector<std::vector<Vec3>> normals = looked_at(doubtful);
    gaps.are_kept = normals.size() == doubtful.size();
    if (!gaps.are_kept) return gaps;
    for (std::size_t k = 0; k < doubtful.size(); ++k) {
      const int i = doubtful[k];
      if (is_smooth(i) && proof_of(i, normals[k]) == GapProof::holds) continue;
      gaps.unproven.emplace_back(set_.contacts()[i].bodies[0], set_.contacts()[i].bodies[1]);
    }
    return gaps;
  }

 private:
  double lowest() const { return lowest_held_fraction * model::rest_gap(solver_); }
  double highest(int i) const {
    return highest_held * solver_.contact_distance + rise_of(set_.contacts()[i], solver_);
  }
  bool is_smooth(int i) const { return set_.contacts()[i].kind == contact::GapKind::smooth; }

  GapProof proof_of(int i, std::span<const Vec3> normals) {
    const contact::Contact& contact = set_.contacts()[i];
    const contact::FrameOverStep* a = frame_of(contact.bodies[0]);
    const contact::FrameOverStep* b = frame_of(contact.bodies[1]);
    if (a == nullptr || b == nullptr) return GapProof::no_way;
    return prove_gap(contact, *a, *b, lowest(), is_held_[i] ? highest(i) : infinity, normals);
  }

  // The normals of these contacts by instant, or none where one that is held does not keep its gap.
  std::vector<std::vector<Vec3>> looked_at(const std::vector<int>& contacts) {
    std::vector<std::vector<Vec3>> normals(contacts.size());
    ode::Vector y;
    for (int instant = 0; instant < contact::proof_instants; ++instant) {
      const double part = double(instant) / (contact::proof_instants - 1);
      const double t = part == 1 ? piece_.end : piece_.begin + (piece_.end - piece_.begin) * part;
      piece_.evaluate(t, y);
      const std::vector<contact::ContactNow> now = system_.contacts_at(t, y, contacts);
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
  const contact::FrameOverStep* frame_of(BodyIndex body) {
    const auto known = frames_.find(body);
    if (known != frames_.end()) return known->second ? &*known->second : nullptr;
    std::optional<contact::FrameOverStep>& frame = frames_[body];
    const std::vector<BodyIndex>& bodies = system_.cluster().bodies;
    const auto slot = std::lower_bound(bodies.begin(), bodies.end(), body);
    if (slot != bodies.end() && *slot == body) {
      const auto rows = piece_.coefficients.middleRows<7>(body_size * (slot - bodies.begin()));
      frame = contact::FrameOverStep::moving(rows.topRows<3>(), rows.bottomRows<4>());
    } else if (const motion::ScriptMotion* script = system_.script(body)) {
      if (const auto near = script->piece(piece_.begin, piece_.end))
        frame = contact::FrameOverStep::scripted(*near);
    } else {
      frame = contact::FrameOverStep::resting(system_.support_pose(body, piece_.begin));
    }
    return frame ? &*frame : nullptr;
  }

  ClusterSystem& system_;
  const ode::Piece& piece_;
  const impulse::ConstraintSet& set_;
  const model::SolverSettings& solver_;
  std::vector<bool> is_held_;  // by contact
  std::map<BodyIndex, std::optional<contact::FrameOverStep>> frames_;
};

}  // namespace

HeldGaps held_gaps(ClusterSystem& system, const ode::Piece& piece) {
  if (system.constraints().contact_count() == 0) return {};
  return GapCheck(system, piece).result();
}

}  // namespace abut::integrate
