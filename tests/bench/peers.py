#!/usr/bin/env python3
"""The benchmarks' programs with CuPy, PyTorch and JAX, where they are installed: what else a user could choose.

Measured as kiln is in gpu_bandwidth and gpu_elementwise: groups of calls between two CUDA events, over arrays that hold
more than the caches do, all contenders of a program taking turns, medians. JAX shows no stream of its own, so it is timed
by the host's clock over groups long enough for that not to matter. Each drops its last result before it makes the next,
so that its pool has the memory at hand.

    peers.py [--json FILE] [--elements N] [--edge N] [--rounds N] [--seconds LIMIT] [--only TEXT]
"""
import argparse
import datetime
import functools
import importlib
import json
import os
import signal
import statistics
import sys
import time

SETS = 3
GROUP = 6


@functools.lru_cache(maxsize=None)  # says once what is missing
def module(name):
    """The module, or None where it is not installed or does not load."""
    try:
        return importlib.import_module(name)
    except Exception as trouble:  # a broken installation is as good as none
        print(f"peers: no {name}: {trouble.__class__.__name__}: {trouble}".splitlines()[0])
        return None


# --- The programs: functions of arrays, in what the libraries have in common ------------------------------------------

class Program:
    """`inputs(library, i)`: the arguments of the i-th of `sets` calls. `compute(library, *arguments)`: the result."""

    def __init__(self, name, inputs, compute, sets=SETS):
        self.name, self.inputs, self.compute, self.sets = name, inputs, compute, sets


def spread(library, count, step, cycle, low, high):
    return (library.arange(count, "int64") * step % cycle * ((high - low) / cycle) + low).astype("float32")


def black_scholes(library, s, strike, t):
    rate, volatility = 0.02, 0.3
    root = library.sqrt(t)
    d1 = (library.log(s / strike) + (rate + 0.5 * volatility * volatility) * t) / (volatility * root)
    n1, n2 = library.ndtr(d1), library.ndtr(d1 - volatility * root)
    discounted = strike * library.exp(-rate * t)
    return s * n1 - discounted * n2


def programs(elements, edge):
    options = elements * 67_108_864 // 100_000_000
    layers = elements // 40_000

    def table(library, _):
        return (library.arange(20_000, "float64").reshape(4000, 5),
                library.arange(layers * 20_000, "float64").reshape(layers, 4000, 5))

    def matrix(library, _):
        return (library.arange(edge * edge, "float32").reshape(edge, edge),)

    def row_and_column(library, _):
        return (library.arange(edge, "float32").reshape(1, edge), library.arange(edge, "float32").reshape(edge, 1),
                *matrix(library, 0))

    def market(library, _):
        return (spread(library, options, 7919, 10007, 5, 30), spread(library, options, 104729, 9973, 1, 100),
                spread(library, options, 1299709, 9967, 0.25, 10))

    return [
        Program("x+x+x+x+x", lambda library, i: (library.arange(elements, "float32") + i,),
                lambda library, x: x + x + x + x + x),
        Program(f"(4000,5) x ({layers},4000,5) doubles", table, lambda library, a, b: a * b, 1),
        Program("row + column + matrix", row_and_column, lambda library, r, c, m: r + c + m, 1),
        Program("m + transpose(m)", matrix, lambda library, m: m + m.T, 1),
        Program("Black-Scholes", market, black_scholes, 1),
    ]


# --- The libraries, each with arange, astype by name, and the functions that programs call ----------------------------

class Cupy:
    def __init__(self, cupy):
        self.cupy = cupy
        self.exp, self.log, self.sqrt = cupy.exp, cupy.log, cupy.sqrt

    def arange(self, count, dtype):
        return self.cupy.arange(count, dtype=dtype)

    def ndtr(self, x):
        return importlib.import_module("cupyx.scipy.special").ndtr(x)


class Torch:
    def __init__(self, torch):
        self.torch = torch
        self.exp, self.log, self.sqrt, self.ndtr = torch.exp, torch.log, torch.sqrt, torch.special.ndtr
        torch.Tensor.astype = lambda tensor, dtype: tensor.to(getattr(torch, dtype))

    def arange(self, count, dtype):
        return self.torch.arange(count, dtype=getattr(self.torch, dtype), device="cuda")


class Jax:
    def __init__(self, jax):
        self.numpy = jax.numpy
        self.exp, self.log, self.sqrt = jax.numpy.exp, jax.numpy.log, jax.numpy.sqrt
        self.ndtr = importlib.import_module("jax.scipy.special").ndtr

    def arange(self, count, dtype):
        return self.numpy.arange(count, dtype=dtype)


def event_timer(start, stop, elapsed_ms, call):
    """Microseconds per call, between two events; the one call ahead keeps the device busy while the others are queued."""
    def measure():
        call(0)
        start.record()
        for i in range(GROUP):
            call(i)
        stop.record()
        stop.synchronize()
        return elapsed_ms(start, stop) * 1e3 / GROUP
    return measure


def tried(name, measure):
    """The contender, after one call that may say that it cannot: not every compiler takes every program."""
    try:
        measure()
        yield name, measure
    except Exception as trouble:
        print(f"peers: no {name}: {trouble.__class__.__name__}: {trouble}".splitlines()[0][:160])


def repeated(function, inputs):
    """The i-th call of function, whose last result has gone by then."""
    results = [None] * len(inputs)

    def call(i):
        results[i % len(inputs)] = None
        results[i % len(inputs)] = function(*inputs[i % len(inputs)])
    return call


