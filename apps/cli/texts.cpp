// `abut schema`, `abut reference`.

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

}  // namespace abut::cli
