"""What people write at first, and what an attacker does: it is right, or a message says why not."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from looping import looped
from project import EXAMPLES
from truebleu import read_lines

STRONG, MEDIUM, REFERENCE = (
    EXAMPLES / name for name in ("system-strong.en", "system-medium.en", "reference-a.en")
)


def refused(run, said, *words, cwd=EXAMPLES, code=2):
    """Check that a command ends with this code, says this, and prints nothing."""
    found, out, error = run(*words, cwd=cwd)
    assert (found, out) == (code, "")
    assert said in error, error


def table(out, delimiter="\t"):
    """Read the first table of an output, a dict for each row."""
    lines = out.partition("\n\n")[0].splitlines()
    return list(csv.DictReader(lines, delimiter=delimiter))


class TestOutputsThatAreInputs:
    """Nothing that is read is overwritten, however it was named."""

    @pytest.fixture
    def folder(self, tmp_path):
        (tmp_path / "t").mkdir()
        for name in ("t/a.csv", "t/b.csv"):
            (tmp_path / name).write_text("mt,ref\na b c d,a b c d\n")
        for name in ("sys.x", "ref.x"):
            (tmp_path / name).write_text("a b c d e\n" * 3)
        return tmp_path

    @looped(
        "words",
        [
            ["t", "-o", "t/a.csv"],
            ["t/*.csv", "-o", "t/b.csv"],
            ["t/?.csv", "-o", "./t/a.csv"],
        ],
    )
    def test_tables(self, run, folder, words):
        before = {path: path.read_text() for path in folder.rglob("*.csv")}
        columns = ["--hypothesis-column", "mt", "--reference-column", "ref"]
        refused(run, "would overwrite an input", "score", *words, *columns, cwd=folder)
        assert before == {path: path.read_text() for path in folder.rglob("*.csv")}

    @looped("output", ["sys.x", "ref.x"])
    def test_sets(self, run, folder, output):
        words = ["sys.{set}", "-r", "ref.{set}", "--sets", "x", "-o", output]
        refused(run, "would overwrite an input", "score", *words, cwd=folder)

    def test_another_file_of_the_folder(self, run, folder):
        """A new file beside those that are read, or one that the pattern does not match."""
        (folder / "old.txt").write_text("x")
        columns = ["--hypothesis-column", "mt", "--reference-column", "ref"]
        assert run("score", "t/*.csv", *columns, "-o", "old.txt", cwd=folder)[0] == 0


@pytest.mark.skipif(sys.platform == "win32", reason="pipes are POSIX's")
class TestGates:
    """A gate that is not met is told by the exit code, whoever reads the output."""

    @pytest.mark.parametrize(
        ("words", "code"),
        [
            (["score", MEDIUM, "-r", REFERENCE, "--fail-under", "90"], 1),
            (["score", MEDIUM, "-r", REFERENCE, "--fail-under", "9"], 0),
            (["score", MEDIUM, "-r", REFERENCE, "--fail-under", "90", "-b"], 1),
            (
                [*("compare", MEDIUM, "--baseline", STRONG, "-r", REFERENCE), "--fail-if", "worse"],
                1,
            ),
        ],
    )
    def test_into_a_closed_pipe(self, words, code):
        reader, writer = os.pipe()
        os.close(reader)
        command = [sys.executable, "-m", "truebleu", *map(str, words)]
        done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, check=False)
        os.close(writer)
        assert done.returncode == code
        assert b"Exception" not in done.stderr
        assert (b"is below 90" in done.stderr or b"is worse" in done.stderr) == bool(code)

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
    def test_a_full_device_is_named(self, run):
        words = ["score", MEDIUM.name, "-r", REFERENCE.name, "-o", "/dev/full"]
        refused(run, "truebleu: /dev/full: No space left on device\n", *words)

    def test_worse_but_not_significantly(self, run, tmp_path):
        """An exit code of 0 is no praise."""
        lines = read_lines(MEDIUM)
        (tmp_path / "new").write_text("\n".join(["A bad line.", *lines[1:]]) + "\n")
        words = [tmp_path / "new", "--baseline", MEDIUM, "-r", REFERENCE]
        code, _, error = run("compare", *words, "--fail-if", "significantly-worse")
        assert code == 0
        assert "new: BLEU is worse, but not significantly: " in error


class TestTwoMetricsOfOneKind:
    """They are told apart by their settings, of lines and of tables."""

    METRICS = ("-m", "bleu", "bleu:lowercase", "chrf")

    @pytest.fixture
    def columns(self, tmp_path):
        rows = zip(read_lines(MEDIUM), read_lines(REFERENCE), strict=True)
        with open(tmp_path / "t.csv", "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([("mt", "ref"), *rows])
        return [tmp_path / "t.csv", "--hypothesis-column", "mt", "--reference-column", "ref"]

    @looped("command", ["score", "segments", "compare"])
    def test_tables_as_lines(self, run, columns, command):
        lines = [f"mt={MEDIUM}", "-r", REFERENCE]
        found = []
        for given in (lines, columns):
            code, out, error = run(command, *given, *self.METRICS, "-f", "json")
            assert (code, error) == (0, "")
            found.append(json.loads(out))
        assert found[0] == found[1]

    def test_engines(self):
        arrow = pytest.importorskip("truebleu.engines.arrow")
        import pyarrow as pa
        from truebleu import Bleu, SettingsError

        frame = pa.table({"mt": ["a b c d"], "ref": ["a b c d"]})
        with pytest.raises(SettingsError, match="two of the metrics are called BLEU"):
            arrow.corpus_score(frame, "mt", "ref", metric=["bleu", Bleu(lowercase=True)])


class TestEveryDigit:
    """CSV and TSV have as many digits as JSON, unless fewer are asked for."""

    @looped("name", ["csv", "tsv"])
    def test_segments(self, run, name):
        words = ["segments", MEDIUM.name, "-r", REFERENCE.name]
        delimiter = "," if name == "csv" else "\t"
        rows = table(run(*words, "-f", name)[1], delimiter)
        values = json.loads(run(*words, "-f", "json")[1])
        assert [float(row["bleu"]) for row in rows] == [value["score"] for value in values]
        rows = table(run(*words, "-f", name, "-w", "2")[1], delimiter)
        assert rows[1]["bleu"] == f"{values[1]['score']:.2f}"

    @looped("name", ["csv", "tsv"])
    def test_compare(self, run, name):
        words = ["compare", MEDIUM.name, STRONG.name, "-r", REFERENCE.name, "--margin", "1"]
        delimiter = "," if name == "csv" else "\t"
        tables = [
            table(each, delimiter) for each in run(*words, "-f", name)[1].split("\n\n") if each
        ]
        found = json.loads(run(*words, "-f", "json")[1])
        for row in tables[0]:
            system = found["systems"][row["system"]]
            assert float(row["BLEU"]) == system["score"]["score"]
            interval = system["interval"]
            assert json.loads(row["95% CI"]) == [interval["low"], interval["high"]]
        [row], [pair] = tables[1], found["pairs"]
        sign = 1 if row["pair"].startswith(pair["one"]) else -1
        assert float(row["difference"]) == sign * pair["delta"]
        assert float(row["p"]) == pair["p_value"]
        p_values = {float(value) for value in list(tables[2][0].values())[2:]}
        assert p_values == {pair["p_not_worse"], pair["p_not_better"], pair["p_equivalent"]}


class TestMessages:
    """Each names what is wrong, and the call to write."""

    GIVEN = (MEDIUM.name, "-r", REFERENCE.name)

    @looped(
        ("words", "said"),
        [
            (["--group-by", "documents.txt"], "write --units documents.txt --group-by documents"),
            (["--worst", "3"], "`truebleu segments ... --worst N`"),
            (["--echo", "src"], "`truebleu-sacrebleu -t NAME -l PAIR --echo src`"),
            (["-m", "bleu:tok=intl"], "did you mean tokenizer?"),
            (["--ci", "--by", "x"], "did you mean --confidence?; did you mean --group-by?"),
        ],
    )
    def test_of_score(self, run, words, said):
        refused(run, said, "score", *self.GIVEN, *words)

    def test_sources_of_segments(self, run):
        words = ["segments", *self.GIVEN, "--source", "source.de"]
        refused(run, "`truebleu report SYSTEM -r REFERENCE --sources FILE -o report.html`", *words)

    @looped(
        ("chart", "needed"),
        [
            ("pair", "a second system"),
            ("documents", "--units FILE with an ID on each line"),
            ("domains", "--domains FILE with one on each line"),
        ],
    )
    def test_charts(self, run, tmp_path, chart, needed):
        words = ["report", *self.GIVEN, "--chart", chart, "-o", tmp_path / "c.json"]
        refused(run, f"no chart '{chart}' in this report: it needs ", *words)
        refused(run, needed, *words)

    def test_a_chart_of_another_metric(self, run, tmp_path):
        words = ["report", *self.GIVEN, "-m", "ter", "--chart", "precision"]
        refused(run, "another metric than TER", *words, "-o", tmp_path / "c.json")

    def test_what_is_no_signature(self, run):
        signature = "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.0.0"
        refused(run, "tool 'garbage' is unknown", "audit", "--explain", "garbage", signature)
        refused(run, "SYSTEM is missing", "audit", "--explain", "nltk", signature)

    def test_all_of_json(self, run):
        words = ["explain", *self.GIVEN, "--all", "-f", "json"]
        refused(run, "--all is for text; json has all of it", *words)

    def test_no_time(self, run):
        code, out, _ = run("audit", *self.GIVEN, "--target", "99.98", "--max-seconds", "0")
        assert code == 0
        assert "none of these gives 99.98; time was up before the other " in out
        assert "--max-seconds" in out

    def test_runs_under_several_metrics(self, run):
        files = [f"{name}={path.name}" for name in "ab" for path in (MEDIUM, STRONG)]
        words = ["compare", *files, "-r", REFERENCE.name, "-m", "bleu", "chrf"]
        refused(run, "one metric at a time; run it for each: -m bleu, then -m chrf", *words)

    @looped(
        "words",
        [
            ["-t", "wmt24", "-l", "en-de", "-i", "out.txt"],
            ["ref.txt", "-i", "out.txt", "-m", "bleu"],
        ],
    )
    def test_a_line_for_sacrebleu(self, run, words):
        refused(run, "`truebleu-sacrebleu`, which takes the options of sacreBLEU", *words)
        refused(run, "write `truebleu score - ", *words)

    def test_segments_of_groups(self, run):
        words = ["score", *self.GIVEN, "--units", "documents.txt", "--group-by", "documents"]
        values = json.loads(run(*words, "-f", "json")[1])
        documents = read_lines(EXAMPLES / "documents.txt")
        assert {each["document"]: each["segments"] for each in values} == {
            name: documents.count(name) for name in documents
        }
        assert [int(row["segments"]) for row in table(run(*words, "-f", "tsv")[1])] == [
            each["segments"] for each in values
        ]


class TestStatistics:
    """Files of statistics beside texts, and as the baseline."""

    @pytest.fixture
    def saved(self, run, tmp_path):
        for path in (MEDIUM, STRONG):
            output = tmp_path / f"{path.name[7:13]}.jsonl"
            words = [f"{path.name[7:13]}={path}", "-r", REFERENCE, "--stats-out", output]
            assert run("segments", *words)[0] == 0
        return tmp_path

    def test_as_the_baseline(self, run, saved):
        words = ["compare", saved / "medium.jsonl", "--baseline", saved / "strong.jsonl"]
        code, out, _ = run(*words, "-f", "json")
        assert code == 0
        found = json.loads(out)
        assert (found["baseline"], list(found["systems"])) == ("strong", ["medium", "strong"])

    def test_beside_texts(self, run, saved):
        said = f"{saved}/strong.jsonl is a file of statistics, but {MEDIUM} is not"
        words = [MEDIUM, "--baseline", saved / "strong.jsonl", "-r", REFERENCE]
        refused(run, said, "compare", *words)
        refused(run, said, "compare", MEDIUM, "--baseline", saved / "strong.jsonl")

    def test_a_missing_file_beside_them(self, run, saved):
        words = ["compare", f"one={saved}/strong.jsonl", f"two={saved}/missing.jsonl"]
        refused(run, f"{saved}/missing.jsonl: No such file", *words)


class TestFarDown:
    """Files that are shifted from some line on, and lines that others would split."""

    @pytest.fixture
    def files(self, tmp_path):
        texts = [read_lines(path) for path in (STRONG, REFERENCE)]
        number = len(texts[0])
        lines = [
            [f"{text} {row // number} {row % 7}" for row, text in enumerate(each * 14)]
            for each in texts
        ]
        return tmp_path, *lines

    @looped(("cut", "by"), [(150, 1), (700, 1), (960, 1), (500, -1)])
    def test_shifted(self, run, files, cut, by):
        folder, system, reference = files
        middle = [] if by > 0 else ["A line that is too much."]
        shifted = [*system[:cut], *middle, *system[cut + (by > 0) :], "The end."][: len(reference)]
        (folder / "sys").write_text("\n".join(shifted) + "\n")
        (folder / "ref").write_text("\n".join(reference) + "\n")
        error = run("score", "sys", "-r", "ref", cwd=folder)[2]
        where = "below" if by > 0 else "above"
        said = (
            f"sys and ref: from about line {cut + 1 + (by < 0):,} on, hypotheses match references"
        )
        assert f"{said} 1 line {where}: a line is missing or too much there" in error
        assert error.count("warning") == 1

    def test_aligned(self, run, files):
        folder, system, reference = files
        (folder / "sys").write_text("\n".join(system) + "\n")
        (folder / "ref").write_text("\n".join(reference) + "\n")
        assert run("score", "sys", "-r", "ref", cwd=folder)[::2] == (0, "")

    def test_line_separators(self, run, files):
        """One on one side is said; on both sides in the same line, nothing is wrong."""
        folder, system, reference = files
        odd = [*system[:700], system[700].replace(" ", "\u2028", 1), *system[701:]]
        (folder / "sys").write_text("\n".join(odd) + "\n")
        (folder / "ref").write_text("\n".join(reference) + "\n")
        error = run("score", "sys", "-r", "ref", cwd=folder)[2]
        assert error.count("sys, line 701 has a line separator (U+2028)") == 1
        assert run("score", "sys", "-r", "ref", "--quiet", cwd=folder)[2] == ""
        (folder / "other").write_text("\n".join(odd) + "\n")
        assert "U+2028" not in run("score", "sys", "-r", "other", cwd=folder)[2]
        (folder / "short").write_text("\n".join(odd[:-1]) + "\n")
        said = "short, line 701 has a line separator (U+2028)"
        refused(run, said, "score", "short", "-r", "ref", cwd=folder)


class TestTables:
    """Tables that have no header, and lines that are no JSON."""

    def test_without_a_header(self, run, tmp_path):
        (tmp_path / "t.tsv").write_text("Getting started\tGetting started\nHelp\tHelp\n")
        words = ["t.tsv", "--hypothesis-column", "1", "--reference-column", "2"]
        said = "line 1: 'Getting started' may be a text, or the name of column 1: if it is a text,"
        refused(run, f"{said} add --no-header", "score", *words, cwd=tmp_path)
        assert run("score", *words, "--no-header", cwd=tmp_path)[0] == 0

    def test_broken_lines(self, run, tmp_path):
        line = '{"mt": "a b c d", "ref": "a b c d"}\n'
        broken = [line] * 200
        for number in (120, 150, 180):
            broken[number - 1] = line[:20] + "\n"
        (tmp_path / "t.jsonl").write_text("".join(broken))
        words = ["t.jsonl", "--hypothesis-column", "mt", "--reference-column", "ref"]
        said = "t.jsonl, line 120 is not a JSON object, nor are lines 150, 180; `jq -cR "
        refused(run, said, "score", *words, cwd=tmp_path)
        broken[149] = broken[179] = line
        (tmp_path / "t.jsonl").write_text("".join(broken))
        said = "line 120 is not a JSON object; `jq -cR 'fromjson? | objects' t.jsonl > "
        refused(run, said, "score", *words, cwd=tmp_path)


class TestNames:
    """Names that Python has not, and the call to write."""

    @looped("name", ["duckdb", "pandas", "polars", "spark"])
    def test_modules(self, name):
        with pytest.raises(ImportError, match=f"no attribute '{name}'; write "):
            __import__("truebleu", fromlist=[name])

    def test_attributes(self):
        import truebleu

        arrow = pytest.importorskip("truebleu.engines.arrow")
        with pytest.raises(AttributeError, match=r"write truebleu.compare\(frame\[\['a', 'b'\]\]"):
            _ = arrow.compare
        with pytest.raises(AttributeError, match="write choice"):
            _ = truebleu.mbr(["a b", "a c"]).text
        with pytest.raises(TypeError, match="DistributedSampler repeats"):
            truebleu.Accumulator().add(["a"], ["a"], ids=[1])
        with pytest.raises(TypeError, match="audit"):
            truebleu.corpus_bleu([["a", "b"]], [["a", "b"]])
