#include "record/hdf5_reading.h"

#include <functional>
#include <numeric>

namespace abut::record::hdf5 {
namespace {

/// A text of fixed size as it was written: padded with NUL.
std::string without_padding(std::string text) {
  const auto last = text.find_last_not_of('\0');
  text.resize(last == std::string::npos ? 0 : last + 1);
  return text;
}

bool is_text(hid_t type) {
  return H5Tget_class(type) == H5T_STRING;
}

/// Frees texts that HDF5 allocated, also when an exception passes.
class TextBlock {
 public:
  TextBlock(hid_t type, hid_t space, std::size_t count)
      : type_(type), space_(space), items(count) {}
  ~TextBlock() { H5Dvlen_reclaim(type_, space_, H5P_DEFAULT, items.data()); }
  TextBlock(const TextBlock&) = delete;
  TextBlock& operator=(const TextBlock&) = delete;

 private:
  hid_t type_;
  hid_t space_;

 public:
  std::vector<char*> items;
};

std::string to_text(const char* text) {
  return text == nullptr ? std::string() : text;
}

}  // namespace

std::string read_text_attribute(hid_t object, const char* name) {
  const auto attribute =
      owned(H5Aopen(object, name, H5P_DEFAULT), std::string("opening attribute ") + name);
  const auto type = owned(H5Aget_type(attribute), name);
  if (!is_text(type) || H5Tis_variable_str(type) > 0) {
    throw Error(std::string("attribute ") + name + " is not a text of fixed size");
  }
  std::string text(H5Tget_size(type), '\0');
  check(H5Aread(attribute, type, text.data()), std::string("reading attribute ") + name);
  return without_padding(text);
}

long read_integer_attribute(hid_t object, const char* name) {
  const auto attribute =
      owned(H5Aopen(object, name, H5P_DEFAULT), std::string("opening attribute ") + name);
  long value = 0;
  check(H5Aread(attribute, H5T_NATIVE_LONG, &value), std::string("reading attribute ") + name);
  return value;
}

Table::Table(hid_t parent, const std::string& name) : name_(name) {
  dataset_ = owned(H5Dopen2(parent, name.c_str(), H5P_DEFAULT), "opening dataset " + name);
  const auto space = owned(H5Dget_space(dataset_), name);
  const int rank = check(H5Sget_simple_extent_ndims(space), name);
  if (rank < 1) throw Error("dataset " + name + " is not a list");
  std::vector<hsize_t> extents(static_cast<std::size_t>(rank));
  check(H5Sget_simple_extent_dims(space, extents.data(), nullptr), name);
  rows_ = extents[0];
  row_.assign(extents.begin() + 1, extents.end());
}

void Table::expect_row(const std::vector<std::size_t>& extents) const {
  if (std::vector<std::size_t>(row_.begin(), row_.end()) != extents) {
    throw Error("dataset " + name_ + " has the wrong extents");
  }
}

std::size_t Table::row_size() const {
  return std::accumulate(row_.begin(), row_.end(), std::size_t{1}, std::multiplies<>());
}

void Table::read(std::size_t first, std::size_t count, hid_t type, void* out) const {
  if (count * row_size() == 0) return;
  std::vector<hsize_t> start{first}, extents{count};
  start.resize(1 + row_.size(), 0);
  extents.insert(extents.end(), row_.begin(), row_.end());
  const auto memory =
      owned(H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr), name_);
  const auto file = owned(H5Dget_space(dataset_), name_);
  check(H5Sselect_hyperslab(file, H5S_SELECT_SET, start.data(), nullptr, extents.data(), nullptr),
        "selecting rows of " + name_);
  check(H5Dread(dataset_, type, memory, file, H5P_DEFAULT, out), "reading dataset " + name_);
}

std::vector<double> Table::numbers(std::size_t first, std::size_t count) const {
  std::vector<double> values(count * row_size());
  read(first, count, H5T_NATIVE_DOUBLE, values.data());
  return values;
}

std::vector<std::int32_t> Table::integers(std::size_t first, std::size_t count) const {
  std::vector<std::int32_t> values(count * row_size());
  read(first, count, H5T_NATIVE_INT32, values.data());
  return values;
}

std::vector<std::uint64_t> Table::counts(std::size_t first, std::size_t count) const {
  std::vector<std::uint64_t> values(count * row_size());
  read(first, count, H5T_NATIVE_UINT64, values.data());
  return values;
}

std::vector<std::uint8_t> Table::codes(std::size_t first, std::size_t count) const {
  const auto type = owned(H5Dget_type(dataset_), name_);
  if (H5Tget_class(type) != H5T_ENUM || H5Tget_size(type) != 1) {
    throw Error("dataset " + name_ + " is not an enumeration of one byte");
  }
  std::vector<std::uint8_t> values(count * row_size());
  read(first, count, type, values.data());
  return values;
}

std::vector<std::string> Table::texts(std::size_t first, std::size_t count) const {
  const auto type = owned(H5Dget_type(dataset_), name_);
  if (!is_text(type) || H5Tis_variable_str(type) <= 0 || !row_.empty()) {
    throw Error("dataset " + name_ + " is not a list of texts");
  }
  if (count == 0) return {};
  const hsize_t extent = count;
  const auto space = owned(H5Screate_simple(1, &extent, nullptr), name_);
  TextBlock block(type, space, count);
  read(first, count, type, block.items.data());
  std::vector<std::string> values;
  values.reserve(count);
  for (const char* item : block.items) values.push_back(to_text(item));
  return values;
}

std::string read_text(hid_t parent, const std::string& name) {
  const auto dataset =
      owned(H5Dopen2(parent, name.c_str(), H5P_DEFAULT), "opening dataset " + name);
  const auto type = owned(H5Dget_type(dataset), name);
  const auto space = owned(H5Dget_space(dataset), name);
  if (!is_text(type) || H5Sget_simple_extent_npoints(space) != 1) {
    throw Error("dataset " + name + " is not a text");
  }
  if (H5Tis_variable_str(type) > 0) {
    TextBlock block(type, space, 1);
    check(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, block.items.data()),
          "reading dataset " + name);
    return to_text(block.items[0]);
  }
  std::string text(H5Tget_size(type), '\0');
  check(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()),
        "reading dataset " + name);
  return without_padding(text);
}

}  // namespace abut::record::hdf5
