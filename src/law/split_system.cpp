#include "law/split_system.h"

namespace abut::law {
namespace {

using math::lane_count;
using math::LaneTriple;
using math::LaneVector;

constexpr int pack_blocks = math::block_parts * lane_count;  // numbers of eight blocks

// Steps of conjugate gradients at most: more than any sheet needs whose springs a step can follow.
constexpr int most_gradients = 2000;

}  // namespace

SplitSystem::SplitSystem(const std::vector<StepSheet>& sheets, std::size_t parts) {
  for (const StepSheet& sheet : sheets) {
    const math::SweepOrder& order = sheet.matrix->order();
    sheets_.push_back({sheet.matrix, places_});
    for (const int place : order.places()) place_of_.push_back(places_ + place);
    places_ += lane_count * order.packs();
  }
  while (place_of_.size() < parts) place_of_.push_back(places_++);
  places_ = (places_ + lane_count - 1) / lane_count * lane_count;
  inverses_.assign(static_cast<std::size_t>(places_) * math::block_parts, 0);
  for (LaneVector* vector : {&t_, &beyond_, &right_, &within_, &w_, &sum_}) vector->resize(places_);
  coupled_x_.resize(parts, math::Quad::Zero());
  coupled_y_.resize(parts, math::Quad::Zero());
}

void SplitSystem::set_inverse(int part, const math::NodeBlock& inverse) {
  const int pack = place_of_[part] / lane_count;
  math::set_block(inverse.matrix(), place_of_[part] % lane_count,
                  &inverses_[std::size_t{pack_blocks} * pack]);
}

// t = (D + L^T)^-1 x, and `beyond` = L^T t.
void SplitSystem::sweep_down(const LaneVector& x, LaneVector& t, LaneVector& beyond) const {
  const auto solve_for = [&](int place, const LaneTriple& others) {
    LaneTriple left = x.window(place);
    left = {left.x + others.x, left.y + others.y, left.z + others.z};
    t.set_window(place, math::times(&inverses_[std::size_t{math::block_parts} * place], left));
  };
  const LaneTriple none = {math::Lanes::Zero(), math::Lanes::Zero(), math::Lanes::Zero()};
  int first_other = 0;
  for (const Sheet& sheet : sheets_) {
    const math::SweepTerms& terms = sheet.matrix->order().after();
    for (int pack = sheet.matrix->order().packs() - 1; pack >= 0; --pack) {
      const int place = sheet.first_place + lane_count * pack;
      LaneTriple less = none;
      for (int k = terms.first[pack]; k < terms.first[pack + 1]; ++k)
        math::subtract(&sheet.matrix->blocks_after()[std::size_t{pack_blocks} * k],
                       t.window(sheet.first_place + terms.from[k]), less);
      beyond.set_window(place, {-less.x, -less.y, -less.z});
      solve_for(place, less);
    }
    first_other = sheet.first_place + lane_count * sheet.matrix->order().packs();
  }
  for (int place = first_other; place < places_; place += lane_count) {
    beyond.set_window(place, none);
    solve_for(place, none);
  }
}

// x becomes (D + L)^-1 x, and `take` is given, by pack, D times that, and that.
template <class Take>
void SplitSystem::sweep_up(LaneVector& x, const Take& take) const {
  const auto solve_for = [&](int place, const LaneTriple& left) {
    const LaneTriple found = math::times(&inverses_[std::size_t{math::block_parts} * place], left);
    x.set_window(place, found);
    take(place, left, found);
  };
  int first_other = 0;
  for (const Sheet& sheet : sheets_) {
    const math::SweepTerms& terms = sheet.matrix->order().before();
    for (int pack = 0; pack < sheet.matrix->order().packs(); ++pack) {
      const int place = sheet.first_place + lane_count * pack;
      LaneTriple left = x.window(place);
      for (int k = terms.first[pack]; k < terms.first[pack + 1]; ++k)
        math::subtract(&sheet.matrix->blocks_before()[std::size_t{pack_blocks} * k],
                       x.window(sheet.first_place + terms.from[k]), left);
      solve_for(place, left);
    }
    first_other = sheet.first_place + lane_count * sheet.matrix->order().packs();
  }
  for (int place = first_other; place < places_; place += lane_count)
    solve_for(place, x.window(place));
}

void SplitSystem::add_coupling_within(const math::NodeVector& x, math::NodeVector& y) {
  for (std::size_t i = 0; i < x.size(); ++i) t_.set_node(place_of_[i], x[i].head<3>());
  const auto subtract_terms = [&](const Sheet& sheet, const math::SweepTerms& terms,
                                  const std::vector<float>& blocks, int pack, LaneTriple& sum) {
    for (int k = terms.first[pack]; k < terms.first[pack + 1]; ++k)
      math::subtract(&blocks[std::size_t{pack_blocks} * k],
                     t_.window(sheet.first_place + terms.from[k]), sum);
  };
  for (const Sheet& sheet : sheets_) {
    const math::NodeMatrix& matrix = *sheet.matrix;
    for (int pack = 0; pack < matrix.order().packs(); ++pack) {
      LaneTriple less = {math::Lanes::Zero(), math::Lanes::Zero(), math::Lanes::Zero()};
      subtract_terms(sheet, matrix.order().before(), matrix.blocks_before(), pack, less);
      subtract_terms(sheet, matrix.order().after(), matrix.blocks_after(), pack, less);
      beyond_.set_window(sheet.first_place + lane_count * pack, less);
    }
  }
  std::size_t i = 0;
  for (const Sheet& sheet : sheets_)
    for (int node = 0; node < sheet.matrix->nodes(); ++node, ++i)
      y[i].head<3>() -= beyond_.node(place_of_[i]);
}

void SplitSystem::add_couplings(LaneVector& y) {
  for (const int part : *coupled_) {
    coupled_x_[part] = math::quad(t_.node(place_of_[part]));
    coupled_y_[part].setZero();
  }
  (*add_coupling_)(coupled_x_, coupled_y_);
  for (const int part : *coupled_) y.add_node(place_of_[part], coupled_y_[part].head<3>());
}

void SplitSystem::apply(const LaneVector& p, LaneVector& q, LaneVector& dq) {
  sweep_down(p, t_, beyond_);
  sum_ = beyond_;
  if (!coupled_->empty()) add_couplings(sum_);
  sweep_up(sum_, [&](int place, const LaneTriple& within, const LaneTriple& found) {
    const LaneTriple t = t_.window(place), own = p.window(place), less = beyond_.window(place);
    q.set_window(place, {found.x + t.x, found.y + t.y, found.z + t.z});
    dq.set_window(
        place, {within.x + own.x - less.x, within.y + own.y - less.y, within.z + own.z - less.z});
  });
}

bool SplitSystem::solve(const std::vector<int>& coupled, const AddCoupling& add_coupling,
                        const math::NodeVector& b, const math::Enough& enough,
                        math::NodeVector& v) {
  coupled_ = &coupled;
  add_coupling_ = &add_coupling;
  for (std::size_t i = 0; i < b.size(); ++i) right_.set_node(place_of_[i], b[i].head<3>());
  sweep_up(right_, [&](int place, const LaneTriple& within, const LaneTriple&) {
    within_.set_window(place, within);
  });
  const math::Gradients found = math::conjugate_gradients(
      [&](const LaneVector& p, LaneVector& q, LaneVector& dq) { apply(p, q, dq); }, right_, within_,
      enough, most_gradients, w_, memory_);
  sweep_down(w_, t_, beyond_);
  v.resize(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) v[i] = math::quad(t_.node(place_of_[i]));
  return found.is_solved;
}

}  // namespace abut::law
