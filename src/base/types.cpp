#include "abut/types.h"

#include "abut/summary.h"

namespace abut {

std::string_view to_string(EventKind kind) {
  switch (kind) {
    case EventKind::touch:
      return "touch";
    case EventKind::impact:
      return "impact";
    case EventKind::separate:
      return "separate";
    case EventKind::slip:
      return "slip";
    case EventKind::stick:
      return "stick";
    case EventKind::reverse:
      return "reverse";
    case EventKind::support:
      return "support";
    case EventKind::rest:
      return "rest";
    case EventKind::impulse:
      return "impulse";
    case EventKind::limit:
      return "limit";
    case EventKind::break_joint:
      return "break";
    case EventKind::script:
      return "script";
  }
  return "unknown";
}

std::string_view to_string(ContactFeature::Kind kind) {
  switch (kind) {
    case ContactFeature::Kind::vertex:
      return "vertex";
    case ContactFeature::Kind::edge:
      return "edge";
    case ContactFeature::Kind::face:
      return "face";
    case ContactFeature::Kind::smooth:
      return "smooth";
  }
  return "unknown";
}

std::string_view to_string(ContactMode mode) {
  switch (mode) {
    case ContactMode::frictionless:
      return "frictionless";
    case ContactMode::stick:
      return "stick";
    case ContactMode::slide:
      return "slide";
  }
  return "unknown";
}

std::string_view to_string(JointType type) {
  switch (type) {
    case JointType::ball:
      return "ball";
    case JointType::hinge:
      return "hinge";
    case JointType::universal:
      return "universal";
    case JointType::prismatic:
      return "prismatic";
    case JointType::cylindrical:
      return "cylindrical";
    case JointType::point_on_line:
      return "point_on_line";
    case JointType::point_on_plane:
      return "point_on_plane";
    case JointType::weld:
      return "weld";
    case JointType::distance:
      return "distance";
  }
  return "unknown";
}

std::string_view to_string(RunStatus status) {
  switch (status) {
    case RunStatus::running:
      return "running";
    case RunStatus::complete:
      return "complete";
    case RunStatus::suspect:
      return "suspect";
    case RunStatus::interrupted:
      return "interrupted";
    case RunStatus::failed:
      return "failed";
  }
  return "unknown";
}

}  // namespace abut
