#include "accel-rtl/dv/surroundings/csr_host.h"

namespace archsim::rtl {

CsrHost::CsrHost(const PauseParams& pauses)
    : address_pause_(pauses, 32), data_pause_(pauses, 33), answer_pause_(pauses, 34) {}

std::optional<CsrHost::Answer> CsrHost::take_answer() {
  if (answers_.empty()) return {};
  const Answer answer = answers_.front();
  answers_.pop_front();
  return answer;
}

void CsrHost::drive(CoreInputs& in) {
  in.axil_aw_valid = in.axil_w_valid = in.axil_ar_valid = false;
  in.axil_b_ready = in.axil_r_ready = !answer_pause_.holds_off();
  if (accesses_.empty()) return;
  const Access& access = accesses_.front();
  if (!address_taken_) holds_address_ = holds_address_ || !address_pause_.holds_off();
  if (access.is_write && !data_taken_) holds_data_ = holds_data_ || !data_pause_.holds_off();
  in.axil_aw_valid = access.is_write && holds_address_;
  in.axil_ar_valid = !access.is_write && holds_address_;
  in.axil_w_valid = holds_data_;
  in.axil_aw_address = in.axil_ar_address = access.address;
  in.axil_w_data = access.data;
}

void CsrHost::clock(const CoreInputs& in, const CoreOutputs& out) {
  if ((in.axil_aw_valid && out.axil_aw_ready) || (in.axil_ar_valid && out.axil_ar_ready)) {
    address_taken_ = true;
    holds_address_ = false;
  }
  if (in.axil_w_valid && out.axil_w_ready) {
    data_taken_ = true;
    holds_data_ = false;
  }
  const bool wrote = out.axil_b_valid && in.axil_b_ready, read = out.axil_r_valid && in.axil_r_ready;
  if (!wrote && !read) return;
  answers_.push_back(read ? Answer{out.axil_r_data, out.axil_r_response} : Answer{0, out.axil_b_response});
  accesses_.pop_front();
  address_taken_ = data_taken_ = false;
}

}  // namespace archsim::rtl
