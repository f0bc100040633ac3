"""Loops as one writes them for Numba, where a workload is more than a function of elements: over rows, in parallel."""
import math

import numpy
from numba import njit, prange

# Sums may be added up in another order: else nothing of them is vectorised.
compiled = njit(parallel=True, fastmath={"reassoc"}, error_model="numpy")


@compiled
def softmax(x):
    out = numpy.empty_like(x)
    for i in prange(x.shape[0]):
        highest = x[i, 0]
        for j in range(x.shape[1]):
            highest = max(highest, x[i, j])
        total = numpy.float32(0)
        for j in range(x.shape[1]):
            out[i, j] = math.exp(x[i, j] - highest)
            total += out[i, j]
        for j in range(x.shape[1]):
            out[i, j] /= total
    return out


small_softmax = softmax


@compiled
def layer_norm(x, scale, offset):
    out = numpy.empty_like(x)
    count = numpy.float32(x.shape[1])
    for i in prange(x.shape[0]):
        total = numpy.float32(0)
        for j in range(x.shape[1]):
            total += x[i, j]
        mean = total / count
        squares = numpy.float32(0)
        for j in range(x.shape[1]):
            squares += (x[i, j] - mean) * (x[i, j] - mean)
        deviation = math.sqrt(squares / count + numpy.float32(1e-5))
        for j in range(x.shape[1]):
            out[i, j] = (x[i, j] - mean) / deviation * scale[j] + offset[j]
    return out


@compiled
def rms_norm(x, weight):
    out = numpy.empty_like(x)
    for i in prange(x.shape[0]):
        squares = numpy.float32(0)
        for j in range(x.shape[1]):
            squares += x[i, j] * x[i, j]
        root = math.sqrt(squares / numpy.float32(x.shape[1]) + numpy.float32(1e-6))
        for j in range(x.shape[1]):
            out[i, j] = x[i, j] / root * weight[j]
    return out


@compiled
def row_sums(a, b):
    out = numpy.empty(a.shape[0], a.dtype)
    for i in prange(a.shape[0]):
        total = numpy.float32(0)
        for j in range(a.shape[1]):
            total += a[i, j] * b[i, j]
        out[i] = total
    return out


@compiled
def gray(rgb, weights):
    out = numpy.empty(rgb.shape[:2], numpy.uint8)
    for i in prange(rgb.shape[0]):
        for j in range(rgb.shape[1]):
            total = rgb[i, j, 0] * weights[0] + rgb[i, j, 1] * weights[1] + rgb[i, j, 2] * weights[2]
            out[i, j] = numpy.uint8(round(total))
    return out


@compiled
def nearest_centre(points, centres):
    out = numpy.empty(points.shape[0], numpy.int64)
    for i in prange(points.shape[0]):
        best, least = 0, numpy.float32(numpy.inf)
        for c in range(centres.shape[0]):
            square = numpy.float32(0)
            for j in range(points.shape[1]):
                square += (points[i, j] - centres[c, j]) * (points[i, j] - centres[c, j])
            if square < least:
                best, least = c, square
        out[i] = best
    return out


@compiled
def distances(a, b):
    out = numpy.empty((a.shape[0], b.shape[0]), a.dtype)
    for i in prange(a.shape[0]):
        for j in range(b.shape[0]):
            square = numpy.float32(0)
            for k in range(a.shape[1]):
                square += (a[i, k] - b[j, k]) * (a[i, k] - b[j, k])
            out[i, j] = square
    return out


@compiled
def n_body(x, y, z, from_x, from_y, from_z, mass):
    ax, ay, az = numpy.empty_like(x), numpy.empty_like(x), numpy.empty_like(x)
    for i in prange(x.shape[0]):
        sx, sy, sz = numpy.float32(0), numpy.float32(0), numpy.float32(0)
        for j in range(mass.shape[0]):
            dx, dy, dz = from_x[j] - x[i], from_y[j] - y[i], from_z[j] - z[i]
            square = dx * dx + dy * dy + dz * dz + numpy.float32(0.01)
            pull = mass[j] / (square * math.sqrt(square))
            sx += pull * dx
            sy += pull * dy
            sz += pull * dz
        ax[i], ay[i], az[i] = sx, sy, sz
    return ax, ay, az


