#include "arch/program/encoding.h"

#include <fmt/format.h>

#include <bit>
#include <type_traits>

#include "arch/describe/diagnostic.h"

namespace archsim {
namespace {

/// Addresses and pitches that are read more easily in hexadecimal.
enum class Form : std::uint8_t { plain, hexadecimal };

template <class T>
std::int64_t to_bits(const T& value) {
  if constexpr (std::is_same_v<T, LocalAddress>) {
    return value.value;
  } else if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<std::uint32_t>(value);
  } else {
    return static_cast<std::int64_t>(value);
  }
}

template <class T>
T from_bits(std::int64_t bits) {
  if constexpr (std::is_same_v<T, LocalAddress>) {
    return LocalAddress{static_cast<std::uint32_t>(bits)};
  } else if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  } else {
    return static_cast<T>(bits);
  }
}

template <class T>
std::string value_text(const T& value, Form form) {
  if constexpr (std::is_same_v<T, LocalAddress>) {
    return fmt::format("{}+{:#x}", value.in_accumulator() ? "accumulator" : "scratchpad", value.byte());
  } else if constexpr (std::is_same_v<T, bool>) {
    return value ? "yes" : "no";
  } else if constexpr (std::is_enum_v<T>) {
    return std::string(name_of(value));
  } else if constexpr (std::is_same_v<T, float>) {
    return fmt::format("{}", value);
  } else if (form == Form::hexadecimal) {
    return fmt::format("{:#x}", value);
  } else {
    return fmt::format("{}", value);
  }
}

// Element types that 3 bits hold. The others take a fourth bit, which only models have: RTL finds a 1 where its commands
// have no field, and refuses.
constexpr std::int64_t kNarrowDtypes = static_cast<std::int64_t>(Dtype::uint8) + 1;
constexpr std::int64_t kWideDtypes = static_cast<std::int64_t>(kDtypes) - kNarrowDtypes;

template <class T>
constexpr std::uint64_t legal_values() {
  if constexpr (std::is_same_v<T, Dtype>) return kNarrowDtypes;
  if constexpr (std::is_same_v<T, Convert>) return kConverts;
  if constexpr (std::is_same_v<T, Dataflow>) return kDataflows;
  if constexpr (std::is_same_v<T, VectorFunction>) return kVectorFunctions;
  return 0;
}

/// `access` gives the member of a P (or, for the header, of a Command), const or not.
template <class P, class Access>
EncodingField field(std::string_view name, unsigned lsb, unsigned width, Access access, Form form = Form::plain) {
  const auto in = [access](auto& command) -> auto& {
    if constexpr (std::is_same_v<P, Command>) {
      return access(command);
    } else {
      return access(std::get<P>(command.payload));
    }
  };
  using T = std::remove_cvref_t<decltype(in(std::declval<Command&>()))>;
  return {.name = name,
          .lsb = lsb,
          .width = width,
          .is_signed = std::is_integral_v<T> && std::is_signed_v<T>,
          .legal = legal_values<T>(),
          .get = [in](const Command& command) { return to_bits(in(command)); },
          .set = [in](Command& command, std::int64_t bits) { in(command) = from_bits<T>(bits); },
          .text = [in, form](const Command& command) { return value_text(in(command), form); }};
}

#define ARCHSIM_MEMBER(member) ([](auto& of) -> auto& { return of.member; })

EncodingField for_models(EncodingField field) {
  field.is_in_rtl = false;
  return field;
}

/// The two fields of an element type: its number among the narrow ones or among the wide ones, and which of them.
template <class P, class Access>
void add_dtype(std::vector<EncodingField>& fields, std::array<std::string_view, 2> names, unsigned lsb, Access access) {
  EncodingField narrow = field<P>(names[0], lsb, 3, access);
  EncodingField wide = for_models(field<P>(names[1], lsb + 3, 1, access));
  const auto whole = narrow;
  narrow.get = [whole](const Command& command) {
    const auto number = whole.get(command);
    return number < kNarrowDtypes ? number : number - kNarrowDtypes;
  };
  wide.get = [whole](const Command& command) { return whole.get(command) < kNarrowDtypes ? 0 : 1; };
  wide.set = [whole](Command& command, std::int64_t bit) {
    if (bit != 0) whole.set(command, whole.get(command) + kNarrowDtypes);
  };
  wide.legal = 0;
  wide.text = {};
  fields.push_back(std::move(narrow));
  fields.push_back(std::move(wide));
}
static_assert(kWideDtypes <= kNarrowDtypes, "a wide element type's number is legal as a narrow one's");

