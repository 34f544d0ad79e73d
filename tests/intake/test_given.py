"""What was given: frozen, and read in one place, by commands and in Python alike."""

import ast
import json
import subprocess
import sys

import pytest
from project import EXAMPLES, ROOT
from truebleu import InputError, SettingsError, corpus_bleu, read_lines
from truebleu.cli.parsing import Namespace
from truebleu.intake.files import read_columns, read_file
from truebleu.intake.given import Columns, Given, Reading
from truebleu.intake.systems import SystemFile

PACKAGE = ROOT / "python" / "truebleu"
SYSTEMS = tuple(SystemFile(str(EXAMPLES / f"system-{name}.en")) for name in ("weak", "strong"))
REFERENCES = tuple(str(EXAMPLES / f"reference-{name}.en") for name in "ab")


def test_what_is_given_is_frozen():
    """Nobody changes it; a changed copy is another."""
    given = Given(systems=SYSTEMS, references=REFERENCES)
    with pytest.raises(AttributeError):
        given.systems = ()
    other = given.replace(systems=SYSTEMS[:1])
    assert (len(given.systems), len(other.systems)) == (2, 1)
    assert other.references is given.references


def test_names_of_systems():
    """They are what files are called, or columns of tables."""
    given = Given(systems=SYSTEMS, references=REFERENCES)
    assert given.names == ["system-weak", "system-strong"]
    assert given.files == [*SYSTEMS, *REFERENCES]
    columns = Columns(hypotheses=("a", "b"), references=("r",))
    assert Given(systems=(str(EXAMPLES / "table.csv"),), columns=columns).names == ["a", "b"]


def test_files_are_read_side_by_side():
    """Systems, references and other lines, with the progress in bytes."""
    steps = []
    given = Given(systems=SYSTEMS, references=REFERENCES)
    others = [(None, str(EXAMPLES / "source.de"))]
    systems, references, [sources] = read_columns(given, others, lambda *step: steps.append(step))
    assert systems == [read_lines(path) for path in SYSTEMS]
    assert references == [read_lines(path) for path in REFERENCES]
    assert sources == read_lines(EXAMPLES / "source.de")
    assert steps[-1][0] == steps[-1][1] > 0


def test_messages_are_those_of_python(tmp_path):
    """Where no command is asked, a file without a column is answered with a call in Python."""
    path = tmp_path / "x.jsonl"
    path.write_text('{"mt": "a", "other": "b"}\n' * 9)
    given = Given(systems=(str(path),), references=REFERENCES[:1])
    with pytest.raises(InputError, match=r"`read_texts\('.*x\.jsonl', column='mt'\)` reads one"):
        read_columns(given)
    assert read_file(str(path), reading=Reading(as_text=True)) == read_lines(path, as_text=True)


def test_a_pipe_is_read_once():
    """Standard input is one file, under whatever name."""
    with pytest.raises(SettingsError, match="can be read only once"):
        read_columns(Given(systems=("-",), references=("/dev/stdin",)))


def test_the_intake_and_functions_agree():
    """What is read from files has the score of the lists."""
    [hypotheses, _], streams, _ = read_columns(Given(systems=SYSTEMS, references=REFERENCES))
    references = list(map(list, zip(*streams, strict=True)))
    expected = corpus_bleu(
        read_lines(SYSTEMS[0]), list(zip(*map(read_lines, REFERENCES), strict=True))
    )
    assert corpus_bleu(hypotheses, references) == expected


def test_text_needs_no_pyarrow(tmp_path):
    """The command reads CSV, TSV and JSON Lines by itself; groups and other files need PyArrow."""
    rows = [("a b c d", "a b c d e"), ("e f", "e f g")]
    (tmp_path / "t.csv").write_text("mt,ref\n" + "".join(f'"{a}","{b}"\n' for a, b in rows))
    lines = (json.dumps({"mt": a, "ref": b}) + "\n" for a, b in rows)
    (tmp_path / "t.jsonl").write_text("".join(lines))
    code = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "import importlib.util as util; found = util.find_spec\n"
        "util.find_spec = lambda name: None if name == 'pyarrow' else found(name)\n"
        "from truebleu.cli import main; sys.exit(main(sys.argv[1:]))"
    )

    def run(*words):
        command = [sys.executable, "-c", code, "score", *words]
        return subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)

    columns = ["--hypothesis-column=mt", "--reference-column=ref"]
    expected = corpus_bleu(*map(list, zip(*rows, strict=True))).score
    for name in ("t.csv", "t.jsonl"):
        found = json.loads(run(name, *columns, "-f", "json").stdout)
        assert [(each["system"], each["score"]) for each in found] == [("mt", expected)]
    assert "pip install 'truebleu[arrow]'" in run("t.csv", *columns, "--group-by=ref").stderr


def test_options_are_read_and_never_changed():
    """Once they are parsed, nothing is assigned to options; below the command, nobody has them."""
    options = Namespace(systems=[1])
    with pytest.raises(AttributeError, match="options are read once"):
        options.systems = [3]
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text("utf-8")
        if path.parent.name != "cli":
            assert "cli.parsing" not in text, path
            continue
        for node in ast.walk(ast.parse(text)):
            targets = getattr(node, "targets", [getattr(node, "target", None)])
            for target in targets if isinstance(node, ast.Assign | ast.AugAssign) else ():
                for part in ast.walk(target):
                    if isinstance(part, ast.Attribute) and ast.unparse(part.value) == "options":
                        pytest.fail(f"{path.name}: {part.attr}")
            if isinstance(node, ast.Call):
                assert not ast.unparse(node).startswith("setattr(options"), path
