"""kiln's program as a process that is told what to do, line by line."""
import os
import subprocess
import tempfile

import numpy


class Refused(Exception):
    pass


class Kiln:
    def __init__(self, program, device):
        self.folder = tempfile.TemporaryDirectory()
        self.file = os.path.join(self.folder.name, "result")
        # A folder of its own: the first call compiles, as it does on a new machine.
        environment = dict(os.environ, KILN_DEVICE=device, KILN_CACHE_DIR=os.path.join(self.folder.name, "kernels"))
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env=environment)
        self.device = self.ask("device")

    def ask(self, *words):
        try:
            self.process.stdin.write(" ".join(map(str, words)) + "\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        if not answer:
            raise SystemExit(f"peers: kiln's program ended at '{' '.join(map(str, words))}'")
        verdict, _, text = answer.rstrip("\n").partition(" ")
        if verdict != "ok":
            raise Refused(text)
        return text

    def load(self, workload, inputs):
        self.ask("drop")
        for each in inputs:
            self.ask("input", each.line())
        self.ask("workload", workload.name)
        if workload.option:
            self.ask("option", workload.option, workload.name)

    def time(self, who, count):
        return float(self.ask("time", who, count))

    def predict(self, who):
        """Microseconds that kiln says its kernels take, and those that a profile of kiln saw."""
        predicted, measured = map(float, self.ask("predict", who).split())
        return {"predicted_us": predicted, "measured_us": measured}

    def outputs(self, who):
        """Pairs of dtype and shape."""
        out = []
        for each in self.ask("outputs", who).split("; "):
            dtype, shape = each.split()
            out.append((dtype, () if shape == "-" else tuple(map(int, shape.split(",")))))
        return out

    def part(self, who, output, axis, begin, end):
        self.ask("result", who, output, axis, begin, end, self.file)
        return numpy.fromfile(self.file, dtype=numpy.float64)

    def mean(self, who, output):
        return float(self.ask("mean", who, output))

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.folder.cleanup()