std::vector<EncodingField> header_fields() {
  return {field<Command>("tag", 32, 32, ARCHSIM_MEMBER(tag)),
          field<Command>("wait_for_load", 64, 32, ARCHSIM_MEMBER(wait_for[0])),
          field<Command>("wait_for_array", 96, 32, ARCHSIM_MEMBER(wait_for[1])),
          field<Command>("wait_for_vector", 128, 32, ARCHSIM_MEMBER(wait_for[2])),
          field<Command>("wait_for_store", 160, 32, ARCHSIM_MEMBER(wait_for[3]))};
}

std::vector<EncodingField> fields_of(const LoopBegin*) {
  return {field<LoopBegin>("count", 192, 32, ARCHSIM_MEMBER(count))};
}

std::vector<EncodingField> fields_of(const Stride*) {
  return {field<Stride>("register_index", 192, 5, ARCHSIM_MEMBER(register_index)),
          field<Stride>("stride", 256, 48, ARCHSIM_MEMBER(stride))};
}

std::vector<EncodingField> fields_of(const WaitSemaphore*) {
  return {field<WaitSemaphore>("semaphore", 192, 16, ARCHSIM_MEMBER(semaphore)),
          field<WaitSemaphore>("register_index", 208, 5, ARCHSIM_MEMBER(register_index)),
          field<WaitSemaphore>("value", 224, 32, ARCHSIM_MEMBER(value))};
}

std::vector<EncodingField> fields_of(const Signal*) {
  return {field<Signal>("semaphore", 192, 16, ARCHSIM_MEMBER(semaphore)),
          field<Signal>("first", 208, 16, ARCHSIM_MEMBER(first)),
          field<Signal>("count", 224, 16, ARCHSIM_MEMBER(count)),
          field<Signal>("to_host", 240, 1, ARCHSIM_MEMBER(to_host))};
}

std::vector<EncodingField> fields_of(const Dma*) {
  return {field<Dma>("memory_address", 192, 48, ARCHSIM_MEMBER(memory_address), Form::hexadecimal),
          field<Dma>("address_register", 240, 5, ARCHSIM_MEMBER(address_register)),
          field<Dma>("convert", 248, 2, ARCHSIM_MEMBER(convert)),
          field<Dma>("local", 256, 32, ARCHSIM_MEMBER(local)),
          field<Dma>("row_bytes", 288, 32, ARCHSIM_MEMBER(row_bytes)),
          field<Dma>("rows", 320, 32, ARCHSIM_MEMBER(rows)),
          field<Dma>("planes", 352, 32, ARCHSIM_MEMBER(planes)),
          field<Dma>("memory_row_pitch", 384, 48, ARCHSIM_MEMBER(memory_row_pitch)),
          field<Dma>("shift", 432, 6, ARCHSIM_MEMBER(shift)),
          field<Dma>("memory_plane_pitch", 448, 48, ARCHSIM_MEMBER(memory_plane_pitch)),
          field<Dma>("local_row_pitch", 512, 32, ARCHSIM_MEMBER(local_row_pitch)),
          field<Dma>("local_plane_pitch", 544, 32, ARCHSIM_MEMBER(local_plane_pitch)),
          field<Dma>("multiplier", 576, 32, ARCHSIM_MEMBER(multiplier))};
}

std::vector<EncodingField> fields_of(const Matmul*) {
  std::vector<EncodingField> fields{field<Matmul>("a", 192, 32, ARCHSIM_MEMBER(a)),
                                    field<Matmul>("w", 224, 32, ARCHSIM_MEMBER(w)),
                                    field<Matmul>("out", 256, 32, ARCHSIM_MEMBER(out)),
                                    field<Matmul>("m", 288, 32, ARCHSIM_MEMBER(m)),
                                    field<Matmul>("k", 320, 32, ARCHSIM_MEMBER(k)),
                                    field<Matmul>("n", 352, 32, ARCHSIM_MEMBER(n)),
                                    field<Matmul>("a_pitch", 384, 32, ARCHSIM_MEMBER(a_pitch)),
                                    field<Matmul>("w_pitch", 416, 32, ARCHSIM_MEMBER(w_pitch)),
                                    field<Matmul>("out_pitch", 448, 32, ARCHSIM_MEMBER(out_pitch))};
  add_dtype<Matmul>(fields, {"a_dtype", "a_dtype_is_wide"}, 480, ARCHSIM_MEMBER(a_dtype));
  add_dtype<Matmul>(fields, {"w_dtype", "w_dtype_is_wide"}, 484, ARCHSIM_MEMBER(w_dtype));
  fields.push_back(field<Matmul>("accumulate", 488, 1, ARCHSIM_MEMBER(accumulate)));
  fields.push_back(field<Matmul>("transpose_w", 489, 1, ARCHSIM_MEMBER(transpose_w)));
  fields.push_back(field<Matmul>("dataflow", 490, 2, ARCHSIM_MEMBER(dataflow)));
  fields.push_back(for_models(field<Matmul>("w_group", 512, 16, ARCHSIM_MEMBER(w_grouping.group))));
  fields.push_back(for_models(field<Matmul>("w_is_two_of_four", 532, 1, ARCHSIM_MEMBER(w_grouping.is_two_of_four))));
  const auto first_of_scale = fields.size();
  add_dtype<Matmul>(fields, {"w_scale_dtype", "w_scale_dtype_is_wide"}, 528, ARCHSIM_MEMBER(w_grouping.scale));
  fields[first_of_scale].is_in_rtl = false;
  return fields;
}

