#include "app/report/run_sections/sections.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/answer/engine_name.h"
#include "app/pictures/roofline/ceilings.h"
#include "models/roofline/peaks.h"

namespace archsim {
namespace {

using Json = nlohmann::ordered_json;

std::string in_words(const Tensor& tensor) {
  std::string text;
  for (const std::uint64_t extent : tensor.shape) text += fmt::format("{}{}", text.empty() ? "" : "x", extent);
  return fmt::format("{} {}{}", text, name_of(tensor.dtype), tensor.grouping.is_two_of_four ? " 2:4" : "");
}

std::string list(const Trace& trace, const std::vector<TensorUse>& uses) {
  std::string text;
  for (const TensorUse& use : uses) text += (text.empty() ? "" : ", ") + in_words(trace.tensors[use.tensor]);
  return text;
}

}  // namespace

std::string operands_in_words(const Trace& trace, const Operator& op) {
  return list(trace, op.inputs) + " -> " + list(trace, op.outputs);
}

std::string rate_dtype_name(const Trace& trace, const MachineView& machine, const Operator& op) {
  const auto dtype = rate_dtype(trace, machine, op);
  return dtype ? std::string(name_of(*dtype)) : std::string();
}

Json work_section(const RunInputs& inputs, const Answer& answer) {
  Json work = Json::array();
  const auto where = positions(inputs.trace);
  for (std::size_t i = 0; i < inputs.trace.operators.size(); ++i) {
    const Operator& op = inputs.trace.operators[i];
    const OperatorMapping& mapping = inputs.program.operators[i];
    const Counts& counts = answer.counts.operators[i];
    work.push_back({{"name", op.name},
                    {"op", name_of(op.type)},
                    {"stage", inputs.trace.stages[where[i].stage].name},
                    {"instances", where[i].instances},
                    {"engine", engine_name(mapping.runs_on)},
                    {"dtype", rate_dtype_name(inputs.trace, inputs.machine, op)},
                    {"operands", operands_in_words(inputs.trace, op)},
                    {"macs", counts.macs},
                    {"vector_elements", counts.vector_elements},
                    {"weight_bytes", counts.weight_bytes},
                    {"at_once", mapping.batch.count},
                    {"why", mapping.why}});
  }
  return work;
}

Json ceilings_section(const RunInputs& inputs) {
  const Ceilings all = ceilings(inputs.spec, inputs.machine);
  Json macs = Json::object(), memories = Json::array();
  for (const auto& [dtype, rate] : all.macs_per_s) macs[dtype] = rate;
  for (const MemoryCeiling& memory : all.memories) {
    memories.push_back({{"name", memory.name},
                        {"bytes_per_s", memory.bytes_per_s},
                        {"achievable_bytes_per_s", memory.achievable_bytes_per_s}});
  }
  return {{"macs_per_s", std::move(macs)},
          {"vector_elements_per_s", all.vector_elements_per_s},
          {"memories", std::move(memories)}};
}

}  // namespace archsim
