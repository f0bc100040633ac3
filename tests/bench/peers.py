#!/usr/bin/env python3
"""x+x+x+x+x on 1e8 floats with CuPy, PyTorch and JAX, where they are installed: what else a user could choose.

Measured as kiln is in gpu_bandwidth: groups of calls between two CUDA events, over several arrays that hold more than
the caches do, all contenders taking turns, medians. JAX shows no stream of its own, so it is timed by the host's clock
over groups long enough for that not to matter. Each drops its last result before it makes the next, so that its pool has
the memory at hand.

    peers.py [--json FILE] [--elements N] [--rounds N] [--seconds LIMIT]
"""
import argparse
import datetime
import importlib
import json
import os
import signal
import statistics
import sys
import time

SETS = 3
GROUP = 6


def module(name):
    """The module, or None where it is not installed or does not load."""
    try:
        return importlib.import_module(name)
    except Exception as trouble:  # a broken installation is as good as none
        print(f"peers: no {name}: {trouble.__class__.__name__}: {trouble}".splitlines()[0])
        return None


def cupy_contenders(elements):
    cupy = module("cupy")
    if cupy is None:
        return
    xs = [cupy.arange(elements, dtype=cupy.float32) for _ in range(SETS)]
    ys = [cupy.empty_like(x) for x in xs]
    @cupy.fuse()
    def fused(x):  # a name: it becomes the kernel's
        return x + x + x + x + x

    start, stop = cupy.cuda.Event(), cupy.cuda.Event()

    def timed(call):
        def measure():
            call(0)
            start.record()
            for i in range(GROUP):
                call(i % SETS)
            stop.record()
            stop.synchronize()
            return cupy.cuda.get_elapsed_time(start, stop) * 1e3 / GROUP
        return measure

    def copy(i):
        cupy.cuda.runtime.memcpyAsync(ys[i].data.ptr, xs[i].data.ptr, xs[i].nbytes,
                                      cupy.cuda.runtime.memcpyDeviceToDevice, cupy.cuda.get_current_stream().ptr)

    def fuse(i):
        ys[i] = None
        ys[i] = fused(xs[i])

    yield "copy, device to device (CuPy's cudaMemcpyAsync)", timed(copy)
    yield f"cupy.fuse {cupy.__version__}", timed(fuse)


def torch_contenders(elements):
    torch = module("torch")
    if torch is None or not torch.cuda.is_available():
        return
    xs = [torch.arange(elements, dtype=torch.float32, device="cuda") for _ in range(SETS)]
    ys = [torch.empty_like(x) for x in xs]
    start, stop = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)

    def timed(call):
        def measure():
            call(0)
            start.record()
            for i in range(GROUP):
                call(i % SETS)
            stop.record()
            stop.synchronize()
            return start.elapsed_time(stop) * 1e3 / GROUP
        return measure

    def eager(i):
        ys[i] = None
        x = xs[i]
        ys[i] = x + x + x + x + x

    yield f"PyTorch {torch.__version__} eager", timed(eager)
    compiled = torch.compile(lambda x: x + x + x + x + x)

    def run_compiled(i):
        ys[i] = None
        ys[i] = compiled(xs[i])

    try:
        run_compiled(0)
        yield f"PyTorch {torch.__version__} torch.compile", timed(run_compiled)
    except Exception as trouble:  # it needs a working C compiler and Triton
        print(f"peers: no torch.compile: {trouble}".splitlines()[0])


def jax_contenders(elements):
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # or the other two find no memory left
    jax = module("jax")
    if jax is None or jax.default_backend() != "gpu":
        return
    xs = [jax.numpy.arange(elements, dtype=jax.numpy.float32) + i for i in range(SETS)]
    five = jax.jit(lambda x: x + x + x + x + x)
    five(xs[0]).block_until_ready()

    def measure():
        results = []
        begin = time.perf_counter()
        for i in range(SETS * GROUP):
            results = results[-1:] + [five(xs[i % SETS])]
        results[-1].block_until_ready()
        return (time.perf_counter() - begin) * 1e6 / (SETS * GROUP)

    yield f"JAX {jax.__version__} jit", measure


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
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seconds", type=int, default=60)
    given = parser.parse_args()

    class OutOfTime(BaseException):  # no library's "except Exception" may swallow it
        pass

    def out_of_time(*_):
        raise OutOfTime

    signal.signal(signal.SIGALRM, out_of_time)
    signal.alarm(given.seconds)
    contenders, values = [], {}
    try:
        for family in (cupy_contenders, torch_contenders, jax_contenders):
            contenders.extend(family(given.elements))
        for _, measure in contenders:
            measure()
        for turn in range(given.rounds):
            for i in range(len(contenders)):
                name, measure = contenders[(turn + i) % len(contenders)]
                values.setdefault(name, []).append(measure())
    except OutOfTime:
        print(f"peers: stopped after {given.seconds} s")
    signal.alarm(0)

    figures = []
    for name, measured in values.items():
        figures.append({"what": name, "unit": "us",
                        "value": {"median": statistics.median(measured), "low": min(measured), "high": max(measured)}})
        print(f"  {name:<50} {statistics.median(measured):9.1f} us   {min(measured):.1f} .. {max(measured):.1f}")
    if not figures:
        print("peers: nothing to compare with here")
    elif given.json:
        date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        merge(given.json, {"subject": f"x+x+x+x+x on {given.elements} floats", "date": date, "figures": figures})
    # A framework may hang in its exit handlers after an alarm; what was measured is written.
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
