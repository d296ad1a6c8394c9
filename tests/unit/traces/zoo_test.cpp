// The zoo against its references: docs/counting.md says by which rules, tests/data/README.md where the rows are from.
#include "tests/unit/traces/zoo.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "arch/workload/count.h"
#include "arch/workload/effort.h"
#include "tests/source_dir.h"
#include "traces/generate/generate.h"

namespace archsim {
namespace {

using Row = std::map<std::string, std::string>;

const std::string kRoot = ARCHSIM_SOURCE_DIR;

// Cells in quotation marks may hold commas.
std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> out{""};
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      out.emplace_back();
    } else {
      out.back() += c;
    }
  }
  return out;
}

std::vector<Row> reference_rows(const std::string& model) {
  std::ifstream file(kRoot + "/tests/data/vla_stages.csv");
  std::vector<std::string> names;
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);) {
    const auto values = cells(line);
    if (names.empty()) {
      names = values;
    } else if (values[0] == model) {
      rows.emplace_back();
      for (std::size_t i = 0; i < names.size(); ++i) rows.back()[names[i]] = values.at(i);
    }
  }
  return rows;
}

std::string four_digits(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.4f", value);
  return text;
}

double million(std::uint64_t count) { return static_cast<double>(count) / 1e6; }
double mebibytes(std::uint64_t bytes) { return static_cast<double>(bytes) / (1024.0 * 1024.0); }

void expect_row(Row row, const TraceCounts& counts) {
  const auto name = row["stage"].substr(0, row["stage"].find('('));
  SCOPED_TRACE(row["model"] + " " + name);
  const auto* found = stage(counts, name);
  ASSERT_NE(found, nullptr);
  const auto& once = found->once;
  EXPECT_EQ(std::to_string(found->repeat), row["reps"]);
  EXPECT_EQ(four_digits(million(once.macs) / 1e3), row["gmac"]);
  EXPECT_EQ(four_digits(million(once.attention_macs) / 1e3), row["gmac_attn"]);
  EXPECT_EQ(four_digits(million(once.weight_elements)), row["w_melem"]);
  EXPECT_EQ(four_digits(mebibytes(once.weight_bytes)), row["w_bf16_mib"]);
  EXPECT_EQ(four_digits(mebibytes(once.activation_bytes)), row["act_bf16_mib"]);
  EXPECT_EQ(four_digits(mebibytes(once.kv_read_bytes)), row["kv_read_mib"]);
  EXPECT_EQ(four_digits(mebibytes(once.kv_write_bytes)), row["kv_write_mib"]);
  EXPECT_EQ(four_digits(million(once.score_elements)), row["scores_melem"]);
  EXPECT_EQ(four_digits(million(once.vector_elements)), row["vec_melem"]);
}

struct Referenced {
  std::string model, workload;
  std::size_t rows;
  Settings settings = {};
};

void PrintTo(const Referenced& referenced, std::ostream* out) { *out << referenced.model; }

class EveryColumn : public testing::TestWithParam<Referenced> {};

TEST_P(EveryColumn, ToTheLastDigit) {
  const auto rows = reference_rows(GetParam().model);
  ASSERT_EQ(rows.size(), GetParam().rows);
  const auto counted = counts(GetParam().workload, GetParam().settings);
  for (const auto& row : rows) expect_row(row, counted);
}

INSTANTIATE_TEST_SUITE_P(Zoo, EveryColumn,
                         testing::Values(Referenced{"pi0", "pi0", 3},
                                         Referenced{"pi0_2img_batched", "pi0", 3, {"cameras=2", "batched_cameras=yes"}},
                                         Referenced{"pi05", "pi05", 3}, Referenced{"openvla", "openvla", 3},
                                         Referenced{"smolvla_2cam", "smolvla", 3}, Referenced{"act", "act", 3}),
                         [](const auto& tested) { return tested.param.model; });

