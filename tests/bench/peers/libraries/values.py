"""The elements of inputs, as NumPy arrays: the same bits as kiln's program makes."""
import numpy

PARTS = 1 << 22  # indices at once: int64 of the whole would be eight times a byte's array


def numbers(of, index, turn=0):
    position = (index * of.step + of.start + turn) % of.cycle
    return (of.low + position.astype(numpy.float64) * of.scale).astype(numpy.float32)


def rounded_to_bfloat16(x):
    """To the nearest, ties to even, as float32."""
    bits = x.view(numpy.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).view(numpy.float32)


def elements(of, index):
    """At row-major positions. A bfloat16 is a float32 here, which NumPy has."""
    real = numbers(of, index)
    if of.dtype == "complex64":
        return real + numpy.complex64(1j) * numbers(of, index, of.cycle // 3)
    return rounded_to_bfloat16(real) if of.dtype == "bfloat16" else real.astype(of.dtype)


def cycle(of):
    """The elements up to where they repeat."""
    length = min(of.cycle, of.size)
    return numpy.concatenate([elements(of, numpy.arange(i, min(i + PARTS, length))) for i in range(0, length, PARTS)])


def whole(of):
    some = cycle(of)
    return numpy.resize(some, of.size).reshape(of.shape) if len(some) < of.size else some.reshape(of.shape)


def part(of, axis, begin, end):
    """Positions [begin, end) along an axis."""
    position = numpy.zeros((1,) * len(of.shape), numpy.int64)
    stride = 1
    for i in reversed(range(len(of.shape))):
        along = numpy.arange(begin, end) if i == axis else numpy.arange(of.shape[i])
        position = position + stride * along.reshape([-1 if j == i else 1 for j in range(len(of.shape))])
        stride *= of.shape[i]
    return elements(of, position)
