"""``score --sets``: a table of systems and test sets."""

import json

import pytest
from project import EXAMPLES
from truebleu import corpus_bleu, corpus_ter, read_lines
from truebleu.cli import main

SYSTEMS = ("weak", "medium", "strong")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Make two sets, of which the second lacks a system and has fewer segments."""
    monkeypatch.chdir(tmp_path)
    for name, systems, size in (("news", SYSTEMS, 72), ("talks", SYSTEMS[:2], 30)):
        (tmp_path / name).mkdir()
        for source, path in [
            *((f"system-{system}.en", f"sys.{system}.{name}") for system in systems),
            ("reference-a.en", "ref.a"),
            ("reference-b.en", "ref.b"),
        ]:
            lines = read_lines(EXAMPLES / source)[:size]
            (tmp_path / name / path).write_text("\n".join(lines) + "\n", "utf-8")
    return tmp_path


def run(capsys, *words):
    code = main(["score", *words])
    return code, *capsys.readouterr()


def wanted(folder, name, system, metric=corpus_bleu):
    lines = [read_lines(folder / name / file) for file in (f"sys.{system}.{name}", "ref.a")]
    return metric(*lines).score


SETS = ["--sets", "news", "talks"]
GIVEN = ["{set}/sys.*.{set}", "-r", "{set}/ref.a", *SETS]


def test_a_table_of_systems_and_sets(folder, capsys):
    """Each score is that of the set alone; only a system that has all sets has an average."""
    code, out, _ = run(capsys, *GIVEN, "-m", "bleu", "ter", "-f", "json")
    assert code == 0
    values = {each["system"]: each for each in json.loads(out)}
    assert sorted(values) == sorted(SYSTEMS)
    for identifier, metric in (("bleu", corpus_bleu), ("ter", corpus_ter)):
        for system in SYSTEMS:
            found = values[system][identifier]
            sets = {name: each["score"] for name, each in found["sets"].items()}
            names = ["news"] if system == "strong" else ["news", "talks"]
            assert sets == {name: wanted(folder, name, system, metric) for name in names}
            mean = None if system == "strong" else sum(sets.values()) / 2
            assert found["average"] == mean
    _, out, _ = run(capsys, *GIVEN, "-f", "tsv")
    header, *rows = [line.split("\t") for line in out.splitlines()]
    assert header == ["system", "news", "talks", "average"]
    assert {row[0]: row[2:] for row in rows}["strong"] == ["", ""]
    _, out, _ = run(capsys, *GIVEN)
    assert "a system that lacks a set has no average" in out


def test_names_and_several_references(folder, capsys):
    """Systems may be named, one by one; references may be a pattern."""
    words = ["mine={set}/sys.weak.{set}", "{set}/sys.strong.{set}", "-r", "{set}/ref.?", *SETS]
    code, out, _ = run(capsys, *words, "-f", "jsonl")
    assert code == 0
    assert [json.loads(line)["system"] for line in out.splitlines()] == ["mine", "sys.strong.{set}"]
    assert "nrefs:2" in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["news/sys.weak.news", "-r", "{set}/ref.a", *SETS], "news/sys.weak.news has no {set}"),
        (["{set}/sys.*.{set}", "-r", "news/ref.a", *SETS], "news/ref.a has no {set}"),
        (["{set}/none", "{set}/sys.*.{set}", "-r", "{set}/ref.a", *SETS], "No such file"),
        ([*GIVEN, "more"], "--sets more: there is no output of a system for it"),
        ([*GIVEN, "--confidence"], "--sets and --confidence cannot be combined"),
        ([*GIVEN, "--units", "segments"], "--sets and --units cannot be combined"),
        ([*GIVEN, "-b"], "--sets and --score-only cannot be combined"),
        (["{set}/sys.*.{set}", "-r", "{set}/none", *SETS], "news/none: No such file"),
    ],
)
def test_what_is_refused(folder, capsys, words, said):
    """What cannot be of a set is named."""
    code, out, err = run(capsys, *words)
    assert (code != 0, out) == (True, "")
    assert said in err
