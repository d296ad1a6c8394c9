// No dead knobs: each declared param of each model changes the answer of a run, what the mapper is told, or whether the SoC
// can be built at all (a mesh with a row less has too few tiles).
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "arch/describe/reference/reference.h"
#include "arch/machine/soc_spec.h"
#include "models/catalog.h"
#include "tests/program_run/program.h"
#include "tests/source_dir.h"

namespace archsim {
namespace {

using Json = nlohmann::ordered_json;

// So that numbers of tiles, ports and slices can change, addresses are translated, and caches maintained.
const std::vector<std::string> kBase{"placement=auto", "npu.smmu.entries=2", "l2.interleave=1 KiB",
                                     "cpu.maintenance_cycles=10"};

/// `cache` is l2 as a cache that is too small for the trace, and what only a cache has.
std::vector<std::string> base_of(const std::string& what) {
  std::vector<std::string> settings = kBase;
  if (what == "cache") settings.insert(settings.end(), {"l2.mode=cache", "l2.capacity=256 KiB"});
  return settings;
}

Checked<SocSpec> edge(const std::vector<std::string>& settings) {
  const auto source = read_source(std::string(ARCHSIM_SOURCE_DIR) + "/" + kEdge);
  return read_soc(*source, settings, catalog());
}

std::vector<std::string> dram_standards() {
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(std::string(ARCHSIM_SOURCE_DIR) + "/configs/dram")) {
    names.push_back(file.path().stem().string());
  }
  return names;
}

std::string times(const std::string& text, double factor) {
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return {};
  std::string scaled = std::to_string(number * factor);
  scaled.erase(scaled.find_last_not_of('0') + 1);
  if (scaled.back() == '.') scaled.pop_back();
  return scaled + std::string(end, text.data() + text.size());
}

/// Other values to try instead of `now`.
std::vector<std::string> others(const ValueShape& shape, const Datum& now) {
  const std::string text = show(now);
  switch (shape.kind) {
    case ValueShape::Kind::boolean:
      return {text == "true" ? "false" : "true"};
    case ValueShape::Kind::integer:
    case ValueShape::Kind::number:
    case ValueShape::Kind::quantity:
      return {times(text, 0.5), times(text, 2), times(text, 4), times(text, 0.25), times(text, 100)};
    case ValueShape::Kind::choice:
      return shape.names;
    case ValueShape::Kind::text:
      return dram_standards();
    case ValueShape::Kind::list: {
      std::vector<std::string> single;
      for (const Datum& item : std::get<Datum::List>(now.value)) single.push_back("[" + show(item) + "]");
      return single;
    }
    case ValueShape::Kind::map: {
      Datum::Map map = std::get<Datum::Map>(now.value);
      if (map.empty()) return {"{" + shape.names.front() + ": 2}"};
      map.pop_back();
      return {show(Datum{map})};
    }
    case ValueShape::Kind::group:
      break;
  }
  return {};
}

/// What the mapper may ask of a block, as one text.
std::string told_to_the_mapper(const MachineView& machine) {
  std::string text = machine.accelerators.front().decodes_weights ? "decodes\n" : "";
  for (const auto& [sparsity, factor] : machine.accelerators.front().sparsity)
    text += std::string(name_of(sparsity)) + " " + std::to_string(factor) + "\n";
  for (const auto& [function, cycles] : machine.accelerators.front().vector_cycles_per_element) {
    text += std::string(name_of(function)) + " " + std::to_string(cycles) + "\n";
  }
  for (const std::string_view name : operator_type_names()) {
    Operator op;
    op.type = *operator_type_from(name);
    const auto time = machine.host.estimate(op, 1000);
    text += std::string(name) + " " + (time ? std::to_string(time->value) : "-") + "\n";
  }
  return text;
}

/// A test for each kind of block, so that they run beside one another.
class Knobs : public testing::TestWithParam<const char*> {
 protected:
  Json answer(const std::vector<std::string>& settings) {
    Json run = run_json_of(kEdge, trace_, settings);
    run.erase("config");
    return run;
  }

  bool is_alive(const std::string& path, const ParamEntry& entry, const Datum& now) {
    const std::string told = told_to_the_mapper(machine_view(base_));
    for (const std::string& other : others(entry.shape, now)) {
      std::vector<std::string> settings = base_of(GetParam());
      settings.push_back(path + "=" + other);
      const auto spec = edge(settings);
      if (other.empty()) continue;
      if (!spec) {
        const std::string why = render(spec.diagnostics());
        if (why.find("outside") == std::string::npos && why.find("is not a") == std::string::npos) return true;
        continue;
      }
      if (told_to_the_mapper(machine_view(*spec)) != told) return true;
      std::vector<std::string> words{"run", "--config", kEdge, "--trace", trace_, "--json", "-"};
      for (const std::string& setting : settings) words.insert(words.end(), {"--set", setting});
      const Outcome outcome = archsim_program(words);
      if (outcome.status != 0) continue;
      Json run = Json::parse(outcome.out);
      run.erase("config");
      if (run != base_answer_) return true;
    }
    return false;
  }

  TemporaryFolder folder_;
  std::string trace_ = small_trace(folder_, {"steps=1", "layers=1"});
  SocSpec base_ = *edge(base_of(GetParam()));
  Json base_answer_ = answer(base_of(GetParam()));
};

const Datum& at(const Datum& datum, const std::string& path) {
  const auto dot = path.find('.');
  for (const auto& [key, value] : std::get<Datum::Map>(datum.value)) {
    if (key == path.substr(0, dot)) return dot == std::string::npos ? value : at(value, path.substr(dot + 1));
  }
  ADD_FAILURE() << path;
  return datum;
}

TEST_P(Knobs, AreAlive) {
  const bool is_cache = std::string(GetParam()) == "cache";
  const std::string group = is_cache ? "l2" : GetParam();
  const auto block = std::find_if(base_.blocks.begin(), base_.blocks.end(),
                                  [&](const BlockSpec& candidate) { return candidate.group == group; });
  ASSERT_NE(block, base_.blocks.end());
  const Datum params = block->entry->params.datum(block->params);
  for (const auto& [name, entry] : block->entry->params.leaves()) {
    // A choice of one says what the model is; there is nothing to turn yet.
    if (entry->shape.kind == ValueShape::Kind::choice && entry->shape.names.size() == 1) continue;
    if (name.starts_with("cache.") != is_cache) continue;
    // Needs background traffic: tests/models/dma.
    if (name.starts_with("background.")) continue;
    EXPECT_TRUE(is_alive(block->group + "." + name, *entry, at(params, name))) << name << " changes nothing";
  }
}

INSTANTIATE_TEST_SUITE_P(Edge, Knobs, testing::Values("cpu", "npu", "l2", "cache", "noc", "dram"),
                         [](const auto& each) { return std::string(each.param); });

TEST(Models, AreAllInTheKnobsTest) {
  const SocSpec spec = *edge({});
  for (const CatalogEntry& entry : catalog().entries()) {
    // Its params choose a core that was built, and turn nothing: tests/rtl.
    if (entry.model == "rtl") continue;
    // Background traffic, not part of the machine: tests/models/dma.
    if (entry.kind == "dma") continue;
    // The networks are one class with the same params.
    EXPECT_TRUE(std::any_of(spec.blocks.begin(), spec.blocks.end(),
                            [&](const BlockSpec& block) {
                              return block.entry == &entry || (entry.kind == "noc" && block.entry->kind == "noc");
                            }))
        << entry.kind << "/" << entry.model << " is in no block of " << kEdge;
  }
}

}  // namespace
}  // namespace archsim
