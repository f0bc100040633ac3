import math

import numpy

from description import bind

from . import values
from .arrays import Namespace, as_doubles, slices


class Special:
    """erf and ndtr where there is no SciPy: slow, and right."""
    erf = staticmethod(numpy.vectorize(math.erf, otypes=[float]))
    ndtr = staticmethod(numpy.vectorize(lambda x: 0.5 * math.erfc(-x / math.sqrt(2)), otypes=[float]))


def special_functions():
    try:
        import scipy.special
        return scipy.special
    except ImportError:
        return Special


class Reference(Namespace):
    """Everything in double, whatever the workload says."""

    def __init__(self):
        super().__init__(numpy, special_functions())

    def astype(self, x, dtype):
        return x.astype("float64" if dtype.startswith("float") else dtype)

    def arange(self, count, dtype):
        return numpy.arange(count).astype("float64" if dtype.startswith("float") else dtype)


def in_double(x):
    """The bytes of images stay bytes: their workloads say when they become floats."""
    if x.dtype.kind == "c":
        return x.astype(numpy.complex128)
    return x.astype(numpy.float64) if x.dtype.kind == "f" else x


class Library:
    name = "NumPy"

    def __init__(self, device):
        if device != "cpu":
            raise RuntimeError("computes on the CPU only")
        self.versions = {"numpy": numpy.__version__}
        self.namespace = Namespace(numpy, special_functions())

    def make(self, of):
        if of.dtype == "bfloat16":
            raise TypeError("no bfloat16")
        return values.whole(of)

    def ways(self):
        return ["NumPy"]

    def plan(self, way, workload, inputs):
        if workload.function.__name__ in ("gelu", "black_scholes") and self.namespace.special is Special:
            raise RuntimeError("no SciPy for erf")
        compute = bind(workload.function, self.namespace)
        return lambda arrays: lambda: compute(*arrays)

    def wait(self, results):
        pass

    def part(self, result, axis, begin, end):
        return as_doubles(slices(numpy.asarray(result), axis, begin, end))

    def mean(self, result):
        return float(numpy.mean(numpy.abs(result), dtype=numpy.float64))

    def release(self):
        pass
