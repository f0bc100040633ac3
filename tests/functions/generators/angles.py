#!/usr/bin/env python3
"""Writes src/emit/helpers/float32/angle_table.inc: 2 / pi for the reduction of large angles.

    python3 angles.py             prints the file
    python3 angles.py --check     fails if the tree's file is another

A float of the biased exponent E is M 2^(E - 150) with M < 2^24. Row E - 145, E from 145 (2^18) to 254, is
2^(E - 150) 2 / pi without its multiples of 4, as the sum of four doubles: a multiple of 2^-26 (up to 4), one of 2^-54, one of
2^-81, and the rest. M times each of the first three is exact (24 + 28 bits or fewer), and M / 2 too. The rest is below 2^-82,
its double right to 2^-135.
"""
import pathlib
import sys

try:
    from mpmath import mp, mpf
except ImportError:
    print("no mpmath (python3-mpmath)")
    sys.exit(77)

mp.prec = 600
PATH = pathlib.Path(__file__).resolve().parents[3] / "src/emit/helpers/float32/angle_table.inc"

HEAD = """// Float32 functions: 2 / pi for large angles. Written by tests/functions/generators/angles.py; not by hand.

KILN_HELPER_TABLE double inverse_half_pi[440] = {
"""


def nearest_multiple(x, power):
    return mp.nint(x * mpf(2) ** -power) * mpf(2) ** power


def row(exponent):
    left = mp.fmod(mpf(2) ** (exponent - 150) * 2 / mp.pi, 4)
    parts = []
    for power in (-26, -54, -81):
        parts.append(nearest_multiple(left, power))
        left -= parts[-1]
    parts.append(mpf(float(left)))
    for part, power in zip(parts, (-26, -54, -81)):
        assert abs(part) * mpf(2) ** (24 - power) <= mpf(2) ** 53 and mpf(float(part)) == part
    return "    " + ", ".join(float(part).hex() for part in parts) + ",\n"


text = HEAD + "".join(row(exponent) for exponent in range(145, 255)) + "};\n"
if sys.argv[1:] == ["--check"]:
    if PATH.read_text() != text:
        sys.exit(f"{PATH} is not what angles.py writes")
else:
    sys.stdout.write(text)
