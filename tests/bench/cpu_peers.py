#!/usr/bin/env python3
"""cpu_elementwise's programs with numexpr, on as many threads, taking turns with it: each round starts that program and
then measures numexpr. The program's least and numexpr's least time are compared, since either may meet a busy machine.

    cpu_peers.py BUILD/bench/cpu_elementwise [--elements N] [--edge N] [--rounds N] [--threads N] [--json FILE]
"""
import argparse
import datetime
import json
import os
import subprocess
import sys
import tempfile
import time

TURNS = 3


def kiln_times(program, given):
    """Of each row, the least time in ms."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "figures.json")
        subprocess.run([program, "--elements", str(given.elements), "--edge", str(given.edge), "--rounds",
                        str(given.rounds), "--json", file], check=True, stdout=subprocess.DEVNULL)
        with open(file, encoding="utf-8") as stream:
            figures = json.load(stream)["programs"]["cpu_elementwise"]["figures"]
    return {figure["what"]: figure["value"]["low"] for figure in figures}


def programs(numpy, numexpr, given):
    """Name and a call that computes it into memory that is there."""
    elements, edge = given.elements, given.edge
    a = numpy.arange(elements, dtype=numpy.float32)
    b = a + 3
    y = numpy.empty_like(a)
    yield "x + y", lambda: numexpr.evaluate("a + b", {"a": a, "b": b}, out=y)

    c, d = a.astype(numpy.float64), b.astype(numpy.float64)
    z = numpy.empty_like(c)
    yield "x + y, double", lambda: numexpr.evaluate("c + d", {"c": c, "d": d}, out=z)
    n = numpy.arange(elements, dtype=numpy.int32)
    yield "int32 * double", lambda: numexpr.evaluate("n * d", {"n": n, "d": d}, out=z)

    m = numpy.arange(edge * edge, dtype=numpy.float32).reshape(edge, edge)
    to = numpy.empty_like(m)
    row, column = m[:1], m[:, :1].copy()
    yield "row + column + matrix", lambda: numexpr.evaluate("r + c + m", {"r": row, "c": column, "m": m}, out=to)
    yield "m + transpose(m)", lambda: numexpr.evaluate("m + t", {"m": m, "t": m.T}, out=to)

    # Neighbours as views of an array with a border, which is not timed.
    padded = numpy.pad(m, 1, mode="edge")
    views = {"up": padded[:-2, 1:-1], "down": padded[2:, 1:-1], "left": padded[1:-1, :-2], "right": padded[1:-1, 2:],
             "m": m, "four": numpy.float32(4)}
    yield "5-point stencil", lambda: numexpr.evaluate("up + down + left + right - four * m", views, out=to)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--elements", type=int, default=33_554_432)
    parser.add_argument("--edge", type=int, default=4096)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--json")
    given = parser.parse_args()
    os.environ["NUMEXPR_MAX_THREADS"] = str(given.threads)
    try:
        import numexpr
        import numpy
    except ImportError as trouble:
        print(f"cpu_peers: not measured: {trouble} (pip install numexpr)")
        return 0
    numexpr.set_num_threads(given.threads)

    least = {}
    for _ in range(TURNS):
        for name, ms in kiln_times(given.program, given).items():
            least[name, "kiln"] = min(ms, least.get((name, "kiln"), ms))
        for name, call in programs(numpy, numexpr, given):
            call()
            for _ in range(given.rounds):
                begin = time.perf_counter()
                call()
                ms = (time.perf_counter() - begin) * 1e3
                least[name, "numexpr"] = min(ms, least.get((name, "numexpr"), ms))

    print(f"cpu_peers: numexpr {numexpr.__version__}, {given.threads} threads; {given.elements} elements, matrices of "
          f"{given.edge} x {given.edge}")
    figures = []
    for (name, whose), ms in least.items():
        if whose != "numexpr" or (name, "kiln") not in least:
            continue
        ours = least[name, "kiln"]
        print(f"  {name:<24} kiln {ours:8.2f} ms   numexpr {ms:8.2f} ms   {ours / ms:.3f} x numexpr"
              f"   {'ok' if ours <= ms else 'MISSED'}")
        figures.append({"what": name, "unit": "ms", "value": {"median": ours, "low": ours, "high": ours},
                        "compared": {"median": ours / ms, "low": ours / ms, "high": ours / ms},
                        "compared_with": "x numexpr", "limit": {"at_most": 1.0, "of": "compared"}, "met": ours <= ms})
    if given.json:
        try:
            with open(given.json, encoding="utf-8") as stream:
                content = json.load(stream)
        except (OSError, ValueError):
            content = {}
        date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        content.setdefault("programs", {})["cpu_peers"] = {"subject": f"numexpr {numexpr.__version__}, {given.threads} "
                                                                      "threads", "date": date, "figures": figures}
        with open(given.json + ".new", "w", encoding="utf-8") as stream:
            json.dump(content, stream, indent=2)
            stream.write("\n")
        os.replace(given.json + ".new", given.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
