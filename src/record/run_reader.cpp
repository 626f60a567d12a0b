#include "record/run_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <stdexcept>
#include <utility>

#include "abut/diagnostics.h"
#include "base/stop.h"
#include "record/frame_stream.h"
#include "record/hdf5_reading.h"
#include "record/row_table_reading.h"
#include "record/run_layout.h"
#include "record/summary.h"

namespace abut::record {
namespace {

using hdf5::Table;

/// Memory for a block of frames, bytes.
constexpr std::size_t block_bytes = std::size_t{8} * 1024 * 1024;

hdf5::Handle open_file(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw hdf5::Error("there is no such file");
  const auto access = hdf5::owned(H5Pcreate(H5P_FILE_ACCESS), "making file properties");
  // Locks are of no use here, since the writer commits in an order that needs none, and they are
  // refused on some file systems.
  hdf5::check(H5Pset_file_locking(access, false, true), "switching off file locks");
  return hdf5::owned(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), "not a readable HDF5 file");
}

void check_format(hid_t file) {
  if (H5Aexists(file, "format") <= 0 ||
      hdf5::read_text_attribute(file, "format") != layout::format) {
    throw hdf5::Error("an HDF5 file, but not a run of Abut");
  }
  const long version = hdf5::read_integer_attribute(file, "format_version");
  if (version != layout::format_version) {
    throw hdf5::Error(fmt::format("format_version is {}, but this program reads {}", version,
                                  layout::format_version));
  }
}

RunStatus read_status(hid_t file) {
  const std::string name = hdf5::read_text_attribute(file, "status");
  for (const RunStatus status : all_run_statuses) {
    if (to_string(status) == name) return status;
  }
  throw hdf5::Error("status is '" + name + "', which is unknown");
}

/// What lies between the end of the list before, and that of this one; the ends ascend.
struct Stretch {
  std::size_t first, end;

  Stretch(const std::vector<std::uint64_t>& ends, std::size_t i, std::size_t rows)
      : first(i == 0 ? 0 : ends[i - 1]), end(ends[i]) {
    if (first > end || end > rows) throw hdf5::Error("the lists in meshes are damaged");
  }
};

void read_meshes(hid_t file, RunFacts& facts) {
  if (H5Lexists(file, "meshes", H5P_DEFAULT) <= 0) return;
  const Table names(file, "meshes/file"), hashes(file, "meshes/hash");
  const Table vertex_ends(file, "meshes/vertices_end"), face_ends(file, "meshes/faces_end");
  const Table vertices(file, "meshes/vertices"), sizes(file, "meshes/corner_counts");
  const Table corners(file, "meshes/corners");
  vertices.expect_row({3});
  const std::size_t n = names.rows();
  for (const Table* table : {&hashes, &vertex_ends, &face_ends})
    if (table->rows() != n) throw hdf5::Error("the lists in meshes differ in length");
  const auto name = names.texts(0, n);
  facts.mesh_hashes = hashes.texts(0, n);
  const auto vertices_end = vertex_ends.counts(0, n), faces_end = face_ends.counts(0, n);
  std::size_t corner = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Stretch points(vertices_end, i, vertices.rows()), faces(faces_end, i, sizes.rows());
    geometry::PolygonMesh mesh;
    const auto numbers = vertices.numbers(points.first, points.end - points.first);
    for (std::size_t k = 0; k < numbers.size(); k += 3) mesh.vertices.emplace_back(&numbers[k]);
    for (const std::int32_t size : sizes.integers(faces.first, faces.end - faces.first)) {
      if (size < 0 || corner + size > corners.rows())
        throw hdf5::Error("dataset meshes/corner_counts is damaged");
      mesh.faces.emplace_back(corners.integers(corner, size));
      corner += size;
    }
    facts.mesh_files.push_back(
        {name[i], std::make_shared<const geometry::PolygonMesh>(std::move(mesh))});
  }
}