def cupy_contenders(program):
    cupy = module("cupy")
    if cupy is None:
        return
    cupy.get_default_memory_pool().free_all_blocks()
    library = Cupy(cupy)
    inputs = [program.inputs(library, i) for i in range(program.sets)]
    start, stop = cupy.cuda.Event(), cupy.cuda.Event()

    def timed(call):
        return event_timer(start, stop, cupy.cuda.get_elapsed_time, call)

    if program.name == "x+x+x+x+x":
        outputs = [cupy.empty_like(x) for x, in inputs]

        def copy(i):
            to, (source,) = outputs[i % SETS], inputs[i % SETS]
            cupy.cuda.runtime.memcpyAsync(to.data.ptr, source.data.ptr, source.nbytes,
                                          cupy.cuda.runtime.memcpyDeviceToDevice, cupy.cuda.get_current_stream().ptr)
        yield "copy, device to device (CuPy's cudaMemcpyAsync)", timed(copy)
    eager = lambda *arguments: program.compute(library, *arguments)  # noqa: E731
    yield from tried(f"CuPy {cupy.__version__} eager", timed(repeated(eager, inputs)))
    # Fusion sees elementwise functions only: what a program transposes is transposed before. A function's name becomes
    # the kernel's, so it is no lambda.
    if program.name == "m + transpose(m)":
        @cupy.fuse()
        def fused(m, transposed):
            return m + transposed
        call = repeated(lambda m: fused(m, m.T), inputs)
    else:
        # CuPy reads the number of arguments from the signature.
        count = len(inputs[0])
        if count == 1:
            @cupy.fuse()
            def fused(a):
                return program.compute(library, a)
        elif count == 2:
            @cupy.fuse()
            def fused(a, b):
                return program.compute(library, a, b)
        else:
            @cupy.fuse()
            def fused(a, b, c):
                return program.compute(library, a, b, c)
        call = repeated(fused, inputs)
    yield from tried(f"cupy.fuse {cupy.__version__}", timed(call))


def torch_contenders(program):
    torch = module("torch")
    if torch is None or not torch.cuda.is_available():
        return
    torch.cuda.empty_cache()
    library = Torch(torch)
    inputs = [program.inputs(library, i) for i in range(program.sets)]
    start, stop = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)

    def timed(call):
        return event_timer(start, stop, lambda a, b: a.elapsed_time(b), call)

    eager = lambda *arguments: program.compute(library, *arguments)  # noqa: E731
    yield from tried(f"PyTorch {torch.__version__} eager", timed(repeated(eager, inputs)))
    compiled = torch.compile(eager)  # needs a working C compiler and Triton
    yield from tried(f"PyTorch {torch.__version__} torch.compile", timed(repeated(compiled, inputs)))


def jax_contenders(program):
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # or the other two find no memory left
    jax = module("jax")
    if jax is None or jax.default_backend() != "gpu":
        return
    jax.config.update("jax_enable_x64", True)
    library = Jax(jax)
    inputs = [program.inputs(library, i) for i in range(program.sets)]
    compiled = jax.jit(lambda *arguments: program.compute(library, *arguments))

    def measure():
        count = SETS * GROUP
        result = jax.block_until_ready(compiled(*inputs[0]))
        begin = time.perf_counter()
        for i in range(count):
            result = compiled(*inputs[i % len(inputs)])
        jax.block_until_ready(result)
        return (time.perf_counter() - begin) * 1e6 / count

    yield from tried(f"JAX {jax.__version__} jit", measure)


def merge(file, program):
    """Adds this program's figures to those that the others wrote."""
    try:
        with open(file, encoding="utf-8") as stream:
            content = json.load(stream)
    except (OSError, ValueError):
        content = {}
    content.setdefault("programs", {})["peers"] = program
    with open(file + ".new", "w", encoding="utf-8") as stream:
        json.dump(content, stream, indent=2)
        stream.write("\n")
    os.replace(file + ".new", file)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json")
    parser.add_argument("--elements", type=int, default=100_000_000)
    parser.add_argument("--edge", type=int, default=8192)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seconds", type=int, default=100)
    parser.add_argument("--only", default="")
    given = parser.parse_args()

    class OutOfTime(BaseException):  # no library's "except Exception" may swallow it
        pass

    def out_of_time(*_):
        raise OutOfTime

    signal.signal(signal.SIGALRM, out_of_time)
    signal.alarm(given.seconds)
    values = {}
    try:
        for program in programs(given.elements, given.edge):
            if given.only not in program.name:
                continue
            contenders = []
            for family in (cupy_contenders, torch_contenders, jax_contenders):
                try:
                    contenders.extend(family(program))
                except Exception as trouble:  # no memory, a function that is not there: the others may still run
                    print(f"peers: {program.name}: {trouble.__class__.__name__}: {trouble}".splitlines()[0][:160])
            for turn in range(given.rounds):
                for i in range(len(contenders)):
                    name, measure = contenders[(turn + i) % len(contenders)]
                    values.setdefault((program.name, name), []).append(measure())
    except OutOfTime:
        print(f"peers: stopped after {given.seconds} s")
    signal.alarm(0)

    figures = []
    for (program_name, name), measured in values.items():
        what = f"{program_name}: {name}"
        figures.append({"what": what, "unit": "us",
                        "value": {"median": statistics.median(measured), "low": min(measured), "high": max(measured)}})
        print(f"  {what:<70} {statistics.median(measured):9.1f} us   {min(measured):.1f} .. {max(measured):.1f}")
    if not figures:
        print("peers: nothing to compare with here")
    elif given.json:
        date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        merge(given.json, {"subject": f"{given.elements} floats, matrices of {given.edge} x {given.edge}", "date": date,
                           "figures": figures})
    # A framework may hang in its exit handlers after an alarm; what was measured is written.
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
