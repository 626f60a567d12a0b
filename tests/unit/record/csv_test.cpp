#include "record/csv.h"

#include <fstream>

#include "base/stop.h"
#include "record/run_writer.h"
#include "record/write_error.h"
#include "synthetic_run.h"

namespace {

using abut::record::FrameKind;
using abut::record::RunReader;
using abut::record::RunWriter;

std::vector<std::string> lines_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

std::string first_line(const std::filesystem::path& path) {
  return lines_of(path).at(0);
}

/// Two bodies at one event: a row before, a row after.
void write_example(const std::filesystem::path& path) {
  auto model = synthetic::model_with(2);
  model.bodies[1].name = "says \"hi\", loudly";
  model.joints.resize(1);
  model.joints[0].name = "pivot, upper";
  RunWriter writer(path);
  writer.begin(model);
  abut::record::Frame frame;
  frame.time = 0.1;
  frame.bodies.resize(2);
  frame.bodies[0].position = abut::Vec3(1, 1.0 / 3.0, -0.0);
  frame.bodies[0].angular_acceleration = abut::Vec3(1e-300, 1e300, 5);
  frame.kind = FrameKind::before;
  frame.energy = {1, 2, 3, 4, 5};
  abut::ContactState contact;
  contact.body_a = 1;
  contact.body_b = abut::world;
  contact.point = abut::Vec3(0.1, -0.0, 2);
  contact.normal = abut::Vec3(-0.0, 0, 1);
  contact.gap = 1e-10;
  contact.normal_force = 9.81;
  contact.friction_force = abut::Vec3(0.5, -0.0, 0);
  contact.mode = abut::ContactMode::slide;
  frame.contacts = {contact};
  writer.frame(frame);
  frame.kind = FrameKind::after;
  contact.mode = abut::ContactMode::stick;
  frame.contacts = {contact, contact};
  abut::JointState joint;
  joint.force = abut::Vec3(1, 2, -0.0);
  joint.torque = abut::Vec3(0.1, 0, 0);
  joint.gap = 1e-12;
  joint.is_impulse = true;
  frame.joints = {joint};
  frame.energy.kinetic = 0.1;
  writer.frame(frame);
  abut::Event event;
  event.time = 0.1;
  event.kind = abut::EventKind::break_joint;
  event.body_a = 1;
  event.body_b = abut::world;
  event.normal = abut::Vec3(-0.0, 0, 1);
  event.normal_impulse = 2;
  event.impulse = abut::Vec3(0, 0, 2);
  event.detail = "one,\ntwo";
  writer.event(event);
  abut::record::Summary summary;
  summary.status = abut::record::RunStatus::complete;
  writer.end(summary);
}

// Whoever wants to end is heard, and leaves no table behind that is not whole.
TEST(Csv, StopsWhenItIsTold) {
  const synthetic::TemporaryDirectory directory;
  write_example(directory.path() / "run.h5");
  const RunReader run(directory.path() / "run.h5");
  int asked = 0;
  {
    const abut::base::StopWish wish = [&] { return ++asked > 1; };
    const abut::base::StopScope scope(&wish);
    EXPECT_THROW(abut::record::export_csv(run, directory.path()), abut::base::Stopped);
  }
  EXPECT_GT(asked, 1);
  EXPECT_FALSE(std::filesystem::exists(directory.path() / "states.csv"));
  abut::record::export_csv(run, directory.path());
  EXPECT_TRUE(std::filesystem::exists(directory.path() / "states.csv"));
}

}  // namespace

TEST(Csv, HasTheColumnsOfTheContract) {
  const synthetic::TemporaryDirectory directory;
  write_example(directory / "run.h5");
  export_csv(RunReader(directory / "run.h5"), directory.path());
  EXPECT_EQ(first_line(directory / "states.csv"),
            "time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,cx,cy,cz,ax,ay,az,bx,by,bz");
  EXPECT_EQ(first_line(directory / "events.csv"),
            "time,kind,body_a,body_b,x,y,z,nx,ny,nz,impulse,detail,jx,jy,jz");
  EXPECT_EQ(first_line(directory / "contacts.csv"),
            "time,body_a,body_b,x,y,z,nx,ny,nz,gap,fn,ftx,fty,ftz,mode");
  EXPECT_EQ(first_line(directory / "energy.csv"), "time,kinetic,potential,elastic,dissipated,work");
  EXPECT_EQ(first_line(directory / "joints.csv"), "time,joint,fx,fy,fz,tx,ty,tz,gap,kind");
}

