#pragma once
// What the command line asks for, one struct per command.

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace abut::cli {

/// What the program says to the shell.
enum ExitCode : int {
  exit_fine = 0,
  exit_failed = 1,    ///< the simulation failed, or a check found a fault
  exit_usage = 2,     ///< wrong usage or unreadable input
  exit_unproven = 3,  ///< `verify` found no fault, but could not judge everything
};

struct RunCommand {
  std::string scene;
  std::vector<std::string> overrides;  ///< as in `path=value`; --duration is one of them
  std::string directory;               ///< empty: out/<scene stem>
  bool csv = false;
  bool json = false;
  bool quiet = false;
  bool no_report = false;  ///< neither report.html nor run.glb
  int threads = 0;         ///< 0: as many as the machine has
};

struct CheckCommand {
  std::string scene;
  std::vector<std::string> overrides;
  bool json = false;
  bool all_pairs = false;             ///< also those that are apart
  std::vector<std::string> classify;  ///< as in `body=[x, y, z]`
};

struct ExportCommand {
  std::string run;  ///< a directory with a run.h5, or the file
  std::string format;
  std::string directory;    ///< empty: beside the run
  std::string mesh_folder;  ///< empty: as the run keeps them
  // For pictures only.
  std::optional<double> time;  ///< of the picture, s; none: half of the run
  int width = 1280;
  int height = 720;
  double rate = 30;  ///< pictures per second of film
  double speed = 1;  ///< simulated seconds per second of film
  std::string show;  ///< overlays, separated by commas; empty: the default ones
  bool dark = false;
};

struct VerifyCommand {
  std::string run;  ///< a directory with a run.h5, or the file
  bool json = false;
  double allowed_depth = 0;                ///< m
  std::optional<double> energy_tolerance;  ///< relative; none: what the run's settings promise
  std::string mesh_folder;                 ///< empty: as the run keeps them
};

struct ReportCommand {
  std::string run;          ///< a directory with a run.h5, or the file
  std::string output;       ///< empty: report.html beside the run
  std::string mesh_folder;  ///< empty: as the run keeps them
};

struct ViewCommand {
  std::string what;                    ///< a scene, or a directory with a run.h5, or that file
  std::vector<std::string> overrides;  ///< of a scene
  int port = 0;                        ///< 0: any that is free
  bool no_open = false;                ///< leave it to the user to open the address
  int threads = 0;                     ///< 0: as many as the machine has
  std::string mesh_folder;             ///< of a run; empty: as it keeps them
};

struct ScenesCommand {
  std::string name;  ///< empty: list all
};

struct SchemaCommand {};
struct ReferenceCommand {};

using Command = std::variant<RunCommand, CheckCommand, ExportCommand, VerifyCommand, ReportCommand,
                             ViewCommand, ScenesCommand, SchemaCommand, ReferenceCommand>;

int execute(const RunCommand& command);
int execute(const CheckCommand& command);
int execute(const ExportCommand& command);
int execute(const VerifyCommand& command);
int execute(const ReportCommand& command);
int execute(const ViewCommand& command);
int execute(const ScenesCommand& command);
int execute(const SchemaCommand& command);
int execute(const ReferenceCommand& command);

}  // namespace abut::cli