@compiled
def asian_option(shocks):
    total = 0.0
    for i in prange(shocks.shape[0]):
        log_price, average = numpy.float32(0), numpy.float32(0)
        for j in range(shocks.shape[1]):
            log_price += numpy.float32(0.0001) + numpy.float32(0.02) * shocks[i, j]
            average += numpy.float32(100) * math.exp(log_price)
        total += max(average / numpy.float32(shocks.shape[1]) - numpy.float32(100), numpy.float32(0))
    return numpy.float32(0.98 * total / shocks.shape[0])


@compiled
def heat(u):
    rows, columns = u.shape[0] - 2, u.shape[1] - 2
    out = numpy.empty((rows, columns), u.dtype)
    for i in prange(rows):
        for j in range(columns):
            here = u[i + 1, j + 1]
            around = u[i, j + 1] + u[i + 2, j + 1] + u[i + 1, j] + u[i + 1, j + 2]
            out[i, j] = here + numpy.float32(0.2) * (around - numpy.float32(4) * here)
    return out


@compiled
def cross_entropy(logits, label):
    out = numpy.empty(logits.shape[0], logits.dtype)
    for i in prange(logits.shape[0]):
        highest = logits[i, 0]
        for j in range(logits.shape[1]):
            highest = max(highest, logits[i, j])
        total = numpy.float32(0)
        for j in range(logits.shape[1]):
            total += math.exp(logits[i, j] - highest)
        out[i] = math.log(total) - (logits[i, label[i]] - highest)
    return out


@compiled
def batch_norm(x, scale, offset):
    out = numpy.empty_like(x)
    count = numpy.float32(x.size // x.shape[1])
    for c in prange(x.shape[1]):
        total = numpy.float32(0)
        for n in range(x.shape[0]):
            part = numpy.float32(0)
            for i in range(x.shape[2]):
                for j in range(x.shape[3]):
                    part += x[n, c, i, j]
            total += part
        mean = total / count
        squares = numpy.float32(0)
        for n in range(x.shape[0]):
            part = numpy.float32(0)
            for i in range(x.shape[2]):
                for j in range(x.shape[3]):
                    part += (x[n, c, i, j] - mean) * (x[n, c, i, j] - mean)
            squares += part
        by = scale[0, c, 0, 0] / math.sqrt(squares / count + numpy.float32(1e-5))
        for n in range(x.shape[0]):
            for i in range(x.shape[2]):
                for j in range(x.shape[3]):
                    out[n, c, i, j] = (x[n, c, i, j] - mean) * by + offset[0, c, 0, 0]
    return out


@compiled
def variance(x):
    total = 0.0
    for i in prange(x.size):
        total += x[i]
    mean = numpy.float32(total / x.size)
    squares = 0.0
    for i in prange(x.size):
        squares += (x[i] - mean) * (x[i] - mean)
    return numpy.float32(squares / x.size)


@compiled
def logistic_gradient(x, label, weight):
    parts = 64
    sums = numpy.zeros((parts, x.shape[1]))
    for part in prange(parts):
        for i in range(part * x.shape[0] // parts, (part + 1) * x.shape[0] // parts):
            product = numpy.float32(0)
            for j in range(x.shape[1]):
                product += x[i, j] * weight[j]
            apart = numpy.float32(1) / (numpy.float32(1) + math.exp(-product)) - label[i]
            for j in range(x.shape[1]):
                sums[part, j] += apart * x[i, j]
    return (sums.sum(axis=0) / x.shape[0]).astype(numpy.float32)


@compiled
def wave(u, before):
    for _ in range(10):
        after = numpy.empty_like(u)
        rows, columns = u.shape
        for i in prange(rows):
            up, down = (i - 1) % rows, (i + 1) % rows
            for j in range(columns):
                left = j - 1 if j else columns - 1
                right = j + 1 if j + 1 < columns else 0
                around = u[up, j] + u[down, j] + u[i, left] + u[i, right]
                after[i, j] = (numpy.float32(2) * u[i, j] - before[i, j]
                               + numpy.float32(0.1) * (around - numpy.float32(4) * u[i, j]))
        u, before = after, u
    return u, before
