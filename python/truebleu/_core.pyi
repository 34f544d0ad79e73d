"""The Rust core. Private: columns, ids and numbers in, counts and floats out."""

from collections.abc import Sequence
from os import PathLike
from typing import Any, final

from typing_extensions import disjoint_base

__all__ = [
    "DEBUG_ASSERTIONS",
    "DIVIDING_SMOOTHINGS",
    "MOST_PERMUTED",
    "NORMALIZATION_VERSION",
    "REFERENCE_LENGTHS",
    "SEGMENT_ONLY_SMOOTHINGS",
    "SIGNS",
    "SIMD",
    "SMOOTHINGS",
    "TER_UNITS",
    "TOKENIZERS",
    "UNICODE_FORMS",
    "UNICODE_VERSION",
    "BleuEngine",
    "Column",
    "Contributions",
    "Engine",
    "InvalidUtf8Error",
    "JudgedTable",
    "Lines",
    "Observed",
    "Pairs",
    "RowError",
    "Rows",
    "Texts",
    "Units",
    "__version__",
    "add_groups",
    "add_rows",
    "brevity_penalty",
    "check_counts",
    "check_rows",
    "chrf_units",
    "lowercase",
    "neighbors",
    "normalize",
    "student_t_quantile",
    "student_t_tail",
    "survey",
    "swap_all",
    "take_left_over",
    "ter_steps",
    "unpadded",
    "whole_numbers",
]

_Spans = list[tuple[str, int, int]]

__version__: str
SIMD: str
DEBUG_ASSERTIONS: bool
UNICODE_VERSION: str
NORMALIZATION_VERSION: str
UNICODE_FORMS: tuple[str, ...]
TOKENIZERS: dict[str, str | None]
SIGNS: list[str]
SMOOTHINGS: dict[str, float | None]
SEGMENT_ONLY_SMOOTHINGS: tuple[str, ...]
DIVIDING_SMOOTHINGS: tuple[str, ...]
REFERENCE_LENGTHS: tuple[str, ...]
MOST_PERMUTED: int
TER_UNITS: int

class InvalidUtf8Error(ValueError): ...
class RowError(ValueError): ...

@disjoint_base
class Engine:
    @staticmethod
    def chrf(
        *,
        char_order: int,
        word_order: int,
        squared_beta: float,
        lowercase: bool,
        whitespace: bool | None,
        eps_smoothing: bool,
        unicode_form: str | None = None,
        score_type: type[Any] | None = None,
    ) -> Engine: ...
    @staticmethod
    def ter(
        *,
        normalized: bool,
        no_punct: bool,
        asian_support: bool,
        case_sensitive: bool,
        unicode_form: str | None = None,
        short_blocks: bool = False,
        score_type: type[Any] | None = None,
    ) -> Engine: ...
    @property
    def row_width(self) -> int: ...
    @property
    def fields(self) -> list[str]: ...
    def count(
        self,
        systems: Sequence[list[Any]],
        references: list[Any],
        threads: int,
        each: bool,
        observed: Sequence[Observed],
    ) -> list[tuple[bytes, int, int]]: ...
    def count_lines(
        self,
        systems: Sequence[Lines],
        references: Sequence[Lines],
        segments: int,
        threads: int,
        each: bool,
        observed: Sequence[Observed],
    ) -> list[tuple[bytes, int, int]]: ...
    def count_columns(
        self,
        hypotheses: Column,
        references: Sequence[Column],
        threads: int,
        each: bool,
        observed: Observed | None = None,
    ) -> tuple[bytes, int, int]: ...
    def sentence(self, metric: Any, hypothesis: Any, references: Any) -> Any: ...
    def score_rows(self, rows: bytes, *, segment: bool = False) -> bytes: ...

