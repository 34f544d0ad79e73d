"""A report: one file that shows where scores come from, and the pictures in it one by one."""

from __future__ import annotations

import os

from truebleu.display.formatting import count
from truebleu.errors import InputTypeError, SettingsError
from truebleu.record import Frozen
from truebleu.reporting import charts, page
from truebleu.reporting.data import gather

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping
    from typing import Any

    from typing_extensions import Unpack

    from truebleu.metrics.settings import BleuSettings
    from truebleu.reporting.data import Gathered
    from truebleu.significance.design import Progress
    from truebleu.significance.results import Comparison

__all__ = ["Report", "report"]


class Report(Frozen):
    """What there is to show about systems. Made by :func:`report`.

    Attributes
    ----------
    comparison : Comparison or None
        The scores with intervals, tests and clusters; None if there is only one segment.
    notices : tuple of str
        What to know before believing the numbers: empty lines, output that is much too short,
        systems that are identical, references that equal the source, too few segments.
    plots : tuple of str
        The names of the pictures that these data have, for :meth:`plot`.
    title : str
    """

    __slots__ = ("_found", "title")
    _found: Gathered
    title: str

    def __init__(self, found: Gathered, title: str) -> None:
        """Keep the numbers."""
        object.__setattr__(self, "_found", found)
        object.__setattr__(self, "title", title)

    @property
    def comparison(self) -> Comparison | None:
        """The scores with intervals, tests and clusters; None if there is only one segment."""
        return self._found.comparison

    @property
    def notices(self) -> tuple[str, ...]:
        """What to know before believing the numbers."""
        return tuple(notice.text for notice in self._found.notices)

    @property
    def plots(self) -> tuple[str, ...]:
        """The names of the pictures that these data have."""
        return tuple(charts.available(self._found))

    def to_html(self) -> str:
        """Return the report as a page that holds all it needs.

        Raises
        ------
        MissingExtraError
            If Altair, Jinja2 or vl-convert are not installed.
        """
        return page.render(self._found, self.title)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the page into a file.

        Raises
        ------
        OSError
            If it cannot be written.
        MissingExtraError
            As :meth:`to_html`.
        """
        _write(path, self.to_html().encode("utf-8", "surrogatepass"))

    def spec(
        self, name: str, *, one: str | None = None, other: str | None = None
    ) -> dict[str, Any]:
        """Return a picture as a Vega-Lite specification, with its data.

        Parameters
        ----------
        name : str
            One of `plots`.
        one, other : str, optional
            The two systems that stand out; by default the best one, and the baseline or else the
            second.

        Raises
        ------
        UnknownNameError
            If there is no such picture or system; the message lists them.
        SettingsError
            If these data do not have that picture.
        MissingExtraError
            If Altair is not installed.
        """
        found = self._found
        charts.named(name)
        best, second = found.pair()
        first = best if one is None else found.number(one)
        if other is not None:
            second = found.number(other)
        if second == first:
            if other is not None:
                raise SettingsError(f"{other!r} cannot be compared with itself")
            second = next(system for system in found.ranked() if system != first)
        return charts.filled(found, name, first, second)

    def plot(
        self,
        name: str,
        path: str | os.PathLike[str],
        *,
        one: str | None = None,
        other: str | None = None,
    ) -> None:
        """Write a picture into a file, for a paper.

        Parameters
        ----------
        name, one, other
            As :meth:`spec` takes them.
        path : str
            Ends in ``.svg`` or ``.png``.

        Raises
        ------
        SettingsError
            If the file is of another kind, or as :meth:`spec`.
        OSError
            If it cannot be written.
        """
        form = form_of(path)
        _write(path, charts.draw(self.spec(name, one=one, other=other), form))

    def __repr__(self) -> str:
        """Tell what it is about."""
        found = self._found
        return f"<Report: {count(len(found.names), 'system')}, {count(found.segments, 'segment')}>"


def report(
    systems: Mapping[str, Any],
    references: Any = None,
    *,
    reference_streams: Iterable[Iterable[Any]] | None = None,
    sources: Iterable[Any] | None = None,
    documents: Iterable[Hashable] | None = None,
    domains: Iterable[Hashable] | None = None,
    baseline: str | None = None,
    title: str = "BLEU report",
    trials: int | None = None,
    samples: int | None = 1_000,
    interval: str = "bca",
    level: float = 0.95,
    seed: int | None = 12345,
    legacy: str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    **settings: Unpack[BleuSettings],
) -> Report:
    """Gather all that shows where the scores of systems come from.

    Parameters
    ----------
    systems : mapping of str to iterable
        For each name the hypotheses, as :func:`truebleu.corpus_bleu` takes them.
    references, reference_streams
        As there.
    sources : iterable, optional
        What was translated.
    documents : iterable, optional
        For each segment the document it belongs to. There is a picture of them, and whole
        documents are drawn for intervals and tests, as in :func:`truebleu.compare`.
    domains : iterable, optional
        For each segment its domain, or any other group: only for the picture.
    baseline : str, optional
        The system that the others are shown against. Default: the first.
    title : str
        Of the page.
    trials, samples, interval, level, seed, legacy, threads, progress, **settings
        As in :func:`truebleu.compare`.

    Returns
    -------
    Report
        ``.write("report.html")`` writes the page; ``.plot("scores", "scores.svg")`` a picture.

    Raises
    ------
    LengthMismatchError
        If systems, references, sources, documents or domains differ in length.
    InputError, InputTypeError, SettingsError
        As :func:`truebleu.compare`.

    Warns
    -----
    FewUnitsWarning, SettingsWarning
        As :func:`truebleu.compare`; the page says it, too.

    Examples
    --------
    >>> from truebleu import report
    >>> references = ["a b c d e", "f g h i j", "k l m n o"] * 40
    >>> systems = {"good": references[:-1] + ["k l m"], "bad": ["a b c d x"] * 120}
    >>> found = report(systems, references)
    >>> found
    <Report: 2 systems, 120 segments>
    >>> found.comparison.clusters
    (('good',), ('bad',))
    """
    if not isinstance(title, str):
        raise InputTypeError(f"title is of type {type(title).__name__}; a str is needed")
    how = {
        "trials": trials,
        "samples": samples,
        "interval": interval,
        "level": level,
        "seed": seed,
        "legacy": legacy,
        "progress": progress,
    }
    if legacy is not None and baseline is not None:
        how["baseline"] = baseline
    found = gather(
        systems,
        references,
        reference_streams,
        sources=sources,
        documents=documents,
        domains=domains,
        baseline=baseline,
        threads=threads,
        how=how,
        settings=settings,
    )
    return Report(found, title)


def form_of(path: str | os.PathLike[str]) -> str:
    """Return what kind of picture a file is to be.

    Raises
    ------
    SettingsError
        If it is neither svg nor png.
    """
    form = os.fspath(path).rpartition(".")[2].lower()
    if form not in ("svg", "png"):
        raise SettingsError(f"{os.fspath(path)}: a plot is .svg or .png")
    return form


def refuse_unwritable(path: str) -> None:
    """Refuse a file that could not be written, before the work and not after it.

    Raises
    ------
    OSError
        With the name of the file.
    """
    import errno

    folder = os.path.dirname(path) or "."  # noqa: PTH120  # The path stays as it was written.
    if os.path.isdir(path):  # noqa: PTH112
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    if not os.path.isdir(folder):  # noqa: PTH112
        raise OSError(errno.ENOENT, f"there is no folder {folder}", path)
    if not os.access(path if os.path.exists(path) else folder, os.W_OK):  # noqa: PTH110
        raise OSError(errno.EACCES, os.strerror(errno.EACCES), path)


def _write(path: str | os.PathLike[str], content: bytes) -> None:
    with open(path, "wb") as file:
        file.write(content)
