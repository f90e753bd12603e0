"""W4 by SciPy: the crossings of orbits of three bodies by solve_ivp with DOP853 and an event."""
from math import cos, sin

from scipy.integrate import solve_ivp

import peer


def prepare(work):
    M, A1, B1, B2, C1, C2 = (work[k] for k in ("M", "A1", "B1", "B2", "C1", "C2"))
    I1, I2, I3 = work["inertias"]

    # Plain numbers: for five of them arrays are slower.
    def field(t, z):
        x, y, mu1, mu2, mu3 = z.tolist()
        cx, sx, cy, sy = cos(x), sin(x), cos(y), sin(y)
        J12, J23, J13 = (B1 * cx - C1 * sx) / M, (B2 * cy + C2 * sy) / M, A1 * (cx * cy - sx * sy) / M
        K12, K23, K13 = (B1 * sx + C1 * cx) / M, (B2 * sy - C2 * cy) / M, A1 * (sx * cy + cx * sy) / M
        l21, l31 = J12 / I1, J13 / I1
        p2, s = I2 - l21 * J12, J23 - l31 * J12
        l32 = s / p2
        z2 = mu2 - l21 * mu1
        w3 = (mu3 - l31 * mu1 - l32 * z2) / (I3 - l31 * J13 - l32 * s)
        w2 = z2 / p2 - l32 * w3
        w1 = mu1 / I1 - l21 * w2 - l31 * w3
        a, b, c = K12 * w1 * w2, K23 * w2 * w3, K13 * w1 * w3
        return w2 - w1, w3 - w2, a + c, b - a, -b - c

    def height(t, z):
        return sin(z[0])

    height.direction = 1

    def crossings(orbit):
        motion = solve_ivp(field, (0, orbit["end"]), orbit["start"], method="DOP853", rtol=work["rtol"],
                           atol=work["rtol"], events=height)
        # The start lies on the section; where the angle falls its sine rises half a turn away.
        return [z for t, z in zip(motion.t_events[0], motion.y_events[0]) if t > 1e-6 and cos(z[0]) > 0]

    return lambda: {"crossings": [crossings(orbit) for orbit in work["orbits"]]}


peer.answer(prepare)
