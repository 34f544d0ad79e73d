"""What the commands take and print: names of systems, texts, tables, documents, thresholds."""

import csv
import gzip
import html
import io
import itertools
import json
import os
import re
import sys
import warnings
import zipfile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from looping import looped
from project import EXAMPLES
from truebleu import (
    Bleu,
    Chrf,
    SettingsWarning,
    Ter,
    compare,
    corpus_bleu,
    explain,
    read_lines,
    sentence_bleu,
)
from truebleu.cli.arguments import COMMANDS, command_parser
from truebleu.cli.given import name_of
from truebleu.cli.options import with_options
from truebleu.display.formats import FORMATS
from truebleu.engines import files as tables_of
from truebleu.intake.given import Given
from truebleu.intake.systems import SystemFile, system_names
from truebleu.metrics.registry import METRICS
from truebleu.significance.notes import named_as_options

NAMES = ["strong", "medium", "weak"]
SYSTEMS = [f"system-{name}.en" for name in NAMES]
STREAMS = ["reference-a.en", "reference-b.en"]


def lines(name):
    """Read a file of the examples."""
    return (EXAMPLES / name).read_text("utf-8").splitlines()


@pytest.fixture
def tables(tmp_path):
    """Write the examples as a table with a column for each system and reference."""
    path = tmp_path / "table.csv"
    columns = [*SYSTEMS, *STREAMS, "documents.txt"]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([name.partition(".")[0] for name in columns])
        writer.writerows(zip(*map(lines, columns), strict=True))
    return path


def columns(*systems, references=STREAMS):
    """Return the options that name columns of the table."""
    stems = [name.partition(".")[0] for name in (*systems, *references)]
    options = ["--hypothesis-column"] * len(systems) + ["--reference-column"] * len(references)
    return [word for pair in zip(options, stems, strict=True) for word in pair]


def named(*given):
    """Return the names of systems that are given to a command."""
    return system_names(command_parser("compare").read([*given, "-r", "x"]).systems)


