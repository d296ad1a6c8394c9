#include <gtest/gtest.h>

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}

// libsystemc.so refers to this symbol; the tests start the kernel themselves.
extern "C" int sc_main(int, char**) { return 0; }
