// The fixed 128-byte form of a command: what the RTL decodes and what `to_text` prints. One table declares every field once.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arch/program/command.h"

namespace archsim {

/// Word i holds bits 64*i .. 64*i+63; in memory little-endian. Bits that no field of the opcode covers are 0.
using EncodedCommand = std::array<std::uint64_t, 16>;
constexpr unsigned kCommandBits = 1024;

/// One field: bits lsb .. lsb+width-1, never across two words. The functions may only be called on commands of the opcode
/// (those of the header on every command).
struct EncodingField {
  std::string_view name;
  unsigned lsb = 0;
  unsigned width = 0;
  bool is_signed = false;   // two's complement
  std::uint64_t legal = 0;  // values 0..legal-1 are legal; 0: every value that fits
  std::function<std::int64_t(const Command&)> get;
  std::function<void(Command&, std::int64_t)> set;
  std::function<std::string(const Command&)> text;  // the value for a human; none: another field tells it
  bool is_in_rtl = true;  // else the RTL has no such field, and takes a 1 there as an illegal command
};

struct EncodingOpcode {
  std::string_view name;
  unsigned opcode = 0;
  std::vector<EncodingField> fields;
};

struct EncodingTable {
  EncodingField opcode;                 // `set` is a no-op
  std::vector<EncodingField> header;    // of every command
  std::vector<EncodingOpcode> opcodes;  // all but host_operation, which no accelerator sees
};

const EncodingTable& encoding_table();

/// Why this command has no encoding, one sentence a field that does not fit; empty if it has one.
std::vector<std::string> encoding_errors(const Command& command);

/// A command with `encoding_errors` is a bug of the caller.
EncodedCommand encode(const Command& command);

struct DecodedCommand {
  std::optional<Command> command;
  std::string error;  // why there is none: illegal opcode, field value or a bit set outside every field
};
DecodedCommand decode(const EncodedCommand& bits);

/// One line: opcode, the fields that differ from a default command's, waits and tag.
std::string to_text(const Command& command);

}  // namespace archsim
