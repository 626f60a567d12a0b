// `abut schema`, `abut reference`, and the commands that are yet to come.

#include <fmt/format.h>

#include "messages.h"
#include "options.h"
#include "scene/json_schema.h"
#include "scene/reference.h"

namespace abut::cli {

int execute(const SchemaCommand&) {
  print(scene::json_schema());
  return exit_fine;
}

int execute(const ReferenceCommand&) {
  print(scene::reference_page());
  return exit_fine;
}

int execute(const FutureCommand& command) {
  tell_error(fmt::format("'abut {}' is not supported yet", command.name));
  return exit_usage;
}

}  // namespace abut::cli