TEST(Csv, WritesEveryRowWithSeventeenDigits) {
  const synthetic::TemporaryDirectory directory;
  write_example(directory / "run.h5");
  export_csv(RunReader(directory / "run.h5"), directory.path());
  const auto states = lines_of(directory / "states.csv");
  ASSERT_EQ(states.size(), 5U);
  EXPECT_EQ(states[1],
            "0.10000000000000001,body[0],1,0.33333333333333331,-0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,"
            "1e-300,1.0000000000000001e+300,5");
  EXPECT_EQ(states[2].rfind("0.10000000000000001,\"says \"\"hi\"\", loudly\",0,0,0,1,", 0), 0U);
  EXPECT_EQ(states[3], states[1]);

  // Energies after the event only.
  const auto energy = lines_of(directory / "energy.csv");
  ASSERT_EQ(energy.size(), 2U);
  EXPECT_EQ(energy[1], "0.10000000000000001,0.10000000000000001,2,3,4,5");

  const auto events = lines_of(directory / "events.csv");
  ASSERT_EQ(events.size(), 3U);  // the detail holds a line break
  EXPECT_EQ(events[1],
            "0.10000000000000001,break,\"says \"\"hi\"\", loudly\",world,0,0,0,0,0,1,2,\"one,");
  EXPECT_EQ(events[2], "two\",0,0,2");
}

TEST(Csv, ListsContactsAndJointsAfterEvents) {
  const synthetic::TemporaryDirectory directory;
  write_example(directory / "run.h5");
  export_csv(RunReader(directory / "run.h5"), directory.path());
  const auto contacts = lines_of(directory / "contacts.csv");
  ASSERT_EQ(contacts.size(), 3U);
  EXPECT_EQ(contacts[1],
            "0.10000000000000001,\"says \"\"hi\"\", loudly\",world,0.10000000000000001,-0,2,0,0,1,"
            "1e-10,9.8100000000000005,0.5,0,0,stick");
  EXPECT_EQ(contacts[2], contacts[1]);
  const auto joints = lines_of(directory / "joints.csv");
  ASSERT_EQ(joints.size(), 2U);
  EXPECT_EQ(joints[1],
            "0.10000000000000001,\"pivot, "
            "upper\",1,2,0,0.10000000000000001,0,0,9.9999999999999998e-13,impulse");
}

// Spreadsheets would carry them out.
TEST(Csv, NamesThatLookLikeFormulasAreMadeHarmless) {
  const synthetic::TemporaryDirectory directory;
  {
    abut::record::RunWriter writer(directory / "run.h5");
    auto model = synthetic::model_with(1);
    model.bodies[0].name = "=1+1";
    writer.begin(model);
    writer.frame(synthetic::frame_at(0, 1));
    writer.end({});
  }
  export_csv(RunReader(directory / "run.h5"), directory.path());
  EXPECT_NE(lines_of(directory / "states.csv").at(1).find(",'=1+1,"), std::string::npos);
}

TEST(Csv, ReadsRunsOfManyBlocks) {
  const synthetic::TemporaryDirectory directory;
  constexpr std::size_t bodies = 300, frames = 400;
  {
    RunWriter writer(directory / "run.h5");
    writer.begin(synthetic::model_with(bodies));
    for (std::size_t i = 0; i < frames; ++i) writer.frame(synthetic::frame_at(i, bodies));
    abut::record::Summary summary;
    writer.end(summary);
  }
  const RunReader run(directory / "run.h5");
  ASSERT_LT(run.frames_per_block(), frames);
  export_csv(run, directory.path());
  const auto lines = lines_of(directory / "states.csv");
  ASSERT_EQ(lines.size(), 1 + bodies * frames);
  for (const std::size_t frame : {std::size_t{0}, run.frames_per_block(), frames - 1}) {
    const std::string start =
        fmt::format("{:.17g},body[299],{:.17g},", static_cast<double>(frame) / 60,
                    synthetic::value(frame, 299, 0, 0));
    EXPECT_EQ(lines[1 + frame * bodies + 299].rfind(start, 0), 0U) << start;
  }
}

TEST(Csv, SaysWhyItCannotWrite) {
  const synthetic::TemporaryDirectory directory;
  write_example(directory / "run.h5");
  EXPECT_THROW(export_csv(RunReader(directory / "run.h5"), directory / "absent"),
               abut::record::WriteError);
}
