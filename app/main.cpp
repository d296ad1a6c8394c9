#include "app/command_line.h"

int main(int argc, char** argv) { return archsim::command_line(argc, argv); }

// libsystemc.so refers to this symbol; the runs start the kernel themselves.
extern "C" int sc_main(int, char**) { return 0; }
