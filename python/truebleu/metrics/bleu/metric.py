"""The metric BLEU: counts text and scores the counts under fixed settings."""

from __future__ import annotations

from truebleu._core import SACREBLEU_SMOOTHINGS
from truebleu.calls import explained
from truebleu.errors import SettingsError
from truebleu.inputs import sequences
from truebleu.inputs.checks import HYPOTHESES
from truebleu.metrics.base import Metric
from truebleu.metrics.bleu import dialects, signature
from truebleu.metrics.bleu.counter import Counter
from truebleu.metrics.bleu.formula import Formula
from truebleu.metrics.bleu.score import BleuScore
from truebleu.metrics.bleu.settings import check, check_tokens
from truebleu.metrics.bleu.stats import BleuStats
from truebleu.tokenizers.registry import PRETOKENIZED, resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import ArrayLike, NDArray
    from typing_extensions import Unpack

    from truebleu._core import BleuEngine, Lines, Observed, Texts
    from truebleu.inputs.ragged import Ragged
    from truebleu.metrics.bleu.about import BleuAbout
    from truebleu.metrics.bleu.dialects import DialectName
    from truebleu.metrics.bleu.settings import BleuSettings
    from truebleu.metrics.stats import Stats
    from truebleu.metrics.text_counting import Counted


