// What ONNX nodes become, and that what they multiply is what their definitions say.
#include <gmock/gmock.h>

#include <functional>
#include <map>

#include "arch/workload/count.h"
#include "tests/unit/onnx/model.h"

namespace archsim {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using Dims = OnnxModel::Dims;

Trace imported(const OnnxModel& model, const OnnxOptions& options = {}) {
  auto trace = model.import(options);
  EXPECT_TRUE(trace) << render(trace.diagnostics());
  return trace ? *std::move(trace) : Trace{};
}

std::string error(const OnnxModel& model, const OnnxOptions& options = {}) {
  const auto trace = model.import(options);
  return trace ? "no error" : render(trace.diagnostics());
}

std::vector<std::string> types(const Trace& trace) {
  std::vector<std::string> names;
  for (const auto& op : trace.operators) names.emplace_back(name_of(op.type));
  return names;
}

std::uint64_t macs(const Trace& trace) { return count(trace).macs; }

constexpr std::uint64_t kPlaces = std::uint64_t{16} * 16;

TEST(OnnxConvolution, MultipliesFilterTimesPlacesTimesBatch) {
  OnnxModel model;
  model.input("x", {2, 3, 32, 32});
  model.node("Conv", "down", {"x", model.weight("w", {8, 3, 3, 3}), model.weight("b", {8})},
             {OnnxModel::list("strides", {2, 2}), OnnxModel::list("pads", {1, 1, 1, 1})});
  model.node("Relu", "relu", {"down"});
  model.node("Conv", "each", {"relu", model.weight("dw", {8, 1, 3, 3})},
             {OnnxModel::list("pads", {1, 1, 1, 1}), OnnxModel::whole("group", 8)});
  model.node("Conv", "point", {"each", model.weight("pw", {16, 8, 1, 1})});
  model.node("Conv", "halves", {"point", model.weight("gw", {16, 8, 3, 3})},
             {OnnxModel::list("pads", {1, 1, 1, 1}), OnnxModel::whole("group", 2)});
  model.node("GlobalAveragePool", "pool", {"halves"});
  model.node("Flatten", "flat", {"pool"});
  model.node("Gemm", "head", {"flat", model.weight("fw", {10, 16}), model.weight("fb", {10})},
             {OnnxModel::whole("transB", 1)});
  model.output("head");
  const auto trace = imported(model);
  const std::uint64_t down = kPlaces * 8 * 27, each = kPlaces * 8 * 9, point = kPlaces * 8 * 16;
  const std::uint64_t halves = kPlaces * 16 * 8 * 9, head = 16 * 10;
  EXPECT_EQ(macs(trace), 2 * (down + each + point + halves + head));
  EXPECT_EQ(count(trace).parameters, 8 * 27 + 8 + 8 * 9 + 8 * 16 + 16 * 8 * 9 + 160 + 10);
  // A kernel of one place needs no windows, and the grid is turned once: where it comes in.
  // The product before the groups writes each group's columns apart.
  EXPECT_THAT(types(trace), ElementsAre("transpose", "im2col", "linear", "relu", "depthwise_conv", "linear", "im2col",
                                        "linear", "im2col", "linear", "concat", "reduce", "linear"));
}

TEST(OnnxConvolution, TakesOnTheBatchNormBehindIt) {
  OnnxModel model;
  model.input("x", {1, 4, 8, 8});
  model.node("Conv", "conv", {"x", model.weight("w", {4, 4, 1, 1})});
  model.node("BatchNormalization", "norm",
             {"conv", model.weight("g", {4}), model.weight("b", {4}), model.weight("m", {4}), model.weight("v", {4})});
  model.output("norm");
  const auto trace = imported(model);
  EXPECT_THAT(types(trace), ElementsAre("transpose", "linear"));
  EXPECT_EQ(count(trace).parameters, 4 * 4 + 4);
}

TEST(OnnxConvolution, PadsApartWhatDiffersBetweenSides) {
  OnnxModel model;
  model.input("x", {1, 4, 8, 8});
  model.node("Conv", "conv", {"x", model.weight("w", {4, 4, 2, 2})}, {OnnxModel::list("pads", {0, 0, 1, 1})});
  model.output("conv");
  const auto trace = imported(model);
  EXPECT_THAT(types(trace), ElementsAre("transpose", "pad", "im2col", "linear"));
  EXPECT_EQ(macs(trace), 64U * 4 * 4 * 4);
}

TEST(OnnxConvolution, PatchesAreMovedNotGathered) {
  OnnxModel model;
  model.input("x", {2, 3, 32, 32});
  model.node("Conv", "conv", {"x", model.weight("w", {64, 3, 8, 8})}, {OnnxModel::list("strides", {8, 8})});
  model.node("Reshape", "rows", {"conv", model.wholes("shape", {2, 64, 16})});
  model.node("Transpose", "turned", {"rows"}, {OnnxModel::list("perm", {0, 2, 1})});
  model.node("MatMul", "next", {"turned", model.weight("n", {64, 8})});
  model.output("next");
  const auto trace = imported(model);
  // Places are rows already: neither reshape nor transposition of the result is work.
  EXPECT_THAT(types(trace), ElementsAre("transpose", "pixel_shuffle", "linear", "linear"));
  EXPECT_EQ(macs(trace), 2U * 16 * (192 * 64 + 64 * 8));
}

/// x [B, S, heads * 16] -> layer norm, attention, MLP with GELU: as exporters take them apart.
struct Block {
  OnnxModel model;
  std::int64_t batch, sequence, heads, kv_heads, width;
  Block(std::int64_t b, std::int64_t s, std::int64_t h, std::int64_t kv)
      : batch(b), sequence(s), heads(h), kv_heads(kv), width(h * 16) {}

