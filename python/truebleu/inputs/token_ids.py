"""Tokens that are tokens already: a number for each, equal ones for equal tokens."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Sequence

from truebleu._core import whole_numbers
from truebleu.errors import InputTypeError
from truebleu.inputs import checks, sequences
from truebleu.inputs.ragged import RAW, Ragged

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable, Hashable, Mapping
    from typing import Any

    Ints = array[int]


def token_ids(
    hypotheses: Any, references: Any, reference_streams: Any = None, *, check: bool = False
) -> tuple[Ints, Ints, Ints, Ints, Ints]:
    """Give a number to every token of a corpus that is tokens already.

    Parameters
    ----------
    hypotheses : Ragged, or iterable of sequences of hashable
        The tokens of each segment: a list or another sequence, or an array. Tokens are equal
        when Python says so, as the keys of a dict are: ``1``, ``1.0`` and ``True`` are one token.
        str, bytes, bytearray and memoryview are not sequences of tokens.
    references : Ragged, or iterable of sequences
        Per segment the tokens of its reference (str, numbers, any hashable but tuples), or a
        list of references, each a list of tokens, or None if missing.
    reference_streams : iterable of iterables, optional
        Instead of `references`: complete translations of the corpus.
    check : bool, default False
        Warn if hypotheses and references seem to be exchanged.

    Returns
    -------
    tuple of five arrays of int64
        Values and offsets of the hypotheses, values and offsets of the references, and for each
        segment where its references end.

    Raises
    ------
    InputTypeError
        If a segment is no sequence of tokens, or a token not hashable.
    EmptyInputError, LengthMismatchError
        As :func:`truebleu.inputs.sequences.segments`.
    """
    from array import array

    if isinstance(hypotheses, Ragged) and isinstance(references, Ragged):
        first, second = hypotheses.as_int64("hypotheses"), references.as_int64("references")
        if first is not None and second is not None and len(hypotheses) == len(references) > 0:
            # One reference for each segment, and nothing to be done.
            import numpy as np

            each = np.arange(1, len(hypotheses) + 1)
            return *first, *second, each  # type: ignore[return-value]
    if isinstance(hypotheses, Ragged):
        hypotheses = hypotheses.split("hypotheses")
    if isinstance(references, Ragged):
        references = [[each] for each in references.split("references")]
    if reference_streams is not None:
        reference_streams = [
            _stream(stream, f"reference_streams[{index}]")
            for index, stream in enumerate(
                sequences.as_list(reference_streams, "reference_streams")
            )
        ]
    own, others = sequences.segments(hypotheses, references, reference_streams)
    flat: list[Any] = []
    ends = array("q")
    for index, item in enumerate(others):
        several = references_of(item, f"references[{index}]")
        if not several:
            raise sequences.missing(index)
        flat += several
        ends.append(len(flat))
    for index, tokens in enumerate(own):
        _check_tokens(tokens, f"hypotheses[{index}]")
    checks.check_argument_order(own, flat, tuples=check)
    try:
        numbered = _integers(own), _integers(flat)
    except (TypeError, OverflowError):
        ids = _numbers()
        numbered = _numbered(own, ids, "hypotheses"), _numbered(flat, ids, "references")
        ids.default_factory = None  # A circle would keep the tokens.
    return *numbered[0], *numbered[1], ends


def token_columns(
    columns: dict[str, Any], function: Callable[[str], list[str]] | None
) -> list[tuple[Any, Any]]:
    """Give a number to every token of several columns; return values and offsets of each."""
    ready = {
        name: items.as_int64(name) if isinstance(items, Ragged) else None
        for name, items in columns.items()
    }
    if all(found is not None and len(found[1]) > 1 for found in ready.values()):
        return [found for found in ready.values() if found is not None]
    lists = {}
    for name, items in columns.items():
        split = items.split(name) if isinstance(items, Ragged) else items
        lists[name] = sequences.column(split, name)
        for index, tokens in enumerate(lists[name]):
            if function is not None:
                lists[name][index : index + 1] = [sequences.tokens_of(function, tokens)]
            else:
                _check_tokens(tokens, f"{name}[{index}]")
    try:
        return [_integers(tokens) for tokens in lists.values()]
    except (TypeError, OverflowError):
        ids = _numbers()
        found = [_numbered(tokens, ids, name) for name, tokens in lists.items()]
        ids.default_factory = None
        return found


def _stream(stream: Any, where: str) -> list[Any]:
    """List the tokens of each segment: side by side with others, a str would look like a token."""
    if isinstance(stream, Ragged):
        return stream.split(where)
    items = sequences.as_list(stream, where)
    for index, tokens in enumerate(items):
        if tokens is not None:
            _check_tokens(tokens, f"{where}[{index}]")
    return items


def references_of(item: Any, where: str) -> list[Any]:
    """List the references of a segment, whether there is one or more."""
    if item is None:
        return []
    _check_tokens(item, where)
    first = next((part for part in item if part is not None), None)
    if getattr(item, "ndim", 1) > 1 or isinstance(first, list | tuple) or _is_nested(first):
        several = [part for part in item if part is not None]
        for number, tokens in enumerate(several):
            _check_tokens(tokens, f"{where}[{number}]")
        return several
    # An empty list is no reference; [[]] is one without tokens. [None] is a missing one.
    return [item] if first is not None else []


def _is_nested(part: Any) -> bool:
    return hasattr(part, "typecode") or (sequences.is_array(part) and getattr(part, "ndim", 0) > 0)


def _holds_numbers(tokens: Any) -> bool:
    """Whether this is an array of Python's, and of whole numbers: its other kinds are no tokens."""
    return getattr(tokens, "typecode", "-") in "bBhHiIlLqQ" and not sequences.is_array(tokens)


