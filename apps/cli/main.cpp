// The program `abut`: reads the command line, carries out one command, and tells the shell how it
// went.

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <new>

#include "abut/diagnostics.h"
#include "arguments.h"
#include "messages.h"

int main(int argc, char** argv) {
  using namespace abut::cli;
  // Full disks and closed pipes are reported where they happen, not by sudden death.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  try {
    const auto parsed = parse_arguments(argc, argv);
    if (const int* code = std::get_if<int>(&parsed)) return *code;
    return std::visit([](const auto& command) { return execute(command); },
                      std::get<Command>(parsed));
  } catch (const abut::InputError& error) {
    tell_diagnostics(error.diagnostics());
    return exit_usage;
  } catch (const std::bad_alloc&) {
    tell_error("there is not enough memory for this");
    return exit_failed;
  } catch (const std::exception& error) {
    tell_error(error.what());
    return exit_failed;
  }
}