void read_bending(hid_t file, std::vector<RecordedBody>& bodies) {
  if (H5Lexists(file, "bodies/columns", H5P_DEFAULT) <= 0) return;
  const Table columns(file, "bodies/columns"), across(file, "bodies/nodes_across");
  if (columns.rows() != bodies.size() || across.rows() != bodies.size())
    throw hdf5::Error("the lists in bodies differ in length");
  const auto counts = columns.integers(0, bodies.size());
  const auto nodes = across.integers(0, bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (counts[i] < 0 || nodes[i] < 0) throw hdf5::Error("bodies/columns holds a negative number");
    bodies[i].columns = counts[i];
    bodies[i].nodes_across = nodes[i];
  }
}

std::vector<RecordedBody> read_bodies(hid_t file) {
  const Table names(file, "bodies/name"), motions(file, "bodies/motion");
  const Table masses(file, "bodies/mass"), volumes(file, "bodies/volume");
  const Table centres(file, "bodies/centre_of_mass"), inertias(file, "bodies/inertia");
  centres.expect_row({3});
  inertias.expect_row({3, 3});
  const std::size_t n = names.rows();
  for (const Table* table : {&motions, &masses, &volumes, &centres, &inertias}) {
    if (table->rows() != n) throw hdf5::Error("the lists in bodies differ in length");
  }
  const auto name = names.texts(0, n);
  const auto motion = motions.codes(0, n);
  const auto mass = masses.numbers(0, n), volume = volumes.numbers(0, n);
  const auto centre = centres.numbers(0, n), inertia = inertias.numbers(0, n);
  std::vector<RecordedBody> bodies(n);
  for (std::size_t i = 0; i < n; ++i) {
    bodies[i] = {name[i],
                 static_cast<RecordedMotion>(std::min<std::uint8_t>(motion[i], 2)),
                 mass[i],
                 volume[i],
                 Vec3(&centre[3 * i]),
                 Mat3(&inertia[9 * i])};
  }
  read_bending(file, bodies);
  return bodies;
}

std::vector<std::string> read_joint_names(hid_t file) {
  const Table names(file, "joints/name");
  return names.texts(0, names.rows());
}

void take_states(const std::vector<layout::StateRow>& rows, std::size_t bodies, StoredFrame& out) {
  if (rows.empty() && bodies > 0) throw hdf5::Error("a frame tells of no body");
  BodyIndex last = -1;
  for (const layout::StateRow& row : rows) {
    if (row.body <= last || static_cast<std::size_t>(row.body) >= bodies)
      throw hdf5::Error("dataset states/body is damaged");
    last = row.body;
    out.told.push_back(row.body);
    out.states.push_back(row);
  }
}

hdf5::Handle open_run(const std::filesystem::path& path) {
  hdf5::Handle file = open_file(path);
  check_format(file);
  return file;
}

}  // namespace

class RunReader::Implementation {
 public:
  explicit Implementation(const std::filesystem::path& path)
      : file(open_run(path)),
        states(file, layout::state_rows()),
        contacts(file, layout::contact_rows()),
        joints(file, layout::joint_rows()),
        event_rows(file, "events", layout::event_columns()),
        details(file, "events/details") {
    for (const auto& field : layout::energy_fields) {
      energies.emplace_back(file, std::string("energy/") + field.name);
    }
    for (const char* name : layout::bending_arrays)
      if (H5Lexists(file, (std::string("frames/") + name).c_str(), H5P_DEFAULT) > 0)
        bending.emplace_back(file, std::string("frames/") + name);
    frame_lists.emplace_back(file, "frames/time");
    frame_lists.emplace_back(file, "frames/kind");
  }

  /// Turns a failure inside HDF5 into one that names the file.
  template <class Action>
  static auto guarded(const std::filesystem::path& path, Action action) {
    const hdf5::Quiet quiet;
    try {
      return action();
    } catch (const hdf5::Error& error) {
      throw InputError(Location{path.string(), 0, 0}, error.what());
    } catch (const std::bad_alloc&) {
      throw InputError(Location{path.string(), 0, 0}, "too large for the memory, or damaged");
    } catch (const std::length_error&) {
      throw InputError(Location{path.string(), 0, 0}, "damaged: a list has an impossible length");
    }
  }

