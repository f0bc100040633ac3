#!/usr/bin/env python3
"""Writes src/emit/helpers/float32/rounded_twice.inc and src/device/cpu/rounded_twice.def from ../rounded_twice.txt: the 16-bit floats
whose result as a float lies midway between two 16-bit floats, and is not the true result, and would be rounded to the wrong one.

    python3 rounded_twice.py            prints the .inc
    python3 rounded_twice.py --write    writes both
    python3 rounded_twice.py --check    fails if one of the tree's is another

rounded_twice.txt has a type, a function and an argument a line, of odd and of even functions the positive ones; from_check.py takes
them from what `check_functions` prints. On which side of its float the true result lies, mpmath says, to 60 digits.
"""
import pathlib
import struct
import sys

try:
    from mpmath import mp, mpf
except ImportError:
    print("no mpmath (python3-mpmath)")
    sys.exit(77)

from exceptions import FUNCTIONS, shortened

HERE = pathlib.Path(__file__).resolve()
TREE = HERE.parents[3]
LIST = HERE.parents[1] / "rounded_twice.txt"
TABLE = HERE.parents[1] / "functions.def"

# What the text of the function says for itself.
BY_RULE = [("bf16", "gelu")]

HEAD = """// Float32 functions of 16-bit floats: of arguments whose float lies midway between two of those, and would be rounded to the wrong one, the
// float next to it on the true result's side. Written by tests/functions/generators/rounded_twice.py from
// tests/functions/rounded_twice.txt; not by hand.

"""
ROWS = """// KILN_ROUNDED_TWICE(function, type): each has a function_for_type in emit/helpers/float32. Written by
// tests/functions/generators/rounded_twice.py; not by hand.
"""


def nearest_float(y):
    """As a number; y is in float's range, and no midpoint between floats."""
    mantissa, exponent = mp.frexp(abs(y))
    places = 24 if exponent > -126 else 24 - (-125 - exponent)
    return mp.sign(y) * mp.nint(mantissa * mpf(2) ** places) * mpf(2) ** (exponent - places)


def symmetric():
    rows = [line for line in TABLE.read_text().splitlines() if line.startswith("KILN_FLOAT32_FUNCTION")]
    return {line.split("(")[1].split(",")[0] for line in rows if ", none, " not in line}


def any_of(arguments, of):
    if not arguments:
        return None
    return " | ".join(f"({of} == {shortened(a)})" for a in arguments)


def piece(name, kind, arguments, is_symmetric):
    outwards, inwards = [], []
    for a in arguments:
        y = FUNCTIONS[name](mpf(a))
        (outwards if abs(y) > abs(nearest_float(y)) else inwards).append(a)
    of = "m" if is_symmetric else "a"
    lines = [f"KILN_HELPER float {name}_for_{kind}(float a, float y)", "{"]
    if is_symmetric:
        lines.append("    const float m = magnitude_of(a);")
    bits = "bits_of(y)"
    for what, sign, found in (("outwards", "+", outwards), ("inwards", "-", inwards)):
        if found:
            lines.append(f"    const bool {what} = {any_of(found, of)};")
            bits += f" {sign} ({what} ? 1u : 0u)"
    return "\n".join(lines + [f"    return float_of({bits});", "}", ""])


def main():
    listed = {}
    for line in LIST.read_text().splitlines():
        if line and not line.startswith("#"):
            kind, name, argument = line.split()
            listed.setdefault((kind, name), set()).add(float.fromhex(argument))
    both = symmetric()
    order = [(kind, name) for name in FUNCTIONS for kind in ("f16", "bf16") if (kind, name) in listed]
    inc = HEAD + "\n".join(piece(name, kind, sorted(listed[kind, name]), name in both) for kind, name in order)
    rows = ROWS + "".join(f"KILN_ROUNDED_TWICE({name}, {kind})\n" for kind, name in order + BY_RULE)
    files = {"src/emit/helpers/float32/rounded_twice.inc": inc, "src/device/cpu/rounded_twice.def": rows}
    if sys.argv[1:] == ["--check"]:
        for path, text in files.items():
            if (TREE / path).read_text() != text:
                sys.exit(f"{path} is not what rounded_twice.py writes")
    elif sys.argv[1:] == ["--write"]:
        for path, text in files.items():
            (TREE / path).write_text(text)
    else:
        sys.stdout.write(inc)


main()
