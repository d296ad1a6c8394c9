#include "models/cpu/cluster.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "arch/block/operator_log.h"
#include "arch/describe/table.h"
#include "models/accel/bench/ideal_memory.h"
#include "models/accel/bench/surroundings.h"
#include "tests/fresh_kernel.h"

namespace archsim {
namespace {

constexpr std::uint64_t kAcceleratorCsr = 0x1000'0000, kHostCsr = 0x1001'0000, kMemory = 0x8000'0000;
constexpr std::uint16_t kAccelerator = 0, kHost = 1;  // semaphores

struct HostRun {
  Time time = Time::zero();
  bool has_finished = false;
  BlockReport report;
  std::vector<OperatorRun> operators;
  std::optional<Fault> fault;
  std::vector<std::string> waiting;
  std::vector<Time> doorbells;  // at the accelerator's bank
  Traffic requested;

  Time wait(std::string_view reason) const {
    for (const auto& [name, waited] : report.engines.at(0).waits) {
      if (name == reason) return waited;
    }
    ADD_FAILURE() << reason;
    return Time::zero();
  }
};

class ClusterTest : public FreshKernel {
 protected:
  ClusterTest() {
    for (const OperatorType type : {OperatorType::image_preprocess, OperatorType::linear, OperatorType::add}) {
      trace.operators.push_back({.name = std::string(name_of(type)), .type = type});
    }
    memory.latency = 100_ns;
    memory.base = kMemory;
    memory.size = 1 << 30;
  }

