#include "record/version.h"

namespace abut::record {

std::string_view program_version() {
  return ABUT_VERSION_STRING;
}

}  // namespace abut::record
