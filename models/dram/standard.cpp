#include "models/dram/standard.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "arch/describe/near_name.h"

namespace archsim {
namespace {

namespace fs = std::filesystem;

ParamTable table() { return ParamTable::of<DramStandard>(); }

std::string show(const DramTiming& timing) {
  return std::visit([](auto value) { return archsim::show(value); }, timing.value);
}

std::vector<std::string> names_in(const std::vector<std::string>& folders) {
  std::vector<std::string> names;
  for (const std::string& folder : folders) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace

Cycles DramTiming::cycles(Frequency clock) const {
  if (const auto* cycles = std::get_if<Cycles>(&value)) return *cycles;
  return next_edge(clock, std::get<Time>(value));
}

Time DramTiming::time(Frequency clock) const {
  if (const auto* cycles = std::get_if<Cycles>(&value)) return edge_time(clock, *cycles);
  return std::get<Time>(value);
}

ValueShape ValueCodec<DramTiming>::shape() {
  return {ValueShape::Kind::map,
          "a timing with its source",
          "{value: 18 ns, source: JESD209-5B}",
          {"value", "source"},
          std::make_shared<const ValueShape>(ValueCodec<std::string>::shape())};
}

bool ValueCodec<DramTiming>::read(const YamlNode& node, const std::string& name, DramTiming& timing, Diagnostics& out,
                                  const ValueShape& like) {
  if (!detail::expect_kind(node, YamlNode::Kind::map, name, like, out)) return false;
  MapReader reader(node, "`" + name + "`", out);
  const YamlEntry* value = reader.required("value");
  const YamlEntry* source = reader.required("source");
  reader.refuse_others();
  if (value == nullptr || source == nullptr) return false;
  if (!ValueCodec<std::string>::read(source->value, name + ".source", timing.source, out)) return false;
  if (!value->value.is_scalar()) return detail::bad_value(value->value, name, like, {}, out), false;
  const std::string& text = value->value.scalar();
  if (const auto cycles = parse<Cycles>(text)) return timing.value = *cycles.value, true;
  if (const auto time = parse<Time>(text)) return timing.value = *time.value, true;
  out.error(value->value.location(),
            "`" + text + "` is no value for `" + name + "`: it is neither a time nor a number of clocks",
            "write it like `18 ns` or `15 cycles`");
  return false;
}

Datum ValueCodec<DramTiming>::datum(const DramTiming& timing) {
  return {Datum::Map{{"value", {show(timing)}}, {"source", {timing.source}}}};
}

ValueShape ValueCodec<DramStandardName>::shape() {
  return {ValueShape::Kind::text, "a DRAM standard", "lpddr5-6400", {}};
}

bool ValueCodec<DramStandardName>::read(const YamlNode& node, const std::string& name, DramStandardName& value,
                                        Diagnostics& out, const ValueShape& like) {
  if (!detail::expect_kind(node, YamlNode::Kind::scalar, name, like, out)) return false;
  // A process reads a standard's file once: a sweep asks for it with every point, and reading it takes longer than the point.
  static std::map<std::pair<std::string, std::string>, std::shared_ptr<const DramStandard>> known;
  const auto& source = node.location().source;
  auto& standard = known[{source == nullptr ? "" : fs::path(source->path).parent_path().string(), node.scalar()}];
  if (standard == nullptr) {
    auto found = find_dram_standard(node.scalar(), node.location());
    out.append(found.diagnostics());
    if (!found) return false;
    standard = std::make_shared<const DramStandard>(*std::move(found));
  }
  value = {node.scalar(), standard};
  return true;
}

Checked<DramStandard> read_dram_standard(const Source& source, const std::optional<Source>& changes) {
  Diagnostics problems;
  auto document = parse_yaml(source, problems);
  if (!document) return problems;
  if (changes) {
    const auto others = parse_yaml(*changes, problems);
    if (!others) return problems;
    for (const YamlEntry& entry : others->entries()) document = document->with({entry.key}, entry.value);
  }
  const ParamTable params = table();
  const AnyParams standard = params.read(*document, {.owner = "a DRAM standard"}, problems);
  if (document->is_map()) {
    for (const ParamEntry& entry : params.entries()) {
      if (document->find(entry.name) != nullptr) continue;
      problems.error(document->location(), "`" + entry.name + "` is missing: " + entry.doc,
                     "a standard says all of itself, for nothing of it has a default");
    }
  }
  if (problems.has_errors()) return problems;
  return {standard.get<DramStandard>(), problems};
}

std::vector<std::string> dram_folders(const std::string& user_file) {
  std::vector<std::string> folders;
  const fs::path folder = fs::path(user_file).parent_path();
  for (const char* beside : {"dram", "../dram", "configs/dram"})
    folders.push_back((folder / beside).lexically_normal());
  folders.push_back(fs::path(ARCHSIM_CONFIGS_DIR) / "dram");
  folders.erase(std::remove_if(folders.begin(), folders.end(),
                               [](const std::string& candidate) {
                                 std::error_code error;
                                 return !fs::is_directory(candidate, error);
                               }),
                folders.end());
  return folders;
}

Checked<DramStandard> find_dram_standard(const std::string& name, const Location& where,
                                         const std::optional<Source>& changes) {
  const auto folders = dram_folders(where.source == nullptr ? std::string() : where.source->path);
  const auto names = names_in(folders);
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    return Diagnostic{.message = "no DRAM standard is called `" + name + "`",
                      .location = where,
                      .help = help_for_unknown(name, names)};
  }
  for (const std::string& folder : folders) {
    const std::string path = (fs::path(folder) / (name + ".yaml")).string();
    if (!fs::exists(path)) continue;
    const auto source = read_source(path);
    return source ? read_dram_standard(*source, changes) : Checked<DramStandard>(source.diagnostics());
  }
  return Diagnostic{.message = "the file of DRAM standard `" + name + "` has gone", .location = where};
}

std::shared_ptr<const DramStandard> DramStandardName::get() const {
  if (found != nullptr) return found;
  auto standard = find_dram_standard(name, {});
  ARCHSIM_ASSERT(standard.has_value(), render(standard.diagnostics()));
  return std::make_shared<const DramStandard>(*std::move(standard));
}

}  // namespace archsim
