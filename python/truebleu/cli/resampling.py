"""Intervals and tests of what was counted, as the options say: units, progress and notes."""

from __future__ import annotations

from contextlib import contextmanager

from truebleu.cli.options import resampling_from
from truebleu.cli.output import Bar
from truebleu.errors import WarnOnce
from truebleu.inputs.forms import DOCUMENT
from truebleu.inputs.numbers import thread_count
from truebleu.intake.files import read_file
from truebleu.intake.systems import refuse_twice
from truebleu.metrics.registry import metrics_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from truebleu.cli.parsing import Namespace
    from truebleu.intake.given import Given
    from truebleu.metrics import Metric, Stats
    from truebleu.significance.comparisons import Comparisons
    from truebleu.significance.design import Design


@contextmanager
def shown() -> Iterator[None]:
    """Show the progress of intervals and tests, whose notes name options."""
    # NumPy is slow to load, and not every command needs it.
    from truebleu.significance.notes import named_as_options
    from truebleu.significance.resampling import told_to

    with Bar("resampling") as bar, told_to(bar.update), named_as_options(), WarnOnce():
        yield


def design_from(options: Namespace, given: Given, **how: Any) -> Design:
    """Return the design of intervals and tests that the options describe."""
    from truebleu.significance.design import Design

    units = how.pop("units", None) or units_from(options, given)
    return Design(**{**resampling_from(options), "units": units, **how})


def compare_counted(
    metrics: Sequence[Metric],
    options: Namespace,
    given: Given,
    counted: Sequence[dict[str, Stats]],
    **how: Any,
) -> Comparisons:
    """Compare systems, which have a row per segment under each metric, as the options say."""
    from types import MappingProxyType

    from truebleu.significance import running
    from truebleu.significance.comparisons import Comparisons
    from truebleu.significance.notes import Notes, add_checksums

    named = metrics_of(metrics, by_settings=True)
    said = Notes()
    with shown():
        add_checksums(said, given.saved)
        found = running.compare_counted(
            named,
            dict(zip(named, counted, strict=True)),
            known_documents(given),
            design_from(options, given, **how),
            thread_count(options.threads),
            said,
        )
    return Comparisons(comparisons=MappingProxyType(found), notes=said.of_all([*named]))


def known_documents(given: Given) -> list[str] | None:
    """Return the document of each segment, if statistics, a test set or a table know it."""
    if given.saved is not None:
        documents = given.saved.documents
        return None if documents is None else list(documents)
    if given.columns is not None:
        from truebleu.cli.tabular import read_documents

        return read_documents(given, given.columns)
    found: list[str] | None = getattr(given.test_set, "documents", None)
    return found


def units_from(options: Namespace, given: Given) -> Any:
    """Return the units that are given: a word, a length of blocks, or the IDs of documents."""
    if isinstance(options.units, int) or options.units in ("auto", "segments"):
        return options.units
    refuse_twice([*given.systems, *given.references, options.units])
    return read_file(options.units, DOCUMENT)


def documents_from(options: Namespace, given: Given) -> list[str] | None:
    """Return the document of each segment, as it is given or known."""
    units = units_from(options, given)
    return known_documents(given) if isinstance(units, str | int) else units
