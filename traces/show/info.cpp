#include "traces/show/info.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "arch/workload/count.h"
#include "traces/file/trace_reader.h"
#include "traces/show/listing.h"
#include "traces/show/summary.h"

namespace archsim {
namespace {

using Json = nlohmann::ordered_json;

Json bytes_json(const MovedBytes& bytes) {
  return {{"weight", bytes.weight},
          {"kv_read", bytes.kv_read},
          {"kv_write", bytes.kv_write},
          {"activation", bytes.activation},
          {"all", bytes.all()}};
}

Json share_json(const Share& share) {
  return {{"name", share.name},
          {"type", name_of(share.type)},
          {"operators", share.operators},
          {"instances", share.instances},
          {"macs", share.macs},
          {"bytes", bytes_json(share.bytes)},
          {"macs_per_byte", intensity(share.macs, share.bytes)}};
}

Json shares_json(const std::vector<Share>& shares) {
  Json json = Json::array();
  for (const auto& share : shares) json.push_back(share_json(share));
  return json;
}

Json counts_json(const StageCounts& stage, const KvGrowth& growth) {
  const auto& once = stage.once;
  return {{"name", stage.name},
          {"repeat", stage.repeat},
          {"macs", once.macs},
          {"attention_macs", once.attention_macs},
          {"dead_macs", once.dead_macs},
          {"weight_elements", once.weight_elements},
          {"weight_bytes", once.weight_bytes},
          {"kv_read_bytes", once.kv_read_bytes},
          {"kv_write_bytes", once.kv_write_bytes},
          {"activation_bytes", once.activation_bytes},
          {"score_elements", once.score_elements},
          {"vector_elements", once.vector_elements},
          {"bytes", bytes_json(moved_bytes(once))},
          {"macs_per_byte", intensity(once.macs, moved_bytes(once))},
          {"kv_growth", {{"bytes_per_repeat", growth.bytes}, {"positions_per_repeat", growth.rows}}}};
}

Json attribute_json(const AttributeValue& value) {
  return std::visit([](const auto& each) { return Json(each); }, value);
}

Json use_json(const Trace& trace, const TensorUse& use) {
  Json json = {{"tensor", trace.tensors[use.tensor].name}};
  for (const auto& index : use.copy) {
    Json copy = {{"offset", index.offset}};
    if (index.loop != CopyIndex::kFixed) copy["loop"] = index.loop;
    json["copy"].push_back(std::move(copy));
  }
  return json;
}

Json operator_json(const Trace& trace, std::uint32_t index) {
  const auto& op = trace.operators[index];
  Json json = {{"index", index}, {"name", op.name}, {"type", name_of(op.type)}};
  for (const auto& [name, value] : op.attributes) json["attributes"][name] = attribute_json(value);
  json["inputs"] = Json::array();
  for (const auto& use : op.inputs) json["inputs"].push_back(use_json(trace, use));
  json["outputs"] = Json::array();
  for (const auto& use : op.outputs) json["outputs"].push_back(use_json(trace, use));
  for (const auto before : op.dependencies) json["dependencies"].push_back(trace.operators[before].name);
  if (op.dead) json["dead"] = true;
  return json;
}

Json repeat_json(const Trace& trace, const Repeat& repeat) {
  Json json = {
      {"loop", repeat.loop}, {"name", trace.loops[repeat.loop].name}, {"count", trace.loops[repeat.loop].count}};
  json["body"] = Json::array();
  for (const auto& step : repeat.body) {
    if (const auto* inner = std::get_if<Repeat>(&step)) {
      json["body"].push_back({{"repeat", repeat_json(trace, *inner)}});
    } else {
      json["body"].push_back({{"operator", operator_json(trace, std::get<std::uint32_t>(step))}});
    }
  }
  return json;
}

void add_grouping(const Grouping& grouping, Json& json) {
  if (grouping.group > 0) {
    json["group"] = grouping.group;
    json["group_scale"] = name_of(grouping.scale);
  }
  if (grouping.is_two_of_four) json["sparsity"] = name_of(Sparsity::two_of_four);
}

Json format_json(const FormatCounts& format) {
  Json json = {{"role", name_of(format.role)}, {"dtype", name_of(format.dtype)}};
  add_grouping(format.grouping, json);
  json["elements"] = format.elements;
  json["value_bytes"] = format.bytes.values;
  json["scale_bytes"] = format.bytes.scales;
  json["metadata_bytes"] = format.bytes.metadata;
  return json;
}

Json tensor_json(const Tensor& tensor) {
  Json json = {{"name", tensor.name},
               {"role", name_of(tensor.role)},
               {"shape", tensor.shape},
               {"dtype", name_of(tensor.dtype)},
               {"layout", name_of(tensor.layout)},
               {"scale", tensor.scale}};
  if (!tensor.copies.empty()) json["copies"] = tensor.copies;
  add_grouping(tensor.grouping, json);
  return json;
}

}  // namespace

Json trace_info_json(const Trace& trace) {
  const auto counts = count(trace);
  Json json = {{"schema", "archsim.trace_info/1"},
               {"model", trace.model},
               {"parameters_set", trace.parameters},
               {"digest", trace.digest},
               {"macs", counts.macs},
               {"attention_macs", counts.attention_macs},
               {"dead_macs", counts.dead_macs},
               {"parameters", counts.parameters},
               {"weight_bytes", counts.weight_bytes},
               {"kv_cache_bytes", counts.kv_cache_bytes},
               {"operators", trace.operators.size()},
               {"executed_operators", counts.executed_operators},
               {"tensors", trace.tensors.size()}};
  const auto summary = summarize(trace, counts);
  json["bytes"] = bytes_json(summary.bytes);
  json["macs_per_byte"] = intensity(counts.macs, summary.bytes);
  json["stages"] = Json::array();
  for (std::size_t i = 0; i < counts.stages.size(); ++i) {
    json["stages"].push_back(counts_json(counts.stages[i], summary.kv_growth[i]));
  }
  json["casts"] = counts.casts;
  json["formats"] = Json::array();
  for (const auto& format : counts.formats) json["formats"].push_back(format_json(format));
  json["types"] = shares_json(summary.types);
  json["dominant"] = {{"by_macs", shares_json(summary.by_macs)}, {"by_bytes", shares_json(summary.by_bytes)}};
  return json;
}

Json trace_json(const Trace& trace) {
  Json json = {{"schema", "archsim.trace/1"},
               {"model", trace.model},
               {"parameters_set", trace.parameters},
               {"digest", trace.digest}};
  json["tensors"] = Json::array();
  for (const auto& tensor : trace.tensors) json["tensors"].push_back(tensor_json(tensor));
  json["stages"] = Json::array();
  for (const auto& stage : trace.stages) {
    json["stages"].push_back({{"name", stage.name}, {"repeat", repeat_json(trace, stage.repeat)}});
  }
  return json;
}

Checked<std::uint64_t> cat_trace(const std::string& path, std::ostream& out) {
  auto reader = TraceReader::open(path);
  if (!reader) return reader.diagnostics();
  std::vector<Tensor> tensors;
  std::vector<Loop> loops;
  std::vector<std::uint64_t> instances{1};  // of what stands in the open bodies
  std::uint64_t operators = 0;
  for (;;) {
    auto record = reader->next();
    if (!record) return record.diagnostics();
    if (const auto* tensor = std::get_if<Tensor>(&*record)) tensors.push_back(*tensor);
    if (const auto* loop = std::get_if<Loop>(&*record)) loops.push_back(*loop);
    if (const auto* stage = std::get_if<BeginStage>(&*record)) {
      instances.push_back(instances.back() * loops[stage->loop].count);
    }
    if (const auto* repeat = std::get_if<BeginRepeat>(&*record)) {
      instances.push_back(instances.back() * loops[repeat->loop].count);
    }
    if (std::holds_alternative<EndBody>(*record)) instances.pop_back();
    if (const auto* op = std::get_if<Operator>(&*record)) {
      out << fmt::format("{} x{} {}\n", operators, instances.back(), operator_text(*op, tensors, loops));
      ++operators;
    }
    if (std::holds_alternative<TraceEnd>(*record)) return operators;
  }
}

}  // namespace archsim
