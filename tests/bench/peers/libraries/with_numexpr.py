import os

import numexpr
import numpy

from symbols import numexpr_texts, trace

from . import Unable, values, with_numpy


class Library(with_numpy.Library):
    name = "numexpr"

    def __init__(self, device):
        super().__init__(device)
        numexpr.set_num_threads(len(os.sched_getaffinity(0)))
        self.versions = {"numexpr": numexpr.__version__}

    def make(self, of):
        if of.dtype in ("bfloat16", "float16"):
            raise TypeError(f"no {of.dtype}")
        return values.whole(of)

    def ways(self):
        return ["numexpr"]

    def plan(self, way, workload, inputs):
        traced = trace(workload, inputs)
        if traced.why:
            raise Unable("takes element-wise expressions only: " + traced.why)
        kinds = {each.dtype for each in inputs}
        if "uint8" in kinds:
            raise Unable("has no bytes, and no casts")
        if traced.reduction and traced.order and "float32" in kinds:
            raise Unable("adds up float32 as float32, one after the other: 0.4% off")
        # Its own numbers are doubles, and would make doubles of floats.
        number = numpy.float64 if "float64" in kinds else numpy.float32
        numbers = {}

        def constant(value):
            name = f"c{len(numbers)}"
            numbers[name] = number(value)
            return name
        texts = numexpr_texts(traced, constant)

        def start(arrays):
            scope = dict(zip(traced.parameters(), traced.leaves(arrays)), **numbers)
            if not traced.reduction:
                if len(texts) == 1:
                    return lambda: numexpr.evaluate(texts[0], scope)
                return lambda: tuple(numexpr.evaluate(each, scope) for each in texts)
            # A sum of everything is the one reduction that it has beside functions of elements.
            share = 1 / arrays[0].size if traced.reduction == "mean" else 1
            return lambda: numexpr.evaluate(f"sum({texts[0]})", scope) * share
        return start