  static FrameKind frame_kind(std::uint8_t code) {
    return static_cast<FrameKind>(std::min<std::uint8_t>(code, 2));
  }

  std::size_t frame_count(const std::vector<RecordedBody>& recorded) const {
    std::size_t columns = 0;
    for (const RecordedBody& body : recorded) columns += static_cast<std::size_t>(body.columns);
    if (columns > 0 && bending.size() != layout::bending_arrays.size())
      throw hdf5::Error("the columns of bodies that bend are missing");
    std::size_t count = std::min(frame_lists[0].rows(), frame_lists[1].rows());
    for (const Table& table : energies) count = std::min(count, table.rows());
    for (const Table& table : bending) {
      table.expect_row({columns, 3});
      count = std::min(count, table.rows());
    }
    return joints.frame_count(contacts.frame_count(states.frame_count(count)));
  }

  std::size_t event_count() const { return event_rows.count(); }

  std::vector<StoredFrame> frames(const std::vector<RecordedBody>& bodies, std::size_t first,
                                  std::size_t count) const;
  void read_columns(const std::vector<RecordedBody>& bodies, std::size_t first,
                    std::vector<StoredFrame>& frames) const;
  std::vector<Event> events(std::size_t first, std::size_t count) const;

  hdf5::Handle file;
  std::vector<Table> energies, frame_lists, bending;
  RowTableReader<layout::StateRow> states;
  RowTableReader<ContactState> contacts;
  RowTableReader<JointState> joints;
  RowColumnsReader<layout::EventRow> event_rows;
  Table details;
};

void RunReader::Implementation::read_columns(const std::vector<RecordedBody>& bodies,
                                             std::size_t first,
                                             std::vector<StoredFrame>& frames) const {
  for (std::size_t array = 0; array < bending.size(); ++array) {
    const auto values = bending[array].numbers(first, frames.size());
    const double* in = values.data();
    for (StoredFrame& stored : frames) {
      std::vector<flexible::State>& states_of = stored.frame.bending;
      states_of.resize(bodies.size());
      for (std::size_t i = 0; i < bodies.size(); ++i) {
        flexible::Columns& to = array == 0 ? states_of[i].columns : states_of[i].rates;
        to = Eigen::Map<const flexible::Columns>(in, 3, bodies[i].columns);
        in += to.size();
      }
    }
  }
}

std::vector<StoredFrame> RunReader::Implementation::frames(const std::vector<RecordedBody>& bodies,
                                                           std::size_t first,
                                                           std::size_t count) const {
  std::vector<StoredFrame> frames(count);
  read_columns(bodies, first, frames);
  const auto times = frame_lists[0].numbers(first, count);
  const auto kinds = frame_lists[1].codes(first, count);
  const auto states_of = states.frames(first, count);
  auto contacts_of = contacts.frames(first, count);
  auto joints_of = joints.frames(first, count);
  for (std::size_t i = 0; i < count; ++i) {
    Frame& frame = frames[i].frame;
    frame.time = times[i];
    frame.kind = frame_kind(kinds[i]);
    frame.contacts = std::move(contacts_of[i]);
    frame.joints = std::move(joints_of[i]);
    take_states(states_of[i], bodies.size(), frames[i]);
  }
  std::size_t table = 0;
  for (const auto& field : layout::energy_fields) {
    const auto values = energies[table++].numbers(first, count);
    for (std::size_t i = 0; i < count; ++i) frames[i].frame.energy.*field.member = values[i];
  }
  return frames;
}

