"""What a metric is: the base class of all, also of those that others define."""

from __future__ import annotations

from truebleu._core import __version__, add_rows
from truebleu.display.shown import Result
from truebleu.errors import (
    EmptyInputError,
    InputError,
    SettingsError,
    StatsMismatchError,
    wrong_type,
)
from truebleu.inputs.checks import HYPOTHESES, check_outputs
from truebleu.metrics.corpora import Corpora
from truebleu.metrics.score import Score
from truebleu.metrics.signatures import checked_text
from truebleu.metrics.stats import Stats
from truebleu.record import Generic, brief

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, ClassVar, Self

    import numpy as np
    from numpy.typing import ArrayLike, NDArray
    from typing_extensions import TypeVar

    from truebleu._core import Engine, Observed, Texts
    from truebleu.inputs.checks import OddLines
    from truebleu.inputs.ragged import Ragged
    from truebleu.metrics.about import About
    from truebleu.metrics.corpora import Counted

    ScoreT_co = TypeVar("ScoreT_co", bound=Score, default=Score, covariant=True)


class Metric(Result, Generic["ScoreT_co"]):
    """A metric: how a segment is counted, and how counts become a score.

    Each segment is counted into a row of integers, and a formula scores a row or a sum of rows.
    Every function that sums rows works with any metric: for corpora, groups of a data frame,
    bootstrap samples or batches. To define a metric, derive a class, give it a name, an identifier
    and fields, and implement :meth:`count` and :meth:`scores`. Annotated attributes of the class
    are settings, which are passed by keyword. :class:`truebleu.Bleu` is a metric.

    Attributes
    ----------
    name : str
        The name for display, such as ``BLEU``.
    identifier : str
        The name in columns and SQL, such as ``bleu``.
    fields : tuple of str
        The names of the counts in a row.
    higher_is_better : bool
        Whether a higher score is better. Default: True.
    scale : float
        The score that corresponds to a ``fraction`` of 1. Default: 100.
    decimals : int
        How many decimals of a score people are shown. Default: 2.
    segment_only : bool
        Whether the formula is only defined for one segment, so that rows cannot be added.
        Default: False.
    takes_tokens : bool
        Whether a segment is a sequence of tokens or token IDs instead of text. Default: False.

    Examples
    --------
    >>> import truebleu
    >>> class ExactMatch(truebleu.Metric):
    ...     name, identifier, fields = "Exact match", "exact_match", ("matches", "segments")
    ...
    ...     def count(self, hypotheses, references):
    ...         pairs = zip(hypotheses, references, strict=True)
    ...         return [[hypothesis in refs, 1] for hypothesis, refs in pairs]
    ...
    ...     def scores(self, rows):
    ...         return 100 * rows[:, 0] / rows[:, 1]
    >>> print(ExactMatch().corpus(["a b", "c d"], ["a b", "c"]))
    Exact match = 50.00 (matches = 1 segments = 2)
    """

    __module__ = "truebleu"

    __slots__ = ()

    name: ClassVar[str] = ""
    identifier: ClassVar[str] = ""
    higher_is_better: ClassVar[bool] = True
    scale: ClassVar[float] = 100.0
    decimals: ClassVar[int] = 2
    segment_only: ClassVar[bool] = False
    takes_tokens: ClassVar[bool] = False
    # Whether a score is the average of scores, which may be missing (a row of zeros) or negative.
    _is_average: ClassVar[bool] = False
    _score_type: ClassVar[type[Score]] = Score
    _core: Engine | None = None
    """The metric's engine in the Rust core; None for a metric in Python."""

    def __init_subclass__(cls) -> None:
        """Check the names of a metric that has fields, and tell settings from other attributes."""
        super().__init_subclass__()
        # What every metric has is no setting, annotated or not.
        cls._fields = tuple(name for name in cls._fields if not hasattr(Metric, name))
        if "fields" not in vars(cls):
            return
        fields = vars(cls)["fields"]
        if isinstance(fields, property):
            return
        names: tuple[Any, ...] = cls.name, cls.identifier
        if not all(isinstance(name, str) and name for name in names) or not names[1].isidentifier():
            raise SettingsError(
                f"{cls.__name__} needs a name, such as 'BLEU', and an identifier for columns and "
                "SQL, such as 'bleu'"
            )
        named = isinstance(fields, tuple) and all(
            isinstance(name, str) and name and name.isprintable() for name in fields
        )
        if not named or len(set(fields)) < len(fields):
            raise SettingsError(
                f"{cls.__name__}.fields is {fields!r}; a tuple of different names is needed, such "
                "as ('matches', 'segments')"
            )

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={value!r}" for name, value in self.settings().items())
        return f"{type(self).__name__}({settings})"

    def __str__(self) -> str:
        return repr(self)

    if TYPE_CHECKING:
        fields: ClassVar[tuple[str, ...]]
        """The names of the counts in a row."""
    else:

        @property
        def fields(self) -> tuple[str, ...]:
            """The names of the counts in a row."""
            raise NotImplementedError(
                f"{type(self).__name__} has no fields: name the counts of a row"
            )

    def settings(self) -> dict[str, Any]:
        """Return the settings as keyword arguments: the annotated attributes of the class."""
        return {name: getattr(self, name) for name in self._fields}

    @property
    def signature(self) -> str:
        """The settings as a reproducibility string; scores add the number of references to it."""
        return self._write_signature()

    def _write_signature(
        self, references: int | None = None, *, segment: bool | None = None
    ) -> str:
        """Return the settings as a signature, with `references` (-1: varying) of a score."""
        nrefs = {None: "", -1: "nrefs:var|"}.get(references, f"nrefs:{references}|")
        return f"{nrefs}{self.counting_key}|version:truebleu-{__version__}"

    @classmethod
    def from_signature(cls, text: str) -> Self:
        """Create the metric that a signature describes.

        Parameters
        ----------
        text : str
            The ``signature`` of a score or a metric.

        Raises
        ------
        SettingsError
            If it is the signature of another metric, or a setting cannot be read.
        """
        from ast import literal_eval

        fields = dict(part.partition(":")[::2] for part in checked_text(text).split("|"))
        if not cls.identifier:
            raise SettingsError(
                f"{cls.__name__} is no metric by itself: read signatures with a metric's class, "
                "such as Bleu.from_signature"
            )
        if fields.get("metric") != cls.identifier:
            raise SettingsError(f"{brief(text)} is not a signature of {cls.name}")
        settings = {}
        name = ""
        try:
            for name in filter(fields.__contains__, cls._fields):
                settings[name] = literal_eval(fields[name])
        except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError) as error:
            raise SettingsError(
                f"signature field {brief(f'{name}:{fields[name]}')}: its value is not a literal of "
                "Python"
            ) from error
        return cls(**settings)

    def corpus(
        self,
        hypotheses: Iterable[Any] | Ragged,
        references: Iterable[Any] | Ragged | None = None,
        *,
        reference_streams: Iterable[Iterable[Any]] | None = None,
        threads: int | None = None,
    ) -> ScoreT_co:
        """Score a whole corpus.

        Counts are summed over all segments before the formula is applied, so the result is not the
        mean of the segment scores.

        Parameters
        ----------
        hypotheses : iterable of length n
            System output, one segment per item: a str, or a sequence of tokens if the metric takes
            tokens.
        references : iterable of length n
            ``references[i]`` is the reference of ``hypotheses[i]``, or a list of its references;
            None in the list stands for a missing one.
        reference_streams : iterable of iterables of length n, optional
            Instead of `references`: complete translations of the corpus (sacreBLEU's layout).
        threads : int, optional
            Number of threads. Default: the environment variable TRUEBLEU_THREADS, else all
            processors. The result does not depend on it.

        Returns
        -------
        Score

        Raises
        ------
        LengthMismatchError
            If hypotheses and references differ in length, which also happens when references are
            passed in sacreBLEU's layout. Nothing is ever truncated.
        EmptyInputError
            If there are no segments, or a segment has no reference.
        InputTypeError
            If an item is not of the type that the metric takes.
        """
        names = [HYPOTHESES]
        corpora = Corpora([hypotheses], references, reference_streams, threads, names=names)
        [stats] = self._count(corpora, each=False)
        return self._make_score(stats.data, stats.references)

    def segment(self, hypothesis: Any, references: Any) -> ScoreT_co:
        """Score one segment; raises the errors of :meth:`corpus`.

        Parameters
        ----------
        hypothesis : str, or sequence of tokens if the metric takes tokens
        references : str or sequence of str, or of sequences of tokens
            The reference, or all references.

        Returns
        -------
        Score
        """
        names = [HYPOTHESES] if self.takes_tokens else []
        corpora = Corpora([[hypothesis]], [references], threads=1, names=names)
        [stats] = self._count(corpora, each=False)
        return self._make_score(stats.data, stats.references, segment=True)

    def segments(
        self,
        hypotheses: Iterable[Any] | Ragged,
        references: Iterable[Any] | Ragged | None = None,
        *,
        reference_streams: Iterable[Iterable[Any]] | None = None,
        threads: int | None = None,
    ) -> NDArray[np.float64]:
        """Score each segment separately.

        Parameters and errors are those of :meth:`corpus`.

        Returns
        -------
        ndarray of float64, shape (n,)
            With k lists of weights of BLEU, the shape is (n, k).
        """
        corpora = Corpora.batch(hypotheses, references, reference_streams, threads)
        [stats] = self._count(corpora, each=True)
        return self._segment_scores(stats.data)

    def stats(
        self,
        hypotheses: Iterable[Any] | Ragged,
        references: Iterable[Any] | Ragged | None = None,
        *,
        reference_streams: Iterable[Iterable[Any]] | None = None,
        threads: int | None = None,
    ) -> Stats:
        """Count the segments without scoring them.

        Parameters and errors are those of :meth:`corpus`.

        Returns
        -------
        Stats
            One row per segment.
        """
        names = [HYPOTHESES]
        corpora = Corpora([hypotheses], references, reference_streams, threads, names=names)
        [stats] = self._count(corpora, each=True)
        return stats

    def score(self, stats: Stats) -> ScoreT_co:
        """Score the sum of the rows, as a corpus even if there is only one row.

        Parameters
        ----------
        stats : Stats
            Statistics counted by this metric, or by one with the same ``counting_key``.

        Returns
        -------
        Score

        Raises
        ------
        StatsMismatchError
            If the statistics were counted under other settings.
        EmptyInputError
            If there are no rows.
        """
        self._check_key(stats)
        if not len(stats):
            raise EmptyInputError("there are no statistics to score")
        return self._make_score(stats.sum().data, stats.references)

    def count(self, hypotheses: list[str], references: list[list[str]]) -> ArrayLike:
        """Count segments; implemented by metrics in Python.

        Parameters
        ----------
        hypotheses : list of str, length n
        references : list of list of str, length n
            At least one reference per segment.

        Returns
        -------
        array_like of int, shape (n, fields)
            One row per segment.
        """
        raise NotImplementedError(f"{type(self).__name__} does not define count")

    def scores(self, rows: Any) -> Any:
        """Score each row separately; implemented by metrics in Python.

        Parameters
        ----------
        rows : ndarray of int64, shape (n, fields)
            Rows of segments, or sums of them.

        Returns
        -------
        array_like of float, shape (n,)
        """
        raise NotImplementedError(f"{type(self).__name__} does not define scores")

    # What the rest of the package asks of a metric.

    def _check_key(self, stats: Stats) -> None:
        if not isinstance(stats, Stats):
            raise wrong_type(
                "stats",
                stats,
                "statistics, as stats() counts them, are needed: score texts with "
                "corpus(hypotheses, references)",
            )
        if (stats.counting_key, stats.fields) != (self.counting_key, self.fields):
            raise StatsMismatchError(
                f"these statistics were counted under {stats.counting_key}, but this "
                f"{type(self).__name__} counts under {self.counting_key}"
            )

    def _scoped(self, *, segment: bool) -> Self:
        """Return the metric with settings that say what is applied to a `segment`, or a corpus."""
        return self

    def _make_score(
        self, row: bytes, references: int | None, *, segment: bool = False
    ) -> ScoreT_co:
        value = self._row_value(row, segment=segment)
        score: ScoreT_co = self._score_type._made(value, self, row, references, segment)  # type: ignore[assignment]
        return score

    @property
    def _form(self) -> str:
        """How people are shown a score, as :func:`format` takes it, such as ``.2f``."""
        return f".{self.decimals}f"

    @property
    def counting_key(self) -> str:
        """The settings that counts depend on; statistics with equal keys can be added."""
        settings = (f"|{name}:{value!r}" for name, value in self.settings().items())
        return f"metric:{self.identifier}{''.join(settings)}"

    @property
    def _scores_per_segment(self) -> int:
        """How many scores a segment has."""
        return 1

    @property
    def _row_width(self) -> int:
        return len(self.fields)

    def _row_value(self, row: bytes, *, segment: bool = False) -> float:
        """Score one row (little-endian int64); see :meth:`row_scores`."""
        import struct

        value: float
        [value] = struct.unpack("<d", self._row_scores(row, segment=segment))
        return value

    def _row_scores(self, rows: bytes, *, segment: bool = False) -> bytes:
        """Return one little-endian float64 per row: of a single `segment`, or else of a sum."""
        import numpy as np

        table = np.frombuffer(rows, "<i8").reshape(-1, self._row_width)
        scores = np.asarray(self.scores(table.astype(np.int64)), np.float64)
        if scores.shape != (len(table),):
            raise InputError(
                f"{type(self).__name__}.scores returned an array of shape {scores.shape} for "
                f"{len(table):,} rows; one number per row is needed"
            )
        return scores.astype("<f8").tobytes()

    def _sizes(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return how large each row is: its largest count, which is that of all in rates."""
        sizes: NDArray[np.int64] = abs(rows).max(axis=1)
        return sizes

    def _segment_scores(self, rows: bytes) -> NDArray[np.float64]:
        """Return what :meth:`segments` does for these rows."""
        import numpy as np

        return np.frombuffer(self._row_scores(rows, segment=True), "<f8").astype(np.float64)

    def _segment_columns(self, rows: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
        """Return the numbers that a report shows with the score of each segment, by name."""
        return {name: rows[:, index] for index, name in enumerate(self.fields)}

    def _count(self, corpora: Corpora, *, each: bool) -> list[Stats]:
        """Count each system: a row for `each` segment, or their sum; warn about what has a name.

        The one way from text to statistics.
        """
        counted = self._rows_of(corpora, each=each or self.segment_only)
        if not each and len(counted[0][0]) > 8 * self._row_width:
            self._check_addable()
        for name, observed, (rows, _, _) in zip(
            corpora.names, corpora.observed, counted, strict=False
        ):
            self._check_observed(observed, name, rows)
        if len(corpora.names) > 1:
            check_outputs(dict(zip(map(str, corpora.names), corpora.systems, strict=True)))
        return [Stats.of_counts(self, *rows) for rows in counted]

    def _rows_of(self, corpora: Corpora, *, each: bool) -> Sequence[Counted]:
        """Count texts; overridden by what does not count in Python."""
        return corpora.one_by_one(
            lambda texts, references, streams, _: self._count_in_python(
                texts, references, streams, each=each
            )
        )

    def _count_in_python(
        self, hypotheses: Any, references: Any, streams: Any, *, each: bool
    ) -> Counted:
        import numpy as np

        from truebleu.inputs import sequences

        texts, reference_lists = sequences.text_segments(hypotheses, references, streams)
        reference_lists = [
            [text for text in refs if text is not None]
            for refs in sequences.checked_text(texts, reference_lists)
        ]
        table = np.asarray(self.count([*texts], reference_lists))
        expected = (len(texts), self._row_width)
        if table.shape != expected or table.dtype.kind not in "iub":
            raise InputError(
                f"{type(self).__name__}.count returned an array of {table.dtype} and shape "
                f"{table.shape}; whole numbers of shape {expected} are needed"
            )
        rows = table.astype("<i8").tobytes()
        Stats.check_rows(rows, self.fields, self.counting_key)
        numbers = [len(refs) for refs in reference_lists]
        if not each:
            rows = add_rows(rows, self.fields)
        return rows, min(numbers), max(numbers)

    def _load_texts(self, columns: dict[str, Any], threads: int) -> tuple[Texts, list[int]] | None:
        """Load columns of texts into the core; None if it does not count this metric's n-grams."""
        return None

    def _lengths_in(self, rows: bytes) -> tuple[int, int, str] | None:
        """Return the lengths of hypotheses and references in all, and their unit."""

    def _check_observed(
        self, observed: Observed, name: str | None, rows: bytes, odd: OddLines | None = None
    ) -> None:
        """Warn about what was observed while the corpus called `name` was counted.

        If it is None, it was one of many batches, of which a process is warned once.
        """

    def _signs_of(self, observed: Observed, name: str) -> dict[str, str]:
        """Say by sign what is odd about text; see :func:`truebleu.inputs.checks.signs_of`."""
        return {}

    def _check_addable(self) -> None:
        """Raise SettingsError if the formula is only defined for one segment."""
        if self.segment_only:
            raise SettingsError(
                f"{self.name} is only defined for one segment: score each segment by itself"
            )

    @property
    def _about(self) -> About:
        """What people are told about the metric, in reports and charts."""
        from truebleu.metrics.about import About

        return About(self)

    def _explanation(self) -> Any:
        """Return the module with ``explain_segment``, ``explain_corpus`` and ``decompose``."""
        return None


def directions(metrics: Iterable[Metric]) -> list[str]:
    """Return a line for each metric of which a lower score is better, to stand at a table."""
    return [f"{each.name}: lower is better" for each in metrics if not each.higher_is_better]
