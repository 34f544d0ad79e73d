"""Random samples as sacreBLEU draws them, seeded by its environment variable."""

from __future__ import annotations

import os

import numpy as np

from truebleu.significance.parameters import SEED
from truebleu.significance.sacrebleu import SacrebleuSampler

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from truebleu._core import Engine


def seed_of_environment() -> int | None:
    """Return the seed in ``SACREBLEU_SEED``; None, for a new one each time, if it is ``none``."""
    seed = os.environ.get("SACREBLEU_SEED", str(SEED))
    return None if seed.lower() == "none" else int(seed)


def sampler_of(engine: Engine) -> tuple[str, SacrebleuSampler]:
    """Return the seed as it appears in signatures, and the sampler."""
    seed = seed_of_environment()
    return str(seed).lower(), SacrebleuSampler(engine, seed, lambda _: None)


def table_of(stats: Sequence[Sequence[int]]) -> NDArray[np.int64]:
    """Return statistics as an array."""
    return np.array(stats, np.int64)
