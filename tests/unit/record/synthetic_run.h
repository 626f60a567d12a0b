#pragma once
// A made-up run whose every number is a simple function of frame and body, for round trips.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "record/frame.h"

namespace synthetic {

/// A directory of its own for a test, removed with it.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "abut-record-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~TemporaryDirectory() { std::filesystem::remove_all(path_); }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline abut::model::Model model_with(std::size_t bodies) {
  abut::model::Model model;
  model.name = "synthetic";
  model.source = "abut: 1\nname: synthetic\n";
  model.duration = 1;
  for (std::size_t i = 0; i < bodies; ++i) {
    abut::model::Body body;
    body.name = fmt::format("body[{}]", i);
    body.mass.mass = 1.0 + static_cast<double>(i);
    body.mass.volume = 0.5;
    body.mass.central.position = abut::Vec3(0.1, 0.2, 0.3);
    body.mass.inertia << 1, 2, 3, 2, 4, 5, 3, 5, 6;
    model.bodies.push_back(body);
  }
  return model;
}

/// A number that differs for every frame, body, quantity and component.
inline double value(std::size_t frame, std::size_t body, int quantity, int component) {
  return static_cast<double>(frame) + 1e-3 * static_cast<double>(body) + 1e4 * quantity +
         1e5 * component + 1.0 / 3.0;
}

/// No contact, one, two, none, ..., and at times many.
inline std::vector<abut::ContactState> contacts_at(std::size_t index) {
  const std::size_t count = index % 100 == 50 ? 300 : index % 3;
  std::vector<abut::ContactState> contacts;
  for (std::size_t i = 0; i < count; ++i) {
    abut::ContactState contact;
    contact.body_a = static_cast<int>(i);
    contact.body_b = static_cast<int>(i % 2) - 1;
    contact.point = abut::Vec3(value(index, i, 0, 0), value(index, i, 0, 1), value(index, i, 0, 2));
    contact.normal = abut::Vec3(0, value(index, i, 1, 1), -1);
    contact.gap = value(index, i, 2, 0);
    contact.normal_force = value(index, i, 3, 0);
    contact.friction_force = abut::Vec3(value(index, i, 4, 0), 0, 1);
    contact.mode = static_cast<abut::ContactMode>((index + i) % 3);
    using Kind = abut::ContactFeature::Kind;
    contact.feature_a = {static_cast<int>(i), static_cast<Kind>(index % 4),
                         static_cast<int>(index)};
    contact.feature_b = {7, static_cast<Kind>((index + i) % 4), static_cast<int>(i)};
    contact.unique = (index + i) % 2 == 0;
    contacts.push_back(contact);
  }
  return contacts;
}

/// Two joints, of which one breaks.
inline std::vector<abut::JointState> joints_at(std::size_t index) {
  std::vector<abut::JointState> joints;
  for (std::size_t i = 0; i < (index < 20 ? 2U : 1U); ++i) {
    abut::JointState joint;
    joint.joint = static_cast<int>(i);
    joint.is_impulse = (index + i) % 5 == 0;
    joint.force = abut::Vec3(value(index, i, 5, 0), 2, 3);
    joint.torque = abut::Vec3(4, 5, value(index, i, 6, 2));
    joint.gap = value(index, i, 7, 0);
    joints.push_back(joint);
  }
  return joints;
}

inline abut::record::Frame frame_at(std::size_t index, std::size_t bodies) {
  abut::record::Frame frame;
  frame.time = static_cast<double>(index) / 60;
  frame.kind = static_cast<abut::record::FrameKind>(index % 3);
  for (std::size_t b = 0; b < bodies; ++b) {
    const auto vector = [&](int quantity) {
      return abut::Vec3(value(index, b, quantity, 0), value(index, b, quantity, 1),
                        value(index, b, quantity, 2));
    };
    abut::BodyState state;
    state.position = vector(0);
    state.orientation = abut::Quat(value(index, b, 1, 0), value(index, b, 1, 1),
                                   value(index, b, 1, 2), value(index, b, 1, 3));
    state.velocity = vector(2);
    state.angular_velocity = vector(3);
    state.centre_of_mass = vector(4);
    state.acceleration = vector(5);
    state.angular_acceleration = vector(6);
    frame.bodies.push_back(state);
  }
  const double t = static_cast<double>(index);
  frame.energy = {t, -t, 0.5 * t, 0.25 * t, 0.125 * t};
  frame.contacts = contacts_at(index);
  frame.joints = joints_at(index);
  return frame;
}

