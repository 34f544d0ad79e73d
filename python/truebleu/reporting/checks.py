"""What a reader should check before trusting the scores."""

from __future__ import annotations

from contextlib import contextmanager

from truebleu.display.formatting import count
from truebleu.errors import SettingsWarning, SmallSampleWarning
from truebleu.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from truebleu.metrics.score import Score
    from truebleu.reporting.tokens import Split

# Tokens from which on two equal texts are rarely a coincidence; and the share of segments in which
# it is worth a look that an output equals the source, or a reference.
_LONG, _SOME, _MANY = 5, 0.01, 0.1

# Outputs this much shorter or longer than the references are rarely meant.
_FAR = 0.1


class Notice(Record):
    """Something to check before trusting the scores, and the segments (from 1) it is about."""

    text: str
    segments: tuple[int, ...] = ()


@contextmanager
def recorded(notices: list[Notice], names: Sequence[str]) -> Iterator[None]:
    """Turn warnings into notices, and pass them on."""
    import warnings

    with warnings.catch_warnings(record=True) as warned:
        for category in (SmallSampleWarning, SettingsWarning):
            warnings.simplefilter("always", category)
        yield
    for warning in warned:
        text = str(warning.message)
        # The report names these segments itself.
        is_known = any(text.startswith(f"{name} is empty in ") for name in names)
        if not text.startswith(tuple(f"{name} " for name in names)):
            text = text[:1].upper() + text[1:]
        if not is_known:
            notices.append(Notice(text=text if text.endswith("?") else f"{text}."))
        warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)


def notices_of_scores(
    scores: dict[str, Score], lengths: Sequence[tuple[int, int]], zero: Sequence[bool]
) -> list[Notice]:
    """Look as :func:`notices_of` does, where there are no texts."""
    pairs = zip(scores.items(), lengths, strict=True)
    odd = [notice for (name, score), each in pairs for notice in _odd_score(name, score, *each)]
    return odd + _where(zero, "The score of every system is 0")


def notices_of(
    scores: dict[str, Score],
    lengths: Sequence[tuple[int, int]],
    split: Split,
    sources: list[str] | None,
    zero: Sequence[bool] = (),
) -> list[Notice]:
    """Look for what makes scores mean less than they seem to.

    `lengths` are the tokens of each system, and of the references that it is compared with; `split`
    has references, then systems; `zero` says of each segment whether no system has a score above 0,
    where higher is better.
    """
    notices: list[Notice] = []
    references = len(split.texts) - len(scores)
    outputs = split.tokens[references:]
    for (name, score), (tokens, expected), column in zip(
        scores.items(), lengths, outputs, strict=True
    ):
        empty = [each == "" for each in column]
        if all(empty):
            # Too short, and with a score of 0, go without saying.
            notices.append(Notice(text=f"{name} has no output in any segment."))
            continue
        notices += _odd_score(name, score, tokens, expected)
        notices += _where(empty, f"{name} has no output")
    for place, name in enumerate(scores, references):
        notices += _copies(split, place, references, sources, name)
    notices += _where(zero, "The score of every system is 0")
    for number in range(references):
        called = f"Reference {number + 1}" if references > 1 else "The reference"
        empty = [tokens == "" for tokens in split.tokens[number]]
        notices += _where(empty, f"{called} is empty")
        if sources is not None:
            pairs = zip(split.texts[number], sources, strict=True)
            equal = [text == source for text, source in pairs]
            notices += _where(equal, f"{called} equals the source")
    return notices


def _odd_score(name: str, score: Score, tokens: int, expected: int) -> Iterator[Notice]:
    """Say whether an output is much too short or too long, and why its score is 0."""
    if expected and abs(tokens / expected - 1) > _FAR:
        kind = "shorter" if tokens < expected else "longer"
        text = (
            f"The output of {name} is much {kind} than the references: {count(tokens, 'token')} "
            f"({100 * tokens / expected:.0f}% of the reference length)."
        )
        yield Notice(text=text)
    if score.reason:
        yield Notice(text=f"{name}: {score.reason}")


def _copies(
    split: Split, place: int, references: int, sources: list[str] | None, name: str
) -> list[Notice]:
    """Say in which segments an output repeats the source, and whether many repeat a reference."""
    texts = split.texts[place]
    # Short texts are often equal by chance, or numbers and names.
    long = [length >= _LONG for length in split.lengths(place)]
    expected = list(zip(*split.texts[:references], strict=True))
    equal = [
        enough and text in several
        for enough, text, several in zip(long, texts, expected, strict=True)
    ]
    notices = []
    if sources is not None:
        copied = zip(long, texts, sources, equal, strict=True)
        same = [enough and text == source and not known for enough, text, source, known in copied]
        # One may be a name or a result; what is equal everywhere has been warned of.
        if max(2, _SOME * len(texts)) <= sum(same) < len(texts):
            notices += _where(same, f"{name} equals the source")
    if _MANY * len(texts) <= sum(equal) < len(texts):
        notices += _where(equal, f"{name} equals a reference")
    return notices


def _where(holds: Iterable[bool], what: str) -> list[Notice]:
    """Say in which segments something holds, if in any."""
    segments = tuple(number for number, each in enumerate(holds, 1) if each)
    if not segments:
        return []
    return [Notice(text=f"{what} in {count(len(segments), 'segment')}.", segments=segments)]
