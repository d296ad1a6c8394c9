#include "app/commands/table_options.h"

#include <CLI/CLI.hpp>

#include "app/command.h"
#include "app/files/write_file.h"

namespace archsim {
namespace {

std::string option_of(std::string name) {
  for (char& c : name) c = c == '_' ? '-' : c;
  return "--" + name;
}

}  // namespace

void add_options(CLI::App& command, const ParamTable& table, TypedOptions& typed) {
  for (const ParamEntry& entry : table.entries()) {
    const std::string range = entry.range.empty() ? "" : ", " + entry.range;
    command.add_option(option_of(entry.name), typed[entry.name], entry.doc + range)
        ->type_name("")
        ->default_str(entry.default_text);
  }
}

AnyParams read_options(const ParamTable& table, const TypedOptions& typed, Diagnostics& out) {
  AnyParams params = table.defaults();
  Diagnostics found;
  for (const auto& [name, text] : typed) {
    if (text.empty()) continue;
    const Location where{make_source(option_of(name), text), 1, 1};
    table.set(params, name, YamlNode::make_scalar(where, text), found);
  }
  if (!found.has_errors()) table.check_rules(params, {}, found);
  out.append(found);
  return params;
}

int write_answer(const std::string& path, const std::string& json, const std::string& text) {
  if (path == "-") return tell(write_stdout(json));
  Diagnostics out;
  if (!path.empty()) out.append(write_file(path, json));
  out.append(write_stdout(text));
  return tell(out);
}

}  // namespace archsim
