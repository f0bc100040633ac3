#!/usr/bin/env python3
"""Arrays as kiln prints them, and as NumPy does: random ones of every type, magnitude and number of digits.

    numpy_text.py NPY_ROUND_TRIP

The exit status is 77 where there is no NumPy.
"""
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    sys.exit(77)

TYPES = ["f2", "f4", "f8", "c8", "c16", "i4", "u1", "?"]
SHAPES = [(1,), (5,), (11,), (2, 3), (1001,), (3, 400)]
COUNT = 600


def made(rng, number):
    shape = SHAPES[number // len(TYPES) % len(SHAPES)]
    size = int(np.prod(shape))
    x = 10.0 ** rng.uniform(-9, rng.choice([2, 9]), size) * rng.choice([-1, 1], size)
    if number % 5 == 0:
        x = np.round(x, int(rng.integers(0, 5)))
    if number % 7 == 0:
        x[rng.integers(0, size)] = rng.choice([0, -0.0, np.inf, -np.inf, np.nan])
    code = TYPES[number % len(TYPES)]
    if code in ("i4", "u1", "?"):
        x = np.nan_to_num(x, posinf=1, neginf=1) % 100
    if code.startswith("c"):
        x = x + 1j * rng.permutation(x)
    return x.astype(code).reshape(shape)


def main():
    rng = np.random.default_rng(2026)
    with tempfile.TemporaryDirectory() as folder, np.errstate(all="ignore"):
        files, expected = [], []
        for number in range(COUNT):
            x = made(rng, number)
            files.append(os.path.join(folder, f"{number}.npy"))
            np.save(files[-1], x)
            expected.append(str(x))
        printed = subprocess.run([sys.argv[1], "--print", *files], check=True, capture_output=True, text=True).stdout
    texts = printed.split("\n--\n")[:-1]
    assert len(texts) == COUNT, len(texts)
    wrong = [(x, y) for x, y in zip(expected, texts) if x != y]
    for x, y in wrong[:5]:
        print(f"NumPy:\n{x}\nkiln:\n{y}\n")
    print(f"{COUNT} arrays printed, {len(wrong)} otherwise than NumPy does")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
