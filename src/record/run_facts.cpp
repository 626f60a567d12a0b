#include "record/run_facts.h"

#include <cstdint>
#include <vector>

#include "base/hash.h"
#include "record/mesh_fingerprint.h"
#include "record/run_layout.h"
#include "record/version.h"

namespace abut::record {
namespace {

/// More members than any group of a run file has.
constexpr unsigned most_links_in_header = 32;

hdf5::Handle scalar() {
  return hdf5::owned(H5Screate(H5S_SCALAR), "making a scalar");
}

void write_attribute(hid_t object, const char* name, hid_t type, const void* value) {
  const auto attribute =
      hdf5::owned(H5Acreate2(object, name, type, scalar(), H5P_DEFAULT, H5P_DEFAULT), name);
  hdf5::check(H5Awrite(attribute, type, value), name);
}

void write_text_attribute(hid_t object, const char* name, std::string text, std::size_t size) {
  text.resize(size);
  write_attribute(object, name, hdf5::fixed_string_type(size), text.data());
}

hdf5::Handle untimed() {
  auto properties = hdf5::owned(H5Pcreate(H5P_DATASET_CREATE), "making dataset properties");
  hdf5::check(H5Pset_obj_track_times(properties, false), "making dataset properties");
  return properties;
}

/// Texts have their exact size as type, so that a scene may hold any character, even NUL.
void write_text(hid_t group, const char* name, const std::string& text) {
  const auto type = hdf5::fixed_string_type(text.size());
  const auto dataset = hdf5::owned(
      H5Dcreate2(group, name, type, scalar(), H5P_DEFAULT, untimed(), H5P_DEFAULT), name);
  hdf5::check(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.c_str()), name);
}

void write_list(hid_t group, const char* name, hid_t type, const std::vector<hsize_t>& extents,
                const void* data) {
  const auto space = hdf5::owned(
      H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr), name);
  const auto dataset =
      hdf5::owned(H5Dcreate2(group, name, type, space, H5P_DEFAULT, untimed(), H5P_DEFAULT), name);
  if (extents[0] == 0) return;
  hdf5::check(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), name);
}

void write_bodies(hid_t group, const std::vector<model::Body>& bodies) {
  std::vector<const char*> names;
  std::vector<std::uint8_t> motions;
  std::vector<double> masses, volumes, centres, inertias;
  for (const model::Body& body : bodies) {
    names.push_back(body.name.c_str());
    motions.push_back(static_cast<std::uint8_t>(body.motion.index()));
    masses.push_back(body.mass.mass);
    volumes.push_back(body.mass.volume);
    const Vec3& centre = body.mass.central.position;
    centres.insert(centres.end(), centre.data(), centre.data() + 3);
    // Symmetric, so that the order of storage does not matter.
    const Mat3& inertia = body.mass.inertia;
    inertias.insert(inertias.end(), inertia.data(), inertia.data() + 9);
  }
  const hsize_t n = bodies.size();
  write_list(group, "name", hdf5::variable_string_type(), {n}, names.data());
  write_list(group, "motion", layout::motion_type(), {n}, motions.data());
  write_list(group, "mass", H5T_IEEE_F64LE, {n}, masses.data());
  write_list(group, "volume", H5T_IEEE_F64LE, {n}, volumes.data());
  write_list(group, "centre_of_mass", H5T_IEEE_F64LE, {n, 3}, centres.data());
  write_list(group, "inertia", H5T_IEEE_F64LE, {n, 3, 3}, inertias.data());
}

/// Bodies that bend: how many columns each has, and of a sheet how many nodes lie along x.
void write_bending(hid_t group, const std::vector<model::Body>& bodies) {
  std::vector<std::int32_t> columns, across;
  bool any = false;
  for (const model::Body& body : bodies) {
    any = any || body.bends();
    columns.push_back(body.bends() ? body.bending->body->columns() : 0);
    across.push_back(
        body.bends() && body.bending->body->is_sheet() ? body.bending->body->grid.cells_x + 1 : 0);
  }
  if (!any) return;
  const hsize_t n = bodies.size();
  write_list(group, "columns", H5T_STD_I32LE, {n}, columns.data());
  write_list(group, "nodes_across", H5T_STD_I32LE, {n}, across.data());
}

