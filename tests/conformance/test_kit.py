"""The kit is what it says it is, and this package passes it in every way of scoring."""

import json
import re
import subprocess
import sys
from hashlib import sha256

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import truebleu
from project import DATA, EXAMPLES, GOLDEN, ROOT
from truebleu.cli import main
from truebleu.cli.metric_words import write_settings
from truebleu.conformance import verdict
from truebleu.conformance.cases import FOLDER, LEVELS, Data, manifest, question, read_cases
from truebleu.engines import arrow
from truebleu.engines import duckdb as sql

sys.path.append(str(EXAMPLES / "adapters"))
import of_truebleu  # An adapter is where its readers look for it.

# The cases are few and odd on purpose.
pytestmark = [
    pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning"),
    pytest.mark.filterwarnings("ignore::truebleu.SmallSampleWarning"),
]

WITHOUT_FILES = [level for level in LEVELS if level != "wmt"]
CASES = [(case, question(case, Data(None))) for case in read_cases(WITHOUT_FILES)]
SCORES = [
    (case, asked)
    for case, asked in CASES
    if asked["answer"] == "score" and "score" in case["expect"]
]


def options_of(asked):
    """Write the metric of a case and its settings as a word of the command."""
    settings = of_truebleu.settings_of(asked)
    words = {name: each if each is True else str(each) for name, each in settings.items()}
    given = write_settings(words)
    return ["-m", f"{asked['metric']}:{given}" if given else asked["metric"]]


class Ways:
    """The ways to score a corpus; each returns None for what cannot be given to it."""

    def __init__(self, folder, capsys, connection):
        self._folder, self._capsys, self._connection = folder, capsys, connection
        self._prefixes = {}

    def by_lists(self, metric, asked):
        return metric.corpus(asked["hyp"], asked["refs"])

    def by_streams(self, metric, asked):
        if len(set(map(len, asked["refs"]))) == 1:
            return metric.corpus(asked["hyp"], reference_streams=zip(*asked["refs"], strict=True))
        return None

    def by_sentence(self, metric, asked):
        if len(asked["hyp"]) == 1:
            return metric._scoped(segment=False).segment(asked["hyp"][0], asked["refs"][0])
        return None

    def by_all_sentences(self, metric, asked):
        if len(asked["hyp"]) == 1:
            return metric._scoped(segment=False).segments(asked["hyp"], asked["refs"])[0]
        return None

    def by_sums(self, metric, asked):
        rows = metric.stats(asked["hyp"], asked["refs"])
        return metric.score(sum(reversed(list(rows))))

    def by_arrow(self, metric, asked):
        table = self.table(asked)
        return metric.corpus(table["mt"], table["refs"])

    def by_pandas(self, metric, asked):
        frame = pd.DataFrame({"mt": asked["hyp"], "refs": asked["refs"]})
        return arrow.corpus_score(frame, "mt", "refs", metric=metric)

    def by_polars(self, metric, asked):
        frame = pl.from_arrow(self.table(asked)).lazy()
        return arrow.corpus_score(frame, "mt", "refs", metric=metric)

    def by_duckdb(self, metric, asked):
        prefix = self._prefixes.get(metric)
        if prefix is None:
            prefix = self._prefixes[metric] = f"m{len(self._prefixes)}_"
            sql.register(self._connection, metric=metric, prefix=prefix)
        self._connection.register("data", self.table(asked))
        score = f"SELECT {prefix}{metric.identifier}_corpus_score(mt, refs) FROM data"
        return self._connection.sql(score).fetchall()[0][0]

    def by_command(self, _, asked):
        columns = [asked["hyp"], *zip(*asked["refs"], strict=False)]
        if len(set(map(len, asked["refs"]))) > 1 or any("\n" in text for text in asked["hyp"]):
            return None
        paths = [self._folder / f"{number}.txt" for number in range(len(columns))]
        for path, texts in zip(paths, columns, strict=True):
            path.write_bytes("".join(f"{text}\n" for text in texts).encode())
        system, *references = map(str, paths)
        words = [system, "-r", *references, *options_of(asked), "--as-text", "-f", "json", "-q"]
        assert main(["score", *words]) == 0
        [row] = json.loads(self._capsys.readouterr().out)
        return row["score"]

    @staticmethod
    def table(asked):
        refs = pa.array(asked["refs"], pa.list_(pa.string()))
        return pa.table({"mt": pa.array(asked["hyp"], pa.string()), "refs": refs})