def _check_tokens(tokens: Any, where: str) -> None:
    if type(tokens) is list:
        return
    if isinstance(tokens, RAW):
        shown = "" if isinstance(tokens, memoryview) else f" ({tokens[:30]!r})"
        raise InputTypeError(
            f"{where} is a {type(tokens).__name__}{shown}, but tokenizer=None takes "
            "tokens: split it, or name a tokenizer"
        )
    if hasattr(tokens, "typecode") and not _holds_numbers(tokens):
        raise InputTypeError(
            f"{where} is an array of {tokens.typecode!r}, but tokens in an array are whole numbers"
        )
    if not isinstance(tokens, Sequence) and not _holds_numbers(tokens) and not _is_nested(tokens):
        raise InputTypeError(
            f"{where} is of type {type(tokens).__name__}; a list of tokens is needed"
        )


def _numbers() -> defaultdict[Hashable, int]:
    """Give every token a number: that of a new one is how many there are."""
    ids: defaultdict[Hashable, int] = defaultdict()
    ids.default_factory = ids.__len__
    return ids


def _integers(sequences_: list[Any]) -> tuple[Ints, Ints]:
    """Take tokens that are int64 numbers as they are.

    Raises
    ------
    TypeError
        If one is anything else. Whatever has an ``__index__`` is not yet equal to that.
    OverflowError
        If one does not fit.
    """
    from array import array

    found_at_once = whole_numbers(sequences_)
    if found_at_once is not None:
        both = array("q"), array("q")
        for numbers, data in zip(both, found_at_once, strict=True):
            numbers.frombytes(data)
            if sys.byteorder == "big":
                numbers.byteswap()
        return both
    values, offsets = array("q"), array("q", [0])
    # Types whose values are equal if and only if they are the same number.
    known: set[type] = {int, bool}
    for tokens in sequences_:
        items = tokens_of(tokens)
        whole = _kind(tokens) in {"i", "u"}
        if not whole and not known.issuperset(found := set(map(type, items))):
            known |= found
            if not all(map(_is_number, found)):
                raise TypeError
        values.extend(array("q", items))
        offsets.append(len(values))
    return values, offsets


def _is_number(kind: type) -> bool:
    """Whether a type is int, bool, or one of NumPy's integers."""
    if kind.__module__ == "numpy":
        import numpy as np

        return issubclass(kind, np.integer) and np.dtype(kind).kind in "iu"
    return kind in (int, bool)


def _kind(tokens: Any) -> str:
    """Return the letter by which NumPy and pandas tell integers from the rest."""
    return getattr(getattr(tokens, "dtype", None), "kind", "")


def tokens_of(tokens: Any) -> Sequence[Any]:
    """Return tokens as a sequence of objects."""
    if not sequences.is_array(tokens):
        return tokens  # type: ignore[no-any-return]
    if _kind(tokens) in {"m", "M"}:
        # Their numbers mean something only together with their unit.
        return list(tokens)
    return tokens.tolist()  # type: ignore[no-any-return]


def _numbered(sequences_: list[Any], ids: Mapping[Hashable, int], name: str) -> tuple[Ints, Ints]:
    """Give numbers in order of appearance, equal ones to equal tokens."""
    from array import array

    values, offsets = array("q"), array("q", [0])
    for index, tokens in enumerate(sequences_):
        items = tokens_of(tokens)
        try:
            values.extend(array("q", list(map(ids.__getitem__, items))))
        except (TypeError, ValueError) as error:
            raise InputTypeError(
                f"{name}: the tokens of item {index} cannot be compared ({error}); "
                "tokens are strings, numbers, or anything hashable"
            ) from error
        offsets.append(len(values))
    return values, offsets
