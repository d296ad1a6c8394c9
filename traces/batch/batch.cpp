#include "traces/batch/batch.h"

#include <utility>
#include <vector>

namespace archsim {
namespace {

class Batch {
 public:
  Batch(Trace& trace, std::uint32_t samples) : trace_(trace), samples_(samples) {
    for (auto& tensor : trace_.tensors) {
      is_own_.push_back(tensor.role != Role::weight && tensor.role != Role::constant);
      if (is_own_.back()) tensor.copies.push_back(samples);
    }
  }

  void apply(Repeat& repeat) {
    std::vector<Step> body;
    Repeat run;
    for (auto& step : repeat.body) {
      if (const auto* op = std::get_if<std::uint32_t>(&step)) {
        run.body.emplace_back(*op);
        continue;
      }
      finish(run, repeat.loop, body);
      apply(std::get<Repeat>(step));
      body.push_back(std::move(step));
    }
    finish(run, repeat.loop, body);
    repeat.body = std::move(body);
  }

 private:
  void finish(Repeat& run, std::uint32_t outside, std::vector<Step>& body) {
    if (run.body.empty()) return;
    run.loop = static_cast<std::uint32_t>(trace_.loops.size());
    trace_.loops.push_back({trace_.loops[outside].name + ".sample", samples_});
    for (const auto& step : run.body) {
      auto& op = trace_.operators[std::get<std::uint32_t>(step)];
      for (auto* uses : {&op.inputs, &op.outputs}) {
        for (auto& use : *uses) {
          if (is_own_[use.tensor]) use.copy.push_back({run.loop, 0});
        }
      }
    }
    body.emplace_back(std::exchange(run, {}));
  }

  Trace& trace_;
  std::uint32_t samples_;
  std::vector<bool> is_own_;  // by tensor
};

}  // namespace

void add_batch(Trace& trace, std::uint32_t samples) {
  Batch batch(trace, samples);
  for (auto& stage : trace.stages) batch.apply(stage.repeat);
}

}  // namespace archsim