@final
class BleuEngine(Engine):
    def __new__(
        cls,
        *,
        tokenizer: str,
        unicode_form: str | None,
        lowercase: bool,
        max_order: int,
        reference_length: str,
        smoothing: str,
        smooth_value: float | None,
        weights: Sequence[Sequence[float]],
        effective_order: bool | None,
        brevity_penalty: bool,
        phantom_ngrams: bool,
        takes: str = "native",
        score_type: type[Any] | None = None,
    ) -> BleuEngine: ...
    def count_ids(
        self,
        values: Any,
        offsets: Any,
        reference_values: Any,
        reference_offsets: Any,
        reference_ends: Any,
        threads: int,
        each: bool,
    ) -> tuple[bytes, int, int]: ...
    def score(
        self, row: bytes, *, segment: bool = False
    ) -> tuple[list[float], list[float], float, int]: ...
    def precision_fractions(self, row: bytes) -> list[float]: ...
    @property
    def skips_zeros(self) -> bool: ...
    def score_lists(self, rows: bytes, *, segment: bool = False) -> bytes: ...
    def parts_of_rows(
        self, rows: bytes, *, segment: bool = False
    ) -> tuple[bytes, bytes, bytes]: ...
    def tokens(self, text: str) -> _Spans: ...
    def tokenize_lines(self, lines: Lines, threads: int) -> bytes: ...

@final
class Observed:
    def __new__(cls) -> Observed: ...
    def look(self, hypotheses: list[Any], references: list[Any]) -> None: ...
    def look_lines(self, hypothesis: Lines, references: Sequence[Lines], segments: int) -> None: ...
    def facts(self) -> dict[str, Any]: ...

@final
class Lines:
    def __new__(cls, longest: int | None = None) -> Lines: ...
    @staticmethod
    def open(path: str | PathLike[str], block: int, longest: int) -> Lines: ...
    def read(self) -> None: ...
    def push(self, block: bytes) -> None: ...
    def finish(self) -> None: ...
    @property
    def available(self) -> int: ...
    @property
    def total(self) -> int: ...
    @property
    def read_bytes(self) -> int: ...
    @property
    def separator(self) -> int | None: ...
    def texts(self, count: int, behind: int = 0) -> list[Any]: ...
    def skip_empty(self) -> None: ...
    def drop_front(self, count: int) -> None: ...
    def push_column(self, column: Column) -> None: ...

@final
class Rows:
    """Rows of CSV, TSV or JSON Lines, read from the lines that are ready of a stream."""

    @staticmethod
    def separated(
        separator: int, quoted: bool, header: bool, places: list[int] | None, longest: int
    ) -> Rows: ...
    @staticmethod
    def json(
        texts: list[str], labels: list[str], nulls: bool, lists: bool, longest: int
    ) -> Rows: ...
    def __len__(self) -> int: ...
    def push(self, lines: Lines) -> bool: ...
    def finish(self) -> None: ...
    @property
    def seen(self) -> list[bool]: ...
    def take(self) -> list[Column]: ...

@final
class Column:
    def __new__(cls, source: Any) -> Column: ...
    @staticmethod
    def of(texts: list[str | None]) -> Column: ...
    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[Any, Any]: ...
    def __len__(self) -> int: ...
    def check(self) -> None: ...
    @property
    def has_lists(self) -> bool: ...
    @property
    def first_null(self) -> int | None: ...
    def texts(self) -> list[Any]: ...

@final
class Units:
    """The rows of some systems side by side, one per segment or document, ready to be resampled.

    Tables are little-endian int64, of shape (units, width). A sample depends on the seed and its
    own number only, whatever range it is drawn in, by however many threads.
    """

    def __new__(cls, tables: list[bytes], width: int) -> Units: ...
    def bootstrap(self, engine: Engine, seed: int, start: int, stop: int, threads: int) -> bytes:
        """Score samples drawn with replacement: float64, shape (stop - start, systems)."""

    def bootstrap_sums(self, seed: int, start: int, stop: int, threads: int) -> bytes:
        """Sum the samples of `bootstrap`: int64, shape (stop - start, systems, width)."""