class Bleu(Formula, Metric["BleuScore"]):  # type: ignore[override]  # As in CoreMetric.
    """BLEU with fixed settings.

    With the default settings, scores equal sacreBLEU's to the last bit. Immutable, and safe to
    share between threads.

    Parameters
    ----------
    tokenizer : str, SentencePiece or callable, default "13a"
        A name (``13a``, ``intl``, ``zh``, ``char``, ``ja-mecab``, ``flores200``, ...), a
        :class:`truebleu.SentencePiece` model, a function from str to a list of str, or
        ``pretokenized`` for tokenized input: sequences of hashable tokens, or of token IDs.
    unicode_form : {"NFC", "NFD", "NFKC", "NFKD"}, optional
        Convert text to this Unicode normal form first. Default: no normalization.
    lowercase : bool, default False
        Lower-case text first.
    max_order : int, optional
        The highest n-gram order, from 1 to 1,000. Default: the number of weights, else 4.
    weights : sequence of float, or of such sequences, optional
        The weights of the orders, from order 1 on; they should add up to 1. With several lists,
        several scores are computed from the same counts. Default: uniform.
    smoothing : str, default "exp"
        How to smooth n-gram precisions: ``none``, ``floor``, ``add-k``, ``exp`` (sacreBLEU's
        default), ``lin-och``, ``nist``, ``skip-zero``, ``compare-mt``, or NLTK's ``method0``
        to ``method7``.
    smooth_value : float, optional
        The parameter of the smoothing, if it has one.
    effective_order : bool or None, default None
        Leave out the orders for which the hypotheses are too short. None: only where single
        segments are scored, by any function or command, and never for a corpus.
    reference_length : str, default "closest"
        The length to use if a segment has several references: ``closest`` (on a tie, the
        shorter), ``closest-first`` (on a tie, the first), ``shortest``, ``longest``, ``average``.
    phantom_ngrams : bool, default False
        Count at least one n-gram of every order in every segment, however short, as NLTK does.

    Raises
    ------
    SettingsError
        If a setting is outside its range, or two conflict.
    UnknownNameError
        If a name is unknown; the message lists the choices.
    MissingExtraError
        If the tokenizer needs a package that is not installed.
    ModelError
        If the model of the tokenizer is not available.

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

    __module__ = "truebleu"

    __slots__ = ("_counter", "core_sentence")
    _counter: Counter
    # Scores a segment in the core for a metric; returns None if the core cannot do that.
    core_sentence: Callable[[Bleu, Any, Any], BleuScore | None]

    name = "BLEU"
    identifier = "bleu"
    score_type = BleuScore
    stats_type = BleuStats

    @explained("pass settings by name, such as Bleu(tokenizer='13a')")
    def __init__(self, **settings: Unpack[BleuSettings]) -> None:
        """Check the settings; see the class."""
        self._set(check(settings))

    def _set(self, checked: dict[str, Any]) -> None:
        """Set checked settings, and create the counter and the engine for them."""
        tokenization = resolve(checked["tokenizer"])
        if tokenization.kind == PRETOKENIZED:
            check_tokens(checked)
        counter = Counter(tokenization, checked)
        self._fill(_counter=counter)
        self._keep(
            counter.engine,
            **checked,
            sentence_only=counter.sentence_only,
            tokenizer_name=tokenization.name,
            unicode=counter.unicode,
        )

    def _bind(self, core: BleuEngine) -> None:
        super()._bind(core)
        score: Any = _not_in_core
        if self.takes_tokens:
            score = core.sentence_of_tokens
        elif self.tokenizes_in_core:
            score = core.sentence
        self._fill(core_sentence=score)

    @property
    def about(self) -> BleuAbout:
        """What people are told about BLEU."""
        from truebleu.metrics.bleu.about import BleuAbout

        return BleuAbout(self)

    @property
    def scores_per_segment(self) -> int:
        """How many scores a segment has: one for each list of weights."""
        return max(1, len(self.weights))

    @property
    def tokenizes_in_core(self) -> bool:
        """Whether the core tokenizes text, and not a library or a function."""
        return self._counter.tokenization.kind == "native"

    @classmethod
    def from_signature(cls, text: str) -> Bleu:
        """Create a Bleu from a signature of truebleu, or of any version of sacreBLEU.

        Parameters
        ----------
        text : str
            A signature as ``BleuScore.signature`` or sacreBLEU prints it, long or short, or a line
            that contains one, such as
            ``BLEU+case.mixed+numrefs.1+smooth.exp+tok.13a+version.1.4.14 = 27.3``.
            Line breaks, backticks and LaTeX escapes are ignored.

        Returns
        -------
        Bleu

        Raises
        ------
        SettingsError
            If the signature cannot be read, belongs to another metric, or names a function as
            tokenizer.

        Warns
        -----
        SettingsWarning
            If the signature has fields that are not settings of BLEU: test sets, several
            references, resampling; or if scores may differ from those of the tool that wrote it.
        """
        bleu = cls(**signature.read(text))
        signature.warn_of_differences(bleu, text)
        return bleu

    @classmethod
    def dialect(cls, name: DialectName) -> Bleu:
        """Create a Bleu that computes the scores of another tool.

        Parameters
        ----------
        name : str
            A key of :data:`truebleu.DIALECTS`, such as ``nltk``. Scores are from 0 to 100; to
            convert them to the scale of the tool, use :meth:`truebleu.Dialect.number`.

        Returns
        -------
        Bleu

        Raises
        ------
        UnknownNameError
            If there is no dialect of that name; the message lists the choices.
        """
        return cls(**dialects.named(name).settings)

    def sentence(self, hypothesis: Any, references: Any) -> BleuScore:
        """Score one segment, by default with ``effective_order``.

        Raises the errors of :meth:`corpus`.

        Parameters
        ----------
        hypothesis : str, or sequence of tokens if ``tokenizer="pretokenized"``
        references : str or sequence of str, or of sequences of tokens
            The reference, or all references.

        Returns
        -------
        BleuScore
        """
        bleu = self._for_segments or self.for_segments
        score = bleu.core_sentence(bleu, hypothesis, references)
        if score is not None:
            return score
        check = HYPOTHESES if self.tokenizer == PRETOKENIZED else None
        if not check:
            sequences.check_text(hypothesis, "hypothesis")
        row, nrefs, _ = self.count_rows(
            [hypothesis], [references], None, 1, each=False, check=check
        )
        return BleuScore(bleu, bleu.row_value(row), row, nrefs, True)

    def sentences(
        self,
        hypotheses: Iterable[Any] | Ragged,
        references: Iterable[Any] | Ragged | None = None,
        *,
        reference_streams: Iterable[Iterable[Any]] | None = None,
        threads: int | None = None,
    ) -> NDArray[np.float64]:
        """Score each segment separately, by default with ``effective_order``.

        Parameters and errors are those of :meth:`corpus`.

        Returns
        -------
        ndarray of float64, shape (n,), or (n, k) for k lists of weights
            From 0 to 100.
        """
        import numpy as np

        rows, _, _ = self.count_rows(hypotheses, references, reference_streams, threads, each=True)
        scores = np.frombuffer(self.for_segments.core.score_lists(rows), "<f8")
        scores = scores.astype(np.float64)
        return scores.reshape(-1, len(self.weights)) if len(self.weights) > 1 else scores

    if TYPE_CHECKING:

        def stats(
            self,
            hypotheses: Iterable[Any] | Ragged,
            references: Iterable[Any] | Ragged | None = None,
            *,
            reference_streams: Iterable[Iterable[Any]] | None = None,
            threads: int | None = None,
        ) -> BleuStats:
            """Count the segments without scoring them; see :meth:`Metric.stats`."""

    def scores(self, rows: BleuStats | ArrayLike) -> NDArray[np.float64]:
        """Score each row as a separate segment; uses the first of several lists of weights.

        Parameters
        ----------
        rows : BleuStats, or array_like of int64, shape (n, fields)

        Returns
        -------
        ndarray of float64, shape (n,)
            From 0 to 100.
        """
        import numpy as np

        stats = rows if isinstance(rows, BleuStats) else BleuStats.from_numpy(rows, self)
        self._check_key(stats)
        scores = np.frombuffer(self.for_segments.row_scores(stats.data), "<f8")
        return scores.astype(np.float64)

    def count_rows(
        self,
        hypotheses: Any,
        references: Any,
        streams: Any,
        threads: int | None,
        *,
        each: bool,
        check: str | None = None,
        observed: Observed | None = None,
    ) -> Counted:
        """Count a corpus; see :meth:`truebleu.Metric.count_rows`."""
        return self._counter.corpus(
            hypotheses, references, streams, threads, each, check=check, observed=observed
        )

    def count_together(
        self, systems: Mapping[str, Any], references: Any, streams: Any, threads: int | None
    ) -> dict[str, Stats] | None:
        """Count several systems at once; see :meth:`truebleu.Metric.count_together`."""
        counted = self._counter.together(systems, references, streams, threads)
        if counted is None:
            return None
        rows = zip(systems, counted, strict=True)
        return {name: BleuStats(row, self, fewest, most) for name, (row, fewest, most) in rows}

    def load_texts(self, columns: dict[str, Any], threads: int) -> tuple[Texts, list[int]]:
        """Load columns of texts, tokens or IDs; see :meth:`truebleu.Metric.load_texts`."""
        return self._counter.load(columns, threads)

    def prepare_lines(self, lines: Lines, count: int, threads: int) -> Lines:
        """Return the first `count` lines of a file, tokenized if a library does that."""
        return self._counter.prepared(lines, count, threads)

    def count_lines(
        self,
        systems: list[Lines],
        references: list[Lines],
        count: int,
        threads: int,
        *,
        each: bool,
        observed: Sequence[Observed] = (),
    ) -> list[BleuStats]:
        """Count prepared lines; see :meth:`truebleu.Metric.count_lines`."""
        if not self.tokenizes_in_core:
            observed = ()  # Tokenized by a library, these lines are not the original text.
        counted = self._counter.lines(systems, references, count, threads, each, observed)
        return [BleuStats(rows, self, fewest, most) for rows, fewest, most in counted]

    def observe_lines(
        self, observed: Observed, hypotheses: Lines, references: list[Lines], count: int
    ) -> None:
        """Observe the original lines, if :meth:`count_lines` only gets prepared ones."""
        if not self.tokenizes_in_core:
            observed.look_lines(hypotheses, references, count)

    def check_observed(self, observed: Observed, name: str) -> None:
        """Warn about what was observed while the corpus called `name` was counted."""
        self._counter.check_observed(observed, name)

    def check_addable(self) -> None:
        """Raise SettingsError if the smoothing is only defined for one segment."""
        if self.sentence_only:
            raise SettingsError(
                f"smoothing {self.smoothing!r} is only defined for one sentence: score each row by "
                "itself, or choose another smoothing for a corpus"
            )

    def sacrebleu_engine(self) -> BleuEngine:
        """Return the engine for sacreBLEU's intervals and p-values; see :class:`Metric`."""
        if self.smoothing not in SACREBLEU_SMOOTHINGS or self.weights:
            raise SettingsError(
                f"legacy='sacrebleu' needs uniform weights and one of sacreBLEU's smoothings: "
                f"{', '.join(sorted(SACREBLEU_SMOOTHINGS))}"
            )
        return self.core

    @property
    def takes_tokens(self) -> bool:  # type: ignore[override]  # Here, it depends on settings.
        """Whether segments are sequences of tokens or token IDs instead of text."""
        return self.tokenizer_name == PRETOKENIZED

    @property
    def counter(self) -> Counter:
        """The object that tokenizes and counts text under these settings."""
        return self._counter


def _not_in_core(*_: Any) -> None:
    pass
