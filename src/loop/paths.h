#pragma once
// The paths of all dynamic bodies: which island each belongs to now, and what it does at a time.

#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "base/parallel.h"
#include "clock/step_clock.h"
#include "integrate/island_path.h"
#include "loop/contact_event.h"

namespace abut::loop {

/// Paths handled by one task: large enough to pay for the task, small enough to balance.
inline constexpr std::size_t paths_per_task = 64;

/// Every dynamic body is on exactly one path, or is stepped. Paths have numbers; a number that is
/// not in use any more goes to the next path that begins, the lowest first.
class Paths {
 public:
  Paths(const model::Model& model, const integrate::Scripts& scripts);

  /// The bodies go as the model says, from time 0.
  void begin();
  /// The bodies of the contact event go on as its outcome says, on new paths. Returns their
  /// numbers.
  std::vector<int> replace(const ContactEvent& contact_event, const Outcome& outcome);

  /// Bodies that are not on paths may be stepped by this clock.
  void follow(const clock::StepClock& steps) { steps_ = &steps; }
  /// Whole islands leave their paths at t, to be stepped.
  std::vector<clock::Passage> leave(const std::vector<BodyIndex>& bodies, double t);
  /// A body that was stepped goes on by itself from t on. Returns the number of its path.
  int join(const clock::Passage& passage, double t);
  /// Of the joints of these bodies, by joint of the model; zero for those of others.
  std::vector<double> joint_coordinates(const std::vector<BodyIndex>& bodies, double t) const;

  /// Extends all paths to `to`, to events of their own or as far as there is room for, and forgets
  /// what lies before `from`.
  void cover_all(double from, double to, const base::ThreadPool& pool);
  /// Extends some.
  void cover(const std::vector<int>& numbers, double to);
  /// The numbers of paths that ended before `to` for want of room.
  std::vector<int> short_of(double to) const;
  /// The numbers of those that forces make too stiff to be followed.
  std::vector<int> too_stiff() const;
  /// Whether there is no room to extend one of these paths.
  bool is_any_full(const std::vector<int>& numbers) const;
  /// Forgets what lies before `t`, up to which everything must be known.
  void forget_before(double t);

  /// Numbers reach from 0 to size() - 1.
  std::size_t size() const { return paths_.size(); }
  /// Null where the number is not in use.
  integrate::IslandPath* at(std::size_t number) const { return paths_[number].get(); }
  /// How many paths had begun when the present one of this number did, itself included: no two
  /// paths have the same.
  long serial(std::size_t number) const { return serials_[number]; }

  /// Whether it is on a path.
  bool is_moving(BodyIndex body) const { return body != world && number_of_[body] >= 0; }
  /// The path of a dynamic body.
  integrate::IslandPath& of(BodyIndex body) const { return *paths_[number_of_[body]]; }
  /// The numbers of their paths, each once, ascending.
  std::vector<int> numbers_of(const std::vector<BodyIndex>& bodies) const;
  /// All bodies of the islands on some paths, ascending.
  std::vector<BodyIndex> bodies_of(const std::vector<int>& numbers) const;
  /// All that are on paths, ascending.
  std::vector<BodyIndex> bodies() const;
  /// Each once, in the order of their numbers.
  std::vector<integrate::IslandPath*> of(const std::vector<BodyIndex>& bodies) const;

  body::RigidState state_of(BodyIndex body, double t) const { return of(body).state_of(body, t); }
  /// Of the motion frame of any body, or of the world.
  body::RigidMotion motion_of(BodyIndex body, double t) const;

  /// When the first path ends by an event of its own; infinite if none does.
  double next_event_time() const { return events_.empty() ? infinity : events_.begin()->first; }
  /// The numbers of the paths that ended so at t or before, ascending.
  std::vector<int> ended_by(double t) const;
  /// The bodies of paths that a contact or joint ties to a fixed or scripted body.
  std::vector<BodyIndex> tied_to(BodyIndex support) const;
  /// The smallest gap of the springs of contacts, over all of the time up to t, m; infinite without
  /// any. To be asked for times that do not decrease.
  double least_spring_gap(double t);
  /// Pairs of bodies whose contacts were held before t without proof that they kept their gaps.
  std::set<std::pair<BodyIndex, BodyIndex>> unproven(double t) const;
  /// Steps of all paths, those that are gone included.
  ode::StepStatistics statistics() const;

 private:
  void note_event(int number);
  int begin_path(integrate::Island island, const integrate::PathStart& start);
  integrate::Balance retire(const std::vector<BodyIndex>& bodies, double t);

  const model::Model& model_;
  const integrate::Scripts& scripts_;
  const clock::StepClock* steps_ = nullptr;
  std::vector<std::unique_ptr<integrate::IslandPath>> paths_;  // null: not in use
  std::vector<int> unused_;                                    // numbers, descending
  std::vector<long> serials_;                                  // by number
  long begun_ = 0;
  std::vector<double> event_times_;          // by number; `infinity` without an event
  std::set<std::pair<double, int>> events_;  // time and number: the paths that end by an event
  std::vector<int> number_of_;               // by body; -1 for bodies that are on no path
  ode::StepStatistics retired_;
  std::set<std::pair<BodyIndex, BodyIndex>> retired_unproven_;
  double least_spring_gap_ = infinity;  // of paths that are gone, and steps that are forgotten
};

}  // namespace abut::loop
