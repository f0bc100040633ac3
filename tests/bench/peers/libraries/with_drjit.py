import importlib

import drjit as dr

from description import bind

from . import Unable, shared, values
from .arrays import as_doubles, slices

TENSORS = {"float16": "TensorXf16", "float32": "TensorXf", "float64": "TensorXf64", "uint8": "TensorXu8",
           "int64": "TensorXi64"}


class Namespace:
    """xp of the workloads, in Dr.Jit's names, on tensors."""
    exp, log, sqrt, abs, tanh, sin, cos, arcsin, arctan2 = (dr.exp, dr.log, dr.sqrt, dr.abs, dr.tanh, dr.sin, dr.cos,
                                                           dr.asin, dr.atan2)
    erf, rint, where, maximum, minimum, power = dr.erf, dr.round, dr.select, dr.maximum, dr.minimum, dr.power

    def __init__(self, module):
        self.module = module

    def __getattr__(self, name):
        raise Unable(f"no {name}")

    def ndtr(self, x):
        return 0.5 + 0.5 * dr.erf(0.7071067811865476 * x)

    def sum(self, x, axis=None, keepdims=False):
        return dr.sum(x, axis=axis, keepdims=keepdims)

    def mean(self, x, axis=None, keepdims=False):
        return dr.mean(x, axis=axis, keepdims=keepdims)

    def max(self, x, axis=None, keepdims=False):
        return dr.max(x, axis=axis, keepdims=keepdims)

    def var(self, x):
        centred = x - dr.mean(x, axis=None)
        return dr.mean(centred * centred, axis=None)

    def cumsum(self, x, axis):
        return dr.cumsum(x, axis=axis)

    def astype(self, x, dtype):
        return getattr(self.module, TENSORS[dtype])(x)

    def arange(self, count, dtype):
        return dr.arange(getattr(self.module, TENSORS[dtype]), count)


class Library:
    name = "Dr.Jit"

    def __init__(self, device):
        self.device = device
        self.module = importlib.import_module("drjit.cuda" if device == "cuda" else "drjit.llvm")
        dr.eval(dr.arange(self.module.Float, 4) + 1)  # a driver, or a libLLVM
        self.versions = {"drjit": dr.__version__}
        self.namespace = Namespace(self.module)

    def make(self, of):
        kind = TENSORS.get(of.dtype)
        if kind is None or not hasattr(self.module, kind):
            raise TypeError(f"no tensors of {of.dtype}")
        theirs = shared.on_gpu(of) if self.device == "cuda" else None
        made = getattr(self.module, kind)(values.whole(of) if theirs is None else theirs)
        dr.eval(made)
        return made

    def ways(self):
        return ["Dr.Jit"]

    def plan(self, way, workload, inputs):
        compute = bind(workload.function, self.namespace)

        def call(arrays):
            results = compute(*arrays)
            dr.eval(results)
            return results
        return lambda arrays: lambda: call(arrays)

    def wait(self, results):
        dr.sync_thread()

    def part(self, result, axis, begin, end):
        return as_doubles(slices(result.numpy(), axis, begin, end))

    def mean(self, result):
        return float(abs(result.numpy().astype("float64")).mean())

    def release(self):
        dr.flush_malloc_cache()
