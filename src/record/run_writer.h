#pragma once
// Writes run.h5, the full record of a run. What is in it: docs/guide/run-file.md.

#include <filesystem>
#include <memory>

#include "record/frame.h"

namespace abut::record {

/// Flushes after the first frame, then about once a second, later less often, and at the end. A
/// process that is killed leaves a file that any HDF5 reader opens and that holds everything up to
/// the last flush.
class RunWriter : public Sink {
 public:
  /// Throws WriteError if the file cannot be created. Until the first flush an existing file of
  /// this name stays.
  explicit RunWriter(const std::filesystem::path& path);
  ~RunWriter() override;

  // All throw WriteError. After that every further call throws the same error, and the file keeps
  // what was flushed before.
  void begin(const model::Model& model) override;
  void frame(const Frame& frame) override;
  void event(const Event& event) override;
  void end(const Summary& summary) override;

  /// Writes out all that was received so far.
  void flush();

 private:
  class Implementation;
  template <class Action>
  void guarded(Action action);

  std::filesystem::path path_;
  std::unique_ptr<Implementation> implementation_;
  std::string failure_;  ///< why writing ended early; empty: it did not
};

}  // namespace abut::record
