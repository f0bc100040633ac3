"""Points: clusters, distances."""
from description import Input, workload

xp = None


# Where two centres are nearly as near, rounding decides.
@workload("nearest of 64 centres", "clustering", split=(0, None), share=1e-3, tolerance=0, option="fma",
          inputs=lambda size: [Input("float32", (size.elements(2_097_152), 8), 7919, 1000003, -1, 1),
                               Input("float32", (64, 8), 104729, 9973, -1, 1)])
def nearest_centre(points, centres):
    apart = points[:, None, :] - centres[None, :, :]
    return xp.argmin(xp.sum(apart * apart, axis=2), axis=1)


@workload("squared distances, all pairs of points", "clustering", split=(0, None), option="fma",
          inputs=lambda size: [Input("float32", (size.edge(8192), 16), 7919, 10007, -1, 1),
                               Input("float32", (size.edge(8192), 16), 104729, 9973, -1, 1)])
def distances(a, b):
    apart = a[:, None, :] - b[None, :, :]
    return xp.sum(apart * apart, axis=2)


# At the other end of the world the arc sine is steep.
# Where points are nearly opposite the arc's sine is 1, less an error that its arc is four digits from.
@workload("great-circle distances", "element-wise", split=(0, 0, 0, 0), share=1e-4, tolerance=1e-4,
          inputs=lambda size: [Input("float32", (size.elements(33_554_432),), step, cycle, low, high)
                               for step, cycle, low, high in ((7919, 10007, -1.5, 1.5), (104729, 9973, -3.1, 3.1),
                                                              (1299709, 9967, -1.5, 1.5), (15485863, 9949, -3.1, 3.1))])
def great_circle(latitude, longitude, to_latitude, to_longitude):
    up = xp.sin(0.5 * (to_latitude - latitude))
    across = xp.sin(0.5 * (to_longitude - longitude))
    chord = up * up + xp.cos(latitude) * xp.cos(to_latitude) * across * across
    return 12742.0 * xp.arcsin(xp.sqrt(xp.minimum(chord, 1.0)))
