"""One file of HTML that holds everything: data, pictures, style, scripts, and no address."""

from __future__ import annotations

import functools
import re
import sys
from base64 import b64encode
from contextlib import contextmanager
from hashlib import sha256
from math import ceil, floor
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen

from truebleu._core import __version__
from truebleu.display.formatting import count, decimals, p_value
from truebleu.display.render import stylesheet, visible
from truebleu.reporting import chart_specs, charts, payload
from truebleu.reporting.glossary import TERMS

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from truebleu.reporting.data import Gathered
    from truebleu.significance.results import Comparison, Pair

_HERE = Path(__file__).parent

# In this order: each uses those before it.
_SCRIPTS = ("data", "ngrams", "charts", "segment", "table", "page")


# More names than that are counted, not listed.
_MOST_NAMES = 3

_SNIPPET = "window.vegaEmbed = vegaEmbed;"

# The process that puts the bundle together, if one does.
_ahead: dict[str, Popen[bytes]] = {}


@functools.cache
def bundle() -> str:
    """Return Vega, Vega-Lite and Vega-Embed as one script.

    Raises
    ------
    MissingExtraError
        If they are not installed.
    """
    process = _ahead.get(_SNIPPET)
    if process is not None:
        script = process.communicate()[0]
        if process.returncode == 0:
            return _inert(script.decode())
    try:
        import vl_convert
    except ImportError as error:
        raise chart_specs.missing() from error
    return _inert(str(vl_convert.javascript_bundle(_SNIPPET)))


@contextmanager
def prepared() -> Iterator[None]:
    """Let another process put the bundle together while this one reads and counts.

    It takes more than a second, and does not let other threads of its process work.

    Raises
    ------
    MissingExtraError
        If Altair or Jinja2 are not installed: rather before the work than after it.
    """
    chart_specs.altair()
    _templates()
    code = (
        "import sys, vl_convert; "
        f"sys.stdout.buffer.write(vl_convert.javascript_bundle({_SNIPPET!r}).encode())"
    )
    words = [sys.executable, "-c", code]
    with Popen(words, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL) as process:  # noqa: S603
        _ahead[_SNIPPET] = process
        try:
            yield
        finally:
            del _ahead[_SNIPPET]
            process.kill()


def _templates() -> Any:
    try:
        from jinja2 import Environment, FileSystemLoader
    except ImportError as error:
        raise chart_specs.missing() from error
    environment = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(count=count, decimals=decimals, p_value=p_value)
    return environment


def _own_script() -> str:
    """Join our modules: in a page without addresses none can import another."""
    modules = [(_HERE / "assets" / f"{name}.js").read_text("utf-8") for name in _SCRIPTS]
    own = re.sub(r"(?m)^import [^;]*;\n|^export ", "", "".join(modules))
    # Vega has a scope of its own, and so have we.
    return f'(() => {{\n"use strict";\n{own}}})();'


def _inert(script: str) -> str:
    """Keep a script from ending the element it is in."""
    return script.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def render(found: Gathered, title: str) -> str:
    """Write the page.

    Parameters
    ----------
    found : Gathered
    title : str

    Returns
    -------
    str

    Raises
    ------
    MissingExtraError
        If Altair, Jinja2 or Vega are not installed.
    """
    templates = _templates()
    scripts = [bundle(), _inert(_own_script())]
    style = stylesheet() + (_HERE / "assets" / "report.css").read_text("utf-8")
    rows, ticks = _rows(found)
    described, numbers = payload.numbers(found)
    facts = payload.facts(found, title)
    facts["columns"] = described
    policy = (
        "default-src 'none'; img-src data: blob:; base-uri 'none'; form-action 'none'; "
        f"style-src {_hashed(style)}; script-src {' '.join(map(_hashed, scripts))}"
    )
    return str(
        templates.get_template("report.html.j2").render(
            title=title,
            version=__version__,
            policy=policy,
            style=style,
            scripts=scripts,
            facts=payload.packed_json(facts),
            numbers=numbers,
            texts=payload.texts(found),
            rows=rows,
            ticks=ticks,
            lead=_lead(found),
            notices=found.notices,
            pictures={name: charts.PICTURES[name] for name in facts["charts"]},
            terms=TERMS,
            found=found,
            comparison=found.comparison,
            signature=_signature(found),
            orders=range(1, found.bleu.max_order + 1),
            visible=visible,
        )
    )


