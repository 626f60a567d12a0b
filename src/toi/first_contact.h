#pragma once
// The first instant at which two moving bodies touch, and a bound on their gap before it.
//
// Conservative advancement: at time t the narrow phase gives a separating direction, which is
// turned into an interval that is certainly free (free_interval.h); that is repeated from its end.
// When the gap is about to close, the instant is found as a root (root_finder.h) and accepted if
// the interval up to it is certified; otherwise advancement goes on. A touch is reported at a small
// positive gap, so that the bodies are disjoint there. A query never ends undecided: it always has
// a time up to which the motion is proven free.

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "base/limits.h"
#include "motion/path.h"
#include "narrow/body_shape.h"
#include "narrow/pair.h"
#include "toi/close_watch.h"
#include "toi/core.h"
#include "toi/free_interval.h"
#include "toi/gap_planes.h"
#include "toi/held_plane.h"
#include "toi/root_finder.h"
#include "toi/seen_gap.h"
#include "toi/standing_plane.h"

namespace abut::toi {

struct SearchSettings {
  /// A gap in this band counts as the touch, m. Small against every size, large against rounding.
  GapBand touch{0.5e-10, 1e-10};
  /// The same for parts that are no farther apart than this when the search begins, m.
  GapBand leaving{0.25e-10, 0.5e-10};
  RootMethod method = RootMethod::quadratic;
  /// Parts that a remembered gap proves apart, by this part of it (dimensionless) and beyond a
  /// touch, are not looked at: the bound of the gap is so much less exact. 1: all are.
  double remembered_fraction = 1;
  /// A bound of the gap this large need not be sharper, m.
  double enough = infinity;
  /// For whoever proves steps: the plane that proved the step before is asked first
  /// (standing_plane.h), and planes of faces beside the edges and corners that are nearest are
  /// tried, too, for parts that part from less than a touch. The instants of touches would change
  /// in their last digits, on which rows of dominoes that are followed from event to event depend.
  bool proves_steps = false;
  /// More certified intervals than any search of two parts should need. One that takes more ends
  /// there as if the parts touched, which is safe: whoever asks looks again from there on.
  long advance_limit = 100000;
};

struct Touch {
  double time = 0;
  narrow::Separation separation;
};

struct SearchStatistics {
  long advances = 0;  ///< certified intervals
  long root_iterations = 0;
  long unresolved = 0;  ///< enclosures of unsupported shapes that met
  long limits_met = 0;  ///< searches that ended at the limit of advances
  long remembered = 0;  ///< pairs of parts that a remembered gap kept from being looked at
  long standing = 0;    ///< the same by a remembered plane
};

struct SearchResult {
  std::optional<Touch> touch;
  double free_until = 0;  ///< certainly no touch before
  double gap_bound = 0;   ///< certainly no smaller gap up to free_until, m
};

/// Two parts, or cells of meshes, that touch already: any of these planes keeps the rest of them
/// apart; or, of a bowl or ring, these places touch.
struct PartHold {
  int part_a = 0, part_b = 0;
  std::vector<HeldPlane> planes = {};
  HeldPlaces places = {};
};

/// An interval is certified as far as this fraction of the gap remains: the bound on the smallest
/// gap is then within this factor of the truth, at the price of more steps than going all the way.
inline constexpr double kept_fraction = 0.5;

/// Parts are leaving each other, or about to, up to this multiple of the gap of a touch.
inline constexpr double leaving_multiple = 1.5;

/// Two bodies, with what is remembered about them from query to query.
class FirstContact {
 public:
  /// Shapes of the bodies, where they are at hand, serve all pairs that they are part of.
  FirstContact(const model::Body& a, const model::Body& b, const SearchSettings& settings,
               const std::shared_ptr<const narrow::BodyShape>& shape_a = nullptr,
               const std::shared_ptr<const narrow::BodyShape>& shape_b = nullptr);
  FirstContact(FirstContact&&) noexcept;
  ~FirstContact();

  /// Changes which gap counts as a touch.
  void set_touch(const GapBand& band) { settings_.touch = band; }

  /// Says which parts touch from now on. Of these only what does not touch yet is searched for.
  void hold(const std::vector<PartHold>& holds);

  /// Looks at [from, to], over which both paths must be defined.
  SearchResult search(const motion::BodyPath& a, const motion::BodyPath& b, double from, double to);

  /// The separation at one instant, of the nearest parts that are supported.
  std::optional<narrow::Separation> separation(const Pose& motion_a, const Pose& motion_b);

  /// False if a part is only enclosed (see Core): then a meeting of enclosures cannot be resolved.
  bool supported() const { return supported_; }

  const SearchStatistics& statistics() const { return statistics_; }
  narrow::PairStatistics pair_statistics() const;

 private:
  /// Edges that cross, with the plane that they span.
  struct StandingEdges {
    geometry::Feature a, b;
    Vec3 normal, point;  ///< from b to a, and of b, both in the motion frame of b
  };

