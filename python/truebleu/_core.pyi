"""The Rust core. Private: columns, ids and numbers in, counts and floats out."""

from collections.abc import Sequence
from typing import Any, final

__all__ = [
    "DIVIDING_SMOOTHINGS",
    "MOST_PERMUTED",
    "NORMALIZATION_VERSION",
    "REFERENCE_LENGTHS",
    "SACREBLEU_SMOOTHINGS",
    "SENTENCE_ONLY_SMOOTHINGS",
    "SMOOTHINGS",
    "TOKENIZERS",
    "UNICODE_FORMS",
    "UNICODE_VERSION",
    "Column",
    "Engine",
    "InvalidUtf8Error",
    "Lines",
    "Observed",
    "Pairs",
    "Texts",
    "Units",
    "__version__",
    "add_groups",
    "add_rows",
    "brevity_penalty",
    "check_rows",
    "legacy_bootstrap",
    "legacy_score",
    "legacy_swaps",
    "lowercase",
    "normalize",
    "whole_numbers",
]

__version__: str
UNICODE_VERSION: str
NORMALIZATION_VERSION: str
UNICODE_FORMS: tuple[str, ...]
TOKENIZERS: dict[str, str | None]
SMOOTHINGS: dict[str, float | None]
SENTENCE_ONLY_SMOOTHINGS: tuple[str, ...]
SACREBLEU_SMOOTHINGS: tuple[str, ...]
DIVIDING_SMOOTHINGS: tuple[str, ...]
REFERENCE_LENGTHS: tuple[str, ...]
MOST_PERMUTED: int

class InvalidUtf8Error(ValueError): ...

@final
class Engine:
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
        effective_order: bool,
        phantom_ngrams: bool,
    ) -> Engine: ...
    def with_effective_order(self, effective: bool) -> Engine: ...
    @property
    def row_width(self) -> int: ...
    def count(
        self,
        hypotheses: list[Any],
        references: list[Any],
        threads: int,
        each: bool,
        observed: Observed | None = None,
    ) -> tuple[bytes, int, int]: ...
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
    def count_lines(
        self,
        hypothesis: Lines,
        references: Sequence[Lines],
        segments: int,
        threads: int,
        each: bool,
        observed: Observed | None = None,
    ) -> tuple[bytes, int, int]: ...
    def count_columns(
        self,
        hypotheses: Column,
        references: Sequence[Column],
        threads: int,
        each: bool,
        observed: Observed | None = None,
    ) -> tuple[bytes, int, int]: ...
    def sentence(self, hypothesis: Any, references: Any) -> tuple[float, bytes, int]: ...
    def score(self, row: bytes) -> tuple[list[float], list[float], float, int]: ...
    def precision_fractions(self, row: bytes) -> list[float]: ...
    @property
    def skips_zeros(self) -> bool: ...
    def score_rows(self, rows: bytes) -> bytes: ...
    def tokens(self, text: str, *, strip: bool = True) -> list[tuple[str, int, int]]: ...
    def tokenize_lines(self, lines: Lines, threads: int) -> bytes: ...

@final
class Observed:
    def __new__(cls) -> Observed: ...
    def look(self, hypotheses: list[Any], references: list[Any]) -> None: ...
    def look_lines(self, hypothesis: Lines, references: Sequence[Lines], segments: int) -> None: ...
    def facts(self) -> dict[str, Any]: ...

@final
class Lines:
    def __new__(cls) -> Lines: ...
    def push(self, block: bytes) -> None: ...
    def finish(self) -> None: ...
    @property
    def available(self) -> int: ...
    @property
    def total(self) -> int: ...
    def texts(self, count: int) -> list[str]: ...
    def drop_front(self, count: int) -> None: ...

@final
class Column:
    def __new__(cls, source: Any) -> Column: ...
    def __len__(self) -> int: ...
    def check(self) -> None: ...
    @property
    def has_lists(self) -> bool: ...
    @property
    def first_null(self) -> int | None: ...
    def texts(self) -> list[Any]: ...

@final
class Units:
    def __new__(cls, tables: list[bytes], width: int) -> Units: ...
    def bootstrap(
        self, engine: Engine, seed: int, start: int, stop: int, threads: int
    ) -> bytes: ...
    def randomise(
        self,
        engine: Engine,
        pairs: list[tuple[int, int]],
        seed: int,
        start: int,
        stop: int,
        threads: int,
    ) -> list[tuple[int, int]]: ...
    def permute(self, engine: Engine, one: int, other: int) -> tuple[int, int, int]: ...
    def differing(self, one: int, other: int) -> int: ...

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

def legacy_bootstrap(engine: Engine, table: bytes, indices: Any) -> bytes: ...
def legacy_swaps(engine: Engine, first: bytes, second: bytes, stays: bytes) -> bytes: ...
def legacy_score(engine: Engine, row: bytes) -> float: ...
def add_rows(rows: bytes, width: int) -> bytes: ...
def add_groups(rows: bytes, width: int, groups: Any, count: int) -> bytes: ...
def check_rows(rows: bytes, width: int, phantom: bool) -> None: ...
def brevity_penalty(hyp_len: float, ref_len: float) -> float: ...
def lowercase(text: str) -> str: ...
def normalize(text: str, form: str) -> str: ...
def whole_numbers(lists: list[Any]) -> tuple[bytes, bytes] | None: ...
