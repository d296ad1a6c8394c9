// Sections of run.json that pictures are drawn from.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "app/answer/answer.h"

namespace archsim {

/// `work`: one row an operator of the trace: what it computes on and how it was mapped.
nlohmann::ordered_json work_section(const RunInputs& inputs, const Answer& answer);

/// `roofline.ceilings`: the rates that no operator exceeds.
nlohmann::ordered_json ceilings_section(const RunInputs& inputs);

/// The operands of an operator for people: "816x2048 int8, 2048x16384 int8 -> 816x16384 int8".
std::string operands_in_words(const Trace& trace, const Operator& op);

/// Of rate_dtype(), for people; empty if there is none.
std::string rate_dtype_name(const Trace& trace, const MachineView& machine, const Operator& op);

}  // namespace archsim
