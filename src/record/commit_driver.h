#pragma once
// Lets HDF5 write into a CommitFile. Included by .cpp files only.

#include "record/commit_file.h"
#include "record/hdf5_handles.h"

namespace abut::record {

/// A file access property list under which H5Fcreate fills `file` (which must outlive the HDF5
/// file) instead of opening a file of its own.
hdf5::Handle access_through(CommitFile& file);

}  // namespace abut::record
