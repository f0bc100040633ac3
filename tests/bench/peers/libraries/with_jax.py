import os

# Else JAX takes three quarters of the GPU's memory, and the others find none.
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import jax.scipy.special  # noqa: E402

from description import bind  # noqa: E402

from . import shared, values  # noqa: E402
from .arrays import Namespace, as_doubles, slices  # noqa: E402


class Library:
    name = "JAX"

    def __init__(self, device):
        jax.config.update("jax_enable_x64", True)
        if device == "cpu":
            jax.config.update("jax_platforms", "cpu")
        elif jax.default_backend() != "gpu":
            raise RuntimeError("sees no GPU")
        self.device = device
        self.versions = {"jax": jax.__version__}
        self.namespace = Namespace(jnp, jax.scipy.special)

    def make(self, of):
        if self.device == "cuda":
            theirs = shared.on_gpu(of)
            try:
                if theirs is not None:
                    return jnp.from_dlpack(theirs)
            except Exception:  # a type that is not exchanged: its own, which is a compile for each shape
                pass
        some = jnp.asarray(values.cycle(of))
        if of.dtype == "bfloat16":
            some = some.astype(jnp.bfloat16)
        return jnp.resize(some, of.size).reshape(of.shape) if len(some) < of.size else some.reshape(of.shape)

    def ways(self):
        return ["JAX jit"]

    def plan(self, way, workload, inputs):
        compute = jax.jit(bind(workload.function, self.namespace))
        return lambda arrays: lambda: compute(*arrays)

    def wait(self, results):
        jax.block_until_ready(results)

    def part(self, result, axis, begin, end):
        some = slices(result, axis, begin, end)
        return as_doubles(some.astype(jnp.float32) if some.dtype in (jnp.bfloat16, jnp.float16) else some)

    def mean(self, result):
        return float(jnp.mean(jnp.abs(result).astype(jnp.float64)))

    def release(self):
        pass
