#pragma once
// Throws away what a run records, so that only the simulation is measured.

#include "record/frame.h"

namespace abut {

class NoSink final : public record::Sink {
 public:
  void begin(const model::Model&) override {}
  void frame(const record::Frame&) override {}
  void event(const Event&) override {}
  void end(const record::Summary&) override {}
};

}  // namespace abut
