"""The settings, the scores, and the two functions most people need."""

from __future__ import annotations

import os

from truebleu import _core, inputs, signature
from truebleu.errors import EmptyInputError, LengthMismatchError, SettingsError, StatsMismatchError
from truebleu.frozen import Frozen
from truebleu.score import BleuScore
from truebleu.settings import check
from truebleu.stats import BleuStats
from truebleu.tokenization import resolve

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from truebleu.settings import BleuSettings
    from truebleu.tokenization import Tokenizer

__all__ = ["Bleu", "BleuAccumulator", "BleuScore", "corpus_bleu", "sentence_bleu"]


class Bleu(Frozen):
    """BLEU under one choice of settings.

    The defaults are sacreBLEU's, and so is the number, to the last bit. Immutable, and safe to
    share between threads.

    Parameters
    ----------
    tokenizer : str, callable or None, default "13a"
        A name (``13a``, ``none``), a function from str to a list of str, or None for input that
        is tokens already: sequences of anything hashable, or token ids.
    lowercase : bool, default False
        Compare in lower case.
    max_order : int, optional
        The highest n-gram order, from 1 up. Default: as many as there are weights, else 4.
    weights : sequence of float, or of such sequences, optional
        The weight of each order, from order 1 on; they should add up to 1. Several such lists
        give several scores from one count. Default: uniform.
    smoothing : str, default "exp"
        What to do about orders without a match: ``none``, ``floor``, ``add-k``, ``exp``
        (sacreBLEU's), ``lin-och``, or NLTK's ``method0`` to ``method7``.
    smooth_value : float, optional
        The parameter of the smoothing, if it has one.
    effective_order : bool, default False
        Leave out the orders for which the hypotheses are too short.
    reference_length : str, default "closest"
        Which of several references' lengths counts: ``closest`` (of two, the shorter),
        ``closest-first`` (of two, the first), ``shortest``, ``longest``, ``average``.

    Raises
    ------
    SettingsError
        If a setting is outside its range, or two are at odds.
    UnknownNameError
        If a name is unknown; the message lists the choices.

    References
    ----------
    Papineni et al. (2002), https://aclanthology.org/P02-1040; Post (2018),
    https://aclanthology.org/W18-6319; Chen and Cherry (2014), https://aclanthology.org/W14-3346;
    Lin and Och (2004), https://aclanthology.org/C04-1072.

    Examples
    --------
    >>> bleu = Bleu(smoothing="floor", effective_order=True)
    >>> round(bleu.sentence("The cat sat.", ["The cat sat down."]).score, 2)
    59.46
    """

    __slots__ = (
        "_engine",
        "_function",
        "_native",
        "_sentence",
        "counting_key",
        "effective_order",
        "lowercase",
        "max_order",
        "reference_length",
        "row_width",
        "sentence_only",
        "smooth_value",
        "smoothing",
        "tokenizer",
        "tokenizer_name",
        "weights",
    )
    _engine: _core.Engine
    counting_key: str
    effective_order: bool
    lowercase: bool
    max_order: int
    reference_length: str
    row_width: int
    sentence_only: bool
    smooth_value: float | None
    smoothing: str
    tokenizer: Tokenizer
    tokenizer_name: str
    weights: tuple[tuple[float, ...], ...]

    def __init__(self, **settings: Unpack[BleuSettings]) -> None:
        """Check the settings; see the class."""
        checked = check(settings)
        name, native, function = resolve(checked["tokenizer"])
        if checked["lowercase"] and checked["tokenizer"] is None:
            raise SettingsError(
                "lowercase needs text: with tokenizer=None, lower-case the tokens yourself"
            )
        engine = _core.Engine(**{**checked, "tokenizer": native or "none"})
        values: dict[str, object] = {
            **checked,
            "_engine": engine,
            "_function": function,
            "_native": native is not None,
            "_sentence": engine.sentence,
            "row_width": engine.row_width,
            # NLTK computes these from the text of one segment.
            "sentence_only": checked["smoothing"] in ("method5", "method6", "method7"),
            "tokenizer_name": name,
        }
        for attribute, value in values.items():
            object.__setattr__(self, attribute, value)
        object.__setattr__(self, "counting_key", signature.counting_key(self))

    @property
    def counted_orders(self) -> int:
        """The n-gram orders in a row of statistics."""
        return self.row_width // 2 - 1

    @property
    def signature(self) -> str:
        """The settings as a reproducibility string; scores add the number of references."""
        return signature.write(self)

    @classmethod
    def from_signature(cls, text: str) -> Bleu:
        """Make a Bleu of a signature, ours or sacreBLEU's.

        Parameters
        ----------
        text : str
            As ``BleuScore.signature`` or sacreBLEU print it, long or short.

        Returns
        -------
        Bleu

        Raises
        ------
        SettingsError
            If it cannot be read, or the tokenizer is a function.
        """
        return cls(**signature.read(text))

    # Scoring

    def corpus(
        self,
        hypotheses: Iterable[Any],
        references: Iterable[Any] | None = None,
        *,
        reference_streams: Iterable[Iterable[Any]] | None = None,
        threads: int | None = None,
    ) -> BleuScore:
        """Score a whole corpus.

        Counts are summed over all segments before any ratio is taken, so the result is not the
        mean of the sentence scores.

        Parameters
        ----------
        hypotheses : iterable of length n
            System output, a segment per item: str, or tokens if ``tokenizer=None``.
        references : iterable of length n
            ``references[i]`` is the reference of ``hypotheses[i]``, or a list of its references,
            in which None stands for a missing one.
        reference_streams : iterable of iterables of length n, optional
            Instead of `references`: complete translations of the corpus (sacreBLEU's layout).
        threads : int, optional
            Threads to use. Default: the environment's TRUEBLEU_THREADS, else all processors. The
            result does not depend on it.

        Returns
        -------
        BleuScore

        Raises
        ------
        LengthMismatchError
            If the two differ in length. Nothing is ever truncated.
        EmptyInputError
            If there are no segments, or a segment has no reference.
        InputTypeError
            If an item is neither text nor tokens, or the layout looks transposed.
        """
        row, fewest, most = self._count(hypotheses, references, reference_streams, threads, False)
        return self._score(row, fewest if fewest == most else -1)

    def sentence(self, hypothesis: Any, references: Any) -> BleuScore:
        """Score one segment.

        Parameters
        ----------
        hypothesis : str, or sequence of tokens if ``tokenizer=None``
        references : str or sequence of str, or of sequences of tokens
            The reference, or all references.

        Returns
        -------
        BleuScore

        Raises
        ------
        EmptyInputError
            If there is no reference.
        InputTypeError
            If something is neither text nor tokens.
        """
        if self._native:
            try:
                score, row, several = self._sentence(hypothesis, references)
            except TypeError:
                pass
            else:
                if several:
                    return BleuScore(self, score, row, several)
        elif self.tokenizer is not None:
            inputs.check_text(hypothesis, "hypothesis")
        row, several, _ = self._count([hypothesis], [references], None, 1, False)
        return self._score(row, several)

    def sentences(
        self,
        hypotheses: Iterable[Any],
        references: Iterable[Any] | None = None,
        *,
        reference_streams: Iterable[Iterable[Any]] | None = None,
        threads: int | None = None,
    ) -> NDArray[np.float64]:
        """Score every segment by itself.

        Parameters and errors are those of :meth:`corpus`.

        Returns
        -------
        ndarray of float64, shape (n,), or (n, k) for k lists of weights
            Scores from 0 to 100.
        """
        import numpy as np

        rows, _, _ = self._count(hypotheses, references, reference_streams, threads, True)
        scores = np.frombuffer(self._engine.score_rows(rows), "<f8").astype(np.float64)
        return scores.reshape(-1, len(self.weights)) if len(self.weights) > 1 else scores

    def stats(
        self,
        hypotheses: Iterable[Any],
        references: Iterable[Any] | None = None,
        *,
        reference_streams: Iterable[Iterable[Any]] | None = None,
        threads: int | None = None,
    ) -> BleuStats:
        """Count, and leave the scoring for later.

        Parameters and errors are those of :meth:`corpus`.

        Returns
        -------
        BleuStats
            A row per segment.
        """
        rows, fewest, most = self._count(hypotheses, references, reference_streams, threads, True)
        return BleuStats(rows, self, fewest, most)

    def score(self, stats: BleuStats) -> BleuScore:
        """Score the sum of some statistics.

        Parameters
        ----------
        stats : BleuStats
            Counted with the same tokenizer, case, orders and reference length.

        Returns
        -------
        BleuScore

        Raises
        ------
        StatsMismatchError
            If they were counted differently.
        EmptyInputError
            If there are no rows.
        """
        if stats.counting_key != self.counting_key:
            raise StatsMismatchError(
                f"these statistics were counted under {stats.counting_key}, but this Bleu "
                f"counts under {self.counting_key}"
            )
        if not len(stats):
            raise EmptyInputError("there are no statistics to score")
        return self._score(stats.sum().data, stats.references)

    def scores(self, stats: BleuStats) -> list[float]:
        """Score every row of some statistics by itself, without NumPy.

        Parameters
        ----------
        stats : BleuStats
            Counted under these settings.

        Returns
        -------
        list of float
            From 0 to 100; with several lists of weights, those of the first.
        """
        scores = memoryview(self._engine.score_rows(stats.data)).cast("d").tolist()
        return scores[:: max(1, len(self.weights))]

    def stats_of_lines(
        self,
        hypotheses: _core.Lines,
        references: list[_core.Lines],
        segments: int,
        threads: int,
        *,
        each: bool = False,
    ) -> BleuStats:
        """Count lines of files that are being read; see :mod:`truebleu.files`.

        Returns
        -------
        BleuStats
            A row per segment if `each`, else their sum.
        """
        rows, fewest, most = self._engine.count_lines(
            hypotheses, references, segments, threads, each
        )
        return BleuStats(rows, self, fewest, most)

    def tokenize_lines(self, lines: _core.Lines) -> bytes:
        """Split the lines that are ready; one space between tokens, UTF-8."""
        return self._engine.tokenize_lines(lines)

    def accumulator(self) -> BleuAccumulator:
        """Return an empty accumulator, for a corpus that comes in batches."""
        return BleuAccumulator(self)

    def _count(
        self, hypotheses: Any, references: Any, streams: Any, threads: int | None, each: bool
    ) -> tuple[bytes, int, int]:
        threads = thread_count(threads)
        rows = each or self.sentence_only
        if self._native:
            counted = self._count_text(hypotheses, references, streams, threads, rows)
        else:
            counted = self._count_tokens(hypotheses, references, streams, threads, rows)
        if not each and rows and len(counted[0]) > 8 * self.row_width:
            raise SettingsError(
                f"smoothing {self.smoothing!r} is only defined for one sentence; use sentences(), "
                "or another smoothing for a corpus"
            )
        return counted

    def _count_text(
        self, hypotheses: Any, references: Any, streams: Any, threads: int, each: bool
    ) -> tuple[bytes, int, int]:
        own, others = inputs.segments(hypotheses, references, streams)
        try:
            counted = self._engine.count(own, others, threads, each)
        except TypeError:
            others = inputs.sequences(others)
            inputs.blame(own, others)
            counted = self._engine.count(own, others, threads, each)
        if counted[1] == 0:
            inputs.blame(own, others)
        return counted

    def _count_tokens(
        self, hypotheses: Any, references: Any, streams: Any, threads: int, each: bool
    ) -> tuple[bytes, int, int]:
        function = self._function
        if function is not None:
            own, others = inputs.segments(hypotheses, references, streams)
            if self.lowercase:
                split = function

                def function(text: str) -> list[str]:
                    return split(_core.lowercase(text))

            hypotheses, references = inputs.tokenized(own, others, function)
            streams = None
        ids = inputs.token_ids(hypotheses, references, streams)
        return self._engine.count_ids(*ids, threads, each)

    def _score(self, row: bytes, references: int | None) -> BleuScore:
        return BleuScore(self, self._engine.score(row)[0][0], row, references)

    def parts(self, row: bytes) -> tuple[list[float], list[float], float]:
        """Return the scores, the precisions in percent and the brevity penalty of a row."""
        return self._engine.score(row)

    def settings(self) -> dict[str, Any]:
        """Return the settings as keyword arguments.

        Returns
        -------
        dict
            ``Bleu(**bleu.settings()) == bleu``.
        """
        settings: dict[str, Any] = {name: getattr(self, name) for name in _SETTINGS}
        settings["weights"] = self.weights or None
        return settings

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the settings."""
        return _remake, (self.settings(),)

    def __eq__(self, other: object) -> bool:
        """Compare the settings."""
        if not isinstance(other, Bleu):
            return NotImplemented
        return self.settings() == other.settings()

    def __hash__(self) -> int:
        """Hash the settings."""
        return hash(tuple(self.settings().values()))

    def __repr__(self) -> str:
        """Write the settings down as a call."""
        settings = self.settings().items()
        return f"Bleu({', '.join(f'{name}={value!r}' for name, value in settings)})"


_SETTINGS = (
    "tokenizer",
    "lowercase",
    "max_order",
    "weights",
    "smoothing",
    "smooth_value",
    "effective_order",
    "reference_length",
)


class BleuAccumulator:
    """The score of a corpus that comes in batches; memory does not grow.

    Examples
    --------
    >>> running = Bleu().accumulator()
    >>> for batch in (["One two three four."], ["Five six seven eight."]):
    ...     running.add(batch, batch)
    >>> running.score().score
    100.0
    """

    __slots__ = ("_bleu", "_stats")

    def __init__(self, bleu: Bleu) -> None:
        """Begin with nothing."""
        self._bleu = bleu
        self._stats: BleuStats | None = None

    @property
    def stats(self) -> BleuStats | None:
        """The sum so far; None before the first batch."""
        return self._stats

    def add(self, hypotheses: Iterable[Any], references: Iterable[Any]) -> None:
        """Add a batch; parameters and errors are those of :meth:`Bleu.corpus`."""
        batch = self._bleu.stats(hypotheses, references).sum()
        self._stats = batch if self._stats is None else self._stats + batch

    def score(self) -> BleuScore:
        """Score what has been added so far.

        Raises
        ------
        EmptyInputError
            If nothing has been added.
        """
        if self._stats is None:
            raise EmptyInputError("nothing has been added yet")
        return self._bleu.score(self._stats)


def corpus_bleu(
    hypotheses: Iterable[Any],
    references: Iterable[Any] | None = None,
    *,
    reference_streams: Iterable[Iterable[Any]] | None = None,
    **settings: Unpack[BleuSettings],
) -> BleuScore:
    """Score a whole corpus with BLEU.

    N-gram counts are summed over all segments before any ratio is taken [1]_, so the result is
    not the mean of the sentence scores.

    Parameters
    ----------
    hypotheses : iterable of str, length n
        System output, one detokenised segment per item.
    references : iterable of str or of sequences of str, length n
        ``references[i]`` holds the reference, or all references, of ``hypotheses[i]``; not
        necessarily equally many for every segment.
    reference_streams : iterable of iterables of str, optional
        Instead of `references`: complete translations of the corpus (sacreBLEU's layout).
    **settings
        The settings of :class:`Bleu`.

    Returns
    -------
    BleuScore
        Immutable. ``score`` is on the 0-100 scale, ``fraction`` on 0-1, and ``signature`` names
        every choice the number depends on.

    Raises
    ------
    LengthMismatchError
        If the two differ in length. Nothing is ever truncated.
    EmptyInputError
        If the corpus, or the references of a segment, are empty.
    InputTypeError
        If an item is not text, or the layout looks transposed.

    References
    ----------
    .. [1] Papineni et al. (2002), https://aclanthology.org/P02-1040

    Examples
    --------
    >>> hypotheses = ["The cat sat on the mat.", "It rained all day."]
    >>> references = [
    ...     ["The cat sat on a mat.", "A cat sat on the mat."],
    ...     ["It was raining all day.", "It rained the whole day."],
    ... ]
    >>> round(corpus_bleu(hypotheses, references).score, 2)
    75.35
    """
    return Bleu(**settings).corpus(hypotheses, references, reference_streams=reference_streams)


def sentence_bleu(
    hypothesis: Any, references: Any, **settings: Unpack[BleuSettings]
) -> BleuScore:
    """Score one segment with BLEU.

    As in sacreBLEU's function of this name, ``effective_order`` is on by default: a segment of
    three tokens has no 4-grams, and should not score 0 for that.

    Parameters
    ----------
    hypothesis : str
        System output.
    references : str or sequence of str
        The reference, or all references.
    **settings
        The settings of :class:`Bleu`.

    Returns
    -------
    BleuScore

    Raises
    ------
    EmptyInputError
        If there is no reference.
    InputTypeError
        If something is not text.

    Examples
    --------
    >>> sentence_bleu("Good morning!", ["Good morning!", "Hello!"]).score
    100.0
    """
    if settings:
        return Bleu(**{"effective_order": True, **settings}).sentence(hypothesis, references)
    return _SENTENCE.sentence(hypothesis, references)


def thread_count(threads: int | None) -> int:
    """Return how many threads to use.

    Raises
    ------
    SettingsError
        If it is not a whole number from 1 up.
    """
    if threads is None:
        value = os.environ.get("TRUEBLEU_THREADS")
        if value is None:
            return os.cpu_count() or 1
        threads = int(value) if value.isdecimal() else 0
    if not isinstance(threads, int) or isinstance(threads, bool) or threads < 1:
        raise SettingsError("threads (or TRUEBLEU_THREADS) must be a whole number from 1 up")
    return threads


def _remake(settings: dict[str, Any]) -> Bleu:
    return Bleu(**settings)


_SENTENCE = Bleu(effective_order=True)
