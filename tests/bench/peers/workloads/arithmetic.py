"""Element by element: sums, broadcasting, polynomials, activations, complex numbers."""
from description import Input, workload

xp = None

SQRT_HALF = 0.7071067811865476


def spread(n, low, high, dtype="float32"):
    return Input(dtype, (n,), 7919, 10007, low, high)


@workload("x + x + x + x + x", "element-wise", split=(0,),
          inputs=lambda size: [spread(size.elements(100_000_000), -3, 3)])
def five_additions(x):
    return x + x + x + x + x


@workload("table (4000, 5) times every layer", "element-wise", split=(None, 0),
          inputs=lambda size: [Input("float64", (4000, 5), 7919, 977, 100, 1077),
                               Input("float64", (size.elements(2500, 5, 5), 4000, 5), 104729, 1013, 0.5, 1.0)])
def table_product(table, x):
    return table * x


@workload("row + column + matrix", "element-wise", split=(None, 0, 0),
          inputs=lambda size: [Input("float32", (1, size.edge(8192)), 7919, 10007),
                               Input("float32", (size.edge(8192), 1), 104729, 9973),
                               Input("float32", (size.edge(8192), size.edge(8192)), 1299709, 9967)])
def row_column_matrix(row, column, m):
    return row + column + m


@workload("m + transpose(m)", "element-wise",
          inputs=lambda size: [Input("float32", (size.edge(8192), size.edge(8192)), 1299709, 10007)])
def plus_transposed(m):
    return m + xp.transpose(m)


@workload("polynomial of degree 16", "element-wise", split=(0,), option="fma",
          inputs=lambda size: [spread(size.elements(67_108_864), -1, 1)])
def horner(x):
    result = 0.0625 * x + 0.125
    for i in range(15):
        result = result * x + (0.5 - 0.0625 * i)
    return result


@workload("GELU", "element-wise", split=(0,),
          inputs=lambda size: [spread(size.elements(67_108_864), -4, 4)])
def gelu(x):
    return 0.5 * x * (1 + xp.erf(x * SQRT_HALF))


@workload("GELU by tanh", "element-wise", split=(0,), tolerance=4e-3,
          inputs=lambda size: [spread(size.elements(134_217_728), -4, 4, "float16")])
def gelu_half(x):
    return 0.5 * x * (1 + xp.tanh(0.7978845608 * (x + 0.044715 * x * x * x)))


@workload("swish", "element-wise", split=(0,), tolerance=3e-2,
          inputs=lambda size: [spread(size.elements(134_217_728), -4, 4, "bfloat16")])
def swish(x):
    return x / (1 + xp.exp(-x))


@workload("complex product where z is small", "element-wise", split=(0, 0), share=1e-4,
          inputs=lambda size: [Input("complex64", (size.elements(33_554_432),), 7919, 10007, -1, 1),
                               Input("complex64", (size.elements(33_554_432),), 104729, 9973, -1, 1)])
def complex_product(z, w):
    length = xp.real(z) * xp.real(z) + xp.imag(z) * xp.imag(z)
    return xp.where(length < 0.5, z * w, z)


@workload("polar coordinates, 2 results", "element-wise", split=(0, 0),
          inputs=lambda size: [Input("float32", (size.elements(33_554_432),), 7919, 10007, -5, 5),
                               Input("float32", (size.elements(33_554_432),), 104729, 9973, -5, 5)])
def polar(x, y):
    return xp.sqrt(x * x + y * y), xp.arctan2(y, x)


# A point whose orbit passes near the circle counts one step more or less where products and sums are rounded together.
@workload("Mandelbrot, 20 steps of each point", "element-wise", split=(0, None), share=5e-3, option="fma",
          inputs=lambda size: [Input("float32", (size.edge(8192), 1), 1, size.edge(8192), -1.25, 1.25),
                               Input("float32", (1, size.edge(8192)), 1, size.edge(8192), -2.0, 0.5)])
def mandelbrot(ci, cr):
    zr, zi = cr + 0 * ci, ci + 0 * cr
    steps = 0 * zr
    for _ in range(20):
        rr, ii = zr * zr, zi * zi
        inside = rr + ii < 4
        steps = steps + xp.astype(inside, "float32")
        zi = xp.where(inside, 2 * zr * zi + ci, zi)
        zr = xp.where(inside, rr - ii + cr, zr)
    return steps


@workload("a x + y", "launch-bound", split=(0, 0), small=True,
          inputs=lambda size: [spread(1000, -1, 1), Input("float32", (1000,), 104729, 9973)])
def saxpy(x, y):
    return 2.5 * x + y
