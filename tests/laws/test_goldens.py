"""Numbers that sacreBLEU 2.6.0 has computed once and for all."""

import csv
import functools
import json
import subprocess
import sys
from importlib import metadata

import pytest
from looping import later
from project import DATA, ROOT
from truebleu import Bleu, Chrf, Ter
from truebleu.metrics.ter.score import UNITS

# Whatever a tokenizer is for, sacreBLEU has scored all languages with it.
pytestmark = pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning")

EXAMPLES = ROOT / "examples"
GOLDEN = ROOT / "tests" / "golden"

# Tokenizer, lower case, smoothing.
CORPUS_SETTINGS = [
    *(("13a", "False", "exp"), ("13a", "False", "none"), ("13a", "False", "floor")),
    *(("13a", "False", "add-k"), ("13a", "True", "exp"), ("none", "False", "exp")),
    *(("intl", "False", "exp"), ("char", "False", "exp"), ("zh", "False", "exp")),
    *(("zh", "True", "exp"), ("ja-mecab", "False", "exp"), ("ja-mecab", "True", "exp")),
]
SENTENCE_SETTINGS = [
    (smoothing, effective_order)
    for smoothing in ("exp", "none", "floor", "add-k")
    for effective_order in ("True", "False")
]


def table(path, quoting=csv.QUOTE_NONE):
    """Read a table; lines that begin with # say where it comes from."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = (line for line in file if not line.startswith("#"))
        return list(csv.DictReader(rows, delimiter="\t", quoting=quoting))


def shared_table(name, quoting=csv.QUOTE_NONE):
    """Read a table of the shared data, or skip the test."""
    if not (DATA / name).is_file():
        pytest.skip(f"there is no {name} in {DATA}; TRUEBLEU_DATA names the folder it is in")
    return table(DATA / name, quoting)


@functools.cache
def lines(*path):
    """Read a file of segments; only a line feed ends one."""
    text = DATA.joinpath(*path).read_bytes().decode("utf-8")
    return text.removesuffix("\n").split("\n")


def corpus(row):
    """Return the hypotheses and the references of a row."""
    folder = row["set"], row["pair"]
    streams = [lines(*folder, f"ref.{name}.txt") for name in row["refs"].split("+")]
    return lines(*folder, f"sys.{row['system']}.txt"), list(zip(*streams, strict=True))


def numbers(row):
    """List what is in a row: counts, totals, lengths, brevity penalty, score.

    With add-k sacreBLEU shows 1 added to counts and totals above order 1, unless nothing matches.
    """
    names = "counts", "totals"
    counts, totals = (list(map(int, row[name].split())) for name in names)
    if row["smooth"] == "add-k" and any(counts):
        counts[1:], totals[1:] = ([number - 1 for number in each[1:]] for each in (counts, totals))
    score = row["score"]
    if score == "100.00000000000004":
        score = "100.0"  # A perfect score is exactly that.
    lengths = int(row["sys_len"]), int(row["ref_len"])
    return (tuple(counts), tuple(totals), *lengths, row["bp"], score)


def own_numbers(score):
    """List the same of a score."""
    lengths = score.hyp_len, score.ref_len
    return (
        score.counts,
        score.totals,
        *lengths,
        repr(score.brevity_penalty),
        repr(score.score),
    )


@pytest.mark.parametrize(("tokenizer", "lowercase", "smoothing"), CORPUS_SETTINGS)
def test_systems_of_shared_tasks(tokenizer, lowercase, smoothing):
    """Every number of every system's score is sacreBLEU's, to the last bit."""
    chosen = tokenizer, lowercase, smoothing
    bleu = Bleu(tokenizer=tokenizer, lowercase=lowercase == "True", smoothing=smoothing)
    rows = [
        row
        for row in shared_table("golden.tsv")
        if (row["tokenizer"], row["lowercase"], row["smooth"]) == chosen
    ]
    assert len(rows) >= 12
    for row in rows:
        assert own_numbers(bleu.corpus(*corpus(row))) == numbers(row), row
        assert Bleu.from_signature(row["signature"]) == bleu._scoped(segment=False)


def test_all_settings_of_the_shared_tables_are_tested():
    """No row is left out."""
    rows = shared_table("golden.tsv")
    names = "tokenizer", "lowercase", "smooth"
    assert {tuple(row[name] for name in names) for row in rows} == set(CORPUS_SETTINGS)
    sentences = shared_table("golden_sent.tsv")
    assert {(row["smooth"], row["effective_order"]) for row in sentences} == set(SENTENCE_SETTINGS)


@pytest.mark.parametrize(("smoothing", "effective_order"), SENTENCE_SETTINGS)
def test_sentences_of_shared_tasks(smoothing, effective_order):
    """Every number of every sentence's score is sacreBLEU's, one by one and in one call."""
    bleu = Bleu(smoothing=smoothing, effective_order=effective_order == "True")
    by_system = {}
    for row in shared_table("golden_sent.tsv"):
        if (row["tokenizer"], row["smooth"]) != ("13a", smoothing):
            continue
        if row["effective_order"] == effective_order:
            key = row["set"], row["pair"], row["system"], row["refs"]
            by_system.setdefault(key, []).append(row)
    assert len(by_system) > 5
    for rows in by_system.values():
        every = list(zip(*corpus(rows[0]), strict=True))
        pairs = [every[int(row["line"]) - 1] for row in rows]
        for row, pair in zip(rows, pairs, strict=True):
            assert own_numbers(bleu.segment(*pair)) == numbers(row), row
        scores = bleu.segments(*zip(*pairs, strict=True)).tolist()
        assert list(map(repr, scores)) == [numbers(row)[-1] for row in rows]


def sacrebleu_row(metric, row):
    """Return a row as sacreBLEU has it; for TER, the number of edits and a length in words."""
    numbers = list(row.values())
    return [sum(numbers[:4]), numbers[4] / UNITS] if isinstance(metric, Ter) else numbers


@pytest.mark.parametrize(("name", "kind"), [("chrf", Chrf), ("ter", Ter)])
def test_other_metrics_on_shared_tasks(name, kind):
    """Scores of chrF and TER are sacreBLEU's, to the last bit, and so are the sums of their rows.

    With three references, sacreBLEU adds up rounded lengths for TER. These, and the score, may
    differ in the last digit from the exact quotient; edits may not.
    """
    rows = shared_table("golden_chrf_ter.tsv", csv.QUOTE_MINIMAL)
    rows = [row for row in rows if row["metric"] == name]
    assert len(rows) == {"chrf": 328, "ter": 205}[name]
    for row in rows:
        metric = kind(**json.loads(row["settings"]))
        hypotheses, references = corpus(row)
        size = int(row["segments"])
        score = metric.corpus(hypotheses[:size], references[:size])
        expected = list(map(float, row["row"].split()))
        found = sacrebleu_row(metric, score.row)
        if name == "ter" and len(row["refs"].split("+")) == 3:
            assert found[0] == expected[0]
            assert found[1] == pytest.approx(expected[1], rel=1e-14)
            assert score.score == 100 * (score.edits / score.ref_len)
            assert score.score == pytest.approx(float(row["score"]), rel=1e-14)
        else:
            assert found == expected, row
            assert repr(score.score) == row["score"], row
        assert metric.score(metric.stats(hypotheses[:size], references[:size])) == score


# Scores that sacreBLEU 2.6.0 takes minutes to compute.
PARAGRAPHS = {
    "ONLINE-A": (
        "69.72734981272592",
        "67.61882126743059",
        "44.18194945848376",
        "38.33520699936459",
    ),
    "GPT4-5shot": (
        "69.11478500109838",
        "66.95139342839913",
        "44.61227436823105",
        "38.64313993841341",
    ),
}


@pytest.mark.parametrize("system", PARAGRAPHS)
def test_paragraphs(system):
    """Segments of hundreds of words are scored as sacreBLEU scores them."""
    row = {"set": "generaltest2023", "pair": "en-de", "system": system, "refs": "refA"}
    if not (DATA / row["set"]).is_dir():
        pytest.skip(f"there is no {row['set']} in {DATA}; TRUEBLEU_DATA names the folder it is in")
    metrics = Chrf(), Chrf(word_order=2), Ter(), Ter(normalized=True, asian_support=True)
    scores = tuple(repr(metric.corpus(*corpus(row)).score) for metric in metrics)
    assert scores == PARAGRAPHS[system]


class TestExamples:
    """The same for the systems in examples/, which are everywhere."""

    ROWS = table(GOLDEN / "examples.tsv")

    def test_the_score_in_the_readme_of_the_examples(self):
        """What examples/README.md promises is in the table."""
        promise = (EXAMPLES / "README.md").read_text("utf-8").split("BLEU scores to expect")[1]
        for row in self.ROWS:
            if row["segment"] == "all" and row["references"] == "a+b":
                default = (row["tokenizer"], row["lowercase"], row["smoothing"])
                if default == ("13a", "0", "exp"):
                    assert f"{float(row['score']):.2f} ({row['system']})" in promise


@pytest.mark.skipif(
    sys.version_info >= (3, 12), reason="from Python 3.12 on sum() moves sacreBLEU's last bit"
)
@pytest.mark.parametrize("name", ["examples", "formulas", "nltk_sentences", later("edits")])
def test_tables_are_what_their_scripts_print(name):
    """The script that made a table makes the same one again."""
    assert metadata.version("sacrebleu") == "2.6.0"
    done = subprocess.run(
        [sys.executable, GOLDEN / f"make_{name}.py"], capture_output=True, check=True, timeout=600
    )
    table = (GOLDEN / f"{name}.tsv").read_text("utf-8").splitlines()
    # The versions of NumPy and NLTK are in the comments.
    numbers = [line for line in table if not line.startswith("#")]
    printed = done.stdout.decode().splitlines()
    assert [line for line in printed if not line.startswith("#")] == numbers
