#!/usr/bin/env python3
"""kiln, a copy of as many bytes, hand-written kernels and every peer that is installed, on the same workloads.

Where arithmetic takes the time, kiln takes part twice: as it promises its bits, and with the option that allows what peers do anyway
(Workload.option): products and sums that round once, approximate functions.

Contenders take turns: round by round each computes a workload so often that it takes some milliseconds, between two
looks at the host's clock, waited for at the end; one call before them is not timed. Results are compared with NumPy's in double. What a contender cannot
do is no error: a '-' in the table and the reason in the file. Results that disagree make the exit status 1; where there
is no NumPy it is 77.

    peers.py --kiln BUILD/bench/peers_kiln [--device cuda|cpu] [--json FILE] [--svg FILE] [--seconds LIMIT] [--rounds N]
             [--only REGEX] [--scale X] [--commit TEXT]
"""
import argparse
import datetime
import gc
import json
import math
import os
import platform
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

GROUP_US = 3000  # what a group of calls takes at least


class OutOfTime(BaseException):
    """Not an Exception: no library's `except Exception` may swallow it."""


def one_line(trouble):
    text = f"{type(trouble).__name__}: {trouble}".strip()
    return " ".join(text.split())[:200]


# --- Contenders: name, time(count) in microseconds a call, and what check.py asks -------------------------------------

class OfKiln:
    """What kiln's program does: kiln itself, a hand-written kernel, a copy."""

    def __init__(self, kiln, name, who):
        self.kiln, self.name, self.who = kiln, name, who

    def time(self, count):
        return self.kiln.time(self.who, count)

    def outputs(self):
        return len(self.kiln.outputs(self.who))

    def part(self, output, axis, begin, end):
        if end is None:
            shape = self.kiln.outputs(self.who)[output][1]
            end = shape[axis] if shape else 1
        return self.kiln.part(self.who, output, axis, begin, end)

    def mean(self, output):
        return self.kiln.mean(self.who, output)


class OfLibrary:
    def __init__(self, library, way, compute):
        self.library, self.name, self.compute = library, way, compute
        self.results = None

    def time(self, count):
        self.library.wait(self.results)
        begin = time.perf_counter()
        for _ in range(count):
            self.results = None  # its memory serves the next ones
            self.results = self.compute()
        self.library.wait(self.results)
        return (time.perf_counter() - begin) * 1e6 / count

    def listed(self):
        return list(self.results) if isinstance(self.results, (tuple, list)) else [self.results]

    def outputs(self):
        return len(self.listed())

    def kinds(self):
        return [str(getattr(each, "dtype", type(each).__name__)).removeprefix("torch.") for each in self.listed()]

    def part(self, output, axis, begin, end):
        return self.library.part(self.listed()[output], axis, begin, end)

    def mean(self, output):
        return self.library.mean(self.listed()[output])


# --- One workload -----------------------------------------------------------------------------------------------------

def group_of(contender):
    """So many calls that they take GROUP_US together."""
    count = max(1, min(2000, math.ceil(GROUP_US / contender.time(1))))
    if count > 1:  # a single call waits longer than one of many
        count = max(1, min(5000, math.ceil(GROUP_US / contender.time(count))))
    return count


def let_threads_rest():
    """Threads of the contender before may still look for work, on cores of the next: Dr.Jit's and Numba's do for 8 ms. What they take is
    counted by the kernel's ticks, every 4 ms on many machines: of less nothing is seen, and a copy takes 480 us beside them for 320."""
    for _ in range(10):
        before = time.process_time()
        time.sleep(8e-3)
        if time.process_time() - before < 1e-3:
            return


def take_turns(contenders, rounds):
    """Of each name, the rounds' microseconds. Each round has an order of its own, the same in every run: none always follows one that leaves
    memory to be given back, or a core that is slowed down by what it did."""
    order = random.Random(1)
    groups = {each.name: group_of(each) for each in contenders}
    values = {each.name: [] for each in contenders}
    gc.collect()
    gc.disable()
    try:
        for _ in range(rounds):
            for contender in order.sample(contenders, len(contenders)):
                done = values[contender.name]
                # What takes a second is not made more certain by many rounds.
                if done and sum(done) * groups[contender.name] > 2e6:
                    continue
                let_threads_rest()
                if groups[contender.name] > 1:
                    contender.time(1)  # what waking cores and caches takes is of no contender: 0.4 ms after 50 ms
                done.append(contender.time(groups[contender.name]))
    finally:
        gc.enable()
    return values, groups


def median(values):
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


