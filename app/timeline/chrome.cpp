#include "app/timeline/chrome.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>

namespace archsim {
namespace {

constexpr std::size_t kMostArrows = 40'000;
constexpr double kNoticeable = 0.002;  // change of a counter, as a part of the whole

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

double microseconds(Time time) { return static_cast<double>(time.value) / 1e6; }

/// One slice of an instance on one kind of engine.
struct Place {
  std::size_t track = 0;
  const TimelineSlice* slice = nullptr;
};

/// What an instance had of one accelerator's engines first.
struct Instance {
  std::optional<Place> load, compute, store;
};

class Writer {
 public:
  Writer(const RunInputs& inputs, const Answer& answer, const TimelineRecorder& recorder)
      : in_(inputs), answer_(answer), recorder_(recorder) {}

  std::string write() {
    text_ = "{\"displayTimeUnit\":\"ns\",\"otherData\":";
    text_ += nlohmann::ordered_json{{"schema", "archsim.timeline/1"},
                                    {"soc", in_.spec.name},
                                    {"model", in_.trace.model},
                                    {"time_s", static_cast<double>(answer_.time.value) / 1e12},
                                    {"joined_within_us", microseconds(recorder_.resolution())}}
                 .dump();
    text_ += ",\"traceEvents\":[";
    name_tracks();
    write_stages();
    for (std::size_t track = 0; track < recorder_.tracks().size(); ++track) write_track(track);
    write_counters();
    write_arrows();
    text_ += "\n]}\n";
    return std::move(text_);
  }

 private:
  static constexpr int kStages = 1;  // process of the stages; blocks follow

  template <class... Arguments>
  void event(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    text_ += is_first_ ? "\n" : ",\n";
    is_first_ = false;
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
  }

  int process_of(std::size_t track) const {
    return track == recorder_.host_track() ? process_of(in_.spec.host().name)
                                           : process_of(in_.spec.accelerators()[track / kEngines]->name);
  }
  int process_of(const std::string& block) const {
    for (std::size_t i = 0; i < in_.spec.blocks.size(); ++i) {
      if (in_.spec.blocks[i].name == block) return kStages + 1 + static_cast<int>(i);
    }
    return kStages;
  }
  int thread_of(std::size_t track) const {
    return track == recorder_.host_track() ? 1 : static_cast<int>(track % kEngines) + 1;
  }