@pytest.mark.parametrize("way", [name for name in vars(Ways) if name.startswith("by_")])
def test_every_way_to_score_passes_all_cases_to_the_bit(way, tmp_path, capsys):
    """Lists, streams, sentences, sums, Arrow, engines and the command give the expected bits."""
    grades = {}
    with duckdb.connect() as connection:
        score = getattr(Ways(tmp_path, capsys, connection), way)
        for case, asked in SCORES:
            found = score(of_truebleu.metric_of(asked), asked)
            if found is not None:
                grades[case["id"]] = verdict.grade(case, {"score": float(found)})
    assert {name: grade for name, grade in grades.items() if grade != "equal"} == {}
    assert len(grades) > len(SCORES) / 2


def test_everything_else_that_is_asked_is_answered_to_the_bit():
    """Tokens, signatures, resampled scores, p-values and refusals are those of the kit."""
    others = [pair for pair in CASES if pair not in SCORES]
    assert {asked["answer"] for _, asked in others} == {
        *("score", "tokens", "signature", "scores", "p_value"),
    }
    wrong = {}
    for case, asked in others:
        try:
            answer = {asked["answer"]: of_truebleu.answer(asked)}
        except truebleu.TruebleuError as error:
            answer = {"error": str(error)}
        if verdict.grade(case, answer) != "equal":
            wrong[case["id"]] = answer
    assert wrong == {}


def test_counts_and_lengths_are_those_of_the_kit():
    """What a case says about its score is what the score says of itself."""
    names = {"edits": "edits", "hyp_len": "hyp_len", "ref_len": "ref_len"}
    compared = 0
    for case, asked in SCORES:
        score = of_truebleu.metric_of(asked).corpus(asked["hyp"], asked["refs"])
        for name in case["expect"].keys() - {"score"}:
            found = getattr(score, names.get(name, name))
            known = case["expect"][name]
            assert (list(found) if isinstance(known, list) else found) == known, case["id"]
            compared += 1
    assert compared > 900


def test_outputs_of_wmt_systems(capsys):
    """The same holds for real systems, whose files are found by their checksums."""
    if not DATA.is_dir():
        pytest.skip(f"there is no {DATA}; TRUEBLEU_DATA names the folder with WMT data")
    data = Data(str(DATA))
    cases = [case for case in read_cases(["wmt"]) if data.has(case)]
    assert len(cases) > 90
    for case in cases:
        found = of_truebleu.answer(question(case, data))
        assert verdict.grade(case, {"score": found}) == "equal", case["id"]