  HostRun run(std::vector<Command> stream, std::vector<std::pair<Time, unsigned>> doorbells = {}) {
    stream.push_back({.payload = Halt{}});
    program.host = std::move(stream);
    const MemoryMap map{{{.block = "npu0", .kind = RegionKind::csr, .base = kAcceleratorCsr, .size = 0x1'0000},
                         {.block = "cpu", .kind = RegionKind::csr, .base = kHostCsr, .size = 0x1'0000},
                         {.block = "dram", .kind = RegionKind::dram, .base = kMemory, .size = 1 << 30}}};
    FirstFault faults;
    OperatorLog log;
    const BuildContext context{.name = "cpu",
                               .clock = 2_GHz,
                               .faults = &faults,
                               .log = &log,
                               .map = &map,
                               .program = &program,
                               .trace = &trace,
                               .accelerators = 1,
                               .semaphores = {"npu0", "cpu"}};
    Cluster cluster("cpu", params, context);
    IdealMemory ideal("memory", memory, kAcceleratorCsr, 0x1'0000);
    Ringer ringer("ringer", kHostCsr, std::move(doorbells));
    cluster.initiator_ports().at(0)->bind(*ideal.socket());
    ringer.port.socket()->bind(*cluster.target_ports().at(0));
    sc_core::sc_start();
    HostRun result{.time = time_of(sc_core::sc_time_stamp()), .has_finished = cluster.finished()};
    result.report = cluster.report(result.time);
    result.operators = log.take();
    result.fault = faults.first;
    result.waiting = cluster.waiting();
    for (const auto& [address, when] : ideal.doorbells()) result.doorbells.push_back(when);
    result.requested = cluster.requested();
    Time sum = result.report.engines.at(0).busy + result.report.engines.at(0).idle;
    for (const auto& [name, time] : result.report.engines.at(0).waits) sum += time;
    EXPECT_EQ(sum, result.time);
    return result;
  }

  static Command operation(std::uint32_t index) { return {.tag = index, .payload = HostOperation{.index = index}}; }

  Trace trace;
  Program program;
  ClusterParams params;
  IdealMemoryParams memory;
};

constexpr std::uint64_t kPixels = 224 * 224 * 3;

TEST_F(ClusterTest, AnOperationIsForkJoinAndItsElements) {
  program.host_operations = {{.operator_index = 0, .elements = kPixels}};
  const auto result = run({operation(0)});
  const Time computing(kPixels * 30 / 4 * 500);  // cycles an element over four cores at 2 GHz
  EXPECT_EQ(result.time, params.fork_join + computing);
  EXPECT_EQ(result.report.engines[0].busy, result.time);
  ASSERT_EQ(result.operators.size(), 1U);
  EXPECT_EQ(result.operators[0].host_busy, result.time);
  EXPECT_EQ(Cluster::host(params, 2_GHz).estimate(trace.operators[0], kPixels), result.time);
}

TEST_F(ClusterTest, MultiplicationsGoByTheirRate) {
  params.macs_per_cycle = 8;
  const auto time = Cluster::host(params, 2_GHz).estimate(trace.operators[1], 1'000'000);
  EXPECT_EQ(time, params.fork_join + Time(1'000'000 / 8 / 4 * 500));
}

TEST_F(ClusterTest, EveryOperatorHasAPrice) {
  const auto host = Cluster::host(params, 2_GHz);
  for (const std::string_view name : operator_type_names()) {
    Operator any;
    any.type = *operator_type_from(name);
    const auto few = host.estimate(any, 1000), many = host.estimate(any, 100'000);
    ASSERT_TRUE(few && many) << name;
    EXPECT_LT(*few, *many) << name;
  }
}

TEST_F(ClusterTest, NoParamIsDead) {
  const std::map<std::string, std::string> others = {
      {"cores", "8"},        {"macs_per_cycle", "2"},     {"fork_join", "9 us"},   {"launch", "9 us"},
      {"interrupt", "9 us"}, {"memory.outstanding", "2"}, {"memory.line", "32 B"}, {"maintenance_cycles", "5"}};
  const auto outcome = [this](const ClusterParams& with) {
    params = with;
    std::string text;
    for (const std::string_view name : operator_type_names()) {
      Operator any;
      any.type = *operator_type_from(name);
      text += std::to_string(Cluster::host(params, 2_GHz).estimate(any, 1'000'000)->value) + ' ';
    }
    program.host_operations = {
        {.operator_index = 2, .transfers = {{.address = kMemory, .bytes = 100'000, .is_shared = true}}, .elements = 1}};
    TearDown();
    SetUp();
    const auto result = run({operation(0),
                             {.payload = Signal{.semaphore = kHost, .first = 0, .count = 1}},
                             {.payload = WaitSemaphore{.semaphore = kAccelerator, .value = kCounterStart + 1}}},
                            {{500_us, kAccelerator}});
    for (const auto& [reason, waited] : result.report.engines.at(0).waits) text += std::to_string(waited.value) + ' ';
    return text + std::to_string(result.time.value);
  };
  const ParamTable table = ParamTable::of<ClusterParams>();
  const std::string standard = outcome(ClusterParams{});
  for (const auto& [path, entry] : table.leaves()) {
    const bool is_price = path.starts_with("cycles_per_element.");
    ASSERT_TRUE(is_price || others.count(path) == 1) << path << " is not tried";
    Diagnostics problems;
    const auto value = parse_yaml(make_source("test", is_price ? "777" : others.at(path)), problems);
    AnyParams changed = table.defaults();
    ASSERT_TRUE(value && table.set(changed, path, *value, problems)) << path << render(problems);
    EXPECT_NE(outcome(changed.get<ClusterParams>()), standard) << path;
  }
}

TEST_F(ClusterTest, APriceOfNothingMeansThatItCannot) {
  params.cycles_per_element.add = 0;
  EXPECT_FALSE(Cluster::host(params, 2_GHz).estimate(trace.operators[2], 1));
  program.host_operations = {{.operator_index = 2, .elements = 1}};
  const auto result = run({operation(0)});
  ASSERT_TRUE(result.fault);
  EXPECT_THAT(result.fault->what, testing::HasSubstr("cannot run add"));
}

TEST_F(ClusterTest, LinesThatAcceleratorsShareAreMaintainedOneByOne) {
  params.maintenance_cycles = 20;
  const std::vector<HostTransfer> alone{{.address = kMemory, .bytes = 6400},
                                        {.address = kMemory + 6400, .bytes = 640, .write = true}};
  program.host_operations = {{.operator_index = 2, .transfers = alone, .elements = 1000}};
  const auto coherent = run({operation(0)});
  EXPECT_EQ(coherent.report.stats.at(4), (std::pair<std::string, double>{"maintained", 0.0}));
  for (HostTransfer& transfer : program.host_operations[0].transfers) transfer.is_shared = true;
  TearDown();
  SetUp();
  const auto shared = run({operation(0)});
  const Time maintaining = Time(std::uint64_t{110} * 20 * 500);  // lines, cycles each at 2 GHz
  EXPECT_EQ(shared.time, coherent.time + maintaining);
  EXPECT_EQ(shared.report.stats.at(4), (std::pair<std::string, double>{"maintained", 110.0}));
  EXPECT_EQ(Cluster::host(params, 2_GHz).maintenance(6400 + 640), maintaining);
}

TEST_F(ClusterTest, TransfersGoThroughAWindowOfLines) {
  constexpr std::uint64_t kBytes = 1 << 20;
  program.host_operations = {{.operator_index = 2,
                              .transfers = {{.address = kMemory, .bytes = kBytes},
                                            {.address = kMemory + kBytes, .bytes = kBytes / 2, .write = true}},
                              .elements = 1000}};
  const auto result = run({operation(0)});
  const double windows = 1.5 * kBytes / (32 * 64);
  const double latency = 100e-9, computing = 2e-6 + 1000 * 0.5 / 4 / 2e9;
  EXPECT_NEAR(seconds(result.time), windows * latency + computing, 0.01 * windows * latency);
  EXPECT_EQ(result.requested.read, kBytes);
  EXPECT_EQ(result.requested.written, kBytes / 2);
  EXPECT_EQ(result.operators[0].dram_bytes, kBytes * 3 / 2);
  EXPECT_GT(result.wait("dma"), result.wait("dram"));
}

TEST_F(ClusterTest, SignalsCostALaunchAndWaitsThatSleepAnInterrupt) {
  program.host_operations = {{.operator_index = 2, .elements = 400}};
  const auto result = run({operation(0),
                           {.tag = 1, .payload = Signal{.semaphore = kHost, .first = 0, .count = 1, .to_host = true}},
                           {.payload = WaitSemaphore{.semaphore = kHost, .value = kCounterStart + 1}},
                           {.payload = WaitSemaphore{.semaphore = kAccelerator, .value = kCounterStart + 1}},
                           operation(0)},
                          {{500_us, kAccelerator}});
  const Time computing = params.fork_join + Time(400 / 2 / 4 * 500);
  EXPECT_EQ(result.doorbells, std::vector<Time>{computing + params.launch});
  EXPECT_EQ(result.time, 500_us + params.interrupt + computing);
  EXPECT_EQ(result.wait("launch"), params.launch);
  EXPECT_EQ(result.wait("interrupt"), params.interrupt);
  EXPECT_EQ(result.wait("accelerator"), 500_us - params.launch - computing);
  EXPECT_EQ(result.operators.at(0).operator_index, 1U);
  EXPECT_EQ(result.operators.at(0).launch, params.launch);
}

TEST_F(ClusterTest, AWaitThatIsOverAlreadyCostsNothing) {
  program.host_operations = {{.operator_index = 0, .elements = kPixels}};
  const auto result =
      run({operation(0), {.payload = WaitSemaphore{.semaphore = kAccelerator, .value = kCounterStart + 1}}},
          {{1_us, kAccelerator}});
  EXPECT_EQ(result.wait("interrupt"), Time::zero());
  EXPECT_EQ(result.time, result.report.engines[0].busy);
}

TEST_F(ClusterTest, LoopsMoveAddressesAndInstances) {
  program.host_operations = {
      {.operator_index = 2,
       .transfers = {{.address = (1 << 30) - 64 * 3 + kMemory, .address_register = 7, .bytes = 64}},
       .elements = 1}};
  const auto result = run({{.payload = LoopBegin{.count = 4}},
                           {.payload = Stride{.register_index = 7, .stride = 64}},
                           operation(0),
                           {.payload = EndLoop{}}});
  // The fourth line lies behind the memory's end.
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->kind, FaultKind::bad_address);
  EXPECT_EQ(result.operators.size(), 3U);
  EXPECT_EQ(result.operators.back().iteration, 2U);
}

TEST_F(ClusterTest, ADeadlockSaysWhoWaitsForWhom) {
  const auto result =
      run({{.payload = WaitSemaphore{.semaphore = kAccelerator, .value = kCounterStart + 2}}}, {{1_us, kAccelerator}});
  EXPECT_FALSE(result.has_finished);
  EXPECT_EQ(result.waiting, std::vector<std::string>{"host waits for npu0's operator 2, which is at 1"});
}

TEST_F(ClusterTest, AcceleratorCommandsAreNotTheHosts) {
  const auto result = run({{.payload = Matmul{.m = 1, .k = 1, .n = 1}}});
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->kind, FaultKind::illegal_command);
}

}  // namespace
}  // namespace archsim
