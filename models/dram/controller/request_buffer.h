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
#include "models/dram/controller/waiting/waiting_bursts.h"

namespace archsim {

class RequestBuffer final : public DramScheduler {
 public:
  RequestBuffer(const ControllerParams& params, DramDevice& device, BurstSink& sink);

  bool is_drained() const override;

 private:
  enum class Bus { any, rows, columns };
  using Index = WaitingBursts::Index;
  struct Choice {
    bool is_opened;  // `index` is in opened_; else in the buffer that is served
    Index index;
    DramCommand command;
  };
  /// What may go to a bank next, of the buffer that is served: at most one command to open or close a row, for the burst that
  /// wants it first, and one read or write, for the first burst that hits. Found anew when something of the bank changes.
  struct Bank {
    std::uint64_t row_age = WaitingBursts::kNoAge, column_age = WaitingBursts::kNoAge;
    Index row = WaitingBursts::kNone, column = WaitingBursts::kNone;
    unsigned opened = 0;  // bursts in opened_
  };

  /// The banks with a candidate of one kind, none of which may go before `not_before`.
  struct Candidates {
    explicit Candidates(unsigned count) : banks(count) {}
    BankSet banks;
    Slot not_before = 0;
  };

  bool has_room(bool is_write, unsigned bursts) const override;
  void accept(const Burst& burst) override;
  bool issue(Slot now, BurstSource& source) override;

  bool issue_on(Bus bus, Slot now);
  bool issue_split(Slot now);
  bool issue_refresh(Slot now);
  std::optional<Choice> choose_opened(Slot now);
  std::optional<Choice> choose_waiting(Bus bus, Slot now);
  void choose_among(Candidates& candidates, DramCommand command, Slot now, Choice& best, std::uint64_t& oldest);
  void put_candidate(Candidates& candidates, DramCommand command, unsigned bank, Index burst);
  void find_candidates(unsigned bank);
  void find_row_and_column(unsigned index);
  const Burst& burst_of(const Choice& choice) const {
    return choice.is_opened ? opened_[choice.index] : waiting()[choice.index];
  }
  void perform(const Choice& choice, Slot now);
  void perform_column(const Choice& choice, Slot now);
  void send_second_activate(Slot now);
  bool closes_with(const Burst& burst) const;
  void turn_bus();
  void turn_to(bool writing) {
    changed_.join(waiting().banks());
    is_writing_ = writing;
    changed_.join(waiting().banks());
  }
  DramCommand column_command() const { return is_writing_ ? DramCommand::write : DramCommand::read; }
  void add_opened(const Burst& burst) {
    opened_.push_back(burst);
    opened_not_before_ = 0;
  }
  WaitingBursts& waiting() { return is_writing_ ? writes_ : reads_; }
  const WaitingBursts& waiting() const { return is_writing_ ? writes_ : reads_; }

  WaitingBursts reads_, writes_;
  std::vector<Burst> opened_;  // their activate went
  std::vector<Bank> banks_;
  BankSet changed_;  // banks whose candidates must be found anew
  Candidates activates_, precharges_, columns_;
  Slot opened_not_before_ = 0;
  bool is_writing_ = false;
  std::optional<Burst> activating_;  // the first activate went
  Slot activate_by_ = 0;
  std::optional<Choice> synced_;  // the data clock was started for it
  Slot data_clock_until_ = 0;
};

}  // namespace archsim