/// An operand takes 128 bits: address, pitch, scale, element type.
template <class Access>
void add_operand(std::vector<EncodingField>& fields, std::array<std::string_view, 5> names, unsigned lsb,
                 Access operand) {
  fields.push_back(field<Vector>(
      names[0], lsb, 32, [operand](auto& v) -> auto& { return operand(v).address; }));
  fields.push_back(field<Vector>(
      names[1], lsb + 32, 32, [operand](auto& v) -> auto& { return operand(v).pitch; }));
  fields.push_back(field<Vector>(
      names[2], lsb + 64, 32, [operand](auto& v) -> auto& { return operand(v).scale; }));
  add_dtype<Vector>(
      fields, {names[3], names[4]}, lsb + 96, [operand](auto& v) -> auto& { return operand(v).dtype; });
}

std::vector<EncodingField> fields_of(const Vector*) {
  std::vector<EncodingField> fields{field<Vector>("function", 192, 5, ARCHSIM_MEMBER(function)),
                                    field<Vector>("rows", 256, 32, ARCHSIM_MEMBER(rows)),
                                    field<Vector>("columns", 288, 32, ARCHSIM_MEMBER(columns)),
                                    field<Vector>("parameter0", 320, 32, ARCHSIM_MEMBER(parameter0)),
                                    field<Vector>("parameter1", 352, 32, ARCHSIM_MEMBER(parameter1)),
                                    field<Vector>("integer0", 384, 32, ARCHSIM_MEMBER(integer0)),
                                    field<Vector>("integer1", 416, 32, ARCHSIM_MEMBER(integer1)),
                                    field<Vector>("visible", 960, 32, ARCHSIM_MEMBER(visible)),
                                    field<Vector>("visible_step", 992, 32, ARCHSIM_MEMBER(visible_step))};
  add_operand(fields, {"source0_address", "source0_pitch", "source0_scale", "source0_dtype", "source0_dtype_is_wide"},
              448, ARCHSIM_MEMBER(source[0]));
  add_operand(fields, {"source1_address", "source1_pitch", "source1_scale", "source1_dtype", "source1_dtype_is_wide"},
              576, ARCHSIM_MEMBER(source[1]));
  add_operand(fields, {"source2_address", "source2_pitch", "source2_scale", "source2_dtype", "source2_dtype_is_wide"},
              704, ARCHSIM_MEMBER(source[2]));
  add_operand(fields,
              {"destination_address", "destination_pitch", "destination_scale", "destination_dtype",
               "destination_dtype_is_wide"},
              832, ARCHSIM_MEMBER(destination));
  return fields;
}

#undef ARCHSIM_MEMBER

std::vector<EncodingField> fields_of(const Halt*) { return {}; }
std::vector<EncodingField> fields_of(const EndLoop*) { return {}; }

template <std::size_t... Index>
std::vector<EncodingOpcode> opcode_tables(std::index_sequence<Index...>) {
  std::vector<EncodingOpcode> opcodes;
  (opcodes.push_back({.name = opcode_name(Command{.payload = std::variant_alternative_t<Index, Payload>{}}),
                      .opcode = static_cast<unsigned>(Index),
                      .fields = fields_of(static_cast<const std::variant_alternative_t<Index, Payload>*>(nullptr))}),
   ...);
  return opcodes;
}

template <std::size_t... Index>
Payload default_payload(std::size_t opcode, std::index_sequence<Index...>) {
  Payload payload;
  (static_cast<void>(opcode == Index && (payload.emplace<Index>(), true)), ...);
  return payload;
}

using EveryOpcode = std::make_index_sequence<std::variant_size_v<Payload>>;
using EncodedOpcodes = std::make_index_sequence<std::variant_size_v<Payload> - 1>;
static_assert(std::is_same_v<std::variant_alternative_t<EncodedOpcodes::size(), Payload>, HostOperation>,
              "host_operation is the last opcode, and the only one without an encoding");

std::uint64_t mask_of(const EncodingField& field) {
  return (field.width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << field.width) - 1) << (field.lsb % 64);
}

