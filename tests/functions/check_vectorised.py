"""check_vectorised.py OBJDUMP SET OBJECT: every loop_* of loops.cpp's object, and every block_* and angles_* of the library's float64
functions that are not C's, has a vectorised body (loop_lgamma calls loop_lgamma_apart and looks at each element).

It has packed arithmetic of doubles in registers as wide as the set's; loop_*_for_f16, which only looks at bits, packed comparisons. The code for the last few elements stands there up
to three times, once for each: a vectorised loop has at least a quarter as many packed operations as single ones; one that
is not vectorised has none.
"""
import re
import subprocess
import sys

objdump, name, path = sys.argv[1:]
register = {"sse2": "%xmm", "avx2": "%ymm", "avx512": "%zmm"}[name]
text = subprocess.run([objdump, "-d", "--no-show-raw-insn", path], check=True, capture_output=True, text=True).stdout
of_float64 = r"[0-9a-f]+ <_ZN\S*N_1L?\d+((?:block|angles)_\w+?)E\S*>:"
called = "loop_lgamma$"
failed = False
loops = 0
for function in re.split(r"\n\n", text):
    found = re.match(r"[0-9a-f]+ <(loop_\w+)_" + name + ">:", function) or re.match(of_float64, function)
    if not found or re.match(called, found[1]):
        continue
    loops += 1
    lines = function.splitlines()
    arithmetic = r"\tv?(mul|div|add|sub|sqrt|fn?m(add|sub)\d+)"
    looks_at_bits = re.search(r"_for_b?f16$", found[1])
    of_packed, of_single = (r"\tv?p?cmp\w*(ps|d) ", r"\tv?u?comiss ") if looks_at_bits else (arithmetic + "pd ", arithmetic + "sd ")
    packed = sum(bool(re.search(of_packed, line)) and register in line for line in lines)
    single = sum(bool(re.search(of_single, line)) for line in lines)
    # Of those, what is left of a vector is written out, up to seven times.
    if packed < max(single / (8 if looks_at_bits else 4), 1 if looks_at_bits else 4):
        print(f"{found[1]}: {packed} packed and {single} single operations: not vectorised with {name}")
        failed = True
print(f"{loops} loops with {name}")
sys.exit(failed or loops == 0)
