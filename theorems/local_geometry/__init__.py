r"""Local geometry and exponential convergence: the Hessian of the reverse KL at the target.

It is the Fisher information, which is D = diag(\alpha(1-\alpha), \alpha I, (1-\alpha) I) less a
matrix that is exponentially small in the squared distance of the modes.
"""

from __future__ import annotations

from theorems.language import Argument, Theorem
from theorems.local_geometry.quantities import FREE, QUANTITIES


def _argument() -> Argument:
    from theorems.local_geometry.argument import ARGUMENT

    return ARGUMENT


THEOREM = Theorem(
    name="local_geometry",
    title="Local geometry and exponential convergence",
    source="reconstructed",
    statement=(
        "At the target the Hessian of R in (phi, m_o, m_n) is the Fisher information. It differs "
        "from diag(alpha(1 - alpha), alpha, 1 - alpha) by at most (1/2) sqrt(alpha(1 - alpha)) "
        "e^(-delta^2/8) max(2, 1 + delta^2/2) in operator norm, its smallest eigenvalue "
        "lambda_min is positive, and near the target the flow converges at the rate lambda_min."
    ),
    parameters=FREE,
    quantities=QUANTITIES,
    argument=_argument,
    section=4,
)
