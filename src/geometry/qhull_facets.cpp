#include "geometry/qhull_facets.h"

#include <fmt/core.h>

#include <cstdio>
#include <cstdlib>

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

namespace abut::geometry {
namespace {

/// Catches what Qhull would write to stderr.
class MessageCatcher {
 public:
  MessageCatcher() : stream_(open_memstream(&text_, &size_)) {}
  MessageCatcher(const MessageCatcher&) = delete;
  MessageCatcher& operator=(const MessageCatcher&) = delete;
  ~MessageCatcher() {
    if (stream_ != nullptr) std::fclose(stream_);
    std::free(text_);
  }
  FILE* stream() { return stream_; }
  std::string first_line() {
    std::fflush(stream_);
    const std::string all = text_ == nullptr ? "" : text_;
    return all.substr(0, all.find('\n'));
  }

 private:
  char* text_ = nullptr;
  std::size_t size_ = 0;
  FILE* stream_ = nullptr;
};

/// Owns the state of one run of Qhull.
class Qhull {
 public:
  explicit Qhull(FILE* errors) { qh_zero(&state_, errors); }
  Qhull(const Qhull&) = delete;
  Qhull& operator=(const Qhull&) = delete;
  ~Qhull() {
    state_.NOerrexit = True;  // no longjmp out of freeing memory
    qh_freeqhull(&state_, !qh_ALL);
    int long_blocks = 0;
    int long_bytes = 0;
    qh_memfreeshort(&state_, &long_blocks, &long_bytes);
  }
  qhT* state() { return &state_; }

 private:
  qhT state_{};
};

std::vector<HullFacet> facets_of(const qhT& state, const coordT* coordinates) {
  std::vector<HullFacet> facets;
  // The list ends with a sentinel that is no facet.
  for (const facetT* facet = state.facet_list; facet != nullptr && facet->next != nullptr;
       facet = facet->next) {
    HullFacet result;
    result.normal = Vec3(facet->normal[0], facet->normal[1], facet->normal[2]);
    const setT* set = facet->vertices;
    // A set is an array of pointers that ends with a null pointer.
    for (const setelemT* element = set->e; element->p != nullptr; ++element) {
      const auto* vertex = static_cast<const vertexT*>(element->p);
      result.vertices.push_back(static_cast<int>((vertex->point - coordinates) / 3));
    }
    facets.push_back(std::move(result));
  }
  return facets;
}

}  // namespace

QhullResult qhull_facets(const std::vector<Vec3>& points, double roundoff) {
  std::vector<coordT> coordinates;
  coordinates.reserve(3 * points.size());
  for (const Vec3& p : points) coordinates.insert(coordinates.end(), {p.x(), p.y(), p.z()});

  MessageCatcher messages;
  if (messages.stream() == nullptr) return {{}, "no memory for messages"};
  Qhull qhull(messages.stream());
  // Pp: no warnings about precision, for facets are merged where it ends; E: where that is.
  std::string command = fmt::format("qhull Pp E{}", roundoff);
  const int failed =
      qh_new_qhull(qhull.state(), 3, static_cast<int>(points.size()), coordinates.data(), False,
                   command.data(), nullptr, messages.stream());
  if (failed != 0) return {{}, messages.first_line()};
  return {facets_of(*qhull.state(), coordinates.data()), {}};
}

}  // namespace abut::geometry
