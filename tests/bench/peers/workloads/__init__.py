"""The workloads, by kind. Each is a function of arrays in what the libraries have in common: `xp` is the library, put
in by description.bind()."""
from . import arithmetic, data, finance, grids, images, physics, reductions, rows, training  # noqa: F401
