#include "record/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "record/frame_stream.h"
#include "record/replaced_file.h"

namespace abut::record {
namespace {

/// Text collected before it is written, bytes.
constexpr std::size_t buffer_bytes = 1 << 20;

/// Events read at a time.
constexpr std::size_t events_per_block = 16384;

/// A table under construction: fields separated by commas, rows ended by newline.
class CsvFile {
 public:
  CsvFile(const std::filesystem::path& path, std::string_view header) : file_(path) {
    buffer_.append(header);
    buffer_.push_back('\n');
  }

  CsvFile& field(std::string_view text) {
    separate();
    buffer_.append(text);
    return *this;
  }
  CsvFile& field(double value) {
    separate();
    fmt::format_to(std::back_inserter(buffer_), "{:.17g}", value);
    return *this;
  }
  CsvFile& field(const Vec3& v) { return field(v.x()).field(v.y()).field(v.z()); }
  CsvFile& field(const Quat& q) { return field(q.w()).field(q.x()).field(q.y()).field(q.z()); }

  void end_row() {
    buffer_.push_back('\n');
    row_started_ = false;
    if (buffer_.size() >= buffer_bytes) write();
  }

  void finish() {
    write();
    file_.finish();
  }

 private:
  void separate() {
    if (row_started_) buffer_.push_back(',');
    row_started_ = true;
  }
  void write() {
    file_.write({buffer_.data(), buffer_.size()});
    buffer_.clear();
  }

  ReplacedFile file_;
  fmt::memory_buffer buffer_;
  bool row_started_ = false;
};

/// Spreadsheets take a text that begins so for a formula, and would carry it out.
constexpr std::string_view formula_marks = "=+-@\t\r";

/// As RFC 4180 asks: a field with a comma, a quote or a line break stands in quotes, and quotes
/// within it are doubled. What could pass for a formula gets an apostrophe in front.
std::string escaped(std::string_view plain) {
  const bool like_formula =
      !plain.empty() && formula_marks.find(plain.front()) != std::string::npos;
  const std::string text = (like_formula ? "'" : "") + std::string(plain);
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + '"';
}

/// The names in a table, ready to be written.
class Names {
 public:
  explicit Names(const RunFacts& facts) {
    for (const RecordedBody& body : facts.bodies) bodies_.push_back(escaped(body.name));
    for (const std::string& joint : facts.joints) joints_.push_back(escaped(joint));
  }

  std::string_view body(BodyIndex index) const { return name_in(bodies_, index, "world"); }
  std::string_view joint(JointIndex index) const { return name_in(joints_, index, ""); }

 private:
  static std::string_view name_in(const std::vector<std::string>& names, int index,
                                  std::string_view other) {
    const bool named = index >= 0 && static_cast<std::size_t>(index) < names.size();
    return named ? std::string_view(names[static_cast<std::size_t>(index)]) : other;
  }

