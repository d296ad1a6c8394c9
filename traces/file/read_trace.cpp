#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "arch/workload/rules/validate.h"
#include "traces/file/trace_reader.h"
#include "traces/show/listing.h"

namespace archsim {
namespace {

// Puts records together. The open bodies are a path of repeats; a body moves into its parent when it ends.
class Assembly {
 public:
  explicit Assembly(const TraceReader& reader) : reader_(reader) {}

  void add(TraceRecord&& record) {
    std::visit([this](auto&& each) { take(std::forward<decltype(each)>(each)); }, std::move(record));
  }
  Trace take_trace() { return std::move(trace_); }

 private:
  void take(TraceHeader&& header) {
    trace_.model = std::move(header.model);
    trace_.parameters = std::move(header.parameters);
  }
  void take(Loop&& loop) { trace_.loops.push_back(std::move(loop)); }
  void take(Tensor&& tensor) {
    make_room(trace_.tensors);
    trace_.tensors.push_back(std::move(tensor));
  }
  void take(BeginStage&& stage) {
    trace_.stages.push_back({std::move(stage.name), {}});
    open_.push_back({stage.loop, {}});
  }
  void take(BeginRepeat&& repeat) { open_.push_back({repeat.loop, {}}); }
  void take(EndBody&&) {
    auto ended = std::move(open_.back());
    open_.pop_back();
    if (open_.empty()) {
      trace_.stages.back().repeat = std::move(ended);
    } else {
      open_.back().body.emplace_back(std::move(ended));
    }
  }
  void take(Operator&& op) {
    open_.back().body.emplace_back(static_cast<std::uint32_t>(trace_.operators.size()));
    make_room(trace_.operators);
    trace_.operators.push_back(std::move(op));
  }
  void take(TraceEnd&& end) { trace_.digest = std::move(end.digest); }

  // Moving a long table again and again as it doubles takes as long as reading it: room for all, if the rest of the file is like its start.
  template <class Entries>
  void make_room(Entries& entries) {
    constexpr std::size_t kLong = 4096;
    constexpr double kSpare = 1.05;
    if (entries.size() < entries.capacity() || entries.size() < kLong) return;
    const double progress = reader_.progress();
    if (progress <= 0.0) return;
    const auto likely = static_cast<std::size_t>(kSpare * static_cast<double>(entries.size()) / progress);
    entries.reserve(std::clamp(likely, entries.size() + entries.size() / 2, kMostAhead * entries.size()));
    use_huge_pages(entries.data(), entries.capacity() * sizeof(typename Entries::value_type));
  }
  // Advice that saves a fault for every 4 KiB; without such pages nothing happens.
  static void use_huge_pages(void* begin, std::size_t bytes) {
    constexpr std::uintptr_t kHuge = std::uintptr_t{2} << 20U;
    const auto first = (reinterpret_cast<std::uintptr_t>(begin) + kHuge - 1) / kHuge * kHuge;
    const auto last = (reinterpret_cast<std::uintptr_t>(begin) + bytes) / kHuge * kHuge;
    if (first < last) static_cast<void>(::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE));
  }
  static constexpr std::size_t kMostAhead = 256;  // whatever the file says of itself, memory stays on its own scale

  Trace trace_;
  std::vector<Repeat> open_;
  const TraceReader& reader_;
};

// Each problem at the line of its operator in the trace's listing, because a binary file has no lines.
Diagnostics located(const Trace& trace, const Problems& problems, const std::string& path) {
  const auto listing = list_trace(trace);
  const auto source = make_source(path + " (as `archsim trace export --format text` prints it)", listing.text);
  Diagnostics out;
  for (const auto& problem : problems) {
    Location where{source, 0, 0};
    if (problem.operator_index) where = {source, listing.operator_lines[*problem.operator_index], 1};
    if (problem.tensor_index) where = {source, listing.tensor_lines[*problem.tensor_index], 1};
    if (problem.loop_index) where = {source, listing.loop_lines[*problem.loop_index], 1};
    out.error(where, problem.message, problem.help);
  }
  return out;
}

}  // namespace

Checked<Trace> read_trace(TraceReader reader, const std::string& path) {
  Assembly assembly(reader);
  for (;;) {
    auto record = reader.next();
    if (!record) return record.diagnostics();
    const bool ends = std::holds_alternative<TraceEnd>(*record);
    assembly.add(*std::move(record));
    if (ends) break;
  }
  auto trace = assembly.take_trace();
  const auto problems = problems_of(trace);
  if (!problems.empty()) return located(trace, problems, path);
  return trace;
}

Checked<Trace> read_trace(const std::string& path) {
  auto reader = TraceReader::open(path);
  if (!reader) return reader.diagnostics();
  return read_trace(*std::move(reader), path);
}

}  // namespace archsim