std::vector<Event> RunReader::Implementation::events(std::size_t first, std::size_t count) const {
  const std::vector<std::string> texts = details.texts(0, details.rows());
  std::vector<Event> events;
  for (layout::EventRow& row : event_rows.rows(first, count)) {
    const auto text = static_cast<std::size_t>(row.detail_index);
    if (text >= texts.size()) throw hdf5::Error("dataset events/detail is damaged");
    row.detail = texts[text];
    events.push_back(std::move(row));
  }
  return events;
}

RunReader::RunReader(const std::filesystem::path& path) : path_(path) {
  Implementation::guarded(path_, [&] {
    implementation_ = std::make_unique<Implementation>(path);
    const hid_t file = implementation_->file;
    facts_.abut_version = hdf5::read_text_attribute(file, "abut_version");
    facts_.status = read_status(file);
    facts_.scene_name = hdf5::read_text(file, "scene/name");
    facts_.scene_text = hdf5::read_text(file, "scene/text");
    facts_.scene_hash = hdf5::read_text(file, "scene/hash");
    read_meshes(file, facts_);
    facts_.bodies = read_bodies(file);
    facts_.joints = read_joint_names(file);
    frame_count_ = implementation_->frame_count(facts_.bodies);
    event_count_ = implementation_->event_count();
  });
}

RunReader::~RunReader() = default;
RunReader::RunReader(RunReader&&) noexcept = default;
RunReader& RunReader::operator=(RunReader&&) noexcept = default;

std::vector<FrameStamp> RunReader::stamps() const {
  return Implementation::guarded(path_, [&] {
    const auto times = implementation_->frame_lists[0].numbers(0, frame_count_);
    const auto kinds = implementation_->frame_lists[1].codes(0, frame_count_);
    const auto states = implementation_->states.counts(frame_count_);
    const auto contacts = implementation_->contacts.counts(frame_count_);
    std::vector<FrameStamp> stamps(frame_count_);
    for (std::size_t i = 0; i < frame_count_; ++i)
      stamps[i] = {times[i], Implementation::frame_kind(kinds[i]), states[i], contacts[i]};
    return stamps;
  });
}

Frame RunReader::frame(std::size_t index) const {
  return std::move(frames(index, 1).front());
}

std::vector<Frame> RunReader::frames(std::size_t first, std::size_t count) const {
  std::vector<Frame> frames;
  FrameStream stream(*this, first);
  while (frames.size() < count) frames.push_back(*stream.next());
  return frames;
}

std::vector<StoredFrame> RunReader::stored(std::size_t first, std::size_t count) const {
  base::stop_if_wished();
  return Implementation::guarded(
      path_, [&] { return implementation_->frames(facts_.bodies, first, count); });
}

std::size_t RunReader::last_whole_frame(std::size_t index) const {
  const auto counts =
      Implementation::guarded(path_, [&] { return implementation_->states.counts(index + 1); });
  while (index > 0 && counts[index] < facts_.bodies.size()) --index;
  return index;
}

std::size_t RunReader::frames_per_block() const {
  // What frames hold varies from one to the next: an average is good enough.
  const std::size_t rows = implementation_->states.row_count() * sizeof(layout::StateRow) +
                           implementation_->contacts.row_count() * sizeof(ContactState) +
                           implementation_->joints.row_count() * sizeof(JointState);
  std::size_t columns = 0;
  for (const RecordedBody& body : facts_.bodies) columns += static_cast<std::size_t>(body.columns);
  const std::size_t frame_bytes = sizeof(StoredFrame) + columns * 6 * sizeof(double) +
                                  rows / std::max<std::size_t>(frame_count_, 1);
  return std::max<std::size_t>(block_bytes / frame_bytes, 1);
}

std::vector<Event> RunReader::events(std::size_t first, std::size_t count) const {
  return Implementation::guarded(path_, [&] { return implementation_->events(first, count); });
}

std::optional<Summary> RunReader::summary() const {
  const std::string json = Implementation::guarded(
      path_, [&] { return hdf5::read_text(implementation_->file, "summary"); });
  if (json.empty()) return std::nullopt;
  return parse_summary(json, path_.string());
}

}  // namespace abut::record
