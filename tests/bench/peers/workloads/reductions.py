"""Sums and their like, of all elements, of rows, of columns; cumulative sums."""
from description import Input, workload

xp = None

MANY = 67_108_864


def numbers(size, step=7919, cycle=10007, low=0, high=1):
    return Input("float32", (size.elements(MANY),), step, cycle, low, high)


def matrix(size, step=7919):
    return Input("float32", (size.edge(8192, 128), size.edge(8192, 128)), step, 10007)


@workload("sum", "reductions",
          inputs=lambda size: [Input("float32", (size.elements(2 * MANY),), 7919, 10007)])
def total(x):
    return xp.sum(x)


@workload("mean squared error", "losses",
          inputs=lambda size: [numbers(size), numbers(size, 104729, 9973)])
def squared_error(x, y):
    return xp.mean((x - y) * (x - y))


@workload("mean Huber loss", "losses",
          inputs=lambda size: [numbers(size, low=-3, high=3), numbers(size, 104729, 9973)])
def huber(x, y):
    error = xp.abs(x - y)
    return xp.mean(xp.where(error < 1, 0.5 * error * error, error - 0.5))


@workload("variance", "reductions",
          inputs=lambda size: [Input("float32", (size.elements(2 * MANY),), 7919, 10007, 2, 5)])
def variance(x):
    return xp.var(x)


# Without a cycle: the first of equal largest ones is not near the beginning.
@workload("argmax", "reductions", tolerance=0,
          inputs=lambda size: [Input("float32", (size.elements(2 * MANY),), 7919, 2147483647)])
def largest(x):
    return xp.argmax(x)


@workload("sum(a * b) of columns", "reductions", split=(1, 1),
          inputs=lambda size: [matrix(size), matrix(size, 104729)])
def column_sums(a, b):
    return xp.sum(a * b, axis=0)


@workload("sum(a * b) of rows", "reductions", split=(0, 0),
          inputs=lambda size: [matrix(size), matrix(size, 104729)])
def row_sums(a, b):
    return xp.sum(a * b, axis=1)


@workload("cumulative sum", "scans", tolerance=3e-5,
          inputs=lambda size: [numbers(size)])
def running_total(x):
    return xp.cumsum(x, axis=0)


@workload("cumulative sums of columns", "scans", split=(1,), out_axis=1,
          inputs=lambda size: [matrix(size)])
def running_columns(x):
    return xp.cumsum(x, axis=0)
