"""Tables and JSON for programs: numbers that any program reads, from every command."""

import csv
import io
import json
import random
import re

import pytest
from truebleu.cli.arguments import COMMANDS, command_parser
from truebleu.display.formats import FORMATS

pytestmark = pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning")
UNITS = 2000
TEXTS = "a", "b", "-r", "ref"
# What each command that has formats is called with.
CALLS = {
    "audit": [
        ["a", "-r", "ref"],
        ["a", "-r", "ref", "--explain", "sacrebleu", "nltk"],
        ["a", "-r", "ref", "--target", "60.2", "--max-seconds", "1e-9"],
    ],
    "check": [["truebleu:sentence_bleu", "--level", "core"]],
    "compare": [[*TEXTS, "-m", "bleu", "chrf"]],
    "data": [["list"]],
    "explain": [["a", "-r", "ref", "-m", name] for name in ("bleu", "chrf", "ter")],
    "mbr": [["samples.jsonl"]],
    "merge": [["part.jsonl"]],
    "meta": [
        ["gold", "X=scores", "--n-resamples", "9", "--n-trials", "9"],
        ["wmt", "-l", "en-de", "-m", "bleu", "--write", "wmt", "--overwrite"],
    ],
    "score": [
        [*TEXTS, "-m", "bleu", "chrf", "ter"],
        [*TEXTS, "--units", "documents", "--group-by", "documents"],
    ],
    "segments": [[*TEXTS, "-m", "bleu", "ter"]],
    "tokenize": [["a"]],
}
# Thousands, the mark of a p-value, and a dash for a minus.
NOT_PLAIN = re.compile(r"(?<![\d.])\d{1,3}(,\d{3})+(?!\d)|[†‡]|[‐-―−]\d")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Write two systems, their references, and what else the commands read."""
    folder, chance = tmp_path_factory.mktemp("plain"), random.Random(1)
    words = [f"w{number}" for number in range(50)]
    texts = {"ref": [chance.choices(words, k=12) for _ in range(UNITS)]}
    for name, changed in (("a", 0.2), ("b", 0.3)):
        texts[name] = [
            [chance.choice(words) if chance.random() < changed else word for word in text]
            for text in texts["ref"]
        ]
    lines = {name: [" ".join(text) for text in several] for name, several in texts.items()}
    lines["documents"] = [f"d{number // 1000}" for number in range(UNITS)]
    for name in ("gold", "scores"):
        lines[name] = [f"{system}\t{chance.random()}" for system in "AB" for _ in range(UNITS)]
    lines["samples.jsonl"] = [json.dumps({"key": 1, "text": text}) for text in lines["a"]]
    for path, name in (
        ("sources/en-de.txt", "ref"),
        ("references/en-de.refA.txt", "ref"),
        ("system-outputs/en-de/A.txt", "a"),
        ("system-outputs/en-de/B.txt", "b"),
    ):
        lines[f"wmt/{path}"] = lines[name]
    lines["wmt/documents/en-de.docs"] = [f"news\td{number}" for number in range(UNITS)]
    for name, several in lines.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("".join(f"{line}\n" for line in several), "utf-8")
    return folder


def cells(out, form):
    """Return all cells of a table, or all texts of a document."""
    if form == "json":
        return list(leaves(json.loads(out)))
    if form == "jsonl":
        return [leaf for line in out.splitlines() for leaf in leaves(json.loads(line))]
    if form == "tsv":
        return [cell for line in out.splitlines() for cell in line.split("\t")]
    return [cell for row in csv.reader(io.StringIO(out)) for cell in row]


def leaves(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from leaves(each)
    elif isinstance(value, str):
        yield value


def test_every_command_with_formats():
    """Whoever adds a command with formats says here how it is called."""
    assert {name for name in COMMANDS if "-f" in command_parser(name).options} == set(CALLS)


@pytest.mark.parametrize(
    "form", [name for name, each in FORMATS.items() if each.plain or each.of_values]
)
@pytest.mark.parametrize("command", CALLS)
def test_plain_numbers(command, form, folder, run):
    """No cell has a separator of thousands, a dagger, or a minus that is not ASCII.

    Sentences, which end with a period, are for people.
    """
    if command == "merge":
        run("score", *TEXTS, "--stats-out", "part.jsonl", cwd=folder)
    for words in CALLS[command]:
        code, out, error = run(command, *words, "-f", form, cwd=folder)
        assert (code, bool(out)) == (int(command == "check"), True), error
        found = [cell for cell in cells(out, form) if not cell.endswith(".")]
        assert [cell for cell in found if NOT_PLAIN.search(cell)] == []
