#!/usr/bin/env python3
"""from_check.py OUTPUT...: takes what check_functions --all printed into ../exceptions.txt, ../rounded_twice.txt and ../hashes.txt.

Arguments that were wrong with any instruction set are exceptions, of odd and even functions by their magnitude; the hash
of the right results is kept where all 2^32 were tried.
"""
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parents[1]


def symmetric():
    table = (HERE / "functions.def").read_text()
    rows = re.findall(r"KILN_FLOAT32_FUNCTION\((\w+), .*, (\w+), [-.0-9]+, [-.0-9]+\)", table)
    return {name for name, kind in rows if kind != "none"}


def update(path, found):
    """Keeps the lines of `path` that are comments or others' and adds `found`, sorted by function and text."""
    lines = path.read_text().splitlines() if path.exists() else []
    head = [line for line in lines if line.startswith("#")]
    rest = {line for line in lines if line and not line.startswith("#")}
    path.write_text("\n".join(head + sorted(rest | found)) + "\n")


text = "".join(pathlib.Path(name).read_text() for name in sys.argv[1:])
both = symmetric()
exceptions = set()
for name, argument in re.findall(r"^wrong: (\w+) \w+(?: [a-z]+)? (-?0x\S+) is ", text, re.M):
    magnitude = argument.lstrip("-") if name in both else argument
    exceptions.add(f"{name} {magnitude}")
twice = set()
for name, kind, argument in re.findall(r"^rounded twice: (\w+) (\w+) \w+ (-?0x\S+) is ", text, re.M):
    twice.add(f"{kind} {name} {argument.lstrip('-') if name in both else argument}")
whole = r"^(\w+) +\w+ +4294967296 arguments, \d+ wrong, hash \w+, right (\w+)$"
hashes = {f"{name} {right}" for name, right in re.findall(whole, text, re.M)}
update(HERE / "exceptions.txt", exceptions)
update(HERE / "rounded_twice.txt", twice)
update(HERE / "hashes.txt", hashes)
print(f"{len(exceptions)} exceptions, {len(twice)} rounded twice, {len(hashes)} hashes")
