"""Text from outside is read in time that grows with its length, whatever it repeats.

What is repeated is made from the parsers themselves: from the tree of each regular expression in
the package, and from what a short file of each format consists of.
"""

import ast
import contextlib
import importlib
import math
import re
import string
import time
from functools import partial
from pathlib import Path
from re import _parser as sre

import pytest
import truebleu
from entry_points import Corpus, judged_folder
from hostile import run
from looping import later
from project import ROOT
from truebleu import Bleu, Chrf, Ter
from truebleu.conformance import functions
from truebleu.metrics import signatures

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

# The steepest growth, as a power of the length; a call is measured again only if it takes longer
# than so many seconds per character.
STEEPEST, USUAL = 1.3, 1e-6
LENGTHS = (24, 300, 4000, 50_000)

PACKAGE = Path(truebleu.__file__).parent
# Where the flags are among the arguments.
PARAMETER = dict.fromkeys(("match", "search", "fullmatch", "findall", "finditer"), 2)
PARAMETER |= {"compile": 1, "split": 3, "sub": 4, "subn": 4}
# What patterns are made of within functions, by the file: names and several values of each.
LOCAL = {
    "analysis/dialects/texts.py": {"pattern": [r"\w+|[^\w\s]"]},
    "cli/options.py": {"setting": [r"(\w+=(?:'[^']*'|True))"]},
    "cli/sets.py": {
        "parts": [["{set}", "/sys.", "*", ".txt"]],
        "wild": [{"*": "([^/]*)", "{set}": "news"}],
    },
    "conformance/functions.py": {"names": [*functions._NAMES]},
    "display/markup.py": {"turning": [["a", "b"]]},
    "metrics/signatures.py": {
        "self": [*signatures.readers().values()],
        "reader": [*signatures.readers().values()],
        "last": [*signatures._CONTINUATIONS],
        "pattern": [pattern for pattern, _ in signatures._LATEX],
    },
    "reporting/payload.py": {"characters": ["a-z"]},
    "test_sets/descriptions.py": {"digits": [64]},
}
# Those of the package's own sentences, which are found in the package's own sentences.
OWN = {"re.compile(re.sub(_PLACE, _group, escaped[text]), how)"}


