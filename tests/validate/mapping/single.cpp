#include "tests/validate/mapping/single.h"

#include <sys/wait.h>
#include <unistd.h>

#include "arch/machine/soc_spec.h"
#include "arch/mapping/map.h"
#include "arch/mapping/planned.h"
#include "arch/soc/soc.h"
#include "models/catalog.h"
#include "tests/random_trace/trace_builder.h"
#include "tests/source_dir.h"

namespace archsim {
namespace {

Tensor tensor(const std::string& name, Role role, Dtype dtype, std::vector<std::uint64_t> shape) {
  Tensor made{.name = name, .role = role, .dtype = dtype, .scale = dtype == Dtype::int8 ? 0.01 : 1.0};
  made.shape = std::move(shape);
  return made;
}

Timed simulate(const Trace& trace, const std::string& soc) {
  const auto spec = read_soc(*read_source(ARCHSIM_SOURCE_DIR "/configs/soc/" + soc + ".yaml"), {}, catalog());
  const auto machine = machine_view(*spec);
  auto planned = plan_trace(trace, machine, machine.mapping);
  const auto& plans = planned->plans;
  const double cycles =
      plans.products.empty() ? plans.attentions.begin()->second.cycles : plans.products.begin()->second.cycles;
  const auto program = program_of(trace, machine, machine.mapping, *std::move(planned));
  const auto result = Soc(*spec, trace, *program).run();
  const auto& run = result.operators.at(0);
  return {cycles / static_cast<double>(machine.accelerators[0].clock.value), seconds(run.end - machine.host.launch)};
}

}  // namespace

Trace gemm_trace(const Gemm& gemm) {
  TraceBuilder builder;
  builder.begin_stage("gemm", 1);
  const auto x = builder.tensor(tensor("x", Role::input, gemm.dtype, {gemm.m, gemm.k}));
  const auto w = builder.tensor(tensor("w", Role::weight, gemm.dtype, {gemm.k, gemm.n}));
  const auto y = builder.tensor(tensor("y", Role::output, gemm.dtype, {gemm.m, gemm.n}));
  builder.add(OperatorType::linear, "linear", {use(x), use(w)}, {use(y)});
  builder.end_stage();
  return builder.take();
}

Trace attention_trace(const Attention& attention) {
  TraceBuilder builder;
  builder.begin_stage("attention", 1);
  const std::uint64_t width = attention.heads * attention.head_dim, kv_width = attention.kv_heads * attention.head_dim;
  const auto q = builder.tensor(tensor("q", Role::input, attention.dtype, {attention.queries, width}));
  const auto k = builder.tensor(tensor("k", Role::kv_cache, attention.dtype, {attention.keys, kv_width}));
  const auto v = builder.tensor(tensor("v", Role::kv_cache, attention.dtype, {attention.keys, kv_width}));
  const auto y = builder.tensor(tensor("y", Role::output, attention.dtype, {attention.queries, width}));
  builder.add(OperatorType::attention, "attention", {use(q), use(k), use(v)}, {use(y)},
              {{"heads", static_cast<std::int64_t>(attention.heads)},
               {"kv_heads", static_cast<std::int64_t>(attention.kv_heads)},
               {"head_dim", static_cast<std::int64_t>(attention.head_dim)}});
  builder.end_stage();
  return builder.take();
}

std::optional<Timed> time_of(const Trace& trace, const std::string& soc) {
  int ends[2] = {-1, -1};
  if (::pipe(ends) != 0) return std::nullopt;
  const pid_t child = ::fork();
  if (child == 0) {
    const Timed timed = simulate(trace, soc);
    ::_exit(::write(ends[1], &timed, sizeof timed) == static_cast<ssize_t>(sizeof timed) ? 0 : 1);
  }
  ::close(ends[1]);
  Timed timed;
  const bool is_read = ::read(ends[0], &timed, sizeof timed) == static_cast<ssize_t>(sizeof timed);
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  if (!is_read) return std::nullopt;
  return timed;
}

}  // namespace archsim
