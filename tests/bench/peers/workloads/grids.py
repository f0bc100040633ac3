"""Steps of partial differential equations on a grid."""
from description import Input, workload

xp = None


@workload("heat step", "grids", split=(0,), halo=2,
          inputs=lambda size: [Input("float32", (size.edge(8192) + 2, size.edge(8192) + 2), 7919, 10007)])
def heat(u):
    here = u[1:-1, 1:-1]
    return here + 0.2 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * here)


@workload("10 steps of the wave equation", "grids",
          inputs=lambda size: [Input("float32", (size.edge(4096), size.edge(4096)), step, 10007)
                               for step in (7919, 7907)])
def wave(u, before):
    for _ in range(10):
        around = xp.roll(u, 1, 0) + xp.roll(u, -1, 0) + xp.roll(u, 1, 1) + xp.roll(u, -1, 1)
        u, before = 2 * u - before + 0.1 * (around - 4 * u), u
    return u, before
