"""W3 by NumPy: count and type of the equilibria of three bodies over two parameters, on whole arrays. Aligned bodies
by the closed form; in general all critical points of the shape function from the eigenvalues of companion matrices."""
import numpy as np

import peer


def aligned(kappa, tau):
    """The index of each straight state as a digit to the base 4, and the bent pair as a fifth."""
    B2 = tau / kappa
    code = np.zeros_like(kappa, dtype=int)
    for place, (cx, cy) in zip((1, 4, 16, 64), ((1, 1), (1, -1), (-1, 1), (-1, -1))):
        cz = cx * cy
        a, b = tau * cx + cz, B2 * cy + cz
        code += np.where(a * b - cz * cz < 0, place, np.where(a < 0, 2 * place, 0))
    cx = (1 - kappa**2 - tau**2) / (2 * kappa * tau)
    cy = (kappa**2 - tau**2 - 1) / (2 * tau)
    code += np.where((abs(cx) < 1) & (abs(cy) < 1), np.where(kappa < 0, 256, 512), 0)
    return code


# Row k: u^(6 - k) (1 - i t)^6 with u = (1 + i t)/(1 - i t), powers of t from the highest.
to_tangent = np.array([np.poly([1j] * (6 - k) + [-1j] * k) * 1j ** (6 - k) * (-1j) ** k for k in range(7)])


def general(bodies, e1, e2):
    """All roots of the sextic that is left when e^{iy} is eliminated; those on the unit circle are equilibria."""
    m1, m2, m3, c1, b1, d1 = (bodies[k] for k in ("m1", "m2", "m3", "c1", "b1", "d1"))
    e1, e2 = e1.ravel(), e2.ravel()
    M, w, ee = m1 + m2 + m3, b1 + e1, e2**2
    A = m1 * c1 * m3 * d1
    B1, C1 = (m3 * w + m2 * b1) * m1 * c1, m3 * e2 * m1 * c1
    B2, C2 = (m1 * w + m2 * e1) * m3 * d1, (m1 + m2) * e2 * m3 * d1
    P, Q = B1 + 1j * C1, B2 - 1j * C2
    p, q = P.conj(), Q.conj()
    # (A + q u)(A u + Q)(P u^2 - p)^2 - A^2 u (Q - q u^2)^2, highest power first
    a, b, c = q * A, A * A + q * Q, A * Q
    f, g, h = P * P, -2 * P * p, p * p
    sextic = np.stack([a * f, b * f - A * A * q * q, a * g + c * f, b * g + 2 * A * A * q * Q, a * h + c * g,
                       b * h - A * A * Q * Q, c * h], axis=-1)
    # Real in t = tan(x/2), because sextic/u^3 is real on the circle: a third of the time for the eigenvalues.
    real = (sextic @ to_tangent).real
    companion = np.zeros((len(e1), 6, 6))
    companion[:, 0, :] = -real[:, 1:] / real[:, :1]
    companion[:, np.arange(1, 6), np.arange(5)] = 1
    t = np.linalg.eigvals(companion)
    u = (1 + 1j * t) / (1 - 1j * t)
    on_circle = abs(abs(u) - 1) < 1e-6
    u /= abs(u)
    A, P, Q = np.full_like(P, A)[:, None], P[:, None], Q[:, None]
    # The other angle: A sin(x + y) = -Im(P u), Im(Q v) = Im(P u) are linear in cos y and sin y.
    s, cx, sx, A = (P * u).imag, u.real, u.imag, A.real
    det = A * (sx * Q.real - cx * Q.imag)
    cy, sy = (-s * Q.real - A * cx * s) / det, (A * sx * s + s * Q.imag) / det
    v = cy + 1j * sy
    J12, J23, J13 = (P * u).real, (Q * v).real, A * (u * v).real
    xx, yy, minor = J12 + J13, J23 + J13, J12 * J23 + J13 * (J12 + J23)
    top, bottom = on_circle & (minor > 0) & (xx > 0), on_circle & (minor > 0) & (xx < 0)
    # Whether gyroscopic terms hold those of index 2: s^4 + p s^2 + q of the linearisation, times det J.
    D1 = bodies["I1"] + m1 / M * (m2 + m3) * c1**2
    D2 = (bodies["I2"] + (m1 * (m2 * b1**2 + m3 * (w**2 + ee)) + m2 * m3 * (e1**2 + ee)) / M)[:, None]
    D3 = bodies["I3"] + m3 / M * (m1 + m2) * d1**2
    J12, J23, J13, k, l = J12 / M, J23 / M, J13 / M, s / M, minor / M**2
    R1, R2, R3 = D1 + J12 + J13, D2 + J12 + J23, D3 + J13 + J23
    locked = R1 + R2 + R3
    T = R2 * R3 * (J12 + J13) + R1 * R3 * (J12 + J23) + R1 * R2 * (J13 + J23)
    p, q, det = T - 2 * l * locked + 4 * k**2 * locked, l * locked, R1 * R2 * R3 - T + l * locked
    held = bottom & (p > 0) & (p**2 > 4 * q * det)
    return 100 * on_circle.sum(axis=1) + 10 * top.sum(axis=1) + held.any(axis=1)


def prepare(work):
    x, y = (low + (high - low) * (np.arange(cells) + 0.5) / cells for low, high, cells in (work["x"], work["y"]))
    x, y = np.meshgrid(x, y)
    if work["aligned"]:
        return lambda: {"cells": aligned(x, y).ravel()}
    return lambda: {"cells": general(work["bodies"], x, y)}


peer.answer(prepare)