  std::vector<std::string> bodies_, joints_;
};

/// Directions get their zeros from products with zeros, of either sign, and -0 only puzzles
/// readers.
Vec3 without_negative_zero(const Vec3& v) {
  return v + Vec3::Zero();
}

void write_states(const RunReader& run, const Names& names, CsvFile& csv) {
  for_each_frame(run, [&](const Frame& frame) {
    const std::string time = fmt::format("{:.17g}", frame.time);
    for (std::size_t i = 0; i < frame.told_count(); ++i) {
      const BodyState& s = frame.bodies[frame.told(i)];
      csv.field(time)
          .field(names.body(static_cast<BodyIndex>(frame.told(i))))
          .field(s.position)
          .field(s.orientation)
          .field(s.velocity);
      csv.field(s.angular_velocity).field(s.centre_of_mass).field(s.acceleration);
      csv.field(s.angular_acceleration).end_row();
    }
  });
}

/// Of solids that bend: R row by row, then its rate. Bodies of both orders share the table: what an
/// affine body does not have is left empty.
void write_flexible(const RunReader& run, const Names& names, CsvFile& csv) {
  int most = 0;
  for (const RecordedBody& body : run.facts().bodies)
    if (body.nodes_across == 0) most = std::max(most, body.columns);
  for_each_frame(run, [&](const Frame& frame) {
    for (std::size_t i = 0; i < frame.bending.size(); ++i) {
      const RecordedBody& body = run.facts().bodies[i];
      if (body.columns == 0 || body.nodes_across > 0) continue;
      csv.field(frame.time).field(names.body(static_cast<BodyIndex>(i)));
      for (const flexible::Columns* r : {&frame.bending[i].columns, &frame.bending[i].rates})
        for (int row = 0; row < 3; ++row)
          for (int k = 0; k < most; ++k) k < body.columns ? csv.field((*r)(row, k)) : csv.field("");
      csv.end_row();
    }
  });
}

std::string flexible_header(const RunFacts& facts) {
  int most = 0;
  for (const RecordedBody& body : facts.bodies)
    if (body.nodes_across == 0) most = std::max(most, body.columns);
  std::string header = "time,body";
  for (const char* name : {"r", "v"})
    for (int row = 0; row < 3; ++row)
      for (int k = 0; k < most; ++k) header += fmt::format(",{}{}{}", name, row, k);
  return header;
}

void write_nodes(const RunReader& run, const Names& names, CsvFile& csv) {
  for_each_frame(run, [&](const Frame& frame) {
    const std::string time = fmt::format("{:.17g}", frame.time);
    for (std::size_t i = 0; i < frame.bending.size(); ++i) {
      const RecordedBody& body = run.facts().bodies[i];
      if (body.nodes_across == 0) continue;
      for (int k = 0; k < body.columns; ++k) {
        csv.field(time).field(names.body(static_cast<BodyIndex>(i)));
        csv.field(std::to_string(k % body.nodes_across))
            .field(std::to_string(k / body.nodes_across));
        csv.field(Vec3(frame.bending[i].columns.col(k)))
            .field(Vec3(frame.bending[i].rates.col(k)))
            .end_row();
      }
    }
  });
}

/// Calls `visit` with every frame but, at an event, only with the one after it.
template <class Visit>
void for_each_final_frame(const RunReader& run, Visit visit) {
  for_each_frame(run, [&](const Frame& frame) {
    if (frame.kind != FrameKind::before) visit(frame);
  });
}

void write_contacts(const RunReader& run, const Names& names, CsvFile& csv) {
  for_each_final_frame(run, [&](const Frame& frame) {
    for (const ContactState& c : frame.contacts) {
      csv.field(frame.time).field(names.body(c.body_a)).field(names.body(c.body_b));
      csv.field(c.point).field(without_negative_zero(c.normal)).field(c.gap);
      csv.field(c.normal_force).field(without_negative_zero(c.friction_force));
      csv.field(to_string(c.mode)).end_row();
    }
  });
}

void write_joints(const RunReader& run, const Names& names, CsvFile& csv) {
  for_each_final_frame(run, [&](const Frame& frame) {
    for (const JointState& j : frame.joints) {
      csv.field(frame.time).field(names.joint(j.joint));
      csv.field(without_negative_zero(j.force)).field(without_negative_zero(j.torque)).field(j.gap);
      csv.field(j.is_impulse ? "impulse" : "force").end_row();
    }
  });
}

void write_energy(const RunReader& run, CsvFile& csv) {
  for_each_final_frame(run, [&](const Frame& frame) {
    const Energy& e = frame.energy;
    csv.field(frame.time).field(e.kinetic).field(e.potential).field(e.elastic);
    csv.field(e.dissipated).field(e.work).end_row();
  });
}

void write_events(const RunReader& run, const Names& names, CsvFile& csv) {
  for (std::size_t first = 0; first < run.event_count(); first += events_per_block) {
    const std::size_t count = std::min(events_per_block, run.event_count() - first);
    for (const Event& event : run.events(first, count)) {
      csv.field(event.time).field(to_string(event.kind));
      csv.field(names.body(event.body_a)).field(names.body(event.body_b)).field(event.point);
      csv.field(without_negative_zero(event.normal)).field(event.normal_impulse);
      csv.field(escaped(event.detail)).field(without_negative_zero(event.impulse)).end_row();
    }
  }
}

}  // namespace

void export_csv(const RunReader& run, const std::filesystem::path& directory) {
  const Names names(run.facts());
  CsvFile states(directory / "states.csv",
                 "time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,cx,cy,cz,ax,ay,az,bx,by,bz");
  write_states(run, names, states);
  states.finish();
  CsvFile events(directory / "events.csv",
                 "time,kind,body_a,body_b,x,y,z,nx,ny,nz,impulse,detail,jx,jy,jz");
  write_events(run, names, events);
  events.finish();
  CsvFile energy(directory / "energy.csv", "time,kinetic,potential,elastic,dissipated,work");
  write_energy(run, energy);
  energy.finish();
  CsvFile contacts(directory / "contacts.csv",
                   "time,body_a,body_b,x,y,z,nx,ny,nz,gap,fn,ftx,fty,ftz,mode");
  write_contacts(run, names, contacts);
  contacts.finish();
  CsvFile joints(directory / "joints.csv", "time,joint,fx,fy,fz,tx,ty,tz,gap,kind");
  write_joints(run, names, joints);
  joints.finish();
  const auto& bodies = run.facts().bodies;
  if (std::any_of(bodies.begin(), bodies.end(), [](const RecordedBody& body) {
        return body.columns > 0 && body.nodes_across == 0;
      })) {
    CsvFile flexible(directory / "flexible.csv", flexible_header(run.facts()));
    write_flexible(run, names, flexible);
    flexible.finish();
  }
  if (std::any_of(bodies.begin(), bodies.end(),
                  [](const RecordedBody& body) { return body.nodes_across > 0; })) {
    CsvFile nodes(directory / "nodes.csv", "time,body,i,j,x,y,z,vx,vy,vz");
    write_nodes(run, names, nodes);
    nodes.finish();
  }
}

}  // namespace abut::record
