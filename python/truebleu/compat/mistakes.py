"""What is probably a mistake in a call of an accelerated package, which accepts it in silence."""

from __future__ import annotations

from truebleu._core import Observed
from truebleu.errors import InputError, SettingsWarning, TruebleuError, warn
from truebleu.inputs import checks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from truebleu.metrics.core import CoreMetric

SAMPLE = 500
"""Number of segments whose text is looked at first."""

# The packages in which mistakes are errors, once for each that has asked for it.
_strict: list[str] = []

# The packages and the kinds of mistakes that have been warned of.
_said: set[tuple[str, str]] = set()


def begin(packages: tuple[str, ...]) -> None:
    """Let mistakes be errors."""
    _strict.extend(packages)


def end(packages: tuple[str, ...]) -> None:
    """End what :func:`begin` has begun."""
    for package in packages:
        _strict.remove(package)


def is_said(package: str, kind: str) -> bool:
    """Whether nothing more is to be said of a kind of mistake."""
    return (package, kind) in _said and package not in _strict


def say(package: str, kind: str, message: str, error: type[TruebleuError]) -> None:
    """Warn of a mistake, once for each kind; raise it if the package is strict."""
    if package in _strict:
        raise error(message)
    if not is_said(package, kind):
        _said.add((package, kind))
        warn(f"{message} (said once; the score is {package}'s)", SettingsWarning, through=package)


def check_empty(package: str, references: Iterable[Any], remedy: str) -> None:
    """Say that some references of a segment are empty, and others are not."""
    if not is_said(package, "empty") and any(
        any(several) and any(each is not None and not each for each in several)
        for several in references
    ):
        say(
            package,
            "empty",
            "some references are empty beside others that are not, and count as references without "
            f"words; {remedy}",
            InputError,
        )


def check_text(
    package: str, hypotheses: Sequence[Any], references: Sequence[Any], metric: CoreMetric[Any]
) -> None:
    """Say that text is not that of its author, if a sample of it gives a reason to look at all."""
    step = len(hypotheses) // SAMPLE or 1
    if is_said(package, "text") or not isinstance(next(iter(hypotheses), None), str):
        return
    for sample in (slice(None, None, step | 1), slice(None)):
        observed = Observed()
        # evaluate also takes arrays of references.
        several = [each if isinstance(each, str) else [*each] for each in references[sample]]
        observed.look([*hypotheses[sample]], several)
        found = metric._signs_of(observed, checks.HYPOTHESES)
        if not found:
            return
    say(package, "text", "; ".join(found.values()), InputError)


def check_layout(
    package: str,
    references: Any,
    score: Callable[[Any], float],
    *,
    higher_is_better: bool = True,
) -> None:
    """Say that as many references as segments have a better `score` when transposed."""
    if is_said(package, "layout") or not checks.is_square(references):
        return
    transposed = [*map(list, zip(*references, strict=True))]
    message = checks.layout(
        *(score(references), score(transposed), len(references), package),
        higher_is_better=higher_is_better,
    )
    if message is not None:
        say(package, "layout", message, InputError)
