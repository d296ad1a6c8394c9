// Protobuf messages -> the types of arch/workload. Errors carry the reader's place.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "arch/workload/trace.h"
#include "traces/archsim_trace.pb.h"

namespace archsim {

/// Tells what is wrong and, perhaps, what was meant.
using Complain = std::function<void(std::string message, std::string help)>;

std::optional<Tensor> decode(const proto::Tensor& message, const Complain& complain);
std::optional<Operator> decode(const proto::Operator& message, const Complain& complain);

}  // namespace archsim
