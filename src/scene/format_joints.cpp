// Joints: one record per type, with the keys and units that make sense for it.
#include "joint/joint.h"
#include "scene/format.h"

namespace abut::scene::format {
namespace {

using joint::Coordinate;

std::string help(JointType type) {
  switch (type) {
    case JointType::ball:
      return "Holds a point of each body in one place. All turns are free.";
    case JointType::hinge:
      return "Holds an axis of each body in one place. Turns about it are free.";
    case JointType::universal:
      return "Holds a point of each body in one place and keeps an axis of each perpendicular to "
             "that of the other. Turns about the two axes are free.";
    case JointType::prismatic:
      return "Lets the second body slide along an axis of the first, without turning.";
    case JointType::cylindrical:
      return "Lets the second body slide along an axis of the first and turn about it.";
    case JointType::point_on_line:
      return "Keeps a point of the second body on a line that the first one carries.";
    case JointType::point_on_plane:
      return "Keeps a point of the second body in a plane that the first one carries.";
    case JointType::weld:
      return "Holds the two bodies as they stand at time 0.";
    case JointType::distance:
      return "Keeps the distance of two points as it is at time 0, like a rod with a ball joint at "
             "each end.";
  }
  return {};
}

Key name_key() {
  return optional("name", text("a name"),
                  "name, unique among the joints, for messages, overrides and `joints.csv`",
                  "its place in the list: `joints[0]` and so on");
}

Key at_key(JointType type) {
  if (type == JointType::distance) {
    return optional(
        "at",
        one_of("a point [x, y, z], or two points", {position_type(), tuple_of(2, position_type())}),
        "world points at time 0 that keep their distance: both, or the one on the "
        "first body",
        "the bodies' positions");
  }
  return optional("at", position_type(), "world point at time 0 where the bodies are joined",
                  "the second body's position");
}

Key axis_key(JointType type) {
  switch (type) {
    case JointType::universal:
      return required("axis", direction_type(),
                      "world direction at time 0 of the first body's axis");
    case JointType::point_on_plane:
      return required("axis", direction_type(), "world direction at time 0 of the plane's normal");
    default:
      return required("axis", direction_type(), "world direction at time 0 of the axis");
  }
}

Key limits_key(Coordinate coordinate) {
  if (coordinate == Coordinate::angle) {
    return optional("limits", vector_of(2, dimension::angle, any()),
                    "least and greatest angle of the second body against the first, about the "
                    "axis; it is 0 at time 0, and full turns count",
                    "no limits");
  }
  return optional("limits", vector_of(2, dimension::length, any()),
                  "least and greatest displacement of the second body along the axis; it is 0 at "
                  "time 0",
                  "no limits");
}

Record turning_motor() {
  return {"turning motor",
          "Turns the second body of a joint about the axis, seen from the first.",
          {required("speed", number(dimension::angular_velocity, any()),
                    "angular velocity it keeps, up to a limit that it drives to, where it stays"),
           optional("max_torque", number(dimension::torque, positive(largest_number)),
                    "largest torque it exerts", "unlimited")},
          true};
}

Record sliding_motor() {
  return {"sliding motor",
          "Moves the second body of a joint along the axis, seen from the first.",
          {required("speed", number(dimension::velocity, any()),
                    "velocity it keeps, up to a limit that it drives to, where it stays"),
           optional("max_force", number(dimension::force, positive(largest_number)),
                    "largest force it exerts", "unlimited")},
          true};
}

Key motor_key(Coordinate coordinate) {
  const Record motor = coordinate == Coordinate::angle ? turning_motor() : sliding_motor();
  return optional("motor", record(share(motor)), "what drives the joint", "none");
}

Record joint_record(JointType type) {
  Record record{std::string(to_string(type)), help(type), {name_key(), bodies_key(), at_key(type)}};
  const Coordinate coordinate = joint::coordinate_of(type);
  if (joint::has_axis(type)) record.keys.push_back(axis_key(type));
  if (type == JointType::universal) {
    record.keys.push_back(optional("axis2", direction_type(),
                                   "world direction at time 0 of the second body's axis, "
                                   "perpendicular to `axis`",
                                   "some perpendicular direction"));
  }
  if (coordinate != Coordinate::none) {
    record.keys.push_back(limits_key(coordinate));
    record.keys.push_back(motor_key(coordinate));
  }
  record.keys.push_back(optional("break_force", number(dimension::force, positive(largest_number)),
                                 "force on the second body that breaks the joint", "unlimited"));
  record.keys.push_back(optional("break_torque",
                                 number(dimension::torque, positive(largest_number)),
                                 "torque on the second body, about the joint's point, that breaks "
                                 "the joint",
                                 "unlimited"));
  record.keys.push_back(
      optional("collide", flag(), "whether the two bodies can touch each other", "false"));
  return record;
}

}  // namespace

Key bodies_key() {
  return required("bodies", tuple_of(2, text("the name of a body")),
                  "the two bodies; one of them may be `world`");
}

Type joint_type() {
  std::vector<std::shared_ptr<const Record>> records;
  records.reserve(joint::all_types.size());
  for (const JointType type : joint::all_types) records.push_back(share(joint_record(type)));
  return tagged(std::move(records));
}

}  // namespace abut::scene::format
