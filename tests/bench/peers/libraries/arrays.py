"""What libraries that follow NumPy's names have in common: NumPy, CuPy, JAX."""
import numpy


NAMES = """exp log log1p sqrt abs tanh sin cos arcsin arctan2 where maximum minimum rint power real imag sum mean max
var argmax argmin cumsum roll transpose"""


class Namespace:
    """xp of the workloads, in a module like NumPy. `special` has erf and ndtr."""

    def __init__(self, module, special):
        self.module, self.special = module, special
        for name in NAMES.split():
            setattr(self, name, getattr(module, name))

    def erf(self, x):
        return self.special.erf(x)

    def ndtr(self, x):
        return self.special.ndtr(x)

    def astype(self, x, dtype):
        return x.astype(dtype)

    def arange(self, count, dtype):
        return self.module.arange(count, dtype=dtype)


def as_doubles(x):
    """A NumPy array of any type as doubles, complex numbers as pairs."""
    x = numpy.asarray(x)
    if x.dtype.kind == "c":
        x = numpy.stack([x.real, x.imag], axis=-1)
    return x.astype(numpy.float64).reshape(-1)


def slices(result, axis, begin, end):
    """Positions [begin, end) along an axis; all of a number."""
    if result.ndim == 0:
        return result
    return result[(slice(None),) * axis + (slice(begin, end),)]
