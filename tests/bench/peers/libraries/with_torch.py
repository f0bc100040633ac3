import torch

from description import bind
from symbols import cpp_source, trace

from . import Unable, values
from .arrays import as_doubles, slices


class Namespace:
    """xp of the workloads, in PyTorch's names."""
    exp, log, log1p, sqrt, abs, tanh = torch.exp, torch.log, torch.log1p, torch.sqrt, torch.abs, torch.tanh
    sin, cos, arcsin, arctan2 = torch.sin, torch.cos, torch.asin, torch.atan2
    erf, ndtr, rint, power, where = torch.special.erf, torch.special.ndtr, torch.round, torch.pow, torch.where
    real, imag = torch.real, torch.imag

    def __init__(self, device):
        self.device = device

    def sum(self, x, axis=None, keepdims=False):
        return torch.sum(x) if axis is None else torch.sum(x, dim=axis, keepdim=keepdims)

    def mean(self, x, axis=None, keepdims=False):
        return torch.mean(x) if axis is None else torch.mean(x, dim=axis, keepdim=keepdims)

    def max(self, x, axis=None, keepdims=False):
        return torch.amax(x) if axis is None else torch.amax(x, dim=axis, keepdim=keepdims)

    def var(self, x):
        return torch.var(x, correction=0)

    def argmax(self, x, axis=None):
        return torch.argmax(x, dim=axis)

    def argmin(self, x, axis=None):
        return torch.argmin(x, dim=axis)

    def cumsum(self, x, axis):
        return torch.cumsum(x, dim=axis)

    def roll(self, x, by, axis):
        return torch.roll(x, by, axis)

    def transpose(self, x):
        return x.T

    def maximum(self, x, y):
        return torch.clamp(x, min=y) if isinstance(y, (int, float)) else torch.maximum(x, y)

    def minimum(self, x, y):
        return torch.clamp(x, max=y) if isinstance(y, (int, float)) else torch.minimum(x, y)

    def astype(self, x, dtype):
        return x.to(getattr(torch, dtype))

    def arange(self, count, dtype):
        return torch.arange(count, dtype=getattr(torch, dtype), device=self.device)


class Library:
    name = "PyTorch"

    def __init__(self, device):
        if device == "cuda" and not torch.cuda.is_available():
            raise RuntimeError("sees no GPU")
        self.device = device
        self.versions = {"torch": torch.__version__}
        self.namespace = Namespace(device)
        torch.set_grad_enabled(False)
        # Not TF32, in no contender: products of float32 are those of float32.
        torch.backends.cuda.matmul.allow_tf32 = False

    def make(self, of):
        some = torch.from_numpy(values.cycle(of)).to(self.device)
        if of.dtype == "bfloat16":
            some = some.to(torch.bfloat16)
        if len(some) < of.size:
            some = some.repeat(-(-of.size // len(some)))[:of.size].clone()
        return some.reshape(of.shape)

    def ways(self):
        return ["PyTorch", "jiterator", "torch.compile"] if self.device == "cuda" else ["PyTorch", "torch.compile"]

    def plan(self, way, workload, inputs):
        compute = bind(workload.function, self.namespace)
        if way == "jiterator":
            return self.jitted(workload, inputs)
        if way == "torch.compile":
            torch._dynamo.reset()  # or the cache of one code object grows past its limit
            # A launch-bound step is what CUDA graphs are for, and torch.compile can make one.
            mode = "reduce-overhead" if workload.small and self.device == "cuda" else "default"
            compute = torch.compile(compute, dynamic=False, fullgraph=True, mode=mode)
        return lambda arrays: lambda: compute(*arrays)

    def jitted(self, workload, inputs):
        traced = trace(workload, inputs)
        if not traced.elementwise:
            raise Unable("takes element-wise functions only: " + traced.why)
        if len(traced.parameters()) > 8:
            raise Unable("takes 8 inputs")
        kinds = {each.dtype for each in inputs} | traced.casts()
        if len(kinds) > 1 or "complex64" in kinds:
            raise Unable("takes real inputs of one type")
        source = cpp_source(traced)
        from torch.cuda import jiterator
        if len(traced.roots) == 1:
            call = jiterator._create_jit_fn(source)
        else:
            call = jiterator._create_multi_output_jit_fn(source, len(traced.roots))

        def start(arrays):
            leaves = traced.leaves(arrays)
            return lambda: call(*leaves)
        return start

    def wait(self, results):
        if self.device == "cuda":
            torch.cuda.synchronize()

    def part(self, result, axis, begin, end):
        some = slices(result, axis, begin, end)
        if some.dtype in (torch.bfloat16, torch.float16):
            some = some.float()
        return as_doubles(some.cpu().numpy())

    def mean(self, result):
        return float(result.abs().mean(dtype=torch.float64))

    def release(self):
        torch._dynamo.reset()
        if self.device == "cuda":
            torch.cuda.empty_cache()
