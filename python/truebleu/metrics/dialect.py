"""How another tool computes a metric, and the dialects of each metric by name."""

from __future__ import annotations

from truebleu.display.shown import Result
from truebleu.metrics.settings import number
from truebleu.suggestions import unknown_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class Dialect(Result):
    """How one tool computes a metric.

    >>> import truebleu
    >>> truebleu.DIALECTS["nltk"].tool
    'NLTK 3.10, corpus_bleu of text.split()'

    Parameters
    ----------
    name : str
        The key in :data:`truebleu.DIALECTS`.
    tool : str
        The tool, its version, and the function or script.
    about : str
        Where it is used, in one sentence.
    scale : int
        The tool's score of a perfect corpus: 1 or 100.
    settings : mapping
        What differs from the defaults: for BLEU, keyword arguments of :class:`truebleu.Bleu`; for
        chrF, :data:`truebleu.metrics.chrf.dialects.DEFAULTS` lists them.
    defects : tuple of str
        Unexpected behavior of the tool, and differences that cannot be reproduced.
    metric : {"bleu", "chrf"}, default "bleu"
    """

    name: str
    tool: str
    about: str
    scale: int
    settings: Mapping[str, Any]
    defects: tuple[str, ...] = ()
    metric: str = "bleu"

    def number(self, score: float) -> float:
        """Convert a score from the 0-100 scale to the scale of the tool."""
        return on_scale(number("score", score), self.scale)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle a dialect of a registry by name, so that copies are the same object."""
        registered = dialects_of(self.metric).get(self.name) is self
        return (named, (self.metric, self.name)) if registered else super().__reduce__()

    def __str__(self) -> str:
        return repr(self)[len("<Dialect ") : -1]

    def __repr__(self) -> str:
        return f"<Dialect {self.name}: {self.tool}>"


def on_scale(score: float, scale: int) -> float:
    """Convert a score from the 0-100 scale to a scale of 1 or 100."""
    return score if scale == 100 else score * scale / 100


def dialects_of(metric: str) -> Mapping[str, Dialect]:
    """Return the dialects of a metric by name, which are in the folder of that metric."""
    from importlib import import_module

    dialects: Mapping[str, Dialect] = import_module(f"truebleu.metrics.{metric}.dialects").DIALECTS
    return dialects


def named(metric: str, name: str) -> Dialect:
    """Return a dialect of a metric."""
    return chosen(dialects_of(metric), name)


def chosen(dialects: Mapping[str, Dialect], name: str) -> Dialect:
    """Return one of some dialects; UnknownNameError lists them."""
    if not isinstance(name, str) or name not in dialects:
        raise unknown_name("dialect", name, dialects)
    return dialects[name]