struct Setting {
  std::string workload;
  Settings values;
};
void PrintTo(const Setting& setting, std::ostream* out) {
  *out << setting.workload;
  for (const auto& one : setting.values) *out << ' ' << one;
}

class Knob : public testing::TestWithParam<Setting> {};

// A knob that nothing reads would leave every count as it was.
TEST_P(Knob, ChangesACount) {
  const auto before = counts(GetParam().workload), after = counts(GetParam().workload, GetParam().values);
  const auto key = [](const TraceCounts& c) {
    std::ostringstream text;
    text << c.executed_operators << '\n';
    for (const auto& each : c.stages) {
      text << each.name << ' ' << each.repeat << ' ' << each.once.macs << ' ' << each.once.weight_bytes << ' '
           << each.once.kv_read_bytes << ' ' << each.once.activation_bytes << '\n';
    }
    return text.str();
  };
  EXPECT_NE(key(before), key(after));
}

std::vector<Setting> knobs() {
  std::vector<Setting> all;
  const auto add = [&](const std::string& workload, const Settings& settings) {
    for (const auto& setting : settings) all.push_back({workload, {setting}});
    if (workload != "rdt_1b") all.push_back({workload, {"batched_cameras=yes", "cameras=3"}});
  };
  add("pi05",
      {"dtype=int8", "cameras=2", "language_tokens=100", "action_horizon=10", "steps=5", "modulation=precomputed",
       "image_size=448", "frame_height=720", "frame_width=1280", "vision_layers=2", "layers=2", "inferences=2"});
  add("pi0_fast", {"dtype=int8", "cameras=2", "language_tokens=180", "action_tokens=30", "logits=last",
                   "action_vocabulary=actions", "context=growing", "image_size=448", "frame_height=720",
                   "frame_width=1280", "vision_layers=2", "layers=2", "inferences=2"});
  add("openvla",
      {"dtype=int8", "cameras=2", "prompt_tokens=35", "action_tokens=14", "logits=last", "action_vocabulary=actions",
       "context=growing", "image_size=448", "frame_height=720", "frame_width=1280", "layers=2", "inferences=2"});
  add("smolvla",
      {"dtype=fp32", "cameras=3", "language_tokens=48", "action_horizon=25", "steps=5", "cross_keys=cached",
       "image_size=256", "frame_height=720", "frame_width=1280", "vision_layers=2", "layer_pairs=2", "inferences=2"});
  return all;
}

std::vector<Setting> knobs_of_building_blocks() {
  std::vector<Setting> all;
  const auto add = [&](const std::string& workload, const Settings& settings) {
    for (const auto& setting : settings) all.push_back({workload, {setting}});
  };
  add("siglip", {"dtype=int8", "images=2", "image_size=448", "layers=2"});
  add("dinov2", {"dtype=int8", "images=2", "image_size=448", "layers=2"});
  add("gemma_2b", {"dtype=int8", "tokens=100", "layers=2"});
  add("llama2_7b_prefill", {"dtype=int8", "tokens=100", "batch=2", "logits=all", "layers=2"});
  add("llama2_7b_decode", {"dtype=int8", "context_tokens=100", "tokens=4", "context=middle", "layers=2"});
  add("resnet18", {"dtype=fp32", "images=2", "image_height=480", "image_width=640"});
  return all;
}

INSTANTIATE_TEST_SUITE_P(BuildingBlocks, Knob, testing::ValuesIn(knobs_of_building_blocks()));
INSTANTIATE_TEST_SUITE_P(Zoo, Knob, testing::ValuesIn(knobs()));

TEST(Zoo, AProcessorDoesTheMacsOfProducts) {
  for (const char* workload : {"pi0", "openvla", "smolvla", "rt1"}) {
    const auto trace = build_trace(kRoot + "/traces/workloads/" + workload + ".yaml", {});
    ASSERT_TRUE(trace);
    const auto counted = count(*trace);
    for (std::size_t i = 0; i < trace->operators.size(); ++i) {
      if (counted.operators[i].macs == 0) continue;
      EXPECT_EQ(elements_to_handle(*trace, trace->operators[i]), counted.operators[i].macs) << trace->operators[i].name;
    }
  }
}

