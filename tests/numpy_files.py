#!/usr/bin/env python3
"""Files that NumPy writes, through npy_round_trip, read by NumPy: every type, order, byte order, version of the format and some shapes.

    numpy_files.py NPY_ROUND_TRIP

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

TYPES = ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"]
SHAPES = [(), (1,), (0, 3), (7,), (2, 3), (2, 3, 4), (1, 2, 1, 2, 1, 2, 1, 2)]


def main():
    program = sys.argv[1]
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        before, after = os.path.join(folder, "before.npy"), os.path.join(folder, "after.npy")
        # A process starts in some hundredths of a second: each type and each shape, not all pairs with all orders.
        for number, code in enumerate(TYPES):
            for order in "<>":
                for shape in SHAPES[number % 3::3] + [(2, 3, 4)]:
                    x = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(np.dtype(code).newbyteorder(order))
                    if number % 2:
                        x = np.asfortranarray(x)
                    with open(before, "wb") as file:
                        np.lib.format.write_array(file, x, version=(1 + count % 3, 0))
                    subprocess.run([program, before, after], check=True)
                    y = np.load(after)
                    same = y.dtype == np.dtype(code) and y.shape == x.shape and np.array_equal(x, y)
                    assert same, f"{x.dtype} {shape} came back as {y.dtype} {y.shape}: {y}"
                    assert y.flags.c_contiguous
                    count += 1
    print(f"{count} arrays went through")
    # A thousand would be a promise that the list above keeps; an empty list would keep none.
    sys.exit(0 if count > 50 else 1)


if __name__ == "__main__":
    main()
