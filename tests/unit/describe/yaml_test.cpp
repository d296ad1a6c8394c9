#include "arch/describe/yaml.h"

#include <gmock/gmock.h>

namespace archsim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Parsed {
  std::optional<YamlNode> root;
  std::string errors;
};

Parsed parse(const std::string& text) {
  Diagnostics out;
  auto root = parse_yaml(make_source("a.yaml", text), out);
  return {root, render(out)};
}

std::string place(const Location& where) { return std::to_string(where.line) + ":" + std::to_string(where.column); }

TEST(Yaml, EveryNodeKnowsItsPlaceFromOneOn) {
  const auto [root, errors] = parse("# comment\nblocks:\n  npu: {rows: 64, cols: [1, 22]}\n");
  ASSERT_TRUE(root) << errors;
  const YamlEntry* blocks = root->find("blocks");
  ASSERT_NE(blocks, nullptr);
  EXPECT_EQ(place(blocks->key.location()), "2:1");
  const YamlEntry* npu = blocks->value.find("npu");
  ASSERT_NE(npu, nullptr);
  EXPECT_EQ(place(npu->key.location()), "3:3");
  EXPECT_EQ(place(npu->value.location()), "3:8");
  EXPECT_EQ(place(npu->value.find("rows")->value.location()), "3:15");
  EXPECT_EQ(place(npu->value.find("cols")->value.items()[1].location()), "3:29");
  EXPECT_EQ(npu->value.find("cols")->value.items()[1].scalar(), "22");
  EXPECT_EQ(npu->value.find("tiles"), nullptr);
}

TEST(Yaml, AnEmptyTextIsNothing) {
  const auto [root, errors] = parse("# only a comment\n");
  ASSERT_TRUE(root);
  EXPECT_EQ(root->kind(), YamlNode::Kind::null);
  EXPECT_EQ(errors, "");
}

TEST(Yaml, ADuplicateKeyIsAnErrorAndTheRestIsStillRead) {
  const auto [root, errors] = parse("a: 1\nb: 2\na: 3\n");
  ASSERT_TRUE(root);
  EXPECT_EQ(root->find("a")->value.scalar(), "1");
  EXPECT_EQ(errors,
            "error: `a` is given twice\n"
            "  --> a.yaml:3:1\n"
            "  3 | a: 3\n"
            "    | ^\n"
            "help: it is first given on line 1\n");
}

TEST(Yaml, BrokenSyntaxIsLocated) {
  EXPECT_THAT(parse("a: [1, 2\nb: 3\n").errors, HasSubstr("this is not YAML"));
  EXPECT_THAT(parse("a: [1, 2\nb: 3\n").errors, HasSubstr("--> a.yaml:2:"));
  EXPECT_THAT(parse("a:\n\tb: 3\n").errors, HasSubstr("spaces, never with tabs"));
  EXPECT_THAT(parse("a: *nowhere\n").errors, HasSubstr("--> a.yaml:1:4"));
  EXPECT_THAT(parse("a: 1\n---\nb: 2\n").errors, HasSubstr("a second document"));
  EXPECT_THAT(parse("[a, b]: 1\n").errors, HasSubstr("a key must be a single word"));
  EXPECT_THAT(parse("a: &x [1, *x]\n").errors, HasSubstr("this alias stands inside what it refers to"));
}

TEST(Yaml, AnAliasIsWhatItRefersTo) {
  const auto [root, errors] = parse("a: &x {rows: 3}\nb: *x\n");
  ASSERT_TRUE(root) << errors;
  EXPECT_EQ(root->find("b")->value.find("rows")->value.scalar(), "3");
}

TEST(Yaml, WithReplacesAddsAndKeepsTheRest) {
  const auto [root, errors] = parse("npu: {rows: 64, dma: {burst: 512 B}}\n");
  Diagnostics out;
  const auto set = [&](const YamlNode& node, const std::string& text) {
    const auto assignment = parse_assignment("--set", text, out);
    return node.with(assignment->path, assignment->value);
  };
  const YamlNode changed = set(set(*root, "npu.dma.burst=1 KiB"), "l2.banks=8");
  EXPECT_EQ(changed.find("npu")->value.find("rows")->value.scalar(), "64");
  const YamlEntry* burst = changed.find("npu")->value.find("dma")->value.find("burst");
  EXPECT_EQ(burst->value.scalar(), "1 KiB");
  EXPECT_EQ(burst->value.location().source->path, "--set");
  EXPECT_EQ(place(burst->value.location()), "1:15");
  EXPECT_EQ(place(burst->key.location()), "1:9");
  EXPECT_EQ(changed.find("l2")->value.find("banks")->value.scalar(), "8");
  EXPECT_EQ(root->find("npu")->value.find("dma")->value.find("burst")->value.scalar(), "512 B");
}

TEST(Assignment, IsAPathAndAnyYaml) {
  Diagnostics out;
  const auto assignment = parse_assignment("--set", "npu[2].dtypes={int8: 1, bf16: 2}", out);
  ASSERT_TRUE(assignment) << render(out);
  std::vector<std::string> path;
  for (const auto& step : assignment->path) path.push_back(step.scalar());
  EXPECT_THAT(path, ElementsAre("npu[2]", "dtypes"));
  EXPECT_EQ(assignment->value.find("bf16")->value.scalar(), "2");
}

TEST(Assignment, WhatIsNone) {
  const auto error = [](const std::string& text) {
    Diagnostics out;
    EXPECT_FALSE(parse_assignment("--set", text, out));
    return render(out);
  };
  EXPECT_EQ(error("npu.rows"),
            "error: `npu.rows` assigns nothing\n"
            "  --> --set:1:1\n"
            "  1 | npu.rows\n"
            "    | ^\n"
            "help: write it like `--set npu.rows=128`\n");
  EXPECT_THAT(error("=3"), HasSubstr("`=3` assigns nothing"));
  EXPECT_THAT(error("npu..rows=3"), HasSubstr("--> --set:1:5"));
  EXPECT_THAT(error("npu.=3"), HasSubstr("--> --set:1:5"));
  EXPECT_THAT(error("npu.rows=[1"), HasSubstr("this is not YAML"));
}

TEST(MapReader, TellsOfMissingAndUnknownKeysAtOnce) {
  const auto [root, errors] = parse("soc: edge\nclokcs: {}\n");
  Diagnostics out;
  MapReader reader(*root, "a SoC file", out);
  EXPECT_NE(reader.required("soc"), nullptr);
  EXPECT_EQ(reader.required("clocks"), nullptr);
  EXPECT_EQ(reader.optional("tech"), nullptr);
  reader.refuse_others();
  EXPECT_EQ(render(out),
            "error: a SoC file needs `clocks`\n"
            "  --> a.yaml:1:1\n"
            "  1 | soc: edge\n"
            "    | ^\n"
            "help: add `clocks: ...`\n"
            "\n"
            "error: a SoC file has no key `clokcs`\n"
            "  --> a.yaml:2:1\n"
            "  2 | clokcs: {}\n"
            "    | ^\n"
            "help: did you mean `clocks`?\n");
}

TEST(MapReader, ANodeThatIsNoMapIsAnError) {
  const auto [root, errors] = parse("[a, b]\n");
  Diagnostics out;
  MapReader reader(*root, "a SoC file", out);
  EXPECT_EQ(reader.required("soc"), nullptr);
  EXPECT_EQ(out.all().size(), 1U);
  EXPECT_EQ(out.all()[0].message, "a SoC file is a map, not a list");
}

}  // namespace
}  // namespace archsim
