#include "arch/mapping/overrule/mapping_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>

#include "arch/describe/near_name.h"
#include "arch/describe/table.h"
#include "arch/describe/yaml.h"

namespace archsim {
namespace {

const ParamTable& choice_params() {
  static const ParamTable table = ParamTable::of<OperatorChoice>();
  return table;
}

std::vector<std::string> loop_names(const Trace& trace) {
  std::vector<std::string> names;
  for (const auto& loop : trace.loops) names.push_back(loop.name);
  return names;
}

// Where the choice's key stands; the operator's name if it has none of its own.
Location place_of(const YamlEntry& entry, std::string_view key) {
  const YamlEntry* found = entry.value.find(key);
  return found == nullptr ? entry.key.location() : found->value.location();
}

class Reader {
 public:
  Reader(const Trace& trace, const MachineView& machine)
      : trace_(trace), machine_(machine), names_(operator_names(trace)) {
    for (std::uint32_t i = 0; i < names_.size(); ++i) numbers_[names_[i]] = i;
  }

  Checked<Overrules> read(const Source& source) {
    const auto root = parse_yaml(source, out_);
    if (root) file(*root);
    if (out_.has_errors()) return out_;
    return std::move(overrules_);
  }

 private:
  void file(const YamlNode& root) {
    MapReader reader(root, "a mapping file", out_);
    if (!root.is_map() || is_soc_file(root)) return;
    if (const YamlEntry* model = reader.optional("mapping")) check_model(model->value);
    reader.optional("soc");  // says where it comes from; another machine may use it as far as it fits
    if (const YamlEntry* arena = reader.optional("arena")) read_arena(arena->value);
    if (const YamlEntry* loops = reader.optional("batched")) read_loops(loops->value);
    const YamlEntry* operators = reader.optional("operators");
    reader.refuse_others();
    if (operators == nullptr) return;
    if (!operators->value.is_map()) {
      out_.error(operators->value.location(), "`operators` is a map from operators to what is decided about them",
                 "write it like `operators: {layer.q: {tile: {m: 64}}}`");
      return;
    }
    for (const YamlEntry& entry : operators->value.entries()) read_operator(entry);
  }

  // Told once, not key by key.
  bool is_soc_file(const YamlNode& root) {
    const auto& entries = root.entries();
    const auto is_blocks = [](const YamlEntry& entry) { return entry.name() == "blocks"; };
    const auto blocks = std::find_if(entries.begin(), entries.end(), is_blocks);
    if (blocks == entries.end()) return false;
    out_.error(blocks->key.location(), "this is a SoC file, and decides nothing about a mapping",
               "`archsim run ... --mapping OUT.yaml` writes a mapping file");
    return true;
  }

  void check_model(const YamlNode& node) {
    if (node.is_scalar() && node.scalar() == trace_.model) return;
    out_.error(node.location(),
               node.is_scalar()
                   ? fmt::format("this mapping is of `{}`, and the trace of `{}`", node.scalar(), trace_.model)
                   : std::string("`mapping` is the name of the trace's model"),
               fmt::format("leave the line out, or write `mapping: {}`", trace_.model));
  }

  void read_arena(const YamlNode& node) {
    Bytes arena = Bytes::zero();
    overrules_.arena_place = node.location();
    if (!ValueCodec<Bytes>::read(node, "arena", arena, out_)) return;
    overrules_.arena = arena;
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
    for (const auto& npu : machine_.accelerators) least = std::min(least, npu.scratchpad.value);
    if (arena.value % 64 != 0 || arena.value == 0 || arena.value >= least) {
      out_.error(node.location(),
                 fmt::format("an arena of {} does not lie in a scratchpad of {}", show(arena), show(Bytes(least))),
                 "a multiple of 64 bytes, smaller than the scratchpads: the rest of them is for weights");
    }
  }

