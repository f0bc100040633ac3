"""Whether results are right: parts of them, and at small sizes all of them, against NumPy in double."""
import math

import numpy

from description import bind
from libraries import values
from libraries.arrays import as_doubles
from libraries.with_numpy import Reference, in_double

PART = 200_000  # elements of the largest input or result, of each of three parts


def parts(workload, inputs, results):
    """Where the result is looked at along its axis: at both ends and in the middle, or everywhere; None: as a whole."""
    if workload.split is None:
        return [None]
    halved = [(each, axis) for each, axis in zip(inputs, workload.split) if axis is not None]
    whole, axis = max(halved, key=lambda each: each[0].size)
    count = whole.shape[axis] - workload.halo
    # A product of few inputs may be large: results count too.
    across = max([whole.size // whole.shape[axis]] + [math.prod(shape) // count for shape in results])
    length = max(1, PART // across)
    if count <= 3 * length:
        return [(0, count)]
    return [(begin, begin + length) for begin in (0, (count - length) // 2, count - length)]


def reference(workload, inputs, where):
    """The results there, each as doubles."""
    arrays = []
    for i, each in enumerate(inputs):
        axis = workload.split[i] if workload.split else None
        if where is None or axis is None:
            made = values.whole(each)
        else:
            made = values.part(each, axis, where[0], where[1] + workload.halo)
        arrays.append(in_double(made))
    with numpy.errstate(all="ignore"):
        results = bind(workload.function, Reference())(*arrays)
    return [as_doubles(each) for each in (results if isinstance(results, tuple) else (results,))]


def difference(workload, got, wanted):
    """What is wrong, or nothing."""
    if got.shape != wanted.shape:
        return f"{got.size} elements where there should be {wanted.size}"
    if not wanted.size:
        return ""
    largest = float(numpy.nanmax(numpy.abs(wanted)))
    same = (got == wanted) | (numpy.isnan(got) & numpy.isnan(wanted))
    apart = numpy.where(same, 0.0, numpy.abs(got - wanted))
    off = ~(apart <= workload.tolerance * largest)  # NaN is off
    share = float(numpy.mean(off))
    if share <= workload.share:
        return ""
    first = int(numpy.argmax(off))
    return (f"{100 * share:.3g}% of {wanted.size} elements are off, element {first} is {got[first]:.9g} and should be "
            f"{wanted[first]:.9g}")


# Elements this much smaller than the largest say little: what they are made of may have cancelled out.
NOT_SMALL = 1e-3


def units_off(dtype, got, wanted):
    """How far the farthest element is from the truth, in units of its own last place; None where elements have none."""
    bits = {"float16": 11, "bfloat16": 8, "float32": 24, "complex64": 24, "float64": 53}.get(dtype)
    if bits is None or got.shape != wanted.shape or not wanted.size:
        return None
    size = numpy.abs(wanted)
    finite = numpy.isfinite(wanted) & numpy.isfinite(got)
    if not finite.any():
        return None
    looked_at = finite & (size >= NOT_SMALL * size[finite].max()) & (size > 0)
    if not looked_at.any():
        return None
    last_place = numpy.exp2(numpy.floor(numpy.log2(size[looked_at])) + 1 - bits)
    return float(numpy.max(numpy.abs(got[looked_at] - wanted[looked_at]) / last_place))


def disagreements(workload, inputs, results, contenders, kinds=(), errors=None):
    """Of each contender's name, what is wrong with its results, which have these shapes. A contender has outputs(), part()
    and mean(). Into `errors`, of each name: units_off() of results of these kinds."""
    wrong = {}

    def note(contender, text):
        if text:
            wrong.setdefault(contender.name, text)

    for where in parts(workload, inputs, results):
        wanted = reference(workload, inputs, where)
        begin, end = where or (0, None)
        for contender in contenders:
            count = contender.outputs()
            if count != len(wanted):
                note(contender, f"{count} results where there should be {len(wanted)}")
                continue
            for i, each in enumerate(wanted):
                got = contender.part(i, workload.out_axis, begin, end)
                note(contender, difference(workload, got, each))
                off = units_off(kinds[i], got, each) if i < len(kinds) else None
                if errors is not None and off is not None:
                    errors[contender.name] = max(off, errors.get(contender.name, 0.0))
    # What was not looked at element by element: its mean magnitude, which most should agree on.
    if workload.split is not None:
        allowed = workload.tolerance + workload.share + 1e-6
        for i in range(max((each.outputs() for each in contenders), default=0)):
            means = {each: each.mean(i) for each in contenders if each.name not in wrong and i < each.outputs()}
            middle = float(numpy.median(list(means.values()))) if means else 0.0
            for contender, mean in means.items():
                if not abs(mean - middle) <= allowed * abs(middle):
                    note(contender, f"the mean magnitude of result {i} is {mean:.9g}, others have {middle:.9g}")
    return wrong
