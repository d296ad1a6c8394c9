// FR-FCFS over one buffer of reads and one of writes: each slot the oldest request whose command may go.
//
// Models:     the read and write buffer, write drain by watermarks, row hits before row conflicts, a cap on hits, the request
//             whose activate went waiting apart with its row kept open, row and column commands in one clock where there are
//             two buses, split activates and the start of the data clock (LPDDR5), forwarding from waiting writes.
// Leaves out: priorities of requests, aging other than the cap.
// Numbers:    configs/dram/controllers/*.yaml.
// Checked by: tests/models/dram (command traces of Ramulator 2.1), scripts/validate memory.
#pragma once

#include <optional>
#include <vector>

#include "models/dram/controller/scheduler.h"

namespace archsim {

class RequestBuffer final : public DramScheduler {
 public:
  RequestBuffer(const ControllerParams& params, DramDevice& device, BurstSink& sink);

  bool is_drained() const override;

 private:
  enum class Bus { any, rows, columns };
  struct Choice {
    std::vector<Burst>* from;
    std::size_t index;
    DramCommand command;
  };

  bool has_room(bool is_write, unsigned bursts) const override;
  void accept(const Burst& burst) override;
  bool issue(Slot now, BurstSource& source) override;

  bool issue_on(Bus bus, Slot now);
  bool issue_split(Slot now);
  bool issue_refresh(Slot now);
  std::optional<Choice> choose_opened(Slot now);
  std::optional<Choice> choose_waiting(Bus bus, Slot now);
  /// The next command for a waiting burst; nothing if it must not go.
  std::optional<DramCommand> next_command(const Burst& burst);
  bool may_close(const Burst& burst);
  void perform(const Choice& choice, Slot now);
  void perform_column(const Choice& choice, Slot now);
  void send_second_activate(Slot now);
  bool closes_with(const Burst& burst) const;
  void turn_bus();

  std::vector<Burst> reads_, writes_;
  std::vector<Burst> opened_;  // their activate went
  std::vector<unsigned> opened_in_bank_;
  std::vector<std::uint64_t> has_hit_, is_capped_;  // the pass in which it was found, by bank
  std::uint64_t pass_ = 0;
  bool is_writing_ = false;
  std::optional<Burst> activating_;  // the first activate went
  Slot activate_by_ = 0;
  std::optional<Choice> synced_;  // the data clock was started for it
  Slot data_clock_until_ = 0;
};

}  // namespace archsim
