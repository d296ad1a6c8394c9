check
.clang-format
