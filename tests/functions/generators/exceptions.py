#!/usr/bin/env python3
"""Writes src/emit/helpers/float32/exceptions.inc from ../exceptions.txt: the arguments whose double lies so near to a
midpoint between two floats that it is rounded to the wrong one, with the right one.

    python3 exceptions.py             prints the file
    python3 exceptions.py --check     fails if the tree's file is another

exceptions.txt has a function and an argument a line, of odd and of even functions the positive ones; from_check.py takes
them from what `check_functions --all` prints. The right result is mpmath's, to 60 digits.
"""
import pathlib
import sys

try:
    from mpmath import mp, mpf
except ImportError:
    print("no mpmath (python3-mpmath)")
    sys.exit(77)

mp.dps = 60
HERE = pathlib.Path(__file__).resolve()
PATH = HERE.parents[3] / "src/emit/helpers/float32/exceptions.inc"
LIST = HERE.parents[1] / "exceptions.txt"

# In the order of the functions' files.
FUNCTIONS = {
    "exp": mp.exp, "exp2": lambda x: mpf(2) ** x, "expm1": mp.expm1, "sigmoid": lambda x: 1 / (1 + mp.exp(-x)),
    "sinh": mp.sinh, "cosh": mp.cosh, "tanh": mp.tanh,
    "log": mp.log, "log2": lambda x: mp.log(x) / mp.log(2), "log10": mp.log10, "log1p": mp.log1p,
    "asinh": mp.asinh, "acosh": mp.acosh, "atanh": mp.atanh,
    "sin": mp.sin, "cos": mp.cos, "tan": mp.tan, "asin": mp.asin, "acos": mp.acos, "atan": mp.atan,
    "erf": mp.erf, "erfc": mp.erfc, "erfinv": mp.erfinv, "normcdf": lambda x: mp.erfc(-x / mp.sqrt(2)) / 2,
    "gelu": lambda x: x * mp.erfc(-x / mp.sqrt(2)) / 2,
    "tgamma": mp.gamma, "lgamma": lambda x: mp.re(mp.loggamma(x)),
    "cbrt": mp.cbrt, "rsqrt": lambda x: 1 / mp.sqrt(x),
}

HEAD = """// Float32 functions: arguments whose double is rounded to the wrong float, and the right one. Written by
// tests/functions/generators/exceptions.py from tests/functions/exceptions.txt; not by hand.

"""


def nearest_float(y):
    """Hexadecimal; y is normal as a float, and no midpoint."""
    mantissa, exponent = mp.frexp(abs(y))
    assert exponent > -125
    return f"{'-' if y < 0 else ''}{shortened(float(mp.nint(mantissa * 2**24) * mpf(2) ** (exponent - 24)))}"


def shortened(a):
    mantissa, power = a.hex().split("p")
    return f"{mantissa.rstrip('0').rstrip('.')}p{int(power)}f"


def piece(name, arguments):
    lines = [f"KILN_HELPER float {name}_exceptions(float a, float y)", "{"]
    for a in arguments:
        lines.append(f"    y = a == {shortened(a)} ? {nearest_float(FUNCTIONS[name](mpf(a)))} : y;")
    return "\n".join(lines + ["    return y;", "}", ""])


def main():
    listed = {name: [] for name in FUNCTIONS}
    for line in LIST.read_text().splitlines():
        if line and not line.startswith("#"):
            name, argument = line.split()
            listed[name].append(float.fromhex(argument))
    text = HEAD + "\n".join(piece(name, sorted(set(arguments))) for name, arguments in listed.items())
    if sys.argv[1:] == ["--check"]:
        if PATH.read_text() != text:
            sys.exit(f"{PATH} is not what exceptions.py writes")
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
