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
inline constexpr int format_version = 3;

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

/// Columns of bodies that bend and their rates, stored as [frame, column, component]: those of the
/// first body, then those of the next one.
inline constexpr std::array<const char*, 2> bending_arrays{"columns", "rates"};

/// One-byte enumerations with the names that files use.
hdf5::Handle frame_kind_type();
hdf5::Handle event_kind_type();
hdf5::Handle motion_type();
hdf5::Handle contact_mode_type();
hdf5::Handle joint_kind_type();
hdf5::Handle yes_or_no_type();

/// A quantity of a struct of which a frame has any number, stored as [row] or [row, component].
/// The bytes that `get` and `set` handle are elements of type() in memory.
template <class Row>
struct Column {
  const char* name;
  hdf5::Handle (*type)();
  std::size_t components;  ///< 1: a plain list
  void (*get)(const Row& row, std::byte* out);
  void (*set)(Row& row, const std::byte* in);
};

/// Where the rows of all frames are, one frame after the other, and what they consist of. The
/// dataset /frames/`ends` says for each frame how many rows there are up to its end.
template <class Row>
struct RowLayout {
  const char* group;
  const char* ends;
  std::span<const Column<Row>> columns;
};
/// What a frame tells of a body.
struct StateRow : BodyState {
  BodyIndex body = 0;
};
/// An event; its detail is a place in the list of all details.
struct EventRow : Event {
  std::int32_t detail_index = 0;
};
std::span<const Column<EventRow>> event_columns();

RowLayout<StateRow> state_rows();
RowLayout<ContactState> contact_rows();
RowLayout<JointState> joint_rows();

/// The status of a run is a text of fixed size, so that it is replaced in place.
inline constexpr std::size_t status_size = 16;
/// Frames, states, contacts, joints or events per chunk: enough that the cost per chunk vanishes
/// and that most of what repeats does so within a chunk, few enough that compressing the last one
/// again for every flush, and losing its place, does not matter.
inline constexpr std::size_t rows_per_chunk = 1024;

}  // namespace abut::record::layout
