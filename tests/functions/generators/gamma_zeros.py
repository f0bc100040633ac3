#!/usr/bin/env python3
"""Writes src/emit/helpers/float32/lgamma_table.inc and src/emit/helpers/float64/lgamma_table.inc: ln|gamma(x)| near its zeros below 0.

    python3 gamma_zeros.py float32             prints the file
    python3 gamma_zeros.py float32 --check     fails if the tree's file is another; float64 likewise

Between -n - 1 and -n, n from 2 on, there are two zeros, about 1 / n! from the whole numbers: those that have numbers of the type near
them are listed, from the one above -3 on downwards. A row is the zero in parts, a power of 2, and a polynomial
of what x is more times that, its error relative.
"""
import pathlib
import sys

from fitting import fitted, hexadecimal
from mpmath import mp, mpf

# The largest magnitude of a result above -2.9, where none is less than -0.12, and below, with room; last whole number with numbers of the
# type near its zeros; parts of a zero and of the first coefficient; degree.
KINDS = {"float32": (mpf("0.0626"), mpf("0.0626"), 9, 2, 1, 14), "float64": (mpf("0.0626"), mpf("0.1251"), 16, 3, 2, 18)}


def log_gamma(x):
    return mp.log(abs(mp.gamma(x)))


def place(n, side, y):
    """x on that side of -n with ln|gamma(x)| = y, next to -n."""
    off = side * mp.exp(-y) / mp.factorial(n)
    if n <= 4:  # by halves: from the pole to the least of |gamma| between the poles, which is -0.119 below -2
        low, high = mpf(2) ** -40, mp.findroot(lambda e: mp.digamma(-n + side * e), mpf("0.4"))
        for _ in range(260):
            middle = (low + high) / 2
            low, high = (middle, high) if log_gamma(-n + side * middle) > y else (low, middle)
        return -n + side * low
    for _ in range(40):
        off += (y - log_gamma(-n + off)) / mp.digamma(-n + off)
    return -n + off


def in_parts(x, count):
    parts = []
    for _ in range(count):
        parts.append(mpf(float(x)))
        x -= parts[-1]
    return parts


def row(n, side, bound, zero_parts, first_parts, degree):
    zero = place(n, side, mpf(0))
    ends = sorted((place(n, side, bound) - zero, place(n, side, -bound) - zero))
    scale = mpf(2) ** mp.ceil(mp.log(max(-ends[0], ends[1]), 2))
    slope = mp.digamma(zero) * scale

    def over(t):
        d = t * scale
        if abs(t) < mpf(2) ** -60:
            return slope
        with mp.workdps(140):
            return log_gamma(zero + d) / t
    first = in_parts(slope, first_parts)
    fixed = (sum(first),) if first_parts > 1 else ()
    found, error = fitted(over, lambda t: 1 / over(t), degree - len(fixed), ends[0] / scale, ends[1] / scale, fixed, points=400)
    return in_parts(zero, zero_parts) + [1 / scale] + (first if first_parts > 1 else found[:1]) + found[1:], error


def main():
    kind = sys.argv.pop(1)
    mp.dps = 100
    path = pathlib.Path(__file__).resolve().parents[3] / f"src/emit/helpers/{kind}/lgamma_table.inc"
    bound, bound_below, last, zero_parts, first_parts, degree = KINDS[kind]
    rows, errors = [], []
    for n in range(2, last + 1):
        for side in (1, -1):
            if n == 2 and side == 1:
                continue
            values, error = row(n, side, bound if (n, side) in ((2, -1), (3, 1)) else bound_below, zero_parts, first_parts, degree)
            rows.append(values)
            errors.append(mpf(error))
            print(n, side, mp.nstr(values[0], 12), error, file=sys.stderr)
    lines = [f"// {kind.capitalize()} functions: ln|gamma(x)| near its zeros below 0: the zero in {zero_parts} parts, a power of 2, then the coefficients of",
             f"// what x is more times that, errors up to 2^{mp.nstr(max(errors), 4)} of the result. Written by tests/functions/generators/gamma_zeros.py; not by hand.", "",
             f"KILN_HELPER_TABLE double lgamma_zeros[{len(rows) * len(rows[0])}] = {{"]
    for values in rows:
        texts = [hexadecimal(v) for v in values]
        lines += ["    " + ", ".join(texts[i:i + 5]) + "," for i in range(0, len(texts), 5)]
    text = "\n".join(lines + ["};", ""])
    if sys.argv[1:] == ["--check"]:
        if path.read_text() != text:
            sys.exit(f"{path} is not what gamma_zeros.py writes")
    else:
        sys.stdout.write(text)


main()
