trace
import
tests/data/onnx/txf2_dyn.onnx
-o
x.trace