@final
class Contributions:
    """What each unit contributes to the scores of systems: float64, shape (systems, units).

    It is the influence on a score, which add up to 0, and a share of it, which add up to 1.
    """

    def __new__(cls, influences: Any, shares: Any, systems: int) -> Contributions: ...
    def swap(
        self,
        pairs: list[tuple[int, int, float, float]],
        seed: int,
        start: int,
        stop: int,
        threads: int,
    ) -> list[int]:
        """Swap the units of two systems, each with probability one half, the same for all pairs.

        A pair is two systems, the difference of their scores, and how much smaller others may be
        that are as extreme. Returns, for each pair, the trials whose difference was at least as
        large in absolute value.
        """

@final
class JudgedTable:
    """Outputs in groups: segments, systems, gold scores, and those of two metrics, float64."""

    def __new__(
        cls,
        sizes: list[int],
        segments: list[int],
        systems: list[int],
        gold: Any,
        one: Any,
        other: Any,
    ) -> JudgedTable: ...
    def value(self, measure: str) -> float:
        """Return the value of the first metric; NaN if it is undefined."""

    def sampled(self, measure: str, weights: Any, segments: int, threads: int) -> bytes:
        """Return its value in each sample, float64; a sample has one weight per segment."""

    def swapped(self, measure: str, seed: int | None, count: int, threads: int) -> bytes:
        """Return the values of both after each of some swaps, float64; of all without a seed."""

@final
class Texts:
    def __new__(cls) -> Texts: ...
    def push(self, engine: Engine, texts: list[str]) -> None: ...
    def push_ids(self, engine: Engine, values: Any, offsets: Any) -> None: ...
    def pairs(self, engine: Engine, hypotheses: int) -> Pairs: ...
    def against_others(self, engine: Engine, chosen: list[bool], threads: int) -> bytes: ...

@final
class Pairs:
    def block(self, engine: Engine, start: int, stop: int, threads: int) -> bytes: ...
    def expected(self, engine: Engine, weights: list[float]) -> bytes: ...

def neighbors(
    influences: Any,
    scores: int,
    seed: int,
    orders: int,
    enough: int,
) -> tuple[list[float], int]: ...
def swap_all(values: Any, difference: float, tie: float) -> tuple[int, int]:
    """Change the signs of values in all ways; return the count of `swap`, and how many."""

def student_t_quantile(probability: float, freedom: float) -> float:
    """Return the quantile of Student's t distribution, for `freedom` from 0.001 to 1,000."""

def student_t_tail(value: float, freedom: float) -> float:
    """Return the probability that Student's t is at least a value, for `freedom` up to 10^6."""

def add_rows(rows: bytes, fields: Sequence[str]) -> bytes: ...
def add_groups(rows: bytes, fields: Sequence[str], groups: Any, count: int) -> bytes: ...
def check_counts(rows: bytes, fields: Sequence[str]) -> None: ...
def check_rows(rows: bytes, width: int, phantom: bool) -> None: ...
def chrf_units(engine: Engine, text: str) -> tuple[_Spans, _Spans]: ...
def ter_steps(
    engine: Engine, hypothesis: str, reference: str
) -> tuple[list[str], list[str], list[tuple[int, int, int, int]], list[str]]: ...
def brevity_penalty(hyp_len: float, ref_len: float) -> float: ...
def lowercase(text: str) -> str: ...
def normalize(text: str, form: str) -> str: ...
def survey(
    items: list[Any],
) -> tuple[frozenset[type], frozenset[type], int, int, bool]: ...
def take_left_over() -> bool: ...
def unpadded(
    table: Any, width: int, *, pads: Sequence[int], end_of_sequence: int | None
) -> tuple[bytes, bytes]: ...
def whole_numbers(lists: list[Any]) -> tuple[bytes, bytes] | None: ...
