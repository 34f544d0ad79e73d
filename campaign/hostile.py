"""Open every page with hostile names, texts and addresses, and use all that is on it.

Reports, the playground, charts as files and, if the site is built, the figures of the course are
opened in Chromium at 74 queries and 40 fragments each; then every button, field and chart is used.
An error, a word on the console, a request, a dialog, a script that runs, or markup that a name
brought into the page ends the campaign.

    python campaign/hostile.py
    python campaign/hostile.py --every 10 names playground
"""

from __future__ import annotations

import argparse
import os
import re
import runpy
import shutil
import sys
import time
import warnings
from contextlib import contextmanager
from functools import partial
from io import BytesIO
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from campaign.populations import ROOT
from campaign.recorded import record, rows_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from playwright.sync_api import Browser, Page

# Texts and names that are markup, or that turn, end or hide what is around them.
MARKUP = [
    "<script>window.hacked = 1</script> and </script><script>window.hacked = 2</script>",
    '<img src=x onerror="window.hacked = 3"> <svg onload=alert(4)> &amp; <!-- ',
    "{{ 7 * 7 }} {% raw %} ${7 * 7} `x` \\u0041 %s",
    "right \u202eto left\u202c and \u2067isolated\u2069 \u200fmark zero\u200bwidth \x07 bell",
    "a\ttab, a line\nfeed, a lone \ud800 surrogate, \x00 nothing",
    "=1+cmd|' /C x'!A0 javascript:window.hacked=5 ]]> --> ' \" onmouseover='window.hacked=6'",
]

# What every object of JavaScript has, and what a page may take for something else.
NAMES_OF_OBJECTS = (
    *("toString", "constructor", "hasOwnProperty", "__proto__", "valueOf", "__defineGetter__"),
    *("length", "watch", "null", "undefined", "NaN", "datum", "others", "A", ""),
)

_NUMBERS = ["-1", "0", "1e999", "9" * 400, "0x10", "1.5", " 2", "\uff11", "-0", "1:2:3", "0:0:100"]
_VALUES = [
    *NAMES_OF_OBJECTS,
    *MARKUP,
    *_NUMBERS,
    "(",
    "[a",
    ".*",
    "\\",
    "%",
    "+",
    "\u2028",
    "x" * 5000,
]
_OF_REPORTS = [
    *("metric", "one", "other", "q", "show", "document", "domain"),
    *("from", "to", "gram", "sort"),
]
_OF_PLAYGROUND = [
    *("metric", "hypothesis", "second", "references", "tokenizer", "smoothing", "order", "weights"),
    *("length", "characters", "words", "beta", "corpus", "lowercase", "effective", "language"),
]
_RAW = [
    *(
        "",
        "?",
        "&&&",
        "=",
        "%",
        "%00",
        "%ff%fe",
        "one",
        "one&other",
        "__proto__[x]=1",
        "q=%",
        "q=+",
    ),
    *("one=1&one=2&other=3", "metric=" + "%F0%9F%98%80" * 2000),
]


def _named(keys: Sequence[str], number: int) -> list[str]:
    """Return parts of an address in which each key has many values, and each value many keys."""
    values = (value.encode("utf-8", "replace").decode() for value in cycle(_VALUES))
    pairs = islice(zip(cycle(keys), values, strict=False), number)
    return [urlencode([pair]) for pair in pairs]


def addresses(keys: Sequence[str] = _OF_REPORTS) -> list[str]:
    """Return 74 queries and 40 fragments."""
    segments = [*_NUMBERS, "1", "01", "2.5", "4", "45", "46", "4294967297", "__proto__", "length"]
    places = ["matrix", "rows", "segment", "chart-ngrams", "view", "data-facts", ":~:text=segment"]
    named = [quote(value.encode("utf-8", "replace")[:300]) for value in _VALUES]
    fragments = [*(f"segment-{each}" for each in segments), *places, *named[:10]]
    fragments += _named(keys, 40 - len(fragments))
    return [f"?{each}" for each in [*_RAW, *_named(keys, 74 - len(_RAW))]] + [
        f"#{each}" for each in fragments
    ]


