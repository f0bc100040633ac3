#!/usr/bin/env python3
"""Writes src/emit/helpers/float64/polynomials.inc: the polynomials of the float64 functions, with their errors.

    python3 float64_polynomials.py             prints the file
    python3 float64_polynomials.py --check     fails if the tree's file is another

As polynomials.py, but each is evaluated by Estrin's scheme: pairs of coefficients, then pairs of pairs by x^2, and so on. Horner's
chain, in which nothing is fused, would be twice as long as what the rest of a function waits for. The errors are those of the
coefficients in exact arithmetic, relative to the function's result.
"""
import pathlib
import sys

from fitting import even_part, fitted, hexadecimal, write_or_check
from mpmath import mp, mpf

PATH = pathlib.Path(__file__).resolve().parents[3] / "src/emit/helpers/float64/polynomials.inc"


def estrin(name, variable, coefficients):
    """The text of a function."""
    lines = [f"KILN_HELPER double {name}(double {variable})", "{"]
    terms = [hexadecimal(c) for c in coefficients]
    power, level = variable, 0
    while len(terms) > 1:
        if level:
            lines.append(f"    const double {variable}{2 ** level} = {power} * {power};")
            power = f"{variable}{2 ** level}"
        made = []
        for i in range(0, len(terms) - 1, 2):
            text = f"{terms[i]} + {terms[i + 1]} * {power}"
            if len(terms) == 2:
                lines.append(f"    return {text};")
                return lines + ["}", ""]
            lines.append(f"    const double {'abcdefg'[level]}{i // 2} = {text};")
            made.append(f"{'abcdefg'[level]}{i // 2}")
        terms = made + (terms[-1:] if len(terms) % 2 else [])
        level += 1


def piece(name, variable, says, function, weight, degree, low, high, fixed=()):
    """The text of one polynomial. weight: what turns its error into one relative to the result."""
    rounded, error = fitted(function, weight, degree, low, high, fixed)
    print(f"{name}: 2^{error}", file=sys.stderr)
    return "\n".join([f"// {says}; error 2^{error}"] + estrin(name, variable, rounded))


