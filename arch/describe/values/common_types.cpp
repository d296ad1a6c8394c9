#include "arch/describe/table.h"

namespace archsim::detail {

#define ARCHSIM_COMMON_TYPE(T) template void describe_value<T, T>(ParamEntry&, Limits<T>, const T&);
ARCHSIM_COMMON_TYPE(bool)
ARCHSIM_COMMON_TYPE(unsigned)
ARCHSIM_COMMON_TYPE(std::uint64_t)
ARCHSIM_COMMON_TYPE(double)
ARCHSIM_COMMON_TYPE(std::string)
ARCHSIM_COMMON_TYPE(Bytes)
ARCHSIM_COMMON_TYPE(Cycles)
ARCHSIM_COMMON_TYPE(Time)
ARCHSIM_COMMON_TYPE(Frequency)
ARCHSIM_COMMON_TYPE(Bandwidth)
ARCHSIM_COMMON_TYPE(Energy)
ARCHSIM_COMMON_TYPE(Power)
ARCHSIM_COMMON_TYPE(Area)
#undef ARCHSIM_COMMON_TYPE

}  // namespace archsim::detail
