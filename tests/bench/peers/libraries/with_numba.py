import math
import re

import numpy

# Gone from NumPy 2.5, and looked up by Numba's support of CUDA.
if not hasattr(numpy, "row_stack"):
    numpy.row_stack = numpy.vstack

import numba

# The fastest of its own: threads that look for work between calls. By TBB's a mean of squared errors takes 431 us for 313, by its own queue 760.
numba.config.THREADING_LAYER_PRIORITY = ["omp", "tbb", "workqueue"]

from symbols import scalar_source, trace

from . import Unable, shared, values
from .arrays import as_doubles, slices


class Library:
    """Loops: one is made of the text of an element-wise function, with a sum of its elements where the workload ends in
    one. For some workloads there are loops by hand, on the CPU."""
    name = "Numba"

    def __init__(self, device):
        self.on_gpu = device == "cuda"
        self.versions = {"numba": numba.__version__}
        if self.on_gpu:
            from numba import cuda
            cuda.current_context()
            self.cuda = cuda

    def make(self, of):
        if not self.on_gpu:
            return values.whole(of)
        theirs = shared.on_gpu(of)
        return self.cuda.to_device(values.whole(of)) if theirs is None else self.cuda.as_cuda_array(theirs)

    def ways(self):
        return ["Numba"]

    def plan(self, way, workload, inputs):
        if not self.on_gpu:
            from . import numba_loops
            if hasattr(numba_loops, workload.name):
                loop = getattr(numba_loops, workload.name)
                return lambda arrays: lambda: loop(*arrays)
        if any(each.dtype in ("float16", "bfloat16") for each in inputs):
            raise Unable("computes no 16-bit floats")
        traced = trace(workload, inputs)
        if traced.why or (self.on_gpu and traced.reduction):
            raise Unable("nobody wrote a loop, and it is not element-wise: " + (traced.why or traced.reduction))
        scope = dict(numba=numba, numpy=numpy, math=math, rint=numpy.rint, **TYPES)
        if self.on_gpu:
            from numba.cuda import libdevice
            scope.update(cuda=self.cuda, rint=libdevice.rintf)
        number = numpy.float64 if any(each.dtype == "float64" for each in inputs) else numpy.float32
        scope.update(half=number(0.5), minus_sqrt_half=number(-math.sqrt(0.5)))

        # As globals of their type: a literal is a double, and would make doubles of floats.
        def constant(value):
            if isinstance(value, str):
                return value
            name = f"c{len(scope)}"
            scope[name] = number(value)
            return name
        lines, results = scalar_source(traced, constant)
        whole = len({each.shape for each in inputs}) == 1 and all(not views for _, views in traced.distinct.values())
        if traced.reduction:
            if not whole:
                raise Unable("a sum of operands that broadcast")
            return self.summed(traced, lines, results, scope, inputs[0].size)
        types = self.result_types(workload, inputs)
        loops = self.flat if whole else self.nested
        return loops(traced, lines, results, scope, types)

    @staticmethod
    def result_types(workload, inputs):
        """Of the same function of arrays of no elements, in NumPy."""
        from .with_numpy import Library as OnNumpy
        plan = OnNumpy("cpu").plan("NumPy", workload, inputs)
        results = plan([numpy.zeros((0,) * len(each.shape), each.dtype) for each in inputs])()
        return [each.dtype for each in (results if isinstance(results, tuple) else (results,))]

    def flat(self, traced, lines, results, scope, types):
        names = [f"o{i}" for i in range(len(results))]
        body = [f"v_{each} = {each}[i]" for each in traced.parameters()]
        body += [f"{name} = {of_elements(text)}" for name, text in lines]
        body += [f"{name}[i] = {of_elements(result)}" for name, result in zip(names, results)]
        parameters = ", ".join(names + traced.parameters())
        if self.on_gpu:
            text = f"def loop({parameters}):\n    i = cuda.grid(1)\n    if i < o0.size:\n" + indented(body, 8)
            exec(text, scope)
            kernel = self.cuda.jit(scope["loop"])
        else:
            text = f"def loop({parameters}):\n    for i in numba.prange(o0.size):\n" + indented(body, 8)
            exec(text, scope)
            kernel = numba.njit(parallel=True, error_model="numpy")(scope["loop"])

        def start(arrays):
            shape, size = arrays[0].shape, arrays[0].size
            flat = [each.reshape(size) for each in traced.leaves(arrays)]
            if self.on_gpu:
                launch = kernel[(size + 255) // 256, 256]
                make = self.cuda.device_array
            else:
                launch, make = kernel, numpy.empty

            def call():
                out = [make(size, kind) for kind in types]
                launch(*out, *flat)
                return tuple(each.reshape(shape) for each in out)
            return call
        return start

    def summed(self, traced, lines, results, scope, size):
        body = [f"v_{each} = {each}[i]" for each in traced.parameters()]
        body += [f"{name} = {of_elements(text)}" for name, text in lines]
        body.append(f"total += {of_elements(results[0])}")
        text = (f"def loop({', '.join(traced.parameters())}):\n    total = 0.0\n    for i in numba.prange(a0.size):\n"
                + indented(body, 8) + "    return total\n")
        exec(text, scope)
        # Sums may be added up in another order: else nothing of them is vectorised.
        loop = numba.njit(parallel=True, fastmath={"reassoc"})(scope["loop"])
        share = 1 / size if traced.reduction == "mean" else 1

        def start(arrays):
            flat = [each.reshape(-1) for each in traced.leaves(arrays)]
            return lambda: numpy.float64(loop(*flat) * share)
        return start

    def nested(self, traced, lines, results, scope, types):
        """A loop for each axis, of operands that broadcast or are parts of inputs; on a GPU a thread an element."""
        outputs = [f"o{i}" for i in range(len(results))]
        parameters = ", ".join(outputs + traced.parameters())

        def start(arrays):
            leaves = traced.leaves(arrays)
            shape = numpy.broadcast_shapes(*(each.shape for each in leaves))
            axes = [f"i{axis}" for axis in range(len(shape))]
            body = []
            for name, leaf in zip(traced.parameters(), leaves):
                own = axes[len(shape) - leaf.ndim:]
                index = ", ".join("0" if extent == 1 else axis for extent, axis in zip(leaf.shape, own))
                body.append(f"v_{name} = {name}[{index}]")
            body += [f"{name} = {of_elements(text)}" for name, text in lines]
            body += [f"{name}[{', '.join(axes)}] = {of_elements(result)}" for name, result in zip(outputs, results)]
            size = math.prod(shape)
            if self.on_gpu:
                place = ["i = cuda.grid(1)", f"if i >= {size}:", "    return"]
                for axis in reversed(axes[1:]):
                    extent = shape[axes.index(axis)]
                    place += [f"{axis} = i % {extent}", f"i = i // {extent}"]
                text = indented(place + ["i0 = i"] + body, 4)
            else:
                text, depth = "", 4
                for axis in axes:
                    loop = "numba.prange" if axis == "i0" else "range"
                    text += " " * depth + f"for {axis} in {loop}(o0.shape[{axes.index(axis)}]):\n"
                    depth += 4
                text += indented(body, depth)
            exec(f"def loop({parameters}):\n" + text, scope)
            if self.on_gpu:
                launch = self.cuda.jit(scope["loop"])[(size + 255) // 256, 256]
                make = self.cuda.device_array
            else:
                launch, make = numba.njit(parallel=True, error_model="numpy")(scope["loop"]), numpy.empty

            def call():
                out = [make(shape, kind) for kind in types]
                launch(*out, *leaves)
                return tuple(out)
            return call
        return start

    def wait(self, results):
        if self.on_gpu:
            self.cuda.synchronize()

    def part(self, result, axis, begin, end):
        return as_doubles(slices(self.on_host(result), axis, begin, end))

    def mean(self, result):
        return float(numpy.mean(numpy.abs(self.on_host(result)), dtype=numpy.float64))

    def on_host(self, result):
        return result.copy_to_host() if hasattr(result, "copy_to_host") else numpy.asarray(result)

    def release(self):
        pass


TYPES = {"float32": numpy.float32, "uint8": numpy.uint8}


def of_elements(text):
    """In a loop's body an element of a0 is v_a0."""
    return re.sub(r"\ba(\d+)\b", r"v_a\1", text)


def indented(lines, by):
    return "".join(" " * by + each + "\n" for each in lines)