  void layer_norm(const std::string& x) {
    model.node("ReduceMean", "mean", {x}, {OnnxModel::list("axes", {-1})});
    model.node("Sub", "centred", {x, "mean"});
    model.node("Pow", "squares", {"centred", model.number("two", 2.0F)});
    model.node("ReduceMean", "variance", {"squares"}, {OnnxModel::list("axes", {-1})});
    model.node("Add", "safe", {"variance", model.number("epsilon", 1e-5F)});
    model.node("Sqrt", "root", {"safe"});
    model.node("Div", "normed", {"centred", "root"});
    model.node("Mul", "scaled", {"normed", model.weight("gamma", {width})});
    model.node("Add", "norm", {"scaled", model.weight("beta", {width})});
  }
  std::string heads_of(const std::string& name, std::int64_t count, const std::string& order_name, const Dims& order) {
    model.node("MatMul", name, {"norm", model.weight(name + "_w", {width, count * 16})});
    model.node("Reshape", name + "_heads", {name, model.wholes(name + "_shape", {batch, sequence, count, 16})});
    return model.node("Transpose", order_name, {name + "_heads"}, {OnnxModel::list("perm", order)});
  }
  std::string repeated(const std::string& kv) {
    if (kv_heads == heads) return kv;
    const std::int64_t times = heads / kv_heads;
    model.node("Unsqueeze", kv + "_u", {kv, model.wholes(kv + "_axes", {2})});
    model.node("Expand", kv + "_e", {kv + "_u", model.wholes(kv + "_to", {batch, kv_heads, times, sequence, 16})});
    return model.node("Reshape", kv + "_r", {kv + "_e", model.wholes(kv + "_joined", {batch, heads, sequence, 16})});
  }
  void attention(const std::string& mask) {
    heads_of("q", heads, "q_turned", {0, 2, 1, 3});
    std::string k = heads_of("k", kv_heads, "k_turned", {0, 2, 1, 3});
    const std::string v = repeated(heads_of("v", kv_heads, "v_turned", {0, 2, 1, 3}));
    k = model.node("Transpose", "k_t", {repeated(k)}, {OnnxModel::list("perm", {0, 1, 3, 2})});
    model.node("MatMul", "scores", {"q_turned", k});
    model.node("Div", "small_scores", {"scores", model.number("four", 4.0F)});
    if (!mask.empty()) model.node("Add", "masked", {"small_scores", mask});
    model.node("Softmax", "shares", {mask.empty() ? "small_scores" : "masked"}, {OnnxModel::whole("axis", -1)});
    model.node("MatMul", "mixed", {"shares", v});
    model.node("Transpose", "mixed_rows", {"mixed"}, {OnnxModel::list("perm", {0, 2, 1, 3})});
    model.node("Reshape", "joined", {"mixed_rows", model.wholes("joined_shape", {batch, sequence, width})});
    model.node("MatMul", "out", {"joined", model.weight("out_w", {width, width})});
  }
  void gelu(const std::string& x) {
    model.node("Div", "shrunk", {x, model.number("root2", 1.41421356F)});
    model.node("Erf", "erf", {"shrunk"});
    model.node("Add", "one_more", {"erf", model.number("one", 1.0F)});
    model.node("Mul", "twice", {x, "one_more"});
    model.node("Mul", "gelu", {"twice", model.number("half", 0.5F)});
  }
};

TEST(OnnxFusion, ATransformerBlockIsAHandfulOfOperators) {
  Block block(2, 8, 4, 4);
  block.model.input("x", {2, 8, 64});
  block.layer_norm("x");
  block.attention("");
  block.model.node("MatMul", "up", {"out", block.model.weight("up_w", {64, 256})});
  block.model.node("Add", "up_sum", {"up", block.model.weight("up_b", {256})});
  block.gelu("up_sum");
  block.model.output("gelu");
  const auto trace = imported(block.model);
  EXPECT_THAT(types(trace),
              ElementsAre("layernorm", "linear", "linear", "linear", "attention", "linear", "linear", "gelu"));
  const auto counts = count(trace);
  EXPECT_EQ(counts.attention_macs, 2U * 2 * 4 * 8 * 8 * 16);
  EXPECT_EQ(counts.macs, counts.attention_macs + 16U * (4 * 64 * 64 + 64 * 256));
  const auto& attention = trace.operators[4];
  EXPECT_EQ(attention.integer("batch", 1), 2);
  EXPECT_EQ(attention.integer("heads", 0), 4);
  EXPECT_DOUBLE_EQ(attention.number("scale", 0), 0.25);
  EXPECT_EQ(trace.operators[6].inputs.size(), 3) << "the sum is the product's bias";
}

TEST(OnnxFusion, KeysThatHeadsShareAreNotRepeated) {
  Block block(1, 8, 4, 2);
  block.model.input("x", {1, 8, 64});
  block.layer_norm("x");
  block.attention("");
  block.model.output("out");
  const auto trace = imported(block.model);
  EXPECT_THAT(types(trace), ElementsAre("layernorm", "linear", "linear", "linear", "attention", "linear"));
  EXPECT_EQ(trace.operators[4].integer("kv_heads", 0), 2);
  EXPECT_EQ(trace.operators[4].integer("heads", 0), 4);
}

TEST(OnnxFusion, KeysOfEarlierTokensLieInRowsOfTokens) {
  OnnxModel model;
  model.input("x", {1, 1, 64});
  std::vector<std::string> kv;
  for (const std::string name : {"k", "v"}) {
    model.node("MatMul", name, {"x", model.weight(name + "_w", {64, 64})});
    model.node("Reshape", name + "_heads", {name, model.wholes(name + "_shape", {1, 1, 4, 16})});
    model.node("Transpose", name + "_turned", {name + "_heads"}, {OnnxModel::list("perm", {0, 2, 1, 3})});
    model.input("past_" + name, {1, 4, 31, 16});
    kv.push_back(
        model.node("Concat", "all_" + name, {"past_" + name, name + "_turned"}, {OnnxModel::whole("axis", 2)}));
    model.output(kv.back());
  }
  model.node("Reshape", "q_heads", {"x", model.wholes("q_shape", {1, 1, 4, 16})});
  model.node("Transpose", "q", {"q_heads"}, {OnnxModel::list("perm", {0, 2, 1, 3})});
  model.node("Transpose", "k_t", {kv[0]}, {OnnxModel::list("perm", {0, 1, 3, 2})});
  model.node("MatMul", "scores", {"q", "k_t"});
  model.node("Softmax", "shares", {"scores"}, {OnnxModel::whole("axis", 3)});
  model.node("MatMul", "mixed", {"shares", kv[1]});
  model.output("mixed");
  const auto trace = imported(model);
  EXPECT_THAT(types(trace), ElementsAre("linear", "concat", "linear", "concat", "attention"));
  const auto counts = count(trace);
  EXPECT_EQ(counts.attention_macs, 2U * 4 * 32 * 16);
  EXPECT_EQ(counts.kv_cache_bytes, 2U * 4 * 31 * 16 * 4);
}

TEST(OnnxFusion, MasksAreSeenForWhatTheyAre) {
  const auto with = [](const std::vector<float>& numbers) {
    Block block(1, 2, 1, 1);
    block.model.input("x", {1, 2, 16});
    block.layer_norm("x");
    block.attention(block.model.numbers("mask", {1, 1, 2, 2}, numbers));
    block.model.output("out");
    return imported(block.model);
  };
  EXPECT_EQ(with({0, -1e9F, 0, 0}).operators[4].text("mask", "none"), "causal");
  EXPECT_EQ(with({0, 0, 0, 0}).operators[4].text("mask", "none"), "none");
  // A learned bias is added to scores that are there to be added to.
  EXPECT_THAT(types(with({0.5F, -1, 0.25F, 2})), AllOf(testing::Contains("matmul"), testing::Contains("softmax"),
                                                       testing::Contains("add"), Not(testing::Contains("attention"))));
}

TEST(OnnxFusion, RmsNormSiluAndRotaryEmbedding) {
  OnnxModel model;
  model.input("x", {1, 4, 32});
  model.node("Pow", "squares", {"x", model.number("two", 2.0F)});
  model.node("ReduceMean", "mean", {"squares"}, {OnnxModel::list("axes", {-1})});
  model.node("Add", "safe", {"mean", model.number("epsilon", 1e-6F)});
  model.node("Sqrt", "root", {"safe"});
  model.node("Reciprocal", "inverse", {"root"});
  model.node("Mul", "normed", {"x", "inverse"});
  model.node("Mul", "norm", {model.weight("gamma", {32}), "normed"});
  model.node("MatMul", "gate", {"norm", model.weight("gate_w", {32, 64})});
  model.node("MatMul", "up", {"norm", model.weight("up_w", {32, 64})});
  model.node("Sigmoid", "sigmoid", {"gate"});
  model.node("Mul", "silu", {"gate", "sigmoid"});
  model.node("Mul", "glu", {"silu", "up"});
  model.nodes("Split", "halves", {"glu"}, {"first", "second"}, {OnnxModel::whole("axis", -1)});
  model.node("Neg", "minus", {"second"});
  model.node("Concat", "turned", {"minus", "first"}, {OnnxModel::whole("axis", -1)});
  model.node("Mul", "by_cos", {"glu", model.weight("cos", {4, 64})});
  model.node("Mul", "by_sin", {"turned", model.weight("sin", {4, 64})});
  model.node("Add", "rope", {"by_cos", "by_sin"});
  model.output("rope");
  EXPECT_THAT(types(imported(model)), ElementsAre("rmsnorm", "linear", "linear", "glu", "rope"));
}

TEST(OnnxQuantized, ProductsOfInt8StayInt8) {
  OnnxModel model;
  model.input("x", {4, 32});
  auto* zero = model.proto.mutable_graph()->add_initializer();
  zero->set_name("zero");
  zero->set_data_type(onnx::TensorProto::INT8);
  zero->add_int32_data(0);
  const auto scale = model.number("scale", 0.125F), fine = model.number("fine", 0.0625F);
  model.node("QuantizeLinear", "q", {"x", scale, "zero"});
  model.node("DequantizeLinear", "dq", {"q", scale, "zero"});
  model.node("DequantizeLinear", "w", {model.weight("w_q", {32, 8}, onnx::TensorProto::INT8), fine, "zero"});
  model.node("MatMul", "product", {"dq", "w"});
  model.node("Relu", "relu", {"product"});
  model.node("QuantizeLinear", "y_q", {"relu", scale, "zero"});
  model.node("DequantizeLinear", "y", {"y_q", scale, "zero"});
  model.output("y");
  const auto trace = imported(model);
  EXPECT_THAT(types(trace), ElementsAre("cast", "linear", "relu"));
  const auto& linear = trace.operators[1];
  EXPECT_EQ(trace.tensors[linear.inputs[0].tensor].dtype, Dtype::int8);
  EXPECT_EQ(trace.tensors[linear.inputs[1].tensor].dtype, Dtype::int8);
  EXPECT_DOUBLE_EQ(trace.tensors[linear.inputs[1].tensor].scale, 0.0625);
  const auto& result = trace.tensors[trace.operators[2].outputs[0].tensor];
  EXPECT_EQ(result.dtype, Dtype::int8);
  EXPECT_DOUBLE_EQ(result.scale, 0.125);
}

TEST(OnnxShapes, ArithmeticOnOpenExtentsIsDoneAtImport) {
  OnnxModel model;
  model.open_input("x", {"batch", "sequence", "32"});
  model.node("Shape", "shape", {"x"});
  model.node("Gather", "b", {"shape", model.wholes("zero", {0}, true)});
  model.node("Gather", "s", {"shape", model.wholes("first", {1}, true)});
  model.node("Mul", "rows", {"b", "s"});
  model.node("Unsqueeze", "rows_list", {"rows", model.wholes("axes", {0})});
  model.node("Concat", "to", {"rows_list", model.wholes("open", {-1})}, {OnnxModel::whole("axis", 0)});
  model.node("Reshape", "matrix", {"x", "to"});
  model.node("MatMul", "y", {"matrix", model.weight("w", {32, 8})});
  model.output("y");
  const auto trace = imported(model, {.dims = {"batch=2", "sequence=5"}});
  EXPECT_THAT(types(trace), ElementsAre("linear"));
  EXPECT_EQ(macs(trace), 10U * 32 * 8);
  EXPECT_EQ(macs(imported(model, {.inputs = {"x=3x7x32"}})), 21U * 32 * 8);
  EXPECT_THAT(error(model), AllOf(HasSubstr("extent `batch` of input `x` is open"), HasSubstr("--dim batch=1"),
                                  HasSubstr("extent `sequence` of input `x` is open")));
  EXPECT_THAT(error(model, {.dims = {"batch=2", "sequense=5"}}),
              AllOf(HasSubstr("`sequense=5` names `sequense`"), HasSubstr("did you mean `sequence`?")));
  EXPECT_THAT(error(model, {.dims = {"batch=two"}}), HasSubstr("is not NAME=VALUE"));
  EXPECT_THAT(error(model, {.inputs = {"y=1x2x32"}}), HasSubstr("no input of the model"));
}

TEST(OnnxWeights, AreNotRead) {
  // 7B of parameters, in a file that is not there.
  OnnxModel model;
  model.input("x", {1, 16, 4096});
  std::string x = "x";
  for (int layer = 0; layer < 32; ++layer) {
    const auto name = [&](const char* what) { return what + std::to_string(layer); };
    model.node("MatMul", name("qkvo"), {x, model.weight(name("a"), {4096, 16384})});
    model.node("MatMul", name("o"), {name("qkvo"), model.weight(name("b"), {16384, 4096})});
    model.node("MatMul", name("up"), {name("o"), model.weight(name("c"), {4096, 11008})});
    x = model.node("MatMul", name("down"), {name("up"), model.weight(name("d"), {11008, 4096})});
  }
  model.output(x);
  const auto trace = imported(model);
  EXPECT_EQ(count(trace).parameters, std::uint64_t{32} * 2 * 4096 * (16384 + 11008));
}

TEST(OnnxWeights, MayBeInputsOfTheGraph) {
  OnnxModel model;
  model.input("image", {1, 3, 8, 8});
  model.input("token", {1, 1, 4});
  model.input("filter", {4, 3, 8, 8});
  model.input("positions", {1, 2, 4});
  model.node("Conv", "conv", {"image", "filter"}, {OnnxModel::list("strides", {8, 8})});
  model.node("Reshape", "flat", {"conv", model.wholes("shape", {1, 4, 1})});
  model.node("Transpose", "rows", {"flat"}, {OnnxModel::list("perm", {0, 2, 1})});
  model.node("Expand", "tokens", {"token", model.wholes("to", {1, 1, 4})});
  model.node("Concat", "all", {"tokens", "rows"}, {OnnxModel::whole("axis", 1)});
  model.node("Add", "placed", {"all", "positions"});
  model.output("placed");
  const auto trace = imported(model);
  std::map<std::string, Role> roles;
  for (const auto& tensor : trace.tensors) roles[tensor.name] = tensor.role;
  EXPECT_EQ(roles["image"], Role::input);
  EXPECT_EQ(roles["filter"], Role::weight);
  EXPECT_EQ(roles["positions"], Role::weight);
  EXPECT_EQ(count(trace).parameters, 4U * 192 + 4 + 8);
}

TEST(OnnxErrors, AllUnknownOperatorsAreToldAtOnceWithTheirNodes) {
  OnnxModel model;
  model.input("x", {1, 4});
  model.node("NonZero", "where_not", {"x"});
  model.node("LSTM", "memory", {"x"});
  model.node("If", "branch", {"x"});
  model.output("x");
  EXPECT_THAT(error(model), AllOf(HasSubstr("operator `NonZero` cannot be imported: node `where_not`"),
                                  HasSubstr("operator `LSTM` cannot be imported: node `memory`"),
                                  HasSubstr("operator `If` cannot be imported: node `branch`"),
                                  HasSubstr("a trace has no control flow"), HasSubstr("test.onnx")));
}

TEST(OnnxErrors, NameTheNode) {
  const auto of = [](const std::function<void(OnnxModel&)>& build) {
    OnnxModel model;
    model.input("x", {2, 4});
    build(model);
    model.output("y");
    return error(model);
  };
  EXPECT_THAT(of([](OnnxModel& m) {
                m.node("MatMul", "y", {"x", m.weight("w", {3, 4})});
              }),
              HasSubstr("node `y` (MatMul) cannot multiply [2, 4] and [3, 4]"));
  EXPECT_THAT(of([](OnnxModel& m) {
                m.node("Add", "y", {"x", "nothing"});
              }),
              HasSubstr("node `y` (Add) reads `nothing`, which nothing before it makes"));
  EXPECT_THAT(of([](OnnxModel& m) {
                m.node("Reshape", "y", {"x", m.wholes("s", {3, -1})});
              }),
              HasSubstr("node `y` (Reshape) cannot make [3, 2] of [2, 4]"));
  EXPECT_THAT(of([](OnnxModel& m) { m.node("Softmax", "y", {"x"}, {OnnxModel::whole("wrong", 1)}); }),
              HasSubstr("node `y` (Softmax) is not as opset 13 has it"));
}

TEST(OnnxErrors, OpsetsAreKnownWithinLimits) {
  const auto of = [](std::int64_t opset, const std::string& op) {
    OnnxModel model(opset);
    model.input("x", {2, 4});
    model.node(op, "y", {"x"});
    model.output("y");
    return error(model);
  };
  EXPECT_EQ(of(9, "Relu"), "no error");
  EXPECT_EQ(of(22, "Relu"), "no error");
  EXPECT_EQ(of(20, "Gelu"), "no error");
  EXPECT_THAT(of(8, "Relu"), HasSubstr("the model is of opset 8"));
  EXPECT_THAT(of(99, "Relu"), HasSubstr("the model is of opset 99"));
  EXPECT_THAT(of(23, "Dropout"), HasSubstr("those up to opset 22 are known"));
}

TEST(OnnxErrors, DamagedFilesEndInMessages) {
  OnnxModel model;
  model.input("x", {1, 3, 8, 8});
  model.node("Conv", "y", {"x", model.numbers("w", {1, 3, 1, 1}, {1, 2, 3})});
  model.output("y");
  const auto bytes = model.bytes();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto cut = import_onnx_bytes(bytes.substr(0, size), "cut.onnx", {.model = "cut"});
    if (!cut) {
      EXPECT_THAT(render(cut.diagnostics()), HasSubstr("cut.onnx"));
    }
  }
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      auto flipped = bytes;
      flipped[at] = static_cast<char>(flipped[at] ^ (1 << bit));
      import_onnx_bytes(flipped, "flipped.onnx", {.model = "flipped"});
    }
  }
}

}  // namespace
}  // namespace archsim
