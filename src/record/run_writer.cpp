#include "record/run_writer.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "record/commit_driver.h"
#include "record/event_table.h"
#include "record/row_array.h"
#include "record/row_table.h"
#include "record/run_facts.h"
#include "record/run_layout.h"
#include "record/summary.h"
#include "record/write_error.h"

namespace abut::record {
namespace {

using Clock = std::chrono::steady_clock;

/// Wall time between flushes: what a killed run may lose, against the cost of a flush: a few ms,
/// and chunks that stay uncompressed. A long run may lose this part of its time (dimensionless).
constexpr auto flush_interval = std::chrono::seconds(1);
constexpr double flush_part = 0.1;

/// Unwritten bytes that force a flush, so that fast runs do not fill the memory.
constexpr std::size_t flush_bytes = std::size_t{64} * 1024 * 1024;

hdf5::Handle create_file(CommitFile& file) {
  const auto creation = hdf5::owned(H5Pcreate(H5P_FILE_CREATE), "making file properties");
  // No reuse of freed space, see commit_file.h.
  hdf5::check(H5Pset_file_space_strategy(creation, H5F_FSPACE_STRATEGY_NONE, false, 1),
              "choosing the space strategy");
  set_group_layout(creation);
  const auto access = access_through(file);
  return hdf5::owned(H5Fcreate(file.path().c_str(), H5F_ACC_TRUNC, creation, access),
                     "creating the file");
}

}  // namespace

/// The open file. The order of the members is the reverse of the order of closing.
class RunWriter::Implementation {
 public:
  explicit Implementation(const std::filesystem::path& path)
      : storage_(path), file_(create_file(storage_)) {}

  void begin(const model::Model& model);
  void frame(const Frame& frame);
  void event(const Event& event) { events_->append(event); }
  void end(const Summary& summary);
  void flush();

 private:
  void create_frames(const model::Model& model);
  void append_states(const Frame& frame);
  void append_bending(const Frame& frame);