def odd_report(**how: Any) -> Any:
    """Report on systems, documents, domains, words and metrics that are called like objects."""
    from truebleu import Bleu, report

    count = len(NAMES_OF_OBJECTS)
    labels = [NAMES_OF_OBJECTS[line % count] for line in range(3 * count)]
    texts = [f"{label} is the {line % 7}" for line, label in enumerate(labels)]
    outputs = {
        name: [
            text.replace("is", "") if line % (2 + place) else text
            for line, text in enumerate(texts)
        ]
        for place, name in enumerate(NAMES_OF_OBJECTS)
    }
    points = {name: [number / 7 for number in range(len(texts))] for name in outputs}
    how = {"n_resamples": 39, "metrics": Bleu(tokenizer="none"), **how}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return report(
            outputs,
            texts,
            units=labels,
            domains=labels[::-1],
            scores=dict.fromkeys(NAMES_OF_OBJECTS[:4], points),
            **how,
        )


def _marked(metric: Any, names: int = 3, **how: Any) -> Any:
    """Report on names, texts, documents, domains, units and titles that are markup."""
    from truebleu import report

    texts = [*MARKUP, *(f"{text} {text[::-1]}" for text in MARKUP)]
    systems = {name: texts[at:] + texts[:at] for at, name in enumerate(MARKUP[:names])}
    labels = {"sources": texts, "units": MARKUP * 2, "domains": MARKUP[::-1] * 2}
    title = f"</title>{MARKUP[0]}"
    chosen: dict[str, Any] = {"n_resamples": 39, "title": title, **labels, **how}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return report(systems, [[text, text[1:]] for text in texts], metrics=metric, **chosen)


def _of_own_metric() -> Any:
    """Report under a metric whose names and fields are hostile."""
    from truebleu import Metric

    class Odd(Metric):
        """How much of the references is there, in fields with odd names."""

        name, identifier, fields = MARKUP[1], "odd", ("toString", "{0}", "__proto__", "constructor")

        def count(self, hypotheses: Any, references: Any) -> Any:
            """Count letters."""
            pairs = zip(hypotheses, references, strict=True)
            return [[len(text), len(several[0]) + 1, 1, 2] for text, several in pairs]

        def scores(self, rows: Any) -> Any:
            """Divide them."""
            return 100 * rows[:, 0] / rows[:, 1]

    return _marked(Odd(), 4)


def _of_statistics() -> Any:
    """Report on stored statistics with hostile names of systems, documents and units."""
    from truebleu import Chrf, SavedStats, report

    names = [f"{number} {text}" for number, text in enumerate([*MARKUP, *NAMES_OF_OBJECTS])]
    rows = Chrf(word_order=2).stats(names, [name[2:] + name[:3] for name in names])
    systems = dict.fromkeys([*MARKUP[:3], *NAMES_OF_OBJECTS[:4]], rows)
    saved = SavedStats(systems, Chrf(word_order=2), units=names, documents=names)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return report(saved, n_resamples=39)


def _playground(path: Path) -> None:
    page = runpy.run_path(str(ROOT / "site" / "playground.py"))["page"]
    path.write_text(page(), "utf-8")


def _report(make: Callable[[], Any]) -> Callable[[Path], None]:
    return lambda path: make().write(path)


def _chart(name: str) -> Callable[[Path], None]:
    return lambda path: _marked("bleu", 6).chart(name).save(path)


# What a page has when it is ready.
DRAWN, SCORED, PLAYED = "html[data-drawn]", "#score[data-score], #score span", ".play"

# For each page how it is written, when it is ready, and which parts its addresses have.
PAGES: dict[str, tuple[Callable[[Path], None], str, list[str]]] = {
    "names.html": (_report(partial(odd_report, title="toString")), DRAWN, _OF_REPORTS),
    "names in Korean.html": (
        _report(partial(odd_report, title="constructor", language="ko", margin=0.5)),
        DRAWN,
        _OF_REPORTS,
    ),
    "markup.html": (_report(partial(_marked, "bleu", 6)), DRAWN, _OF_REPORTS),
    "markup under TER.html": (_report(partial(_marked, "ter")), DRAWN, _OF_REPORTS),
    "one system.html": (_report(partial(_marked, "chrf", 1)), DRAWN, _OF_REPORTS),
    "a metric of one's own.html": (_report(_of_own_metric), DRAWN, _OF_REPORTS),
    "statistics.html": (_report(_of_statistics), DRAWN, _OF_REPORTS),
    "playground.html": (_playground, SCORED, _OF_PLAYGROUND),
    "pair.svg": (_chart("pair"), "svg", _OF_REPORTS),
    "documents.svg": (_chart("documents"), "svg", _OF_REPORTS),
    "ngrams.svg": (_chart("ngrams"), "svg", _OF_REPORTS),
}


