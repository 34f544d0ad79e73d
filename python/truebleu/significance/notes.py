"""What is to be known of intervals and tests: a field of every result, in its reader's words."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar

from truebleu.display import formatting
from truebleu.errors import SettingsWarning, SmallSampleWarning, warn
from truebleu.significance.dependence import FEWEST_SEGMENTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from truebleu.metrics.stats_saved import SavedStats
    from truebleu.significance.design import Design
    from truebleu.significance.pair import Pair
    from truebleu.significance.paired import Outcome, Outcomes
    from truebleu.significance.units import Units

    Category = type[Warning] | None

# With fewer units, or fewer in which two systems differ, intervals are unreliable.
FEWEST_UNITS = 30

# With fewer effective units, intervals cover less than they say: a few segments decide.
_FEWEST_EFFECTIVE = 3

# Intervals that should be wider by less are as wide as they should be.
_LEAST_FACTOR = 1.05

# Systems or pairs that a note names.
_NAMED = 3

# With fewer documents, whose lengths differ, 95% intervals of scores cover less than that.
_FEWEST_DOCUMENTS = 60

COVERAGE_OF_DOCUMENTS = {15: 89, 30: 91, 40: 93}
"""What they cover, in percent, with so many documents of WMT24."""

# With 60 or 170 documents whose IDs are not given, and units="auto": at 95%, and at 5%.
_COVERED, _REJECTED = "88 to 94%", "4 to 12%"

_OF_COMMAND: ContextVar[bool] = ContextVar("of_command", default=False)


@contextmanager
def named_as_options() -> Iterator[None]:
    """Let notes name the options of the command, and not the parameters of functions."""
    token = _OF_COMMAND.set(True)
    try:
        yield
    finally:
        _OF_COMMAND.reset(token)


def _units_option() -> str:
    return "--units FILE" if _OF_COMMAND.get() else "units=[...]"


class Notes:
    """The notes of a call, each once: of all its results, or of those under some metrics."""

    def __init__(self) -> None:
        self._said: dict[str, tuple[Category, list[str]]] = {}

    def add(self, text: str, category: Category = None, label: str = "") -> None:
        """Add a note on the results under one metric, or test set, or on all."""
        self._said.setdefault(text, (category, []))[1].append(label)

    def of(self, label: str) -> tuple[str, ...]:
        """Return the notes on the results of a label, those on all included."""
        return tuple(
            text for text, (_, labels) in self._said.items() if "" in labels or label in labels
        )

    def of_all(self, labels: Sequence[str]) -> tuple[str, ...]:
        """Return all notes; those on some results only name these."""
        return tuple(self._about(named, labels) + text for text, (_, named) in self._said.items())

    def warn(self, labels: Sequence[str]) -> None:
        """Issue those that are warnings."""
        for text, (category, named) in self._said.items():
            if category is not None:
                said = text[0].lower() + text[1:].rstrip(".")
                warn(self._about(named, labels) + said, category)

    @staticmethod
    def _about(named: Sequence[str], labels: Sequence[str]) -> str:
        """Say which results a note is about, if it is not about all."""
        of_all = "" in named or set(labels) <= set(named)
        return "" if of_all else f"{', '.join(named)}: "


def add_units(notes: Notes, units: Units, design: Design, label: str = "", *, tested: bool) -> None:
    """Say what is resampled, why, and what that means for intervals, and for tests."""
    number = f"{units.count:,} {units.described}" if units.count > 1 else units.described
    if units.why != "auto":
        notes.add(f"Units: {number}, {units.why}.", None, label)
    else:
        why = "neighboring segments influence scores alike"
        if units.name == "segments":
            why = "neighboring segments do not seem to influence scores alike"
            if units.count < FEWEST_SEGMENTS:
                why = "there are too few to tell whether neighbors are alike"
        wrong = (
            f"intervals may be too short: with real documents, {_COVERED} of 95% intervals "
            "contained the score"
        )
        if tested:
            wrong = (
                f"p-values may be too small: with real documents, {_REJECTED} of tests of equal "
                "systems gave p < 0.05"
            )
        notes.add(
            f"Units: {number}; {why}. Without IDs of documents ({_units_option()}), {wrong}.",
            None,
            label,
        )
    # Documents of one segment each are segments.
    of_documents = units.name == "documents" and units.count < units.segments
    fewest = _FEWEST_DOCUMENTS if of_documents else FEWEST_UNITS
    if units.count < fewest and design.n_resamples:
        text = f"With only {units.count} {units.name}, intervals are unreliable"
        known = [count for count in COVERAGE_OF_DOCUMENTS if count <= units.count]
        if of_documents and known:
            text += (
                f": in simulations with {known[-1]} documents, 95% intervals contained the score "
                f"of the population {COVERAGE_OF_DOCUMENTS[known[-1]]}% of the time"
            )
        notes.add(f"{text}.", SmallSampleWarning, label)


def add_checksums(notes: Notes, saved: SavedStats | None) -> None:
    """Say that nothing shows that all systems were scored against the same references."""
    unknown = saved.without_checksum() if saved is not None and len(saved.systems) > 1 else []
    if unknown:
        notes.add(
            f"There is no checksum of the references of {_first(unknown)}, so nothing shows that "
            "all systems were scored against the same ones: truebleu score writes one, and so does "
            "SavedStats(..., references=...).",
            SettingsWarning,
        )


def add_outcomes(
    notes: Notes, outcomes: Outcomes, pairs: Sequence[tuple[str, str]], units: Units, label: str
) -> None:
    """Say what makes intervals of scores and of differences unreliable."""
    of_pairs = {
        f"{one} - {other}": outcome
        for (one, other), outcome in zip(pairs, outcomes.tests, strict=True)
    }
    _add_few_differing(notes, of_pairs, units, label)
    _add_influential(notes, of_pairs, outcomes.effective_units, units, label)


def add_dependence(notes: Notes, found: Mapping[str, Outcomes]) -> None:
    """Say once, of all results by their labels, that neighbors are alike."""
    for place, what, more in (
        (0, "scores", ""),
        (1, "differences", ", and p-values are too small"),
    ):
        factors = {
            label: factor
            for label, outcomes in found.items()
            if (factor := outcomes.dependent[place]) is not None and factor >= _LEAST_FACTOR
        }
        if not factors:
            continue
        least, most = (f"{each(factors.values()):.1f}" for each in (min, max))
        wide = most if least == most else f"{least}–{most}"  # noqa: RUF001
        for label in factors:
            notes.add(
                f"Neighboring segments influence {what} alike (permutation test at a level of 1%), "
                f"but are resampled as if they were independent: intervals of {what} should be "
                f"about {wide} times as wide{more}. IDs of documents ({_units_option()}), or "
                "blocks, mend that.",
                SettingsWarning,
                label,
            )


def _add_few_differing(
    notes: Notes, pairs: Mapping[str, Outcome], units: Units, label: str
) -> None:
    few = [
        f"{name} ({outcome.differing})"
        for name, outcome in pairs.items()
        if outcome.interval is not None and 0 < outcome.differing < FEWEST_UNITS <= units.count
    ]
    if few:
        notes.add(
            f"Systems differ in fewer than {FEWEST_UNITS} of {units.count:,} {units.name}: "
            f"{_first(few)}; intervals of their differences are unreliable.",
            SmallSampleWarning,
            label,
        )


def _add_influential(
    notes: Notes,
    pairs: Mapping[str, Outcome],
    scores: Mapping[str, float],
    units: Units,
    label: str,
) -> None:
    """Speak of scores and differences that vary with few units, or with none."""
    if units.count < FEWEST_UNITS:
        return
    effective = {name or "the score": number for name, number in scores.items()}
    in_pairs = {
        name: outcome.effective_units
        for name, outcome in pairs.items()
        if outcome.effective_units is not None and outcome.differing >= FEWEST_UNITS
    }
    few = [
        f"{name} (about {number:.0f})"
        for name, number in (effective | in_pairs).items()
        if 0 < number < _FEWEST_EFFECTIVE
    ]
    if few:
        notes.add(
            f"Few of {units.count:,} {units.name} account for most of the variance: {_first(few)}; "
            "these intervals are unreliable.",
            SmallSampleWarning,
            label,
        )
    constant = [name for name, number in (effective | in_pairs).items() if not number]
    if constant:
        p_values = ", and so are the p-values" * (constant[-1] in in_pairs)
        notes.add(
            f"Whichever of {units.count:,} {units.name} is left out, these do not change: "
            f"{_first(constant)}; their intervals are unreliable{p_values}.",
            SmallSampleWarning,
            label,
        )


def add_pairs(
    notes: Notes,
    pairs: Sequence[Pair],
    units: Units,
    alpha: float,
    label: str,
    *,
    is_paired: bool,
) -> None:
    """Say which pairs no test could decide, and what marked p-values are."""
    undecided = [
        f"{pair.one} - {pair.other} ({pair.differing})" for pair in pairs if pair.undecided
    ]
    if undecided:
        number = formatting.count(len(undecided), "pair")
        what = f"differing {units.name}" if is_paired else units.name
        notes.add(
            f"Undecided: {number}. So few {what} cannot give a p-value below alpha = {alpha!r}: "
            f"{_first(undecided)}. The systems may differ, or may not.",
            SmallSampleWarning,
            label,
        )
    limits = [pair.p_limit for pair in pairs if pair.p_limit is not None]
    if limits:
        notes.add(
            f"{formatting.FLOOR}: the smallest p that this number of trials can give; with 95% "
            f"confidence, more trials give at most {formatting.p_value(max(limits))} before "
            "adjustment.",
            None,
            label,
        )


def _first(names: Sequence[str]) -> str:
    """List some names, and say how many more there are."""
    listed = ", ".join(names[:_NAMED])
    more = len(names) - _NAMED
    return f"{listed} and {more} more" if more > 0 else listed
