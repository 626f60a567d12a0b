#include "record/row_array.h"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

namespace abut::record {
namespace {

static_assert(std::endian::native == std::endian::little,
              "chunks are written as they lie in memory");

/// Of zlib, 1 to 9. Rows of one frame after the other hold many numbers of those before them: this
/// is the first level that looks for the longest repetition.
constexpr int deflate_level = 4;

/// What the deflate filter of HDF5 reads.
std::vector<std::byte> compressed(const std::vector<std::byte>& bytes) {
  uLongf size = compressBound(bytes.size());
  std::vector<std::byte> out(size);
  const int result =
      compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), deflate_level);
  if (result != Z_OK) throw hdf5::Error("zlib could not compress");
  out.resize(size);
  return out;
}

hdf5::Handle creation_properties(const std::vector<hsize_t>& chunk) {
  auto properties = hdf5::owned(H5Pcreate(H5P_DATASET_CREATE), "making dataset properties");
  hdf5::check(H5Pset_chunk(properties, static_cast<int>(chunk.size()), chunk.data()),
              "choosing chunks");
  hdf5::check(H5Pset_obj_track_times(properties, false), "making dataset properties");
  // Without the filter that sorts numbers by their bytes: it tears apart numbers that repeat.
  hdf5::check(H5Pset_deflate(properties, deflate_level), "choosing a filter");
  return properties;
}

/// Without a chunk cache: chunks are written as a whole.
hdf5::Handle uncached_access() {
  auto properties = hdf5::owned(H5Pcreate(H5P_DATASET_ACCESS), "making dataset properties");
  hdf5::check(H5Pset_chunk_cache(properties, 0, 0, 0), "switching off the chunk cache");
  return properties;
}

}  // namespace

RowArray::RowArray(hid_t parent, const std::string& name, hid_t type, Shape shape)
    : name_(name), shape_(std::move(shape)) {
  type_ = hdf5::owned(H5Tcopy(type), "copying a type");
  element_bytes_ = H5Tget_size(type_);
  column_bytes_ = element_bytes_ * (shape_.row.size() > 1 ? shape_.row[1] : 1);
  waiting_.resize(shape_.rows_per_chunk * columns() * column_bytes_);
  const std::size_t per_block = std::max<std::size_t>(shape_.columns_per_chunk, 1);
  bytes_on_file_.resize((columns() + per_block - 1) / per_block);

  std::vector<hsize_t> extent{0}, most{H5S_UNLIMITED}, chunk{shape_.rows_per_chunk};
  for (std::size_t i = 0; i < shape_.row.size(); ++i) {
    extent.push_back(shape_.row[i]);
    most.push_back(shape_.row[i]);
    chunk.push_back(i == 0 ? shape_.columns_per_chunk : shape_.row[i]);
  }
  const auto space = hdf5::owned(
      H5Screate_simple(static_cast<int>(extent.size()), extent.data(), most.data()), name_);
  dataset_ = hdf5::owned(H5Dcreate2(parent, name_.c_str(), type_, space, H5P_DEFAULT,
                                    creation_properties(chunk), uncached_access()),
                         "creating dataset " + name_);
}

void RowArray::append(const void* row) {
  const std::size_t row_bytes = columns() * column_bytes_;
  if (row_bytes > 0) std::memcpy(waiting_.data() + rows_ * row_bytes, row, row_bytes);
  ++rows_;
  if (rows_ < shape_.rows_per_chunk) return;

  write();
  first_row_ += rows_;
  rows_ = 0;
  rows_on_file_ = 0;
  std::fill(bytes_on_file_.begin(), bytes_on_file_.end(), 0);
}

void RowArray::flush() {
  if (rows_ == rows_on_file_) return;
  write();
  rows_on_file_ = rows_;
}

void RowArray::write() {
  std::vector<hsize_t> extent{first_row_ + rows_};
  extent.insert(extent.end(), shape_.row.begin(), shape_.row.end());
  hdf5::check(H5Dset_extent(dataset_, extent.data()), "extending dataset " + name_);
  for (std::size_t block = 0; block < bytes_on_file_.size(); ++block) write_column_block(block);
}

/// A chunk always has its full shape in the file; rows and columns it has too many are zero.
void RowArray::write_column_block(std::size_t block) {
  const std::size_t first_column = block * shape_.columns_per_chunk;
  const std::size_t chunk_row = shape_.columns_per_chunk * column_bytes_;
  const std::size_t row_bytes = columns() * column_bytes_;
  const std::size_t used = std::min(chunk_row, row_bytes - first_column * column_bytes_);
  std::vector<std::byte> chunk(shape_.rows_per_chunk * chunk_row);
  for (std::size_t row = 0; row < rows_; ++row) {
    std::memcpy(chunk.data() + row * chunk_row,
                waiting_.data() + row * row_bytes + first_column * column_bytes_, used);
  }
  std::vector<std::byte> packed = compressed(chunk);
  // HDF5 overwrites a chunk by one of the same size, in place. What follows the end of compressed
  // data is not read.
  if (packed.size() == bytes_on_file_[block]) packed.push_back({});
  bytes_on_file_[block] = packed.size();
  constexpr std::uint32_t no_filter_skipped = 0;
  std::vector<hsize_t> offset(1 + shape_.row.size(), 0);
  offset[0] = first_row_;
  if (offset.size() > 1) offset[1] = first_column;
  hdf5::check(H5Dwrite_chunk(dataset_, H5P_DEFAULT, no_filter_skipped, offset.data(), packed.size(),
                             packed.data()),
              "writing dataset " + name_);
}

}  // namespace abut::record