  struct PartPair {
    int part_a = 0, part_b = 0;
    std::optional<Core> core_a, core_b;  // nothing: a plane
    const shape::Plane* plane_a = nullptr;
    const shape::Plane* plane_b = nullptr;
    std::optional<narrow::PairQuery> query;  // nothing: only enclosed
    std::unique_ptr<CloseWatch> watch;       // of a bowl or ring
    std::vector<HeldPlane> held;             // nothing: the parts do not touch
    std::optional<Quat> held_at;             // attitude of b in a since the planes are held
    HeldPlaces places;                       // instead of planes, where there is a watch
    std::optional<SeenGap> seen;
    // Either of these proved the last step.
    std::optional<StandingPlane> standing;
    std::optional<StandingEdges> crossing;
    std::array<Ball, 2> balls;  // around the parts, in the motion frames

    bool is_held() const { return !held.empty() || places.any; }
  };

  /// The pairs of cells of meshes that are near each other, made when they are.
  struct CellPairs;

  /// What other pairs of parts leave to be found: nothing at a larger gap.
  struct Rivals {
    double gap = 0;
    std::array<Outlook, 2> outlooks;
  };

  SearchResult search(PartPair& pair, const motion::BodyPath& a, const motion::BodyPath& b,
                      double from, double to, const Rivals& rivals);
  std::optional<SearchResult> by_standing_plane(PartPair& pair, const motion::BodyPath& a,
                                                const motion::BodyPath& b, double from, double to);
  std::optional<SearchResult> by_crossing_edges(PartPair& pair, const motion::BodyPath& a,
                                                const motion::BodyPath& b, double from, double to);
  FreeInterval between_lines(const PartPair& pair, const motion::BodyPath& a,
                             const motion::BodyPath& b, const narrow::Separation& now, double t,
                             double limit, double clearance) const;
  std::array<GapSide, 2> gap_sides(const PartPair& pair, const motion::BodyPath& a,
                                   const motion::BodyPath& b, double t) const;
  void keep_edges(PartPair& pair, const motion::BodyPath& b, double t,
                  const narrow::Separation& now) const;
  void keep_plane(PartPair& pair, int carrier, const Vec3& normal) const;
  void keep_direction(PartPair& pair, const motion::BodyPath& a, const motion::BodyPath& b,
                      double t, const narrow::Separation& now) const;
  SearchResult search_cells(CellPairs& cells, const motion::BodyPath& a, const motion::BodyPath& b,
                            double from, double to, Rivals rivals);
  SearchResult search_near_cells(CellPairs& cells, const motion::BodyPath& a,
                                 const motion::BodyPath& b, double from, double to, Rivals& rivals);
  static void hold(PartPair& pair, const std::vector<PartHold>& holds);
  double remembered_gap(const PartPair& pair, const Rivals& rivals, double duration) const;
  bool stays_beyond(const PartPair& pair, const Rivals& rivals, double duration) const;
  bool balls_stay_beyond(PartPair& pair, const Rivals& rivals, double duration) const;
  SearchResult search_held(PartPair& pair, const motion::BodyPath& a, const motion::BodyPath& b,
                           double from, double to);
  double valid_until(PartPair& pair, const HeldPlane& plane, const motion::BodyPath& a,
                     const motion::BodyPath& b, double t, double to) const;
  double advanced(PartPair& pair, const motion::BodyPath& a, const motion::BodyPath& b, double t,
                  double to, const std::vector<const GapBand*>& bands, const CloseLook* now);
  narrow::Separation separation(PartPair& pair, const Pose& motion_a, const Pose& motion_b,
                                bool tells_depth = true);
  narrow::Separation enclosure_separation(const PartPair& pair, const Pose& a, const Pose& b) const;
  MovingHalfSpace half_space(const PartPair& pair, const motion::BodyPath* path) const;
  HeldPlane carried_plane(const PartPair& pair) const;
  FreeInterval certify(const PartPair& pair, const motion::BodyPath& a, const motion::BodyPath& b,
                       const Vec3& n, double t, double limit, double clearance) const;
  FreeInterval certify_best(PartPair& pair, const motion::BodyPath& a, const motion::BodyPath& b,
                            const narrow::Separation& now, double t, double limit,
                            double clearance);
  /// What is sharp enough for a bound of this gap.
  double sharp_bound(double fraction, double gap) const {
    return std::min(fraction * gap, settings_.enough);
  }
  const GapBand& band_of(bool leaving) const {
    return leaving ? settings_.leaving : settings_.touch;
  }
  GapSample sample(PartPair& pair, const motion::BodyPath& a, const motion::BodyPath& b, double t,
                   narrow::Separation* found);
  std::optional<Touch> touch_by_root(PartPair& pair, const motion::BodyPath& a,
                                     const motion::BodyPath& b, const GapSample& open,
                                     double free_until, double to, const narrow::Separation& now);

  const model::Body* a_;
  const model::Body* b_;
  SearchSettings settings_;
  std::vector<PartPair> pairs_;
  std::vector<std::unique_ptr<CellPairs>> meshes_;
  std::size_t nearest_ = 0;  // the pair that came nearest in the last search
  bool supported_ = true;
  SearchStatistics statistics_;
};

}  // namespace abut::toi
