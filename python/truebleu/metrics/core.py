"""The base class of metrics that the core counts and scores, and how it counts text."""

from __future__ import annotations

from truebleu._core import (
    NORMALIZATION_VERSION,
    UNICODE_VERSION,
    Observed,
    Texts,
    __version__,
    add_rows,
)
from truebleu.errors import InputError, SettingsWarning, warn
from truebleu.inputs import checks
from truebleu.metrics.corpora import Corpora
from truebleu.metrics.metric import Metric
from truebleu.metrics.signatures import VARIABLE
from truebleu.metrics.stats import Stats
from truebleu.record import added_attributes, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, ClassVar, Self

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from truebleu._core import Engine
    from truebleu.inputs.leftovers import Sample
    from truebleu.metrics.corpora import Counted
    from truebleu.metrics.metric import ScoreT_co
    from truebleu.metrics.settings import Table, UnicodeForm


class CoreMetric(Metric["ScoreT_co"]):
    """A metric that the core counts and scores: a subclass has a table of settings."""

    __slots__ = ("_core", "_known")
    _core: Engine
    _known: tuple[str, tuple[str, ...]]
    unicode_form: UnicodeForm | None

    _settings_table: ClassVar[Table]

    # The fields of the lengths of hypotheses and references, and their unit.
    _lengths: ClassVar[tuple[str, str, str] | None] = None

    def __init_subclass__(cls) -> None:
        """Take the settings from the table."""
        super().__init_subclass__()
        if "_settings_table" in vars(cls):
            cls._fields = (*cls._settings_table.defaults,)

    def __init__(self, **settings: Any) -> None:
        self._set(self._settings_table.check(settings))

    @property
    def _remedies(self) -> checks.Remedies:
        """What to do about odd text; see :func:`truebleu.inputs.checks.check_corpus`."""
        return checks.Remedies()

    def _set(self, settings: dict[str, Any]) -> None:
        """Set checked settings, and create the engine for them."""
        self._fill(**settings)
        self._fill(_core=self._make_engine())

    def _unicode_versions(self, own: str | None = None, *, lowers: bool) -> str | None:
        """Return the versions of Unicode that counts depend on; None if they depend on none."""
        versions = (
            own,
            UNICODE_VERSION if lowers else None,
            NORMALIZATION_VERSION if self.unicode_form else None,
        )
        return "+".join(filter(None, dict.fromkeys(versions))) or None

    def _make_engine(self) -> Engine:
        """Create the engine that has these settings and knows the class of the scores."""
        raise NotImplementedError

    def _write_signature(
        self, references: int | None = None, *, segment: bool | None = None
    ) -> str:
        nrefs = VARIABLE if references == -1 else references
        version = f"truebleu-{__version__}"
        scoped = {} if segment is None else self._scoped_fields(segment=segment)
        return self._settings_table.grammar.write(self, nrefs=nrefs, version=version, **scoped)

    def _scoped_fields(self, *, segment: bool) -> dict[str, str]:
        """Return the fields of signatures that settings leave to what is scored, by key."""
        return {}

    @classmethod
    def from_signature(cls, text: str) -> Self:
        """Create the metric from a signature of truebleu, or of any version of sacreBLEU.

        Parameters
        ----------
        text : str
            A signature as a score's ``signature`` or sacreBLEU prints it, long or short, or a line
            that contains one, such as
            ``chrF2++|nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no|version:2.0.0 = 60.5``.
            Line breaks, backticks and LaTeX escapes are ignored.

        Raises
        ------
        SettingsError
            If the signature cannot be read, or belongs to another metric.

        Warns
        -----
        SettingsWarning
            If the signature has fields that are not settings of the metric, such as several
            references or resampling; or if it lacks a setting: sacreBLEU shows chrF's beta only in
            the name before the signature.
        """
        reader = cls._settings_table.reader
        fields = reader.parse(text)
        metric = cls(**reader.grammar.read(fields))
        reader.warn_of_differences(metric, fields)
        return metric

    @property
    def counting_key(self) -> str:
        """The settings that counts depend on; statistics with equal keys can be added."""
        return self._counting[0]

    @property
    def fields(self) -> tuple[str, ...]:  # type: ignore[override]  # Here, it depends on settings.
        """The names of the counts in a row."""
        return self._counting[1]

    @property
    def _counting(self) -> tuple[str, tuple[str, ...]]:
        """Both, written once: every table of statistics has them."""
        try:
            return self._known
        except AttributeError:
            self._fill(_known=(self._counting_key(), tuple(self._core.fields)))
            return self._known

    def _counting_key(self) -> str:
        return f"metric:{type(self).__name__.lower()}|{self._settings_table.grammar.write(self)}"

    @property
    def _row_width(self) -> int:
        return self._core.row_width

    def _row_scores(self, rows: bytes, *, segment: bool = False) -> bytes:
        return self._core.score_rows(rows, segment=segment)

    def scores(self, rows: Stats | ArrayLike) -> NDArray[np.float64]:
        """Score each row as a separate segment.

        Parameters
        ----------
        rows : Stats, or array_like of int64, shape (n, fields)

        Returns
        -------
        ndarray of float64, shape (n,)
        """
        import numpy as np

        stats = rows if isinstance(rows, Stats) else Stats.from_numpy(rows, self)
        self._check_key(stats)
        return np.frombuffer(self._row_scores(stats.data, segment=True), "<f8").astype(np.float64)

    def segment(self, hypothesis: Any, references: Any) -> ScoreT_co:
        """Score one segment, where BLEU applies ``effective_order`` by default.

        Parameters and errors are those of :meth:`Metric.segment`.
        """
        score: ScoreT_co | None = self._core.sentence(self, hypothesis, references)
        if score is not None:
            return score
        if not self.takes_tokens:
            from truebleu.inputs import sequences

            sequences.refuse_swapped(
                hypothesis, references, "hypothesis", "sentence_bleu(hypothesis"
            )
            sequences.check_text(hypothesis, "hypothesis")
            checks.check_single(hypothesis, references)
        return super().segment(hypothesis, references)

    def _rows_of(self, corpora: Corpora, *, each: bool) -> Sequence[Counted]:
        """Count text in the core; overridden by what counts something else."""
        if corpora.lines is not None:
            files = corpora.systems, corpora.references, corpora.lines
            return self._core.count_lines(*files, corpora.threads, each, corpora.observed)
        together = self._count_together(corpora, each=each) if len(corpora.systems) > 1 else None
        how: Any = {"each": each, "higher_is_better": self.higher_is_better}
        if not any(corpora.names):
            how["higher_is_better"] = None
        return together or corpora.one_by_one(
            lambda texts, references, streams, observed: count(
                *(self._core, texts, references, streams, corpora.threads), observed=observed, **how
            )
        )

    def _count_together(self, corpora: Corpora, *, each: bool) -> Sequence[Counted] | None:
        """Count systems whose references are tokenized once; None if each has to be looked at.

        If this is not text in lists, or is wrong, each is counted by itself, which says what is.
        """
        from truebleu.inputs import sequences

        lists, streams = [*corpora.systems], corpora.streams
        given = [*lists, *(streams if isinstance(streams, list) else [corpora.references])]
        if not all(type(each) is list for each in given):
            return None
        observed = [Observed() for _ in corpora.names]
        try:
            _, references = sequences.segments(lists[0], corpora.references, streams)
            counted = self._core.count(lists, references, corpora.threads, each, observed)
        except (InputError, TypeError):
            return None
        missing = counted[0][1] == 0
        if missing or checks.is_square(references) or len(set(map(len, lists))) > 1:
            return None
        corpora.observed = observed
        return counted

    def _lengths_in(self, rows: bytes) -> tuple[int, int, str] | None:
        # chrF may count words only.
        if self._lengths is None or self._lengths[0] not in self.fields or not rows:
            return None
        *fields, unit = self._lengths
        total = memoryview(add_rows(rows, self.fields)).cast("q")
        hypotheses, references = (total[self.fields.index(field)] for field in fields)
        return hypotheses, references, unit

    def _check_observed(
        self,
        observed: Observed,
        name: str | None,
        rows: bytes,
        odd: checks.OddLines | None = None,
    ) -> None:
        if name is None:
            checks.BATCHES.check(observed, self._remedies)
            return
        lengths = self._lengths_in(rows)
        checks.check_corpus(observed, self._remedies, name, lengths, odd, self._scored)

    def _signs_of(self, observed: Observed, name: str) -> dict[str, str]:
        return checks.signs_of(observed.facts(), self._remedies, name, self._scored)

    @property
    def _scored(self) -> checks.Scored | None:
        """What scores a sample, unless sums have no score, or several for lists of weights."""
        one = not self.segment_only and self._scores_per_segment == 1
        return (self.name, self._sample_score) if one else None

    def _sample_score(self, sample: Sample) -> float:
        """Return the score of some segments as a corpus, from 0 to 100."""
        hypotheses, references = zip(*sample, strict=True)
        [stats] = self._count(Corpora([[*hypotheses]], [*references], threads=1), each=False)
        return 100 * self._row_value(stats.data) / self.scale

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CoreMetric) or type(self) is not type(other):
            return NotImplemented
        return self.settings() == other.settings()

    def __hash__(self) -> int:
        return hash((type(self), *self.settings().values()))

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the settings, and attributes that a subclass has added."""
        return _restore, (type(self), self._checked()), self._added()

    def _checked(self) -> dict[str, Any]:
        """Return the settings as they are kept."""
        return {name: getattr(self, name) for name in self._settings_table.defaults}

    def settings(self) -> dict[str, Any]:
        """Return the settings as keyword arguments."""
        return self._checked()

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some settings replaced."""
        return type(self)(**(self.settings() | changes))

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as plain Python values."""
        return {name: plain(value) for name, value in self.settings().items()}

    def _added(self) -> dict[str, Any] | None:
        """Return the attributes that a subclass has added."""
        base = next(cls for cls in type(self).__mro__ if "_settings_table" in vars(cls))
        return added_attributes(self, base)


def _restore(cls: Any, settings: dict[str, Any]) -> Any:
    restored = object.__new__(cls)
    restored._set(settings)
    return restored


def count(
    engine: Engine,
    hypotheses: Any,
    references: Any,
    streams: Any,
    threads: int,
    *,
    each: bool,
    observed: Observed | None = None,
    higher_is_better: bool | None = None,
) -> Counted:
    """Count a corpus; if `higher_is_better` is given, warn if it scores better when transposed."""
    from truebleu.inputs import arrow, frames, sequences

    references, streams = frames.references(references, streams, ("hypotheses", hypotheses))
    columns = arrow.corpus(hypotheses, references, streams)
    if columns is not None:
        counted = engine.count_columns(*columns, threads, each, observed)
        if counted[1] == 0:
            raise sequences.missing(arrow.first_missing(columns[1]))
        return counted
    hypotheses, references = sequences.segments(hypotheses, references, streams)
    observers = [] if observed is None else [observed]
    try:
        [counted] = engine.count([hypotheses], references, threads, each, observers)
    except TypeError:
        references = sequences.checked_text(hypotheses, references)
        [counted] = engine.count([hypotheses], references, threads, each, observers)
    if counted[1] == 0:
        sequences.blame(hypotheses, references)
    if higher_is_better is not None:
        given = "references" if streams is None else "reference_streams"
        corpus = hypotheses, references, counted[0]
        check_layout(engine, *corpus, given, higher_is_better=higher_is_better)
    return counted


def layout(
    engine: Engine,
    hypotheses: list[Any],
    references: Sequence[Sequence[Any]],
    rows: bytes,
    given: str,
    *,
    higher_is_better: bool,
) -> str | None:
    """Say that references are probably transposed; see :func:`truebleu.inputs.checks.layout`."""
    if not checks.is_square(references):
        return None
    by_stream = list(zip(*references, strict=True))
    [transposed] = engine.count([hypotheses], by_stream, 1, False, [])
    both = b"".join(add_rows(each, engine.fields) for each in (rows, transposed[0]))
    score, other = memoryview(engine.score_rows(both)).cast("d")
    count = len(hypotheses)
    return checks.layout(score, other, count, given, higher_is_better=higher_is_better)


def check_layout(
    engine: Engine,
    hypotheses: list[Any],
    references: list[Any],
    rows: bytes,
    given: str,
    *,
    higher_is_better: bool,
) -> None:
    """Warn of references that are probably transposed."""
    corpus = hypotheses, references, rows, given
    message = layout(engine, *corpus, higher_is_better=higher_is_better)
    if message is not None:
        warn(message, SettingsWarning)


def load(engine: Engine, columns: Mapping[str, Any]) -> tuple[Texts, list[int]]:
    """Load columns of texts into the core, to be matched with each other; return their lengths."""
    from truebleu.inputs import sequences

    loaded = Texts()
    lengths = []
    for name, column in columns.items():
        texts = sequences.column(column, name)
        try:
            loaded.push(engine, texts)
        except TypeError:
            sequences.check_texts(texts, name)
            raise
        lengths.append(len(texts))
    return loaded, lengths
