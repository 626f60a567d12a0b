// The library as its users see it: only public headers.

#include <abut/abut.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace {

abut::BodyDescription ball(const char* name) {
  abut::BodyDescription body;
  body.name = name;
  body.parts = {{abut::Shape::sphere(0.5)}};
  return body;
}

abut::Model falling_ball() {
  abut::Model model;
  model.set_duration(1);
  model.set_record_rate(10);
  model.add_body(ball("ball"));
  return model;
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const abut::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Api, ABallFalls) {
  abut::Simulation simulation(falling_ball());
  int frames = 0;
  simulation.on_frame([&](const abut::Simulation& now) {
    ++frames;
    EXPECT_NEAR(now.state("ball").position.z(), -0.5 * 9.81 * now.time() * now.time(), 1e-12);
    EXPECT_TRUE(now.contacts().empty());
    EXPECT_TRUE(now.joints().empty());
  });
  const abut::Summary& summary = simulation.run();
  EXPECT_EQ(frames, 11);
  EXPECT_EQ(summary.status, abut::RunStatus::complete);
  EXPECT_EQ(simulation.time(), 1);
  EXPECT_FALSE(simulation.step());
}

TEST(Api, StepsAndMoves) {
  abut::Simulation first(falling_ball());
  int frames = 0;
  first.on_frame([&](const abut::Simulation& now) {
    ++frames;
    EXPECT_EQ(now.states().size(), 1u);
  });
  EXPECT_TRUE(first.step());
  abut::Simulation second = std::move(first);
  EXPECT_TRUE(second.step());
  EXPECT_NEAR(second.time(), 0.1, 1e-15);
  EXPECT_EQ(frames, 2);
}

TEST(Api, EventsAreReportedAndKept) {
  abut::Model model = falling_ball();
  model.add_impulse(0, 0.25, {0, 0, 100}, {0, 0, 0});
  abut::Simulation simulation(model);
  int events = 0;
  simulation.on_event([&](const abut::Event& event) {
    ++events;
    EXPECT_EQ(event.kind, abut::EventKind::impulse);
  });
  simulation.run();
  EXPECT_EQ(events, 1);
  ASSERT_EQ(simulation.events().size(), 1u);
  EXPECT_EQ(simulation.events()[0].time, 0.25);
}

TEST(Api, ForcesBuiltInCodeMatchTheSameScene) {
  abut::Model built;
  built.set_gravity({0, 0, -9.81});
  built.set_duration(1);
  const auto a = built.add_body(ball("a"));
  auto second = ball("b");
  second.pose.position = {2, 0, 0};
  second.velocity = {0, 1, 0};
  const auto b = built.add_body(second);
  built.add_spring(a, {0, 0, 0.5}, b, {2, 0, 0}, 1, 500, 2);
  built.add_drag(b, 0.5);
  built.add_force(a, {10, 0, 0}, {0, 0.5, 0}, {0, 0, 3});
  const abut::Model loaded = abut::Model::from_text(R"(
abut: 1
duration: 1
bodies:
  - {name: a, shape: {sphere: {radius: 0.5}}}
  - {name: b, shape: {sphere: {radius: 0.5}}, position: [2, 0, 0], velocity: [0, 1, 0]}
forces:
  - {type: spring, bodies: [a, b], at: [[0, 0, 0.5], [2, 0, 0]], length: 1, stiffness: 500, damping: 2}
  - {type: drag, body: b, linear: 0.5}
  - {type: constant, body: a, force: [10, 0, 0], at: [0, 0.5, 0], torque: [0, 0, 3]}
)");
  abut::Simulation one(built), two(loaded);
  EXPECT_EQ(one.run().state_hash, two.run().state_hash);
}

TEST(Api, RecordsToAFile) {
  const auto path = std::filesystem::temp_directory_path() / "abut_api_test.h5";
  {
    abut::SimulationOptions options;
    options.record_file = path.string();
    abut::Simulation simulation(falling_ball(), options);
    simulation.run();
  }
  EXPECT_GT(std::filesystem::file_size(path), 1000u);
  std::filesystem::remove(path);
}