TEST(Zoo, EveryTypeThatAFileOffersBuilds) {
  for (const auto& file : std::filesystem::directory_iterator(ARCHSIM_SOURCE_DIR "/traces/workloads")) {
    if (file.path().extension() != ".yaml") continue;
    int built = 0;
    for (const char* dtype : {"bf16", "int8", "fp32"}) {
      const auto trace = build_trace(file.path().string(), {"dtype=" + std::string(dtype)});
      built += trace ? 1 : 0;
      if (trace) continue;
      const std::string why = render(trace.diagnostics());
      EXPECT_NE(why.find("no choice for `dtype`"), std::string::npos) << file.path() << "\n" << why;
    }
    EXPECT_GE(built, 1) << file.path();
  }
}

TEST(Zoo, AGrowingContextHasAStageForEachStepAndOneKeyMoreInEach) {
  const auto grown = counts("openvla", {"context=growing"});
  // 32 layers x (280 of the prefill + those decoded before) x (key + value) x 4096 x 2 bytes
  for (std::uint64_t step = 0; step < 6; ++step) {
    const auto* each = stage(grown, "decode_token_" + std::to_string(step + 1));
    ASSERT_NE(each, nullptr);
    EXPECT_EQ(each->once.kv_read_bytes, 32 * (280 + step) * 2 * 4096 * 2);
    EXPECT_EQ(each->once.attention_macs, 2 * 32 * 32 * (280 + step + 1) * 128);
  }
}

