"""BLEU under one choice of settings: from data to statistics, from statistics to scores."""

from __future__ import annotations

from truebleu.errors import EmptyInputError, StatsMismatchError
from truebleu.inputs import sequences
from truebleu.inputs.checks import HYPOTHESES
from truebleu.metrics import dialects, signature
from truebleu.metrics.counter import Counter
from truebleu.metrics.formula import Formula
from truebleu.metrics.score import BleuScore
from truebleu.metrics.settings import check, check_tokens
from truebleu.metrics.stats import BleuStats
from truebleu.tokenizers.registry import PRETOKENIZED, resolve

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from truebleu._core import Engine
    from truebleu.inputs.ragged import Ragged
    from truebleu.metrics.settings import BleuSettings


class Bleu(Formula):
    """BLEU under one choice of settings.

    The defaults are sacreBLEU's, and so is the number, to the last bit. Immutable, and safe to
    share between threads.

    Parameters
    ----------
    tokenizer : str, callable or None, default "13a"
        A name (``13a``, ``intl``, ``zh``, ``char``, ``ja-mecab``, ``flores200``, ...), ``spm:`` and
        the path of a SentencePiece model, a function from str to a list of str, or None for
        input that is tokens already: sequences of anything hashable, or token ids.
    unicode_form : {"NFC", "NFD", "NFKC", "NFKD"}, optional
        Bring text into this Unicode normal form first. Default: compare it as it is.
    lowercase : bool, default False
        Compare in lower case.
    max_order : int, optional
        The highest n-gram order, from 1 up. Default: as many as there are weights, else 4.
    weights : sequence of float, or of such sequences, optional
        The weight of each order, from order 1 on; they should add up to 1. Several such lists
        give several scores from one count. Default: uniform.
    smoothing : str, default "exp"
        What to do about orders without a match: ``none``, ``floor``, ``add-k``, ``exp``
        (sacreBLEU's), ``lin-och``, ``nist``, ``skip-zero``, ``compare-mt``, or NLTK's ``method0``
        to ``method7``.
    smooth_value : float, optional
        The parameter of the smoothing, if it has one.
    effective_order : bool or None, default None
        Leave out the orders for which the hypotheses are too short. None does so where a single
        segment is scored, by whatever function or command, and never for a corpus.
    reference_length : str, default "closest"
        Which of several references' lengths counts: ``closest`` (of two, the shorter),
        ``closest-first`` (of two, the first), ``shortest``, ``longest``, ``average``.
    phantom_ngrams : bool, default False
        Count at least one n-gram of every order in every segment, however short, as NLTK does.

    Raises
    ------
    SettingsError
        If a setting is outside its range, or two are at odds.
    UnknownNameError
        If a name is unknown; the message lists the choices.
    MissingExtraError, ModelError
        If the tokenizer needs a library or a model that cannot be had.

    References
    ----------
    Papineni et al. (2002), https://aclanthology.org/P02-1040; Post (2018),
    https://aclanthology.org/W18-6319; Chen and Cherry (2014), https://aclanthology.org/W14-3346;
    Lin and Och (2004), https://aclanthology.org/C04-1072.

    Examples
    --------
    >>> bleu = Bleu(smoothing="floor")
    >>> round(bleu.sentence("The cat sat.", ["The cat sat down."]).score, 2)
    33.28
    """

    __slots__ = ("_counting", "_sentence")
    _counting: Counter
    # What scores a segment as it is given; None if the core cannot split it.
    _sentence: Callable[[Any, Any], tuple[float, bytes, int]] | None

    def __init__(self, **settings: Unpack[BleuSettings]) -> None:
        """Check the settings; see the class."""
        self._set(check(settings))

    def _set(self, checked: dict[str, Any]) -> None:
        """Keep checked settings, and make what counts and scores by them."""
        tokenization = resolve(checked["tokenizer"])
        if tokenization.name == PRETOKENIZED:
            check_tokens(checked)
        counter = Counter(tokenization, checked)
        object.__setattr__(self, "_counting", counter)
        self._fill(
            counter.engine,
            **checked,
            sentence_only=counter.sentence_only,
            tokenizer_name=tokenization.name,
            unicode=counter.unicode,
        )

    def _bind(self, engine: Engine) -> None:
        super()._bind(engine)
        native = self._counting.tokenization.native is not None
        object.__setattr__(self, "_sentence", engine.sentence if native else None)

    @classmethod
    def from_signature(cls, text: str) -> Bleu:
        """Make a Bleu of a signature, ours or sacreBLEU's of any version.

        Parameters
        ----------
        text : str
            As ``BleuScore.signature`` or sacreBLEU print it, long or short, or a line that has it,
            such as ``BLEU+case.mixed+numrefs.1+smooth.exp+tok.13a+version.1.4.14 = 27.3``.
            Line breaks, backticks and LaTeX's escapes do not matter. A `SettingsWarning` names
            what it says and a Bleu cannot do: test sets, several references, resampling.

        Returns
        -------
        Bleu

        Raises
        ------
        SettingsError
            If it cannot be read, is of another metric, or the tokenizer is a function.
        """
        bleu = cls(**signature.read(text))
        signature.warn_of_differences(bleu, text)
        return bleu

    @classmethod
    def dialect(cls, name: str) -> Bleu:
        """Make the Bleu that computes as another tool does.

        Parameters
        ----------
        name : str
            Such as ``nltk``; a key of :data:`truebleu.DIALECTS`, which has the tool's scale, too.
        """
        return cls(**dialects.named(name).settings)

    def corpus(
        self,
        hypotheses: Iterable[Any] | Ragged,
        references: Iterable[Any] | Ragged | None = None,
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
            If the two differ in length, as they do when the layout is transposed. Nothing is ever
            truncated.
        EmptyInputError
            If there are no segments, or a segment has no reference.
        InputTypeError
            If an item is neither text nor tokens.
        """
        row, fewest, most = self._counting.corpus(
            hypotheses, references, reference_streams, threads, each=False, check=HYPOTHESES
        )
        return self._score(row, fewest if fewest == most else -1)

    def sentence(self, hypothesis: Any, references: Any) -> BleuScore:
        """Score one segment, by default with ``effective_order``; errors are as in :meth:`corpus`.

        Parameters
        ----------
        hypothesis : str, or sequence of tokens if ``tokenizer=None``
        references : str or sequence of str, or of sequences of tokens
            The reference, or all references.
        """
        bleu = self._for_segments or self.for_segments
        try:
            # Where the core cannot split the text, this is None, and calling it a TypeError.
            score, row, several = bleu._sentence(hypothesis, references)  # type: ignore[misc]
        except TypeError:
            pass
        else:
            if several:
                return BleuScore(bleu, score, row, several, True)
        check = HYPOTHESES if self.tokenizer is None else None
        if not check:
            sequences.check_text(hypothesis, "hypothesis")
        one = ([hypothesis], [references], None, 1)
        row, several, _ = self._counting.corpus(*one, each=False, check=check)
        return BleuScore(bleu, bleu.parts(row)[0][0], row, several, True)

    def sentences(
        self,
        hypotheses: Iterable[Any] | Ragged,
        references: Iterable[Any] | Ragged | None = None,
        *,
        reference_streams: Iterable[Iterable[Any]] | None = None,
        threads: int | None = None,
    ) -> NDArray[np.float64]:
        """Score every segment by itself, by default with ``effective_order``.

        Parameters and errors are those of :meth:`corpus`.

        Returns
        -------
        ndarray of float64, shape (n,), or (n, k) for k lists of weights
            Scores from 0 to 100.
        """
        import numpy as np

        rows, _, _ = self._counting.corpus(
            hypotheses, references, reference_streams, threads, each=True
        )
        scores = np.frombuffer(self.for_segments._engine.score_rows(rows), "<f8")
        scores = scores.astype(np.float64)
        return scores.reshape(-1, len(self.weights)) if len(self.weights) > 1 else scores

    def stats(
        self,
        hypotheses: Iterable[Any] | Ragged,
        references: Iterable[Any] | Ragged | None = None,
        *,
        reference_streams: Iterable[Iterable[Any]] | None = None,
        threads: int | None = None,
    ) -> BleuStats:
        """Count, and leave the scoring for later: a row per segment.

        Parameters and errors are those of :meth:`corpus`.
        """
        return self.count(
            hypotheses, references, threads, streams=reference_streams, check=HYPOTHESES
        )

    def count(
        self,
        hypotheses: Any,
        references: Any,
        threads: int | None = None,
        *,
        streams: Any = None,
        check: str | None,
    ) -> BleuStats:
        """Count as :meth:`stats` does; `check` is what warnings call the hypotheses, if any."""
        rows, fewest, most = self._counting.corpus(
            hypotheses, references, streams, threads, each=True, check=check
        )
        return BleuStats(rows, self, fewest, most)

    def score(self, stats: BleuStats) -> BleuScore:
        """Score the sum of some statistics, as a corpus even if it is of one row.

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
        """Score every row as a segment by itself, without NumPy; by the first of several weights.

        Returns
        -------
        list of float
            From 0 to 100.
        """
        import struct

        scores = self.for_segments._engine.score_rows(stats.data)
        return list(struct.unpack(f"<{len(scores) // 8}d", scores))[:: max(1, len(self.weights))]

    def _score(self, row: bytes, references: int | None) -> BleuScore:
        return BleuScore(self.for_corpora, self._engine.score(row)[0][0], row, references)
