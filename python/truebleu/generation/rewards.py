"""Rewards for training: BLEU of token ids, without a string."""

from __future__ import annotations

from truebleu.display import formatting
from truebleu.errors import LengthMismatchError, SettingsError
from truebleu.inputs.ragged import Ragged
from truebleu.metrics.bleu import Bleu

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from truebleu.metrics.settings import BleuSettings


def token_rewards(
    samples: Any,
    references: Any,
    *,
    pad: int | None = None,
    end_of_sequence: int | None = None,
    threads: int | None = None,
    **settings: Unpack[BleuSettings],
) -> NDArray[np.float64]:
    """Score sampled sequences of token ids against their references.

    Parameters
    ----------
    samples : array_like of int, shape (samples, length), or Ragged
    references : array_like of int, shape (references, length), or Ragged
        One for each sample; or fewer, and then each is that of as many samples in a row as there
        are more of these.
    pad : int, optional
        Stands for no token.
    end_of_sequence : int, optional
        Ends a sequence, and is no part of it.
    threads : int, optional
        All processors by default.
    **settings
        The settings of :class:`truebleu.Bleu` but the tokenizer.

    Returns
    -------
    ndarray of float64, shape (samples,)
        From 0 to 1.

    Raises
    ------
    LengthMismatchError
        If the number of samples is no multiple of that of the references.
    InputTypeError
        If one of them is no table of integers.

    Examples
    --------
    >>> from truebleu import token_rewards
    >>> token_rewards([[5, 6, 7, 2, 0], [5, 9, 7, 8, 2]], [[5, 6, 7, 2]], pad=0, end_of_sequence=2)
    array([1.        , 0.18995892])
    """
    import numpy as np

    if settings.get("tokenizer") is not None:
        raise SettingsError("token ids have no tokenizer; leave it out")
    settings["tokenizer"] = None
    own, others = (
        ids
        if isinstance(ids, Ragged)
        else Ragged.from_padded(ids, pad=pad, end_of_sequence=end_of_sequence)
        for ids in (samples, references)
    )
    if not len(others) or len(own) % len(others):
        raise LengthMismatchError(
            f"{formatting.count(len(own), 'sample')} for "
            f"{formatting.count(len(others), 'reference')}; as many, or a multiple, are needed"
        )
    if len(own) != len(others):
        several = others.split("references")
        times = len(own) // len(others)
        lengths = np.repeat([len(each) for each in several], times)
        values = np.concatenate([np.tile(each, times) for each in several])
        others = Ragged(values, np.concatenate([[0], np.cumsum(lengths)]))
    return np.asarray(Bleu(**settings).sentences(own, others, threads=threads) / 100)
