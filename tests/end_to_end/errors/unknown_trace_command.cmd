trace
show
x.trace
