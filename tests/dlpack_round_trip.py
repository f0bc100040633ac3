#!/usr/bin/env python3
"""Arrays of NumPy's (and of PyTorch's, on the host and on a GPU, where it is installed) through kiln by DLPack, without a copy.

    dlpack_round_trip.py DLPACK_MODULE

The exit status is 77 where there is neither.
"""
import ctypes
import gc
import sys
import weakref

api = ctypes.pythonapi
api.PyCapsule_GetPointer.restype = ctypes.c_void_p
api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
api.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
api.PyCapsule_New.restype = ctypes.py_object
api.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]

FRESH, USED = b"dltensor", b"used_dltensor"  # static: a capsule keeps the pointer


class Made:
    """What kiln made, for whoever asks by the protocol."""

    def __init__(self, pointer, device):
        self.pointer, self.device = pointer, device

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **_):
        return api.PyCapsule_New(self.pointer, FRESH, None)


def odd_numbers(module, x):
    capsule = x.__dlpack__()
    made = module.odd_numbers(api.PyCapsule_GetPointer(capsule, FRESH))
    assert made, "refused"
    api.PyCapsule_SetName(capsule, USED)  # it is kiln's now
    return Made(made, x.__dlpack_device__())


def check(module, library, name, make):
    shapes = [(), (5,), (3, 4), (2, 0), (2, 3, 4)]
    for shape in shapes:
        for change in (lambda x: x, lambda x: x.T if x.ndim == 2 else x, lambda x: x[..., 1:] if x.ndim > 1 and x.shape[-1] else x):
            x = change(make(shape))
            y = library.from_dlpack(odd_numbers(module, x))
            assert tuple(y.shape) == tuple(x.shape), (name, shape, y.shape)
            assert bool((y == x * 2 + 1).all()), (name, shape, x, y)
            assert y.dtype == x.dtype, (name, y.dtype)
    print(f"{name}: {len(shapes) * 3} arrays went through")


def main():
    module = ctypes.CDLL(sys.argv[1])
    module.odd_numbers.restype = ctypes.c_void_p
    module.odd_numbers.argtypes = [ctypes.c_void_p]
    found = False
    try:
        import numpy as np
        found = True
        for code in ("f4", "f8", "i4"):
            check(module, np, f"NumPy {code}", lambda shape, code=code: np.arange(np.prod(shape, dtype=int), dtype=code).reshape(shape))

        class Watched(np.ndarray):
            """Plain arrays have no weak references."""

        x = np.zeros(1000, "f4").view(Watched)
        gone = weakref.ref(x)
        y = np.from_dlpack(odd_numbers(module, x))
        del x
        gc.collect()
        assert gone() is None, "kiln keeps what it no longer reads"
        assert y.sum() == 1000
    except ImportError:
        pass
    try:
        import torch
        found = True
        for device in ["cpu"] + ["cuda"] * torch.cuda.is_available():
            for kind in (torch.float32, torch.float64, torch.int32):
                check(module, torch, f"PyTorch {kind} {device}",
                      lambda shape, kind=kind, device=device: torch.arange(int(torch.tensor(shape).prod()) if shape else 1, dtype=kind,
                                                                           device=device).reshape(shape))
    except ImportError:
        pass
    sys.exit(0 if found else 77)


if __name__ == "__main__":
    main()
