// `abut view`: a scene simulated live, or a recorded run, in the browser.

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "abut/diagnostics.h"
#include "interrupt.h"
#include "messages.h"
#include "options.h"
#include "program_search.h"
#include "record/report.h"
#include "record/run_reader.h"
#include "recorded_scene.h"
#include "run_input.h"
#include "scene/loader.h"
#include "scene_input.h"
#include "server/live_session.h"
#include "server/live_world.h"
#include "server/local_server.h"

namespace abut::cli {
namespace {

namespace fs = std::filesystem;

/// The bytes that every HDF5 file begins with.
constexpr std::string_view hdf5_signature = "\x89HDF\r\n\x1a\n";

bool is_run(const std::string& what) {
  std::error_code error;
  if (fs::is_directory(what, error)) return true;
  std::array<char, hdf5_signature.size()> first{};
  std::ifstream file(what, std::ios::binary);
  file.read(first.data(), first.size());
  return file && std::string_view(first.data(), first.size()) == hdf5_signature;
}

std::string page_of(const record::Playback& playback) {
  auto page = record::served_page(playback);
  if (!page)
    throw InputError(Location{},
                     "this abut was built without the player, because Node.js was not "
                     "there; build it with Node.js");
  return std::move(*page);
}

/// Asks the desktop to open the address, if there is one. It may take as long as the browser is
/// open: nobody waits for it, and Ctrl-C is not meant for it.
void open_in_browser(const std::string& address) {
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return;
  const auto opener = find_program({"xdg-open"});
  if (!opener) return;
  std::string program = opener->string(), argument = address;
  std::array<char*, 3> arguments{program.data(), argument.data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int standard : {STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&actions, standard, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t child = 0;
  ::posix_spawn(&child, program.c_str(), &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
}

int serve(const std::string& page, server::Conversation& conversation, const ViewCommand& command) {
  const InterruptGuard interrupt;
  server::LocalServer server(command.port);
  print(server.address().url() + "\n");
  tell_note("closing the page, or Ctrl-C, ends this");
  if (!command.no_open) open_in_browser(server.address().url());
  server.serve(page, conversation, *interrupt.flag());
  return exit_fine;
}

int view_run(const ViewCommand& command) {
  const record::RunReader run(find_run_file(command.what));
  const record::Playback playback =
      record::make_playback(run, recorded_model(run, command.mesh_folder));
  server::Silence silence;
  return serve(page_of(playback), silence, command);
}

int view_scene(const ViewCommand& command) {
  const fs::path path = find_scene(command.what);
  scene::LoadedScene loaded = scene::load_scene_file(path.string(), command.overrides);
  tell_diagnostics(loaded.warnings);
  std::string text = loaded.model.source;
  std::string page = page_of(server::LiveWorld::beginning_of(loaded.model));
  // A scene that was edited is read again, and gets a page of its own.
  const auto renew = [&]() -> std::optional<model::Model> {
    scene::LoadedScene now = scene::load_scene_file(path.string(), command.overrides);
    if (now.model.source == text) return std::nullopt;
    tell_diagnostics(now.warnings);
    page = page_of(server::LiveWorld::beginning_of(now.model));
    text = now.model.source;
    return std::move(now.model);
  };
  server::LiveSession session(std::move(loaded.model), command.threads, renew);
  return serve(page, session, command);
}

}  // namespace

int execute(const ViewCommand& command) {
  return is_run(command.what) ? view_run(command) : view_scene(command);
}

}  // namespace abut::cli
