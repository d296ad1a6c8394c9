#include "traces/import/onnx/fuse/fuse.h"

#include <fmt/format.h>

#include "traces/import/onnx/fuse/matcher.h"
#include "traces/import/onnx/shape/settle.h"

namespace archsim::onnx_graph {

void fuse(Graph& graph, Diagnostics& problems) {
  for (const auto pass : {fuse_batch_norms, fuse_biases, fuse_norms, fuse_activations, fuse_softmax, fuse_rope}) {
    pass(graph);
    drop_unused(graph);
  }
  const std::size_t masks = fuse_attention(graph);
  drop_unused(graph);
  fuse_glu(graph);
  drop_unused(graph);
  if (masks > 0) {
    problems.warning(graph.where(),
                     fmt::format("{} attention operators have a mask that is known only at run time", masks),
                     "they are taken to look at all keys, and the mask is not read");
  }
}

}  // namespace archsim::onnx_graph
