"""The libraries, each with the ways in which it can compute a workload.

A library has `name` and `versions`; `ways()` are the names of its ways. `plan(way, workload, inputs)`, of descriptions,
is a function of arrays, which `make(input)` gives; what that returns starts one computation and returns its results.
`wait(results)` returns when they are there; `part(result, axis, begin, end)` gives doubles as a NumPy array,
`mean(result)` the mean of magnitudes, `release()` gives memory back. What a way cannot compute is an exception, whose
text is the reason that the JSON file has for it."""
import importlib
import re

NAMES = {"cuda": ["with_cupy", "with_torch", "with_jax", "with_numba", "with_drjit"],
         "cpu": ["with_numpy", "with_numexpr", "with_numba", "with_torch", "with_jax", "with_drjit"]}


class Unable(Exception):
    """This library has no way to say it."""


def find(device, pattern=""):
    """Of the libraries whose names match, those that load here, and why others do not."""
    found, missing = [], {}
    for name in NAMES[device]:
        if not re.search(pattern, name.removeprefix("with_")):
            continue
        try:
            found.append(importlib.import_module(f"libraries.{name}").Library(device))
        except Exception as trouble:  # a broken installation is as good as none
            missing[name.removeprefix("with_")] = f"{type(trouble).__name__}: {trouble}".splitlines()[0][:200]
    return found, missing
