"""Steps of optimisers, and gradients."""
from description import Input, workload

xp = None


def adam_state(size):
    n = size.elements(33_554_432)
    return [Input("float32", (n,), 7919, 10007, -1, 1), Input("float32", (n,), 104729, 9973, -0.1, 0.1),
            Input("float32", (n,), 1299709, 9967, -0.1, 0.1), Input("float32", (n,), 15485863, 9949, 0.01, 0.1)]


@workload("Adam step, 3 results", "optimisers", split=(0, 0, 0, 0), inputs=adam_state)
def adam(p, g, m, v):
    m = 0.9 * m + 0.1 * g
    v = 0.999 * v + 0.001 * g * g
    return p - 0.01 * (m / 0.19) / (xp.sqrt(v / 0.002) + 1e-8), m, v


LAYERS = 24


@workload("SGD with momentum, 24 arrays", "launch-bound", split=(0,) * (3 * LAYERS), small=True,
          inputs=lambda size: [Input("float32", (16_384,), 7919, 10007, -1, 1, start=i) for i in range(3 * LAYERS)])
def sgd_momentum(*arrays):
    p, g, v = arrays[:LAYERS], arrays[LAYERS:2 * LAYERS], arrays[2 * LAYERS:]
    results = []
    for i in range(LAYERS):
        velocity = 0.9 * v[i] + g[i]
        results += [p[i] - 0.01 * velocity, velocity]
    return tuple(results)


@workload("gradient of a logistic regression", "optimisers", tolerance=3e-5,
          inputs=lambda size: [Input("float32", (size.elements(2_097_152), 32), 7919, 10007, -1, 1),
                               Input("float32", (size.elements(2_097_152),), 104729, 2, 0, 2),
                               Input("float32", (32,), 7919, 97, -0.5, 0.5)])
def logistic_gradient(x, label, weight):
    guess = 1 / (1 + xp.exp(-xp.sum(x * weight, axis=1)))
    return xp.mean((guess - label)[:, None] * x, axis=0)
