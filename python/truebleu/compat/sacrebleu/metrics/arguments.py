"""What sacreBLEU accepts as hypotheses and references, refuses, and warns of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from truebleu.compat.errors import NoSegmentsError
from truebleu.compat.sacrebleu.cache import sacrelogger
from truebleu.errors import InputTypeError
from truebleu.inputs import sequences

# The first lines of the warnings given so far: each is given once per process, not on every call.
warned: set[str] = set()

_TOKENIZED = (
    "That's 100 lines that end in a tokenized period ('.')",
    "It looks like you forgot to detokenize your test data, which may hurt your score.",
    "If you insist your data is detokenized, or don't care, you can suppress this message with the "
    "`force` parameter.",
)


def problem_of_sentence(hyp: Any, refs: Any) -> str | None:
    """Say what is wrong with the types of a sentence and its references; None if nothing is."""
    if not isinstance(hyp, str):
        return "The argument `hyp` should be a string."
    if isinstance(refs, str) or not isinstance(refs, Sequence):
        return "The argument `refs` should be a sequence of strings."
    if not len(refs):
        raise NoSegmentsError("`refs` is empty: a sentence needs a reference")
    if not isinstance(refs[0], str) and refs[0] is not None:
        return "Each element of `refs` should be a string."
    return None


def problem_of_corpus(hyps: Any, refs: Any) -> str | None:
    """Say what is wrong with the types of a corpus and its references; None if nothing is."""
    problem = None
    if not isinstance(hyps, Sequence):
        problem = "`hyps` should be a sequence of strings."
    elif not len(hyps):
        raise NoSegmentsError("`hyps` is empty: there is no segment to score")
    elif not isinstance(hyps[0], str):
        problem = "Each element of `hyps` should be a string."
    elif not isinstance(hyps, str) and None in hyps:
        problem = "Undefined line in hypotheses stream!"
    # As in sacreBLEU, an IndexError for empty input precedes all other errors.
    if isinstance(refs, Sequence):
        if not len(refs) or (isinstance(refs[0], Sequence) and not len(refs[0])):
            raise NoSegmentsError("`refs` is empty: there is no reference")
        if not isinstance(refs[0], Sequence):
            problem = "Each element of `refs` should be a sequence of strings."
        elif not isinstance(refs[0][0], str) and refs[0][0] is not None:
            problem = "`refs` should be a sequence of sequence of strings."
    elif refs is not None:
        problem = "`refs` should be a sequence of sequence of strings."
    return problem


def segments(hypotheses: Any, streams: Any, *, strict: bool) -> tuple[list[Any], list[Any]]:
    """Turn reference streams into the references of each segment.

    If `strict`, refuse what sacreBLEU truncates; else, truncate hypotheses and streams, too.
    """
    if not strict:
        length = min(len(hypotheses), *map(len, streams))
        if not length:
            raise NoSegmentsError("a reference stream is empty: there is no segment to score")
        hypotheses = list(hypotheses[:length])
        streams = [list(stream[:length]) for stream in streams]
    elif isinstance(hypotheses, str) or any(isinstance(stream, str) for stream in streams):
        name = "hyps" if isinstance(hypotheses, str) else "refs"
        raise InputTypeError(
            f"`{name}` contains a str where a list of str is needed, so every character would be a "
            "segment; references are a list of lists, each a translation of the whole corpus"
        )
    return sequences.segments(hypotheses, None, streams)


def warn_once(*lines: str) -> None:
    """Log a warning unless it has been given before."""
    if lines[0] not in warned:
        warned.add(lines[0])
        for line in lines:
            sacrelogger.warning(line)


def has_warned_of_tokenized() -> bool:
    """Tell whether :func:`warn_of_tokenized` has nothing left to say."""
    return _TOKENIZED[0] in warned


def warn_of_tokenized(count: int) -> None:
    """Warn if at least 100 hypotheses end in a period after a space."""
    if count >= 100:
        warn_once(*_TOKENIZED)