class Run:
    def __init__(self, kiln, libraries, size, rounds, started, seconds):
        self.kiln, self.libraries, self.size, self.rounds = kiln, libraries, size, rounds
        self.started, self.seconds = started, seconds

    def library_contenders(self, workload, inputs, reasons, late):
        """The contenders that got through their first call, and what that took."""
        first = {}
        contenders = []
        for library in self.libraries:
            arrays = None  # made once it is known that a way wants them
            for way in library.ways():
                if late and way == "torch.compile":
                    reasons[way] = "left out: no time left for what it compiles"
                    continue
                try:
                    begin = time.perf_counter()
                    start = library.plan(way, workload, inputs)
                    planned = time.perf_counter() - begin
                    arrays = arrays or [library.make(each) for each in inputs]
                    begin = time.perf_counter()
                    contender = OfLibrary(library, way, start(arrays))
                    contender.time(1)
                except Exception as trouble:
                    reasons[way] = one_line(trouble)
                    continue
                first[way] = (planned + time.perf_counter() - begin) * 1e6
                contenders.append(contender)
        return contenders, first

    def workload(self, workload, done_share):
        import check
        import description
        import kiln_process
        import tables

        inputs = workload.inputs(self.size)
        reasons = {}
        self.kiln.load(workload, inputs)
        kiln = OfKiln(self.kiln, "kiln", "kiln")
        first = {"kiln": kiln.time(1)}  # compile included
        results = self.kiln.outputs("kiln")
        moved = sum(each.bytes for each in inputs)
        moved += sum(description.BYTES[dtype] * math.prod(shape) for dtype, shape in results)
        self.kiln.ask("copy", moved)
        copy = OfKiln(self.kiln, "copy", "copy")
        ours = [kiln]
        if workload.option:
            ours.append(OfKiln(self.kiln, tables.WITH_OPTION, "option"))
            first[tables.WITH_OPTION] = ours[-1].time(1)
        note = ""
        try:
            note = self.kiln.ask("by_hand", workload.name)
            ours.append(OfKiln(self.kiln, "hand-written", "by_hand"))
            ours[-1].time(1)
        except kiln_process.Refused as trouble:
            reasons["hand-written"] = str(trouble)

        late = time.monotonic() - self.started > self.seconds * (0.45 + 0.55 * done_share)
        theirs, more_first = self.library_contenders(workload, inputs, reasons, late)
        first.update(more_first)
        measured, groups = take_turns([copy] + ours + theirs, self.rounds)
        kinds = [dtype for dtype, _ in results]
        errors = {}
        wrong = check.disagreements(workload, inputs, [shape for _, shape in results], ours + theirs, kinds, errors)
        contenders = {}
        others = {each.name: each.kinds() for each in theirs if each.kinds() != kinds}
        for name, values in measured.items():
            contenders[name] = {"median": median(values), "low": min(values), "high": max(values),
                                "group": groups[name], "rounds": len(values)}
            if name in first:
                contenders[name]["first"] = first[name]
            if name in errors:
                contenders[name]["units_off"] = errors[name]
            if name in others:  # another type than kiln's: more bytes, or fewer
                contenders[name]["types"] = others[name]
        row = {"name": workload.name, "title": workload.title, "kind": workload.kind,
               "inputs": [f"{each.dtype} {list(each.shape)}" for each in inputs],
               "results": [f"{dtype} {list(shape)}" for dtype, shape in results],
               "bytes": moved, "contenders": contenders, "reasons": reasons, "wrong": wrong}
        if workload.option:
            row["option"] = workload.option
        if note:
            row["hand_written"] = note
        row["prediction"] = self.kiln.predict("kiln")
        del theirs
        return row

    def release(self):
        gc.collect()
        for library in self.libraries:
            try:
                library.release()
            except Exception as trouble:
                print(f"peers: {library.name}: {one_line(trouble)}", file=sys.stderr)


# --- The whole --------------------------------------------------------------------------------------------------------

def command(*words):
    try:
        return subprocess.run(words, capture_output=True, text=True, timeout=20, check=True).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""


def machine(device):
    """What was measured on."""
    found = {"system": f"{platform.system()} {platform.release()}", "threads": len(os.sched_getaffinity(0)),
             "python": platform.python_version()}
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as stream:
            found["processor"] = re.search(r"model name\s*: (.*)", stream.read()).group(1)
    except (OSError, AttributeError):
        found["processor"] = platform.machine()
    if device == "cuda":
        found["gpu"], _, found["driver"] = command("nvidia-smi", "--query-gpu=name,driver_version",
                                                   "--format=csv,noheader").split("\n")[0].partition(", ")
    return found


