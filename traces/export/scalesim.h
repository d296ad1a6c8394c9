// Trace -> the topology files of SCALE-Sim (v2 and v3), which knows matrix products and nothing else.
#pragma once

#include <string>

#include "arch/describe/diagnostic.h"
#include "arch/workload/trace.h"

namespace archsim {

enum class ScaleSimForm {
  gemm,  // Layer, M, N, K: for SCALE-Sim's `-i gemm`
  conv,  // a convolution with its grid, padding included; any other product as a convolution of one row of the grid
};

struct ScaleSimOptions {
  ScaleSimForm form = ScaleSimForm::gemm;
  bool once = false;  // each operator once, instead of once for each of its instances
};

/// One line a product: linear, matmul (a line a batch element), attention (scores and values; a line each for a batch
/// element and key head, the queries of the heads that share it stacked). Without `once` the products of all lines, M x N
/// x K, sum up to the trace's MACs. What is no product has no line.
/// Columns: scalesim/topology_utils.py of SCALE-Sim, whose reader drops what stands after a line's last comma.
/// Errors: operators with MACs that are no product of these; convolutions whose strides differ, for which the format has
/// one column.
Checked<std::string> scalesim_topology(const Trace& trace, const ScaleSimOptions& options);

}  // namespace archsim
