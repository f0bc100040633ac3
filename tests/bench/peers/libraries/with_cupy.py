import importlib

import cupy

from description import bind
from symbols import python_source, trace

from . import Unable, values
from .arrays import Namespace, as_doubles, slices


class Library:
    name = "CuPy"

    def __init__(self, device):
        if device != "cuda":
            raise RuntimeError("computes on a GPU only")
        cupy.arange(2).sum().item()  # a driver, a device, a compiler
        self.versions = {"cupy": cupy.__version__}
        self.namespace = Namespace(cupy, importlib.import_module("cupyx.scipy.special"))

    def make(self, of):
        if of.dtype == "bfloat16":
            raise TypeError("no bfloat16")
        some = cupy.asarray(values.cycle(of))
        if len(some) < of.size:
            some = some[cupy.arange(of.size) % len(some)]
        return some.reshape(of.shape)

    def ways(self):
        return ["CuPy", "cupy.fuse"]

    def plan(self, way, workload, inputs):
        if way == "CuPy":
            compute = bind(workload.function, self.namespace)
            return lambda arrays: lambda: compute(*arrays)
        # Fusion sees element-wise functions: what a workload slices or transposes is sliced and transposed before.
        traced = trace(workload, inputs)
        if not traced.elementwise:
            raise Unable("fuses element-wise functions only: " + traced.why)
        scope = {"xp": self.namespace}
        exec(python_source(traced), scope)  # text of our own, of a workload of our own
        fused = cupy.fuse()(scope["compute"])

        def start(arrays):
            leaves = traced.leaves(arrays)
            return lambda: fused(*leaves)
        return start

    def wait(self, results):
        cupy.cuda.get_current_stream().synchronize()

    def part(self, result, axis, begin, end):
        return as_doubles(cupy.asnumpy(slices(cupy.asarray(result), axis, begin, end)))

    def mean(self, result):
        return float(cupy.mean(cupy.abs(result), dtype="float64"))

    def release(self):
        cupy.get_default_memory_pool().free_all_blocks()
