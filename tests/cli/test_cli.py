"""The command: what it prints, what it reads, how it ends."""

import bz2
import contextlib
import csv
import gzip
import html
import html.parser
import io
import json
import lzma
import os
import re
import signal
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path

import numpy as np
import pytest
import rich.cells
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st
from looping import looped
from project import GOLDEN, ROOT
from truebleu import Bleu, __version__, _core, compare, mbr
from truebleu.cli import output
from truebleu.cli.arguments import COMMANDS, VERSION, command_parser
from truebleu.cli.metric_words import metric_word
from truebleu.display import text
from truebleu.display.formats import FORMATS
from truebleu.inputs import files
from truebleu.metrics.registry import METRICS
from truebleu.significance.notes import named_as_options

EXAMPLES = ROOT / "examples"
SYSTEMS = ["system-strong.en", "system-medium.en", "system-weak.en"]
# What tells their files apart.
NAMES = [name.removesuffix(".en") for name in SYSTEMS]
STREAMS = ["reference-a.en", "reference-b.en"]
COLUMNS = ["system", "BLEU", "precisions", "BP", "ratio", "hyp_len", "ref_len"]

COMPRESSED = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": zstandard.compress,
}


def lines(name):
    return (EXAMPLES / name).read_text("utf-8").splitlines()


def library(name, *streams, **settings):
    """Score a file of the examples without the command."""
    return Bleu(**settings).corpus(lines(name), reference_streams=map(lines, streams or STREAMS))


def start(*arguments, **options):
    """Run the command in another process."""
    command = [sys.executable, "-m", "truebleu", *map(str, arguments)]
    return subprocess.Popen(command, **{"stderr": subprocess.PIPE, "cwd": EXAMPLES, **options})


def finish(process, stdin=None):
    """Wait for it; return its exit code, output and complaints."""
    with process:
        try:
            out, error = process.communicate(stdin, timeout=300)
        finally:
            process.kill()
    error = (error or b"").decode()
    assert "Traceback" not in error
    return process.returncode, (out or b"").decode(), error


class TestScore:
    """``truebleu score``: a row for each system."""

    def test_table(self, run):
        """The table for people is aligned and ends with the signature."""
        code, out, error = run("score", *SYSTEMS, "-r", *STREAMS)
        signature = library(SYSTEMS[0]).signature
        assert (code, error) == (0, "")
        assert out == (
            "system          BLEU           precisions     BP  ratio  hyp_len  ref_len\n"
            "system-strong  59.79  86.0/68.5/54.2/42.3  0.986  0.986     1357     1376\n"
            "system-medium  35.95  73.9/45.8/29.0/18.6  0.979  0.979     1339     1368\n"
            "system-weak    16.84   58.9/23.3/11.4/6.5  0.942  0.943     1283     1360\n"
            f"{signature}\n"
        )
        assert run("score", *SYSTEMS, "-r", *STREAMS, "--format", "text")[1] == out

    @pytest.mark.parametrize("systems", [SYSTEMS, SYSTEMS[2:]])
    @pytest.mark.parametrize("streams", [STREAMS, STREAMS[1:]])
    def test_json_is_what_the_library_says(self, run, systems, streams):
        """JSON has all that a score knows, and every digit of it, whatever the width."""
        code, out, _ = run("score", *systems, "-r", *streams, "--format", "json", "--width", 1)
        names = NAMES if len(systems) > 1 else systems
        expected = [
            {"system": name, **library(file, *streams).to_dict()}
            for name, file in zip(names, systems, strict=True)
        ]
        assert (code, json.loads(out)) == (0, expected)

    def test_latex(self, run):
        """LaTeX is a booktabs table, and a comment with the signature."""
        arguments = ["score", *SYSTEMS, "-r", *STREAMS, "--format", "latex"]
        out = run(*arguments)[1].split("\n")
        assert out[:2] == [r"\begin{tabular}{lrrrrrr}", r"\toprule"]
        assert out[2].endswith(r"hyp\_len & ref\_len \\")
        assert out[4].startswith("system-strong & 59.79 & 86.0/68.5/54.2/42.3 & 0.986 &")
        signature = library(SYSTEMS[0]).signature
        assert out[-3:] == [r"\end{tabular}", f"% {signature}", ""]

    def test_what_a_paper_says(self, run):
        """The sentence has the metrics, the signatures and the segments; the works are BibTeX."""
        given = ["score", *SYSTEMS, "-r", *STREAMS, "-m", "bleu", "ter", "--cite"]
        code, out, error = run(*given)
        assert (code, error) == (0, "")
        sentence, *entries = out.splitlines()
        signature = library(SYSTEMS[0]).signature
        assert sentence.startswith(f"We report BLEU and TER as computed by truebleu {__version__}")
        assert f"(signature: BLEU|{signature}; TER|nrefs:" in sentence
        assert sentence.endswith(f" on {len(lines(SYSTEMS[0]))} segments.")
        cited = [each for each in entries if each.startswith("@")]
        assert len(cited) == len({*cited}) == 3
        values = json.loads(run(*given, "-f", "json")[1])
        assert values["methods"] == sentence
        assert "\n".join(values["bibtex"]).split() == " ".join(entries).split()

    @looped("width", [0, 1, 8, 20])
    def test_width(self, run, width):
        """The width is the number of decimals."""
        out = run("score", SYSTEMS[0], "-r", *STREAMS, "--score-only", "--width", width)[1]
        assert out == f"{library(SYSTEMS[0]).score:.{width}f}\n"

    @looped(
        "options, settings",
        [
            ("--lowercase", {"lowercase": True}),
            ("--tokenizer none", {"tokenizer": "none"}),
            ("--max-order 2", {"max_order": 2}),
            ("--weights 0.5,0.3,0.2", {"weights": [0.5, 0.3, 0.2]}),
            ("--smoothing floor", {"smoothing": "floor"}),
            ("--smoothing=add-k --smooth-value=2", {"smoothing": "add-k", "smooth_value": 2}),
            ("-m bleu:effective_order", {"effective_order": True}),
            ("-m bleu:effective_order=no", {"effective_order": False}),
            ("-m bleu:reference_length=average", {"reference_length": "average"}),
            ("--threads 3", {}),
        ],
    )
    def test_settings(self, run, options, settings):
        """Every option is the setting of that name, for a corpus and for its segments."""
        expected = library(SYSTEMS[2], **settings)
        if settings not in ({}, {"effective_order": False}):
            assert expected.signature != library(SYSTEMS[2]).signature
        out = run("score", SYSTEMS[2], "-r", *STREAMS, "--format", "json", *options.split())[1]
        assert json.loads(out) == [{"system": SYSTEMS[2], **expected.to_dict()}]
        out = run("segments", SYSTEMS[2], "-r", *STREAMS, "--format", "jsonl", *options.split())[1]
        signatures = {json.loads(line)["signature"] for line in out.splitlines()}
        eff = "no" if settings.get("effective_order") is False else "yes"
        assert signatures == {expected.signature.replace("eff:no", f"eff:{eff}")}

    def test_a_zero_says_why(self, run, tmp_path):
        """Every format gives the reason of a 0."""
        (tmp_path / "sys").write_text("nothing in common here\n")
        (tmp_path / "ref").write_text("other words\n")
        reason = "No word of the hypotheses occurs in their references."
        for form in FORMATS:
            out = run("score", "sys", "-r", "ref", "--format", form, cwd=tmp_path)[1]
            assert out.count(reason) == 1, form

    def test_a_warning_is_one_line(self, run):
        """What the settings warn of goes to standard error, without a line of source."""
        code, out, error = run("score", SYSTEMS[0], "-r", *STREAMS, "--weights=1,1", "--score-only")
        assert (code, out) == (0, "58.08\n")
        assert error == (
            "truebleu: warning: weights (1.0, 1.0) add up to 2, not 1, so the score is not "
            "a weighted geometric mean\n"
        )