# What must not be on a page whose names and texts are hostile.
_FAULTS = r"""expected => {
  const faults = [];
  if (window.hacked !== undefined) faults.push(`a script ran: ${window.hacked}`);
  for (const key in {}) faults.push(`every object has ${key}`);
  if (document.scripts?.length > expected) faults.push(`${document.scripts.length} scripts`);
  for (const element of document.querySelectorAll("*")) {
    for (const { name, value } of element.attributes) {
      const leads = ["href", "src", "action", "formaction", "srcdoc"].includes(name);
      if (name.startsWith("on") || (leads && /^\s*(javascript|data:text)/i.test(value))) {
        faults.push(`${element.localName} has ${name}=${value}`);
      }
    }
  }
  const texts = [...document.querySelectorAll(":not(script, style)")].flatMap((each) => [
    ...each.childNodes,
  ]);
  const said = texts.map((text) => (text.nodeType === 3 ? text.data : "")).join(" ");
  if (/\[native code\]|\[object \w+\]/.test(said)) faults.push("the page shows an object");
  return faults;
}"""

# Use everything, several times over, as nothing may be where it was before.
_USE = """async ([texts, most]) => {
  const breath = () => new Promise((done) => setTimeout(done, 4));
  let used = 0;
  const tell = async (element, type, Kind = Event, more = {}) => {
    element.dispatchEvent(new Kind(type, { bubbles: true, cancelable: true, ...more }));
    used += 1;
    await breath();
  };
  const few = (all) => {
    const step = Math.max(1, all.length / most);
    return all.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
  };
  for (const box of document.querySelectorAll("details")) box.open = true;
  await breath();
  for (const select of document.querySelectorAll("select:not(#metric)")) {
    for (const option of few([...select.options])) {
      select.value = option.value;
      await tell(select, "input");
      await tell(select, "change");
    }
  }
  for (const field of document.querySelectorAll("textarea, input:not([type=checkbox])")) {
    const right = field.type === "number" ? /^[0-9]{1,9}$/ : /(?:)/;
    for (const text of few(texts.filter((each) => right.test(each)))) {
      field.value = text;
      await tell(field, "input");
    }
    field.value = field.defaultValue;
    await tell(field, "input");
  }
  // Icons of links would leave the page.
  for (const mark of few([...document.querySelectorAll("svg *:not(a[href] *)")])) {
    const { left, top } = mark.getBoundingClientRect();
    const at = { clientX: left + 1, clientY: top + 1 };
    await tell(mark, "pointermove", PointerEvent, at);
    await tell(mark, "click", MouseEvent, at);
  }
  for (const place of few([...document.querySelectorAll("[tabindex]")])) {
    for (const key of ["ArrowDown", "End", "PageUp", "Enter", "Escape", "toString"]) {
      await tell(place, "keydown", KeyboardEvent, { key });
    }
  }
  for (const each of few([...document.querySelectorAll("button, summary, [data-at]")])) {
    if (each.isConnected) await tell(each, "click", MouseEvent);
  }
  dispatchEvent(new Event("beforeprint"));
  await breath();
  dispatchEvent(new Event("afterprint"));
  await breath();
  return used;
}"""


# Seconds that a page may take to be ready.
_PATIENCE = 60


class Watched:
    """A page of a browser, and what was wrong with it."""

    def __init__(self, browser: Browser, own: str) -> None:
        self._context = browser.new_context(reduced_motion="reduce")
        self.page: Page = self._context.new_page()
        self.page.set_default_timeout(1000 * _PATIENCE)
        self.faults: list[str] = []
        say = self.faults.append
        # A dialog of a print would wait for somebody.
        self.page.add_init_script("window.print = () => {}")
        # The theme of the site says which colors are chosen.
        said = {"log"} if own.startswith("http") else set()
        self.page.on(
            "console",
            lambda message: message.type in said or say(f"console: {message.text}"),
        )
        self.page.on("pageerror", lambda error: say(f"error: {error}"))
        self.page.on("dialog", lambda dialog: (say(f"dialog: {dialog.message}"), dialog.dismiss()))
        self.page.on(
            "request",
            lambda request: (
                request.url.startswith(("blob:", "data:", "about:", own))
                or say(f"request: {request.url}")
            ),
        )

    def close(self) -> None:
        """Close it."""
        self._context.close()

    def open(self, address: str, ready: str) -> None:
        """Open an address anew, and wait until the page is ready."""
        # A page holds its load until all is there, so one that fails is never loaded.
        self.page.goto("about:blank")
        self.page.goto(address, wait_until="commit")
        end = time.monotonic() + _PATIENCE
        while not self.page.query_selector(ready):
            assert not self.faults, f"{address[:300]}: {'; '.join(self.faults)}"
            assert time.monotonic() < end, f"{address[:300]} is not ready"
            self.page.wait_for_timeout(10)

    def check(self, where: str, scripts: int) -> None:
        """Fail if anything was wrong since the last time."""
        found = [*self.faults, *self.page.evaluate(_FAULTS, scripts)]
        self.faults.clear()
        assert not found, f"{where}: {'; '.join(found)}"


