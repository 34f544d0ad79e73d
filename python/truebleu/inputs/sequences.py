"""The only place where the shapes and types of the data are checked.

Everything ends as two lists of equal length, or as ragged arrays of token ids; everything else
ends as an error that says what, where, and what instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set

from truebleu.display import formatting
from truebleu.errors import EmptyInputError, InputTypeError, LengthMismatchError
from truebleu.inputs import arrow
from truebleu.inputs.ragged import RAW

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable
    from typing import Any

    Ints = array[int]


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
    own = as_list(hypotheses, "hypotheses")
    if (references is None) == (reference_streams is None):
        raise InputTypeError("give either references or reference_streams")
    if not own:
        raise EmptyInputError("hypotheses is empty: there is no segment to score")
    if reference_streams is not None:
        return own, _transpose(own, reference_streams)
    others = as_list(references, "references")
    if len(own) != len(others):
        raise LengthMismatchError(_explain_lengths(own, others))
    return own, others


def text_segments(
    hypotheses: Any, references: Any, reference_streams: Any = None
) -> tuple[list[Any], list[Any]]:
    """Do the same for text; a cell of a column may hold a list of references.

    Parameters, result and errors are those of :func:`segments` and :func:`arrow.corpus`.
    """
    found = arrow.corpus(hypotheses, references, reference_streams)
    if found is None:
        return segments(hypotheses, references, reference_streams)
    own, others = found
    rows = zip(*(column.texts() for column in others), strict=True)
    cells = ([cell if isinstance(cell, list) else [cell] for cell in row] for row in rows)
    return own.texts(), [[text for cell in row for text in cell] for row in cells]


def as_list(items: Any, name: str) -> list[Any]:
    """Return a column as a list; refuse what has no order."""
    if isinstance(items, list):
        return items
    if arrow.is_column(items):
        return arrow.as_list(items, name)
    if isinstance(items, RAW):
        raise InputTypeError(
            f"{name} is a {type(items).__name__}; a corpus is a list with an item per segment "
            "(for one segment there is sentence_bleu)"
        )
    if isinstance(items, Mapping | Set) and not _is_ordered_view(items):
        raise InputTypeError(f"{name} is a {type(items).__name__}; a list is needed")
    if hasattr(items, "columns"):
        # Iterating over a table of pandas gives the names of its columns.
        raise InputTypeError(f"{name} is a {type(items).__name__}; give one of its columns")
    if is_array(items):
        if getattr(items, "ndim", 1) == 0:
            raise InputTypeError(f"{name} is an array without dimensions; a list is needed")
        return list(items) if getattr(items, "ndim", 1) > 1 else list(items.tolist())
    if not isinstance(items, Iterable):
        raise InputTypeError(f"{name} is of type {type(items).__name__}; a list is needed")
    return list(items)


def _is_ordered_view(items: Any) -> bool:
    return type(items) in (type({}.keys()), type({}.items()))


def is_array(items: Any) -> bool:
    """Whether this is an array or a column of NumPy, pandas, PyTorch or the like."""
    return hasattr(items, "tolist") and hasattr(items, "dtype")


def _transpose(hypotheses: list[Any], reference_streams: Any) -> list[Any]:
    streams = [
        as_list(stream, f"reference_streams[{index}]")
        for index, stream in enumerate(as_list(reference_streams, "reference_streams"))
    ]
    for index, stream in enumerate(streams):
        if len(stream) != len(hypotheses):
            has = formatting.count(len(stream), "segment")
            raise LengthMismatchError(
                f"reference_streams[{index}] has {has}, hypotheses "
                f"{len(hypotheses):,}: every stream translates the whole corpus"
            )
    if not streams:
        raise EmptyInputError("reference_streams is empty: there is nothing to compare with")
    return list(zip(*streams, strict=True))


def _explain_lengths(hypotheses: list[Any], references: list[Any]) -> str:
    own, other = len(hypotheses), len(references)
    message = f"hypotheses has {formatting.count(own, 'segment')}, references {other:,}"
    if all(isinstance(item, str) for item in references) and own == 1:
        return (
            f"{message}: for one segment with {formatting.count(other, 'reference')}, pass [[...]]"
        )
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
            raise missing(index)
        if not isinstance(reference, list | tuple):
            check_text(reference, f"references[{index}]", "a str, or a list of them")
        for number, text in enumerate(reference):
            if text is not None:
                check_text(text, f"references[{index}][{number}]", "a str, or None if missing")
        if all(text is None for text in reference):
            raise missing(index)


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


def missing(index: int) -> EmptyInputError:
    """Say that a segment has no reference."""
    return EmptyInputError(f"references[{index}]: segment {index} has no reference")


def checked_text(hypotheses: list[Any], references: list[Any]) -> list[list[str | None]]:
    """Check that a corpus is text, and list the references of every segment; else :func:`blame`."""
    references = [
        item
        if isinstance(item, (*RAW, list, tuple)) or not isinstance(item, Iterable)
        else as_list(item, f"references[{index}]")
        for index, item in enumerate(references)
    ]
    blame(hypotheses, references)
    return [[own] if isinstance(own, str) else list(own) for own in references]


def tokenized(
    hypotheses: list[str], references: list[list[str | None]], tokenize: Callable[[str], list[str]]
) -> tuple[list[Any], list[Any]]:
    """Split a corpus of text by a function, checking what comes back.

    Raises
    ------
    InputTypeError
        If the function does not return a list.
    """
    return [tokens_of(tokenize, text) for text in hypotheses], [
        [tokens_of(tokenize, text) for text in own if text is not None] for own in references
    ]


def tokens_of(tokenize: Callable[[str], list[str]], text: str) -> list[str]:
    """Split a text by a function, checking what comes back.

    Raises
    ------
    InputTypeError
        If it is not a list.
    """
    tokens = tokenize(text)
    if isinstance(tokens, RAW) or not isinstance(tokens, Iterable):
        raise InputTypeError(
            f"the tokenizer returned a {type(tokens).__name__}; a list of tokens is needed"
        )
    return list(tokens)


def column(items: Any, name: str) -> list[Any]:
    """Return a column of texts as a list that is not empty."""
    found = as_list(items, name)
    if not found:
        raise EmptyInputError(f"{name} is empty: there is no text to score")
    return found
