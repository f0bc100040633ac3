"""Polynomials for the generators beside this file: Remez' exchange in 70 digits, coefficients rounded to double, and their text.

Needs mpmath; the same on every machine: mpmath computes with integers.
"""
import sys

try:
    from mpmath import mp, mpf
except ImportError:
    print("no mpmath (python3-mpmath)")
    sys.exit(77)

mp.dps = 70


def chebyshev_points(low, high, count):
    """From low to high, the ends among them."""
    return [(low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * i / (count - 1)) for i in range(count)]


def value(coefficients, x):
    total = mpf(0)
    for c in reversed(coefficients):
        total = total * x + c
    return total


def minimax(function, weight, degree, low, high):
    """The polynomial p of that degree with the least maximum of |weight (function - p)|."""
    grid = chebyshev_points(low, high, 24 * (degree + 2))
    of_grid = [(x, function(x), weight(x)) for x in grid]
    chosen = [round(i * (len(grid) - 1) / (degree + 1)) for i in range(degree + 2)]
    for _ in range(12):
        rows = mp.matrix(degree + 2)
        right = mp.matrix(degree + 2, 1)
        for i, at in enumerate(chosen):
            x, y, w = of_grid[at]
            power = mpf(1)
            for k in range(degree + 1):
                rows[i, k] = power
                power *= x
            rows[i, degree + 1] = (-1) ** i / w
            right[i] = y
        solution = mp.lu_solve(rows, right)
        coefficients = [solution[k] for k in range(degree + 1)]
        errors = [w * (y - value(coefficients, x)) for x, y, w in of_grid]
        # The largest of each run of one sign; where there are more runs than needed, the smaller end goes.
        runs = []
        for at, error in enumerate(errors):
            if runs and (errors[runs[-1]] > 0) == (error > 0):
                if abs(error) > abs(errors[runs[-1]]):
                    runs[-1] = at
            else:
                runs.append(at)
        while len(runs) > degree + 2:
            runs.pop(0 if abs(errors[runs[0]]) < abs(errors[runs[-1]]) else -1)
        if len(runs) < degree + 2 or runs == chosen:
            break
        chosen = runs
    return coefficients


def hexadecimal(c):
    """A double as C++ and CUDA write it."""
    text = float(c).hex()
    mantissa, power = text.split("p")
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return f"{mantissa}p{int(power)}"


def as_double(c):
    return mpf(float(mp.mpf(c)))


def fitted(function, weight, degree, low, high, fixed=(), points=4000):
    """The rounded coefficients and their error: `fixed` are the lowest, `degree` is of those above them."""
    shift = len(fixed)
    low, high = mpf(low), mpf(high)
    rest = lambda x: (function(x) - value(fixed, x)) / x**shift
    found = minimax(rest, lambda x: weight(x) * abs(x) ** shift, degree, low, high)
    rounded = [mpf(c) for c in fixed] + [as_double(c) for c in found]
    places = chebyshev_points(low, high, points)
    error = max(abs(weight(x) * (function(x) - value(rounded, x))) for x in places if x != 0)
    return rounded, mp.nstr(mp.log(error, 2), 4)


def horner(name, step, variable, coefficients):
    lines = [f"KILN_HELPER double {name}(double {variable})", "{", f"    double p = {hexadecimal(coefficients[-1])};"]
    for c in reversed(coefficients[:-1]):
        lines.append(f"    p = {step}(p, {variable}, {hexadecimal(c)});")
    return lines + ["    return p;", "}", ""]


def even_part(f):
    """f(x) = x + x^3 g(x^2), of which this is g. Near 0 by the argument that keeps its digits."""
    def g(z):
        x = mp.sqrt(z)
        with mp.workdps(110):
            return (f(x) / x - 1) / z
    return g


def write_or_check(path, text, name):
    """Prints the file, or, with --check, fails if the tree's is another."""
    if sys.argv[1:] == ["--check"]:
        if path.read_text() != text:
            sys.exit(f"{path} is not what {name} writes")
    else:
        sys.stdout.write(text)
