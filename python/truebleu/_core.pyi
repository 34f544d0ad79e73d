"""The Rust core. Private: columns, ids and numbers in, counts and floats out."""

from collections.abc import Sequence
from typing import Any, final

__all__ = [
    "REFERENCE_LENGTHS",
    "SMOOTHINGS",
    "TOKENIZERS",
    "UNICODE_VERSION",
    "Engine",
    "InvalidUtf8Error",
    "Lines",
    "__version__",
    "add_rows",
    "lowercase",
]

__version__: str
UNICODE_VERSION: str
TOKENIZERS: dict[str, str | None]
SMOOTHINGS: dict[str, float | None]
REFERENCE_LENGTHS: tuple[str, ...]

class InvalidUtf8Error(ValueError): ...

@final
class Engine:
    def __new__(
        cls,
        *,
        tokenizer: str,
        lowercase: bool,
        max_order: int,
        reference_length: str,
        smoothing: str,
        smooth_value: float | None,
        weights: Sequence[Sequence[float]],
        effective_order: bool,
        phantom_ngrams: bool,
    ) -> Engine: ...
    @property
    def row_width(self) -> int: ...
    def count(
        self, hypotheses: list[Any], references: list[Any], threads: int, each: bool
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
    ) -> tuple[bytes, int, int]: ...
    def sentence(self, hypothesis: Any, references: Any) -> tuple[float, bytes, int]: ...
    def score(self, row: bytes) -> tuple[list[float], list[float], float, int]: ...
    def score_rows(self, rows: bytes) -> bytes: ...
    def tokens(self, text: str) -> list[tuple[str, int, int]]: ...
    def tokenize_lines(self, lines: Lines, threads: int) -> bytes: ...

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

def add_rows(rows: bytes, width: int) -> bytes: ...
def lowercase(text: str) -> str: ...
