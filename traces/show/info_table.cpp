#include <fmt/format.h>

#include <algorithm>

#include "traces/show/info.h"
#include "traces/show/listing.h"
#include "traces/show/summary.h"

namespace archsim {
namespace {

double giga(std::uint64_t number) { return static_cast<double>(number) * 1e-9; }
double mega(std::uint64_t number) { return static_cast<double>(number) * 1e-6; }
double mebi(std::uint64_t bytes) { return static_cast<double>(bytes) / (1024.0 * 1024.0); }
double percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string head(const Trace& trace, const TraceCounts& counts, const TraceSummary& summary) {
  std::string text = trace.model;
  for (const auto& [name, value] : trace.parameters) text += fmt::format(" {}={}", name, value);
  text += fmt::format("\n{} operators, {} executed; {:.4f} GMAC, {:.4f} of them attention, {:.4f} dead\n",
                      trace.operators.size(), counts.executed_operators, giga(counts.macs), giga(counts.attention_macs),
                      giga(counts.dead_macs));
  text += fmt::format("{} parameters in {:.2f} MiB, KV cache {:.2f} MiB\n", counts.parameters,
                      mebi(counts.weight_bytes), mebi(counts.kv_cache_bytes));
  const auto& bytes = summary.bytes;
  text += fmt::format(
      "moves {:.2f} MiB: weights {:.2f}, KV read {:.2f}, KV written {:.2f}, activations {:.2f}; {:.1f} MAC/B\n",
      mebi(bytes.all()), mebi(bytes.weight), mebi(bytes.kv_read), mebi(bytes.kv_write), mebi(bytes.activation),
      intensity(counts.macs, bytes));
  if (!trace.digest.empty()) text += fmt::format("digest {}\n", trace.digest);
  return text;
}

std::string stages(const TraceCounts& counts, const TraceSummary& summary) {
  std::size_t width = 5;
  for (const auto& stage : counts.stages) width = std::max(width, stage.name.size());
  std::string text =
      fmt::format("\n{:<{}} {:>6} {:>10} {:>10} {:>10} {:>10} {:>9} {:>9} {:>11} {:>9} {:>9} {:>8} {:>9}\n", "stage",
                  width, "repeat", "GMAC", "attention", "weights M", "MiB", "KV rd MiB", "KV wr MiB", "activ. MiB",
                  "scores M", "vector M", "MAC/B", "KV grows");
  for (std::size_t i = 0; i < counts.stages.size(); ++i) {
    const auto& once = counts.stages[i].once;
    text += fmt::format(
        "{:<{}} {:>6} {:>10.4f} {:>10.4f} {:>10.4f} {:>10.4f} {:>9.4f} {:>9.4f} {:>11.4f} {:>9.4f} {:>9.4f} {:>8.1f} "
        "{:>9.6g}\n",
        counts.stages[i].name, width, counts.stages[i].repeat, giga(once.macs), giga(once.attention_macs),
        mega(once.weight_elements), mebi(once.weight_bytes), mebi(once.kv_read_bytes), mebi(once.kv_write_bytes),
        mebi(once.activation_bytes), mega(once.score_elements), mega(once.vector_elements),
        intensity(once.macs, moved_bytes(once)), summary.kv_growth[i].rows);
  }
  text += "A stage's numbers are for one of its repeats; KV grows by so many positions.\n";
  if (counts.casts > 0) text += fmt::format("{} of the executed operators are casts.\n", counts.casts);
  return text;
}

template <class Part>
std::string shares(const std::string& title, const std::vector<Share>& list, std::uint64_t whole, Part part) {
  if (list.empty()) return {};
  std::size_t width = title.size();
  for (const auto& share : list) width = std::max(width, share.name.size());
  std::string text = fmt::format("\n{:<{}} {:<18} {:>9} {:>7} {:>10} {:>11} {:>8}\n", title, width, "type", "instances",
                                 "share", "GMAC", "MiB", "MAC/B");
  for (const auto& share : list) {
    text += fmt::format("{:<{}} {:<18} {:>9} {:>5.1f} % {:>10.4f} {:>11.4f} {:>8.1f}\n", share.name, width,
                        name_of(share.type), share.instances, percent(part(share), whole), giga(share.macs),
                        mebi(share.bytes.all()), intensity(share.macs, share.bytes));
  }
  return text;
}

// What tensors are stored as, and what that takes, scales and metadata apart.
std::string formats_table(const TraceCounts& counts) {
  std::string text = fmt::format("\n{:<10} {:<26} {:>11} {:>11} {:>11} {:>13}\n", "role", "format", "elements M", "MiB",
                                 "scales MiB", "metadata MiB");
  for (const auto& format : counts.formats) {
    text += fmt::format("{:<10} {:<26} {:>11.4f} {:>11.4f} {:>11.4f} {:>13.4f}\n", name_of(format.role),
                        format_text(format.dtype, format.grouping), mega(format.elements), mebi(format.bytes.values),
                        mebi(format.bytes.scales), mebi(format.bytes.metadata));
  }
  return text;
}

}  // namespace

std::string trace_info_table(const Trace& trace) {
  const auto counts = count(trace);
  const auto summary = summarize(trace, counts);
  std::uint64_t touched = 0;  // a weight anew in each instance, unlike in a stage
  for (const auto& type : summary.types) touched += type.bytes.all();
  const auto macs_of = [](const Share& share) { return share.macs; };
  const auto bytes_of = [](const Share& share) { return share.bytes.all(); };
  return head(trace, counts, summary) + stages(counts, summary) + formats_table(counts) +
         shares("most MACs", summary.by_macs, counts.macs, macs_of) +
         shares("most bytes", summary.by_bytes, touched, bytes_of);
}

}  // namespace archsim
