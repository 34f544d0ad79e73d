"""The only place where the shapes and types of the data are checked.

Everything ends as two lists of equal length, or as ragged arrays of token ids; everything else
ends as an error that says what, where, and what instead.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set

from truebleu.errors import EmptyInputError, InputTypeError, LengthMismatchError
from truebleu.frozen import Frozen

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable, Hashable
    from typing import Any

    from numpy.typing import ArrayLike

    Ints = array[int]


class Ragged(Frozen):
    """Token ids of many segments in one array.

    Segment ``i`` is ``values[offsets[i]:offsets[i + 1]]``.

    Parameters
    ----------
    values : array_like of int, one-dimensional
        The tokens of all segments.
    offsets : array_like of int, one more than there are segments
        From 0 to the number of values, never decreasing.
    """

    __slots__ = ("offsets", "values")
    offsets: ArrayLike
    values: ArrayLike

    def __init__(self, values: ArrayLike, offsets: ArrayLike) -> None:
        """Keep the two; they are checked when they are scored."""
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "offsets", offsets)

    def __len__(self) -> int:
        """Return the number of segments."""
        return len(self.offsets) - 1  # type: ignore[arg-type]  # Any array has a length.


def segments(
    hypotheses: Any, references: Any, reference_streams: Any = None
) -> tuple[list[Any], list[Any]]:
    """Bring a corpus into two lists of equal length, references segment-major.

    Parameters
    ----------
    hypotheses : iterable
        A segment per item.
    references : iterable or None
        Per segment its reference, or a sequence of its references.
    reference_streams : iterable of iterables, optional
        Instead of `references`: complete translations of the corpus.

    Returns
    -------
    tuple of list
        Items are not looked at yet; the core and :func:`blame` do that.

    Raises
    ------
    InputTypeError
        If one of them is a str, unordered, or no iterable at all.
    EmptyInputError
        If there are no segments.
    LengthMismatchError
        If they differ in length.
    """
    own = _as_list(hypotheses, "hypotheses")
    if (references is None) == (reference_streams is None):
        raise InputTypeError("give either references or reference_streams")
    if not own:
        raise EmptyInputError("hypotheses is empty: there is no segment to score")
    if reference_streams is not None:
        return own, _transpose(own, reference_streams)
    others = _as_list(references, "references")
    if len(own) != len(others):
        raise LengthMismatchError(_explain_lengths(own, others))
    return own, others


def _as_list(items: Any, name: str) -> list[Any]:
    if isinstance(items, list):
        return items
    if isinstance(items, str | bytes):
        raise InputTypeError(
            f"{name} is a {type(items).__name__}; a corpus is a list with an item per segment "
            "(for one segment there is sentence_bleu)"
        )
    if isinstance(items, Mapping | Set) and not _is_ordered_view(items):
        raise InputTypeError(f"{name} is a {type(items).__name__}; a list is needed")
    if hasattr(items, "columns"):
        # Iterating over a table of pandas gives the names of its columns.
        raise InputTypeError(f"{name} is a {type(items).__name__}; give one of its columns")
    if _is_array(items):
        if getattr(items, "ndim", 1) == 0:
            raise InputTypeError(f"{name} is an array without dimensions; a list is needed")
        return list(items) if getattr(items, "ndim", 1) > 1 else list(items.tolist())
    if not isinstance(items, Iterable):
        raise InputTypeError(f"{name} is of type {type(items).__name__}; a list is needed")
    return list(items)


def _is_ordered_view(items: Any) -> bool:
    return type(items) in (type({}.keys()), type({}.items()))


def _is_array(items: Any) -> bool:
    """Whether this is an array or a column of NumPy, pandas, PyTorch or the like."""
    return hasattr(items, "tolist") and hasattr(items, "dtype")


def _transpose(hypotheses: list[Any], reference_streams: Any) -> list[Any]:
    streams = [
        _as_list(stream, f"reference_streams[{index}]")
        for index, stream in enumerate(_as_list(reference_streams, "reference_streams"))
    ]
    for index, stream in enumerate(streams):
        if len(stream) != len(hypotheses):
            raise LengthMismatchError(
                f"reference_streams[{index}] has {len(stream):,} segments, hypotheses "
                f"{len(hypotheses):,}: every stream translates the whole corpus"
            )
    if not streams:
        raise EmptyInputError("reference_streams is empty: there is nothing to compare with")
    return list(zip(*streams, strict=True))


def _explain_lengths(hypotheses: list[Any], references: list[Any]) -> str:
    own, other = len(hypotheses), len(references)
    message = f"hypotheses has {own:,} segments, references {other:,}"
    if all(isinstance(item, str) for item in references) and own == 1:
        return f"{message}: for one segment with {other:,} references, pass [[...]]"
    if references and all(
        isinstance(item, Sequence) and not isinstance(item, str) and len(item) == own
        for item in references
    ):
        return (
            f"{message} of {own:,} each: these look like {other:,} complete reference "
            "translations. references[i] holds the references of hypotheses[i]; pass the "
            "translations as reference_streams=..."
        )
    first, side = min(own, other), "reference" if own > other else "hypothesis"
    return f"{message}: segment {first:,} (counted from 0) has no {side}"


def blame(hypotheses: list[Any], references: list[Any]) -> None:
    """Find the item of a corpus of text that the core could not take, and say what it is.

    Raises
    ------
    InputTypeError
        If something is neither text nor, as one of several references, None.
    EmptyInputError
        If a segment has no reference.
    """
    for index, (hypothesis, reference) in enumerate(zip(hypotheses, references, strict=True)):
        check_text(hypothesis, f"hypotheses[{index}]")
        if isinstance(reference, str):
            continue
        if reference is None:
            raise _missing(index)
        if not isinstance(reference, list | tuple):
            check_text(reference, f"references[{index}]", "a str, or a list of them")
        for number, text in enumerate(reference):
            if text is not None:
                check_text(text, f"references[{index}][{number}]", "a str, or None if missing")
        if all(text is None for text in reference):
            raise _missing(index)


def check_text(text: Any, where: str, needed: str = "a str") -> None:
    """Refuse what is not a str.

    Raises
    ------
    InputTypeError
        With the place, the value, and what is needed there.
    """
    if isinstance(text, str):
        return
    given = repr(text)
    if len(given) > 40:
        given = given[:37] + "..."
    hint = ""
    if isinstance(text, list | tuple):
        hint = " (for input that is tokens already, set tokenizer=None)"
    raise InputTypeError(
        f"{where} is of type {type(text).__name__} ({given}); {needed} is needed{hint}"
    )


def _missing(index: int) -> EmptyInputError:
    return EmptyInputError(f"references[{index}]: segment {index} has no reference")


def checked_text(hypotheses: list[Any], references: list[Any]) -> list[list[str | None]]:
    """Check that a corpus is text, and list the references of every segment; else :func:`blame`."""
    references = [
        item
        if isinstance(item, str | bytes | list | tuple) or not isinstance(item, Iterable)
        else _as_list(item, f"references[{index}]")
        for index, item in enumerate(references)
    ]
    blame(hypotheses, references)
    return [[own] if isinstance(own, str) else list(own) for own in references]


def tokenized(
    hypotheses: list[Any], references: list[Any], tokenize: Callable[[str], list[str]]
) -> tuple[list[Any], list[Any]]:
    """Split a corpus of text by a function, checking what comes back.

    Raises
    ------
    InputTypeError
        If the corpus is not text, or the function does not return a list.
    """
    several = checked_text(hypotheses, references)
    return [tokens_of(tokenize, text) for text in hypotheses], [
        [tokens_of(tokenize, text) for text in own if text is not None] for own in several
    ]


def tokens_of(tokenize: Callable[[str], list[str]], text: str) -> list[str]:
    """Split a text by a function, checking what comes back.

    Raises
    ------
    InputTypeError
        If it is not a list.
    """
    tokens = tokenize(text)
    if isinstance(tokens, str) or not isinstance(tokens, Iterable):
        raise InputTypeError(
            f"the tokenizer returned a {type(tokens).__name__}; a list of tokens is needed"
        )
    return list(tokens)


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
        As :func:`segments`.
    """
    if isinstance(hypotheses, Ragged):
        hypotheses = _split_ragged(hypotheses, "hypotheses")
    if isinstance(references, Ragged):
        references = _split_ragged(references, "references")
    if reference_streams is not None:
        reference_streams = [
            _split_ragged(stream, f"reference_streams[{index}]")
            if isinstance(stream, Ragged)
            else stream
            for index, stream in enumerate(_as_list(reference_streams, "reference_streams"))
        ]
    own, others = segments(hypotheses, references, reference_streams)
    from array import array

    flat: list[Any] = []
    ends = array("q")
    for index, item in enumerate(others):
        several = references_of(item, f"references[{index}]")
        if not several:
            raise _missing(index)
        flat += several
        ends.append(len(flat))
    for index, tokens in enumerate(own):
        _check_tokens(tokens, f"hypotheses[{index}]")
    try:
        numbered = _integers(own), _integers(flat)
    except (TypeError, OverflowError):
        # The number of a new token is how many there are.
        ids: defaultdict[Hashable, int] = defaultdict()
        ids.default_factory = ids.__len__
        numbered = _numbered(own, ids, "hypotheses"), _numbered(flat, ids, "references")
        ids.default_factory = None  # A circle would keep the tokens.
    return *numbered[0], *numbered[1], ends


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
    return _is_array(part) and getattr(part, "ndim", 0) > 0


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


