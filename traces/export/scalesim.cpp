#include "traces/export/scalesim.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "arch/workload/count.h"

namespace archsim {
namespace {

struct Product {
  std::string suffix;  // of the layer's name
  std::uint64_t m = 1, n = 1, k = 1;
  const Operator* unfolding = nullptr;  // the im2col that made the rows, if it is a convolution
};

std::uint64_t rows(const Tensor& tensor) { return tensor.elements() / tensor.shape.back(); }

/// Commas end a cell, and a name with "DP" in it means a depthwise convolution to SCALE-Sim.
std::string layer_name(std::string name) {
  std::replace(name.begin(), name.end(), ',', '_');
  for (auto at = name.find("DP"); at != std::string::npos; at = name.find("DP")) name.replace(at, 2, "dp");
  return name;
}

class Topology {
 public:
  Topology(const Trace& trace, const ScaleSimOptions& options)
      : trace_(trace), options_(options), counts_(count(trace)) {}

  Checked<std::string> run() {
    text_ = options_.form == ScaleSimForm::gemm
                ? "Layer,M,N,K,\n"
                : "Layer name,IFMAP Height,IFMAP Width,Filter Height,Filter Width,Channels,Num Filter,Strides,\n";
    find_unfoldings();
    for (const auto& stage : trace_.stages) body(stage.repeat, stage.name, "");
    if (errors_.has_errors()) return errors_;
    return std::move(text_);
  }

 private:
  const Tensor& tensor(const TensorUse& use) const { return trace_.tensors[use.tensor]; }

  void find_unfoldings() {
    for (std::uint32_t i = 0; i < trace_.operators.size(); ++i) {
      if (trace_.operators[i].type != OperatorType::im2col) continue;
      for (const auto& use : trace_.operators[i].outputs) unfolded_[use.tensor] = i;
    }
  }

  void body(const Repeat& repeat, const std::string& stage, const std::string& path) {
    const auto times = options_.once ? 1 : trace_.loops[repeat.loop].count;
    for (std::uint32_t i = 0; i < times; ++i) {
      const bool shows = !options_.once && trace_.loops[repeat.loop].count > 1;
      const std::string here = shows ? fmt::format("{}{}{}", path, path.empty() ? "" : ".", i) : path;
      for (const auto& step : repeat.body) {
        if (const auto* index = std::get_if<std::uint32_t>(&step)) {
          add(*index, here);
        } else {
          body(std::get<Repeat>(step), stage, here);
        }
      }
      if (errors_.has_errors() && i == 0) return;  // each iteration would say the same
    }
  }

  void add(std::uint32_t index, const std::string& path) {
    const auto& op = trace_.operators[index];
    const auto products = products_of(index);
    if (!products) return;
    const std::string name = layer_name(op.name) + (path.empty() ? "" : "[" + path + "]");
    for (const auto& product : *products) line(op, name + product.suffix, product);
  }

  std::optional<std::vector<Product>> products_of(std::uint32_t index) {
    const auto& op = trace_.operators[index];
    switch (op.type) {
      case OperatorType::linear:
        return linear(op);
      case OperatorType::matmul:
        return matmul(op);
      case OperatorType::attention:
        return attention(op);
      default:
        break;
    }
    if (counts_.operators[index].macs > 0) {
      errors_.error({}, fmt::format("operator `{}` ({}) is no matrix product that SCALE-Sim could compute", op.name,
                                    name_of(op.type)));
    }
    return std::nullopt;
  }

  std::vector<Product> linear(const Operator& op) const {
    const auto& x = tensor(op.inputs[0]);
    const auto& weight = tensor(op.inputs[1]);
    Product product{.suffix = {}, .m = rows(x), .n = weight.shape[1], .k = weight.shape[0]};
    const auto unfolding = unfolded_.find(op.inputs[0].tensor);
    if (unfolding != unfolded_.end()) product.unfolding = &trace_.operators[unfolding->second];
    return {product};
  }

  std::vector<Product> matmul(const Operator& op) const {
    const auto& a = tensor(op.inputs[0]);
    const auto& y = tensor(op.outputs[0]);
    const auto m = a.shape[a.shape.size() - 2];
    const auto batch = rows(a) / m;
    std::vector<Product> out;
    for (std::uint64_t b = 0; b < batch; ++b) {
      out.push_back(
          {.suffix = batch > 1 ? fmt::format(".b{}", b) : "", .m = m, .n = y.shape.back(), .k = a.shape.back()});
    }
    return out;
  }

  std::vector<Product> attention(const Operator& op) const {
    const auto batch = static_cast<std::uint64_t>(op.integer("batch", 1));
    const auto kv_heads = static_cast<std::uint64_t>(op.integer("kv_heads", 1));
    const auto head_dim = static_cast<std::uint64_t>(op.integer("head_dim", 1));
    const auto shared_by = static_cast<std::uint64_t>(op.integer("heads", 1)) / kv_heads;
    const auto queries = rows(tensor(op.inputs[0])) / batch * shared_by;
    std::uint64_t keys = 0;
    for (std::size_t i = 1; i < op.inputs.size(); i += 2) keys += rows(tensor(op.inputs[i])) / batch;
    std::vector<Product> out;
    for (std::uint64_t part = 0; part < batch * kv_heads; ++part) {
      out.push_back({.suffix = fmt::format(".h{}.scores", part), .m = queries, .n = keys, .k = head_dim});
      out.push_back({.suffix = fmt::format(".h{}.values", part), .m = queries, .n = head_dim, .k = keys});
    }
    return out;
  }

  void line(const Operator& op, const std::string& name, const Product& product) {
    if (options_.form == ScaleSimForm::gemm) {
      text_ += fmt::format("{},{},{},{},\n", name, product.m, product.n, product.k);
    } else if (product.unfolding) {
      convolution(op, name, product);
    } else {
      text_ += fmt::format("{},{},{},1,{},1,{},1,\n", name, product.m, product.k, product.k, product.n);
    }
  }

  void convolution(const Operator& op, const std::string& name, const Product& product) {
    const auto window = window_of(*product.unfolding);
    if (window.stride[0] != window.stride[1]) {
      errors_.error({}, fmt::format("operator `{}` steps {} down and {} to the right; SCALE-Sim has one stride",
                                    op.name, window.stride[0], window.stride[1]));
      return;
    }
    // SCALE-Sim rounds the number of places up: it gets no more of the padded grid than the kernel reaches.
    const auto height = (window.rows() - 1) * window.stride[0] + window.kernel[0];
    const auto width = (window.columns() - 1) * window.stride[1] + window.kernel[1];
    const auto grids = product.m / (window.rows() * window.columns());
    for (std::uint64_t grid = 0; grid < grids; ++grid) {
      text_ +=
          fmt::format("{}{},{},{},{},{},{},{},{},\n", name, grids > 1 ? fmt::format(".g{}", grid) : "", height, width,
                      window.kernel[0], window.kernel[1], product.k / window.area(), product.n, window.stride[0]);
    }
  }

  const Trace& trace_;
  const ScaleSimOptions& options_;
  TraceCounts counts_;
  std::map<std::uint32_t, std::uint32_t> unfolded_;  // tensor -> the im2col that makes it
  std::string text_;
  Diagnostics errors_;
};

}  // namespace

Checked<std::string> scalesim_topology(const Trace& trace, const ScaleSimOptions& options) {
  return Topology(trace, options).run();
}

}  // namespace archsim