inline abut::Event event_at(std::size_t index) {
  const double t = static_cast<double>(index);
  abut::Event event;
  event.time = t / 60;
  event.kind = static_cast<abut::EventKind>(index % 12);
  event.body_a = static_cast<int>(index % 3) - 1;
  event.body_b = 0;
  event.point = abut::Vec3(t, t + 1, t + 2);
  event.normal = abut::Vec3(0, 0, 1);
  event.normal_impulse = t + 0.1;
  event.impulse = abut::Vec3(-t, t, 0.5);
  event.detail = fmt::format("event {}", index);
  return event;
}

inline void expect_same(const std::vector<abut::ContactState>& a,
                        const std::vector<abut::ContactState>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(a[i].body_a, b[i].body_a);
    ASSERT_EQ(a[i].body_b, b[i].body_b);
    ASSERT_EQ(a[i].point, b[i].point);
    ASSERT_EQ(a[i].normal, b[i].normal);
    ASSERT_EQ(a[i].gap, b[i].gap);
    ASSERT_EQ(a[i].normal_force, b[i].normal_force);
    ASSERT_EQ(a[i].friction_force, b[i].friction_force);
    ASSERT_EQ(a[i].mode, b[i].mode);
    for (const auto feature : {&abut::ContactState::feature_a, &abut::ContactState::feature_b}) {
      ASSERT_EQ((a[i].*feature).part, (b[i].*feature).part);
      ASSERT_EQ((a[i].*feature).kind, (b[i].*feature).kind);
      ASSERT_EQ((a[i].*feature).index, (b[i].*feature).index);
    }
    ASSERT_EQ(a[i].unique, b[i].unique);
  }
}

inline void expect_same(const std::vector<abut::JointState>& a,
                        const std::vector<abut::JointState>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(a[i].joint, b[i].joint);
    ASSERT_EQ(a[i].is_impulse, b[i].is_impulse);
    ASSERT_EQ(a[i].force, b[i].force);
    ASSERT_EQ(a[i].torque, b[i].torque);
    ASSERT_EQ(a[i].gap, b[i].gap);
  }
}

inline void expect_same(const abut::record::Frame& a, const abut::record::Frame& b) {
  ASSERT_EQ(a.time, b.time);
  ASSERT_EQ(a.kind, b.kind);
  ASSERT_EQ(a.bodies.size(), b.bodies.size());
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    const auto &s = a.bodies[i], &t = b.bodies[i];
    ASSERT_EQ(s.position, t.position);
    ASSERT_EQ(s.orientation.coeffs(), t.orientation.coeffs());
    ASSERT_EQ(s.velocity, t.velocity);
    ASSERT_EQ(s.angular_velocity, t.angular_velocity);
    ASSERT_EQ(s.centre_of_mass, t.centre_of_mass);
    ASSERT_EQ(s.acceleration, t.acceleration);
    ASSERT_EQ(s.angular_acceleration, t.angular_acceleration);
  }
  ASSERT_EQ(a.energy.kinetic, b.energy.kinetic);
  ASSERT_EQ(a.energy.potential, b.energy.potential);
  ASSERT_EQ(a.energy.elastic, b.energy.elastic);
  ASSERT_EQ(a.energy.dissipated, b.energy.dissipated);
  ASSERT_EQ(a.energy.work, b.energy.work);
  ASSERT_NO_FATAL_FAILURE(expect_same(a.contacts, b.contacts));
  ASSERT_NO_FATAL_FAILURE(expect_same(a.joints, b.joints));
}

inline void expect_same(const abut::Event& a, const abut::Event& b) {
  ASSERT_EQ(a.time, b.time);
  ASSERT_EQ(a.kind, b.kind);
  ASSERT_EQ(a.body_a, b.body_a);
  ASSERT_EQ(a.body_b, b.body_b);
  ASSERT_EQ(a.point, b.point);
  ASSERT_EQ(a.normal, b.normal);
  ASSERT_EQ(a.normal_impulse, b.normal_impulse);
  ASSERT_EQ(a.impulse, b.impulse);
  ASSERT_EQ(a.detail, b.detail);
}

}  // namespace synthetic