/// The files one after the other: their names and fingerprints, and where each ends.
void write_meshes(hid_t file, const std::vector<model::MeshFile>& files) {
  if (files.empty()) return;
  std::vector<const char*> names, hashes;
  std::vector<std::string> texts;
  std::vector<double> vertices;
  std::vector<std::int32_t> counts, corners;
  std::vector<std::uint64_t> vertices_end, faces_end;
  texts.reserve(files.size());
  for (const model::MeshFile& one : files) texts.push_back(fingerprint(*one.mesh));
  for (std::size_t i = 0; i < files.size(); ++i) {
    names.push_back(files[i].file.c_str());
    hashes.push_back(texts[i].c_str());
    for (const Vec3& v : files[i].mesh->vertices)
      vertices.insert(vertices.end(), v.data(), v.data() + 3);
    for (const std::vector<int>& face : files[i].mesh->faces) {
      counts.push_back(static_cast<std::int32_t>(face.size()));
      corners.insert(corners.end(), face.begin(), face.end());
    }
    vertices_end.push_back(vertices.size() / 3);
    faces_end.push_back(counts.size());
  }
  const auto group = create_group(file, "meshes");
  const hsize_t n = files.size();
  write_list(group, "file", hdf5::variable_string_type(), {n}, names.data());
  write_list(group, "hash", hdf5::variable_string_type(), {n}, hashes.data());
  write_list(group, "vertices_end", H5T_STD_U64LE, {n}, vertices_end.data());
  write_list(group, "faces_end", H5T_STD_U64LE, {n}, faces_end.data());
  write_list(group, "vertices", H5T_IEEE_F64LE, {vertices.size() / 3, 3}, vertices.data());
  write_list(group, "corner_counts", H5T_STD_I32LE, {counts.size()}, counts.data());
  write_list(group, "corners", H5T_STD_I32LE, {corners.size()}, corners.data());
}

std::vector<std::string> joint_names(const model::Model& model) {
  std::vector<std::string> names;
  for (const joint::Joint& joint : model.joints) names.push_back(joint.name);
  for (const model::Body& body : model.bodies)
    if (body.bends())
      for (const model::Hold& hold : body.bending->holds) names.push_back(hold.name);
  return names;
}

void write_joints(hid_t group, const std::vector<std::string>& names) {
  std::vector<const char*> texts;
  texts.reserve(names.size());
  for (const std::string& name : names) texts.push_back(name.c_str());
  write_list(group, "name", hdf5::variable_string_type(), {texts.size()}, texts.data());
}

}  // namespace

void set_group_layout(hid_t group_creation_properties) {
  hdf5::check(H5Pset_link_phase_change(group_creation_properties, most_links_in_header, 0),
              "making group properties");
  hdf5::check(H5Pset_obj_track_times(group_creation_properties, false), "making group properties");
}

hdf5::Handle create_group(hid_t parent, const char* name) {
  const auto properties = hdf5::owned(H5Pcreate(H5P_GROUP_CREATE), "making group properties");
  set_group_layout(properties);
  return hdf5::owned(H5Gcreate2(parent, name, H5P_DEFAULT, properties, H5P_DEFAULT),
                     std::string("creating group ") + name);
}

void write_facts(hid_t file, const model::Model& model) {
  const std::string format = layout::format;
  const std::int32_t version = layout::format_version;
  const std::string program(program_version());
  const std::uint8_t complete = 0;
  write_text_attribute(file, "format", format, format.size());
  write_attribute(file, "format_version", H5T_STD_I32LE, &version);
  write_text_attribute(file, "abut_version", program, program.size());
  write_text_attribute(file, "status", std::string(to_string(RunStatus::running)),
                       layout::status_size);
  write_attribute(file, "complete", H5T_STD_U8LE, &complete);

  const auto scene = create_group(file, "scene");
  write_text(scene, "name", model.name);
  write_text(scene, "text", model.source);
  base::Hash hash;
  hash.add(std::string_view(model.source));
  write_text(scene, "hash", hash.hex());
  write_meshes(file, model.mesh_files);
  const auto bodies = create_group(file, "bodies");
  write_bodies(bodies, model.bodies);
  write_bending(bodies, model.bodies);
  write_joints(create_group(file, "joints"), joint_names(model));

  // The summary comes at the end of the run; its place is made now, see write_outcome().
  const char* empty = "";
  const auto type = hdf5::variable_string_type();
  const auto summary = hdf5::owned(
      H5Dcreate2(file, "summary", type, scalar(), H5P_DEFAULT, untimed(), H5P_DEFAULT), "summary");
  hdf5::check(H5Dwrite(summary, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &empty), "writing summary");
}

void write_outcome(hid_t file, RunStatus status, const std::string& summary_json) {
  const auto type = hdf5::variable_string_type();
  const char* text = summary_json.c_str();
  const auto summary = hdf5::owned(H5Dopen2(file, "summary", H5P_DEFAULT), "summary");
  hdf5::check(H5Dwrite(summary, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &text), "writing summary");

  std::string name(to_string(status));
  name.resize(layout::status_size);
  const auto status_type = hdf5::fixed_string_type(layout::status_size);
  const auto attribute = hdf5::owned(H5Aopen(file, "status", H5P_DEFAULT), "status");
  hdf5::check(H5Awrite(attribute, status_type, name.data()), "writing the status");
  const std::uint8_t complete = status == RunStatus::complete ? 1 : 0;
  const auto flag = hdf5::owned(H5Aopen(file, "complete", H5P_DEFAULT), "complete");
  hdf5::check(H5Awrite(flag, H5T_STD_U8LE, &complete), "writing the status");
}

}  // namespace abut::record
