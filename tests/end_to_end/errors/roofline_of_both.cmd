roofline
none.json
--trace
x.trace
-o
roof.svg
