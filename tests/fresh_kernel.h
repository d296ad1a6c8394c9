// A fixture whose every test starts with a SystemC kernel of its own, also when several tests run in one process.
#pragma once

#include <gtest/gtest.h>

#include <systemc>

namespace archsim {

class FreshKernel : public testing::Test {
 protected:
  void SetUp() override { use(new sc_core::sc_simcontext()); }
  void TearDown() override {
    delete sc_core::sc_curr_simcontext;
    use(nullptr);
  }

 private:
  static void use(sc_core::sc_simcontext* context) {
    sc_core::sc_curr_simcontext = context;
    sc_core::sc_default_global_context = context;
  }
};

}  // namespace archsim
