roofline
none.json
