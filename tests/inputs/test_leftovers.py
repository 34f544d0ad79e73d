"""Text that is not the text of its author is said: each rule on and off, and where it is said."""

import ast
import json
import re
import subprocess
import sys
import textwrap
import unicodedata
import warnings

import kinds_of_text
import pytest
import truebleu
from looping import looped
from project import DATA, ROOT
from test_checks import caught
from truebleu import Bleu, _core, corpus_bleu, corpus_chrf, corpus_ter
from truebleu.cli import main
from truebleu.display.words import words_in
from truebleu.inputs import checks
from truebleu.inputs.leftovers import LEFTOVERS, ODD, PAGE

EXAMPLES = ROOT / "examples"
REFERENCE = (EXAMPLES / "reference-a.en").read_text("utf-8").splitlines()
SYSTEM = (EXAMPLES / "system-medium.en").read_text("utf-8").splitlines()
PAGE_OF_DOCS = (ROOT / "docs" / "text.md").read_text("utf-8")


def split(marker, *, spaces=True):
    """Return what splits long words, and marks where."""
    space = " " if spaces else ""
    before, after = (marker, space) if marker.endswith("@") else (space, marker)

    def change(text):
        words = (w if len(w) < 6 else f"{w[:3]}{before}{after}{w[3:]}" for w in text.split())
        return " ".join(words)

    return change


def wide(text):
    """Return the same in full width."""
    return "".join(chr(ord(c) + 0xFEE0) if c.isascii() and c.isalnum() else c for c in text)


# What each tool makes of a text, of one in how many, and by the name of the sign.
MADE = {
    "subword-nmt": (split("@@"), 1),
    "SentencePiece": (lambda text: "".join(f" ▁{word}" for word in text.split()), 1),
    "WordPiece": (split("##"), 1),
    "byte-level BPE": (lambda text: text.replace(" ", " Ġ"), 1),
    "morphs": (split("+"), 1),
    "special token": (lambda text: f"{text}<|im_end|>", 1),
    "unknown word": (lambda text: text.replace(" ", " <unk> ", 1), 12),
    "reasoning": (lambda text: f"<think>Let me see.</think> {text}", 1),
    "template": (lambda text: f"[INST] Translate. [/INST] {text}", 1),
    "code fence": (lambda text: f"```\n{text}\n```", 1),
    "list": (lambda text: repr([text]), 1),
    "dict": (lambda text: repr({"text": text}), 1),
    "bytes": (lambda text: repr(text.encode()), 1),
    "nan": (lambda text: "nan", 5),
    "null": (lambda text: "None", 5),
    "XML entity": (lambda text: text.replace("e", "&quot;e", 1), 1),
    "entity": (lambda text: text.replace(" ", "&nbsp;", 1), 1),
    "end of sentence": (lambda text: f"{text} _eos", 1),
    "n-best list": (lambda text: f"0 ||| {text} ||| -0.31", 1),
    "quotes": (lambda text: f'"{text}"', 1),
    "beginning": (lambda text: f"Translation: {text}", 1),
    "zero-width": (split("\u200b", spaces=False), 1),
    "soft hyphen": (split("\u00ad", spaces=False), 1),
    "direction": (lambda text: text.replace(" ", " \u200e"), 1),
    "full-width": (wide, 1),
    "line separator": (lambda text: text.replace(" ", "\u0085"), 1),
    "outer space": (lambda text: f" {text} ", 1),
    "carriage return": (lambda text: f"{text}\r", 1),
}

# No metric with its usual settings sees these: whitespace at the ends, or as any other.
HARMLESS = {"line separator", "outer space", "carriage return"}

# Some tokenizers decode these, and 13a is one.
DECODED = "XML entity"


def texts(sign, of, *, every=None):
    """Return texts of which one in `every` is as the tool makes it."""
    change, usual = MADE[sign]
    return [change(t) if n % (every or usual) == 0 else t for n, t in enumerate(of)]


def said(call):
    """Return what is said of the text."""
    return [each for each in caught(call)[0] if PAGE in each]


