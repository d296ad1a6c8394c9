roofline
none.json
-o
roof.gif
