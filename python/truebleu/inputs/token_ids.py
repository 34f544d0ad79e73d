"""Input that is already tokens: every token becomes a number, equal tokens the same one."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Sequence

from truebleu._core import whole_numbers
from truebleu.errors import InputTypeError, wrong_type
from truebleu.inputs import checks, frames, sequences
from truebleu.inputs.ragged import RAW, Ragged, negative_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable, Hashable, Mapping
    from typing import Any

    Ints = array[int]


def token_ids(
    hypotheses: Any, references: Any, reference_streams: Any = None, *, check: bool = False
) -> tuple[Ints, Ints, Ints, Ints, Ints]:
    """Replace the tokens of a corpus by numbers, and warn on demand if it seems to be swapped.

    Tokens are equal if they are equal as keys of a dict: ``1``, ``1.0`` and ``True`` are one token.
    A segment has the tokens of its reference (anything hashable but tuples), or a list of
    references, each of which is a list of tokens, or None if it is missing.
    """
    from array import array
    from itertools import accumulate

    if isinstance(hypotheses, Ragged) and isinstance(references, Ragged):
        first, second = hypotheses.for_core("hypotheses"), references.for_core("references")
        if first is not None and second is not None and len(hypotheses) == len(references) > 0:
            # One reference for each segment, and all tokens are numbers already.
            import numpy as np

            each = np.arange(1, len(hypotheses) + 1)
            return *first, *second, each  # type: ignore[return-value]
    hypotheses, several = token_segments(hypotheses, references, reference_streams)
    flat = [tokens for references in several for tokens in references]
    ends = array("q", accumulate(map(len, several)))
    for index, tokens in enumerate(hypotheses):
        _check_tokens(tokens, f"hypotheses[{index}]")
    checks.check_argument_order(hypotheses, flat, tuples=check)
    outputs, expected = _as_numbers({"hypotheses": hypotheses, "references": flat})
    return *outputs, *expected, ends


def token_segments(
    hypotheses: Any, references: Any, reference_streams: Any = None, name: str = "hypotheses"
) -> tuple[list[Any], list[list[Any]]]:
    """Turn a corpus of tokens into lists of hypotheses, and of references of each segment."""
    if isinstance(hypotheses, Ragged):
        hypotheses = hypotheses.split(name)
    if isinstance(references, Ragged):
        references = [[tokens] for tokens in references.split("references")]
    if reference_streams is not None:
        _, reference_streams = frames.references(None, reference_streams, (name, hypotheses))
        reference_streams = [
            _stream(stream, f"reference_streams[{index}]")
            for index, stream in enumerate(
                sequences.as_list(reference_streams, "reference_streams")
            )
        ]
    hypotheses, items = sequences.segments(hypotheses, references, reference_streams, name)
    several = [references_of(item, f"references[{index}]") for index, item in enumerate(items)]
    if not all(several):
        raise sequences.missing(several.index([]))
    return hypotheses, several


def token_columns(
    columns: dict[str, Any], function: Callable[[str], list[str]] | None
) -> list[tuple[Any, Any]]:
    """Replace the tokens of columns, by name, by numbers; the function splits texts."""
    ready = [
        items.for_core(name) if isinstance(items, Ragged) else None
        for name, items in columns.items()
    ]
    if all(numbers is not None and len(numbers[1]) > 1 for numbers in ready):
        return [numbers for numbers in ready if numbers is not None]
    lists = {}
    for name, items in columns.items():
        split = items.split(name) if isinstance(items, Ragged) else items
        lists[name] = sequences.column(split, name)
        for index, tokens in enumerate(lists[name]):
            if function is not None:
                lists[name][index : index + 1] = [sequences.tokens_of(function, tokens)]
            else:
                _check_tokens(tokens, f"{name}[{index}]")
    return _as_numbers(lists)


def _stream(stream: Any, where: str) -> list[Any]:
    """List the segments of a stream; side by side with other streams, a str looks like a token."""
    if isinstance(stream, Ragged):
        return stream.split(where)
    items = sequences.as_list(stream, where)
    for index, tokens in enumerate(items):
        if tokens is not None:
            _check_tokens(tokens, f"{where}[{index}]")
    return items


def references_of(item: Any, where: str) -> list[Any]:
    """List the references of a segment, whether they are one sequence of tokens or several."""
    if item is None:
        return []
    _check_tokens(item, where)
    first = next((part for part in item if part is not None), None)
    if getattr(item, "ndim", 1) > 1 or isinstance(first, list | tuple) or _is_nested(first):
        several = [part for part in item if part is not None]
        for number, tokens in enumerate(several):
            _check_tokens(tokens, f"{where}[{number}]")
        return several
    # An empty list has no reference; [[]] has one without tokens. In [None] it is missing.
    return [item] if first is not None else []


def _is_nested(part: Any) -> bool:
    if hasattr(part, "as_py"):  # Of Arrow.
        return isinstance(part, Sequence)
    return hasattr(part, "typecode") or (sequences.is_array(part) and getattr(part, "ndim", 0) > 0)


def _holds_numbers(tokens: Any) -> bool:
    """Tell whether this is an array.array of whole numbers; other types of items are no tokens."""
    return getattr(tokens, "typecode", "-") in "bBhHiIlLqQ" and not sequences.is_array(tokens)


def _check_tokens(tokens: Any, where: str) -> None:
    if type(tokens) is list:
        return
    if isinstance(tokens, RAW):
        shown = "" if isinstance(tokens, memoryview) else f" ({tokens[:30]!r})"
        raise InputTypeError(
            f"{where} is a {type(tokens).__name__}{shown}, but tokenizer='pretokenized' takes "
            "tokens: split it, or name a tokenizer"
        )
    if hasattr(tokens, "typecode") and not _holds_numbers(tokens):
        raise InputTypeError(
            f"{where} is an array of {tokens.typecode!r}, but tokens in an array are whole numbers"
        )
    if not isinstance(tokens, Sequence) and not _holds_numbers(tokens) and not _is_nested(tokens):
        raise wrong_type(where, tokens, "a list of tokens is needed")


def _as_numbers(columns: dict[str, list[Any]]) -> list[tuple[Ints, Ints]]:
    """Replace the tokens of columns by numbers; return values and offsets of each."""
    lists = {name: [*map(_listed, tokens)] for name, tokens in columns.items()}
    # Of tokens that are numbers from 0 up to int64, and remain what they are.
    whole = [whole_numbers(tokens) for tokens in lists.values()]
    if None not in whole:
        return [(_numbers(values), _numbers(offsets)) for values, offsets in filter(None, whole)]
    # A new token gets the next number.
    ids: defaultdict[Hashable, int] = defaultdict()
    ids.default_factory = ids.__len__
    numbered = [_numbered(tokens, ids, name) for name, tokens in lists.items()]
    ids.default_factory = None  # A reference cycle would keep the tokens alive.
    return numbered


def _listed(tokens: Any) -> list[Any]:
    return tokens if type(tokens) is list else [*tokens_of(tokens)]


def _numbers(data: bytes) -> Ints:
    from array import array

    numbers = array("q", data)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def tokens_of(tokens: Any) -> Sequence[Any]:
    """Return tokens as a sequence of objects."""
    if hasattr(tokens, "as_py"):
        return tokens.as_py()  # type: ignore[no-any-return]
    if not sequences.is_array(tokens):
        return tokens  # type: ignore[no-any-return]
    if getattr(getattr(tokens, "dtype", None), "kind", "") in {"m", "M"}:
        # The numbers of dates and durations mean nothing without their unit.
        return list(tokens)
    return tokens.tolist()  # type: ignore[no-any-return]


def _numbered(lists: list[list[Any]], ids: Mapping[Hashable, int], name: str) -> tuple[Ints, Ints]:
    """Give tokens numbers in order of appearance; return values and offsets."""
    from array import array
    from numbers import Real

    values, offsets = array("q"), array("q", [0])
    for index, tokens in enumerate(lists):
        try:
            values.extend(array("q", list(map(ids.__getitem__, tokens))))
        except (TypeError, ValueError) as error:
            raise InputTypeError(
                f"{name}: the tokens of item {index} cannot be compared ({error}); "
                "tokens are strings, numbers, or anything hashable"
            ) from error
        offsets.append(len(values))
    numbers: Any = (each for each in ids if type(each) is not str and isinstance(each, Real))
    negative = next((each for each in numbers if each < 0 and each % 1 == 0), None)
    if negative is not None:
        index = next(i for i, each in enumerate(lists) if negative in each)
        raise negative_id(name, index, int(negative))
    return values, offsets
