"""W3 by NumPy: the closed form of core_bench.cpp's plain loop on whole arrays; prints the seconds of each run."""
import time

import numpy as np

cells = 200
axis = -3 + 6 * (np.arange(cells) + 0.5) / cells
kappa, tau = np.meshgrid(axis, axis)
for repetition in range(15):
    start = time.perf_counter()
    B2, A1 = 1 / kappa, 1 / tau
    total = np.zeros_like(kappa, dtype=int)
    for cx in (1, -1):
        for cy in (1, -1):
            cz = A1 * cx * cy
            a, b = cx + cz, B2 * cy + cz
            total += np.where(a * b - cz * cz < 0, 1, np.where(a < 0, 2, 0))
    cx = (1 - kappa**2 - tau**2) / (2 * kappa * tau)
    cy = (kappa**2 - tau**2 - 1) / (2 * tau)
    total += np.where((abs(cx) < 1) & (abs(cy) < 1), np.where(kappa < 0, 100, 200), 0)
    print(time.perf_counter() - start)
