#include "traces/show/info.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "arch/workload/count.h"
#include "traces/file/trace_reader.h"
#include "traces/show/listing.h"

namespace archsim {
namespace {

using Json = nlohmann::ordered_json;

Json counts_json(const StageCounts& stage) {
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
          {"vector_elements", once.vector_elements}};
}

double giga(std::uint64_t number) { return static_cast<double>(number) * 1e-9; }
double mega(std::uint64_t number) { return static_cast<double>(number) * 1e-6; }
double mebi(std::uint64_t bytes) { return static_cast<double>(bytes) / (1024.0 * 1024.0); }

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

Json tensor_json(const Tensor& tensor) {
  Json json = {{"name", tensor.name},
               {"role", name_of(tensor.role)},
               {"shape", tensor.shape},
               {"dtype", name_of(tensor.dtype)},
               {"layout", name_of(tensor.layout)},
               {"scale", tensor.scale}};
  if (!tensor.copies.empty()) json["copies"] = tensor.copies;
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
  json["stages"] = Json::array();
  for (const auto& stage : counts.stages) json["stages"].push_back(counts_json(stage));
  return json;
}

std::string trace_info_table(const Trace& trace) {
  const auto counts = count(trace);
  std::string text = fmt::format("{}", trace.model);
  for (const auto& [name, value] : trace.parameters) text += fmt::format(" {}={}", name, value);
  text += fmt::format("\n{} operators, {} executed; {:.4f} GMAC, {:.4f} of them attention, {:.4f} dead\n",
                      trace.operators.size(), counts.executed_operators, giga(counts.macs), giga(counts.attention_macs),
                      giga(counts.dead_macs));
  text += fmt::format("{} parameters in {:.2f} MiB, KV cache {:.2f} MiB\n", counts.parameters,
                      mebi(counts.weight_bytes), mebi(counts.kv_cache_bytes));
  if (!trace.digest.empty()) text += fmt::format("digest {}\n", trace.digest);
  std::size_t width = 5;
  for (const auto& stage : counts.stages) width = std::max(width, stage.name.size());
  text += fmt::format("\n{:<{}} {:>6} {:>10} {:>10} {:>10} {:>10} {:>9} {:>9} {:>11} {:>9} {:>9}\n", "stage", width,
                      "repeat", "GMAC", "attention", "weights M", "MiB", "KV rd MiB", "KV wr MiB", "activ. MiB",
                      "scores M", "vector M");
  for (const auto& stage : counts.stages) {
    const auto& once = stage.once;
    text += fmt::format(
        "{:<{}} {:>6} {:>10.4f} {:>10.4f} {:>10.4f} {:>10.4f} {:>9.4f} {:>9.4f} {:>11.4f} {:>9.4f} {:>9.4f}\n",
        stage.name, width, stage.repeat, giga(once.macs), giga(once.attention_macs), mega(once.weight_elements),
        mebi(once.weight_bytes), mebi(once.kv_read_bytes), mebi(once.kv_write_bytes), mebi(once.activation_bytes),
        mega(once.score_elements), mega(once.vector_elements));
  }
  return text + "\nA stage's numbers are for one of its repeats.\n";
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