def pieces():
    tiny = mpf(2) ** -60
    half_log_2 = mp.log(2) / 2 * (1 + mpf(2) ** -30)

    def exp_rest(x):
        if abs(x) < mpf(2) ** -20:
            return mp.nsum(lambda n: x**n / mp.factorial(n + 2), [0, 8])
        return (mp.expm1(x) - x) / x**2
    yield piece("exp_polynomial", "r", "(e^r - 1 - r) / r^2, |r| <= ln 2 / 2", exp_rest,
                lambda x: x**2 / abs(mp.expm1(x)) if x else tiny, 10, -half_log_2, half_log_2)

    def exp_cubes(x):
        if abs(x) < mpf(2) ** -20:
            return mp.nsum(lambda n: x**n / mp.factorial(n + 3), [0, 8])
        return (mp.expm1(x) - x - x * x / 2) / x**3
    yield piece("expm1_polynomial", "r", "(e^r - 1 - r - r^2 / 2) / r^3, |r| <= ln 2 / 2", exp_cubes,
                lambda x: abs(x**3 / mp.expm1(x)) if x else tiny, 9, -half_log_2, half_log_2)
    s = mpf("0.1715729")
    yield piece("log_polynomial", "z", "(2 atanh(s) / s - 2) / s^2 in z = s^2, |s| <= 0.1715729",
                lambda z: 2 * even_part(mp.atanh)(z), lambda z: z / 2, 6, tiny, s**2)
    def pow_rest(z):
        x = mp.sqrt(z)
        with mp.workdps(130):
            return (3 * mp.atanh(x) / x - 3 - z) / z**2
    yield piece("pow_log_polynomial", "z", "(3 atanh(s) / s - 3 - s^2) / s^4 in z = s^2, |s| <= 0.1011, relative to 3", pow_rest,
                lambda z: z**2 / 3, 5, tiny, mpf("0.1011") ** 2)
    q = (mp.pi / 4) ** 2 * (1 + mpf(2) ** -20)
    yield piece("sin_polynomial", "z", "(sin(r) / r - 1) / r^2 in z = r^2, |r| <= pi / 4", even_part(mp.sin),
                lambda z: z * mp.sqrt(z) / mp.sin(mp.sqrt(z)), 5, tiny, q)
    yield piece("cos_polynomial", "z", "(cos(r) - 1 + r^2 / 2) / r^4 in z = r^2, |r| <= pi / 4",
                lambda z: ((mp.cos(mp.sqrt(z)) - 1) / z + mpf(1) / 2) / z, lambda z: z**2 / mp.cos(mp.sqrt(z)), 5,
                mpf(2) ** -30, q)
    yield piece("atan_polynomial", "z", "(atan(x) / x - 1) / x^2 in z = x^2, |x| <= 7 / 16", even_part(mp.atan),
                lambda z: z * mp.sqrt(z) / mp.atan(mp.sqrt(z)), 13, tiny, (mpf(7) / 16) ** 2 * (1 + mpf(2) ** -20))
    yield piece("asin_polynomial", "z", "(asin(x) / x - 1) / x^2 in z = x^2, |x| <= 1/2", even_part(mp.asin),
                lambda z: z * mp.sqrt(z) / mp.asin(mp.sqrt(z)), 12, tiny, mpf(1) / 4)
    last = (mpf(13) / 16) ** 2
    # Less a line of few bits, which is added in parts (erf_parts.inc).
    line_of_erf = lambda w: mpf(float.fromhex("0x1.597p-6")) - mpf(5) / 16 * w
    yield piece("erf_polynomial", "w", "erf(x) / x - 1 - (0x1.597p-6 - 5/16 w) in w = x^2 - 5/16, |x| <= 13/16",
                lambda w: mp.erf(mp.sqrt(w + mpf(5) / 16)) / mp.sqrt(w + mpf(5) / 16) - 1 - line_of_erf(w),
                lambda w: mp.sqrt(w + mpf(5) / 16) / mp.erf(mp.sqrt(w + mpf(5) / 16)), 11, tiny - mpf(5) / 16, last - mpf(5) / 16)
    first, last = mpf(13) / 16, mpf(28)
    v_of = lambda x: (x - 1) / (x + 1) - mpf(25) / 64
    x_of = lambda v: (1 + v + mpf(25) / 64) / (1 - v - mpf(25) / 64)
    log_of_tail = lambda x: mp.log(x * mp.erfc(x)) + x * x
    # Less a parabola of few bits, as above.
    parabola = lambda v: mpf(-167) / 256 + v * (mpf(41) / 128 - mpf(13) / 32 * v)
    yield piece("erfc_polynomial", "v", "ln(x erfc(x) e^(x^2)) - (-167/256 + 41/128 v - 13/32 v^2) in v = (x - 1) / (x + 1) - 25/64, 13/16 <= x <= 28, absolute",
                lambda v: log_of_tail(x_of(v)) - parabola(v), lambda v: mpf(1), 25, v_of(first), v_of(last))
    def erfinv_slope(w):
        x = mp.sqrt(-mp.expm1(-w))
        return mp.erfinv(x) / x if x else mp.sqrt(mp.pi) / 2
    near_of = lambda u: erfinv_slope((u + 1) * mpf("3.125"))
    yield piece("erfinv_near_polynomial", "u", "erfinv(x) / x in u = w / 3.125 - 1, w = -ln(1 - x^2) up to 6.25", near_of,
                lambda u: 1 / near_of(u), 10, mpf(-1), mpf(1))
    far_of = lambda v: erfinv_slope((v * mpf("1.75") + mpf("4.265625")) ** 2)
    v_of_root = lambda root: (root - mpf("4.265625")) / mpf("1.75")
    yield piece("erfinv_far_polynomial", "v", "erfinv(x) / x in v = (sqrt(w) - 4.265625) / 1.75, w from 6.25 to 36.05", far_of,
                lambda v: 1 / far_of(v), 12, v_of_root(mpf("2.5")), v_of_root(mp.sqrt(mpf("36.05"))))
    yield piece("asinh_polynomial", "z", "(asinh(x) / x - 1) / x^2 in z = x^2, |x| <= 0.3536", even_part(mp.asinh),
                lambda z: z * mp.sqrt(z) / mp.asinh(mp.sqrt(z)), 10, tiny, mpf("0.3536") ** 2)
    # What Stirling's formula leaves, less a constant of few bits (gamma_parts.inc).
    constant = mpf(float.fromhex("0x1.3574p-1"))
    limit = (mp.log(2 * mp.pi) - 1) / 2
    def stirling(t):
        left = mp.loggamma(1 / t) - (1 / t - mpf(1) / 2) * (mp.log(1 / t) - 1) if t > mpf(10) ** -12 else limit + t / 12
        return left / mp.log(2) - constant
    def sin_rest(z):
        x = mp.sqrt(z)
        with mp.workdps(130):
            return ((mp.sin(x) / x - 1) / z + mpf(1) / 6) / z
    yield piece("sin_rest_polynomial", "z", "(sin(r) / r - 1 + r^2 / 6) / r^4 in z = r^2, |r| <= pi / 4", sin_rest,
                lambda z: z**2 * mp.sqrt(z) / mp.sin(mp.sqrt(z)), 5, mpf(2) ** -30, q)
    slopes = (1 - mp.euler, (mp.zeta(2) - 1) / 2)
    def log_gamma_rest(t):
        if abs(t) < mpf(2) ** -20:
            return (1 - mp.zeta(3)) / 3 + (mp.zeta(4) - 1) / 4 * t - (mp.zeta(5) - 1) / 5 * t**2
        with mp.workdps(110):
            return (mp.loggamma(2 + t) - slopes[0] * t - slopes[1] * t**2) / t**3
    yield piece("lgamma_polynomial", "t", "(ln(gamma(2 + t)) - (1 - Euler's constant) t - (pi^2 / 12 - 1/2) t^2) / t^3, |t| <= 1/2",
                log_gamma_rest, lambda t: abs(t**3 / mp.loggamma(2 + t)) if t else tiny, 17, mpf(-1) / 2, mpf(1) / 2)
    yield piece("stirling_polynomial", "t", "log2(gamma(x)) - (x - 1/2) log2(x / e) - 0x1.3574p-1 in t = 1 / x, x >= 2, absolute",
                stirling, lambda t: mpf(1), 17, tiny, mpf(1) / 2)
    yield piece("inverse_cbrt_polynomial", "m", "m^(-1/3), 1 <= m <= 2", lambda m: m ** (mpf(-1) / 3),
                lambda m: m ** (mpf(1) / 3), 7, 1, 2)


HEAD = """// Float64 functions: the polynomials. Written by tests/functions/generators/float64_polynomials.py; not by hand.

"""


def main():
    write_or_check(PATH, HEAD + "\n".join(pieces()), "float64_polynomials.py")


main()