  void read_loops(const YamlNode& node) {
    overrules_.batched_place = node.location();
    std::vector<std::string> names;
    if (!ValueCodec<std::vector<std::string>>::read(node, "batched", names, out_)) return;
    const auto known = loop_names(trace_);
    overrules_.batched.emplace();
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto found = std::find(known.begin(), known.end(), names[i]);
      if (found == known.end()) {
        out_.error(node.items()[i].location(), fmt::format("the trace has no loop `{}`", names[i]),
                   help_for_unknown(names[i], known));
        continue;
      }
      const auto loop = static_cast<std::uint32_t>(found - known.begin());
      auto& loops = *overrules_.batched;
      if (std::find(loops.begin(), loops.end(), loop) != loops.end()) {
        out_.error(node.items()[i].location(), fmt::format("loop `{}` stands here twice", names[i]), "leave one out");
      } else {
        loops.push_back(loop);
      }
    }
  }

  std::optional<std::uint32_t> number_of(const std::string& name, const Location& where) {
    if (const auto found = numbers_.find(name); found != numbers_.end()) return found->second;
    const auto near = near_name(name, names_);
    out_.error(where, fmt::format("the trace has no operator `{}`", name),
               near ? fmt::format("did you mean `{}`?", *near) : "`archsim trace cat` lists them");
    return std::nullopt;
  }

  void read_operator(const YamlEntry& entry) {
    const auto number = number_of(entry.name(), entry.key.location());
    if (!entry.value.is_map()) {
      out_.error(entry.value.location(), fmt::format("what is decided about `{}` is a map", entry.name()),
                 "write it like `{tile: {m: 64}}`");
      return;
    }
    const AnyParams params =
        choice_params().read(entry.value, {.owner = fmt::format("operator `{}`", entry.name())}, out_);
    Overrule overrule{.choice = params.get<OperatorChoice>(), .with = {}, .where = entry.key.location()};
    read_fused(entry, number, overrule);
    check(entry, overrule.choice);
    if (number) overrules_.operators[*number] = std::move(overrule);
  }

  void read_fused(const YamlEntry& entry, std::optional<std::uint32_t> number, Overrule& overrule) {
    const YamlEntry* with = entry.value.find("with");
    overrule.fixes_fusion = with != nullptr;
    overrule.choice.with.clear();  // as numbers from here on
    if (with == nullptr || !with->value.is_sequence()) return;
    for (const YamlNode& item : with->value.items()) {
      const auto other = number_of(item.scalar(), item.location());
      if (other && other == number) out_.error(item.location(), "an operator is not fused into itself", "leave it out");
      if (other) overrule.with.push_back(*other);
    }
    std::sort(overrule.with.begin(), overrule.with.end());
  }

  void check(const YamlEntry& entry, const OperatorChoice& choice) {
    const auto parts = [&](std::optional<std::uint32_t> a, std::optional<std::uint32_t> b) {
      const std::uint64_t all = std::uint64_t{a.value_or(1)} * b.value_or(1);
      if (all <= machine_.accelerators.size()) return;
      out_.error(place_of(entry, "split"), fmt::format("{} parts need as many accelerators", all),
                 fmt::format("soc `{}` has {}", machine_.soc, machine_.accelerators.size()));
    };
    parts(choice.split.m, choice.split.n);
    parts(choice.split.heads, choice.split.queries);
    dataflow(entry, "dataflow", choice.dataflow);
    dataflow(entry, "scores", choice.scores);
    dataflow(entry, "values", choice.values);
    if (choice.on != Placed::host || (!choice.has_product_choice() && !choice.has_attention_choice())) return;
    out_.error(place_of(entry, "on"), "the host has no tiles and fuses nothing", "leave out `on: host`, or the rest");
  }

  void dataflow(const YamlEntry& entry, std::string_view key, std::optional<Dataflow> wanted) {
    if (!wanted) return;
    std::vector<std::string> known;
    for (const auto& npu : machine_.accelerators) {
      const auto all = dataflows_of(npu);
      if (std::find(all.begin(), all.end(), *wanted) != all.end()) continue;
      for (const Dataflow has : all) known.emplace_back(name_of(has));
      out_.error(place_of(entry, key), fmt::format("{} is not {}", npu.name, name_of(*wanted)),
                 fmt::format("it is {}", quoted_list(known)));
      return;
    }
  }

