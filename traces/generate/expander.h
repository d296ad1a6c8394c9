// Turns the body of a workload file into a trace: repeats, blocks with arguments, tensors and operators.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "arch/describe/yaml.h"
#include "arch/workload/rules/operator_rule.h"
#include "arch/workload/rules/problem.h"
#include "arch/workload/trace.h"
#include "traces/generate/scope.h"
#include "traces/recipes/apply.h"

namespace archsim {

class Expander {
 public:
  explicit Expander(Diagnostics& out) : out_(out) {}

  /// The section `blocks:`.
  void define_blocks(const YamlNode& section);
  /// A map of tensors; their names become known in `scope`.
  void declare_tensors(const YamlNode& section, Scope& scope);
  /// One entry of `stages:`. `suffix` is added to the stage's name, but not to those of its tensors.
  void add_stage(const YamlNode& step, const Scope& outside, const std::string& suffix);
  /// Resolves what names later operators. Call once, after the last stage.
  void finish();

  Trace& trace() { return trace_; }
  /// What the file says of its tensors that the trace does not hold.
  const TensorHints& hints() const { return hints_; }
  /// Takes the trace in other formats in place of its own.
  void take(Converted converted);
  Location location_of(const Problem& problem) const;

 private:
  struct Block {
    YamlNode node;
    std::vector<std::string> numbers;
    std::vector<std::string> tensors;
  };
  // A step of a body: `verb name: arguments`.
  struct Step {
    std::string verb;
    std::string name;
    YamlNode key;
    YamlNode arguments;
  };
  struct PendingDependency {
    std::uint32_t op = 0;
    std::string path;
    std::string name;
    Location location;
  };
  struct StageParts {
    std::string loop;
    std::uint32_t iterations = 1;
    const YamlNode* tensors = nullptr;
    const YamlNode* body = nullptr;
  };
  using Body = std::vector<archsim::Step>;

  void add_one_stage(const Step& step, const StageParts& parts, Scope scope);
  std::optional<Step> read_step(const YamlNode& node);
  void expand_body(const YamlNode& body, const Scope& scope, Body& steps);
  void expand_step(const Step& step, const Scope& scope, Body& steps);
  void expand_repeat(const Step& step, const Scope& scope, Body& steps);
  void expand_block(const Step& step, const Block& block, const Scope& scope, Body& steps);
  void bind_arguments(const Block& block, MapReader& reader, const Scope& outside, Scope& inside);
  std::optional<Block> read_block(const YamlEntry& entry);
  std::vector<std::string> verbs() const;

  void declare_tensor(const YamlEntry& entry, Scope& scope);
  bool read_copies(MapReader& reader, const Scope& scope, Tensor& tensor, TensorName& name);
  /// False if the file names a type and not a word that parameters define: a recipe leaves that alone.
  bool read_element_type(MapReader& reader, const Scope& scope, const Location& where, Tensor& tensor);
  void add_tensor(Tensor tensor, TensorName name, const YamlEntry& entry, Scope& scope);

  void expand_operator(const Step& step, const OperatorRule& rule, const Scope& scope, Body& steps);
  void read_attributes(const OperatorRule& rule, const YamlNode& arguments, const Scope& scope, Operator& op);
  std::optional<AttributeValue> read_attribute(const AttributeRule& rule, const YamlNode& value, const Scope& scope);
  std::vector<TensorUse> read_operands(const YamlEntry* entry, const Scope& scope);
  void read_dependencies(const YamlEntry& entry, const Scope& scope);
  void fit_bias(const Operator& op);

  void add_loop(Loop loop, const Location& where);
  bool is_wanted(MapReader& reader, const Scope& scope);
  std::optional<std::int64_t> integer(const YamlNode& node, const Scope& scope, std::int64_t low, std::int64_t high);
  /// An error, once for each place: a body may be expanded many times.
  void error(const Location& where, std::string message, std::string help = {});
  void take_over(const Diagnostics& found);

  Diagnostics& out_;
  std::set<std::string> said_;
  Trace trace_;
  std::vector<Location> tensor_locations_;
  TensorHints hints_;
  std::vector<Location> operator_locations_;
  std::vector<Location> loop_locations_;
  std::map<std::string, std::uint32_t, std::less<>> tensors_by_name_;
  std::map<std::string, Block, std::less<>> blocks_;
  std::vector<PendingDependency> pending_;
  unsigned depth_ = 0;
  std::size_t steps_expanded_ = 0;
};

}  // namespace archsim