def pattern_calls():
    """Yield each call of a function of `re` in the package: its file, module and node."""
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        tree = ast.parse(path.read_text("utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                of = node.func.value
                if isinstance(of, ast.Name) and of.id == "re" and node.func.attr in PARAMETER:
                    yield name, node


def patterns():
    """Return all regular expressions of the package, each with a method that is called."""
    texts = {path: path.read_text("utf-8") for path in PACKAGE.rglob("*.py")}
    used = {
        path: re.findall(rf"\b(\w+)(?:\[\w+\])?\.({'|'.join(PARAMETER)})\b", text)
        for path, text in texts.items()
    }
    found = {}
    for name, node in pattern_calls():
        if ast.unparse(node) in OWN:
            continue
        module = importlib.import_module("truebleu." + name[:-3].replace("/", "."))
        several = [vars(module)]
        for local, values in LOCAL.get(name, {}).items():
            if re.search(rf"\b{local}\b", ast.unparse(node.args[0])):
                several = [known | {local: value} for known in several for value in values]
        methods = {node.func.attr}
        if methods == {"compile"}:
            line = texts[PACKAGE / name].splitlines()[node.lineno - 1]
            target = re.match(r"\s*(?:self\.)?(\w+)\s*=", line)
            methods = {m for each, m in used[PACKAGE / name] if target and each == target[1]}
        flags = [each.value for each in node.keywords if each.arg == "flags"]
        flags += node.args[PARAMETER[node.func.attr] :][:1]
        for known in several:
            text = eval(ast.unparse(node.args[0]), dict(known))
            how = eval(ast.unparse(flags[0]), {"re": re} | known) if flags else 0
            text = text.decode() if isinstance(text, bytes) else text
            found |= {(text, how, method): name for method in methods or {"search"}}
    return found


# A literal of JavaScript, behind what no number to be divided ends with.
LITERAL = r"(?:[=(,:?!]|return)\s*/(?![/*\s])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+)/([a-z]*)"


def patterns_of_pages():
    """Return the regular expressions of all JavaScript, as Python writes them."""
    found = {}
    folders = PACKAGE, ROOT / "javascript", ROOT / "site" / "playground"
    for path in sorted(path for folder in folders for path in folder.rglob("*.js")):
        text = re.sub(r"(?m)^\s*//.*$", "", path.read_text("utf-8"))
        for source, flags in re.findall(LITERAL, text):
            written = re.sub(r"\\p\{[^}]*\}", r"\\w", source).replace(r"\P{L}", r"\W")
            how = re.DOTALL * ("s" in flags) | re.IGNORECASE * ("i" in flags)
            found[written, int(how), "findall"] = path.name
    assert len(found) > 20
    return found


CLASSES = {"DIGIT": r"\d", "SPACE": r"\s", "WORD": r"\w"}


def is_in(items, character):
    """Tell whether a class of characters has this one."""
    found = False
    for code, value in items:
        if code is sre.LITERAL:
            found |= chr(value) == character
        elif code is sre.RANGE:
            found |= value[0] <= ord(character) <= value[1]
        elif code is sre.CATEGORY:
            *_, kind = str(value).split("_")
            found |= bool(re.match(CLASSES[kind], character)) != ("NOT" in str(value))
    return found != (items[0][0] is sre.NEGATE)


def samples(tree, alphabet):
    """Return some texts that a part of a pattern matches, or nearly."""
    found = [""]
    for code, value in tree:
        if code is sre.LITERAL:
            several = [chr(value)]
        elif code in (sre.IN, sre.ANY, sre.NOT_LITERAL):
            several = [c for c in alphabet if code is not sre.IN or is_in(value, c)][:3]
        elif code is sre.BRANCH:
            several = [text for each in value[1] for text in samples(each, alphabet)]
        elif code is sre.SUBPATTERN:
            several = samples(value[-1], alphabet)
        elif code in REPEATS:
            several = samples(value[2], alphabet) + [""] * (value[0] == 0)
        else:
            continue
        found = [before + after for before in found for after in several or [""]][:12]
    return found


def repeats(tree, alphabet, before=("",)):
    """Yield each part of a pattern that can be repeated, with what may be before it."""
    for code, value in tree:
        if code in REPEATS and value[1] > 9:
            yield before[:2], samples(value[2], alphabet)
        inner = {sre.BRANCH: lambda v: v[1], sre.SUBPATTERN: lambda v: v[-1:]}
        inner |= dict.fromkeys(REPEATS, lambda v: v[2:])
        inner |= dict.fromkeys((sre.ASSERT, sre.ASSERT_NOT), lambda v: v[1:])
        for each in inner.get(code, lambda _: ())(value):
            yield from repeats(each, alphabet, before)
        before = [one + other for one in before for other in samples([(code, value)], alphabet)][:4]


REPEATS = {getattr(sre, f"{kind}_REPEAT", None) for kind in ("MAX", "MIN", "POSSESSIVE")}


def pumps(pattern, how, together=0):
    """Yield texts with a part that is repeated so many times: what is before, that, and an end."""
    tree = sre.parse(pattern, int(how))
    letters = {*pattern} - {"\\"}
    alphabet = [*sorted(letters - {*string.ascii_letters}), *"a1 _Z!\n", *sorted(letters)][:40]
    beginnings = {("", each) for each in alphabet}
    for before, several in repeats(tree, alphabet):
        for text in filter(None, several):
            beginnings |= {(start, text) for start in (*before, "")}
            beginnings |= {(start, text + alphabet[0]) for start in before}
    beginnings |= {("", one + other) for one in alphabet for other in alphabet[:together]}
    for start, text in sorted(beginnings):
        for end in ("", "\0"):
            yield start, text, end


def seconds(call, text, times=1):
    """Return the shortest processor time of several calls with a text; a page says its own."""
    taken = []
    for _ in range(times):
        start = time.process_time()
        said = call(text)
        taken.append(said if isinstance(said, float) else time.process_time() - start)
    return min(taken)


def least_growth(call, make, length, limit):
    """Return the least growth of three attempts, or 1 if the last one is quick."""
    # What doubles with each character may not be much longer.
    more = length + length // 6 if length < 100 else 2 * length
    growths = []
    for _ in range(3):
        short, long = (seconds(call, make(each), 5) for each in (length, more))
        ratio = max(long, 1e-9) / max(short, 1e-9)
        growths.append(math.log(ratio) / math.log(more / length))
    return min(growths) if short > limit else 1


def steepest(call, make, lengths, usual=USUAL, least=5e-5):
    """Return how time grows at the first length at which it is suspicious, as a power of it."""
    for length in lengths:
        limit = usual * length + least
        taken = seconds(call, make(length))
        if length < 100 and taken > 0.1:
            # Perhaps it doubles with each character.
            return math.inf
        if taken > limit:
            found = least_growth(call, make, length, limit)
            if found > STEEPEST and length >= 100:
                # On a busy machine, perhaps by chance. At four times the length, a square is steep.
                found = min(found, least_growth(call, make, 4 * length, limit))
            if found > STEEPEST:
                return found
    return 1


def repeated(start, text, end, length):
    return start + text * (length // len(text) + 1) + end


@pytest.mark.parametrize(("together", "lengths"), [(0, LENGTHS[:3]), later(12, LENGTHS)])
def test_regular_expressions(together, lengths):
    """Each pattern of the package, with what its own parts match, and characters in turn."""
    found = {}
    for (pattern, how, method), name in {**patterns(), **patterns_of_pages()}.items():
        compiled = re.compile(pattern, how)
        for pump in pumps(pattern, how, together):
            call = getattr(compiled, method)
            if method in ("sub", "subn"):
                call = partial(call, "x")
            elif method == "finditer":
                call = compiled.findall
            growth = steepest(call, partial(repeated, *pump), lengths)
            if growth > STEEPEST:
                found[name, pattern[:90], method] = pump, growth
                break
    assert found == {}


SIGNATURES = {
    Bleu: (
        "BLEU|nrefs:1|case:mixed|eff:no|tok:13a|version:2.6.0 = 27.3 60.1/3 (BP = 1 ratio = 1)",
        "BLEU+case.mixed+lang.en-de+numrefs.1+tok.13a+version.1.5.1.dev0+g12ab.d20240131 = 27.3",
        "(27.3 % sacreBLEU signature: [BLEU (`nrefs:1\\textbar{}subset:(a|b)$\\vert$#:1\\~`",
        '[{"name": "BLEU", "score": 27.3, "signature": "nrefs:1|tok:13a"}]\n',
    ),
    Chrf: ("chrF2++|#:1|c:mixed|e:yes|nc:6|nw:2|s:no|v:2.0.0 = 1 1", "chrF3.5 score: 1e+1"),
    Ter: ("TER|nrefs:1|case:lc|tok:tercom-nonorm-punct-noasian-uncased|version:1.4",),
}
SGML = '<refset setid="s"><doc docid="d"><p>\n<seg id="1">a &amp; b</seg>\n</p></doc></refset>\n'
XML = (
    '<dataset id="x"><doc id="d" origlang="en"><src lang="en"><p>\n<seg id="1">a</seg>\n'
    "</p></src></doc></dataset>\n"
)
DESCRIBED = "[sets.a]\nkind = '{}'\n[sets.a.pairs.en-de]\nsrc = 'text'\nref = 'text'\n"


def scored(suffix):
    """Return a reader of files of a suffix, as the command has it."""
    return suffix, lambda path: run(["score", str(path), "-r", str(path)])


def chosen(suffix):
    """Return a reader of n-best lists."""
    form = {".tsv": "tsv", ".txt": "moses", ".jsonl": "jsonl"}[suffix]
    return suffix, lambda path: run(["mbr", str(path), "--input-format", form])


def loaded(kind):
    """Return a reader of the files of a test set."""

    def read(path):
        (path.parent / "set.toml").write_text(DESCRIBED.format(kind).replace("text", path.name))
        truebleu.load_test_set(str(path.parent / "set.toml"), "en-de")

    return f".{kind}", read


def formats(folder):
    """Return what a file of each format has, and what reads it."""
    corpus = Corpus(["a b c d e"] * 3, ["a b c d f"] * 3, folder)
    judged = judged_folder(corpus)
    return {
        **{
            f"signature {number} of {kind.__name__}": (text, None, kind.from_signature)
            for kind, texts in SIGNATURES.items()
            for number, text in enumerate(texts)
        },
        "SGML": (SGML, *scored(".sgm")),
        "SGML of a test set": (SGML, *loaded("sgml")),
        "text of a test set": ("a b\tc\r\n", *loaded("text")),
        "XML": (XML, *scored(".xml")),
        "JSON lines": (
            '{"hypothesis": "a b", "reference": ["a\\u00e9", "b"]}\n',
            *scored(".jsonl"),
        ),
        "JSON": ('[{"hyp": "a b", "ref": ["a", {"text": "b"}], "n": 1.5}]\n', *scored(".json")),
        "tables": ('id,hyp,ref\n1,"a ""b""",c d\n', *scored(".csv")),
        "tables with tabs": ("id\thyp\tref\n1\ta b\tc d\n", *scored(".tsv")),
        "n-best lists of Moses": ("0 ||| a b ||| f= 0.1 ||| -1.5\n", *chosen(".txt")),
        "n-best lists with tabs": ("1\ta b\n", *chosen(".tsv")),
        "n-best lists": ('{"key": 1, "text": "a b", "weight": 0.5}\n', *chosen(".jsonl")),
        "segment scores": ("A\t0.5\nB\tNone\n", ".seg.score", truebleu.meta.read_segment_scores),
        "MQM": ((judged / "mqm.tsv").read_text(), ".tsv", truebleu.meta.read_mqm),
        "ESA": ((judged / "esa.csv").read_text(), ".csv", truebleu.meta.read_esa),
        "statistics": (Path(corpus.saved).read_text("utf-8"), ".jsonl", truebleu.read_stats),
        "TOML": (
            DESCRIBED.format("text"),
            ".toml",
            lambda p: truebleu.load_test_set(str(p), "en-de"),
        ),
    }


def places(text, together):
    """Yield a text with what it consists of, where that can be repeated."""
    parts = re.findall(r"\w+|\s|[^\w\s]", text)
    seen = set()
    for number, part in enumerate(parts):
        for pump in (
            part,
            "".join(parts[number : number + 2]),
            "".join(parts[number : number + 5]),
        )[: 1 + together]:
            if pump not in seen:
                seen.add(pump)
                start, end = "".join(parts[:number]), "".join(parts[number:])
                yield from ((start, pump, end), (start, pump, ""))[: 1 + together]


@pytest.mark.parametrize(("together", "lengths"), [(0, (96, 8000)), later(2, (96, 8000, 64_000))])
def test_formats(together, lengths, tmp_path, monkeypatch):
    """Every reader of a format, with what a short file of it consists of."""
    monkeypatch.chdir(tmp_path)
    found = {}
    for name, (text, suffix, read) in formats(tmp_path).items():
        path = tmp_path / f"file{suffix}"

        def call(content, path=path, read=read, suffix=suffix):
            if suffix:
                path.write_text(content, "utf-8", newline="")
            with contextlib.suppress(truebleu.TruebleuError, OSError):
                read(path if suffix else content)

        # Python's own parser takes long for a key of thousands of parts.
        for pump in places(text, 0 if name == "TOML" else together):
            growth = steepest(
                call, partial(repeated, *pump), lengths, 2e-6, 5e-3 if suffix else 1e-3
            )
            if growth > STEEPEST:
                found[name] = pump, growth
                break
    assert found == {}


# Going back to an address, or to a part of a page, and how many seconds that takes.
VISIT = """([event, text]) => {
  history.replaceState(null, "", text);
  const start = performance.now();
  dispatchEvent(new Event(event));
  return (performance.now() - start) / 1000 + 1e-9;
}"""
# What the parts of an address repeat: texts, lines, markup, what is escaped or is not, and parts.
PUMPS = ("a%20", "%0A", "%25", "&")
MORE_PUMPS = (*PUMPS, *"%=(\\-+0", "&{}=", "a.", "%26amp;", "a%0A", "%20", "%22", "%f0%9f%98%80")


@pytest.mark.parametrize(
    ("several", "lengths"), [(PUMPS, (4000,)), later(MORE_PUMPS, (4000, 40_000))]
)
def test_states_of_pages(several, lengths, tmp_path):
    """Every part of the state in the address of a report, and of a playground."""
    pytest.importorskip("playwright.sync_api")
    import browser  # noqa: F401 (skips, or fails, where there is none)

    from campaign import hostile

    found = {}
    with hostile.started() as chromium:
        for title, first, event, rest in (
            ("names.html", "?", "popstate", ""),
            ("playground.html", "#", "hashchange", "&hypothesis=a&references=b&second=&weights="),
        ):
            write, ready, keys = hostile.PAGES[title]
            write(tmp_path / title)
            page = chromium.new_page()
            page.goto((tmp_path / title).as_uri())
            page.wait_for_selector(ready)

            def call(text, page=page, event=event):
                return page.evaluate(VISIT, [event, text])

            for key in keys:
                for pump in several:
                    parts = (f"{first}{key}=", pump.format(key), rest)
                    growth = steepest(call, partial(repeated, *parts), lengths, 2e-6, 2e-2)
                    if growth > STEEPEST:
                        found[title, key, pump] = growth
    assert found == {}
