#!/usr/bin/env python3
"""Writes src/device/cpu/erf_pieces.inc: erf in sixteen intervals, for registers of sixteen floats (erf_blocks.hpp).

    python3 erf_pieces.py             prints the file
    python3 erf_pieces.py --check     fails if the tree's file is another

Interval i is what lies nearest to the centre i / 4; its polynomial is of t = |x| - i / 4. Coefficients of t^6 and more are
floats: what they add is below 2^-18 of erf. They are fitted first, with the others (Remez' exchange), and rounded; then the others are
fitted to what is left, and rounded to doubles. The error printed is that of all of them, in exact arithmetic, relative, the largest at 4000 points.
"""
import pathlib
import struct

from fitting import as_double, hexadecimal, minimax, mp, mpf, value, write_or_check

PATH = pathlib.Path(__file__).resolve().parents[3] / "src/device/cpu/erf_pieces.inc"
DOUBLES, FLOATS = 6, 6
INTERVALS = 16
# From a little less on erf is 1 as a float, and no interval is asked for more.
LAST = mpf("3.92")

HEAD = """// erf of float32 in sixteen intervals. Written by tests/functions/generators/erf_pieces.py; not by hand.
// Interval i has the polynomial of t = |x| - i / 4; row k the coefficients of t^k, from t^6 on as floats. Relative errors:
"""


def as_float(c):
    return mpf(struct.unpack("f", struct.pack("f", float(c)))[0])


def fitted_apart(function, weight, degree, doubles, low, high):
    """The coefficients, the lowest `doubles` of them rounded to double, the others to float."""
    high_part = [as_float(c) for c in minimax(function, weight, degree, low, high)[doubles:]]
    shifted = [mpf(0)] * doubles + high_part
    rest = minimax(lambda x: function(x) - value(shifted, x), weight, doubles - 1, low, high)
    return [as_double(c) for c in rest] + high_part


def piece(i):
    """Its coefficients and its error."""
    centre = mpf(i) / 4
    half = mpf(1) / 8
    if i == 0:
        # Odd, and 0 at 0, so that erf of the least argument has all its digits.
        over_t = lambda z: mp.erf(mp.sqrt(z)) / mp.sqrt(z)
        odd = fitted_apart(over_t, lambda z: 1 / over_t(z), (DOUBLES + FLOATS) // 2 - 1, DOUBLES // 2, mpf(2) ** -60, half**2)
        coefficients = [c for each in odd for c in (mpf(0), each)]
        low, high = mpf(2) ** -30, half
    else:
        low, high = -half, half if i < INTERVALS - 1 else LAST - centre
        coefficients = fitted_apart(lambda t: mp.erf(centre + t), lambda t: 1 / mp.erf(centre + t), DOUBLES + FLOATS - 1, DOUBLES, low, high)
    places = [low + (high - low) * k / 4000 for k in range(4001)]
    error = max(abs(1 - value(coefficients, t) / mp.erf(centre + t)) for t in places)
    return coefficients, mp.nstr(mp.log(error, 2), 4)


def table(type_name, name, rows, suffix):
    lines = [f"alignas(64) constexpr {type_name} {name}[{len(rows)}][{INTERVALS}] = {{"]
    for row in rows:
        numbers = [hexadecimal(c) + suffix for c in row]
        lines += ["    {" + ", ".join(numbers[:4]) + ","]
        lines += ["     " + ", ".join(numbers[at:at + 4]) + ("," if at + 4 < INTERVALS else "},") for at in range(4, INTERVALS, 4)]
    return "\n".join(lines + ["};", ""])


def main():
    pieces = [piece(i) for i in range(INTERVALS)]
    errors = ", ".join(f"2^{error}" for _, error in pieces)
    rows = [[coefficients[k] for coefficients, _ in pieces] for k in range(DOUBLES + FLOATS)]
    text = HEAD + f"// {errors}\n\n" + table("double", "erf_doubles", rows[:DOUBLES], "") + "\n" + table("float", "erf_floats", rows[DOUBLES:], "f")
    write_or_check(PATH, text, "erf_pieces.py")


main()
