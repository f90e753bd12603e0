"""W2 by NumPy: the closed form of the level curves of two bodies on whole arrays, curves by points."""
import numpy as np

import peer


def prepare(work):
    m1, m2, I1, I2, d1, d2, theta0, mu = (work[k] for k in ("m1", "m2", "I1", "I2", "d1", "d2", "theta0", "mu"))
    eps = m1 * m2 / (m1 + m2)
    J1, J2, D = I1 + eps * d1**2, I2 + eps * d2**2, eps * d1 * d2
    # One column each: energies of the librations, energies and signs of the others.
    inside, outside, sign = (np.array(work[k])[:, None] for k in ("librations", "rotations", "signs"))
    points = work["points"]

    def shared(psi):
        S = J1 + J2 + 2 * D * np.cos(psi)
        return S, -0.5 * (J1 - J2) * mu / S, J1 * J2 - D**2 + (D * np.sin(psi)) ** 2

    def run():
        # sin(psi/2) = k sin u goes smoothly through the turning points.
        u = 2 * np.pi * np.arange(points) / points
        above = 2 * inside * (J1 + J2 + 2 * D) - mu**2
        swing = 2 * np.arcsin(np.sqrt(above / (8 * D * inside)) * np.sin(u))
        S, nu0, det = shared(swing)
        swing_nu = nu0 + np.sqrt(above * det) * np.cos(u) / S
        psi = np.linspace(-np.pi, np.pi, points)
        S, nu0, det = shared(psi)
        turn_nu = nu0 + sign * np.sqrt(det * np.maximum(2 * outside * S - mu**2, 0)) / S
        return {"theta": [theta0 + swing, theta0 + psi], "nu": [swing_nu, turn_nu]}

    return run


peer.answer(prepare)
