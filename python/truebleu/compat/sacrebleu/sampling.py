"""Samples as sacreBLEU draws them, with the seed that its environment names."""

from __future__ import annotations

import os

import numpy as np

from truebleu.significance.sacrebleu import SacrebleuSampler

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from truebleu._core import Engine


def seed_of_environment() -> int | None:
    """Return the seed that ``SACREBLEU_SEED`` names; ``none`` is a new one each time."""
    seed = os.environ.get("SACREBLEU_SEED", "12345")
    return None if seed.lower() == "none" else int(seed)


def sampler_of(engine: Engine) -> tuple[str, SacrebleuSampler]:
    """Return the seed as signatures write it, and what draws samples."""
    seed = seed_of_environment()
    return str(seed).lower(), SacrebleuSampler(engine, seed, lambda _: None)


def table_of(stats: Sequence[Sequence[int]]) -> NDArray[np.int64]:
    """Return statistics as a table."""
    return np.array(stats, np.int64)
