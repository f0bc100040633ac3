"""What a workload is: arrays described by formulas, a function of them, and what its result must be near to.

An input is described, not stored, so that every contender makes the same bits where it needs them. Element i is
low + ((i * step + start) mod cycle) * scale, in double, rounded to float32 and then to the type."""
import dataclasses
import math
import re
import types

BYTES = {"bool": 1, "uint8": 1, "float16": 2, "bfloat16": 2, "float32": 4, "int32": 4, "int64": 8, "float64": 8,
         "complex64": 8}


@dataclasses.dataclass(frozen=True)
class Input:
    dtype: str
    shape: tuple
    step: int
    cycle: int
    low: float = 0.0
    high: float = 1.0
    start: int = 0

    @property
    def size(self):
        return math.prod(self.shape)

    @property
    def bytes(self):
        return self.size * BYTES[self.dtype]

    @property
    def scale(self):
        return (self.high - self.low) / self.cycle

    def line(self):
        """As kiln's program reads it."""
        shape = ",".join(str(each) for each in self.shape)
        return f"{self.dtype} {shape} {self.step} {self.start} {self.cycle} {self.low!r} {self.scale!r}"


class Size:
    """How large a workload is: its full size on a GPU, times a scale."""

    def __init__(self, scale):
        self.scale = scale

    def elements(self, count, multiple=4, least=64):
        """Of what is proportional to the work; a multiple, as the hand-written kernels want it."""
        return max(least, round(count * self.scale / multiple) * multiple)

    def fixed(self, count):
        """Of one that stays, but where hardly anything is to be computed at all."""
        return count if self.scale > 0.01 else max(8, count // 16)

    def edge(self, count, multiple=4, least=32):
        """Of one of two extents that both shrink."""
        return max(least, round(count * math.sqrt(self.scale) / multiple) * multiple)


@dataclasses.dataclass(frozen=True)
class Workload:
    name: str      # the function's, and kiln's name for it
    title: str     # in tables
    kind: str
    function: types.FunctionType
    inputs: types.FunctionType  # of a Size, a list of Input
    # The axis of each input along which the result falls apart into independent parts (None: all of it is needed), and
    # that axis of the results. Without: the result is checked as a whole.
    split: tuple = None
    out_axis: int = 0
    halo: int = 0  # what a part of a split input has more elements than the part of the result
    # Off by more than `tolerance` times the largest magnitude may be at most `share` of the elements.
    tolerance: float = 1e-5
    share: float = 0.0
    small: bool = False  # bound by launches, not by memory: in the caches on purpose
    # Where arithmetic takes the time and peers take less of it than kiln's promise allows: kiln's option that allows it the same. "fma":
    # they fuse a product and a sum into one rounding; "fast_math": their functions are the device's approximations, too. kiln is
    # measured both ways.
    option: str = ""


ALL = []


def workload(title, kind, inputs, **more):
    def register(function):
        ALL.append(Workload(function.__name__, title, kind, function, inputs, **more))
        return function
    return register


def chosen(pattern):
    return [each for each in ALL if re.search(pattern, each.name)]


def bind(function, namespace):
    """The same function, and those of its module that it calls, with `namespace` as xp."""
    scope = dict(function.__globals__, xp=namespace)
    for name, each in function.__globals__.items():
        if isinstance(each, types.FunctionType) and each.__globals__ is function.__globals__:
            scope[name] = types.FunctionType(each.__code__, scope, name, each.__defaults__, each.__closure__)
    return scope[function.__name__]