def try_page(
    browser: Browser, address: str, ready: str, states: Sequence[str], most: int
) -> dict[str, int]:
    """Open a page in many states, use what is on it, and return how much of each was done.

    Raises
    ------
    AssertionError
        If anything is wrong in one of the states, which is named.
    """
    # A page needs no other file; a site has its own.
    watched = Watched(browser, re.findall("https?://[^/]*/|.+", address)[0])
    try:
        watched.open(address, ready)
        scripts = watched.page.evaluate("document.scripts?.length ?? 0")
        watched.check(address, scripts)
        for state in states:
            watched.open(address + state, ready)
            watched.check(address + state[:200], scripts)
        watched.open(address, ready)
        names = "[...(document.querySelector('#metric')?.options ?? [])].map(each => each.value)"
        several = watched.page.evaluate(names) if ready == DRAWN else []
        used = 0
        for name in several[: min(5, most)] or [""]:
            query = f"?{urlencode({'metric': name})}#segment-2" if name else ""
            watched.open(address + query, ready)
            texts = [text.encode("utf-8", "replace").decode() for text in _VALUES]
            used += watched.page.evaluate(_USE, [texts, most])
            watched.page.wait_for_timeout(100)
            watched.check(f"{address}{query}, used", scripts)
    finally:
        watched.close()
    return {"states": len(states), "uses": used}


SANDBOX = ["--no-sandbox"] if os.name == "posix" and os.geteuid() == 0 else []


def chromium() -> str | None:
    """Find a browser."""
    # What needs no window needs half of the processor.
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    return os.environ.get("TRUEBLEU_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


@contextmanager
def started() -> Iterator[Browser]:
    """Start the browser."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=SANDBOX)
        yield browser
        browser.close()


@contextmanager
def _served(folder: Path) -> Iterator[str]:
    """Serve a folder on loopback; return its address."""
    import http.server
    import threading

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def send_head(self) -> Any:
            """Have an icon, for which browsers ask."""
            return super().send_head() if self.path != "/favicon.ico" else BytesIO()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    handler = partial(Quiet, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def main() -> None:
    """Try all pages, print what was done, and record it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", help="the beginnings of names of pages")
    parser.add_argument("--every", type=int, default=1, help="take one of so many addresses")
    parser.add_argument("--most", type=int, default=12, help="uses of each kind of element")
    options = parser.parse_args()
    site = ROOT / "site" / "build"
    figures = sorted(path.stem for path in (ROOT / "docs/course/figures").glob("*.svg"))
    # Pages that are not tried now keep what is known of them.
    known: dict[str, list[object]] = {title: [*more] for title, *more in rows_of("hostile")}
    with TemporaryDirectory() as folder, started() as browser, _served(site) as course:
        titles = [*PAGES, *(f"course/{name}.html" for name in figures if site.is_dir())]
        for title in titles:
            if options.names and not title.startswith(tuple(options.names)):
                continue
            if title in PAGES:
                path = Path(folder, title)
                write, ready, keys = PAGES[title]
                write(path)
                address = path.as_uri()
            else:
                address, ready, keys = f"{course}/{title}", PLAYED, _OF_REPORTS
            start = time.monotonic()
            states = addresses(keys)[:: options.every]
            done = try_page(browser, address, ready, states, options.most)
            seconds = f"{time.monotonic() - start:.0f}"
            print(f"{title}: {done}, {seconds} seconds", flush=True)
            if options.every == 1:
                known[title] = [*done.values(), seconds]
                rows = [[each, *known[each]] for each in titles if each in known]
                record("hostile", ["page", "states", "uses", "seconds"], rows)


if __name__ == "__main__":
    main()