class TestSegments:
    """``truebleu segments``: a row for each line."""

    @pytest.mark.parametrize("settings", [{}, {"lowercase": True}, {"smoothing": "method5"}])
    def test_tsv_is_what_the_library_says(self, run, settings):
        """The numbers are those of ``Bleu.segments``, lines counted from 1."""
        options = [f"--{name.replace('_', '-')}={value}" for name, value in settings.items()]
        options = [option.removesuffix("=True") for option in options]
        code, out, _ = run("segments", SYSTEMS[2], "-r", *STREAMS, "--width", 6, *options)
        bleu = Bleu(**settings)
        pairs = zip(lines(SYSTEMS[2]), zip(*map(lines, STREAMS), strict=True), strict=True)
        scores = [bleu.segment(*pair) for pair in pairs]
        rows = [
            f"{number}\t{score.score:.6f}\t{score.reason or ''}"
            for number, score in enumerate(scores, 1)
        ]
        assert any(score.reason for score in scores)
        assert (code, out.splitlines()) == (0, ["segment\tbleu\treason", *rows])

    @pytest.mark.parametrize("name", ["bleu", "chrf", "ter"])
    def test_the_worst(self, run, name):
        """Rows are those of the whole, in another order: equal ones as in the files."""
        metric = METRICS[name]()
        arguments = ("segments", *SYSTEMS[1:3], "-r", *STREAMS, "-m", name, "--width", 6)
        rows = run(*arguments)[1].splitlines()[1:]
        streams = [lines(stream) for stream in STREAMS]
        scores = metric.segments(lines(SYSTEMS[1]), reference_streams=streams)
        sign = 1 if metric.higher_is_better else -1
        expected = [rows[row] for row in np.argsort(sign * scores, kind="stable")[:5]]
        assert run(*arguments, "--worst", 5)[1].splitlines()[1:] == expected
        found = json.loads(run(*arguments, "--worst", 5, "--format=json")[1])
        assert [str(each["segment"]) for each in found] == [row.split()[0] for row in expected]


