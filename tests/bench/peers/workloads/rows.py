"""Normalisations and losses: every element needs its whole row, or column, once or twice."""
from description import Input, workload

xp = None


def matrix(rows, columns, low=-4, high=4):
    return Input("float32", (rows, columns), 7919, 10007, low, high)


def matrices(size):
    edge = size.fixed(1024)
    return Input("float32", (size.elements(64, 1, 2), edge, edge), 7919, 10007, -4, 4)


def planes(size):
    edge = size.fixed(56)
    return Input("float32", (size.elements(128, 1, 2), 128, edge, edge), 7919, 10007, -4, 4)


@workload("z-scores of columns", "normalisations", split=(1,), out_axis=1,
          inputs=lambda size: [matrix(size.edge(8192), size.edge(8192))])
def column_scores(x):
    centred = x - xp.mean(x, axis=0)
    return centred / xp.sqrt(xp.mean(centred * centred, axis=0))


@workload("softmax of rows", "normalisations", split=(0,),
          inputs=lambda size: [matrix(size.edge(8192), size.edge(8192))])
def softmax(x):
    e = xp.exp(x - xp.max(x, axis=1, keepdims=True))
    return e / xp.sum(e, axis=1, keepdims=True)


@workload("softmax of few rows", "launch-bound", split=(0,), small=True,
          inputs=lambda size: [matrix(32, 1000)])
def small_softmax(x):
    e = xp.exp(x - xp.max(x, axis=1, keepdims=True))
    return e / xp.sum(e, axis=1, keepdims=True)


@workload("layer norm", "normalisations", split=(0, None, None),
          inputs=lambda size: [matrix(size.edge(8192), size.edge(8192)),
                               Input("float32", (size.edge(8192),), 7919, 97, 0.5, 1.5),
                               Input("float32", (size.edge(8192),), 104729, 89, -1, 1)])
def layer_norm(x, scale, offset):
    centred = x - xp.mean(x, axis=1, keepdims=True)
    variance = xp.mean(centred * centred, axis=1, keepdims=True)
    return centred / xp.sqrt(variance + 1e-5) * scale + offset


@workload("RMS norm", "normalisations", split=(0, None),
          inputs=lambda size: [matrix(size.edge(16_384), size.edge(4096)),
                               Input("float32", (size.edge(4096),), 7919, 97, 0.5, 1.5)])
def rms_norm(x, weight):
    return x / xp.sqrt(xp.mean(x * x, axis=1, keepdims=True) + 1e-6) * weight


@workload("cross-entropy", "losses", split=(0, 0),
          inputs=lambda size: [matrix(size.edge(4096), size.edge(32_000)),
                               Input("int64", (size.edge(4096),), 104729, size.edge(32_000), 0, size.edge(32_000))])
def cross_entropy(logits, label):
    highest = xp.max(logits, axis=1, keepdims=True)
    shifted = logits - highest
    of_label = xp.sum(xp.where(xp.arange(logits.shape[1], "int64") == label[:, None], shifted, 0.0), axis=1)
    return xp.log(xp.sum(xp.exp(shifted), axis=1)) - of_label


@workload("softmax over the middle axis", "normalisations", split=(0,),
          inputs=lambda size: [matrices(size)])
def middle_softmax(x):
    e = xp.exp(x - xp.max(x, axis=1, keepdims=True))
    return e / xp.sum(e, axis=1, keepdims=True)


@workload("masked softmax of attention scores", "normalisations", split=(0, None),
          inputs=lambda size: [matrices(size),
                               Input("float32", (size.fixed(1024), 1), 1, 1024, 0, 1024)])
def attention(scores, position):
    seen = xp.arange(scores.shape[2], "float32") <= position
    masked = xp.where(seen, scores * 0.125, -1e9)
    e = xp.exp(masked - xp.max(masked, axis=2, keepdims=True))
    return e / xp.sum(e, axis=2, keepdims=True)


@workload("batch norm", "normalisations", split=(1, 1, 1), out_axis=1,
          inputs=lambda size: [planes(size),
                               Input("float32", (1, 128, 1, 1), 7919, 97, 0.5, 1.5),
                               Input("float32", (1, 128, 1, 1), 104729, 89, -1, 1)])
def batch_norm(x, scale, offset):
    centred = x - xp.mean(x, axis=(0, 2, 3), keepdims=True)
    variance = xp.mean(centred * centred, axis=(0, 2, 3), keepdims=True)
    return centred / xp.sqrt(variance + 1e-5) * scale + offset
