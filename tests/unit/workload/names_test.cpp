#include <gtest/gtest.h>

#include "arch/workload/operator.h"
#include "arch/workload/rules/operator_rule.h"

namespace archsim {
namespace {

TEST(Names, EveryOperatorTypeIsReadBack) {
  for (const auto name : operator_type_names()) {
    const auto type = operator_type_from(name);
    ASSERT_TRUE(type) << name;
    EXPECT_EQ(name_of(*type), name);
  }
  EXPECT_FALSE(operator_type_from("liner"));
}

TEST(Names, EveryOperatorTypeHasARule) {
  for (const auto name : operator_type_names()) {
    const auto& rule = rule_of(*operator_type_from(name));
    EXPECT_EQ(name_of(rule.type), name);
    EXPECT_NE(rule.check, nullptr) << name;
    EXPECT_FALSE(rule.signature.empty()) << name;
    for (const auto& attribute : rule.attributes) EXPECT_FALSE(attribute.meaning.empty()) << name;
  }
}

TEST(Names, DtypesRolesAndLayoutsAreReadBack) {
  for (const auto name : dtype_names()) EXPECT_EQ(name_of(*dtype_from(name)), name);
  for (const auto name : role_names()) EXPECT_EQ(name_of(*role_from(name)), name);
  for (const auto name : layout_names()) EXPECT_EQ(name_of(*layout_from(name)), name);
}

TEST(Names, ElementsHaveTheirSize) {
  const Tensor tensor{.name = "t", .shape = {3, 5}, .dtype = Dtype::bf16, .copies = {2, 4}};
  EXPECT_EQ(tensor.elements(), 3U * 5);
  EXPECT_EQ(tensor.bytes(), 3U * 5 * 2);
  EXPECT_EQ(tensor.number_of_copies(), 2U * 4);
}

}  // namespace
}  // namespace archsim