def json_lines(name):
    """Return the cases of a file that need no outputs of systems."""
    cases = map(json.loads, (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines())
    return [case for case in cases if case["level"] != "wmt"]


class TestFiles:
    """What the manifest promises about the files."""

    def test_the_manifest_describes_the_files(self):
        """Files, checksums, sizes and numbers of cases are those that are there."""
        files = manifest()["files"]
        assert {path.name for path in FOLDER.iterdir()} == {"manifest.json", *files}
        for name, described in files.items():
            content = (FOLDER / name).read_bytes()
            assert described["sha256"] == sha256(content).hexdigest()
            assert described["bytes"] == len(content)
            levels = [json.loads(line)["level"] for line in content.splitlines()]
            assert described["cases"] == {
                level: levels.count(level) for level in LEVELS if level in levels
            }
        assert sum(described["bytes"] for described in files.values()) < 1_000_000
        assert manifest()["license"] == "Apache-2.0"
        assert tuple(manifest()["levels"]) == LEVELS

    def test_the_pages_say_how_many_cases_there_are(self):
        """The page has the number of each level; it and the README have that of all."""
        levels = [case["level"] for case in read_cases()]
        page = (ROOT / "docs" / "conformance.md").read_text("utf-8")
        assert re.findall(r"(?m)^\| `(\w+)` \| (\d+) \|", page) == [
            (level, str(levels.count(level))) for level in LEVELS
        ]
        for path in ("docs/conformance.md", "README.md", "CHANGELOG.md"):
            assert f" {len(levels)} cases" in (ROOT / path).read_text("utf-8"), path

    def test_the_table_of_the_tools_has_sums(self):
        """What was answered is the sum of its grades, and all tools were asked the same."""
        page = (ROOT / "tests" / "conformance" / "tools.md").read_text("utf-8")
        table = page.partition("<!-- peers:begin -->")[2].partition("<!-- peers:end -->")[0]
        rows = [[cell.strip() for cell in row.split("|")[1:-1]] for row in table.split("\n")[3:-1]]
        assert len({row[0] for row in rows}) == 9
        sizes = {name: len(json_lines(name)) for name in {row[2] for row in rows}}
        for tool, version, file, answered, *grades in rows:
            *judged, skipped = map(int, grades)
            if tool == "truebleu":
                assert (version, judged) == (truebleu.__version__, [sizes[file], 0, 0, 0])
            assert int(answered) == sum(judged), tool
            assert int(answered) + skipped == sizes[file], (tool, file)

    def test_cases_are_complete(self):
        """Each has an id of its own in its file, a law, an origin, and an answer with its bits."""
        cases = read_cases()
        assert len({case["id"] for case in cases}) == len(cases)
        for case in cases:
            texts = {"text"} if case["answer"] == "tokens" else {"hyp", "refs"}
            texts = {"files"} if case["level"] == "wmt" else texts
            known = {"id", "level", "law", "metric", "answer", "settings", "expect", "from"}
            assert known | texts <= case.keys(), case["id"]
            assert case["law"].endswith(".")
            assert len(case["law"]) <= 90
            assert ("bits" in case) == bool({"score", "scores", "p_value"} & case["expect"].keys())
            assert case["settings"].keys() <= manifest()["defaults"][case["metric"]].keys()

    def test_nothing_is_from_this_package(self):
        """Every expected value comes from another tool, or is that there is none."""
        for case in read_cases():
            tool = case["from"].removeprefix("definition; ")
            assert tool.startswith("sacrebleu 2.6.0")
            assert ("definition" in case["from"]) == ("error" in case["expect"])

    def test_a_program_is_told_all_settings_and_no_answer(self):
        """Defaults are filled in; what is expected, and why, stays here."""
        [(case, asked)] = [pair for pair in CASES if pair[0]["id"] == "bleu/short-but-perfect"]
        assert asked == {
            "id": "bleu/short-but-perfect",
            "metric": "bleu",
            "answer": "score",
            "settings": manifest()["defaults"]["bleu"],
            "hyp": ["a b c d"],
            "refs": [["a b c d e"]],
        }
        assert case["expect"]["score"] == 77.88007830714052
        assert case["bits"] == "4053785333f6c59b"

    def test_rules_of_long_texts(self):
        """A rule stands for the text that it says."""
        from truebleu.conformance.cases import text_of

        assert text_of("a b") == "a b"
        assert text_of({"repeat": "a b ", "times": 3}) == "a b a b a b "
        assert text_of({"words": 4, "start": 3, "step": 2, "modulo": 7}) == "3 5 0 2"

    @pytest.mark.campaign
    def test_the_peers_say_so_again(self):
        """The script that made the kit makes the same one, without the outputs of WMT systems."""
        command = [sys.executable, GOLDEN / "make_conformance.py", "--check"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
        assert (done.returncode, done.stderr) == (0, "")


NUMBER = {
    "answer": "score",
    "expect": {"score": 50.0, "counts": [1, 2], "hyp_len": 3},
    "bits": "4049000000000000",
}
SEVERAL = {
    "answer": "scores",
    "expect": {"scores": [50.0, 100.0]},
    "bits": ["4049000000000000", "4059000000000000"],
}


class TestGrades:
    """How an answer is compared."""

    @pytest.mark.parametrize(
        ("answer", "grade"),
        [
            ({"score": 50.0}, "equal"),
            ({"score": 50}, "equal"),
            ({"score": 50.00000000000001}, "within"),
            ({"score": 50.0000000009}, "within"),
            ({"score": 50.000000002}, "wrong"),
            ({"score": 50.004, "decimals": 2}, "rounded"),
            ({"score": 50.006, "decimals": 2}, "wrong"),
            ({"score": 50.0, "decimals": 2}, "equal"),
            ({"score": -50.0}, "wrong"),
            ({"score": 50.0, "counts": [1, 2], "hyp_len": 3}, "equal"),
            ({"score": 50.0, "counts": [1, 3]}, "wrong"),
            ({"error": "no"}, "wrong"),
            ({"skip": "no"}, "skipped"),
        ],
    )
    def test_of_numbers(self, answer, grade):
        """Equal to the bit, within 1e-9, as exact as the program says it is, or wrong."""
        assert verdict.grade(NUMBER, answer) == grade

    @pytest.mark.parametrize(
        ("scores", "grade"),
        [
            ([50.0, 100.0], "equal"),
            ([50.0, 100.00000000000001], "within"),
            ([50.0000001, 100.0], "wrong"),
            ([50.0], "wrong"),
        ],
    )
    def test_of_several(self, scores, grade):
        """The worst of several counts, and none may be missing."""
        assert verdict.grade(SEVERAL, {"scores": scores}) == grade

    def test_zero_has_no_sign(self):
        """-0.0 is not equal to the bit, but within."""
        case = {"answer": "score", "expect": {"score": 0.0}, "bits": "0000000000000000"}
        assert verdict.grade(case, {"score": -0.0}) == "within"

    @pytest.mark.parametrize(
        ("signature", "grade"),
        [
            ("case:lc|smooth:floor[0.10]", "equal"),
            ("BLEU|smooth:floor[0.1]|case:lc|order:4|version:x", "equal"),
            ("case:mixed|smooth:floor[0.10]", "wrong"),
            ("smooth:floor[0.10]", "wrong"),
            ("case:lc|smooth:floor[0.2]", "wrong"),
            ("case:lc|smooth:floor[x]", "wrong"),
        ],
    )
    def test_of_signatures(self, signature, grade):
        """A signature has at least the expected fields, in any order."""
        case = {"answer": "signature", "expect": {"signature": "case:lc|smooth:floor[0.10]"}}
        assert verdict.grade(case, {"signature": signature}) == grade

    @pytest.mark.parametrize(
        ("answer", "grade"), [({"error": "no"}, "equal"), ({"score": 0.0}, "wrong")]
    )
    def test_of_refusals(self, answer, grade):
        """What has no score must be refused."""
        assert verdict.grade({"answer": "score", "expect": {"error": True}}, answer) == grade

    @pytest.mark.parametrize("number", range(0, len(CASES), 7))
    def test_a_changed_expectation_is_noticed(self, number):
        """The right answer to a case is wrong as soon as another one is expected."""
        case, asked = CASES[number]
        [key] = {"score", "scores", "p_value", "tokens", "signature", "error"} & case[
            "expect"
        ].keys()
        if key == "error":
            answer, changed = {"error": "no"}, {"score": 0.0}
            mutated = case | {"expect": changed, "bits": "0" * 16}
        else:
            answer = {asked["answer"]: of_truebleu.answer(asked)}
            other = {"tokens": ["x"], "signature": "case:x", "scores": [1.5] * 5}.get(key, 61.25)
            mutated = case | {"expect": {key: other}, "bits": "x"}
            mutated["bits"] = ["x"] * 5 if key == "scores" else "x"
        assert verdict.grade(case, answer) == "equal"
        assert verdict.grade(mutated, answer) == "wrong"
