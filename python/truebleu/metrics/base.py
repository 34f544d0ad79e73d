"""The base class of all metrics."""

from __future__ import annotations

from truebleu._core import __version__
from truebleu.calls import explained
from truebleu.errors import EmptyInputError, InputTypeError, SettingsError, StatsMismatchError
from truebleu.inputs.checks import HYPOTHESES
from truebleu.metrics.definition import Definition
from truebleu.metrics.foreign_names import OF_METRICS, with_hints
from truebleu.metrics.signature import checked_text
from truebleu.metrics.stats import Stats
from truebleu.record import brief

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, Generic

    import numpy as np
    from numpy.typing import NDArray
    from typing_extensions import Self, TypeVar

    from truebleu.inputs.ragged import Ragged
    from truebleu.metrics.about import About
    from truebleu.metrics.score import Score

    ScoreT_co = TypeVar("ScoreT_co", bound=Score, default=Score, covariant=True)

    class _Generic(Definition, Generic[ScoreT_co]):
        pass

else:

    class _Generic(Definition):
        __slots__ = ()

        def __class_getitem__(cls, _: object) -> type:
            return cls


@with_hints(OF_METRICS)
class Metric(_Generic["ScoreT_co"]):
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
    sentence_only : bool
        Whether the formula is only defined for one segment, so that rows cannot be added.
        Default: False.

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

    @property
    def signature(self) -> str:
        """The settings as a reproducibility string; scores add the number of references to it."""
        return self.write_signature()

    def write_signature(self, references: int | None = None) -> str:
        """Return the settings, and the number of references, as a reproducibility string.

        Parameters
        ----------
        references : int, optional
            References per segment; -1 if their number varies. Default: leave them out.

        Returns
        -------
        str
        """
        nrefs = {None: "", -1: "nrefs:var|"}.get(references, f"nrefs:{references}|")
        return f"{nrefs}{self.counting_key}|version:truebleu-{__version__}"

    @property
    def about(self) -> About:
        """What people are told about the metric, in reports and charts."""
        from truebleu.metrics.about import About

        return About(self)

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
        # In a metric in Python, the names are attributes of the class.
        identifier: Any = cls.identifier
        if isinstance(identifier, property):
            raise SettingsError(
                f"{cls.__name__} is no metric by itself: read signatures with a metric's class, "
                "such as Bleu.from_signature"
            )
        if fields.get("metric") != identifier:
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
        row, fewest, most = self.count_rows(
            hypotheses, references, reference_streams, threads, each=False, check=HYPOTHESES
        )
        return self._score_of(row, fewest if fewest == most else -1)

    def sentence(self, hypothesis: Any, references: Any) -> ScoreT_co:
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
        row, nrefs, _ = self.count_rows([hypothesis], [references], None, 1, each=False)
        metric = self.for_segments
        return self._make_score(metric, metric.row_value(row), row, nrefs, segment=True)

    def sentences(
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
        """
        import numpy as np

        rows, _, _ = self.count_rows(hypotheses, references, reference_streams, threads, each=True)
        return np.frombuffer(self.for_segments.row_scores(rows), "<f8").astype(np.float64)

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
        return self.count_stats(
            hypotheses, references, reference_streams, threads, check=HYPOTHESES
        )

    @explained("it takes statistics: score texts with corpus(hypotheses, references)")
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
        return self._score_of(stats.sum().data, stats.references)

    def _check_key(self, stats: Stats) -> None:
        if not isinstance(stats, Stats):
            raise InputTypeError(
                f"stats is of type {type(stats).__name__}; statistics, as stats() counts them, are "
                "needed: score texts with corpus(hypotheses, references)"
            )
        # Fields of metrics in the core follow from the key.
        same = self.core is not None or stats.fields == self.fields
        if stats.counting_key != self.counting_key or not same:
            raise StatsMismatchError(
                f"these statistics were counted under {stats.counting_key}, but this "
                f"{type(self).__name__} counts under {self.counting_key}"
            )

    def _score_of(self, row: bytes, references: int | None) -> ScoreT_co:
        metric = self.for_corpora
        return self._make_score(metric, metric.row_value(row), row, references)

    def _make_score(self, *parts: Any, segment: bool = False) -> ScoreT_co:
        score_type: Any = self.score_type
        score: ScoreT_co = score_type(*parts, segment)
        return score

    def count_together(
        self, systems: Mapping[str, Any], references: Any, streams: Any, threads: int | None
    ) -> dict[str, Stats] | None:
        """Count several systems as :meth:`count_stats` counts each, with less work.

        Metrics may do so where it saves reading the references for every system. None, the default,
        means that each must be counted by itself.
        """
        return None

    def count_stats(
        self,
        hypotheses: Any,
        references: Any,
        streams: Any = None,
        threads: int | None = None,
        *,
        check: str | None = None,
    ) -> Stats:
        """Count as :meth:`stats` does.

        `check` is the name of the hypotheses in warnings; None turns these warnings off.
        """
        rows, fewest, most = self.count_rows(
            hypotheses, references, streams, threads, each=True, check=check
        )
        return self.stats_type(rows, self, fewest, most)
