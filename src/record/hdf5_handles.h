#pragma once
// Owning handles for the HDF5 C API, and its errors as exceptions. Included by .cpp files only.

#include <hdf5.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace abut::record::hdf5 {

/// What HDF5 said when the last call failed, innermost reason first.
std::string last_error();

/// Something that failed; the owner of the file adds its name.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Passes on the result of a call, or throws saying what was attempted.
template <class Result>
Result check(Result result, const std::string& attempt) {
  if (result < 0) throw Error(attempt + ": " + last_error());
  return result;
}

/// Closes an identifier, of whatever kind, when it goes.
class Handle {
 public:
  Handle() = default;
  explicit Handle(hid_t id) : id_(id) {}
  ~Handle() { reset(); }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)) {}
  Handle& operator=(Handle&& other) noexcept {
    if (this != &other) {
      reset();
      id_ = std::exchange(other.id_, H5I_INVALID_HID);
    }
    return *this;
  }
  operator hid_t() const { return id_; }
  void reset() {
    if (id_ >= 0) H5Idec_ref(std::exchange(id_, H5I_INVALID_HID));
  }

 private:
  hid_t id_ = H5I_INVALID_HID;
};

inline Handle owned(hid_t id, const std::string& attempt) {
  return Handle(check(id, attempt));
}

/// Keeps HDF5 from printing its error stack while this object lives. Made before any other call,
/// it also keeps HDF5 from cleaning up when the program exits: handles close what is open, and
/// after reading a damaged file that cleaning up complains about an endless loop.
class Quiet {
 public:
  Quiet() {
    static const herr_t no_exit_handler = H5dont_atexit();
    static_cast<void>(no_exit_handler);  // fails harmlessly where a host program uses HDF5 already
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Quiet() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

/// UTF-8 string of any length, and of exactly `size` bytes (at least one).
Handle variable_string_type();
Handle fixed_string_type(std::size_t size);

}  // namespace abut::record::hdf5
