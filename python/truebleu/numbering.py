"""Tokens that are tokens already: a number for each, equal ones for equal tokens."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from truebleu import checks, inputs
from truebleu.errors import InputTypeError
from truebleu.ragged import Ragged

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable, Hashable, Mapping
    from typing import Any

    Ints = array[int]


def token_ids(
    hypotheses: Any, references: Any, reference_streams: Any = None
) -> tuple[Ints, Ints, Ints, Ints, Ints]:
    """Give a number to every token of a corpus that is tokens already.

    Parameters
    ----------
    hypotheses : Ragged, or iterable of sequences of hashable
        The tokens of each segment.
    references : Ragged, or iterable of sequences
        Per segment the tokens of its reference (str, numbers, any hashable but tuples), or a
        list of references, each a list of tokens, or None if missing.
    reference_streams : iterable of iterables, optional
        Instead of `references`: complete translations of the corpus.

    Returns
    -------
    tuple of five arrays of int64
        Values and offsets of the hypotheses, values and offsets of the references, and for each
        segment where its references end.

    Raises
    ------
    InputTypeError
        If a segment is no sequence, or a token not hashable.
    EmptyInputError, LengthMismatchError
        As :func:`truebleu.inputs.segments`.
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
            stream.split(f"reference_streams[{index}]") if isinstance(stream, Ragged) else stream
            for index, stream in enumerate(inputs.as_list(reference_streams, "reference_streams"))
        ]
    own, others = inputs.segments(hypotheses, references, reference_streams)
    flat: list[Any] = []
    ends = array("q")
    for index, item in enumerate(others):
        several = references_of(item, f"references[{index}]")
        if not several:
            raise inputs.missing(index)
        flat += several
        ends.append(len(flat))
    for index, tokens in enumerate(own):
        _check_tokens(tokens, f"hypotheses[{index}]")
    checks.check_argument_order(own, flat)
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
        lists[name] = inputs.column(split, name)
        for index, tokens in enumerate(lists[name]):
            if function is not None:
                lists[name][index : index + 1] = [inputs.tokens_of(function, tokens)]
            else:
                _check_tokens(tokens, f"{name}[{index}]")
    try:
        return [_integers(tokens) for tokens in lists.values()]
    except (TypeError, OverflowError):
        ids = _numbers()
        found = [_numbered(tokens, ids, name) for name, tokens in lists.items()]
        ids.default_factory = None
        return found


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
    return inputs.is_array(part) and getattr(part, "ndim", 0) > 0


def _check_tokens(tokens: Any, where: str) -> None:
    if type(tokens) is list:
        return
    if isinstance(tokens, str | bytes):
        raise InputTypeError(
            f"{where} is a {type(tokens).__name__} ({tokens[:30]!r}), but tokenizer=None takes "
            "tokens: split it, or name a tokenizer"
        )
    if (
        not isinstance(tokens, Sequence)
        and not hasattr(tokens, "typecode")
        and not _is_nested(tokens)
    ):
        raise InputTypeError(
            f"{where} is of type {type(tokens).__name__}; a list of tokens is needed"
        )


def _numbers() -> defaultdict[Hashable, int]:
    """Give every token a number: that of a new one is how many there are."""
    ids: defaultdict[Hashable, int] = defaultdict()
    ids.default_factory = ids.__len__
    return ids


def _integers(sequences_: list[Any]) -> tuple[Ints, Ints]:
    """Take tokens that are int64 numbers as they are."""
    from array import array

    values, offsets = array("q"), array("q", [0])
    for tokens in sequences_:
        if isinstance(tokens, str):
            raise TypeError
        values.extend(array("q", tokens.tolist() if inputs.is_array(tokens) else tokens))
        offsets.append(len(values))
    return values, offsets


def _numbered(sequences_: list[Any], ids: Mapping[Hashable, int], name: str) -> tuple[Ints, Ints]:
    """Give numbers in order of appearance, equal ones to equal tokens."""
    from array import array

    values, offsets = array("q"), array("q", [0])
    for index, tokens in enumerate(sequences_):
        items = tokens.tolist() if inputs.is_array(tokens) else tokens
        try:
            values.extend(array("q", list(map(ids.__getitem__, items))))
        except TypeError as error:
            raise InputTypeError(
                f"{name}: the tokens of item {index} cannot be compared ({error}); "
                "tokens are strings, numbers, or anything hashable"
            ) from error
        offsets.append(len(values))
    return values, offsets
