"""A corpus in any form as lists: the shape and the types of data are checked here.

A corpus becomes two lists of equal length. Anything else is an error that says what was given,
where, and what is needed instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set

from truebleu.display import formatting
from truebleu.errors import (
    EmptyInputError,
    InputTypeError,
    LengthMismatchError,
    written,
    wrong_type,
)
from truebleu.inputs import arrow, frames
from truebleu.inputs.lines import is_open_file, lines_of
from truebleu.inputs.ragged import RAW

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


# Views of a dict, which are sets, but have an order.
_VIEWS: tuple[type, ...] = (type({}.keys()), type({}.items()))


def segments(
    hypotheses: Any, references: Any, reference_streams: Any = None, name: str = "hypotheses"
) -> tuple[list[Any], list[Any]]:
    """Turn a corpus into two lists of equal length, whose items are not checked yet."""
    given = name, hypotheses
    hypotheses = as_list(hypotheses, name)
    references, reference_streams = frames.references(references, reference_streams, given)
    if (references is None) == (reference_streams is None):
        if references is None and _is_pair(hypotheses[:1]):
            raise InputTypeError(
                f"{name} is a list of pairs; write corpus_bleu(*zip(*pairs)) if the hypothesis of "
                "each comes first"
            )
        raise InputTypeError("give either references or reference_streams")
    if not hypotheses:
        raise EmptyInputError(f"{name} is empty: there is no segment to score")
    if reference_streams is not None:
        return hypotheses, _transposed(reference_streams, len(hypotheses), name)
    references = as_list(references, "references")
    if len(hypotheses) != len(references):
        raise LengthMismatchError(_explain_lengths(len(hypotheses), references, name))
    return hypotheses, references


def text_segments(
    hypotheses: Any, references: Any, reference_streams: Any = None, name: str = "hypotheses"
) -> tuple[list[Any], list[Any]]:
    """Do the same for text, which may be in Arrow columns; a cell may be a list of references."""
    given = name, hypotheses
    references, reference_streams = frames.references(references, reference_streams, given)
    columns = arrow.corpus(hypotheses, references, reference_streams)
    if columns is None:
        return segments(hypotheses, references, reference_streams, name)
    texts, streams = columns
    rows = zip(*(stream.texts() for stream in streams), strict=True)
    cells = ([cell if isinstance(cell, list) else [cell] for cell in row] for row in rows)
    return texts.texts(), [[text for cell in row for text in cell] for row in cells]


def as_list(items: Any, name: str) -> list[Any]:
    """Return a column as a list; refuse collections without an order."""
    if isinstance(items, list):
        return items
    if arrow.is_column(items):
        return arrow.as_list(items, name)
    if isinstance(items, RAW):
        raise InputTypeError(
            f"{name} is a {type(items).__name__}; a corpus is a list with one item per segment "
            f"({_meant_by(items)})"
        )
    if is_open_file(items):
        return lines_of(items, name)
    if isinstance(items, Mapping | Set) and type(items) not in _VIEWS:
        raise InputTypeError(f"{name} is a {type(items).__name__}; a list is needed")
    if frames.is_frame(items):
        # Iterating over a data frame of pandas yields the names of its columns.
        return as_list(frames.only_column(items, name), name)
    if is_array(items):
        if getattr(items, "ndim", 1) == 0:
            raise InputTypeError(f"{name} is a zero-dimensional array; a list is needed")
        return list(items) if getattr(items, "ndim", 1) > 1 else list(items.tolist())
    if not isinstance(items, Iterable):
        raise wrong_type(name, items, "a list is needed")
    return list(items)


def systems_of(given: Any) -> Mapping[str, Any]:
    """Return hypotheses by the name of their system: a mapping, or the columns of a frame."""
    if isinstance(given, Mapping):
        return given
    if frames.is_frame(given):
        return frames.columns(given, "systems")
    raise wrong_type(
        "systems",
        given,
        "a dict of names and hypotheses, such as {'A': hypotheses, 'B': other_hypotheses}, or a "
        "data frame with a column for each system, is needed",
    )


def check_name(name: object, what: str) -> None:
    """Refuse the name of a system or of a set that is not a str."""
    if not isinstance(name, str):
        raise InputTypeError(
            f"the name of a {what} is of type {type(name).__name__} ({written(name)}); a str is "
            "needed"
        )


def _meant_by(text: Any) -> str:
    """Say how to pass what was given as a single text."""
    from os.path import splitext

    # Text has spaces, and a path rarely has one behind the last dot.
    suffix = splitext(text)[1] if isinstance(text, str) else ""  # noqa: PTH122  # Slow to load.
    if len(suffix) > 1 and suffix[1:].isalnum():
        return "for the lines of a file, pass read_lines(path)"
    return (
        "for a single segment, pass [text], or use sentence_bleu, sentence_chrf or sentence_ter; "
        "for the lines of a file, read_lines(path)"
    )


def reusable(items: Any, name: str) -> Any:
    """Return a column that can be read more than once, as a list if need be."""
    return items if hasattr(items, "__len__") else as_list(items, name)


def reusable_streams(streams: Any) -> list[Any]:
    """Do the same for each stream of references."""
    _, streams = frames.references(None, streams)
    return [
        reusable(stream, f"reference_streams[{index}]")
        for index, stream in enumerate(as_list(streams, "reference_streams"))
    ]


def is_array(items: Any) -> bool:
    """Tell whether this is an array or a column of NumPy, pandas, PyTorch or the like."""
    is_like = hasattr(items, "tolist") and hasattr(items, "dtype")
    return is_like and isinstance(getattr(items, "ndim", 1), int)


def _transposed(reference_streams: Any, count: int, name: str) -> list[Any]:
    """Return for each of `count` segments its item of every stream."""
    streams = [
        as_list(stream, f"reference_streams[{index}]")
        for index, stream in enumerate(as_list(reference_streams, "reference_streams"))
    ]
    lengths = sorted(set(map(len, streams)))
    if 1 < len(streams) == count and count not in lengths:
        each = formatting.count(lengths[-1], "segment")
        each = each if len(lengths) == 1 else f"{lengths[0]:,} to {each}"
        raise LengthMismatchError(
            f"reference_streams has {count:,} streams of {each} for {count:,} {name}: these are "
            "references per segment, but every stream holds one reference per segment; transpose "
            "them, or pass references="
        )
    for index, stream in enumerate(streams):
        if len(stream) != count:
            has = formatting.count(len(stream), "segment")
            raise LengthMismatchError(
                f"reference_streams[{index}] has {has} but {name} has {count:,}: every stream "
                f"holds one reference per segment{_cause(count, stream)}"
            )
    if not streams:
        raise EmptyInputError("reference_streams is empty: there is nothing to compare with")
    if len(streams) == 1 and set(map(type, streams[0])) == {str}:
        return streams[0]
    return list(zip(*streams, strict=True))


def _explain_lengths(count: int, references: list[Any], name: str) -> str:
    items = len(references)
    message = f"{name} has {formatting.count(count, 'segment')} but references has {items:,}"
    if all(isinstance(item, str) for item in references) and count == 1:
        return (
            f"{message}: for one segment with {formatting.count(items, 'reference')}, pass [[...]]"
        )
    if any(map(is_open_file, references)):
        return f"{message}: pass open files with complete translations as reference_streams=[...]"
    if references and all(
        isinstance(item, Sequence) and not isinstance(item, str) and len(item) == count
        for item in references
    ):
        return (
            f"{message} {'list' if items == 1 else 'lists'} of {count:,}: this looks like "
            f"{formatting.count(items, 'complete reference translation')}. references[i] holds the "
            f"references of {name}[i]; pass whole translations as reference_streams=..."
        )
    if count > items:
        return f"{message}: {name}[{items}] has no reference"
    return f"{message}: references[{count}] has no hypothesis{_cause(count, references)}"


def _cause(count: int, texts: Sequence[Any]) -> str:
    """Say why there are probably more references than `count` segments, if they show it."""
    if len(texts) == count + 1 and texts[-1] in ("", [""], ("",)):
        return "; the last is empty: read lines with read_lines or splitlines, not split"
    if count > 1 and len(texts) >= 2 * count and len(texts) % count == 0:
        times = len(texts) // count
        return (
            f"; it has {times} times as many: pass {times} complete translations one by one in "
            "reference_streams, or a list of the references of each segment"
        )
    return ""


def blame(hypotheses: list[Any], references: list[Any]) -> None:
    """Find the item of a corpus of text that the core refused, and say what is wrong with it."""
    for index, (hypothesis, reference) in enumerate(zip(hypotheses, references, strict=True)):
        refuse_swapped(hypothesis, reference, f"hypotheses[{index}]", "corpus_bleu(hypotheses")
        check_text(hypothesis, f"hypotheses[{index}]")
        if isinstance(reference, str):
            continue
        if reference is None:
            raise missing(index)
        if not isinstance(reference, list | tuple):
            check_text(reference, f"references[{index}]", "a str or a list of str")
        for number, text in enumerate(reference):
            if text is not None:
                check_text(
                    text, f"references[{index}][{number}]", "a str, or None for a missing one,"
                )
        if all(text is None for text in reference):
            raise missing(index)


def refuse_swapped(hypothesis: Any, references: Any, where: str, call: str) -> None:
    """Refuse a segment whose references come first, as in NLTK, of text or of tokens."""
    if not isinstance(hypothesis, list | tuple) or not hypothesis:
        return
    are_texts = isinstance(references, str) and any(map(_is_text, hypothesis))
    are_tokens = isinstance(references, list | tuple) and isinstance(hypothesis[0], list | tuple)
    if are_texts or are_tokens:
        tokens = ", tokenizer='pretokenized'" if are_tokens else ""
        raise InputTypeError(
            f"{where} is a list of references, which NLTK takes first; give them second, as in "
            f"{call}, references{tokens})"
        )


def _is_text(item: object) -> bool:
    """Whether this is a str of several words: one word may be a token."""
    return isinstance(item, str) and len(item.split()) > 1


def _is_pair(first: Sequence[Any]) -> bool:
    """Whether the first of some items, if there is one, is a pair of texts."""
    if not first or not isinstance(first[0], list | tuple) or len(first[0]) != 2:
        return False
    return any(map(_is_text, first[0]))


def check_text(text: Any, where: str, needed: str = "a str") -> None:
    """Refuse an item that is no str, with its place, its value, and what is needed there."""
    if isinstance(text, str):
        return
    given = written(text)
    if len(given) > 40:
        given = given[:37] + "..."
    hint = ""
    if text is None:
        hint = " (leave the segment out, or give '', which counts as an empty text)"
    elif isinstance(text, list | tuple) and where == "hypothesis" and any(map(_is_text, text)):
        hint = " (for a list of texts: Chrf().segments(hypotheses, references), also of Bleu, Ter)"
    elif isinstance(text, list | tuple):
        hint = (
            " (for tokens, set tokenizer='pretokenized', which only BLEU has; "
            "audit(hypotheses, references) finds the tool that a score is from)"
        )
    raise InputTypeError(
        f"{where} is of type {type(text).__name__} ({given}); {needed} is needed{hint}"
    )


def check_texts(texts: list[Any], name: str) -> None:
    """Refuse a column with an item that is no str."""
    for index, text in enumerate(texts):
        check_text(text, f"{name}[{index}]")


def missing(index: int) -> EmptyInputError:
    """Return the error for a segment without a reference."""
    return EmptyInputError(f"references[{index}]: segment {index} has no reference")


def checked_text(hypotheses: list[Any], references: list[Any]) -> list[list[str | None]]:
    """Check that a corpus is text, as :func:`blame`, and list the references of every segment."""
    references = [
        item
        if isinstance(item, (*RAW, list, tuple)) or not isinstance(item, Iterable)
        else as_list(item, f"references[{index}]")
        for index, item in enumerate(references)
    ]
    blame(hypotheses, references)
    return [[item] if isinstance(item, str) else list(item) for item in references]


def tokens_of(tokenize: Callable[[str], list[str]], text: str) -> list[str]:
    """Split a text with a function, and check what it returns."""
    tokens = tokenize(text)
    if isinstance(tokens, RAW) or not isinstance(tokens, Iterable):
        raise InputTypeError(
            f"the tokenizer returned a {type(tokens).__name__}; a list of tokens is needed"
        )
    return list(tokens)


def column(items: Any, name: str) -> list[Any]:
    """Return a column of texts as a list; an empty one is an EmptyInputError."""
    texts = as_list(items, name)
    if not texts:
        raise EmptyInputError(f"{name} is empty: there is no text to score")
    return texts
