"""Bodies and populations."""
from description import Input, workload

xp = None


def bodies(size):
    n = size.edge(16_384)
    return [Input("float32", (n,), step, cycle, -1, 1) for _ in range(2)
            for step, cycle in ((7919, 10007), (104729, 9973), (1299709, 9967))] + [Input("float32", (n,), 7919, 9973)]


# Twice the same bodies: as those that are pulled, and as those that pull.
@workload("accelerations of bodies, all pairs", "physics", split=(0, 0, 0, None, None, None, None), tolerance=1e-4,
          option="fast_math",
          inputs=bodies)
def n_body(x, y, z, from_x, from_y, from_z, mass):
    dx = from_x[None, :] - x[:, None]
    dy = from_y[None, :] - y[:, None]
    dz = from_z[None, :] - z[:, None]
    square = dx * dx + dy * dy + dz * dz + 0.01
    pull = mass[None, :] / (square * xp.sqrt(square))
    return xp.sum(pull * dx, axis=1), xp.sum(pull * dy, axis=1), xp.sum(pull * dz, axis=1)


@workload("Runge-Kutta step of Lotka-Volterra", "launch-bound", split=(0, 0), small=True,
          inputs=lambda size: [Input("float32", (65_536,), 7919, 10007, 0.5, 2),
                               Input("float32", (65_536,), 104729, 9973, 0.5, 2)])
def lotka_volterra(prey, predators):
    h = 0.01

    def slopes(x, y):
        return 1.1 * x - 0.4 * x * y, 0.1 * x * y - 0.4 * y

    x1, y1 = slopes(prey, predators)
    x2, y2 = slopes(prey + 0.5 * h * x1, predators + 0.5 * h * y1)
    x3, y3 = slopes(prey + 0.5 * h * x2, predators + 0.5 * h * y2)
    x4, y4 = slopes(prey + h * x3, predators + h * y3)
    return prey + h / 6 * (x1 + 2 * x2 + 2 * x3 + x4), predators + h / 6 * (y1 + 2 * y2 + 2 * y3 + y4)
