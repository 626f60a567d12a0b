#include "verify/summary_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "model/promises.h"
#include "record/state_hash.h"

namespace abut::verify {
namespace {

/// How far numbers of the summary may be from those of the record, relative to the energies they
/// are sums of (dimensionless): the same sums, taken in another order.
constexpr double summing_tolerance = 1e-11;

/// The same of errors, relative to themselves and, as they are rounding themselves, to the energies
/// (dimensionless).
constexpr double error_tolerance = 1e-6;
constexpr double error_rounding = 1e-13;

}  // namespace

SummaryCheck::SummaryCheck(const record::RunReader& run, const model::Model* model)
    : Check("summary"),
      run_(run),
      model_(model),
      audit_(model != nullptr ? record::least_energy(*model) : 0),
      contacts_(record::are_dynamic(run.facts().bodies)),
      smallest_gap_(infinity) {}

void SummaryCheck::frame(const record::Frame& frame) {
  record::add_states(hash_, frame);
  last_time_ = frame.time;
  if (frame.time == 0 && frame.kind != record::FrameKind::after)
    energy_initial_ = frame.energy.mechanical();
  for (const ContactState& contact : frame.contacts)
    smallest_gap_ = std::min(smallest_gap_, contact.gap);
  contacts_.take(frame);
  if (!record::books_are_open(frame)) return;
  audit_.add(frame.energy, model_ != nullptr ? record::load_of(*model_, frame) : record::Load{});
  if (frame.is_whole() || frame.kind == record::FrameKind::after)
    contacts_max_ = std::max(contacts_max_, static_cast<long>(contacts_.count()));
}

void SummaryCheck::finish() {
  const record::RunFacts& facts = run_.facts();
  const std::optional<Summary> summary = run_.summary();
  if (!summary) {
    // A run that was killed has none; what it recorded is judged all the same.
    expect(facts.status == RunStatus::running, "the run came to its end, but has no summary");
    return;
  }
  expect(summary->status == facts.status,
         fmt::format("the run is {}, but its summary says {}", to_string(facts.status),
                     to_string(summary->status)));
  count_events();
  compare_states(*summary);
  compare_counts(*summary);
  compare_energies(*summary);
  compare_gap(*summary);
  if (summary->pairs_unproven > 0)
    could_not_check("gaps between frames of pairs in contact, of which the run has no proof",
                    summary->pairs_unproven);
  if (model_ != nullptr) check_promises(*summary);
}

void SummaryCheck::count_events() {
  EventCursor events(run_);
  double last = -1;
  while (events.peek() != nullptr) {
    const Event event = events.take();
    has_contact_ = has_contact_ || event.kind == EventKind::touch ||
                   event.kind == EventKind::impact || event.kind == EventKind::support;
    if (event.kind != EventKind::impact) continue;
    ++impact_events_;
    if (event.detail.find("passes an impulse on") != std::string::npos || event.time == last)
      continue;
    ++instants_of_impact_;
    last = event.time;
  }
}

void SummaryCheck::compare_states(const Summary& s) {
  expect(s.state_hash == hash_.hex(),
         fmt::format("the states have fingerprint {}, but the summary says {}", hash_.hex(),
                     s.state_hash));
  // A run that fails does not record the state it fails in.
  const bool ended = s.status == RunStatus::complete || s.status == RunStatus::suspect;
  expect(s.duration == last_time_ || (!ended && s.duration >= last_time_),
         fmt::format("the record ends at {} s, but the summary at {} s", last_time_, s.duration));
  if (model_ != nullptr && ended)
    expect(last_time_ == model_->duration,
           fmt::format("the run is {}, but ends at {} s of {} s", to_string(s.status), last_time_,
                       model_->duration));
}

void SummaryCheck::compare_counts(const Summary& s) {
  const auto count = static_cast<long>(run_.event_count());
  expect(s.events == count,
         fmt::format("{} events are recorded, but the summary says {}", count, s.events));
  expect(s.contacts_max == contacts_max_,
         fmt::format("there are up to {} contacts, but the summary says {}", contacts_max_,
                     s.contacts_max));
  expect(s.impacts >= instants_of_impact_ && s.impacts <= impact_events_,
         fmt::format("{} impacts at {} instants are recorded, but the summary says {}",
                     impact_events_, instants_of_impact_, s.impacts));
}

void SummaryCheck::compare(const char* what, double told, double found, double scale) {
  expect(
      std::abs(told - found) <= summing_tolerance * scale,
      fmt::format("{} is {:.9g} J in the record, but {:.9g} J in the summary", what, found, told));
}

void SummaryCheck::compare_energies(const Summary& s) {
  const Energy& last = audit_.last();
  const double scale = audit_.scale() + std::abs(energy_initial_);
  compare("the energy at the start", s.energy_initial, energy_initial_, scale);
  compare("the energy at the end", s.energy_final, last.mechanical(), scale);
  compare("what was dissipated",
          s.dissipated_by_impacts + s.dissipated_by_friction + s.dissipated_by_damping,
          last.dissipated, scale);
  compare("the work", s.work, last.work, scale);
  if (model_ == nullptr) return;
  const double error = audit_.relative_error();
  expect(std::abs(s.energy_error - error) <= error_tolerance * error + error_rounding,
         fmt::format("the energy error is {:.3g} in the record, but {:.3g} in the summary", error,
                     s.energy_error));
}

void SummaryCheck::compare_gap(const Summary& s) {
  if (std::isnan(s.min_gap)) return;
  expect(s.min_gap <= smallest_gap_,
         fmt::format("a contact has gap {:.3g} m, but the summary's smallest is {:.3g} m",
                     smallest_gap_, s.min_gap));
  expect(s.max_penetration == std::max(0.0, -s.min_gap),
         fmt::format("the summary's deepest overlap is {:.3g} m, but its smallest gap {:.3g} m",
                     s.max_penetration, s.min_gap));
  // Contacts that are stepped are kept at larger gaps.
  if (model_ != nullptr && has_contact_ && !(s.stepped_fraction > 0))
    expect(s.min_gap <= model_->solver.contact_distance,
           fmt::format("bodies touched, but the summary's smallest gap is {:.3g} m", s.min_gap));
}

/// A run that is complete kept what its settings promise.
void SummaryCheck::check_promises(const Summary& s) {
  if (s.status != RunStatus::complete) return;
  const bool stepped = s.stepped_fraction > 0;
  const double energy = model::promised_energy(model_->solver, stepped, audit_.relative_motion());
  expect(std::max(s.energy_error, audit_.relative_return()) <= energy &&
             s.momentum_error <= model::promised_balance(model_->solver, stepped) &&
             s.lcp_residual_max <= model::promised_residual && s.unresolved == 0,
         "the run is complete, but its summary holds errors that make it suspect");
  const bool may_overlap = model_->solver.contact == model::ContactModel::penalty;
  expect(may_overlap || !(s.min_gap < 0), "the run is complete, but bodies overlapped");
}

std::string SummaryCheck::measured() const {
  return fmt::format("fingerprint {}, {} events, energy error {:.2g} (relative)", hash_.hex(),
                     run_.event_count(), audit_.relative_error());
}

}  // namespace abut::verify
