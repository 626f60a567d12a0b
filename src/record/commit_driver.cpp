#include "record/commit_driver.h"

#include <exception>
#include <new>

namespace abut::record {
namespace {

/// What the property list carries to open(): HDF5 copies it byte by byte.
struct DriverInfo {
  CommitFile* file;
};

/// HDF5 fills the base part; the library sees the driver's file as an H5FD_t.
struct DriverFile {
  H5FD_t base;
  CommitFile* file;
};

CommitFile& commit_file(H5FD_t* file) {
  return *reinterpret_cast<DriverFile*>(file)->file;
}
const CommitFile& commit_file(const H5FD_t* file) {
  return *reinterpret_cast<const DriverFile*>(file)->file;
}

constexpr herr_t success = 0;
constexpr herr_t failure = -1;
constexpr haddr_t largest_address = (haddr_t{1} << 62) - 1;

H5FD_t* open_file(const char*, unsigned, hid_t access, haddr_t) {
  const auto* info = static_cast<const DriverInfo*>(H5Pget_driver_info(access));
  if (info == nullptr) return nullptr;
  auto* opened = new (std::nothrow) DriverFile{};
  if (opened != nullptr) opened->file = info->file;
  return reinterpret_cast<H5FD_t*>(opened);
}

herr_t close_file(H5FD_t* file) {
  delete reinterpret_cast<DriverFile*>(file);
  return success;
}

int compare(const H5FD_t* a, const H5FD_t* b) {
  const CommitFile* left = &commit_file(a);
  const CommitFile* right = &commit_file(b);
  return left == right ? 0 : (left < right ? -1 : 1);
}

/// No features: HDF5 must hand over each of its blocks as it is, neither merged nor cached.
herr_t query(const H5FD_t*, unsigned long* flags) {
  *flags = 0;
  return success;
}

haddr_t allocate(H5FD_t* file, H5FD_mem_t, hid_t, hsize_t size) {
  return commit_file(file).allocate(size);
}

/// Freed space stays unused: a reader of the last commit may still need it.
herr_t release(H5FD_t*, H5FD_mem_t, hid_t, haddr_t, hsize_t) {
  return success;
}

haddr_t get_end(const H5FD_t* file, H5FD_mem_t) {
  return commit_file(file).end();
}

herr_t set_end(H5FD_t* file, H5FD_mem_t, haddr_t end) {
  commit_file(file).set_end(end);
  return success;
}

herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, void* buffer) try {
  commit_file(file).read(address, buffer, size);
  return success;
} catch (const std::exception&) {
  return failure;
}

herr_t write(H5FD_t* file, H5FD_mem_t type, hid_t, haddr_t address, size_t size,
             const void* buffer) try {
  commit_file(file).write(address, buffer, size, type == H5FD_MEM_DRAW);
  return success;
} catch (const std::exception&) {
  return failure;
}

H5FD_class_t driver_class() {
  H5FD_class_t driver{};
  driver.name = "abut-commit";
  driver.maxaddr = largest_address;
  driver.fc_degree = H5F_CLOSE_STRONG;
  driver.fapl_size = sizeof(DriverInfo);
  driver.open = open_file;
  driver.close = close_file;
  driver.cmp = compare;
  driver.query = query;
  driver.alloc = allocate;
  driver.free = release;
  driver.get_eoa = get_end;
  driver.set_eoa = set_end;
  driver.get_eof = get_end;
  driver.read = read;
  driver.write = write;
  for (auto& type : driver.fl_map) type = H5FD_MEM_SUPER;
  return driver;
}

hid_t driver_id() {
  static const H5FD_class_t driver = driver_class();
  static const hid_t id = H5FDregister(&driver);
  return hdf5::check(id, "registering the file driver");
}

}  // namespace

hdf5::Handle access_through(CommitFile& file) {
  hdf5::Handle access = hdf5::owned(H5Pcreate(H5P_FILE_ACCESS), "making file properties");
  const DriverInfo info{&file};
  hdf5::check(H5Pset_driver(access, driver_id(), &info), "choosing the file driver");
  // The format of HDF5 1.8: every tool reads it, and its superblock keeps no mark of an open
  // writer, with which a later format refuses to be read after a crash.
  hdf5::check(H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V110),
              "choosing the file format");
  return access;
}

}  // namespace abut::record