class TestNames:
    """Systems are called by what tells their files apart, or as the user calls them."""

    @looped(
        "files, names",
        [
            (["runs/newstest2017.online-A.de.txt"], ["newstest2017.online-A.de.txt"]),
            (
                ["t/newstest2017.online-A.de.txt", "t/newstest2017.online-B.de.txt"],
                ["online-A", "online-B"],
            ),
            (["system-strong.en", "x/system-weak.en"], ["system-strong", "system-weak"]),
            (["a.txt", "b.txt", "c.txt"], ["a", "b", "c"]),
            (["a.txt", "b.text"], ["a.txt", "b.text"]),
            # Neither words nor numbers are cut.
            (["model10.txt", "model11.txt"], ["model10", "model11"]),
            (["abc.en", "abd.en"], ["abc", "abd"]),
            # A number alone says too little.
            (["sys_1.out", "sys_2.out"], ["sys_1", "sys_2"]),
            (["wmt24.sys_1.out", "wmt24.sys_2.out"], ["sys_1", "sys_2"]),
            (["wmt24_GPT-4.txt", "wmt24_Claude-3.txt"], ["GPT-4", "Claude-3"]),
            # Something is left of every name.
            (["sys.txt", "sys.big.txt"], ["sys", "sys.big"]),
            (["sys", "sys.big"], ["sys", "sys.big"]),
            (["txt", "a.txt"], ["txt", "a.txt"]),
            # Folders count where files are called alike.
            (["runs/a/out.txt", "runs/b/out.txt"], ["a", "b"]),
            (["a/out.txt", "out.txt"], ["a/out", "out"]),
            (["/x/1/o", "/x/2/o", "/x/3/p"], ["1/o", "2/o", "3/p"]),
            # One file twice.
            (["a.en", "a.en"], ["a.en", "a.en (2)"]),
            (["a.en", "b.en", "a.en", "a.en"], ["a", "b", "a (2)", "a (3)"]),
            (["-", "x/a.en"], ["standard input", "a.en"]),
            (["-", "a.en", "b.en"], ["standard input", "a", "b"]),
            # Names that are given are not cut, and do not count.
            (["big=x/a.b.en", "x/a.c.en"], ["big", "a.c.en"]),
            (["a.en", "a.en=b.en"], ["a.en (2)", "a.en"]),
            (["a.en (2)=b.en", "a.en", "a.en"], ["a.en (2)", "a.en", "a.en (3)"]),
            (["in=-", "a.en"], ["in", "a.en"]),
            (["x==y"], ["x"]),
            (["a=b=c.en"], ["a"]),
            (["./a=b.en"], ["a=b.en"]),
            (["=a.en"], ["=a.en"]),
            (["a="], ["a"]),
        ],
    )
    def test_what_tells_files_apart(self, files, names, tmp_path, monkeypatch):
        """Fields that are the same in all names are cut, and names stay different."""
        monkeypatch.chdir(tmp_path)
        assert named(*files) == names
        assert len(set(names)) == len(names)

    @looped("number", [2, 3, 30, 300])
    def test_names_stay_different(self, number):
        """However many files there are and however much they share, no two are called alike."""
        parts = ["a", "b", ".", "_", "/", "1", "-", "="]
        paths = ["".join(each) for each in itertools.product(parts, repeat=4)]
        # A slash at the beginning is the root, and one at the end no file.
        given = [f"d/{path}x" for path in paths[:: len(paths) // number]][:number]
        names = named(*given)
        assert len(set(names)) == len(given)
        assert all(names)

    def test_an_existing_file_wins(self, run, tmp_path):
        """``name=path`` is a name unless there is such a file, or a folder comes before it."""
        (tmp_path / "x=y").write_text("a b c d\n")
        (tmp_path / "y").write_text("a b c e\n")
        (tmp_path / "ref").write_text("a b c d\n")

        def score(system):
            [found] = json.loads(
                run("score", system, "-r", "ref", "--format=json", cwd=tmp_path)[1]
            )
            return found["system"], round(found["score"])

        assert score("x=y") == ("x=y", 100)
        assert score("z=y")[0] == "z"
        assert score("z=y")[1] < 100
        assert score("z=x=y") == ("z", 100)
        (tmp_path / "x=y").unlink()
        assert score("x=y")[0] == "x"
        code, _, error = run("score", "./x=y", "-r", "ref", cwd=tmp_path)
        assert (code, error) == (2, "truebleu: ./x=y: No such file or directory\n")

    def test_in_every_command(self, run, tmp_path):
        """The names are in what each command prints or writes."""
        pair = ["one=system-weak.en", "two=system-strong.en", "-r", STREAMS[0]]
        assert "one_bleu\ttwo_bleu" in run("segments", *pair)[1]
        assert "two - one" in run("compare", *pair)[1]
        assert [row.split()[0] for row in run("score", *pair)[1].splitlines()[1:3]] == [
            "one",
            "two",
        ]
        path = tmp_path / "report.html"
        assert run("report", *pair, "-o", path)[0] == 0
        assert ">two<" in path.read_text("utf-8")
        for command in (
            ["audit"],
            ["explain"],
            ["audit", "--target=14.9", "--max-seconds=1e-9"],
        ):
            given, plain = (
                run(*command, system, "-r", STREAMS[0])[:2] for system in (pair[0], SYSTEMS[2])
            )
            assert given == plain
            assert given[0] == 0
        assert run("explain", pair[0], "-r", STREAMS[0], "--segment=99")[2] == (
            "truebleu: there is no segment 99: one has segments 1 to 72\n"
        )

    @looped("given", ["system-weak", "system-weak.en", "./system-weak.en"])
    def test_a_baseline_may_be_given_as_its_file(self, run, given):
        """The name, the path and the file's name all mean the system."""
        systems = [SYSTEMS[0], f"./{SYSTEMS[2]}"]
        out = run("compare", *systems, "-r", *STREAMS, "--baseline", given)[1]
        assert "system-strong - system-weak" in out
        whole = Given(systems=tuple(map(SystemFile, systems)))
        assert name_of(given, whole) == "system-weak"
        assert name_of("nothing", whole) == "nothing"
        assert name_of(None, whole) is None

    def test_a_baseline_may_have_a_name(self, run):
        """A file that is none of the systems gets its name as they do."""
        given = (f"new={SYSTEMS[0]}", "-r", *STREAMS, "--baseline")
        assert "new - old" in run("compare", *given, f"old={SYSTEMS[2]}")[1]
        assert "there is no baseline 'old=none'" in run("compare", *given, "old=none")[2]
        assert "two systems are called 'new'" in run("compare", *given, f"new={SYSTEMS[2]}")[2]

    @looped(("given", "said"), [("no.txt", "no.txt: No such file"), ("No.  1", "no references")])
    def test_a_file_that_does_not_exist_lacks_no_references(self, run, given, said):
        """Without references, it is what is wrong, unless it looks like text."""
        assert said in run("score", given)[2]

    def test_other_references_are_said(self, run, tmp_path):
        """Scores of statistics are listed together, with a warning if their references differ."""
        paths = []
        for name, stream in (("a", 0), ("b", 1), ("c", 0)):
            paths.append(str(tmp_path / f"{name}.jsonl"))
            given = ("-r", STREAMS[stream], "-q", "--stats-out", paths[-1])
            run("score", f"{name}={SYSTEMS[0]}", *given)
        assert "b and a have different references" in run("score", *paths)[2]
        assert run("score", paths[0], paths[2])[2] == ""


# Escape codes of 7 and 8 bits, another direction, what ends lines and cells, and markup.
HOSTILE = "\x1b[31mred\x9b0m\u202e\u2066 a\tb\nc\rd\x85e\u2028f |&<b>$_{}\\%~^#*`'\" \x00".rstrip(
    " \x00"
)

# What each command prints names of systems in.
PRINTING = {
    "score": [],
    "segments": [],
    "compare": [],
    "explain": ["--segment", "2"],
    "audit": [],
    "audit --target": ["--target", "1", "--max-seconds", "1e-9"],
}


def assert_harmless(out, allowed="\n"):
    """Fail if something would move the cursor of a terminal."""
    assert {c for c in out if not c.isprintable()} <= set(allowed)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows allows no such names")
class TestHostileNames:
    """Whatever a file, a document or a key is called, it is only text."""

    @pytest.fixture
    def folder(self, tmp_path):
        """Write the same texts under harmless and hostile names."""
        for name in ("plain", "other", HOSTILE, f"{HOSTILE}2", "ref"):
            text = "".join(f"a b c d {n}{name[:2] == 're'}\n" for n in range(5))
            (tmp_path / name).write_text(text)
        return tmp_path

    @pytest.mark.parametrize("command", PRINTING)
    @looped("format_", FORMATS)
    def test_names_of_files(self, run, folder, command, format_):
        """The output has as many lines and cells as with harmless names, and nothing odd."""
        more = [*PRINTING[command], "--format", format_]
        several = command in ("score", "segments", "compare")
        shapes = []
        for names in (["plain", "other"], [f"./{HOSTILE}", f"h={HOSTILE}2"]):
            systems = names if several else names[:1]
            references = [systems[0], "ref"] if "--target" in command else ["ref"]
            _, out, error = run(command.split()[0], *systems, "-r", *references, *more, cwd=folder)
            assert_harmless(out, "\n\t" if format_ == "tsv" else "\n")
            assert_harmless(error)
            shapes.append((out.count("\n"), out.count("\t")))
            if format_ in ("json", "jsonl"):
                for document in [out] if format_ == "json" else out.splitlines():
                    json.loads(document)
        assert shapes[0] == shapes[1]

    @looped("format_", FORMATS)
    def test_names_of_metrics(self, run, folder, format_):
        """Those of files of scores are only text, and so are the systems in them."""
        lines = [f"h{system} \x1b[1A\t{system * n}\n" for system in range(2) for n in range(4)]
        (folder / "scores").write_text("".join(lines))
        few = ["--n-resamples", "39", "--format", format_]
        name = "".join(filter(str.isprintable, HOSTILE)).replace("|", "")
        code, out, _ = run("meta", "scores", f"{name}=scores", "b=scores", *few, cwd=folder)
        assert code == 0
        assert_harmless(out, "\n\t" if format_ == "tsv" else "\n")

    def test_messages(self, run, folder):
        """Errors name the system in one line."""
        error = run("explain", HOSTILE, "-r", "ref", "--segment=9", cwd=folder)[2]
        assert_harmless(error)
        assert error.endswith(" has segments 1 to 5\n")
        found = run("score", HOSTILE, f"{HOSTILE}2", "-r", "ref", "--fail-under=101", cwd=folder)
        assert_harmless(found[2])
        assert (found[0], found[2].count("\n")) == (1, 2)

    def test_names_are_kept_in_json(self, run, folder):
        """JSON escapes, so that programs read the name as it is."""
        out = run("score", HOSTILE, "-r", "ref", "--format", "json", cwd=folder)[1]
        assert json.loads(out)[0]["system"] == HOSTILE

    def test_given_names(self, run, folder):
        """A name that is given with the file is only text, too."""
        for format_ in FORMATS:
            out = run(*("score", f"{HOSTILE}=plain", "-r", "ref", "--format", format_), cwd=folder)[
                1
            ]
            assert_harmless(out, "\n\t" if format_ == "tsv" else "\n")

    def test_files_that_are_written(self, run, folder):
        """A report and a chart have no raw control character, and no markup from a name."""
        systems = [f"<b>x{HOSTILE}=plain", f"{HOSTILE}2"]
        for command, name in ((["report"], "r.html"), (["report", "--chart", "scores"], "p.svg")):
            code, out, error = run(*command, *systems, "-r", "ref", "-o", name, cwd=folder)
            assert (code, out) == (0, "")
            assert_harmless(error)
            text = (folder / name).read_text("utf-8")
            assert {"\x1b", "\x9b", "\x07"} & set(text) == set(), name
            assert "<b>x" not in text

    @pytest.mark.parametrize("format_", FORMATS)
    def test_keys_documents_and_texts(self, run, folder, format_):
        """Keys of n-best lists, document IDs and ``--text`` are only text."""
        odd = HOSTILE.replace("\n", "").replace("\r", "").replace("\t", "")
        (folder / "ids").write_text(f"{odd}\n" * 2 + "x\n" * 3, "utf-8")
        (folder / "list").write_text(f"{odd}\ta b\n", "utf-8")
        allowed = "\n\t" if format_ == "tsv" else "\n"
        for arguments in (
            ["score", "plain", "-r", "ref", "--units=ids", "--group-by=documents"],
            [*("score", f"{odd}=plain", "-r", "ref"), "--stats-out=sums.jsonl"],
            ["merge", "sums.jsonl"],
            ["mbr", "list", "--input-format=tsv"],
            ["score", "--text", odd, "-r", "red"],
            ["explain", "--text", odd, "-r", "red"],
        ):
            code, out, _ = run(*arguments, "--format", format_, cwd=folder)
            assert code == 0
            assert_harmless(out, allowed)

    @looped("command", sorted(COMMANDS))
    def test_messages_of_every_command(self, run, folder, command):
        """A file, a folder or a set that does not exist is named in the error, on its line."""
        lines = set()
        for odd in ("", HOSTILE, "\n", "\r", "\x1b[1A", "\x85", "\u2028", "\u202e"):
            missing = f"no{odd}truebleu: BLEU = 99"
            words = {
                "meta": [missing, "B=b"],
                "data": ["get", missing],
                "tokenize": [missing],
                "mbr": [missing],
                "report": [missing, "-r", "ref", "-o", f"{missing}.html"],
            }.get(command, [missing, "-r", "ref"])
            code, out, error = run(command, *words, cwd=folder)
            assert (code != 0, out) == (True, "")
            assert_harmless(error)
            lines.add(error.count("\n"))
        assert len(lines) == 1

    def test_a_file_that_is_replaced(self, run, folder):
        """So is its name."""
        for _ in range(2):
            chart = ["--chart", "scores", "plain", "-r", "ref", "-o", f"{HOSTILE}.svg"]
            error = run("report", *chart, cwd=folder)[2]
        assert "truebleu: replaced " in error
        assert_harmless(error)

    @pytest.mark.parametrize("format_", FORMATS)
    def test_own_test_sets(self, run, folder, format_, monkeypatch):
        """Test sets of one's own are described by whoever wrote the file."""
        monkeypatch.setenv("TRUEBLEU_CACHE", str(folder / "cache"))
        odd = "\\u001b[31mred\\u009b0m\\u202e |&<b>"
        (folder / "own.toml").write_text(
            f'[sets.own]\nkind = "text"\ndescription = "{odd}"\n[sets.own.pairs.de-en]\n'
            'src = "plain"\nref = "ref"\n'
        )
        for words in (["add", "own.toml"], ["list"], ["list", "own"], ["check"]):
            code, out, error = run("data", *words, "--format", format_, cwd=folder)
            assert code == 0
            assert_harmless(out, "\n\t" if format_ == "tsv" else "\n")
            assert_harmless(error)

    def test_every_command_is_tested(self):
        """A new command needs a look at the names that it prints."""
        others = {
            "merge",
            "report",
            "mbr",
            "meta",
            "tokenize",
            "data",
        }
        # What programs answer is looked at with the conformance kit.
        others |= {"check"}
        assert {name.split()[0] for name in PRINTING} | others == set(COMMANDS)


class TestText:
    """``--text``: strings instead of files."""

    TEXTS = ("the cat", "the cat sat on the mat")
    REFERENCES = ("the cat sat", "a cat sat on the mat")

    @pytest.mark.parametrize("metric", METRICS)
    def test_a_string_is_a_sentence(self, run, metric):
        """The score is that of the sentence, whichever metric."""
        arguments = ["score", "--text", *self.TEXTS, "-r", *self.REFERENCES, "-m", metric]
        code, out, error = run(*arguments, "--format=json")
        made = METRICS[metric]()
        expected = [
            {"system": text, **made.segment(text, list(self.REFERENCES)).to_dict()}
            for text in self.TEXTS
        ]
        assert (code, json.loads(out), error) == (0, expected, "")
        numbers = [f"{value['score']:.2f}" for value in expected]
        assert run(*arguments, "--score-only")[1].split() == numbers

    def test_explain(self, run):
        """The explanation is that of the segment."""
        arguments = ["explain", "--text", self.TEXTS[1], "-r", *self.REFERENCES]
        for metric in METRICS:
            expected = explain(self.TEXTS[1], list(self.REFERENCES), metric=metric)
            code, out, _ = run(*arguments, "-m", metric)
            assert (code, out) == (0, f"{expected}\n")

    @looped("text", ["", "-", "a=b", "x\ty", "=", "ü 日本" * 30, "a.b/c.gz"])
    def test_any_string(self, run, text):
        """No string is taken for a file, a name or standard input, and none breaks the table."""
        code, out, error = run("score", "--text", text, "-r", text or "x", "--format=json")
        assert (code, error) == (0, "")
        [found] = json.loads(out)
        assert found["score"] == sentence_bleu(text, [text or "x"]).score
        table = run("score", "--text", text, text, "-r", "x", "--format=tsv")[1].splitlines()
        names = [row.split("\t")[0] for row in table[1:]]
        assert names[1] == f"{names[0]} (2)"


class TestSegments:
    """``segments`` with several systems, and in every format."""

    @pytest.mark.parametrize("metrics", [["bleu"], ["ter"], ["bleu", "chrf++", "ter"]])
    def test_several_systems(self, run, metrics):
        """A column for each system and metric, and as many of reasons, as each has alone."""
        arguments = ["-r", *STREAMS, "-m", *metrics]
        code, out, _ = run("segments", *SYSTEMS, *arguments)
        together = list(csv.DictReader(io.StringIO(out), delimiter="\t", quoting=csv.QUOTE_NONE))
        assert (code, len(together)) == (0, 72)
        shown = json.loads(run("segments", *SYSTEMS, *arguments, "--format=json")[1])
        for system in SYSTEMS:
            name = system.removesuffix(".en")
            alone = run("segments", system, *arguments)[1]
            reader = csv.DictReader(io.StringIO(alone), delimiter="\t", quoting=csv.QUOTE_NONE)
            for both, one in zip(together, reader, strict=True):
                for metric in metrics:
                    column = METRICS[metric]().identifier
                    reason = "reason" if len(metrics) == 1 else f"{column}_reason"
                    assert both[f"{name}_{column}"] == one[column]
                    assert both[f"{name}_{column}_reason"] == one[reason]
            whole = json.loads(run("segments", system, *arguments, "--format=json")[1])
            for both, one in zip(shown, whole, strict=True):
                assert both["segment"] == one.pop("segment")
                assert both["systems"][name] == one

    def test_tables_leave_out_empty_columns(self, run):
        """For people, a column of reasons is shown if there is a reason."""
        arguments = ["segments", *SYSTEMS[::2], "-r", *STREAMS]
        header, first, *_ = run(*arguments, "--format=text")[1].split("\n")
        assert header.split() == [
            "segment",
            *("system-strong_bleu", "system-weak_bleu", "system-weak_bleu_reason"),
        ]
        row = run(*arguments, "-w", "2")[1].split("\n")[1].split("\t")
        assert first.split()[:3] == row[:3]


class TestDocuments:
    """``--units FILE --group-by documents``: the documents in files of lines."""

    DOCUMENTS = "documents.txt"

    @pytest.mark.parametrize("systems", [SYSTEMS[:1], SYSTEMS])
    @pytest.mark.parametrize("metrics", [["bleu"], ["chrf++", "ter"]])
    def test_each_document_is_a_corpus(self, run, systems, metrics):
        """The score of a document is that of its lines."""
        arguments = [*systems, "-r", *STREAMS, "-m", *metrics]
        by_document = ["--units", self.DOCUMENTS, "--group-by", "documents"]
        code, out, _ = run("score", *arguments, *by_document, "--format=json")
        documents = lines(self.DOCUMENTS)
        expected = []
        for system in systems:
            for name in dict.fromkeys(documents):
                chosen = [n for n, each in enumerate(documents) if each == name]
                texts, *streams = ([lines(file)[n] for n in chosen] for file in (system, *STREAMS))
                label = {"system": system.removesuffix(".en")} if len(systems) > 1 else {}
                label |= {"document": name, "segments": len(chosen)}
                scores = {
                    METRICS[metric]().identifier: METRICS[metric]()
                    .corpus(texts, reference_streams=streams)
                    .to_dict()
                    for metric in metrics
                }
                only = scores[next(iter(scores))] if len(scores) == 1 else scores
                expected.append(label | only)
        assert (code, json.loads(out)) == (0, expected)

    def test_lines_need_not_be_in_order(self, run, tmp_path):
        """A document is all lines with its ID."""
        (tmp_path / "sys").write_text("a b c d\nx\na b c d e\n")
        (tmp_path / "ids").write_text("one\ntwo\none\n")
        out = run(
            *("score", "sys", "-r", "sys", "--units=ids", "--group-by=documents"),
            "--format=tsv",
            cwd=tmp_path,
        )[1]
        assert [row.split("\t")[0] for row in out.splitlines()] == ["document", "one", "two"]


def test_one_file_that_is_two_systems(run, tmp_path):
    """It is said, under whatever names."""
    (tmp_path / "link.en").symlink_to(EXAMPLES / SYSTEMS[0])
    for other in (SYSTEMS[0], f"again={SYSTEMS[0]}", f"./{SYSTEMS[0]}", tmp_path / "link.en"):
        code, _, error = run("score", SYSTEMS[0], other, "-r", STREAMS[0])
        assert (code, error) == (
            0,
            f"truebleu: warning: {SYSTEMS[0]} and {other} are the same file\n",
        )


def test_one_file_with_two_systems(run, tmp_path):
    """These are columns, and nothing is said."""
    (tmp_path / "both.csv").write_text("id,one,two\n1,a b c d,a b c e\n")
    (tmp_path / "refs").write_text("a b c d\n")
    words = ["--hypothesis-column=one", "--hypothesis-column=two", "-r", "refs", "-b"]
    found = run("score", "both.csv", *words, cwd=tmp_path)
    assert found == (0, "100.00\n59.46\n", "")


def test_sets_by_their_year(run):
    """A set is also called by its whole year, and by the name of its files."""
    expected = run("data", "list", "wmt14")
    assert expected[0] == 0
    for name in ("wmt2014", "newstest2014"):
        assert run("data", "list", name) == expected


class TestRegressions:
    """``compare --fail-if``: exit code 1 if a system is worse than the baseline."""

    @looped(
        "systems, options, failing",
        [
            ("strong medium", "worse -m bleu ter", []),
            ("medium", "worse", []),
            ("weak", "worse", ["system-weak: BLEU is worse than that of the baseline: "]),
            ("strong weak", "significantly-worse -m bleu ter", ["system-weak: BLEU", "weak: TER"]),
            ("weak", "worse --margin 50", []),
            ("weak", "worse --margin 5", ["system-weak: BLEU is worse"]),
            ("weak", "significantly-worse --alpha 0.001", ["system-weak: BLEU is significantly"]),
            ("weak", "possibly-worse --margin 50", []),
            ("weak", "possibly-worse --margin 5", ["system-weak: BLEU is possibly worse"]),
        ],
    )
    def test_who_is_worse(self, run, systems, options, failing):
        """The baseline is a system or a file; the output is the same."""
        files = [f"system-{name}.en" for name in systems.split()]
        command = ["compare", *files, "-r", STREAMS[0]]
        baseline = ["--baseline", "system-medium.en"]
        if files == ["system-medium.en"]:
            baseline = ["--baseline", "system-weak.en"]
        code, out, error = run(*command, *baseline, "-q", "--fail-if", *options.split())
        assert code == (1 if failing else 0)
        for line, part in zip(error.splitlines(), failing, strict=True):
            assert part in line
            assert line.endswith(f"(--fail-if {options.split()[0]})")
        how = options.split()[1:]
        assert run(*command, *baseline, "-q", *how)[:2] == (0, out)


class TestFailUnder:
    """``--fail-under``: exit code 1 if a score is worse."""

    SCORE = ("score", *SYSTEMS, "-r", *STREAMS)

    @looped(
        "metrics, thresholds, failing",
        [
            ("", ["10"], []),
            ("", ["20"], ["system-weak: BLEU 16.84 is below 20"]),
            ("", ["bleu=20"], ["system-weak: BLEU 16.84 is below 20"]),
            ("", ["36"], ["system-medium: BLEU 35.95", "system-weak: BLEU 16.84"]),
            ("-m ter", ["80"], []),
            ("-m ter", ["50"], ["system-weak: TER 77.24 is above 50"]),
            ("-m bleu chrf++", ["chrf++=30"], []),
            ("-m bleu chrf++", ["chrf++=60"], ["medium: chrF2++ 55.50", "weak: chrF2++"]),
            (
                "-m bleu ter",
                ["bleu=20", "ter=60"],
                ["weak: BLEU 16.84 is below 20", "weak: TER 77.24 is above 60"],
            ),
        ],
    )
    @looped("more", [[], ["--score-only"]])
    def test_any_system_fails(self, run, metrics, thresholds, failing, more):
        """The output is the same; each score that is worse has a line on standard error."""
        expected = run(*self.SCORE, *metrics.split(), *more)
        found = run(*self.SCORE, *metrics.split(), *more, "--fail-under", *thresholds)
        assert found[1] == expected[1]
        assert found[0] == (1 if failing else 0)
        said = found[2].splitlines()
        assert len(said) == len(failing)
        for line, part in zip(said, failing, strict=True):
            assert part in line
            assert line.endswith("(--fail-under)")

    def test_scores_are_not_rounded(self, run):
        """A score that is shown like the threshold can be below it, and says by how much."""
        [score] = Bleu().corpus(lines(SYSTEMS[2]), reference_streams=map(lines, STREAMS)).scores
        arguments = ["score", SYSTEMS[2], "-r", *STREAMS, "--score-only", "--fail-under"]
        assert run(*arguments, repr(score))[0] == 0
        for above in (score + 1e-4, score + 1e-10):
            code, _, error = run(*arguments, repr(above))
            assert code == 1
            shown = re.search(r"BLEU ([\d.]+) is below", error)[1]
            assert float(shown) < above

    def test_groups_and_dialects(self, run, tables):
        """Groups fail like systems; thresholds are from 0 to 100, whatever a dialect prints."""
        arguments = [tables, *columns(SYSTEMS[0]), "--group-by", "documents"]
        code, out, error = run("score", *arguments, "--fail-under", "99")
        assert (code, error.count("is below 99")) == (1, out.count("\n") - 2)
        nltk = ["score", SYSTEMS[0], "-r", *STREAMS, "--dialect", "nltk", "--fail-under"]
        assert run(*nltk, "30")[0] == 0
        assert run(*nltk, "90")[0] == 1


class TestTables:
    """Columns of tables give what files of lines give."""

    def test_compare(self, run, tables):
        """Several columns are several systems."""
        more = ["--format=json", "-m", "bleu", "ter"]
        code, out, _ = run("compare", tables, *columns(*SYSTEMS), *more)
        files = run("compare", *SYSTEMS, "-r", *STREAMS, *more)[1]
        assert (code, json.loads(out)) == (0, json.loads(files))

    def test_segments(self, run, tables):
        """Rows are segments; of tables, columns of reasons that are empty are left out."""
        for format_ in ("tsv", "jsonl"):
            found = run("segments", tables, *columns(*SYSTEMS), "--format", format_)[1]
            of_lines = run("segments", *SYSTEMS, "-r", *STREAMS, "--format", format_)[1]
            if format_ == "tsv":
                rows = [line.split("\t") for line in of_lines.splitlines()]
                shown = [cells for cells in zip(*rows, strict=True) if any(cells[1:])]
                assert len(shown) < len(rows[0])
                of_lines = "".join("\t".join(row) + "\n" for row in zip(*shown, strict=True))
            assert found == of_lines

    def test_audit_and_explain(self, run, tables):
        """One column is the system; all columns of references count."""
        for command in (["audit"], ["explain"], ["explain", "--segment=3"], ["explain", "-m=ter"]):
            out = run(*command, tables, *columns(SYSTEMS[1]))[1]
            assert out == run(*command, SYSTEMS[1], "-r", *STREAMS)[1]

    def test_report_and_plot(self, run, tables, tmp_path):
        """The page has the scores of the columns."""
        path = tmp_path / "page.html"
        more = ["--sources", "source.de", "--units", "documents.txt"]
        assert run("report", tables, *columns(*SYSTEMS), *more, "-o", path)[0] == 0
        text = path.read_text("utf-8")
        for name in SYSTEMS:
            score = Bleu().corpus(lines(name), reference_streams=map(lines, STREAMS))
            assert f">{score.score:.2f}</td>" in text
        chart = ["--chart", "ngrams", "-o", tmp_path / "chart.svg"]
        assert run("report", tables, *columns(*SYSTEMS), *chart)[0] == 0

    def test_lists(self, run, tmp_path):
        """References may be lists, and nulls among them are left out."""
        path = tmp_path / "t.jsonl"
        rows = [
            {"mt": "a b c d", "refs": ["a b c d", None, "x"], "more": None},
            {"mt": "e f g h", "refs": ["x y"], "more": "e f g h i"},
        ]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        options = [path, "--hypothesis-column=mt"]
        options += ["--reference-column=refs", "--reference-column=more"]
        texts = ["a b c d", "e f g h"]
        references = [["a b c d", "x"], ["x y", "e f g h i"]]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert json.loads(run("explain", *options, "--format=json")[1]) == json.loads(
                json.dumps(explain(texts, references).to_dict())
            )
            assert run("audit", *options, "--format=json")[1].strip()
            with named_as_options():
                found = compare({"mt": texts}, references)
        assert json.loads(run("compare", *options, "--format=json")[1]) == found.to_dict()
        scores = [
            json.loads(line)["score"]
            for line in run("segments", *options, "--format=jsonl")[1].splitlines()
        ]
        assert scores == [
            sentence_bleu(*pair).score for pair in zip(texts, references, strict=True)
        ]

    @pytest.mark.parametrize("groups", [[], ["--group-by=k"], ["--confidence"]])
    def test_nulls_and_several_metrics(self, run, tmp_path, monkeypatch, groups):
        """Nulls are refused, empty or left out; a table is read once for all metrics."""
        rows = [{"mt": mt, "ref": "a b c d e", "k": "x"} for mt in ("a b c d", None, "a b c d f")]
        path = tmp_path / "t.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        opened, reads = tables_of.open_files, []

        def counted(paths, wanted, *more):
            reads.extend(wanted.texts[:1])
            return opened(paths, wanted, *more)

        monkeypatch.setattr(tables_of, "open_files", counted)
        options = [
            "score",
            path,
            "--hypothesis-column=mt",
            "--reference-column=ref",
            *groups,
            "-m",
            "bleu",
            "ter",
            "chrf",
        ]
        metrics = [Bleu(), Ter(), Chrf()]
        for nulls, texts in (
            ("empty", ["a b c d", "", "a b c d f"]),
            ("skip", ["a b c d", "a b c d f"]),
        ):
            shown = run(*options, "--missing", nulls, "--score-only")[1]
            scores = [each.corpus(texts, ["a b c d e"] * len(texts)).score for each in metrics]
            assert shown.split() == [f"{score:.2f}" for score in scores]
        assert len(reads) == 2
        code, _, error = run(*options)
        assert code == 2
        assert "column 'mt' has nulls" in error
        error = run("compare", *options[1:4], "--missing=skip")[2]
        assert "only truebleu score takes it; choose --missing empty" in error

    def test_no_documents(self, run, tmp_path):
        """An empty file of documents is not taken for an empty output."""
        (tmp_path / "empty").touch()
        options = ["-r", *STREAMS, "--units", tmp_path / "empty"]
        for command in (["score", SYSTEMS[0], "--confidence"], ["compare", *SYSTEMS]):
            error = run(*command, *options)[2]
            assert error.endswith("empty has no lines: one for each segment is needed\n")


class TestPairs:
    """Which pairs ``compare`` shows."""

    def test_ten_systems(self, run):
        """People are shown the pairs of the best system, and how to see all; programs all."""
        systems = [f"s{number}={SYSTEMS[number % 3]}" for number in range(10)]
        command = ("compare", *systems, "-r", *STREAMS, "-q")
        out = run(*command)[1]
        assert "shown: 9 of 45 pairs, those of the best system; all: --format tsv, or" in out
        assert out.count("s0 - s") == 9
        assert run(*command, "--format=tsv")[1].count(" - s") == 45
        assert len(json.loads(run(*command, "--format=json")[1])["pairs"]) == 45
        out = run(*command, "--baseline=s4")[1]
        assert (out.count(" - s4"), "shown" in out) == (9, False)
        assert "systems are compared with the baseline only: s4" in out


class TestMessages:
    """Warnings speak of options."""

    def test_settings_are_written_as_options(self, run, tmp_path):
        """What the library says about tokenized text can be typed."""
        (tmp_path / "sys").write_text("a b c d .\n" * 100 + "x\n")
        (tmp_path / "ref").write_text("a b c d.\n" * 100 + "x\n")
        error = run("score", "sys", "-r", "ref", cwd=tmp_path)[2]
        assert "or use --tokenizer none if the references" in error
        (tmp_path / "sys").write_text("日本の秋は長いと思います。\n" * 2)
        (tmp_path / "ref").write_text("日本の秋は短いと思います。\n" * 2)
        error = run("score", "sys", "-r", "ref", "-m", "bleu", "ter", cwd=tmp_path)[2]
        assert "use --tokenizer zh for Chinese, 'ja-mecab' for Japanese" in error
        assert "use -m ter:normalized,asian_support" in error

    def test_what_has_no_option_stays(self):
        """Only settings of the command are translated."""
        options = command_parser("score").read(["a"])
        for message in ("set frobnicate='x'", "it's x=5", "a='b", "tokenizer none"):
            assert with_options(message, options) == message
        assert with_options("set unicode_form='NFC'", options) == "use --unicode-form NFC"
        assert with_options("set case_sensitive=True", options) == "use -m ter:case_sensitive"
        tokenize = command_parser("tokenize").read([])
        assert with_options("set normalized=True", tokenize) == "set normalized=True"


# Each command that writes a file, with the option that names it.
OUTPUTS = [
    (command, option)
    for command in COMMANDS
    for option in ("--output", "--stats-out")
    if option in (f"--{each.dest.replace('_', '-')}" for each in command_parser(command).parameters)
]


@pytest.mark.parametrize(("command", "option"), OUTPUTS)
def test_no_file_is_called_standard_output(run, tmp_path, command, option):
    """``-o -`` is refused by every command: it would make a file with this name."""
    (tmp_path / "a").write_text("a b c\n")
    words = {"meta": ["."], "data": ["list"]}
    words |= {key: ["a"] for key in ("check", "mbr", "merge", "tokenize")}
    given = [command, *words.get(command, ["a", "-r", "a"]), option]
    code, out, error = run(*given, "-", cwd=tmp_path)
    assert (code, out) == (2, "")
    assert f"{option} - is no file: name one (./- for one that is called -), or leave it" in error
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_all_outputs_are_found():
    """Each command can write its output, and those that count write statistics."""
    stats = {(command, "--stats-out") for command in ("score", "segments", "merge")}
    assert {*OUTPUTS} == stats | {(command, "--output") for command in COMMANDS}


NINES = "9" * 5000


@looped(
    "words, message",
    [
        (["mbr", "-", "/dev/stdin"], "standard input (-) can be read only once"),
        (["tokenize", "/dev/stdin", "/dev/fd/0"], "standard input (-) can be read only once"),
        (["score", "-", "-r", "/dev/stdin"], "standard input (-) can be read only once"),
        (["compare", "pipe", "a", "-r", "./pipe"], "./pipe can be read only once"),
        (["score", "a", "-r", "a", "-w", NINES], "the number of decimals is a whole number from 0"),
        (["score", "a", "-t", "own.toml", "-l", "de-en"], "File name too long"),
    ],
)
def test_what_to_write_instead(run, tmp_path, words, message):
    """Neither Python's own messages, nor a file that nobody meant: what to write."""
    (tmp_path / "a").write_text("a b c\n")
    if not (tmp_path / "pipe").exists():
        os.mkfifo(tmp_path / "pipe")
    (tmp_path / "own.toml").write_text(
        f'[sets.o]\nkind = "tsv"\n[sets.o.pairs.de-en]\nsrc = "{NINES}:a"\nref = "1:a"\n'
    )
    code, out, error = run(*words, cwd=tmp_path)
    assert (code in (1, 2), out, message in error) == (True, "", True)
    assert not re.search(r"Error\(|int_max_str_digits", error)


class TestSignatures:
    """Each result has the signatures of its metrics."""

    @pytest.mark.parametrize("command", ["score", "compare"])
    @pytest.mark.parametrize("form", FORMATS)
    @looped(
        "metrics", [each for size in (1, 2, 3) for each in itertools.combinations(METRICS, size)]
    )
    def test_each_table_has_the_signature_of_its_metric(self, run, command, form, metrics):
        """Once in each table of TSV, and else once in the output, for any metrics.

        What several signatures of a comparison have in common at their end stands there once.
        """
        given = [command, *SYSTEMS[:2], "-r", *STREAMS, "-m", *metrics]
        code, out, _ = run(*given, "-f", form)
        assert code == 0
        values = json.loads(run(*given, "-f", "json")[1])
        names = [METRICS[name]().name for name in metrics]
        if command == "score":
            [values, _] = values
            several = [values[METRICS[name]().identifier] for name in metrics if len(names) > 1]
        else:
            several = list(values.get("comparisons", {}).values())
        found = [each["signature"] for each in several or [values]]
        signatures = dict(zip(names, found, strict=True))
        shown = {
            name: f"{name}|{signature}" if len(names) > 1 else signature
            for name, signature in signatures.items()
        }
        lines = [*shown.values()]
        if command == "compare" and len(names) > 1:
            fields = [each.split("|")[::-1] for each in lines]
            alike = itertools.takewhile(lambda each: len({*each}) == 1, zip(*fields, strict=False))
            end = [field for field, *_ in alike][::-1]
            lines = ["|".join(each[len(end) :][::-1]) for each in fields] + ["|".join(["", *end])]
        if form == "latex":
            assert re.findall(r"(?m)^% (.*[|].*[|].*)$", out) == lines
            assert out.count("version:") == sum("version:" in each for each in lines)
            assert "paragraph" not in out
        elif form in ("tsv", "csv"):
            rows = csv.reader(io.StringIO(out), delimiter="\t" if form == "tsv" else ",")
            cells = [cell for row in rows for cell in row if "version:" in cell]
            assert sorted(cells) == sorted([*signatures.values()] * 2)
        elif form in ("text", "markdown", "html"):
            text = html.unescape(out)
            assert all(text.count(each) == 1 for each in lines)
            assert text.count("version:") == sum("version:" in each for each in lines)
        else:
            assert all(json.dumps(each) in out for each in found)


WORDS = ["a b c d e", "f g h i j k", "l m n o p", 'q "r" & s, t u'] * 3


def sgml(texts):
    """Write a file of WMT, as it was until 2020."""
    segments = (f'<seg id="{n}">{html.escape(text)}</seg>' for n, text in enumerate(texts, 1))
    return "\n".join(['<refset setid="x">', '<doc docid="y">', *segments, "</doc>", "</refset>\n"])


def json_lines(texts):
    """Write an object with a text in each line."""
    return "".join(json.dumps({"id": n, "mt": text}) + "\n" for n, text in enumerate(texts))


def table(texts, separator):
    """Write a table of three columns, without a header."""
    out = io.StringIO()
    csv.writer(out, delimiter=separator, lineterminator="\n").writerows(
        [n, "de", text] for n, text in enumerate(texts)
    )
    return out.getvalue()


def archive(texts):
    """Write a ZIP archive, as Word does."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("word/document.xml", "".join(texts))
    return out.getvalue()


def parquet(texts):
    """Write a Parquet file."""
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table({"mt": texts}), sink)
    return sink.getvalue().to_pybytes()


def xml(texts):
    """Write markup of another kind."""
    items = "".join(f"<p>{html.escape(text)}</p>\n" for text in texts)
    return f"<?xml version='1.0' encoding='utf-8'?>\n<dataset id=\"x\">\n{items}</dataset>\n"


def two_texts(texts):
    """Write objects with an ID, which may be a text as well."""
    return "".join(json.dumps({"id": f"{n}x", "mt": text}) + "\n" for n, text in enumerate(texts))


# How a file is called that is no lines of text, and what is in it; each is recognised by content
# as well where its name says nothing.
OTHER_FORMS = {
    "x.sgm": lambda texts: sgml(texts).replace("<seg ", "<p "),
    "sgml.txt": lambda texts: sgml(texts).replace("<seg ", "<p "),
    "x.xml": xml,
    "xml.txt": xml,
    "x.json": lambda texts: json.dumps({"texts": texts}, indent=1),
    "x.jsonl": two_texts,
    "jsonl.txt": two_texts,
    "x.tsv": lambda texts: table(texts, "\t"),
    "tsv.txt": lambda texts: table(texts, "\t"),
    "x.csv": lambda texts: table(texts, ","),
    "x.parquet": parquet,
    "parquet.txt": parquet,
    "x.docx": archive,
    "x.pdf": lambda texts: "%PDF-1.7\n" + "\n".join(texts[1:]) + "\n",
    "gzip.txt": lambda texts: gzip.compress("\n".join(texts).encode()),
}
BINARY = ("x.parquet", "parquet.txt", "x.docx", "x.pdf", "gzip.txt")
FROM_LINES = sorted(name for name in COMMANDS if "--as-text" in command_parser(name).format_help())


class TestOtherForms:
    """A file that is recognisably no lines of text is refused, wherever it is given."""

    def arguments(self, command, hypotheses, references):
        """Return the words of a command that reads these files."""
        required = {"report": "--output=x.html"}
        refs = [] if command == "tokenize" else ["-r", references]
        more = [required[command]] if command in required else []
        return [command, hypotheses, *more, *refs]

    def test_all_commands_are_tested(self):
        """The others read files of their own formats."""
        others = {*COMMANDS} - {*FROM_LINES}
        assert others == {
            *("merge", "data", "mbr", "meta"),
            "check",
        }

    @pytest.mark.parametrize("command", FROM_LINES)
    @looped("compressed", [False, True])
    @looped("name", OTHER_FORMS)
    def test_it_is_refused(self, run, tmp_path, command, name, compressed):
        """As the output of a system and as a reference; ``--as-text`` reads what is text."""
        content = OTHER_FORMS[name](WORDS)
        content = content.encode() if isinstance(content, str) else content
        if compressed:
            name, content = f"{name}.gz", gzip.compress(content)
        (tmp_path / name).write_bytes(content)
        number = len((gzip.decompress(content) if compressed else content).splitlines())
        (tmp_path / "lines").write_text("".join(f"{line}\n" for line in (WORDS * 9)[:number]))
        # Without references, content that may be a translation is none but by its name.
        positions = [(name, "lines"), ("lines", name)]
        if command == "tokenize":
            positions = [] if name.startswith(("jsonl.txt", "tsv.txt")) else [(name, "")]
        for position in positions:
            code, out, error = run(*self.arguments(command, *position), cwd=tmp_path)
            assert (code, out) == (2, "")
            message = error.splitlines()[-1]
            assert re.match(rf"truebleu: {re.escape(name)} is .*, not lines of text: ", message)
            if name.removesuffix(".gz") not in BINARY:
                assert message.endswith("; --as-text reads it as it is")
        if name.removesuffix(".gz") in BINARY or command != "score":
            return
        for position in positions:
            code, out, _ = run("score", position[0], "-r", position[1], "--as-text", cwd=tmp_path)
            assert (code, "BLEU" in out) == (0, True)

    @looped(
        "name, one, other",
        [
            ("json.txt", json_lines(WORDS), json_lines(WORDS[::-1])),
            ("json once", json_lines(WORDS), "x\n" * 11 + '{"a": "b"}\n'),
            ("tabs", "a\tb\n" + "x\n" * 11, "x\n" * 11 + "a\tb\n"),
            ("html", "<p>a b c d</p>\n" * 12, "<p>a b c</p>\n" * 12),
            ("xml", "<?xml version='1.0'?><a>b</a>\n" * 12, "a b c\n" * 12),
            ("numbers", "{1}\n" * 12, "1\n" * 12),
            ("words of magic", "PAR1 BZh\n" * 12, "x\n" * 12),
            ("lines.tsv", "a b c d\n" * 12, "a b c d\n" * 12),
            ("lines.csv", "a b c d\n" * 12, "a b c d\n" * 12),
            ("lines.jsonl", "a b c d\n" * 12, "a b c d\n" * 12),
        ],
    )
    def test_what_may_be_a_translation_is_scored(self, run, tmp_path, name, one, other):
        """JSON and markup can be the right translation."""
        (tmp_path / name).write_text(one)
        (tmp_path / "lines").write_text(other)
        for files in ((name, "lines"), ("lines", name)):
            code, out, _ = run("score", files[0], "-r", files[1], cwd=tmp_path)
            assert (code, "BLEU" in out) == (0, True)

    def test_strings_are_not_judged(self, run, tmp_path):
        """Neither texts in Python, nor files that Python reads."""
        for name in ("x.sgm", "x.jsonl", "x.tsv"):
            path = tmp_path / name
            path.write_text(OTHER_FORMS[name](WORDS))
            texts = read_lines(path, as_text=True)
            with warnings.catch_warnings():
                # Markup on one side only is warned of.
                warnings.simplefilter("ignore", SettingsWarning)
                assert corpus_bleu(texts, ["zz zz"] * len(texts)).score == 0
            code, out, _ = run("score", "--text", texts[0], "-r", "zz zz", "-b")
            assert (code, out.strip()) == (0, "0.00")

    def test_documents_are_no_text(self, run, tmp_path):
        """A file of IDs may be a table: its lines are names."""
        number = len(lines(SYSTEMS[0]))
        (tmp_path / "documents.tsv").write_text("".join(f"{n // 9}\tx\n" for n in range(number)))
        files = [EXAMPLES / SYSTEMS[0], "-r", EXAMPLES / STREAMS[0], "--units", "documents.tsv"]
        assert run("score", *files, "--group-by", "documents", cwd=tmp_path)[0] == 0
        assert run("report", *files, "-o", "x.html", cwd=tmp_path)[0] == 0