  CommitFile storage_;
  hdf5::Handle file_;
  std::string scene_name_;
  std::vector<RowArray> energies_;
  std::vector<RowArray>
      bending_;  ///< in the order of layout::bending_arrays; none if nothing bends
  std::unique_ptr<RowArray> kinds_;
  std::unique_ptr<RowArray> times_;
  std::unique_ptr<RowTable<layout::StateRow>> states_;
  std::unique_ptr<RowTable<ContactState>> contacts_;
  std::unique_ptr<RowTable<JointState>> joints_;
  std::unique_ptr<EventTable> events_;
  const Clock::time_point begun_ = Clock::now();
  Clock::time_point last_flush_;
  bool flushed_a_frame_ = false;
};

void RunWriter::Implementation::begin(const model::Model& model) {
  scene_name_ = model.name;
  write_facts(file_, model);
  create_frames(model);
  events_ = std::make_unique<EventTable>(create_group(file_, "events"));
  flush();
}

void RunWriter::Implementation::create_frames(const model::Model& model) {
  const auto frames = create_group(file_, "frames");
  std::size_t columns = 0;
  for (const model::Body& body : model.bodies)
    if (body.bends()) columns += static_cast<std::size_t>(body.bending->body->columns());
  for (const char* name : layout::bending_arrays) {
    if (columns == 0) break;
    const std::size_t per_chunk = std::max<std::size_t>(layout::rows_per_chunk / columns, 1);
    bending_.emplace_back(
        frames, name, H5T_IEEE_F64LE,
        RowArray::Shape{per_chunk, std::min(columns, layout::rows_per_chunk), {columns, 3}});
  }
  const RowArray::Shape list{layout::rows_per_chunk, 1, {}};
  kinds_ = std::make_unique<RowArray>(frames, "kind", layout::frame_kind_type(), list);
  times_ = std::make_unique<RowArray>(frames, "time", H5T_IEEE_F64LE, list);
  const auto energy = create_group(file_, "energy");
  for (const auto& field : layout::energy_fields) {
    energies_.emplace_back(energy, field.name, H5T_IEEE_F64LE, list);
  }
  states_ = std::make_unique<RowTable<layout::StateRow>>(file_, frames, layout::state_rows());
  contacts_ = std::make_unique<RowTable<ContactState>>(file_, frames, layout::contact_rows());
  joints_ = std::make_unique<RowTable<JointState>>(file_, frames, layout::joint_rows());
}

/// The columns of all bodies that bend, one after the other, and their rates.
void RunWriter::Implementation::append_bending(const Frame& frame) {
  std::vector<double> row;
  for (std::size_t array = 0; array < bending_.size(); ++array) {
    row.clear();
    for (const flexible::State& state : frame.bending) {
      const flexible::Columns& columns = array == 0 ? state.columns : state.rates;
      row.insert(row.end(), columns.data(), columns.data() + columns.size());
    }
    bending_[array].append(row.data());
  }
}

void RunWriter::Implementation::append_states(const Frame& frame) {
  layout::StateRow row;
  for (std::size_t i = 0; i < frame.told_count(); ++i) {
    static_cast<BodyState&>(row) = frame.bodies[frame.told(i)];
    row.body = static_cast<BodyIndex>(frame.told(i));
    states_->append_row(row);
  }
  states_->end_frame();
}

void RunWriter::Implementation::frame(const Frame& frame) {
  append_states(frame);
  append_bending(frame);
  std::size_t array = 0;
  for (const auto& field : layout::energy_fields) {
    energies_[array++].append(&(frame.energy.*field.member));
  }
  contacts_->append_frame(frame.contacts);
  joints_->append_frame(frame.joints);
  const auto kind = static_cast<std::uint8_t>(frame.kind);
  kinds_->append(&kind);
  times_->append(&frame.time);

  const Clock::time_point now = Clock::now();
  const bool due =
      !flushed_a_frame_ ||
      now - last_flush_ >=
          std::max<Clock::duration>(flush_interval, std::chrono::duration_cast<Clock::duration>(
                                                        flush_part * (now - begun_))) ||
      storage_.pending_bytes() >= flush_bytes;
  if (due) {
    flushed_a_frame_ = true;
    flush();
  }
}

void RunWriter::Implementation::flush() {
  if (!times_) return;  // the run has not begun
  states_->flush();
  for (RowArray& array : energies_) array.flush();
  for (RowArray& array : bending_) array.flush();
  contacts_->flush();
  joints_->flush();
  kinds_->flush();
  times_->flush();
  events_->flush();
  hdf5::check(H5Fflush(file_, H5F_SCOPE_LOCAL), "flushing");
  storage_.commit();
  last_flush_ = Clock::now();
}

void RunWriter::Implementation::end(const Summary& summary) {
  flush();
  write_outcome(file_, summary.status, summary_json(summary, scene_name_));
  flush();
  states_.reset();
  energies_.clear();
  bending_.clear();
  contacts_.reset();
  joints_.reset();
  kinds_.reset();
  times_.reset();
  events_.reset();
  file_.reset();
  storage_.commit();
  storage_.close();
}

// --- The sink: every failure names the file ------------------------------------------------------

RunWriter::RunWriter(const std::filesystem::path& path) : path_(path) {
  guarded([&] { implementation_ = std::make_unique<Implementation>(path); });
}

/// An unfinished run keeps the status `running` and what can still be flushed.
RunWriter::~RunWriter() {
  const hdf5::Quiet quiet;
  if (implementation_ && failure_.empty()) {
    try {
      implementation_->flush();
    } catch (const std::exception&) {
      // Nobody is left to tell; the file stays as the last flush left it.
    }
  }
  implementation_.reset();
}

void RunWriter::begin(const model::Model& model) {
  guarded([&] { implementation_->begin(model); });
}

void RunWriter::frame(const Frame& frame) {
  guarded([&] { implementation_->frame(frame); });
}

void RunWriter::event(const Event& event) {
  guarded([&] { implementation_->event(event); });
}

void RunWriter::flush() {
  guarded([&] { implementation_->flush(); });
}

void RunWriter::end(const Summary& summary) {
  guarded([&] { implementation_->end(summary); });
  implementation_.reset();
}

template <class Action>
void RunWriter::guarded(Action action) {
  if (!failure_.empty()) throw WriteError(path_, failure_);
  const hdf5::Quiet quiet;
  try {
    action();
  } catch (const WriteError& error) {
    failure_ = error.reason();
    throw;
  } catch (const hdf5::Error& error) {
    failure_ = error.what();
    throw WriteError(path_, failure_);
  }
}

}  // namespace abut::record
