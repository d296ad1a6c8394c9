#include "models/dma/channel.h"

namespace archsim {
namespace {

TransferShape shape_of(const DmaParams& params, unsigned index) {
  TransferShape shape{.row_bytes = DmaParams::of_channel(params.row, index).value,
                      .rows = DmaParams::of_channel(params.rows, index),
                      .planes = DmaParams::of_channel(params.planes, index),
                      .row_pitch = DmaParams::of_channel(params.row_pitch, index).value,
                      .plane_pitch = DmaParams::of_channel(params.plane_pitch, index).value};
  if (shape.row_pitch == 0) shape.row_pitch = shape.row_bytes;
  if (shape.plane_pitch == 0) shape.plane_pitch = shape.row_pitch * shape.rows;
  return shape;
}

}  // namespace

DmaChannel::DmaChannel(const DmaParams& params, unsigned index, std::uint64_t base)
    : reads_(DmaParams::of_channel(params.reads, index)),
      writes_(DmaParams::of_channel(params.writes, index)),
      shape_(shape_of(params, index)),
      largest_(std::min<std::uint64_t>(kLargestPiece, params.burst.value * params.outstanding)),
      source_(base + DmaParams::of_channel(params.source, index).value),
      destination_(base + DmaParams::of_channel(params.destination, index).value),
      period_(DmaParams::of_channel(params.period, index)),
      priority_(DmaParams::of_channel(params.priority, index)),
      is_fenced_(DmaParams::of_channel(params.fenced, index)),
      copies_(DmaParams::of_channel(params.copies, index)),
      copy_pitch_(DmaParams::of_channel(params.copy_pitch, index).value) {
  if (copy_pitch_ == 0) copy_pitch_ = shape_.plane_pitch * shape_.planes;
}

void DmaChannel::begin(Time at, Time setup) {
  began_due_ = due_;
  begun_ = at + setup;
  due_ += period_;
  pieces_.emplace(shape_, largest_);
}

bool DmaChannel::writes_next() const {
  if (!is_copy()) return writes_;
  return fetched_.size() == kBuffers || (pieces_->is_done() && !fetched_.empty());
}

Time DmaChannel::ready() const {
  return is_copy() && writes_next() ? std::max(begun_, fetched_.front().there) : begun_;
}

DmaChannel::Request DmaChannel::next() {
  Request request{.piece = {}, .is_write = writes_next()};
  if (is_copy() && request.is_write) {
    request.piece = fetched_.front().piece;
    fetched_.pop_front();
    request.piece.base += destination_;
    return request;
  }
  request.piece = pieces_->next();
  if (is_copy()) fetched_.push_back({request.piece, Time::zero()});
  request.piece.base += request.is_write ? destination_ : source_;
  return request;
}

bool DmaChannel::answered(const Request& request, Time returned) {
  if (is_copy() && !request.is_write) {
    fetched_.back().there = returned;
    return false;
  }
  complete_ = std::max(complete_, returned);
  if (!pieces_->is_done() || !fetched_.empty()) return false;
  pieces_.reset();
  if (period_ == Time::zero()) due_ = begun_;  // the next one at once
  return true;
}

}  // namespace archsim
