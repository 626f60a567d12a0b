#pragma once
// How parts of a body and cells of meshes are numbered: a part by its index, a cell by a number
// that tells the part and the cell.

namespace abut::narrow {

/// Limits of bodies with meshes: parts, and cells of one of them.
inline constexpr int most_parts_with_cells = 1 << 10;
inline constexpr int most_cells = 1 << 20;

inline constexpr int cell_flag = 1 << 30;

constexpr bool is_cell(int id) {
  return id >= cell_flag;
}
constexpr int cell_id(int part, int cell) {
  return cell_flag + part * most_cells + cell;
}
constexpr int part_of(int id) {
  return is_cell(id) ? (id - cell_flag) / most_cells : id;
}
constexpr int cell_of(int id) {
  return (id - cell_flag) % most_cells;
}

}  // namespace abut::narrow