def _integers(sequences_: list[Any]) -> tuple[Ints, Ints]:
    """Take tokens that are int64 numbers as they are."""
    from array import array

    values, offsets = array("q"), array("q", [0])
    for tokens in sequences_:
        if isinstance(tokens, str):
            raise TypeError
        values.extend(array("q", tokens.tolist() if _is_array(tokens) else tokens))
        offsets.append(len(values))
    return values, offsets


def _numbered(sequences_: list[Any], ids: Mapping[Hashable, int], name: str) -> tuple[Ints, Ints]:
    """Give numbers in order of appearance, equal ones to equal tokens."""
    from array import array

    values, offsets = array("q"), array("q", [0])
    for index, tokens in enumerate(sequences_):
        items = tokens.tolist() if _is_array(tokens) else tokens
        try:
            values.extend(array("q", list(map(ids.__getitem__, items))))
        except TypeError as error:
            raise InputTypeError(
                f"{name}: the tokens of item {index} cannot be compared ({error}); "
                "tokens are strings, numbers, or anything hashable"
            ) from error
        offsets.append(len(values))
    return values, offsets


def _split_ragged(ragged: Ragged, name: str) -> list[Any]:
    from itertools import pairwise

    import numpy as np

    values, offsets = np.asarray(ragged.values), np.asarray(ragged.offsets)
    if values.ndim != 1 or offsets.ndim != 1 or values.dtype.kind not in "iu":
        raise InputTypeError(f"{name}: Ragged needs two one-dimensional arrays of integers")
    if offsets.dtype.kind not in "iu" or len(offsets) == 0:
        raise InputTypeError(f"{name}: Ragged needs integer offsets, one more than segments")
    if offsets[0] != 0 or offsets[-1] != len(values) or (offsets[1:] < offsets[:-1]).any():
        raise InputTypeError(
            f"{name}: the offsets of Ragged must rise from 0 to the number of values, "
            f"{len(values):,}"
        )
    return [values[start:end] for start, end in pairwise(offsets)]