def write(file, content):
    with open(file + ".new", "w", encoding="utf-8") as stream:
        json.dump(content, stream, indent=1)
        stream.write("\n")
    os.replace(file + ".new", file)


# Where libraries keep what they compiled: in new folders, so that the first call is a first one.
CACHES = ("CUPY_CACHE_DIR", "TORCHINDUCTOR_CACHE_DIR", "TRITON_CACHE_DIR", "PYTORCH_KERNEL_CACHE_PATH")


def leave(status):
    """A library may hang in its exit handlers after an alarm; what was measured is written."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kiln", required=True, help="bench/peers_kiln of a build folder")
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("--json")
    parser.add_argument("--svg")
    parser.add_argument("--seconds", type=int, default=280)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", default="")
    parser.add_argument("--scale", type=float, help="of the sizes on a GPU; on the CPU 1/16 unless given")
    parser.add_argument("--libraries", default="", help="a regular expression: only those of cupy, torch, jax, "
                        "numba, drjit, numpy, numexpr that match")
    parser.add_argument("--commit", default="")
    given = parser.parse_args()
    if given.scale is None:
        given.scale = 1.0 if given.device == "cuda" else 1 / 16
    return given


def main():
    given = arguments()
    try:
        import numpy
    except ImportError:
        print("peers: not run: there is no NumPy to check results with")
        sys.exit(77)
    import description
    import kiln_process
    import libraries
    import tables
    import workloads  # noqa: F401: registers them

    started = time.monotonic()
    scratch = tempfile.TemporaryDirectory()
    for name in CACHES:
        os.environ[name] = os.path.join(scratch.name, name)
        os.mkdir(os.environ[name])

    def out_of_time(*_):
        raise OutOfTime

    signal.signal(signal.SIGALRM, out_of_time)
    signal.alarm(given.seconds)
    # Where the alarm meets code that does not return to Python.
    watchdog = threading.Timer(given.seconds + 20, lambda: leave(1))
    watchdog.daemon = True
    watchdog.start()

    chosen = description.chosen(given.only)
    content = {"date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
               "commit": given.commit or command("git", "describe", "--always", "--dirty", "--abbrev=12"),
               "device": given.device, "scale": given.scale, "machine": machine(given.device),
               "versions": {"numpy": numpy.__version__}, "not_installed": {}, "left_out": [], "workloads": []}
    failed = False
    try:
        kiln = kiln_process.Kiln(given.kiln, given.device)
        content["kiln_device"] = kiln.device
        found, content["not_installed"] = libraries.find(given.device, given.libraries)
        for name, why in content["not_installed"].items():
            print(f"peers: no {name}: {why}")
        for library in found:
            content["versions"].update(library.versions)
        print(f"peers: {kiln.device}; {', '.join(f'{k} {v}' for k, v in content['versions'].items())}; "
              f"{len(chosen)} workloads", flush=True)
        run = Run(kiln, found, description.Size(given.scale), given.rounds, started, given.seconds)
        waiting = [each.name for each in chosen]
        for i, workload in enumerate(chosen):
            begin = time.monotonic()
            try:
                row = run.workload(workload, i / len(chosen))
                content["workloads"].append(row)
                failed = failed or bool(row["wrong"])
                print(tables.line(row) + f"  [{time.monotonic() - begin:.1f} s]", flush=True)
            except kiln_process.Refused as trouble:
                failed = True
                content["left_out"].append({"name": workload.name, "why": str(trouble)})
                print(f"peers: {workload.name}: kiln: {trouble}", flush=True)
            except Exception as trouble:
                failed = True
                content["left_out"].append({"name": workload.name, "why": one_line(trouble)})
                print(f"peers: {workload.name}: {one_line(trouble)}", flush=True)
            waiting.remove(workload.name)
            run.release()
            if given.json:
                write(given.json, content)
        kiln.close()
    except OutOfTime:
        print(f"peers: stopped after {given.seconds} s; not measured: {' '.join(waiting)}")
        content["left_out"] += [{"name": each, "why": "no time left"} for each in waiting]
    signal.alarm(0)
    watchdog.cancel()
    content["seconds"] = round(time.monotonic() - started, 1)
    if given.json:
        write(given.json, content)
    if content["workloads"]:
        print("\n" + tables.markdown(content))
        if given.svg:
            with open(given.svg, "w", encoding="utf-8") as stream:
                stream.write(tables.plot(content))
    for row in content["workloads"]:
        for name, what in row["wrong"].items():
            print(f"WRONG: {row['name']}: {name}: {what}")
    scratch.cleanup()
    leave(1 if failed else 0)


if __name__ == "__main__":
    main()