  void name_process(int process, const std::string& name, int order) {
    event(R"({{"ph":"M","name":"process_name","pid":{},"tid":0,"args":{{"name":{}}}}})", process, quoted(name));
    event(R"({{"ph":"M","name":"process_sort_index","pid":{},"tid":0,"args":{{"sort_index":{}}}}})", process, order);
  }
  void name_thread(int process, int thread, std::string_view name) {
    event(R"({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":{}}}}})", process, thread,
          quoted(std::string(name)));
  }

  void name_tracks() {
    name_process(kStages, in_.trace.model + " on " + in_.spec.name, 0);
    name_thread(kStages, 1, "stages");
    for (std::size_t i = 0; i < in_.spec.blocks.size(); ++i) {
      const BlockSpec& block = in_.spec.blocks[i];
      name_process(process_of(block.name), block.name, static_cast<int>(i) + 1);
    }
    for (std::size_t track = 0; track < recorder_.tracks().size(); ++track) {
      const bool is_host = track == recorder_.host_track();
      name_thread(process_of(track), thread_of(track),
                  is_host ? "host" : name_of(static_cast<Engine>(track % kEngines)));
    }
  }

  void write_stages() {
    Time begin = Time::zero();
    for (const StageRow& stage : answer_.stages) {
      if (stage.time > Time::zero()) {
        event(
            R"({{"ph":"X","cat":"stage","name":{},"pid":{},"tid":1,"ts":{:.6f},"dur":{:.6f},"args":{{"bound":{},"repeat":{},"macs":{},"dram_bytes":{}}}}})",
            quoted(stage.name), kStages, microseconds(begin), microseconds(stage.time), quoted(stage.bound),
            stage.repeat, stage.macs, stage.dram_bytes);
      }
      begin += stage.time;
    }
  }

  std::string name_of_slice(const TimelineSlice& slice) const {
    if (slice.slices > 1) return fmt::format("{} pieces of work", slice.slices);
    return in_.trace.operators[slice.operator_index].name;
  }

  void write_track(std::size_t track) {
    const int process = process_of(track), thread = thread_of(track);
    for (const TimelineSlice& slice : recorder_.tracks()[track]) {
      event(
          R"({{"ph":"X","cat":"{}","name":{},"pid":{},"tid":{},"ts":{:.6f},"dur":{:.6f},"args":{{"instance":{},"commands":{},"busy_us":{:.6f}}}}})",
          slice.slices > 1 ? "joined" : "operator", quoted(name_of_slice(slice)), process, thread,
          microseconds(slice.start), microseconds(slice.end - slice.start), slice.iteration, slice.commands,
          microseconds(slice.busy));
    }
  }

  void write_counters() {
    const auto& times = recorder_.sample_times();
    for (const TimelineCounter& counter : recorder_.counters()) {
      const int process = process_of(counter.block);
      const std::string name = quoted(counter.block + " " + counter.engine + " busy %");
      double last = -1.0;
      for (std::size_t i = 0; i < counter.busy.size(); ++i) {
        if (std::abs(counter.busy[i] - last) < kNoticeable && i + 1 < counter.busy.size()) continue;
        last = counter.busy[i];
        event(R"({{"ph":"C","name":{},"pid":{},"tid":0,"ts":{:.6f},"args":{{"busy":{:.1f}}}}})", name, process,
              microseconds(i == 0 ? Time::zero() : times[i - 1]), 100.0 * last);
      }
    }
  }

  void note(std::map<std::tuple<std::uint32_t, std::uint64_t, std::size_t>, Instance>& instances, std::size_t track) {
    if (track == recorder_.host_track()) return;
    const auto engine = static_cast<Engine>(track % kEngines);
    for (const TimelineSlice& slice : recorder_.tracks()[track]) {
      if (slice.slices > 1) continue;
      Instance& instance = instances[{slice.operator_index, slice.iteration, track / kEngines}];
      auto& first = engine == Engine::load    ? instance.load
                    : engine == Engine::store ? instance.store
                                              : instance.compute;
      if (!first || slice.start < first->slice->start) first = Place{track, &slice};
    }
  }

  void write_arrows() {
    std::map<std::tuple<std::uint32_t, std::uint64_t, std::size_t>, Instance> instances;
    for (std::size_t track = 0; track < recorder_.tracks().size(); ++track) note(instances, track);
    for (const auto& [key, instance] : instances) {
      if (arrows_ + 2 > kMostArrows) break;
      if (instance.load && instance.compute) write_arrow(*instance.load, *instance.compute);
      if (instance.compute && instance.store) write_arrow(*instance.compute, *instance.store);
    }
  }

  /// From within one slice to within another, not backwards in time.
  void write_arrow(const Place& from, const Place& to) {
    const Time arrives = std::clamp(from.slice->end, to.slice->start, to.slice->end);
    const Time leaves = std::min(from.slice->end, arrives);
    if (leaves < from.slice->start) return;
    ++arrows_;
    const char* name = from.track % kEngines == static_cast<std::size_t>(Engine::load) ? "operands" : "results";
    event(R"({{"ph":"s","cat":"data","name":"{}","id":{},"pid":{},"tid":{},"ts":{:.6f}}})", name, arrows_,
          process_of(from.track), thread_of(from.track), microseconds(leaves));
    event(R"({{"ph":"f","bp":"e","cat":"data","name":"{}","id":{},"pid":{},"tid":{},"ts":{:.6f}}})", name, arrows_,
          process_of(to.track), thread_of(to.track), microseconds(arrives));
  }

  const RunInputs& in_;
  const Answer& answer_;
  const TimelineRecorder& recorder_;
  std::string text_;
  bool is_first_ = true;
  std::size_t arrows_ = 0;
};

}  // namespace

std::string chrome_trace(const RunInputs& inputs, const Answer& answer, const TimelineRecorder& recorder) {
  return Writer(inputs, answer, recorder).write();
}

}  // namespace archsim
