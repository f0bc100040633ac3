#!/usr/bin/env python3
"""Writes src/emit/helpers/float32/polynomials.inc: the polynomials of the float32 functions, with their errors.

    python3 polynomials.py             prints the file
    python3 polynomials.py --check     fails if the tree's file is another

Each is the minimax polynomial (Remez' exchange, 70 digits), its coefficients then rounded to double: at these degrees
that costs less than the double arithmetic that it is evaluated in. The error printed is that of the rounded coefficients,
in exact arithmetic, the largest at 4000 points.
"""
import pathlib
import sys

from fitting import even_part, fitted, hexadecimal, horner, write_or_check
from mpmath import mp, mpf

PATH = pathlib.Path(__file__).resolve().parents[3] / "src/emit/helpers/float32/polynomials.inc"


def piece(name, variable, says, function, weight, degree, low, high, fixed=()):
    """The text of one polynomial: `fixed` are its lowest coefficients, of `degree` those above them.

    function: what all of the polynomial stands for; weight: what turns its error into the one that is printed."""
    rounded, error = fitted(function, weight, degree, low, high, fixed)
    lines = [f"// {says}; error 2^{error}"]
    lines += horner(name, "multiply_add", variable, rounded)
    print(f"{name}: 2^{error}", file=sys.stderr)
    return "\n".join(lines)


def erfinv_by_argument(w):
    """erfinv(x) / x, where x^2 = 1 - e^-w: Halley's steps from 10 % on, by erfc where x is near 1."""
    if w < mpf(2) ** -100:
        return mp.sqrt(mp.pi) / 2
    x = mp.sqrt(-mp.expm1(-w))
    missing = mp.exp(-w) / (1 + x)
    y = mp.sqrt(w - mp.log(1 + w) / 2) if w > 3 else x * mpf("0.9")
    step = y
    while abs(step) > mpf(2) ** -70 * y:  # the next would be below 2^-200
        off = mp.erfc(y) - missing if x > 0.5 else x - mp.erf(y)
        slope = off * mp.sqrt(mp.pi) / 2 * mp.exp(y * y)
        step = slope / (1 - y * slope)
        y += step
    return y / x


def erfinv_piece():
    """Two polynomials of one degree, whose coefficients are chosen one by one: both branches would cost more."""
    sets, errors = [], []
    for low, high in ((mpf(0), ERFINV_MIDDLE), (ERFINV_MIDDLE, mpf(16))):
        known = {}
        def function(u, low=low, high=high, known=known):
            if u not in known:
                known[u] = erfinv_by_argument((low + high) / 2 + (high - low) / 2 * u)
            return known[u]
        rounded, error = fitted(function, lambda u: 1 / function(u), ERFINV_DEGREE, -1, 1, points=1000)
        sets.append(rounded)
        errors.append(error)
    print(f"erfinv_polynomial: 2^{errors[0]}, 2^{errors[1]}", file=sys.stderr)
    middle = mp.nstr(ERFINV_MIDDLE, 4)
    lines = [f"// erfinv(x) / x in w = -ln(1 - x^2), relative: up to {middle} in u = w / {mp.nstr(ERFINV_MIDDLE / 2, 5)} - 1, error 2^{errors[0]};",
             f"// far, up to 16, in u = (w - {mp.nstr((ERFINV_MIDDLE + 16) / 2, 6)}) / {mp.nstr((16 - ERFINV_MIDDLE) / 2, 6)}, error 2^{errors[1]}",
             "KILN_HELPER double erfinv_polynomial(double u, bool far)", "{"]
    pairs = [f"far ? {hexadecimal(b)} : {hexadecimal(a)}" for a, b in zip(*sets)]
    lines.append(f"    double p = {pairs[-1]};")
    lines += [f"    p = multiply_add(p, u, {pair});" for pair in reversed(pairs[:-1])]
    return "\n".join(lines + ["    return p;", "}", ""])


def log_gamma_after_2(t):
    if abs(t) < mpf(2) ** -20:
        return 1 - mp.euler + (mp.zeta(2) - 1) / 2 * t - (mp.zeta(3) - 1) / 3 * t**2 + (mp.zeta(4) - 1) / 4 * t**3
    with mp.workdps(100):
        return mp.loggamma(2 + t) / t


def stirling_rest(t):
    if t < mpf(10) ** -12:
        return (mp.log(2 * mp.pi) - 1) / 2 + t / 12
    return mp.loggamma(1 / t) - (1 / t - mpf(1) / 2) * (mp.log(1 / t) - 1)


