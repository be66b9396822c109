"""One Hypothesis profile file for every test: CI derandomised, no deadline anywhere. Kernels are
compiled once, before workers start, so that no worker pays for them or races for the cache."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

PROFILE = "ci" if os.environ.get("CI") else "local"
settings.register_profile("local", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", parent=settings.get_profile("local"), derandomize=True)
settings.load_profile(PROFILE)


def pytest_report_header() -> str:
    return f"hypothesis profile in use: {PROFILE}"


def pytest_sessionstart(session: pytest.Session) -> None:
    starts_workers = session.config.getoption("numprocesses", None)
    if starts_workers and not hasattr(session.config, "workerinput"):
        _compile_kernels()


def _compile_kernels() -> None:
    import numpy as np

    from numerics.monte_carlo.sampling import estimate
    from numerics.trajectories.batches import Law, Learner, Weight, train
    from proofs_check.catalogue import lane_module, load
    from proofs_check.draws import typical

    law, mean = Law(Weight.LOG_RATIO, learner=1.0, old=1.0), np.zeros(1)
    learner = Learner(0, 0.0, 0.0, mean, mean)
    train(law, learner, 1.0, steps=1, size=2, step=0.1, seed=0, free=False)
    for theorem in load().values():
        for quantity in theorem.quantities:
            estimator = getattr(lane_module("monte_carlo", theorem.name), quantity.name, None)
            if estimator is not None:
                place = typical(quantity.parameters)
                estimate(estimator, place, samples=2, seed=0, dimension=2, threads=1)