class TestMetrics:
    """``-m``: any metrics, several in one run."""

    NAMES = tuple(METRICS)

    @pytest.mark.parametrize("name", NAMES)
    def test_one_metric(self, run, name):
        """One metric gives what the library says, with all that its scores know."""
        metric = METRICS[name]()
        expected = metric.corpus(lines(SYSTEMS[0]), reference_streams=map(lines, STREAMS))
        arguments = [SYSTEMS[0], "-r", *STREAMS, "-m", name]
        out = run("score", *arguments, "--format", "json")[1]
        assert json.loads(out) == [{"system": SYSTEMS[0], **expected.to_dict()}]
        header, row, *direction, signature = run("score", *arguments)[1].splitlines()
        assert direction == ([] if metric.higher_is_better else ["TER: lower is better"])
        assert header.split() == ["system", metric.name, *expected.details()]
        assert row.split() == [SYSTEMS[0], f"{expected.score:.2f}", *expected.details().values()]
        assert signature == expected.signature

    def test_columns_per_metric(self, run):
        """Each metric has a column, and each its signature, which can be read back."""
        out = run("score", *SYSTEMS, "-r", *STREAMS, "-m", *self.NAMES)[1].splitlines()
        metrics = [METRICS[name]() for name in self.NAMES]
        assert out[0].split() == ["system", *(metric.name for metric in metrics)]
        streams = list(map(lines, STREAMS))
        for row, name, file in zip(out[1:4], NAMES, SYSTEMS, strict=True):
            scores = [metric.corpus(lines(file), reference_streams=streams) for metric in metrics]
            assert row.split() == [name, *(f"{score.score:.2f}" for score in scores)]
        assert out[4] == "TER: lower is better"
        for signature, score in zip(out[5:], scores, strict=True):
            assert signature == f"{score.metric.name}|{score.signature}"
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                assert type(score.metric).from_signature(signature) == score.metric

    def test_one_reading(self, run, monkeypatch):
        """Files are read once, whatever the number of metrics."""
        whole = run("score", *SYSTEMS, "-r", *STREAMS, "-m", *self.NAMES)
        opened = []

        def open_all(paths):
            opened.extend(paths)
            return files.open_all(paths)

        monkeypatch.setattr("truebleu.intake.files.open_all", open_all)
        assert run("score", *SYSTEMS, "-r", *STREAMS, "-m", *self.NAMES) == whole
        assert opened == [*SYSTEMS, *STREAMS]

    def test_formats(self, run):
        """JSON nests scores by identifier; TSV has a row for each metric; the best is marked."""
        arguments = ["score", *SYSTEMS, "-r", *STREAMS, "-m", "ter", "bleu"]
        values = json.loads(run(*arguments, "--format", "json")[1])
        assert [list(value) for value in values] == [["system", "ter", "bleu"]] * 3
        assert values[0]["bleu"] == library(SYSTEMS[0]).to_dict()
        assert [json.loads(each) for each in run(*arguments, "--format=jsonl")[1].splitlines()] == (
            values
        )
        rows = list(csv.DictReader(io.StringIO(run(*arguments, "--format=tsv")[1]), delimiter="\t"))
        assert list(rows[0]) == ["system", "metric", "score", "reason", "signature"]
        assert [(row["system"], row["metric"], float(row["score"])) for row in rows] == [
            (value["system"], name, value[name.lower()]["score"])
            for value in values
            for name in ("TER", "BLEU")
        ]
        best = {
            "markdown": ["| **34.59** | **59.79** |"],
            "latex": [r"\textbf{34.59} & \textbf{59.79}"],
            "html": ["<b>34.59</b>", "<b>59.79</b>"],
        }
        for form, marks in best.items():
            out = run(*arguments, "--format", form)[1]
            assert all(out.count(mark) == 1 for mark in marks), form
            assert out.count("<b>") + out.count("**") // 2 + out.count("textbf{") == 2, form
        assert run(*arguments, "--score-only")[1].splitlines()[0] == "34.59\t59.79"

    def test_confidence(self, run):
        """Every metric has the intervals that it has alone."""
        arguments = ["score", SYSTEMS[0], "-r", *STREAMS, "--confidence"]
        together = json.loads(run(*arguments, "-m", "chrf", "ter", "--format=json")[1])[0]
        for name in ("chrf", "ter"):
            [alone] = json.loads(run(*arguments, "-m", name, "--format=json")[1])
            assert {"system": alone.pop("system")} == {"system": SYSTEMS[0]}
            assert together[METRICS[name]().identifier] == alone
            assert "|bs:10000|" in alone["signature"]
        header = run(*arguments, "-m", "chrf", "ter", "--format=tsv")[1].split("\n")[0]
        assert header == "system\tmetric\tscore\t95% CI\treason\tsignature"

    def test_tables(self, run):
        """Columns of tables are scored under several metrics, also in groups."""
        table = ["table.csv", "--hypothesis-column=mt", "--reference-column=ref_a"]
        out = run("score", *table, "--group-by=system", "-m", "bleu", "ter", "--format=json")[1]
        found = {value["system"]: value for value in json.loads(out)}
        for name in ("strong", "weak"):
            path = f"system-{name}.en"
            assert found[name]["bleu"] == library(path, STREAMS[0]).to_dict()
            ter = METRICS["ter"]().corpus(lines(path), lines(STREAMS[0]))
            assert found[name]["ter"] == ter.to_dict()
        whole = ["-m", "chrf++", "ter", "--confidence"]
        code, out, _ = run("score", *table, *whole, "--format=json")
        assert code == 0
        assert [*json.loads(out)[0]] == ["system", "chrf2_pp", "ter"]

    def test_dialects_are_of_bleu(self, run):
        """A dialect turns only BLEU's numbers."""
        arguments = ["score", SYSTEMS[0], "-r", STREAMS[0], "-m", "chrf", "bleu", "--dialect=nltk"]
        out = run(*arguments)[1]
        assert out.count("from 0 to 1") == 1
        chrf, bleu = run(*arguments, "--score-only")[1].split()
        assert float(chrf) > 1 > float(bleu) > 0

    def test_segments(self, run, tmp_path):
        """Each metric has a column of scores and one of reasons; in JSON, each its values."""
        names = ["ter", "bleu", "chrf++"]
        metrics = [METRICS[name]() for name in names]
        texts = ["a b c d", "", "x", "", "b a"]
        refs = ["a b c d", "", "", "y", "c d"]
        (tmp_path / "sys").write_text("".join(f"{text}\n" for text in texts))
        (tmp_path / "ref").write_text("".join(f"{text}\n" for text in refs))
        out = run("segments", "sys", "-r", "ref", "-m", *names, "-w", "2", cwd=tmp_path)[1]
        scores = [
            [metric.segment(*pair) for metric in metrics] for pair in zip(texts, refs, strict=True)
        ]
        columns = [metric.identifier for metric in metrics]
        expected = [["segment", *columns, *(f"{name}_reason" for name in columns)]]
        expected += [
            [str(n), *(f"{s.score:.2f}" for s in each), *(s.reason or "" for s in each)]
            for n, each in enumerate(scores, 1)
        ]
        assert [line.split("\t") for line in out.split("\n")[:-1]] == expected
        # Undefined: the references of the second segment, and of the third.
        assert [bool(each[0].reason) for each in scores] == [False, True, True, False, False]
        assert [each[0].score for each in scores[1:3]] == [0, 100]
        out = run("segments", "sys", "-r", "ref", "-m", *names, "--format=jsonl", cwd=tmp_path)[1]
        for number, line, each in zip(range(1, 6), out.splitlines(), scores, strict=True):
            values = {s.metric.identifier: s.to_dict() for s in each}
            assert json.loads(line) == {"segment": number, **values}

    def test_tiny_scores_have_reasons(self, run, tmp_path):
        """With smoothing, a score that stands for 0 is not 0, and says why all the same."""
        (tmp_path / "sys").write_text("abc\n")
        (tmp_path / "ref").write_text("xyz\n")
        arguments = ["-m", "chrf:eps_smoothing"]
        out = run("segments", "sys", "-r", "ref", *arguments, cwd=tmp_path)[1]
        assert out.endswith(
            "\tNo character or word of the hypotheses occurs in their references.\n"
        )

    @looped("name", METRICS)
    def test_every_setting_can_be_given(self, name):
        """Whatever the library can set of a metric stands behind its name."""
        for setting, default in METRICS[name]().settings().items():
            if (name, setting) != ("chrf++", "word_order") and not isinstance(default, tuple):
                given = "NFC" if setting == "unicode_form" else 1 if default is None else default
                value = "yes" if setting == "effective_order" else given
                assert metric_word(f"{name}:{setting}={value}").settings.keys() == {setting}

    def test_compare(self, run):
        """The library's comparison under each metric, and where they disagree."""
        arguments = ["compare", *SYSTEMS, "-r", *STREAMS, "-m", "ter", "bleu"]
        with named_as_options():
            expected = compare(
                {name: lines(file) for name, file in zip(NAMES, SYSTEMS, strict=True)},
                reference_streams=list(map(lines, STREAMS)),
                metrics=["ter", "bleu"],
            )
        assert run(*arguments)[1] == f"{expected}\n"
        assert json.loads(run(*arguments, "--format=json")[1]) == expected.to_dict()
        tables = run(*arguments, "--format=tsv")[1].split("\n\n")
        assert [table.split("\n")[1].split("\t")[0] for table in tables] == [
            NAMES[0],
            *("TER", "TER", "BLEU", "BLEU"),
        ]
        for form in FORMATS:
            assert run(*arguments, "--format", form)[0] == 0

    def test_warnings_once(self, run, tmp_path):
        """What is true whatever the metric is said once."""
        (tmp_path / "sys").write_text("a b\n" * 12)
        error = run("score", "sys", "-r", "sys.gz", "-m", *self.NAMES, cwd=tmp_path)[2]
        assert "sys.gz" in error
        (tmp_path / "ref").write_text("a b\n" * 12)
        code, _, error = run("score", "sys", "-r", "ref", "-m", *self.NAMES, cwd=tmp_path)
        assert (code, error.count("equals a reference in all 12 segments")) == (0, 1)

    @pytest.mark.parametrize("name", NAMES)
    def test_mbr(self, run, name):
        """The choice is the library's, whichever direction is better."""
        samples = ["the cat sat on a mat", "the cat sat on the mat", "a dog", "the cat"]
        stdin = "".join(f"0\t{sample}\n" for sample in samples).encode()
        arguments = ["mbr", "--input-format=tsv", "--format=jsonl", "--metric", name]
        code, out, _ = run(*arguments, stdin=stdin)
        assert (code, json.loads(out)) == (0, {"key": "0", **mbr(samples, metric=name).to_dict()})
        best = max if METRICS[name]().higher_is_better else min
        found = json.loads(out)
        assert found["score"] == best(found["scores"]) == found["scores"][found["index"]]