def scored(hypotheses, references=REFERENCE, **settings):
    """Return a score, without warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(corpus_bleu(hypotheses, references, **settings))


def test_every_sign_is_known():
    """What the core looks for has a meaning here, and a row in the tables above and on the page."""
    others = {"empty", "blank", "equal", "combining"}
    assert {*LEFTOVERS} | {*ODD} | others == {*_core.SIGNS}
    assert {*MADE} == {*LEFTOVERS} | {*ODD}
    assert not {*LEFTOVERS} & {*ODD}
    rows = re.findall(r"(?m)^\| ([\w -]+) \|", PAGE_OF_DOCS)
    assert {*rows} >= {*_core.SIGNS}
    for rule in [*LEFTOVERS.values(), *ODD.values()]:
        assert not rule.fix.endswith(".")


class TestEachSign:
    @pytest.mark.parametrize("sign", LEFTOVERS)
    def test_left_over(self, sign):
        """It is said of hypotheses, of references, and of both if no text has it by itself."""
        rule, metric = LEFTOVERS[sign], corpus_chrf if sign == DECODED else corpus_bleu
        one, other = texts(sign, SYSTEM), texts(sign, REFERENCE)
        [message] = said(lambda: metric(one, REFERENCE))
        assert message.startswith(f"hypotheses have {rule.what}: ")
        assert message.endswith(f"; the score is that of the text as it is; {rule.fix}; see {PAGE}")
        number, total, first = re.search(r"(\d+) of (\d+) segm.*in segment (\d+)", message).groups()
        marker = ast.literal_eval(re.search(r": (['\"].*['\"]) in \d", message)[1])
        with_it = [text for text in one if marker in text]
        assert int(total) == len(one)
        assert marker in one[int(first)]
        # Some are only counted if there are several in a text.
        if sign not in ("morphs", "byte-level BPE", "WordPiece"):
            assert (int(number), one[int(first)]) == (len(with_it), with_it[0])
        [message] = said(lambda: metric(SYSTEM, other))
        assert message.startswith(f"the references have {rule.what}")
        both = said(lambda: metric(one, other))
        if rule.one_side and sign not in ("beginning", "template", "dict"):
            assert both == []
        elif sign in ("beginning", "template", "dict"):
            # What ends with a colon is a label.
            assert "have the same beginning" in both[0]
        else:
            assert both[0].startswith(f"hypotheses and the references have {rule.what}")

    @pytest.mark.parametrize("sign", LEFTOVERS)
    def test_some_are_an_accident(self, sign):
        """One in forty says nothing, nor do two in three of what nearly all need."""
        for every in (40, 1.5) if LEFTOVERS[sign].share > 0.5 else (40,):
            change = MADE[sign][0]
            some = [change(text) if n % every < 1 else text for n, text in enumerate(SYSTEM)]
            assert said(lambda some=some: corpus_chrf(some, REFERENCE)) == []

    @pytest.mark.parametrize("sign", ODD)
    def test_odd(self, sign):
        """It is said if the score is another without it, with both scores; else nothing is."""
        one = texts(sign, SYSTEM)
        found = said(lambda: corpus_bleu(one, REFERENCE))
        score, right = (scored(each) for each in (one, SYSTEM))
        if sign in HARMLESS:
            assert found == []
            assert score == right
        else:
            [message] = found
            assert f"is {score:.2f}, and {right:.2f} without them; {ODD[sign].fix}" in message
        both = said(lambda: corpus_bleu(one, texts(sign, REFERENCE)))
        assert len(both) == (sign == "soft hyphen")

    @pytest.mark.parametrize(
        ("sign", "tokenizer"),
        [("line separator", "char"), ("outer space", str.split), ("carriage return", list)],
    )
    def test_what_a_tokenizer_sees(self, sign, tokenizer):
        """Whatever changes the score is said under the tokenizer that sees it."""
        one, bleu = texts(sign, SYSTEM), Bleu(tokenizer=tokenizer)
        found = said(lambda: bleu.corpus(one, REFERENCE))
        scores = [scored(each, tokenizer=tokenizer) for each in (one, SYSTEM)]
        changes = abs(scores[0] - scores[1]) >= 0.1
        assert len(found) == changes

    def test_decomposed(self):
        """Another normal form has the change of the score, too."""
        accented = [text.replace("e", "é") for text in REFERENCE]
        one = [unicodedata.normalize("NFD", text.replace("e", "é")) for text in SYSTEM]
        [message], _ = caught(lambda: corpus_bleu(one, accented))
        composed = [text.replace("e", "é") for text in SYSTEM]
        scores = [scored(each, accented) for each in (one, composed)]
        assert f": BLEU of 72 segments is {scores[0]:.2f}, and {scores[1]:.2f} in one; " in message

    def test_empty(self):
        """Outputs that are missing, blank lines, and one text for all."""
        some = ["" if number % 10 == 0 else text for number, text in enumerate(SYSTEM)]
        [message] = said(lambda: corpus_bleu(some, REFERENCE))
        assert message.startswith("hypotheses are empty in 8 of 72 segments, first in segment 0 ")
        blank = ["" if text == "" else REFERENCE[number] for number, text in enumerate(some)]
        [message] = said(lambda: corpus_bleu(some, blank))
        assert message.startswith("hypotheses and the references are both empty in 8 of 72")
        assert "only reference is empty" not in str(caught(lambda: corpus_bleu(some, blank))[0])
        indented = [[f"    {text}" if text else "" for text in each] for each in (some, blank)]
        assert said(lambda: corpus_bleu(*indented)) == []
        [message] = said(lambda: corpus_bleu([SYSTEM[0]] * 72, REFERENCE))
        assert message.startswith("hypotheses have the same text in all 72 segments")
        assert said(lambda: corpus_bleu([SYSTEM[0]] * 71 + [SYSTEM[1]], REFERENCE)) == []
        assert said(lambda: corpus_bleu(SYSTEM, [REFERENCE[0]] * 72)) == []

    @looped("tokenizer", _core.TOKENIZERS)
    def test_entities_that_a_tokenizer_decodes(self, tokenizer):
        """They are left-overs if they are other tokens than their characters."""
        tokens, others = (
            truebleu.tokenize(text, tokenizer=tokenizer) for text in ("a &amp; b", "a & b")
        )
        decodes = tokens == others
        assert (tokenizer in checks._DECODE_XML) == decodes
        one = texts("XML entity", SYSTEM)
        assert len(said(lambda: corpus_bleu(one, REFERENCE, tokenizer=tokenizer))) == (not decodes)

    @pytest.mark.parametrize("call", [corpus_bleu, corpus_chrf, corpus_ter])
    def test_what_is_never_said(self, call):
        """Letters and signs that are text: Maltese, plus signs, headings, patches and hashtags."""
        for text in (
            "Ġermanja u Ċipru huma pajjiżi",
            "Ġorġ u Ġużeppi",
            "C++ and A+ are fine",
            "# A heading ## too",
            "@@ -1,3 +1,4 @@ fn main()",
            "the ##news of today",
        ):
            some = [f"{text} {n}" if n % 2 else f"{n} {text}" for n in range(40)]
            assert said(lambda some=some: call(some, SYSTEM[:40])) == []

    def test_null_is_a_word(self):
        """Of German, also where one side is in lower case."""
        for one, other in (("null", "Null"), ("None", "none")):
            hypotheses = [one if n % 5 == 0 else text for n, text in enumerate(SYSTEM)]
            references = [other if n % 5 == 0 else text for n, text in enumerate(REFERENCE)]
            assert said(lambda h=hypotheses, r=references: corpus_bleu(h, r)) == []

    def test_one_space_of_bytes(self):
        """That of the first token is said, too."""
        [message] = said(lambda: corpus_bleu([f"Ġ{text}" for text in SYSTEM], REFERENCE))
        assert "byte-level BPE" in message

    def test_columns_on_both_sides(self):
        """As of alignments, which match where the source does."""
        one, other = ([f"{n} A ||| {t}" for n, t in enumerate(e)] for e in (SYSTEM, REFERENCE))
        [message] = said(lambda: corpus_bleu(one, other))
        assert message.startswith("hypotheses and the references have columns")


class TestNoAlarm:
    """Text that is right, however odd, is not warned of."""

    @pytest.mark.parametrize("name", kinds_of_text.KINDS)
    def test_kinds_of_text(self, name):
        hypotheses, references = (list(each) for each in kinds_of_text.corpus(name))
        for call in (corpus_bleu, corpus_chrf):
            assert said(lambda call=call: call(hypotheses, references)) == []

    def test_examples(self):
        for path in EXAMPLES.glob("system-*.en"):
            system = path.read_text("utf-8").splitlines()
            assert caught(lambda system=system: corpus_bleu(system, REFERENCE))[0] == []

    @pytest.mark.skipif(not DATA.is_dir(), reason=f"there is no {DATA}")
    def test_systems_of_wmt(self):
        """But of one, which has <unk> in 8.5% of its segments."""
        found = {}
        for path in sorted(DATA.glob("*/*/sys.*")):
            system, *references = (
                each.read_bytes().decode().removesuffix("\n").split("\n")
                for each in (path, *sorted(path.parent.glob("ref.*")))
            )
            tokenizer = {"zh": "zh", "ja": "char"}.get(path.parent.name[-2:], "13a")
            streams = list(map(list, zip(*references, strict=True)))
            for metric in (Bleu(tokenizer=tokenizer), truebleu.Chrf()):
                message = said(lambda m=metric, s=system, r=streams: m.corpus(s, r))
                if message:
                    found[path.name] = message
        assert list(found) == ["sys.Lan-Bridge.txt"]
        assert "'<unk>' in 165 of 1,930 segments (8.5%)" in str(found)


class TestMany:
    """A sample decides, and all are counted after a hit."""

    @pytest.mark.parametrize("segments", [600, 9_000, 40_000])
    @pytest.mark.parametrize("threads", [1, 3])
    def test_counts(self, segments, threads, tmp_path, capsys):
        """In lists and in files, of any size, as many as there are."""
        clean = [f"This is sentence {n} of a text that is long." for n in range(segments)]
        marked = [f"{text} </s>" if n % 12 == 5 else text for n, text in enumerate(clean)]
        counted = f"'</s>' in {sum('</s>' in text for text in marked):,} of {segments:,} segments"
        [message] = said(lambda: Bleu().corpus(marked, clean, threads=threads))
        assert counted in message
        assert "first in segment 5 (counted from 0)" in message
        for name, lines in (("sys", marked), ("ref", clean)):
            (tmp_path / name).write_text("\n".join(lines) + "\n")
        how = ["-r", str(tmp_path / "ref"), "--threads", str(threads)]
        assert main(["score", str(tmp_path / "sys"), *how]) == 0
        error = capsys.readouterr().err
        assert counted in error
        assert "first in line 6; " in error

    @pytest.mark.parametrize("label", ["Translation: ", ">>en<< ", "The assistant: "])
    def test_labels_in_files(self, label, tmp_path, capsys):
        """They are what the lines begin with."""
        (tmp_path / "sys").write_text("".join(f"{label}{text}\n" for text in SYSTEM))
        assert main(["score", str(tmp_path / "sys"), "-r", str(EXAMPLES / "reference-a.en")]) == 0
        assert f"has the same beginning: {label!r} in 72 of 72" in capsys.readouterr().err

    def test_every_second_line(self):
        """What stands in every second or fourth line is in the sample."""
        for every in (2, 4, 8):
            lines = ["" if n % every else f"{n} is a line." for n in range(2_048)]
            others = [f"{n} is the line." for n in range(2_048)]
            number = 2_048 - 2_048 // every
            [message] = said(lambda lines=lines, others=others: corpus_chrf(lines, others))
            assert f"empty in {number:,} of 2,048" in message


class TestWhere:
    """It is said once a call, and once a process of what is scored segment by segment."""

    MARKED = texts("special token", SYSTEM)

    def run(self, code):
        """Run code in a process of its own; return the warnings."""
        code = textwrap.dedent(code)
        setup = f"import warnings, truebleu\nwarnings.simplefilter('always')\nS={self.MARKED!r}\n"
        done = subprocess.run(
            [sys.executable, "-c", f"{setup}R={REFERENCE!r}\n{code}"],
            capture_output=True,
            text=True,
            check=True,
            encoding="utf-8",
        )
        return done.stderr.count(PAGE)

    @pytest.mark.parametrize(
        "code",
        [
            "for s, r in zip(S, R): truebleu.sentence_bleu(s, r)",
            "for s, r in zip(S, R): truebleu.sentence_chrf(s, [r, s])",
            "for _ in range(20): truebleu.Bleu().segments(S[:8], R[:8])",
            "a = truebleu.Accumulator()\nfor _ in range(20): a.add(S[:8], R[:8])",
            "for _ in range(20): truebleu.mbr(S[:8])",
            "import polars as pl, truebleu.engines.polars\n"
            "f = pl.DataFrame({'s': S[:8] * 9, 'r': R[:8] * 9})\n"
            "for _ in range(2): f.select(pl.col('s').truebleu.corpus_score('r'))",
            "import duckdb, truebleu.engines.duckdb as d\n"
            "c = duckdb.connect()\nd.register(c)\n"
            "c.execute('CREATE TABLE t AS SELECT unnest($1) s, unnest($2) r', [S[:8], R[:8]])\n"
            "for _ in range(4): c.sql('SELECT bleu_corpus_score(s, r) FROM t').fetchall()",
        ],
    )
    def test_once_a_process(self, code):
        assert self.run(code) == 1
        assert self.run(code.replace("S[:8]", "R[:8]").replace("zip(S, R)", "zip(R, R)")) == 0

    def test_the_score_is_the_same(self):
        """Also of the sentence that is left to Python because something is to be said of it."""
        code = """
            b = truebleu.Bleu()
            found = [float(b.segment(s, r)) for s, r in zip(S, R)]
            assert found == b.segments(S, R).tolist()
        """
        assert self.run(code) == 2

    def test_once_a_call(self):
        """By functions of one system and of several, each time that they are called."""
        systems = {"a": self.MARKED, "b": SYSTEM}
        for call in (
            lambda: corpus_bleu(self.MARKED, REFERENCE),
            lambda: Bleu().stats(self.MARKED, REFERENCE),
            lambda: truebleu.compare(systems, REFERENCE, n_resamples=None),
            lambda: truebleu.report(systems, REFERENCE, n_resamples=None),
            lambda: truebleu.audit(self.MARKED, REFERENCE),
            lambda: truebleu.explain(self.MARKED, REFERENCE),
        ):
            for _ in range(2):
                assert len(said(call)) == 1

    def test_audit_says_it_first(self, tmp_path, capsys):
        """Before the scores of tools, in every format, and not twice."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = truebleu.audit(self.MARKED, REFERENCE)
        assert str(found).startswith(
            "hypotheses have special tokens of a model: '<|im_end|>' in 72"
        )
        (tmp_path / "sys").write_text("\n".join(self.MARKED) + "\n")
        how = [str(tmp_path / "sys"), "-r", str(EXAMPLES / "reference-a.en")]
        assert main(["audit", *how]) == 0
        out, error = capsys.readouterr()
        assert out.startswith("hypotheses have special tokens")
        assert PAGE not in error
        assert main(["audit", *how, "-f", "json"]) == 0
        rows = json.loads(capsys.readouterr().out)
        assert all("<|im_end|>" in row["notes"][0] for row in rows)

    def test_notes_in_json(self, tmp_path, capsys):
        """Of the system that it is about."""
        for name, lines in (("one", self.MARKED), ("two", SYSTEM)):
            (tmp_path / name).write_text("\n".join(lines) + "\n")
        systems = [str(tmp_path / "one"), str(tmp_path / "two")]
        how = ["-r", str(EXAMPLES / "reference-a.en"), "-f", "json"]
        assert main(["score", *systems, *how]) == 0
        out, error = capsys.readouterr()
        one, two = json.loads(out)
        assert one["notes"][0].startswith("one has special tokens of a model: ")
        assert "notes" not in two
        assert f"warning: {one['notes'][0]}\n" in error
        assert main(["compare", *systems, *how]) == 0
        assert one["notes"][0] in json.loads(capsys.readouterr().out)["notes"]
        assert main(["score", *systems, *how, "--quiet"]) == 0
        assert "notes" not in json.loads(capsys.readouterr().out)[0]

    def test_report(self):
        """On the page, in both languages."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for language in ("en", "ko"):
                page = truebleu.report({"a": self.MARKED}, REFERENCE, language=language).to_html()
                assert "&lt;|im_end|&gt;" in page or "<|im_end|>" in page

    def test_the_same_output(self, tmp_path, capsys):
        """Of functions and commands; not of files that differ in the last line."""
        systems = {"a": SYSTEM, "b": [*SYSTEM[:-1], "Other."], "c": [*SYSTEM]}
        message = "a and c have the same output in every segment"
        call = lambda: truebleu.compare(systems, REFERENCE, n_resamples=None)  # noqa: E731
        assert [each for each in caught(call)[0] if "same output" in each] == [message]
        for name, lines in systems.items():
            (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n")
        paths = [str(tmp_path / f"{name}.txt") for name in systems]
        assert main(["score", *paths, "-r", str(EXAMPLES / "reference-a.en")]) == 0
        assert capsys.readouterr().err.count(message) == 1

    def test_some_are_the_source(self):
        """From one in twenty on, of texts that are no names."""
        source = [f"Das ist ein längerer Satz, und zwar Nummer {n}." for n in range(100)]
        for copied, number in ((4, 0), (5, 1), (99, 1)):
            system = source[:copied] + ["x"] * (100 - copied)
            call = lambda s=system: checks.check_source(s, source, "mine")  # noqa: E731
            found = said(call)
            assert len(found) == number
            assert all(f"mine equals the source in {copied} of 100" in each for each in found)

    def test_accelerated(self):
        """Under an original, once a process; its score stays."""
        code = """
            import sacrebleu
            before = sacrebleu.corpus_bleu(S, [R]).score
            with truebleu.accelerate("sacrebleu"):
                assert [sacrebleu.corpus_bleu(S, [R]).score for _ in range(3)] == [before] * 3
        """
        pytest.importorskip("sacrebleu")
        assert self.run(code) == 1


def test_the_page_has_the_scores():
    """The table of scores on the page is measured here."""
    rows = re.findall(r"(?m)^\| ([\w -]+) \|.*\| ([\d.]+) \| ([\d.]+) \|$", PAGE_OF_DOCS)
    shown = {name: (one, both) for name, one, both in rows if name in MADE}
    measured = {}
    for sign in MADE:
        one, other = texts(sign, SYSTEM), texts(sign, REFERENCE)
        scores = [scored(one, each) for each in (REFERENCE, other)]
        measured[sign] = tuple(f"{score:.2f}" for score in scores)
    assert shown == measured
    assert f"{scored(SYSTEM):.2f}" in PAGE_OF_DOCS


@looped("sign", [*MADE])
def test_korean(sign):
    """What a report shows of a system is in the table of Korean, with its parts."""
    rule, say = (LEFTOVERS | ODD)[sign], words_in("ko")
    assert {rule.what, rule.fix} <= say.table.keys()
    for given in ((texts(sign, SYSTEM), REFERENCE), (SYSTEM, texts(sign, REFERENCE))):
        systems = {"mine": given[0]}
        for text in said(lambda s=systems, r=given[1]: truebleu.compare(s, r, n_resamples=None)):
            korean = say.again(f"{text.replace('the references', 'The references')}.")
            assert say(rule.what) in korean
            assert say(rule.fix) in korean
            assert not re.search("segment|first in|score", korean.replace(say(rule.fix), ""))