std::string misfit(const EncodingField& field, std::int64_t value) {
  const auto limit = std::int64_t{1} << (field.is_signed ? field.width - 1 : field.width);
  const auto lowest = field.is_signed ? -limit : 0;
  if (value < lowest || value >= limit) {
    return fmt::format("{} {} does not fit {} bits", field.name, value, field.width);
  }
  if (field.legal != 0 && static_cast<std::uint64_t>(value) >= field.legal) {
    return fmt::format("{} {} is no legal value", field.name, value);
  }
  return {};
}

void put(EncodedCommand& bits, const EncodingField& field, std::int64_t value) {
  bits[field.lsb / 64] |= (static_cast<std::uint64_t>(value) << (field.lsb % 64)) & mask_of(field);
}

std::int64_t take(EncodedCommand& bits, const EncodingField& field) {
  auto& word = bits[field.lsb / 64];
  auto value = (word & mask_of(field)) >> (field.lsb % 64);
  word &= ~mask_of(field);
  if (field.is_signed && (value >> (field.width - 1)) != 0) value |= ~std::uint64_t{0} << field.width;
  return static_cast<std::int64_t>(value);
}

void append_text(std::string& text, const std::vector<EncodingField>& fields, const Command& command,
                 const Command& plain) {
  for (const auto& field : fields) {
    if (!field.text || field.text(command) == field.text(plain)) continue;
    text += fmt::format(" {}={}", field.name, field.text(command));
  }
}

}  // namespace

const EncodingTable& encoding_table() {
  static const EncodingTable table{
      .opcode = {.name = "opcode",
                 .lsb = 0,
                 .width = 8,
                 .legal = EncodedOpcodes::size(),
                 .get = [](const Command& command) { return static_cast<std::int64_t>(command.payload.index()); },
                 .set = [](Command&, std::int64_t) {},
                 .text = [](const Command& command) { return std::string(opcode_name(command)); }},
      .header = header_fields(),
      .opcodes = opcode_tables(EncodedOpcodes{})};
  return table;
}

std::vector<std::string> encoding_errors(const Command& command) {
  const auto& table = encoding_table();
  if (command.payload.index() >= table.opcodes.size()) return {"host_operation has no encoding"};
  std::vector<std::string> errors;
  const auto look = [&](const EncodingField& field) {
    if (auto error = misfit(field, field.get(command)); !error.empty()) errors.push_back(std::move(error));
  };
  for (const auto& field : table.header) look(field);
  for (const auto& field : table.opcodes[command.payload.index()].fields) look(field);
  return errors;
}

EncodedCommand encode(const Command& command) {
  const auto errors = encoding_errors(command);
  ARCHSIM_ASSERT(errors.empty(), errors.front());
  const auto& table = encoding_table();
  EncodedCommand bits{};
  put(bits, table.opcode, table.opcode.get(command));
  for (const auto& field : table.header) put(bits, field, field.get(command));
  for (const auto& field : table.opcodes[command.payload.index()].fields) put(bits, field, field.get(command));
  return bits;
}

DecodedCommand decode(const EncodedCommand& bits) {
  const auto& table = encoding_table();
  EncodedCommand rest = bits;
  const auto opcode = static_cast<std::size_t>(take(rest, table.opcode));
  if (opcode >= table.opcodes.size()) return {{}, fmt::format("opcode {} is illegal", opcode)};
  Command command{.payload = default_payload(opcode, EveryOpcode{})};
  std::string error;
  const auto read = [&](const EncodingField& field) {
    const auto value = take(rest, field);
    if (error.empty()) error = misfit(field, value);
    if (error.empty()) field.set(command, value);
  };
  for (const auto& field : table.header) read(field);
  for (const auto& field : table.opcodes[opcode].fields) read(field);
  for (std::size_t word = 0; word < rest.size() && error.empty(); ++word) {
    if (rest[word] == 0) continue;
    const auto bit = 64 * word + static_cast<std::size_t>(std::countr_zero(rest[word]));
    error = fmt::format("{} has no field at bit {}, which is 1", table.opcodes[opcode].name, bit);
  }
  if (!error.empty()) return {{}, error};
  return {command, {}};
}

std::string to_text(const Command& command) {
  const auto& table = encoding_table();
  std::string text(opcode_name(command));
  Command plain{.payload = default_payload(command.payload.index(), EveryOpcode{})};
  if (const auto* operation = std::get_if<HostOperation>(&command.payload)) {
    text += fmt::format(" index={}", operation->index);
  } else {
    append_text(text, table.opcodes[command.payload.index()].fields, command, plain);
  }
  append_text(text, table.header, command, plain);
  return text;
}

}  // namespace archsim