class TestTokenize:
    """``truebleu tokenize``: what is compared."""

    @pytest.mark.parametrize("name", _core.TOKENIZERS)
    @looped("options", [[], ["--lowercase"]])
    def test_tokens_of_every_line(self, run, name, options):
        """One line for each line, and scoring it with ``none`` changes nothing."""
        files_ = [SYSTEMS[2], STREAMS[0]]
        code, out, _ = run("tokenize", *files_, "--tokenizer", name, *options)
        texts = lines(files_[0]) + lines(files_[1])
        assert code == 0
        assert out.count("\n") == len(texts)
        lower = bool(options)
        score = Bleu(tokenizer=name, lowercase=lower).corpus(texts, texts[::-1])
        split = out.split("\n")[:-1]
        again = Bleu(tokenizer="none").corpus(split, split[::-1])
        assert (again.counts, again.totals) == (score.counts, score.totals)
        assert (again.hyp_len, again.ref_len) == (score.hyp_len, score.ref_len)

    def test_example(self, run):
        """Punctuation is split off; standard input is the default."""
        code, out, _ = run("tokenize", stdin="It's 3,5 %, isn't it?\n\n – Ja.".encode())
        assert (code, out) == (0, "It's 3,5 % , isn't it ?\n\n– Ja .\n")
        assert run("tokenize", "-", "--lowercase", stdin="ÄB.".encode())[1] == "äb .\n"


class TestReading:
    """A file is its lines, however it is stored."""

    SEGMENTS = ("ein Haus am See .", "", " drei  Wörter hier", "日本 の 秋 は 長い", "", "a")

    def write(self, path, content):
        path.write_bytes(content)
        return path.name

    @pytest.fixture
    def expected(self, run, tmp_path):
        """Score the segments stored plainly."""
        self.write(tmp_path / "plain", "".join(f"{s}\n" for s in self.SEGMENTS).encode())
        (tmp_path / "ref").write_text("".join(f"{s} b\n" for s in self.SEGMENTS), "utf-8")
        result = run("segments", "plain", "-r", "ref", "--format", "jsonl", cwd=tmp_path)
        assert result[1].count("\n") == len(self.SEGMENTS)
        assert json.loads(result[1].splitlines()[0])["score"] > 50
        return result

    @settings(deadline=None)
    @given(
        pieces=st.lists(st.sampled_from(["a", "é", "語", "🚂", "\n", "\r", "\r\n", " ", "\u2028"])),
        mark=st.sampled_from(["", "\ufeff"]),
        block=st.integers(1, 9),
    )
    def test_mixed_ends_of_lines(self, tmp_path_factory, pieces, mark, block):
        """However ends of lines are mixed and wherever blocks are cut, lines are the same."""
        content = "".join(pieces)
        parts = re.split("\r\n|\r|\n", content)
        path = tmp_path_factory.mktemp("mixed") / "file"
        path.write_bytes((mark + content).encode())
        found = []
        with files.LineFile(str(path), block) as file:
            while count := file.fill():
                found += file.lines.texts(count)
                file.lines.drop_front(count)
        assert found == (parts if parts[-1] else parts[:-1])

    @pytest.mark.parametrize("suffix", [*COMPRESSED, "GZ", "Zst"])
    @looped("parts", [1, 2])
    def test_compressed(self, run, tmp_path, expected, suffix, parts):
        """Compressed files are read as they are, also in several parts one after the other."""
        content = (tmp_path / "plain").read_bytes()
        compress = COMPRESSED[suffix.lower()]
        cut = len(content) // 2 if parts == 2 else 0
        self.write(tmp_path / f"sys.{suffix}", compress(content[:cut]) + compress(content[cut:]))
        assert (
            run("segments", f"sys.{suffix}", "-r", "ref", "--format", "jsonl", cwd=tmp_path)
            == expected
        )

    @pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
    def test_standard_input(self, run, tmp_path, expected, mark):
        """``-`` is standard input, for a system as for a reference."""
        content = mark + (tmp_path / "plain").read_bytes()
        given = run("segments", "-", "-r", "ref", "--format", "jsonl", stdin=content, cwd=tmp_path)
        assert given == expected
        reference = (tmp_path / "ref").read_bytes()
        given = run(
            "segments", "plain", "-r", "-", "--format", "jsonl", stdin=reference, cwd=tmp_path
        )
        assert given == expected
        out = run("score", "-", "-r", "ref", "--format", "tsv", stdin=content, cwd=tmp_path)[1]
        assert out.splitlines()[1].startswith("standard input\t")

    def test_large_files(self, run, tmp_path):
        """Files of many blocks come to the same sums, and lines longer than a block too."""
        for name in (*SYSTEMS, *STREAMS):
            self.write(tmp_path / name, (EXAMPLES / name).read_bytes() * 700)
        code, out, _ = run("score", *SYSTEMS, "-r", *STREAMS, "--format", "json", cwd=tmp_path)
        assert (tmp_path / SYSTEMS[0]).stat().st_size > 2 * files.BLOCK
        assert code == 0
        for name, score in zip(SYSTEMS, json.loads(out), strict=True):
            assert score["score"] == library(name).score
            assert score["hyp_len"] == 700 * library(name).hyp_len
        arguments = ["-r", *STREAMS, "-m", "ter", "bleu"]
        [header, *once] = run("segments", SYSTEMS[2], *arguments)[1].splitlines()
        rows = run("segments", SYSTEMS[2], *arguments, cwd=tmp_path)[1].splitlines()
        parts = [row.partition("\t")[2] for row in once] * 700
        assert rows == [header, *(f"{n}\t{part}" for n, part in enumerate(parts, 1))]
        self.write(tmp_path / "long", b"word " * files.BLOCK)
        _, out, _ = run("score", "long", "-r", "long", "--format", "json", cwd=tmp_path)
        assert json.loads(out)[0]["hyp_len"] == files.BLOCK


