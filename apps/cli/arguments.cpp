#include "arguments.h"

#include <CLI/CLI.hpp>
#include <functional>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "base/text.h"
#include "record/version.h"

namespace abut::cli {
namespace {

constexpr const char* exit_codes =
    "Exit codes:\n"
    "  0  fine\n"
    "  1  the simulation failed or was interrupted, or a check found a fault\n"
    "  2  wrong usage, or input that cannot be read";

constexpr const char* run_examples =
    "Examples:\n"
    "  abut run scene.yaml                     results in out/scene\n"
    "  abut run scene.yaml -o results --csv    also tables as CSV\n"
    "  abut run scene.yaml --set gravity=\"[0, 0, -1.62]\" --set bodies.ball.position=\"[0, 0, "
    "2]\"\n"
    "  abut run tumbling_box --json            a scene that ships; the summary as JSON on stdout\n"
    "\n"
    "Ctrl-C ends a run cleanly and keeps what was recorded; a second Ctrl-C ends it at once.\n"
    "Results already in the directory are replaced.\n";

constexpr const char* check_examples =
    "Examples:\n"
    "  abut check scene.yaml                   a table of the bodies, and every problem found\n"
    "  abut check scene.yaml --json            the same for programs, on stdout\n"
    "  abut check scene.yaml --pairs all       also the distances of bodies that are apart\n"
    "  abut check four_fingers --classify \"support=[[0.2, 0, -0.1], [0.9, 0, -0.1]]\"\n";

constexpr const char* export_examples =
    "Examples:\n"
    "  abut export out/scene --to csv          tables beside the run\n"
    "  abut export run.h5 --to csv -o tables   tables elsewhere\n"
    "  abut export out/scene --to glb          an animation for Blender and others\n"
    "  abut export out/scene --to png --time 1.5 --show forces,edges\n"
    "  abut export out/scene --to mp4 --speed 0.1\n"
    "\n"
    "Pictures are drawn by Chromium and films made by ffmpeg, where these are installed.\n";

constexpr const char* verify_examples =
    "Examples:\n"
    "  abut verify out/scene                   a line per check, and the faults found\n"
    "  abut verify out/scene --json            the same for programs, on stdout\n"
    "\n"
    "Rebuilds the scene from the text in run.h5 and tests every recorded configuration for "
    "overlaps\n"
    "in exact arithmetic; also times, quaternions, contacts, energies and forces.\n";

constexpr const char* report_examples =
    "Examples:\n"
    "  abut report out/scene                   writes out/scene/report.html\n"
    "  abut report run.h5 -o /tmp/fall.html    elsewhere\n"
    "\n"
    "The page needs no network and no other file. `abut run` writes it too; this command makes it "
    "anew,\n"
    "also for a run that was killed.\n";

constexpr const char* view_examples =
    "Examples:\n"
    "  abut view domino_row                    simulates while you watch, pull and change gravity\n"
    "  abut view out/scene                     a run that was recorded\n"
    "  abut view scene.yaml --no-open          prints the address for a browser of your choice\n"
    "\n"
    "The server listens on 127.0.0.1 only, for one page. Closing the page, or Ctrl-C, ends it.\n";

constexpr const char* set_help =
    "Replace a value of the scene, e.g. bodies.ball.position=\"[0, 0, 2]\"; may be repeated";

using Chosen = std::optional<Command>;

/// CLI11 collects repeated options greedily; one value per --set keeps what follows apart.
void add_overrides(CLI::App& app, std::vector<std::string>& overrides) {
  app.add_option("--set", overrides, set_help)
      ->type_name("PATH=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
}

/// A run keeps the mesh files of its scene, which may have changed.
void add_mesh_folder(CLI::App& app, std::string& folder) {
  app.add_option("--meshes", folder, "Read the scene's mesh files anew, relative to this folder")
      ->type_name("DIR");
}

void add_run(CLI::App& app, Chosen& chosen) {
  struct State {
    RunCommand command;
    std::string duration;
  };
  auto state = std::make_shared<State>();
  auto& sub = *app.add_subcommand("run", "Simulate a scene");
  sub.footer(std::string(run_examples) + "\n" + exit_codes);
  sub.add_option("scene", state->command.scene, "Scene file (YAML), or the name of one that ships")
      ->required()
      ->type_name("SCENE");
  sub.add_option("-o,--output", state->command.directory,
                 "Directory for the results (default: out/<name of the scene file>)")
      ->type_name("DIR");
  auto* duration = sub.add_option("--duration", state->duration,
                                  "Simulated seconds, instead of the scene's duration");
  duration->type_name("S");
  add_overrides(sub, state->command.overrides);
  sub.add_flag("--csv", state->command.csv, "Also write the tables states.csv, events.csv, ...");
  sub.add_flag("--json", state->command.json, "Print the summary to stdout as JSON");
  sub.add_flag("--quiet", state->command.quiet, "No progress, no summary; errors only");
  sub.add_flag("--no-report", state->command.no_report, "Leave out report.html and run.glb");
  sub.add_option("--threads", state->command.threads,
                 "Threads to use (default: all; results do not depend on it)")
      ->check(CLI::Range(1, 4096))
      ->type_name("N");
  sub.callback([state, duration, &chosen] {
    if (duration->count() > 0) state->command.overrides.push_back("duration=" + state->duration);
    chosen = state->command;
  });
}

void add_check(CLI::App& app, Chosen& chosen) {
  auto command = std::make_shared<CheckCommand>();
  auto& sub = *app.add_subcommand("check", "Find what is wrong with a scene, without running it");
  sub.footer(std::string(check_examples) + "\n" + exit_codes);
  sub.add_option("scene", command->scene, "Scene file (YAML), or the name of one that ships")
      ->required()
      ->type_name("SCENE");
  add_overrides(sub, command->overrides);
  sub.add_flag("--json", command->json, "Print bodies, pairs and problems to stdout as JSON");
  auto pairs = std::make_shared<std::string>("touching");
  sub.add_option("--pairs", *pairs,
                 "Which pairs of bodies to list: touching (and overlapping), or all with their "
                 "distance")
      ->check(CLI::IsMember({"touching", "all"}))
      ->type_name("WHICH");
  sub.add_option(
         "--classify", command->classify,
         "Tell where a point, a segment or the edges of another body are relative to a body "
         "with flat faces: BODY=\"[x, y, z]\", BODY=\"[[x, y, z], [x, y, z]]\" (in the frame "
         "of the body) or BODY=BODY; may be repeated")
      ->type_name("QUESTION")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
  sub.callback([command, pairs, &chosen] {
    command->all_pairs = *pairs == "all";
    chosen = *command;
  });
}

void add_picture_options(CLI::App& app, ExportCommand& command) {
  const std::string group = "Options for png and mp4";
  app.add_option("--time", command.time, "Time of the picture (default: half of the run)")
      ->type_name("S")
      ->group(group);
  app.add_option("--width", command.width, "Pixels (default: 1280)")
      ->check(CLI::Range(120, 8192))
      ->type_name("N")
      ->group(group);
  app.add_option("--height", command.height, "Pixels (default: 720)")
      ->check(CLI::Range(120, 8192))
      ->type_name("N")
      ->group(group);
  app.add_option("--rate", command.rate, "Pictures per second of film (default: 30)")
      ->check(CLI::Range(1.0, 240.0))
      ->type_name("R")
      ->group(group);
  app.add_option("--speed", command.speed, "Simulated seconds per second of film (default: 1)")
      ->check(CLI::Range(1e-9, 1e9))
      ->type_name("X")
      ->group(group);
  app.add_option("--show", command.show,
                 "What to draw, separated by commas: contacts, forces, normals, regions, joints, "
                 "velocity, trails, names, boxes, edges, xray (default: edges, joints)")
      ->type_name("LIST")
      ->group(group);
  app.add_flag("--dark", command.dark, "On a dark ground")->group(group);
}

void add_export(CLI::App& app, Chosen& chosen) {
  auto command = std::make_shared<ExportCommand>();
  auto& sub = *app.add_subcommand("export", "Turn a recorded run into another format");
  sub.footer(std::string(export_examples) + "\n" + exit_codes);
  sub.add_option("run", command->run, "Directory of a run, or its run.h5")
      ->required()
      ->type_name("RUN");
  sub.add_option("--to", command->format, "Format: csv, glb, png or mp4")
      ->required()
      ->type_name("FORMAT");
  sub.add_option("-o,--output", command->directory,
                 "Directory for the result (default: that of the run)")
      ->type_name("DIR");
  add_mesh_folder(sub, command->mesh_folder);
  add_picture_options(sub, *command);
  sub.callback([command, &chosen] { chosen = *command; });
}

void add_verify(CLI::App& app, Chosen& chosen) {
  auto command = std::make_shared<VerifyCommand>();
  auto& sub = *app.add_subcommand("verify", "Check a recorded run by independent means");
  sub.footer(std::string(verify_examples) + "\n" + exit_codes);
  sub.add_option("run", command->run, "Directory of a run, or its run.h5")
      ->required()
      ->type_name("RUN");
  sub.add_flag("--json", command->json, "Print the report to stdout as JSON");
  sub.add_option("--allow-depth", command->allowed_depth,
                 "Overlap in metres that is no fault (default: 0, beyond rounding)")
      ->check(CLI::NonNegativeNumber)
      ->type_name("M");
  sub.add_option("--energy-tolerance", command->energy_tolerance,
                 "Relative imbalance of the energy book that is no fault (default: what the run's "
                 "settings promise)")
      ->check(CLI::NonNegativeNumber)
      ->type_name("X");
  add_mesh_folder(sub, command->mesh_folder);
  sub.callback([command, &chosen] { chosen = *command; });
}

void add_report(CLI::App& app, Chosen& chosen) {
  auto command = std::make_shared<ReportCommand>();
  auto& sub = *app.add_subcommand("report", "Write one page with player and plots of a run");
  sub.footer(std::string(report_examples) + "\n" + exit_codes);
  sub.add_option("run", command->run, "Directory of a run, or its run.h5")
      ->required()
      ->type_name("RUN");
  sub.add_option("-o,--output", command->output,
                 "File to write (default: report.html beside the run)")
      ->type_name("FILE");
  add_mesh_folder(sub, command->mesh_folder);
  sub.callback([command, &chosen] { chosen = *command; });
}

void add_view(CLI::App& app, Chosen& chosen) {
  auto command = std::make_shared<ViewCommand>();
  auto& sub = *app.add_subcommand("view", "Show a scene, simulated live, or a run in the browser");
  sub.footer(std::string(view_examples) + "\n" + exit_codes);
  sub.add_option("what", command->what,
                 "Scene file or name of one that ships; or directory of a run, or its run.h5")
      ->required()
      ->type_name("SCENE|RUN");
  add_overrides(sub, command->overrides);
  sub.add_option("--port", command->port, "Port on 127.0.0.1 (default: one that is free)")
      ->check(CLI::Range(1, 65535))
      ->type_name("N");
  sub.add_flag("--no-open", command->no_open, "Print the address, but do not open a browser");
  sub.add_option("--threads", command->threads, "Threads to use (default: all)")
      ->check(CLI::Range(1, 4096))
      ->type_name("N");
  add_mesh_folder(sub, command->mesh_folder);
  sub.callback([command, &chosen] { chosen = *command; });
}

void add_scenes(CLI::App& app, Chosen& chosen) {
  auto command = std::make_shared<ScenesCommand>();
  auto& sub = *app.add_subcommand("scenes", "List the scenes that ship with Abut");
  sub.footer(
      "Example:\n"
      "  cp \"$(abut scenes tumbling_box)\" mine.yaml\n"
      "\n"
      "The environment variable ABUT_SCENES names another directory to look in.");
  sub.add_option("name", command->name, "Print the path of this scene")->type_name("NAME");
  sub.callback([command, &chosen] { chosen = *command; });
}

void add_texts(CLI::App& app, Chosen& chosen) {
  app.add_subcommand("schema", "Print the JSON Schema of scene files, for editors")
      ->callback([&chosen] { chosen = SchemaCommand{}; });
  app.add_subcommand("reference", "Print the reference page of the scene format (Markdown)")
      ->callback([&chosen] { chosen = ReferenceCommand{}; });
}

/// The word that stands where a command should, if it is none.
std::optional<std::string> unknown_command(const CLI::App& app) {
  if (!app.get_subcommands().empty()) return std::nullopt;
  for (const std::string& word : app.remaining())
    if (!word.starts_with('-')) return word;
  return std::nullopt;
}

void say_unknown(const CLI::App& app, const std::string& word) {
  std::vector<std::string> known;
  for (const CLI::App* command : app.get_subcommands({})) known.push_back(command->get_name());
  std::cerr << "`" << base::shown(word) << "` is not a command" << base::did_you_mean(word, known)
            << "\nCommands are " << base::listed(known) << "; `abut --help` tells more.\n";
}

}  // namespace

std::variant<Command, int> parse_arguments(int argc, char** argv) {
  CLI::App app("Abut simulates bodies that touch but never overlap.", "abut");
  app.set_version_flag("--version", "abut " + std::string(record::program_version()));
  app.require_subcommand(1);
  app.footer(std::string("`abut COMMAND --help` tells more about a command.\n\n") + exit_codes);
  Chosen chosen;
  add_run(app, chosen);
  add_check(app, chosen);
  add_export(app, chosen);
  add_verify(app, chosen);
  add_report(app, chosen);
  add_view(app, chosen);
  add_scenes(app, chosen);
  add_texts(app, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const auto unknown = unknown_command(app);
    if (unknown && error.get_exit_code() != 0) {
      say_unknown(app, *unknown);
      return exit_usage;
    }
    return app.exit(error) == 0 ? exit_fine : exit_usage;
  }
  return chosen.value();
}

}  // namespace abut::cli
