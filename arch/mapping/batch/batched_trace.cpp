#include "arch/mapping/batch/batched_trace.h"

#include <algorithm>
#include <iterator>

#include "arch/mapping/batch/loop_uses.h"

namespace archsim {
namespace {

const Repeat* find_repeat(const Repeat& in, std::uint32_t loop) {
  if (in.loop == loop) return &in;
  for (const auto& step : in.body) {
    const auto* inner = std::get_if<Repeat>(&step);
    const Repeat* found = inner ? find_repeat(*inner, loop) : nullptr;
    if (found) return found;
  }
  return nullptr;
}

class Batcher {
 public:
  Batcher(const BatchedTrace& from, const Repeat& repeat)
      : from_(from), repeat_(repeat), count_(from.trace.loops[repeat.loop].count), uses_(from, repeat), result_(from) {}

  std::optional<BatchedTrace> run() {
    if (count_ < 2 || !uses_.are_independent()) return std::nullopt;
    std::vector<Step> pieces;
    bool has_product = false;
    for (std::size_t i = 0; i < repeat_.body.size();) {
      const bool joins = uses_.is_batchable(repeat_.body[i]);
      std::size_t end = i;
      while (end < repeat_.body.size() && uses_.is_batchable(repeat_.body[end]) == joins) ++end;
      const std::vector<Step> steps(repeat_.body.begin() + static_cast<std::ptrdiff_t>(i),
                                    repeat_.body.begin() + static_cast<std::ptrdiff_t>(end));
      if (joins) {
        for (const auto& step : steps) has_product = join(step) || has_product;
        pieces.insert(pieces.end(), steps.begin(), steps.end());
      } else {
        pieces.emplace_back(repeated(steps));
      }
      i = end;
    }
    if (!has_product) return std::nullopt;
    for (auto& stage : result_.trace.stages) put(stage, pieces);
    return std::move(result_);
  }

 private:
  // Returns whether there is a product in it.
  bool join(const Step& step) {
    bool has_product = false;
    for (const std::uint32_t index : operators_in(step)) {
      Operator& op = result_.trace.operators[index];
      for (auto* uses : {&op.inputs, &op.outputs}) {
        for (auto& use : *uses) {
          if (uses_.is_own(use)) use = {joined(use.tensor), {}};
        }
      }
      if (op.type == OperatorType::attention)
        op.attributes["batch"] = op.integer("batch", 1) * static_cast<std::int64_t>(count_);
      has_product = has_product || op.type == OperatorType::linear;
      result_.batches[index] = {.count = count_, .inner = inner_instances(index)};
    }
    return has_product;
  }

  std::uint32_t joined(std::uint32_t storage) {
    for (const auto& [joined, of] : result_.joined.storage) {
      if (of == storage) return joined;
    }
    give_copies(storage);
    Tensor tensor = result_.trace.tensors[storage];
    tensor.name += ".joined";
    tensor.copies.clear();
    tensor.shape[0] *= count_;
    const auto index = static_cast<std::uint32_t>(result_.trace.tensors.size());
    result_.trace.tensors.push_back(std::move(tensor));
    result_.joined.storage[index] = storage;
    return index;
  }

  void give_copies(std::uint32_t tensor) {
    auto& copies = result_.trace.tensors[tensor].copies;
    if (copies.empty()) copies = {count_};
  }

  // A repeat of the steps with a loop of its own.
  Repeat repeated(const std::vector<Step>& steps) {
    const auto loop = static_cast<std::uint32_t>(result_.trace.loops.size());
    result_.trace.loops.push_back(from_.trace.loops[repeat_.loop]);
    for (const auto& step : steps) {
      for (const std::uint32_t index : operators_in(step)) {
        Operator& op = result_.trace.operators[index];
        for (auto* uses : {&op.inputs, &op.outputs}) {
          for (auto& use : *uses) put_in_loop(use, loop);
        }
      }
    }
    return {loop, steps};
  }

  void put_in_loop(TensorUse& use, std::uint32_t loop) {
    const bool has_one_for_all = uses_.is_written(use.tensor) && use.copy.empty();
    if (has_one_for_all && from_.trace.tensors[use.tensor].copies.empty()) {
      give_copies(use.tensor);
      use.copy = {{loop, 0}};
    }
    for (auto& index : use.copy) {
      if (index.loop == repeat_.loop) index.loop = loop;
    }
  }

  std::uint64_t inner_instances(std::uint32_t op) const {
    if (positions_.empty()) positions_ = positions(from_.trace);
    const auto& loops = positions_[op].loops;
    std::uint64_t inner = 1;
    for (auto at = std::find(loops.begin(), loops.end(), repeat_.loop) + 1; at != loops.end(); ++at)
      inner *= from_.trace.loops[*at].count;
    return inner;
  }

  // The pieces instead of the repeat.
  void put(Stage& stage, const std::vector<Step>& pieces) {
    if (stage.repeat.loop != repeat_.loop) return put(stage.repeat, pieces);
    stage.repeat = {static_cast<std::uint32_t>(result_.trace.loops.size()), pieces};
    result_.trace.loops.push_back({from_.trace.loops[repeat_.loop].name, 1});
  }
  void put(Repeat& in, const std::vector<Step>& pieces) {
    for (std::size_t i = 0; i < in.body.size(); ++i) {
      auto* inner = std::get_if<Repeat>(&in.body[i]);
      if (!inner) continue;
      if (inner->loop != repeat_.loop) {
        put(*inner, pieces);
        continue;
      }
      const auto at = in.body.erase(in.body.begin() + static_cast<std::ptrdiff_t>(i));
      in.body.insert(at, pieces.begin(), pieces.end());
      return;
    }
  }

  const BatchedTrace& from_;
  const Repeat& repeat_;
  std::uint32_t count_;
  LoopUses uses_;
  BatchedTrace result_;
  mutable std::vector<Position> positions_;
};

}  // namespace

BatchedTrace unbatched(const Trace& trace) {
  return {.trace = trace, .joined = {}, .batches = std::vector<Batch>(trace.operators.size())};
}

std::optional<BatchedTrace> batched(const BatchedTrace& from, std::uint32_t loop) {
  for (const auto& stage : from.trace.stages) {
    if (const Repeat* repeat = find_repeat(stage.repeat, loop)) return Batcher(from, *repeat).run();
  }
  return std::nullopt;
}

}  // namespace archsim