class TestBadInput:
    """Bad input ends with code 2 and one line that says what, where, and what instead."""

    def complaint(self, run, tmp_path, *arguments, stdin=None):
        code, out, error = run(*arguments, stdin=stdin, cwd=tmp_path)
        assert (code, out) == (2, "")
        assert error.startswith("truebleu: ")
        assert error.endswith("\n")
        assert error.count("\n") == 1
        return error.removeprefix("truebleu: ").removesuffix("\n")

    @pytest.mark.parametrize("command", ["score", "segments"])
    def test_different_lengths(self, run, tmp_path, command):
        """Both counts, both names, and the line that is alone."""
        (tmp_path / "sys").write_text("a\n" * 2036)
        (tmp_path / "ref").write_text("a\n" * 2037)
        expected = "{} has 2,036 lines but {} has 2,037: line 2,037 of {} has no matching line"
        code, _, error = run(command, "sys", "-r", "ref", cwd=tmp_path)
        assert (code, error) == (2, f"truebleu: {expected.format('sys', 'ref', 'ref')}\n")
        code, _, error = run(command, "ref", "-r", "sys", cwd=tmp_path)
        assert (code, error) == (2, f"truebleu: {expected.format('sys', 'ref', 'ref')}\n")
        code, _, error = run(command, "-", "-r", "sys", "sys", stdin=b"", cwd=tmp_path)
        assert code == 2
        assert "standard input has 0 lines but sys has 2,036: line 1 of sys has no" in error

    def test_of_several_files_the_odd_one_is_named(self, run, tmp_path):
        """However many files there are, the shortest and the longest are named."""
        for name, count in (("s1", 3), ("s2", 3), ("r1", 3), ("r2", 5)):
            (tmp_path / name).write_text("a\n" * count)
        error = self.complaint(run, tmp_path, "score", "s1", "s2", "-r", "r1", "r2")
        assert error == "s1 has 3 lines but r2 has 5: line 4 of r2 has no matching line"

    def test_not_utf8_elsewhere(self, run, tmp_path):
        """Standard input has no name of its own; the other commands say the same."""
        (tmp_path / "bad").write_bytes(b"\xff")
        said = "line 1, byte 1: not UTF-8; convert the file, for example with iconv"
        error = self.complaint(run, tmp_path, "score", "-", "-r", "bad", stdin=b"\xff")
        assert error == f"standard input, {said}"
        for command in (["segments", "bad", "-r", "bad"], ["tokenize", "bad"]):
            assert self.complaint(run, tmp_path, *command) == f"bad, {said}"


@pytest.mark.skipif(sys.platform == "win32", reason="pipes and terminals are POSIX's")
class TestProcess:
    """What only a process of its own can show."""

    SCORE = ("score", *SYSTEMS, "-r", *STREAMS)

    @pytest.mark.parametrize("format_", FORMATS)
    def test_a_pipe_that_is_closed_is_no_error(self, format_):
        """``truebleu score ... | true`` ends silently."""
        reader, writer = os.pipe()
        os.close(reader)
        process = start(*self.SCORE, "--format", format_, stdout=writer)
        os.close(writer)
        assert finish(process) == (0, "", "")

    @pytest.mark.parametrize("command", [("segments", "-r", "big"), ("tokenize",)])
    def test_head(self, tmp_path, command):
        """``... | head -n 1`` gets its line, and the rest ends silently."""
        (tmp_path / "big").write_text("a b c d e f\n" * 300_000)
        name, *options = command
        process = start(name, "big", *options, stdout=subprocess.PIPE, cwd=tmp_path)
        assert process.stdout.readline() in {b"segment\tbleu\treason\n", b"a b c d e f\n"}
        process.stdout.close()
        process.stdout = None
        assert finish(process) == (0, "", "")

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
    @pytest.mark.parametrize("command", [SCORE, ("tokenize", *SYSTEMS)])
    def test_a_full_disk_is_an_error(self, command):
        """What could not be written is not passed off as done."""
        with open("/dev/full", "wb") as full:
            code, _, error = finish(start(*command, stdout=full))
        assert (code, error) == (2, "truebleu: standard output: No space left on device\n")

    @pytest.mark.parametrize(
        ("closed", "said"),
        [(0, "standard input is closed"), (1, "standard output is closed"), (2, None)],
    )
    def test_closed_streams(self, closed, said):
        """A process may start without standard streams; it says so if it needs one."""
        arguments = ["score", "-", "-r", STREAMS[0], "--score-only"]
        process = start(
            *arguments,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            preexec_fn=lambda: os.close(closed),  # Nothing else runs here.
        )
        expected = "" if said is None else f"truebleu: {said}\n"
        assert finish(process) == (2, "", expected)

    def test_ctrl_c(self):
        """Ctrl-C ends it with the code that shells expect, and without a word."""
        process = start("score", "-", "-r", STREAMS[0], stdin=subprocess.PIPE, bufsize=0)
        # More than a pipe holds: once this is written, the command has begun to read.
        process.stdin.write(b"a b c d\n" * 100_000)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        assert process.wait(300) == 130
        process.stdin.close()
        process.stdin = None
        assert finish(process) == (130, "", "")

    # The core reads what is a file on a disk; for the last, it takes the pipe for one.
    @pytest.mark.skipif(not Path("/dev/fd").exists(), reason="there is no /dev/fd")
    @pytest.mark.parametrize(
        ("name", "is_plain"), [("-", False), ("/dev/fd/0", False), ("/dev/fd/0", True)]
    )
    def test_ctrl_c_in_an_endless_line(self, name, is_plain):
        """Ctrl-C does not wait for the end of a line."""
        script = (
            "import sys; from truebleu import cli; from truebleu.inputs import files\n"
            f"if {is_plain}: files._is_plain = lambda path: True\n"
            f"sys.exit(cli.main(['score', {name!r}, '-r', {STREAMS[0]!r}]))"
        )
        reader, writer = os.pipe()
        command = [sys.executable, "-c", script]
        process = subprocess.Popen(command, stdin=reader, stderr=subprocess.PIPE, cwd=EXAMPLES)
        os.close(reader)
        with open(writer, "wb", buffering=0) as pipe, contextlib.suppress(BrokenPipeError):
            # 20 MB in 2 s, unless the process ends. A pipe holds less than a hundredth of it.
            for number in range(1000):
                pipe.write(b"word " * 4000)
                time.sleep(0.002)
                if number == 200:
                    process.send_signal(signal.SIGINT)
        assert finish(process) == (130, "", "")
        assert number < 999, "it read all"

    def test_any_encoding(self, tmp_path):
        """Names and tokens are written as UTF-8 whatever the locale; nothing is lost."""
        name = b"caf\xe9.txt".decode("utf-8", "surrogateescape")
        (tmp_path / name).write_text("Wörter\n", "utf-8")
        (tmp_path / "Übung").write_text("Wörter\n", "utf-8")
        for encoding in ("ascii:strict", "latin-1", "utf-8"):
            environment = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
            options = {"stdout": subprocess.PIPE, "cwd": tmp_path, "env": environment}
            command = ("score", name, "Übung", "-r", "Übung", "--format", "json")
            code, out, error = finish(start(*command, **options))
            assert (code, error) == (0, "")
            assert [score["system"] for score in json.loads(out)] == [name, "Übung"]
            assert finish(start("tokenize", "Übung", **options)) == (0, "Wörter\n", "")
            code, _, error = finish(start("score", f"{name}?", "-r", "Übung", **options))
            assert (code, error.count("No such file or directory\n")) == (2, 1)