def _hashed(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _signature(found: Gathered) -> str:
    return found.scores[0].signature if found.comparison is None else found.comparison.signature


def _rows(found: Gathered) -> tuple[list[dict[str, Any]], list[tuple[str, str]]]:
    """Return what the table of systems shows, the best first, and the axis of its picture."""
    comparison = found.comparison
    clusters = () if comparison is None else comparison.clusters or ()
    group = {name: number for number, each in enumerate(clusters, 1) for name in each}
    first = {each[0] for each in clusters[1:]}
    baseline = found.names[found.baseline]
    rows: list[dict[str, Any]] = []
    for system in found.ranked():
        name, score = found.names[system], found.scores[system]
        rows.append(
            {
                "system": system,
                "name": visible(name),
                "score": score,
                "interval": None if comparison is None else comparison.systems[name].interval,
                "pair": None if name == baseline else _pair(comparison, name, baseline),
                "is_baseline": name == baseline,
                "cluster": group.get(name),
                "opens": name in first,
            }
        )
    ends = [
        end
        for row in rows
        for end in (
            (row["score"].score,) * 2
            if row["interval"] is None
            else (row["interval"].low, row["interval"].high)
        )
    ]
    place, ticks = _axis(min(ends), max(ends))
    for row, low, high in zip(rows, ends[::2], ends[1::2], strict=True):
        row.update(low=place(low), at=place(row["score"].score), high=place(high))
    return rows, ticks


def _axis(low: float, high: float) -> tuple[Callable[[float], str], list[tuple[str, str]]]:
    """Return where numbers are on an axis, in percent, and round numbers on it."""
    room = max(high - low, 1.0)
    start, width = low - 0.06 * room, 1.12 * room
    step = next(step for step in (0.25, 0.5, 1, 2, 5, 10, 20, 50) if width / step <= 6)

    def place(value: float) -> str:
        return f"{100 * (value - start) / width:.2f}"

    first = ceil(start / step)
    numbers = [step * number for number in range(first, floor((start + width) / step) + 1)]
    return place, [(place(number), f"{number:g}") for number in numbers]


def _pair(comparison: Comparison | None, one: str, other: str) -> Pair | None:
    return None if comparison is None else comparison.pair(one, other)


def _lead(found: Gathered) -> str:
    """Say in one or two sentences what came out."""
    ranked = found.ranked()
    best = found.scores[ranked[0]].score
    first = [system for system in ranked if found.scores[system].score >= best]
    others = ranked[len(first) :]
    names = _listed([visible(found.names[system]) for system in first])
    number = f"{decimals(best)} BLEU"
    if len(found.names) == 1:
        return f"{names} has {number} on {count(found.segments, 'segment')}."
    if not others:
        return f"{names} have the same score, {number}."
    systems = count(len(found.names), "system")
    if len(first) > 1:
        text = f"{names} share the highest score of {systems}: {number}."
    else:
        text = f"{names} has the highest score of {systems}: {number}."
    return " ".join([text, *_significance(found, first, others)])


def _significance(found: Gathered, first: list[int], others: list[int]) -> list[str]:
    """Say which other systems those of the highest score are significantly better than."""
    comparison = found.comparison
    if comparison is None or comparison.baseline is not None or comparison.undecided:
        return []
    lead = "Its lead" if len(first) == 1 else "Their lead"
    pairs = {
        other: [comparison.pair(found.names[one], found.names[other]) for one in first]
        for other in others
    }
    unsure = [
        other for other, several in pairs.items() if not all(pair.significant for pair in several)
    ]
    if unsure:
        rest = _listed([visible(found.names[other]) for other in unsure])
        if len(unsure) > _MOST_NAMES:
            rest = f"{len(unsure)} of the {count(len(others), 'other system')}"
        return [f"{lead} over {rest} is not statistically significant."]
    rest = visible(found.names[others[0]]) if len(others) == 1 else "every other system"
    # Rounded up, it is a bound of all.
    highest = max(pair.p_adjusted for several in pairs.values() for pair in several)
    p = p_value(highest, at_floor=True)
    return [f"{lead} over {rest} is statistically significant (Holm-adjusted p {p})."]


def _listed(names: list[str]) -> str:
    *start, last = names
    return f"{', '.join(start)} and {last}" if start else last
