"""The metric BLEU: counts text and scores the counts under fixed settings."""

from __future__ import annotations

from truebleu._core import SEGMENT_ONLY_SMOOTHINGS, BleuEngine
from truebleu.errors import SettingsError
from truebleu.inputs import checks
from truebleu.metrics.bleu.counter import Counter
from truebleu.metrics.bleu.score import BleuScore
from truebleu.metrics.bleu.settings import COUNTING, EFFECTIVE, SETTINGS, check_tokens
from truebleu.metrics.core import CoreMetric
from truebleu.metrics.dialect import named
from truebleu.tokenizers.registry import PRETOKENIZED, resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Self

    import numpy as np
    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from truebleu._core import Texts
    from truebleu.metrics.bleu.about import BleuAbout
    from truebleu.metrics.bleu.dialects import DialectName
    from truebleu.metrics.bleu.settings import BleuSettings, ReferenceLength, Smoothing
    from truebleu.metrics.corpora import Corpora, Counted
    from truebleu.metrics.settings import UnicodeForm
    from truebleu.tokenizers.registry import Tokenizer

    Floats = NDArray[np.float64]


class Bleu(CoreMetric["BleuScore"]):
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
        default), ``lin-och``, ``add-one`` (``smooth=True`` of evaluate), ``nist``, ``skip-zero``,
        ``compare-mt``, or NLTK's ``method0`` to ``method7``.
    smooth_value : float, optional
        The parameter of the smoothing, if it has one.
    effective_order : bool or None, default None
        Leave out the orders for which the hypotheses are too short. None: only where single
        segments are scored, by any function or command, and never for a corpus.
    reference_length : str, default "closest"
        The length to use if a segment has several references: ``closest`` (on a tie, the
        shorter), ``closest-first`` (on a tie, the first), ``shortest``, ``longest``, ``average``.
    brevity_penalty : bool, default True
        Penalize output that is shorter than the references.
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
    >>> round(bleu.segment("The cat sat.", ["The cat sat down."]).score, 2)
    33.28
    """

    __module__ = "truebleu"

    __slots__ = ("_counter", *SETTINGS.defaults, "_unicode", "segment_only", "tokenizer_name")
    _counter: Counter
    _core: BleuEngine
    brevity_penalty: bool
    effective_order: bool | None
    lowercase: bool
    max_order: int
    phantom_ngrams: bool
    reference_length: ReferenceLength
    smooth_value: float | None
    smoothing: Smoothing
    tokenizer: Tokenizer
    unicode_form: UnicodeForm | None
    weights: tuple[tuple[float, ...], ...]
    tokenizer_name: str
    """The name of the tokenizer in signatures."""
    _unicode: str | None
    """The versions of Unicode that the tokens depend on; None if they depend on none."""

    name = "BLEU"
    identifier = "bleu"
    _score_type = BleuScore
    _settings_table = SETTINGS
    _lengths = ("hyp_len", "ref_len", "tokens")

    def __init__(self, **settings: Unpack[BleuSettings]) -> None:
        super().__init__(**settings)

    def _make_engine(self) -> BleuEngine:
        tokenization = resolve(self.tokenizer)
        settings = self._checked()
        if tokenization.kind == PRETOKENIZED:
            check_tokens(settings)
        settings["tokenizer"] = tokenization.name
        if tokenization.kind != "native":
            # Outside the core, text is normalized and lower-cased before it is tokenized.
            settings |= {"tokenizer": "none", "lowercase": False, "unicode_form": None}
        engine = BleuEngine(**settings, takes=tokenization.kind, score_type=BleuScore)
        counter = Counter(
            engine, tokenization, lowercase=self.lowercase, unicode_form=self.unicode_form
        )
        self._fill(
            _counter=counter,
            segment_only=self.smoothing in SEGMENT_ONLY_SMOOTHINGS,
            tokenizer_name=tokenization.name,
            _unicode=self._unicode_versions(tokenization.unicode, lowers=self.lowercase),
        )
        return engine

    @property
    def _about(self) -> BleuAbout:
        from truebleu.metrics.bleu.about import BleuAbout

        return BleuAbout(self)

    @property
    def _scores_per_segment(self) -> int:
        """How many scores a segment has: one for each list of weights."""
        return max(1, len(self.weights))

    @property
    def _tokenizes_in_core(self) -> bool:
        """Whether the core tokenizes text, and not a library or a function."""
        return self._counter.tokenization.kind == "native"

    def _counting_key(self) -> str:
        return COUNTING.write(self, orders=self._counted_orders)

    @property
    def _counted_orders(self) -> int:
        """The number of n-gram orders in a row; some smoothings count one more than they score."""
        return self._row_width // 2 - 1

    @property
    def _order_weights(self) -> tuple[float, ...]:
        """The weight of each order, from the first of several lists."""
        weights = self.weights[0] if self.weights else (1 / self.max_order,) * self.max_order
        return weights[: self.max_order] + (0.0,) * (self.max_order - len(weights))

    def _scoped(self, *, segment: bool) -> Self:
        if self.effective_order is not None:
            return self
        changed = object.__new__(type(self))
        changed._set(self._checked() | {"effective_order": segment})
        changed.__setstate__(self._added() or {})
        return changed

    def _scoped_fields(self, *, segment: bool) -> dict[str, str]:
        return {"eff": EFFECTIVE[segment]} if self.effective_order is None else {}

    def settings(self) -> dict[str, Any]:
        """Return the settings as keyword arguments.

        Returns
        -------
        dict
            Arguments for an equal metric: ``Bleu(**bleu.settings()) == bleu``.
        """
        return self._checked() | {"weights": self.weights or None}

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as plain Python values; the tokenizer by its name."""
        return super().to_dict() | {"tokenizer": self.tokenizer_name}

    @classmethod
    def dialect(cls, name: DialectName, **settings: Unpack[BleuSettings]) -> Bleu:
        """Create a Bleu that computes the scores of another tool.

        Parameters
        ----------
        name : str
            A key of :data:`truebleu.DIALECTS`, such as ``nltk``. Scores are from 0 to 100; to
            convert them to the scale of the tool, use :meth:`Dialect.number`.
        **settings
            Settings that override those of the tool.

        Returns
        -------
        Bleu

        Raises
        ------
        UnknownNameError
            If there is no dialect of that name; the message lists the choices.
        """
        return cls(**{**named("bleu", name).settings, **settings})

    def _segment_scores(self, rows: bytes) -> Floats:
        import numpy as np

        if len(self.weights) < 2:
            return super()._segment_scores(rows)
        scores = np.frombuffer(self._core.score_lists(rows, segment=True), "<f8")
        return scores.astype(np.float64).reshape(-1, len(self.weights))

    def _rows_of(self, corpora: Corpora, *, each: bool) -> Sequence[Counted]:
        if self._tokenizes_in_core:
            return super()._rows_of(corpora, each=each)
        if corpora.lines is None:
            return self._counter.count(corpora, each=each)
        # Tokenized by a library, lines are not the original text.
        for lines, seen in zip(corpora.systems, corpora.observed, strict=False):
            seen.look_lines(lines, corpora.references, corpora.lines)
        ready = corpora.converted(
            lambda lines, count: self._counter.prepared(lines, count, corpora.threads)
        )
        return super()._rows_of(ready, each=each)

    def _load_texts(self, columns: dict[str, Any], threads: int) -> tuple[Texts, list[int]]:
        return self._counter.load(columns, threads)

    @property
    def _remedies(self) -> checks.Remedies:
        return checks.remedies(self.tokenizer_name, self.unicode_form)

    def _parts_of_rows(self, rows: bytes) -> tuple[Floats, Floats, Floats]:
        """Return percentages (n, orders), brevity penalties, and how many orders count, by row."""
        import numpy as np

        precisions, penalties, orders = (
            np.frombuffer(each, "<f8").astype(np.float64)
            for each in self._core.parts_of_rows(rows, segment=True)
        )
        return precisions.reshape(-1, self.max_order), penalties, orders

    def _check_addable(self) -> None:
        if self.segment_only:
            raise SettingsError(
                f"smoothing {self.smoothing!r} is only defined for one segment: score each "
                "segment by itself, or choose another smoothing for a corpus"
            )

    @property
    def takes_tokens(self) -> bool:  # type: ignore[override]  # Here, it depends on settings.
        """Whether segments are sequences of tokens or token IDs instead of text."""
        return self.tokenizer_name == PRETOKENIZED

    def _explanation(self) -> Any:
        from truebleu.metrics.bleu import explanation

        return explanation