def on_a_terminal(*arguments, cwd, stream="stdout", code=None, **environment):
    """Run the command with one stream on a terminal; return what that shows, and the rest."""
    import pty  # There is none on Windows.

    own, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120", "NO_COLOR": "", **environment}
    command = [sys.executable, *(["-c", code] if code else ["-m", "truebleu"]), *arguments]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, stream: theirs}
    shown = []

    def read():
        # On Linux the end is an error; elsewhere it is empty.
        try:
            while block := os.read(own, 1 << 16):
                shown.append(block)
        except OSError:
            pass

    reader = threading.Thread(target=read)
    with subprocess.Popen(command, cwd=cwd, env=environment, **streams) as process:
        os.close(theirs)
        reader.start()
        out, error = process.communicate(timeout=300)
    reader.join(300)
    os.close(own)
    assert process.returncode == 0
    return b"".join(shown).decode().replace("\r\n", "\n"), (out or b"") + (error or b"")


@pytest.mark.skipif(sys.platform == "win32", reason="pty is POSIX's")
class TestTerminal:
    """A terminal gets more to look at, and a pipe gets only what is asked for."""

    def test_a_terminal_gets_colors(self, run):
        """The best system is bold; without that, it is what a pipe gets."""
        arguments = ["score", *SYSTEMS, "-r", *STREAMS]
        plain = run(*arguments)[1]
        best = plain.splitlines()[1]
        shown, rest = on_a_terminal(*arguments, cwd=EXAMPLES)
        assert (shown, rest) == (plain.replace(best, f"\x1b[1m{best}\x1b[0m"), b"")
        for unwanted in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            assert on_a_terminal(*arguments, cwd=EXAMPLES, **unwanted)[0] == plain

    @looped("format_", [name for name in FORMATS if name != "text"])
    def test_other_formats_do_not_change(self, run, format_):
        """JSON is JSON, on a terminal too."""
        arguments = ["score", *SYSTEMS, "-r", *STREAMS, "--format", format_]
        assert on_a_terminal(*arguments, cwd=EXAMPLES)[0] == run(*arguments)[1]

    def test_progress_stays_on_the_terminal(self):
        """Work that takes long shows how far it is, on standard error only."""
        code = (
            "import sys\n"
            "from truebleu.cli import main, output\n"
            "output._PATIENCE = 0\n"
            "sys.exit(main())\n"
        )
        arguments = ["score", SYSTEMS[0], "-r", *STREAMS, "--score-only"]
        shown, rest = on_a_terminal(*arguments, cwd=EXAMPLES, stream="stderr", code=code)
        assert re.fullmatch(r"(scoring [\d,%]+\x1b\[K\r)+\x1b\[K", shown)
        assert rest == b"59.79\n"

    def test_no_progress_without_a_terminal(self, run, monkeypatch):
        """A log file is not for drawing into."""
        monkeypatch.setattr(output, "_PATIENCE", 0)
        assert run("score", SYSTEMS[0], "-r", *STREAMS, "--score-only") == (0, "59.79\n", "")


def unescaped(cell):
    """Return what LaTeX shows for a cell."""
    for command, c in {
        r"\textbackslash{}": "\\",
        r"\textasciitilde{}": "~",
        r"\textasciicircum{}": "^",
        r"\textbar\allowbreak{}": "|",
        r"\textless{}": "<",
        r"\textgreater{}": ">",
        "-{}-": "--",
    }.items():
        cell = cell.replace(command, c)
    cell = re.sub(r"\\truebleucjk{\w+}{(\w+)}", r"\1", cell.removeprefix("{}"))
    return re.sub(r"\\([&%$#_{}])", r"\1", cell)