TEST(Zoo, WeightsOfPrefillAndDecodeAreTheSame) {
  // vla_models.yaml: trunk 6,476,271,616, table and head 131,334,144 each; towers and projector 787,058,928 of which
  // everything is used in one call.
  EXPECT_EQ(counts("openvla").parameters, 6'476'271'616U + 2 * 131'334'144U + 787'058'928U);
  // SigLIP with its head, trunk, and one table for both ends.
  EXPECT_EQ(counts("pi0_fast").parameters, 414'803'696U + 1'981'884'416U + 526'647'296U);
}

TEST(Zoo, BuildingBlocksHaveTheParametersOfTheirModels) {
  EXPECT_EQ(counts("siglip").parameters, 412'442'352U);               // vla_models.yaml, without the head
  EXPECT_EQ(counts("gemma_2b").parameters, 1'981'884'416U);           // vla_models.yaml, without the table
  EXPECT_EQ(counts("llama2_7b_prefill").parameters, 6'738'415'616U);  // meta-llama/Llama-2-7b
  EXPECT_EQ(counts("llama2_7b_decode").parameters, 6'738'415'616U);
  EXPECT_EQ(counts("resnet18").parameters, 11'176'512U);  // vla_models.yaml, without the classifier
  // Patches, positions and five tokens; 24 layers of 12 d^2 + 13 d and two layer scales of d; the final norm.
  EXPECT_EQ(counts("dinov2").parameters,
            588U * 1024 + 1024 + 261 * 1024 + 24 * (12 * 1024 * 1024 + 13 * 1024 + 2 * 1024) + 2 * 1024);
}

TEST(Zoo, ModelsHaveTheParametersThatTheirPapersName) {
  // Without T5 (12 layers of 4 x 768^2 + 2 x 768 x 3072 and two norms, its table, a norm): 93 M and 27 M by vla_models.yaml, whose
  // position tables are as long as ten moments instead of two.
  const std::uint64_t t5 = 12 * (12 * 768 * 768 + 2 * 768) + 32128 * 768 + 768;
  const auto unused_positions = [](std::uint64_t width) { return 8 * (256 + 64 + 1) * width; };
  EXPECT_NEAR(static_cast<double>(counts("octo_base").parameters - t5 + unused_positions(768)), 93e6, 0.5e6);
  EXPECT_NEAR(static_cast<double>(counts("octo_small").parameters - t5 + unused_positions(384)), 27e6, 0.5e6);
  EXPECT_NEAR(static_cast<double>(counts("rt1").parameters), 35e6, 0.5e6);  // RT-1 paper
  // Two ResNet-18, and the U-Net: kernels, biases, norms, FiLM.
  EXPECT_EQ(stage(counts("diffusion_policy"), "resnet18")->once.weight_elements, 2 * 11'176'512U);
}

TEST(Zoo, AMaskSavesNoMacs) { EXPECT_EQ(counts("gemma_2b", {"mask=causal"}).macs, counts("gemma_2b").macs); }

TEST(Zoo, OnePassOfOpenVlaOftSeesAllOfItsSequence) {
  // Sequence by vla_models.yaml: 1 + 512 + 1 + 23 + 56 + 1 and 1 + 768 + 1 + 23 + 350 + 1.
  const auto pass = [](std::uint64_t s) {
    return s * 32 * (4ULL * 4096 * 4096 + 3ULL * 4096 * 11008) + 2ULL * 32 * s * s * 128 * 32 + s * 4096 * 32064;
  };
  const auto libero = counts("openvla_oft_libero"), aloha = counts("openvla_oft_aloha");
  EXPECT_EQ(stage(libero, "prefill")->once.macs, pass(594) + 8ULL * 4096 + 4096ULL * 4096);
  EXPECT_EQ(stage(aloha, "prefill")->once.macs, pass(1144) + 14ULL * 4096 + 4096ULL * 4096);
  // The head: a row for each action.
  EXPECT_EQ(stage(libero, "action_head")->once.macs, 8ULL * (28672 * 4096 + 2 * 4096 * 4096 + 4096 * 7));
  EXPECT_EQ(stage(aloha, "action_head")->once.macs, 25ULL * (57344 * 4096 + 2 * 4096 * 4096 + 4096 * 14));
  // FiLM: a row that scales and one that shifts in every layer of both towers, for each image anew.
  EXPECT_EQ(stage(aloha, "vision_encode")->once.macs - stage(libero, "vision_encode")->once.macs,
            2ULL * 4096 * (24 * 1024 + 27 * 1152));
}

TEST(Zoo, CogActRunsItsTransformerOnBothHalvesOfTheGuidance) {
  const auto once = stage(counts("cogact_base"), "denoise_step")->once;
  const std::uint64_t rows = 2 * 17;
  const std::uint64_t layers = 12 * (rows * 12 * 768 * 768 + 2 * 12 * 2 * 17 * 17 * 64);
  const std::uint64_t ends = 256 * 768 + 768 * 768 + 2 * 4096 * 768 + 16 * 7 * 768 + rows * 768 * 7;
  EXPECT_EQ(once.macs, layers + ends);
}

TEST(Zoo, KeptCrossAttentionKeysSaveRdtMostOfAStep) {
  // 28 layers project the keys and values of 32 language or 4374 image rows, half of the layers each.
  const std::uint64_t kept = 14ULL * (32 + 4374) * 2 * 2048 * 2048;
  const auto computed = counts("rdt_1b"), cached = counts("rdt_1b", {"cross_keys=cached"});
  EXPECT_EQ(stage(computed, "denoise_step")->once.macs - stage(cached, "denoise_step")->once.macs, kept);
  EXPECT_EQ(computed.macs - cached.macs, 4 * kept);
  EXPECT_EQ(computed.parameters, cached.parameters);
}

TEST(Zoo, LogitsOfTheLastPositionSaveWhatTheReferenceWastes) {
  // 1017 x 2048 x 257152 and 279 x 4096 x 32064
  EXPECT_EQ(counts("pi0_fast").macs - counts("pi0_fast", {"logits=last"}).macs, 1017ULL * 2048 * 257152);
  EXPECT_EQ(counts("openvla").macs - counts("openvla", {"logits=last"}).macs, 279ULL * 4096 * 32064);
}

}  // namespace
}  // namespace archsim
