#pragma once
// The names and shapes inside a run file, shared by its writer and its reader. What they mean to
// users is in docs/guide/run-file.md. Included by .cpp files only.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "abut/types.h"
#include "record/frame.h"
#include "record/hdf5_handles.h"

namespace abut::record::layout {

inline constexpr const char* format = "abut-run";
inline constexpr int format_version = 1;

/// A quantity of BodyState, stored as [frame, body, component].
struct StateField {
  const char* name;
  std::size_t components;
  /// Copies the quantity out of a state and into one.
  void (*get)(const BodyState& state, double* out);
  void (*set)(BodyState& state, const double* in);
};
std::span<const StateField> state_fields();

/// A quantity of Energy, stored as [frame].
struct EnergyField {
  const char* name;
  double Energy::*member;
};
inline constexpr std::array<EnergyField, 5> energy_fields{{{"kinetic", &Energy::kinetic},
                                                           {"potential", &Energy::potential},
                                                           {"elastic", &Energy::elastic},
                                                           {"dissipated", &Energy::dissipated},
                                                           {"work", &Energy::work}}};

/// One-byte enumerations with the names that files use.
hdf5::Handle frame_kind_type();
hdf5::Handle event_kind_type();
hdf5::Handle motion_type();

/// The status of a run is a text of fixed size, so that it is replaced in place.
inline constexpr std::size_t status_size = 16;
/// How [frame, body, component] is cut into chunks: many frames of few bodies or few frames of
/// many, so that reading one body's history and one frame's bodies both stay cheap.
struct ChunkShape {
  std::size_t frames;
  std::size_t bodies;
};
ChunkShape chunk_shape(std::size_t bodies, std::size_t bytes_per_body);

/// Events per chunk: chunks of events are not compressed, and most runs have few events.
inline constexpr std::size_t events_per_chunk = 256;

}  // namespace abut::record::layout