# How to read the first name back out of each format.
NAME_FROM = {
    "text": lambda out: out.split("\n")[1].split("  ")[0],
    "json": lambda out: json.loads(out)[0]["system"],
    "jsonl": lambda out: json.loads(out)["system"],
    "tsv": lambda out: out.split("\n")[1].split("\t")[0],
    "csv": lambda out: list(csv.reader(io.StringIO(out)))[1][0],
    "markdown": lambda out: re.sub(r"\\(.)", r"\1", out.split("\n")[2][2:].split(" | ")[0]),
    "latex": lambda out: unescaped(re.search(r"\\midrule\n(.*?) & ", out)[1]),
    "html": lambda out: html.unescape(re.search("<td>(.*?)</td>", out)[1]),
}


class TestNames:
    """A file is called what it is called."""

    NAME = "[red]x|&.txt"
    OTHERS = ("[/]", "a_b*c*`d`", "50%#$^~{}\\", "[link=x]y", ":smile:.txt", "ü 日本")

    def test_every_format_is_tested(self):
        """A new format has to say how it writes names."""
        assert NAME_FROM.keys() == FORMATS.keys()

    @pytest.mark.skipif(sys.platform == "win32", reason="Windows allows no such names")
    @pytest.mark.parametrize("format_", FORMATS)
    @looped("name", [NAME, *OTHERS])
    def test_markup_is_no_markup(self, run, tmp_path, format_, name):
        """What the format takes for markup is escaped, and nothing else happens to it."""
        folder, _, name = name.rpartition("/")
        assert not folder or (tmp_path / folder).mkdir() is None
        path = f"{folder}/{name}" if folder else name
        (tmp_path / path).write_text("a b c d\n")
        code, out, _ = run("score", path, "-r", path, "--format", format_, cwd=tmp_path)
        assert (code, NAME_FROM[format_](out)) == (0, name)


class Tags(html.parser.HTMLParser):
    """Reads HTML, and fails if a tag is not closed in its turn."""

    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attributes):
        if tag != "hr":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def read_tsv(out):
    """Fail if the rows of a table have different numbers of cells."""
    for table in out.split("\n\n"):
        assert len({line.count("\t") for line in table.splitlines()}) == 1


def read_csv(out):
    """Fail if the rows of a table have different numbers of cells."""
    for table in out.split("\n\n"):
        assert len(set(map(len, csv.reader(io.StringIO(table))))) == 1


def read_markdown(out):
    """Fail if the rows of a table have different numbers of cells."""
    for table in re.findall(r"(?m)(?:^\|.*\n)+", out):
        assert len({len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()}) == 1


def read_latex(out):
    """Fail if an environment does not end, or rows have another number of cells than columns."""
    begun, ended = (re.findall(rf"\\{word}{{(\w+)}}", out) for word in ("begin", "end"))
    assert sorted(begun) == sorted(ended)
    for columns, body in re.findall(r"(?s)\\begin{tabular}{([lr]+)}(.*?)\\end{tabular}", out):
        found = {len(re.findall(r"(?<!\\)&", row)) for row in body.split(r" \\")[:-1]}
        assert found == {len(columns) - 1}


def read_html(out):
    """Fail if a tag is not closed."""
    reader = Tags()
    reader.feed(out)
    assert reader.open == []
    assert out.startswith('<div class="truebleu">')


# What reads the output in each format, and fails if it is of another one.
READERS = {
    "text": str,
    "json": json.loads,
    "jsonl": lambda out: list(map(json.loads, out.splitlines())),
    "tsv": read_tsv,
    "csv": read_csv,
    "markdown": read_markdown,
    "latex": read_latex,
    "html": read_html,
}


def options_of(command):
    """Return the options of a command, by their long names."""
    actions = command_parser(command).parameters
    return {action.option_strings[-1]: action for action in actions if action.option_strings}


# What each command that has formats is run with.
WITH_FORMATS = {
    "score": [[], ["--confidence"], ["--dialect", "nltk"]],
    "merge": [[]],
    "segments": [[]],
    "compare": [[], ["--baseline", SYSTEMS[1]]],
    "explain": [[], ["--segment", "2"], ["-m", "chrf"], ["-m", "ter", "--segment", "2"]],
    "audit": [
        [],
        ["--explain", "nltk", "sacrebleu"],
        ["--target", "20.0", "--max-seconds", "1e-9"],
    ],
    "tokenize": [[]],
    "mbr": [["--input-format", "tsv"]],
    "meta": [
        ["--measures", "acc", "--n-trials", "20", "--n-resamples", "20"],
        ["--write", "SELF", "--only", "sys", "seg"],
    ],
    "data": [["list", "-l", "en-de"]],
    "check": [["--level", "long", "-m", "ter"]],
}


OFFERED = [
    (command, format_, more)
    for command, several in WITH_FORMATS.items()
    for format_ in options_of(command)["--format"].choices
    for more in several
]


