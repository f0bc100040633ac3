"""Pixels: bytes in, bytes out, a few neighbours."""
from description import Input, workload

xp = None

# One step of a byte, where a rounding to the nearest fell the other way.
ONE_STEP = 1 / 150


def as_byte(x):
    return xp.astype(xp.rint(x), "uint8")


@workload("gray from RGB", "images", split=(0, None), tolerance=ONE_STEP,
          inputs=lambda size: [Input("uint8", (size.edge(6144), size.edge(6144), 3), 7919, 256, 0, 256),
                               Input("float32", (3,), 1, 3, 0.2, 0.5003)])
def gray(rgb, weights):
    return as_byte(xp.sum(xp.astype(rgb, "float32") * weights, axis=2))


@workload("gamma correction", "images", split=(0,), tolerance=ONE_STEP, option="fma",
          inputs=lambda size: [Input("uint8", (size.elements(134_217_728),), 7919, 256, 0, 256)])
def gamma(x):
    return as_byte(255 * xp.power(xp.astype(x, "float32") / 255, 0.4545))


@workload("alpha blend", "images", split=(0, 0, 0), tolerance=ONE_STEP,
          inputs=lambda size: [Input("uint8", (size.elements(67_108_864),), step, 256, 0, 256)
                               for step in (7919, 104729, 1299709)])
def alpha_blend(a, b, alpha):
    share = xp.astype(alpha, "float32") / 255
    return as_byte(share * xp.astype(a, "float32") + (1 - share) * xp.astype(b, "float32"))


def picture(edge, border):
    return [Input("float32", (edge + border, edge + border), 7919, 10007)]


@workload("Sobel magnitude", "images", split=(0,), halo=2,
          inputs=lambda size: picture(size.edge(8192), 2))
def sobel(p):
    gx = (p[:-2, 2:] + 2 * p[1:-1, 2:] + p[2:, 2:]) - (p[:-2, :-2] + 2 * p[1:-1, :-2] + p[2:, :-2])
    gy = (p[2:, :-2] + 2 * p[2:, 1:-1] + p[2:, 2:]) - (p[:-2, :-2] + 2 * p[:-2, 1:-1] + p[:-2, 2:])
    return xp.sqrt(gx * gx + gy * gy)


@workload("mean of 16 neighbours", "images", split=(0,), halo=3,
          inputs=lambda size: picture(size.edge(8192), 3))
def box(p):
    rows, columns = p.shape[0] - 3, p.shape[1] - 3
    total = 0
    for i in range(4):
        for j in range(4):
            total = total + p[i:i + rows, j:j + columns]
    return total / 16
