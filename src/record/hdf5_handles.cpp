#include "record/hdf5_handles.h"

#include <algorithm>

namespace abut::record::hdf5 {
namespace {

herr_t keep_first(unsigned depth, const H5E_error2_t* entry, void* text) {
  if (depth == 0 && entry->desc != nullptr) *static_cast<std::string*>(text) = entry->desc;
  return 0;
}

}  // namespace

std::string last_error() {
  std::string text;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &text);
  return text.empty() ? "HDF5 gave no reason" : text;
}

Handle variable_string_type() {
  Handle type = owned(H5Tcopy(H5T_C_S1), "making a string type");
  check(H5Tset_size(type, H5T_VARIABLE), "making a string type");
  check(H5Tset_cset(type, H5T_CSET_UTF8), "making a string type");
  return type;
}

Handle fixed_string_type(std::size_t size) {
  Handle type = owned(H5Tcopy(H5T_C_S1), "making a string type");
  check(H5Tset_size(type, std::max<std::size_t>(size, 1)), "making a string type");
  check(H5Tset_strpad(type, H5T_STR_NULLPAD), "making a string type");
  check(H5Tset_cset(type, H5T_CSET_UTF8), "making a string type");
  return type;
}

}  // namespace abut::record::hdf5
