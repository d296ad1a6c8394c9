// Tensors and operators on the wire (traces/archsim_trace.proto) -> the types of arch/workload.
//
// Read without protobuf's messages in between: these two are nearly all of a long trace, and the messages took most of its time.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "arch/workload/trace.h"

namespace archsim {

/// Tells what is wrong and, perhaps, what was meant.
using Complain = std::function<void(std::string message, std::string help)>;

enum class Decoded { good, malformed, wrong };  // wrong: well-formed, and `complain` was told

/// Fields as protobuf would have them: the last of a single one counts, unknown ones are skipped.
Decoded decode(std::string_view wire, Tensor& into, const Complain& complain);
Decoded decode(std::string_view wire, Operator& into, const Complain& complain);

}  // namespace archsim