TEST(Api, BadInputSaysWhatAndHow) {
  EXPECT_NE(message_of([] { abut::Shape::sphere(-1); }).find("-1"), std::string::npos);
  EXPECT_NE(message_of([] { abut::Shape::torus(1, 2); }).find("thinner"), std::string::npos);
  EXPECT_NE(message_of([] {
              abut::Shape::superellipsoid({1, 1, 1}, 0, 1);
            }).find("exponents"),
            std::string::npos);
  EXPECT_NE(message_of([] {
              abut::Shape::mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}});
            }),
            "");
  EXPECT_NE(message_of([] {
              abut::Model::from_file("/nonexistent/scene.yaml");
            }).find("/nonexistent/scene.yaml"),
            std::string::npos);
  abut::Model model = falling_ball();
  EXPECT_NE(message_of([&] { model.body("bal"); }).find("bal"), std::string::npos);
  EXPECT_NE(message_of([&] { model.add_drag(7, 1); }).find("7"), std::string::npos);
  auto floor = ball("floor");
  floor.parts = {{abut::Shape::plane({0, 0, 1}, 0)}};
  EXPECT_NE(message_of([&] { model.add_body(floor); }).find("fixed"), std::string::npos);
  model.add_body(ball("ball"));
  EXPECT_NE(message_of([&] { abut::Simulation simulation(model); }).find("unique"),
            std::string::npos);
  abut::Model endless = falling_ball();
  endless.set_duration(-1);
  EXPECT_NE(message_of([&] { abut::Simulation simulation(endless); }).find("duration"),
            std::string::npos);
}

TEST(Api, MassPropertiesOfAUnion) {
  abut::Model model;
  abut::BodyDescription dumbbell = ball("dumbbell");
  dumbbell.parts = {{abut::Shape::sphere(0.5), {{-1, 0, 0}, abut::Quat::Identity()}, 1000},
                    {abut::Shape::sphere(0.5), {{1, 0, 0}, abut::Quat::Identity()}, 3000}};
  const auto mass = model.mass(model.add_body(dumbbell));
  const double volume = 4.0 / 3 * std::acos(-1.0) * 0.125;
  EXPECT_NEAR(mass.mass, 4000 * volume, 1e-9);
  EXPECT_NEAR(mass.centre_of_mass.x(), 0.5, 1e-14);
  dumbbell.mass = 2;
  dumbbell.name = "light";
  EXPECT_NEAR(model.mass(model.add_body(dumbbell)).mass, 2, 1e-14);
}

TEST(Api, KnowsItsVersion) {
  EXPECT_EQ(abut::version().substr(0, 2), "0.");
}

abut::Model ball_over_floor() {
  abut::Model model = falling_ball();
  abut::BodyDescription floor;
  floor.name = "floor";
  floor.motion = abut::Motion::fixed;
  floor.parts = {{abut::Shape::plane(abut::Vec3::UnitZ(), -1.5)}};
  model.add_body(floor);
  return model;
}

// A drop of h = 1 m ends with the speed sqrt(2 g h), of which restitution keeps a part.
TEST(Api, RestitutionOfAllContacts) {
  abut::Model model = ball_over_floor();
  model.set_restitution(0.6);
  abut::Simulation simulation(model);
  double speed = 0;
  simulation.on_frame([&](const abut::Simulation& now) {
    speed = std::max(speed, now.state("ball").velocity.z());
  });
  simulation.run();
  EXPECT_NEAR(speed, 0.6 * std::sqrt(2 * 9.81), 1e-6);
  EXPECT_NE(message_of([&] { model.set_restitution(1.1); }), "");
  EXPECT_NE(message_of([&] { model.set_friction(0.1, 0.2); }), "");
}

TEST(Api, AContinuedModelGoesOnWithWhatIsChanged) {
  abut::Simulation first(falling_ball());
  while (first.time() < 0.5) first.step();
  abut::Model model = first.continued();
  model.set_gravity(abut::Vec3::Zero());
  abut::Simulation second(model);
  EXPECT_EQ(second.run().status, abut::RunStatus::complete);
  EXPECT_NEAR(second.time(), 0.5, 1e-12);
  EXPECT_NEAR(second.state("ball").position.z(), -0.5 * 9.81 * 0.25 - 9.81 * 0.5 * 0.5, 1e-9);
}

}  // namespace
