"""The interface of metrics: what a metric defines, and what the rest of the package calls."""

from __future__ import annotations

from truebleu._core import add_rows
from truebleu.display.result import Result
from truebleu.errors import InputError, SettingsError
from truebleu.inputs import sequences
from truebleu.metrics.score import Score
from truebleu.metrics.stats import Stats
from truebleu.metrics.threads import thread_count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, ClassVar

    import numpy as np
    from numpy.typing import ArrayLike, NDArray
    from typing_extensions import Self

    from truebleu._core import Engine, Lines, Observed, Texts

    # Rows as little-endian int64, and the smallest and largest number of references of a segment.
    Counted = tuple[bytes, int, int]


class Definition(Result):
    """The names of the counts, how a segment is counted into a row, and the formula.

    Rows are passed as bytes (little-endian int64), so that only metrics that are implemented in
    Python need NumPy.
    """

    __slots__ = ()

    higher_is_better: ClassVar[bool] = True
    scale: ClassVar[float] = 100.0
    decimals: ClassVar[int] = 2
    # Whether a score is the average of scores, which may be missing (a row of zeros) or negative.
    is_average: ClassVar[bool] = False
    score_type: ClassVar[type[Score]] = Score
    stats_type: ClassVar[type[Stats]] = Stats

    def __init_subclass__(cls) -> None:
        """Check the names of a metric that has fields, and tell settings from other attributes."""
        super().__init_subclass__()
        # What every metric has is no setting, annotated or not.
        cls._fields = tuple(name for name in cls._fields if not hasattr(Definition, name))
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
        """Return the settings as a call of the class."""
        settings = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._fields)
        return f"{type(self).__name__}({settings})"

    def __str__(self) -> str:
        """Return the settings as a call of the class."""
        return repr(self)

    if TYPE_CHECKING:
        # A metric in Python assigns them in the class, which a property would forbid.
        name: ClassVar[str]
        """The name for display, such as ``BLEU``."""
        identifier: ClassVar[str]
        """The name in columns and SQL, such as ``bleu``."""
        sentence_only: ClassVar[bool]
        """Whether the formula is only defined for one segment, so that rows cannot be added."""
        takes_tokens: ClassVar[bool]
        """Whether a segment is a sequence of tokens or token IDs instead of text."""
        fields: ClassVar[tuple[str, ...]]
        """The names of the counts in a row."""
    else:

        @property
        def name(self) -> str:
            """The name for display, such as ``BLEU``."""
            return ""

        @property
        def identifier(self) -> str:
            """The name in columns and SQL, such as ``bleu``."""
            return ""

        @property
        def sentence_only(self) -> bool:
            """Whether the formula is only defined for one segment, so that rows cannot be added."""
            return False

        @property
        def takes_tokens(self) -> bool:
            """Whether a segment is a sequence of tokens or token IDs instead of text."""
            return False

        @property
        def fields(self) -> tuple[str, ...]:
            """The names of the counts in a row."""
            raise NotImplementedError(
                f"{type(self).__name__} has no fields: name the counts of a row"
            )

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

    def segment_columns(self, rows: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
        """Return the numbers that a report shows with the score of each segment, by name.

        Parameters
        ----------
        rows : ndarray of int64, shape (n, fields)
            Rows of segments.

        Returns
        -------
        dict of str to ndarray, shape (n,)
            Default: the fields.
        """
        return {name: rows[:, index] for index, name in enumerate(self.fields)}

    def settings(self) -> dict[str, Any]:
        """Return the settings as keyword arguments: the annotated attributes of the class."""
        return {name: getattr(self, name) for name in self._fields}

    @property
    def form(self) -> str:
        """How people are shown a score, as :func:`format` takes it, such as ``.2f``."""
        return f".{self.decimals}f"

    @property
    def counting_key(self) -> str:
        """The settings that counts depend on; statistics with equal keys can be added."""
        settings = (f"|{name}:{value!r}" for name, value in self.settings().items())
        return f"metric:{self.identifier}{''.join(settings)}"

    @property
    def row_width(self) -> int:
        """The number of counts in a row."""
        return len(self.fields)

    @property
    def scores_per_segment(self) -> int:
        """How many scores a segment has."""
        return 1

    @property
    def for_segments(self) -> Self:
        """The metric as it scores a single segment."""
        return self

    @property
    def for_corpora(self) -> Self:
        """The metric as it scores a corpus."""
        return self

    @property
    def core(self) -> Engine | None:
        """The metric's engine in the Rust core; None for a metric in Python."""
        return None

    def sacrebleu_engine(self) -> Engine:
        """Return the engine that reproduces sacreBLEU's intervals and p-values to the last bit.

        Raises
        ------
        SettingsError
            If sacreBLEU does not have this metric or these settings.
        """
        raise SettingsError(f"legacy='sacrebleu': sacreBLEU has no metric {self.name!r}")

    def row_value(self, row: bytes) -> float:
        """Score one row (little-endian int64) under exactly these settings."""
        import struct

        [value] = struct.unpack("<d", self.row_scores(row))
        return float(value)

    def row_scores(self, rows: bytes) -> bytes:
        """Score each row; return one little-endian float64 per row.

        Raises
        ------
        InputError
            If :meth:`scores` does not return one number per row.
        """
        import numpy as np

        table = np.frombuffer(rows, "<i8").reshape(-1, self.row_width)
        scores = np.asarray(self.scores(table.astype(np.int64)), np.float64)
        if scores.shape != (len(table),):
            raise InputError(
                f"{type(self).__name__}.scores returned an array of shape {scores.shape} for "
                f"{len(table):,} rows; one number per row is needed"
            )
        return scores.astype("<f8").tobytes()

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
        """Count a corpus.

        Parameters
        ----------
        hypotheses, references, streams, threads
            As in :meth:`truebleu.Metric.corpus`, where `streams` is `reference_streams`.
        each : bool
            Whether to return one row per segment, or the sum of these rows.
        check : str, optional
            The name of the hypotheses in warnings about a corpus that looks like a mistake, such as
            tokenized text. Default: no warnings. Only metrics with a tokenizer warn.
        observed : Observed, optional
            Collects observations about the text, for callers that count in pieces and check the
            corpus themselves.

        Returns
        -------
        tuple
            Rows as little-endian int64, and the smallest and largest number of references of a
            segment.
        """
        thread_count(threads)
        texts, reference_lists = sequences.text_segments(hypotheses, references, streams)
        reference_lists = [
            [text for text in refs if text is not None]
            for refs in sequences.checked_text(texts, reference_lists)
        ]
        rows = self._row_bytes(self.count([*texts], reference_lists), len(texts))
        self.stats_type.check_rows(rows, self.fields, self.counting_key)
        numbers = [len(refs) for refs in reference_lists]
        if not each and len(texts) > 1:
            self.check_addable()
            rows = add_rows(rows, self.fields)
        return rows, min(numbers), max(numbers)

    def _row_bytes(self, counts: ArrayLike, segments: int) -> bytes:
        """Check the result of :meth:`count`, and return it as bytes."""
        import numpy as np

        table = np.asarray(counts)
        expected = (segments, self.row_width)
        if table.shape != expected or table.dtype.kind not in "iub":
            raise InputError(
                f"{type(self).__name__}.count returned an array of {table.dtype} and shape "
                f"{table.shape}; whole numbers of shape {expected} are needed"
            )
        return table.astype("<i8").tobytes()

    def load_texts(self, columns: dict[str, Any], threads: int) -> tuple[Texts, list[int]] | None:
        """Load columns of texts into the core, which finds the n-grams that they share.

        Parameters
        ----------
        columns : dict
            The texts of each column, by its name in messages.
        threads : int

        Returns
        -------
        tuple or None
            The texts, one column after the other, and the length of each column. None if the
            metric does not count n-grams, or not in the core.

        Raises
        ------
        EmptyInputError
            If a column is empty.
        InputTypeError
            If an item is not of the type that the metric takes.
        """
        return None

    def prepare_lines(self, lines: Lines, count: int, threads: int) -> Lines:
        """Prepare the first `count` lines of a file for :meth:`count_lines`."""
        return lines

    def count_lines(
        self,
        systems: list[Lines],
        references: list[Lines],
        count: int,
        threads: int,
        *,
        each: bool,
        observed: Sequence[Observed] = (),
    ) -> Sequence[Stats]:
        """Count lines of several systems while they are read.

        Parameters
        ----------
        systems, references : list of Lines
        count : int
            The number of lines to count.
        threads : int
        each : bool
            Whether to return one row per line, or their sum.
        observed : sequence of Observed
            Collects observations about the text of each system.

        Returns
        -------
        sequence of Stats
            One for each system.
        """
        streams = [lines.texts(count) for lines in references]
        counted = [
            self.count_rows(lines.texts(count), None, streams, threads, each=each)
            for lines in systems
        ]
        return [self.stats_type(rows, self, fewest, most) for rows, fewest, most in counted]

    def observe_lines(
        self, observed: Observed, hypotheses: Lines, references: list[Lines], count: int
    ) -> None:
        """Observe the original lines, if :meth:`count_lines` only gets prepared ones."""

    def check_observed(self, observed: Observed, name: str) -> None:
        """Warn about what was observed while the corpus called `name` was counted."""

    def check_addable(self) -> None:
        """Check that rows of several segments can be added.

        Raises
        ------
        SettingsError
            If the formula is only defined for one segment.
        """
        if self.sentence_only:
            raise SettingsError(
                f"{self.name} is only defined for one segment: score each segment by itself"
            )


def directions(metrics: Iterable[Definition]) -> list[str]:
    """Return a line for each metric of which a lower score is better, to stand at a table."""
    return [f"{each.name}: lower is better" for each in metrics if not each.higher_is_better]
