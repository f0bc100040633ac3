#!/usr/bin/env python3
"""Writes src/emit/helpers/float64/angle_table.inc: the bits of 2 / pi. `--check` fails if the tree's file is another."""
import pathlib

from fitting import write_or_check
from mpmath import mp

PATH = pathlib.Path(__file__).resolve().parents[3] / "src/emit/helpers/float64/angle_table.inc"
WORDS = 20  # an exponent of 971 begins at bit 1033, and 256 are read


def main():
    mp.prec = 64 * WORDS + 100
    bits = int(mp.floor(2 / mp.pi * 2 ** (64 * WORDS)))
    words = [0] + [bits >> 64 * (WORDS - 1 - i) & (2**64 - 1) for i in range(WORDS)]
    lines = ["// Float64 functions: the bits of 2 / pi, a word of 0 before them. Written by tests/functions/generators/float64_angles.py; not by hand.",
             "", f"KILN_HELPER_TABLE unsigned long long inverse_half_pi[{len(words)}] = {{"]
    lines += ["    " + ", ".join(f"0x{w:016x}ull" for w in words[i:i + 4]) + "," for i in range(0, len(words), 4)]
    write_or_check(PATH, "\n".join(lines + ["};", ""]), "float64_angles.py")


main()