  const Trace& trace_;
  const MachineView& machine_;
  std::vector<std::string> names_;
  std::map<std::string, std::uint32_t> numbers_;
  Overrules overrules_;
  Diagnostics out_;
};

// YAML that is read back as the same text.
std::string quoted(const std::string& name) {
  const auto is_plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-';
  };
  if (!name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) != 0 &&
      std::all_of(name.begin(), name.end(), is_plain) && name != "null" && name != "true" && name != "false") {
    return name;
  }
  std::string text = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') text += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      text += fmt::format("\\x{:02x}", static_cast<unsigned>(c));
    } else {
      text += c;
    }
  }
  return text + "\"";
}

std::string list(const std::vector<std::string>& names) {
  std::string text = "[";
  for (const auto& name : names) text += (text.size() > 1 ? ", " : "") + quoted(name);
  return text + "]";
}

class Writer {
 public:
  Writer(const Trace& trace, const Planned& planned) : planned_(planned), names_(operator_names(trace)) {}

  std::string operators() const {
    std::string text;
    for (std::uint32_t g = 0; g < planned_.schedule.groups.size(); ++g) {
      const Group& group = planned_.schedule.groups[g];
      text += fmt::format("  {}:\n", quoted(names_[main_operator(group)]));
      text += fmt::format("    on: {}\n", group.work == Work::host ? "host" : "accelerators");
      if (group.work == Work::host) continue;
      text += fmt::format("    with: {}\n", list(fused(group)));
      if (const auto found = planned_.plans.products.find(g); found != planned_.plans.products.end())
        text += product(found->second);
      if (const auto found = planned_.plans.attentions.find(g); found != planned_.plans.attentions.end())
        text += attention(found->second);
    }
    return text;
  }

 private:
  std::vector<std::string> fused(const Group& group) const {
    std::vector<std::string> names;
    for (const std::uint32_t op : group.operators) {
      if (op != main_operator(group)) names.push_back(names_[op]);
    }
    return names;
  }

  static std::string product(const ProductPlan& plan) {
    return fmt::format(
        "    split: {{m: {}, n: {}}}\n    tile: {{m: {}, k: {}, n: {}}}\n    order: {}\n    dataflow: {}\n",
        plan.m_parts, plan.n_parts, plan.m_tile, plan.k_tile, plan.n_tile,
        plan.m_outer ? "rows_first" : "columns_first", name_of(plan.dataflow));
  }

  static std::string attention(const AttentionPlan& plan) {
    return fmt::format(
        "    split: {{heads: {}, queries: {}}}\n    tile: {{queries: {}, keys: {}}}\n    stacked: {}\n    chains: {}\n"
        "    scores: {}\n    values: {}\n",
        plan.head_parts, plan.query_parts, plan.query_tile, plan.key_tile, plan.stacked, plan.chains,
        name_of(plan.scores), name_of(plan.values));
  }

  const Planned& planned_;
  std::vector<std::string> names_;
};

}  // namespace

std::vector<std::string> operator_names(const Trace& trace) {
  std::map<std::string, unsigned> times;
  for (const auto& op : trace.operators) ++times[op.name];
  std::vector<std::string> names;
  for (std::size_t i = 0; i < trace.operators.size(); ++i) {
    const auto& name = trace.operators[i].name;
    names.push_back(times[name] > 1 || name.empty() ? fmt::format("{}@{}", name, i) : name);
  }
  return names;
}

Checked<Overrules> read_mapping(const Source& source, const Trace& trace, const MachineView& machine) {
  return Reader(trace, machine).read(source);
}

std::string write_mapping(const Trace& trace, const MachineView& machine, const Planned& planned) {
  std::vector<std::string> loops;
  for (const std::uint32_t loop : planned.loops) loops.push_back(trace.loops[loop].name);
  std::string text = fmt::format("mapping: {}\nsoc: {}\n", quoted(trace.model), quoted(machine.soc));
  if (planned.plans.split.arena > 0) text += fmt::format("arena: {}\n", show(Bytes(planned.plans.split.arena)));
  text += fmt::format("batched: {}\n", list(loops));
  const std::string operators = Writer(trace, planned).operators();
  return text + (operators.empty() ? "" : "operators:\n" + operators);
}

}  // namespace archsim
