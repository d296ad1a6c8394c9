// What a DRAM controller is, as data: scheduler, queues, watermarks, page and refresh policy, address map. Read from
// configs/dram/controllers/NAME.yaml; those of the reference simulators stand for the defaults of these.
#pragma once

#include <string>
#include <vector>

#include "arch/describe/diagnostic.h"
#include "arch/describe/table.h"
#include "arch/units/quantity.h"
#include "models/dram/exact/address_map.h"
#include "models/dram/standard.h"

namespace archsim {

/// request_buffer: one buffer of reads and one of writes; each slot the oldest command that may go. The request that opened a
/// row waits apart, and its row stays open for it. bank_machines: a machine each bank works on one request (a row hit first);
/// each slot the command goes that is over first. bank_queues: requests move in turn to a short queue of their bank; the
/// queues take turns.
enum class SchedulerKind { request_buffer, bank_machines, bank_queues };
/// adaptive: a row is closed with the last access that is waiting for it, if others wait for the bank.
enum class PagePolicy { open, closed, adaptive };
enum class RefreshPolicy { all_bank, per_bank, none };

struct ControllerParams {
  std::string controller;
  std::string source;
  SchedulerKind scheduler = SchedulerKind::request_buffer;
  unsigned read_entries = 32, write_entries = 32, bank_entries = 0;
  bool admits_requests_whole = false;
  bool commands_sibling_channels = false;
  unsigned row_hit_cap = 0;
  bool prefers_row_hits = true;
  unsigned write_high = 26, write_low = 6;
  PagePolicy page = PagePolicy::open;
  RefreshPolicy refresh = RefreshPolicy::all_bank;
  Cycles power_down_after = Cycles(0);
  std::vector<std::string> address_map = named_address_map("bg64");
  std::vector<DramField> xor_row_into = {};

  static constexpr auto fields() {
    using P = ControllerParams;
    return fields_of(
        param<&P::controller>("name, as the command line says it"), param<&P::source>("what it stands for"),
        param<&P::scheduler>("how the next command is chosen"),
        param<&P::read_entries>("bursts of reads that may wait").between(1, 4096),
        param<&P::write_entries>("bursts of writes that may wait").between(1, 4096),
        param<&P::bank_entries>("bursts that wait in a queue of their bank; only of bank_queues").between(0, 1024),
        param<&P::admits_requests_whole>(
            "the bursts of a request enter at once; else one a clock, each when there is room"),
        param<&P::commands_sibling_channels>(
            "it commands all pseudo-channels on its command buses, and so refreshes those without requests too"),
        param<&P::row_hit_cap>(
            "accesses to a row, after which one to another row of the bank goes first; 0: any number")
            .between(0, 65536),
        param<&P::prefers_row_hits>("an open row is not closed while an older access to it waits"),
        param<&P::write_high>(
            "waiting writes that make the controller turn to writing; 0: reads and writes are served as one")
            .between(0, 4096),
        param<&P::write_low>("waiting writes at which it turns back to reading, if there are reads").between(0, 4096),
        param<&P::page>("whether a row stays open after an access"), param<&P::refresh>("what is refreshed at a time"),
        param<&P::power_down_after>("clocks without work until the device is powered down; 0: never"),
        param<&P::address_map>("fields of an address from the least significant bit above a burst").not_empty(),
        param<&P::xor_row_into>("fields that row bits are hashed into"));
  }
  static constexpr auto rules() {
    using P = ControllerParams;
    return rules_of(
        rule<&P::bank_entries>(
            "`bank_entries` must be given for bank_queues, and for them only",
            [](const P& p) { return (p.bank_entries > 0) == (p.scheduler == SchedulerKind::bank_queues); }),
        rule<&P::write_high>("`write_high` must be above `write_low` and at most `write_entries`",
                             [](const P& p) {
                               return p.write_high == 0 ||
                                      (p.write_high > p.write_low && p.write_high <= p.write_entries);
                             }),
        rule<&P::write_high>(
            "`write_high` may be 0 only with bank_machines",
            [](const P& p) { return p.write_high > 0 || p.scheduler == SchedulerKind::bank_machines; }),
        rule<&P::prefers_row_hits>("`prefers_row_hits` can be switched off only with request_buffer", [](const P& p) {
          return p.prefers_row_hits || p.scheduler == SchedulerKind::request_buffer;
        }));
  }
};

/// Reads the text of a controller's file.
Checked<ControllerParams> read_controller(const Source& source);
std::vector<std::string> controller_names();
/// The program's own controller called `name`.
Checked<ControllerParams> find_controller(const std::string& name, const Location& where = {});

/// The standard as `controller` takes it: what configs/dram/controllers/CONTROLLER/NAME.yaml says otherwise, replaced.
Checked<DramStandard> find_dram_standard_as(const std::string& controller, const std::string& name,
                                            const Location& where = {});

}  // namespace archsim