class TestFormats:
    """Each command offers the formats that make sense, and writes each as it should be."""

    def test_which_commands_have_formats(self):
        """All but those that write a file."""
        found = {name for name in COMMANDS if "--format" in options_of(name)}
        assert found == set(WITH_FORMATS) == set(COMMANDS) - {"report"}

    def test_every_command_offers_every_format(self):
        """The first is the default: rows for ``segments``, else text."""
        for command in WITH_FORMATS:
            offered = options_of(command)["--format"].choices
            assert sorted(offered) == sorted(FORMATS) == sorted(READERS)
            assert offered[0] == ("tsv" if command == "segments" else "text")

    def test_the_guide_says_which(self):
        """A table of the guide has each format."""
        guide = (ROOT / "docs" / "command_line.md").read_text("utf-8")
        table = re.search(r"(?m)^\| format \| .*\n\|.*\n((?:\|.*\n)+)", guide)[1]
        assert re.findall(r"(?m)^\| `(\w+)` \|", table) == list(FORMATS)

    @pytest.fixture
    def call(self, run, monkeypatch, tmp_path):
        """Return what runs a command with a format, on files that it can read."""
        for variable in ("TRUEBLEU_CACHE", "SACREBLEU"):
            monkeypatch.setenv(variable, str(tmp_path))
        for path in ("sources", "references", "system-outputs/de-en"):
            (tmp_path / path).mkdir(parents=True)
        for path in ("sources/de-en", "references/de-en.refA", "system-outputs/de-en/weak"):
            (tmp_path / f"{path}.txt").write_text("a b c d\n")
        part = tmp_path / "part.jsonl"
        ratings = EXAMPLES / "ratings.seg.score"
        inputs = {
            "score": [*SYSTEMS, "-r", *STREAMS],
            "merge": [part],
            "compare": [*SYSTEMS[:2], "-r", *STREAMS],
            "tokenize": [SYSTEMS[2]],
            "mbr": ["-"],
            "meta": [ratings, f"A={ratings}", f"B={ratings}"],
            "data": [],
            "check": ["adapters.of_truebleu:answer"],
        }

        def call(command, *more):
            if command == "merge":
                assert run("score", *SYSTEMS, "-r", *STREAMS, "--stats-out", part)[0] == 0
            words = inputs.get(command, [SYSTEMS[2], "-r", *STREAMS])
            words = [tmp_path] if "--write" in more else words
            more = [tmp_path if word == "SELF" else word for word in more]
            samples = b"0\ta b c\n0\ta b d\n1\thello\n" if command == "mbr" else None
            return run(command, *words, *more, stdin=samples)

        return call

    @pytest.mark.parametrize(("command", "format_", "more"), OFFERED)
    def test_every_format_can_be_read(self, call, command, format_, more):
        """JSON parses, the rows of a table have equally many cells, and tags are closed."""
        code, out, _ = call(command, *more, "--format", format_)
        assert code == 0
        assert out.endswith("\n")
        READERS[format_](out)

    @looped("format_", ["text", "tsv", "jsonl"])
    @pytest.mark.parametrize("command", WITH_FORMATS)
    def test_output(self, call, tmp_path, command, format_):
        """``-o`` writes what standard output would get, and names the file."""
        more = [*WITH_FORMATS[command][0], "--format", format_]
        expected = call(command, *more)[1]
        path = tmp_path / f"out.{format_}"
        code, out, error = call(command, *more, "-o", path)
        assert (code, out, path.read_text("utf-8")) == (0, "", expected)
        assert error.splitlines()[-1] == f"truebleu: wrote {path}"

    def test_output_that_is_short(self, run, tmp_path):
        """``-b`` and gates leave it as it is; what fails before it leaves no file."""
        path = tmp_path / "out"
        given = ["score", *SYSTEMS, "-r", *STREAMS, "-b", "-o", path]
        assert run(*given, "--fail-under", "99")[:2] == (1, "")
        assert path.read_text() == run(*given[:-2])[1]
        path.unlink()
        assert run("segments", SYSTEMS[0], "missing", "-r", *STREAMS, "-o", path)[0] == 2
        assert list(tmp_path.iterdir()) == []

    def test_text(self, run):
        """Where a file of lines may stand, so may strings, unless segments are resampled."""
        found = {name for name in COMMANDS if "--text" in options_of(name)}
        files = {name for name in COMMANDS if "--as-text" in options_of(name)}
        assert found == files - {"compare", "report"}
        for command in found:
            more = [] if command == "tokenize" else ["-r", "A cat sat."]
            code, out, error = run(command, "--text", "The cat sat.", *more, "-q")
            assert (code, bool(out), error) == (0, True, "")

    @looped("command", WITH_FORMATS)
    def test_other_formats_are_refused(self, run, command):
        """The message lists those that there are."""
        offered = options_of(command)["--format"].choices
        inputs = {"data": ["list"], "tokenize": [], "mbr": [], "merge": ["part"], "check": ["a:b"]}
        inputs["meta"] = ["a", "B=b"]
        inputs = inputs.get(command, ["sys", "-r", "ref"])
        code, out, error = run(command, *inputs, "--format", "xml")
        assert (code, out) == (2, "")
        assert "argument -f/--format: invalid choice: 'xml' (choose from" in error
        assert all(each in error.splitlines()[-1] for each in offered)


class TestWidths:
    """Names of any script are aligned."""

    NAMES = (
        *("日本語.en", "ｶﾀｶﾅ", "한국어", "\u1112\u1161\u11ab\u1100\u116e\u11a8", "cafe\u0301"),
        *("हिन्दी", "x"),
    )

    @looped("name", NAMES)
    def test_columns_of_a_terminal(self, name):
        """Wide letters take two columns, and marks none, as rich has it, too."""
        assert text.width(name) == rich.cells.cell_len(name)

    def test_tables_are_aligned(self, run, tmp_path):
        """The last column ends where it ends in the header."""
        for name in self.NAMES:
            (tmp_path / name).write_text("a b c d\n")
        out = run("score", *self.NAMES, "-r", "x", cwd=tmp_path)[1]
        table = out.splitlines()[:-1]
        assert len({text.width(line) for line in table}) == 1
        assert len({len(line) for line in table}) > 1


class TestOptions:
    """An option is written in full."""

    @looped("command", COMMANDS)
    def test_abbreviations_are_refused(self, run, command):
        """Half an option is none, so that a new option never changes what an old one means."""
        known = {name for each in options_of(command).values() for name in each.option_strings}
        for option, action in options_of(command).items():
            short = option[:-1]
            if not option.startswith("--") or short in known or option == "--help":
                continue
            value = [] if action.nargs == 0 else ["1"]
            first = "list" if command == "data" else "a"
            code, out, error = run(command, first, "b", "-r", "c", "-o", "x", short, *value)
            assert (code, out) == (2, ""), short
            assert short in error or "required" in error

    @pytest.mark.parametrize("words", [["--version"], ["--version", "score"], ["-V"]])
    def test_the_version(self, run, words):
        """The version is one line, whatever follows."""
        assert run(*words) == (0, f"{VERSION}\n", "")
        assert f"truebleu {__version__}" == VERSION


class TestHelp:
    """The help pages are goldens."""

    @pytest.mark.parametrize("command", ["", *COMMANDS])
    def test_pages(self, run, command):
        """A page that changes rewrites its golden and fails once, so that somebody reads it."""
        arguments = [command, "--help"] if command else ["--help"]
        code, out, error = run(*arguments)
        assert run(*arguments[:-1], "-h") == (code, out, error)
        assert (code, error) == (0, "")
        head = f"# COLUMNS=80 truebleu {' '.join(arguments)}\n"
        path = GOLDEN / f"help-{command or 'truebleu'}.txt"
        golden = path.read_text("utf-8") if path.exists() else head
        if golden != head + out:
            path.parent.mkdir(exist_ok=True)
            path.write_text(head + out, "utf-8")
            pytest.fail(f"{path.name} has been rewritten: read it and run again")

    def test_every_page_has_a_command(self):
        """No golden without a command."""
        pages = {path.stem.removeprefix("help-") for path in GOLDEN.glob("help-*.txt")}
        assert pages == {"truebleu", *COMMANDS}
