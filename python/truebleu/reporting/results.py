"""What :func:`truebleu.report` returns: the numbers, as a page or as charts."""

from __future__ import annotations

import os
from collections.abc import Mapping

from truebleu.analysis.correlation import Correlation
from truebleu.display import markup
from truebleu.display.formatting import count
from truebleu.display.shown import Result
from truebleu.errors import SettingsError
from truebleu.inputs.lines import checked_path
from truebleu.metrics.several import ByMetric
from truebleu.reporting import charts, drawing, page
from truebleu.reporting.data import Gathered
from truebleu.reporting.drawing import Chart, Width
from truebleu.significance.results import Comparison
from truebleu.writing import write_whole


class Page(Result):
    """Reports that are shown as one page."""

    title: str

    @property
    def _views(self) -> list[Gathered]:
        raise NotImplementedError

    def to_html(self, *, command: str = "") -> str:
        """Return the report as a page that holds all it needs; of several metrics, with a menu.

        Parameters
        ----------
        command : str, optional
            How the report was made, for people to repeat it; the page shows it as text.

        Raises
        ------
        MissingExtraError
            If Jinja2 is not installed.
        """
        return page.render(self._views, self.title, command)

    def write(self, path: str | os.PathLike[str], *, command: str = "") -> None:
        """Write the page to a file: all of it, or nothing.

        Parameters
        ----------
        path : str
        command : str, optional
            As :meth:`to_html` takes it.

        Raises
        ------
        OSError
            If it cannot be written.
        MissingExtraError
            As :meth:`to_html`.
        """
        write_whole(
            checked_path(path), self.to_html(command=command).encode("utf-8", "surrogatepass")
        )

    def __str__(self) -> str:
        return repr(self)[1:-1]


class Report(Page):
    """What there is to show about systems. Made by :func:`report`.

    >>> import truebleu
    >>> references = ["a b c d e", "f g h i j", "k l m n o"] * 40
    >>> good, bad = ["a b c d e", "f g h i j", "k l m n x"] * 40, ["a b c d x"] * 120
    >>> truebleu.report({"good": good, "bad": bad}, references).comparison.clusters
    (('good',), ('bad',))
    """

    __module__ = "truebleu"

    _data: Gathered

    def __init__(self, data: Gathered, title: str) -> None:
        self._fill(_data=data, title=title)

    @property
    def data(self) -> Gathered:
        """All numbers that are shown, for the rest of the package: their names may change."""
        return self._data

    @property
    def _views(self) -> list[Gathered]:
        return [self._data]

    @property
    def comparison(self) -> Comparison | None:
        """The scores with intervals, tests and clusters; None if there is only one segment."""
        return self._data.comparison

    @property
    def notices(self) -> tuple[str, ...]:
        """What to check before trusting the scores.

        This is empty lines, outputs that are much too short, systems that are identical, references
        that equal the source, or too few segments.
        """
        return tuple(notice.text for notice in self._data.notices)

    @property
    def charts(self) -> tuple[str, ...]:
        """The names of the charts that these data have, for :meth:`chart`."""
        return tuple(charts.available(self._data))

    def chart(
        self,
        name: str,
        *,
        one: str | None = None,
        other: str | None = None,
        width: Width | None = None,
    ) -> Chart:
        """Return a chart, which a notebook shows and ``.save("figure.svg")`` writes.

        Parameters
        ----------
        name : str
            One of `charts`.
        one, other : str, optional
            The two systems to highlight. Default: the best one, and the baseline or else the
            second.
        width : {"column", "page"}, optional
            As wide as a column (3.03 inches) or the text of a page (6.3 inches), with all labels;
            a PNG then has 300 dots per inch. Default: as wide as on the page of the report.

        Raises
        ------
        UnknownNameError
            If there is no such chart, system or width; the message lists them.
        SettingsError
            If these data do not have that chart.
        """
        data = self._data
        charts.named(name)
        best, second = data.pair()
        first = best if one is None else data.number(one)
        if other is not None:
            second = data.number(other)
        if second == first:
            if other is not None:
                raise SettingsError(f"{other!r} cannot be compared with itself")
            second = next(system for system in data.ranked() if system != first)
        spec = drawing.static(*charts.filled(data, name, first, second))
        return Chart(spec=drawing.sized(spec, width), width=width)

    def _repr_html_(self) -> str:
        return markup.html([page.figure_of(self._data).replace(heading=self.title)])

    def __repr__(self) -> str:
        systems = count(len(self._data.names), "system")
        return f"<Report: {systems}, {count(self._data.segments, 'segment')}>"


class Reports(Page, ByMetric["Report"]):
    """Reports on the same systems under several metrics, keyed by metric name, as one page.

    A mapping: ``reports["BLEU"]`` is the :class:`Report` under BLEU. Made by :func:`report`.

    >>> import truebleu
    >>> references = ["a b c d e", "f g h i j", "k l m n o"] * 40
    >>> good, bad = ["a b c d e", "f g h i j", "k l m n x"] * 40, ["a b c d x"] * 120
    >>> truebleu.report({"good": good, "bad": bad}, references, metrics=["bleu", "ter"])
    <Reports on BLEU, TER: 2 systems, 120 segments>

    Attributes
    ----------
    reports : mapping of str to Report
        The reports by the name of the metric, in the order given.
    title : str
    """

    reports: Mapping[str, Report]

    @property
    def _views(self) -> list[Gathered]:
        return [each.data for each in self.values()]

    @property
    def correlations(self) -> tuple[Correlation, ...]:
        """How far each two of the metrics agree about segments."""
        return page.correlations(self._views)

    @property
    def _by_name(self) -> Mapping[str, Report]:
        return self.reports

    def _repr_html_(self) -> str:
        return "".join(each._repr_html_() for each in self.values())

    def __repr__(self) -> str:
        first, *_ = self.values()
        return f"<Reports on {', '.join(self)}: {repr(first).partition(': ')[2]}"