def pieces():
    tiny = mpf(2) ** -60
    half_log_2 = mp.log(2) / 2 * (1 + mpf(2) ** -30)
    yield piece("exp_polynomial", "r", "e^r, |r| <= ln 2 / 2, relative", mp.exp, lambda x: 1 / mp.exp(x), 9,
                -half_log_2, half_log_2, fixed=(1, 1))
    expm1_rest = lambda x: mp.expm1(x) / x**2 - 1 / x if abs(x) > mpf(2) ** -40 else mpf(1) / 2 + x / 6
    yield piece("expm1_polynomial", "r", "(e^r - 1 - r) / r^2, |r| <= ln 2 / 2, relative to e^r - 1", expm1_rest,
                lambda x: x**2 / abs(mp.expm1(x)) if x else mpf(0) + mpf(2) ** -60, 9, -half_log_2, half_log_2)
    yield piece("exp2_polynomial", "r", "2^r, |r| <= 1/2, relative", lambda x: mpf(2) ** x, lambda x: mpf(2) ** -x, 10,
                mpf(-1) / 2, mpf(1) / 2, fixed=(1,))
    # (m - 1) / (m + 1), m from sqrt(1/2) to sqrt(2)
    s = mpf("0.1715729")
    yield piece("log_polynomial", "z", "(2 atanh(s) / s - 2) / s^2 in z = s^2, |s| <= 0.1715729, relative to 2",
                lambda z: 2 * even_part(mp.atanh)(z), lambda z: z / 2, 6, tiny, s**2)
    q = (mp.pi / 2) ** 2 * (1 + mpf(2) ** -20)
    yield piece("sin_polynomial", "z", "(sin(r) / r - 1) / r^2 in z = r^2, |r| <= pi / 2, relative to sin(r)",
                even_part(mp.sin), lambda z: z * mp.sqrt(z) / mp.sin(mp.sqrt(z)), 7, tiny, q)
    q = (mp.pi / 4) ** 2 * (1 + mpf(2) ** -20)
    yield piece("short_sin_polynomial", "z", "the same, |r| <= pi / 4", even_part(mp.sin),
                lambda z: z * mp.sqrt(z) / mp.sin(mp.sqrt(z)), 6, tiny, q)
    yield piece("short_cos_polynomial", "z", "(cos(r) - 1 + r^2 / 2) / r^4 in z = r^2, |r| <= pi / 4, relative to cos(r)",
                lambda z: ((mp.cos(mp.sqrt(z)) - 1) / z + mpf(1) / 2) / z, lambda z: z**2 / mp.cos(mp.sqrt(z)), 6,
                mpf(2) ** -30, q)
    yield piece("asin_polynomial", "z", "(asin(x) / x - 1) / x^2 in z = x^2, |x| <= 1/2, relative to asin(x)",
                even_part(mp.asin), lambda z: z * mp.sqrt(z) / mp.asin(mp.sqrt(z)), 11, tiny, mpf(1) / 4)
    t = mp.tan(mp.pi / 8) * (1 + mpf(2) ** -30)
    yield piece("atan_polynomial", "z", "(atan(x) / x - 1) / x^2 in z = x^2, |x| <= tan(pi / 8), relative to atan(x)",
                even_part(mp.atan), lambda z: z * mp.sqrt(z) / mp.atan(mp.sqrt(z)), 11, tiny, t**2)
    yield piece("erf_polynomial", "w", "erf(x) / x in w = x^2 / 8 - 1, |x| <= 4, relative",
                lambda w: mp.erf(mp.sqrt(8 * (w + 1))) / mp.sqrt(8 * (w + 1)),
                lambda w: mp.sqrt(8 * (w + 1)) / mp.erf(mp.sqrt(8 * (w + 1))), 27, -1 + tiny, 1)
    # t = (x - c) / (x + c) from -1, where x = 0, on
    c, last = mpf(ERFC_CENTRE), mpf("10.3")
    x_of = lambda t: c * (1 + t) / (1 - t)
    scaled = lambda x: mp.erfc(x) * mp.exp(x * x)
    yield piece("erfc_polynomial", "t", f"erfc(x) e^(x^2) in t = (x - {ERFC_CENTRE}) / (x + {ERFC_CENTRE}), 0 <= x <= 10.3, relative",
                lambda t: scaled(x_of(t)), lambda t: 1 / scaled(x_of(t)), ERFC_DEGREE, -1, (last - c) / (last + c))
    yield piece("inverse_cbrt_polynomial", "m", "m^(-1/3), 1 <= m <= 2, relative", lambda m: m ** (mpf(-1) / 3),
                lambda m: m ** (mpf(1) / 3), 7, 1, 2)


    yield piece("inverse_gamma_polynomial", "v", "1 / gamma(3/2 + v), |v| <= 1/2, relative", lambda v: mp.rgamma(v + 1.5),
                lambda v: mp.gamma(v + 1.5), 15, mpf(-1) / 2, mpf(1) / 2)
    yield piece("lgamma_polynomial", "t", "ln(gamma(2 + t)) / t, |t| <= 1/2, relative", log_gamma_after_2, lambda t: 1 / log_gamma_after_2(t), 17,
                mpf(-1) / 2, mpf(1) / 2)
    yield piece("stirling_polynomial", "t", "ln(gamma(x)) - (x - 1/2) (ln(x) - 1) in t = 1 / x, x >= 5/2, absolute", stirling_rest,
                lambda t: mpf(1), 14, tiny, mpf(2) / 5)
    yield erfinv_piece()


ERFINV_MIDDLE = mpf("6.25")
ERFINV_DEGREE = 23
ERFC_CENTRE = "3"
ERFC_DEGREE = 21

HEAD = """// Float32 functions: the polynomials. Written by tests/functions/generators/polynomials.py; not by hand.

"""


def main():
    text = HEAD + "\n".join(pieces())
    write_or_check(PATH, text, "polynomials.py")


main()
