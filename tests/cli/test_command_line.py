"""How words are read: any order, the flags of sacreBLEU, and what is said about the rest."""

import argparse
import contextlib
import io
import itertools
import os
import re
import select
import shlex
import signal
import subprocess
import sys

import pytest
import sacrebleu.sacrebleu
import truebleu
from hypothesis import given, settings
from hypothesis import strategies as st
from looping import looped
from project import EXAMPLES as EXAMPLES_FOLDER
from truebleu.cli import main
from truebleu.cli.arguments import COMMANDS, command_parser
from truebleu.cli.help_pages import EXAMPLES, MOST_USED, names_of
from truebleu.cli.hints import INSTEAD, SACREBLEU_OPTIONS
from truebleu.errors import SettingsError
from truebleu.metrics.registry import METRICS
from truebleu.suggestions import FOREIGN_NAMES, NEEDLESS, similar_names

# sacreBLEU's flags that mean the same here, and an example of each.
FLAGS = {
    "-m": (["-m", "chrf"], ["--metric", "chrf"]),
    "-w": (["-w", "4"], ["--width", "4"]),
    "-f": (["-f", "json"], ["--format", "json"]),
    "-b": (["-b"], ["--score-only"]),
    "-lc": (["-lc"], ["--lowercase"]),
    "-tok": (["-tok", "intl"], ["--tokenizer", "intl"]),
}

# The least that each command is given.
LEAST = {
    "report": ["a", "-r", "b", "-o", "c.html"],
    "tokenize": ["a"],
    "data": ["list"],
    "mbr": ["a"],
    "meta": ["a", "B=b"],
    "merge": ["a.jsonl"],
    "check": ["a:b"],
}

# Words that mean the same in any order, in parts that stay together.
PARTS = {
    "score": [["sys"], ["-r", "ref"], ["-m", "bleu", "chrf"], ["-lc"], ["-w", "3"]],
    "segments": [["sys"], ["-m", "bleu,ter"], ["-r", "ref"], ["-f", "jsonl"], ["-q"]],
    "compare": [["-r", "ref"], ["sys", "--margin", "5"], ["--alpha=0.1"], ["-m", "ter"]],
    "explain": [["--segment", "3"], ["sys"], ["-r", "ref"], ["-m", "chrf"]],
    "report": [["-o", "page.html"], ["-r", "ref"], ["sys"], ["--size", "page"]],
    "audit": [["--target", "3"], ["-r", "ref"], ["sys"], ["--max-seconds", "9"]],
    "meta": [
        ["-l", "en-de"],
        ["folder", "--write", "to"],
        ["--only", "sys", "seg"],
        ["-m", "bleu"],
    ],
    "data": [["get", "wmt24"], ["-l", "en-de"], ["-f", "json"], ["-l", "en-cs"]],
}
ALL_EXAMPLES = [each for several in EXAMPLES.values() for each in several]
# Parts of those that a network or data of WMT are needed for, or a program that answers.
NEEDS_MORE = re.compile("data get|meta wmt|python my_bleu.py").search
LINES = [
    [command, *itertools.chain(*order)]
    for command, parts in PARTS.items()
    for order in itertools.permutations(parts)
]


def read(command, *words):
    """Return what words stand for."""
    return vars(command_parser(command).read(words))


@pytest.fixture
def refused(capsys, monkeypatch):
    """Run the command; return the last line of a complaint about its usage."""
    monkeypatch.setenv("COLUMNS", "80")

    def refused(*words):
        try:
            code = main(list(words))
        except SystemExit as end:
            code = end.code
        out, error = capsys.readouterr()
        assert (code, out) == (2, "")
        return error.splitlines()[-1]

    return refused


class TestOrders:
    """Options and files come in any order."""

    @looped("command", PARTS)
    def test_any_order(self, command):
        """Every order of the parts of a line is read alike."""
        found = [read(*line) for line in LINES if line[0] == command]
        # What may be repeated is in the order in which it was given.
        for each in found:
            each["pairs"] = sorted(each.get("pairs") or ())
        assert all(each == found[0] for each in found)
        if ["sys"] in PARTS[command]:
            assert (found[0]["systems"], found[0]["references"]) == (["sys"], ["ref"])

    @looped(
        "words, systems, references, metrics",
        [
            ("-m bleu chrf sys -r ref", ["sys"], ["ref"], ["bleu", "chrf"]),
            ("-m bleu,chrf sys -r ref", ["sys"], ["ref"], ["bleu", "chrf"]),
            ("-m bleu, chrf sys -r ref", ["sys"], ["ref"], ["bleu", "chrf"]),
            ("-m bleu -m ter sys -r ref", ["sys"], ["ref"], ["bleu", "ter"]),
            ("-r ref sys", ["sys"], ["ref"], None),
            ("-r ref sys -m ter", ["sys"], ["ref"], ["ter"]),
            ("-r a -r b sys -m ter -- bleu", ["bleu"], ["a", "b", "sys"], ["ter"]),
            ("-r a b -- sys", ["sys"], ["a", "b"], None),
            ("-r a b -q one two", ["one", "two"], ["a", "b"], None),
            ("one -r a -q two", ["one", "two"], ["a"], None),
            ("-m chrf ./bleu -r ref", ["./bleu"], ["ref"], ["chrf"]),
            ("- -r ref", ["-"], ["ref"], None),
            ("-r - sys", ["sys"], ["-"], None),
        ],
    )
    def test_what_is_what(self, words, systems, references, metrics):
        """Metrics end at the first word that is none, and the last of two files is the system."""
        found = read("score", *words.split())
        assert (found["systems"], found["references"]) == (systems, references)
        assert found["metrics"] == metrics

    WORDS = (
        *("a", "b=c", "", "-", "--", "=", "-=", "--=", "-5", "-.5", "-x", "--x=", "- text"),
        *("ü", "1"),
    )

    @settings(max_examples=150, deadline=None)
    @given(data=st.data(), command=st.sampled_from(list(COMMANDS)))
    def test_any_words(self, data, command):
        """Whatever is typed is read, or refused with a message; no file is left out."""
        one = command_parser(command)
        known = st.sampled_from(sorted({*one.options} - {"-h", "--help"}))
        joined = st.builds("{}={}".format, known, st.sampled_from(self.WORDS))
        words = data.draw(st.lists(st.one_of(known, joined, st.sampled_from(self.WORDS))))
        said, found, code = io.StringIO(), {}, None
        try:
            with contextlib.redirect_stderr(said):
                found = vars(one.read(words))
        except SystemExit as end:
            code = end.code
        if code is not None:
            assert code == 2
            assert f"truebleu {command}: error: " in said.getvalue()
            return
        values = "\n".join(str(value) for value in found.values() if value is not None)
        # The part before the = is the name of a system.
        files = [word.rpartition("=")[2] for word in one._sorted(list(words)).files]
        assert all(file in values for file in files)

    def test_values_with_a_dash(self):
        """Negative numbers, and texts with spaces, are values."""
        assert read("compare", "a", "-r", "b", "--margin", "-5")["margin"] == -5
        found = read("score", "a", "-r", "b", "--weights", "-1,2")
        assert found["weights"] == (-1, 2)
        found = read("report", "a", "-r", "b", "-o", "c", "--sources", "-lc is a flag")
        assert (found["sources"], found["lowercase"]) == ("-lc is a flag", False)
        found = read("report", "a", "-o", "c", "-r", "b", "--sources=a file")
        assert (found["sources"], found["references"]) == ("a file", ["b"])

    @looped(
        "words, level",
        [("--confidence", 0.95), ("--confidence 99", 0.99), ("--confidence=99.9%", 0.999)],
    )
    def test_a_number_may_be_left_out(self, words, level):
        """A file that follows is no level."""
        given = read("score", *words.split(), "a", "-r", "b")
        assert (given["confidence"], given["systems"]) == (level, ["a"])


class TestShortFlags:
    """Every command has each flag of sacreBLEU's, or says what to do instead."""

    @pytest.mark.parametrize("flag", FLAGS)
    @looped("command", COMMANDS)
    def test_defined_or_refused(self, refused, command, flag):
        """A flag is the option of the same meaning; where there is none, a sentence."""
        short, long = FLAGS[flag]
        least = LEAST.get(command, ["a", "-r", "b"])
        known = command_parser(command).options
        if flag in known:
            if command in ("segments", "tokenize", "mbr") and flag == "-f":
                short, long = ["-f", "jsonl"], ["--format", "jsonl"]
            assert read(command, *least, *short) == read(command, *least, *long)
            assert read(command, *least, *short) != read(command, *least)
        else:
            option = SACREBLEU_OPTIONS[flag]
            assert not {option, long[0]} & set(known)
            said = refused(command, *least, *short)
            assert f"truebleu {command} has no {option}: {INSTEAD[option]}" in said

    @looped("command", COMMANDS)
    def test_lowercase_is_no_language(self, command):
        """``-lc`` is never ``-l c``."""
        least = LEAST.get(command, ["a", "-r", "b"])
        if "-lc" not in command_parser(command).options:
            with pytest.raises(SystemExit):
                read(command, *least, "-lc")
            return
        found, without = read(command, *least, "-lc"), read(command, *least)
        assert (found.pop("lowercase"), without.pop("lowercase")) == (True, False)
        assert found == without

    @looped("command", COMMANDS)
    def test_sentence_level(self, refused, command):
        """``-sl`` is a command of its own."""
        for flag in ("-sl", "--sentence-level"):
            assert refused(command, flag).endswith("see `truebleu segments`")

    def test_nothing_is_written_together(self, refused):
        """As in ``-w4``: ``-lc`` is an option of its own."""
        assert refused("score", "a", "-r", "b", "-w4").endswith("did you mean -w 4?")
        assert refused("score", "a", "-r", "b", "-bq").endswith("did you mean -b -q?")
        assert refused("score", "a", "-r", "b", "-fjson").endswith("did you mean -f json?")

    def test_all_of_sacrebleu(self, monkeypatch, refused):
        """Every option that sacreBLEU has is one here, or is answered."""
        made = []

        def parse_args(self):
            made.append(self)

        monkeypatch.setattr(argparse.ArgumentParser, "parse_args", parse_args)
        sacrebleu.sacrebleu.parse_args()
        monkeypatch.undo()
        options = [name for action in made[0]._actions for name in action.option_strings]
        assert len(options) > 60
        known = command_parser("score").options
        for option in set(options) - set(known):
            said = refused("score", "a", "-r", "b", option)
            assert f"unrecognized arguments: {option}; " in said


class TestHints:
    """What was probably meant."""

    @looped("command", ["score", "explain", "mbr"])
    @looped(
        "given, metric", [("BLEU", "bleu"), ("chrF", "chrf"), ("chrF++", "chrf++"), ("TER", "ter")]
    )
    def test_metrics_as_papers_write_them(self, command, given, metric):
        """The case of the name of a metric does not matter, wherever it stands."""
        for words in (["a", "-m", given], ["-m", given, "a"], ["a", f"--metric={given}"]):
            rest = ["-r", "b"] * (command != "mbr")
            assert read(command, *words, *rest) == read(
                command, *[word.replace(given, metric) for word in words], *rest
            )
        assert read("score", "a", "-r", "b", "-m", f"bleu,{given}")["metrics"] == ["bleu", metric]
        assert read("audit", "a", "-r", "b", "-m", "BLEU")["metric"] == "bleu"

    def test_usage_is_that_of_the_command(self, capsys):
        """Before the message are one line of usage, and where to find the options."""
        for command in COMMANDS:
            with pytest.raises(SystemExit):
                read(command, *LEAST.get(command, ["a", "-r", "b"]), "--frobnicate=3")
            usage, where, said = capsys.readouterr().err.splitlines()
            assert usage.startswith(f"usage: truebleu {command} [OPTIONS]")
            assert where == f"for its options: truebleu {command} -h"
            # Nothing is suggested.
            assert said.endswith("error: unrecognized arguments: --frobnicate=3")

    def test_messages_cannot_move_the_cursor(self, refused):
        """What was typed is shown, not obeyed."""
        assert refused("score", "--\x1b[2J\x07").isprintable()

    @looped("name", FOREIGN_NAMES)
    def test_settings_of_other_packages(self, name):
        """In Python, a setting of another package is answered with that of this one."""
        ours = FOREIGN_NAMES[name]
        takers = [make for make in METRICS.values() if ours in make().settings()]
        assert takers
        for make in takers:
            with pytest.raises(SettingsError, match=rf"{name!r} is.*; did you mean {ours}\?$"):
                make(**{name: 1})
        others = [make for make in METRICS.values() if make not in takers]
        for make in others:
            with pytest.raises(SettingsError) as error:
                make(**{name: 1})
            assert f"did you mean {ours}?" not in str(error.value)

    @looped("name", NEEDLESS)
    def test_needless_settings(self, name):
        """Where there is no such setting, a sentence says what to do."""
        with pytest.raises(SettingsError, match=re.escape(f"; {NEEDLESS[name]}") + "$"):
            truebleu.Bleu(**{name: 1})

    def test_options_that_are_suggested_exist(self):
        """No message suggests what there is not."""
        known = {name for each in COMMANDS for name in command_parser(each).options}
        assert {*SACREBLEU_OPTIONS.values(), *INSTEAD} <= known

    def test_nothing_is_suggested_for_anything(self):
        """Names that are like none are not guessed at, however long they are."""
        assert similar_names("x" * 100_000, ["13a", "intl"]) == []
        assert similar_names("", ["13a", "intl"]) == []
        assert similar_names("wmt25", ["wmt24", "wmt23", "iwslt17"], 2) == ["wmt24", "wmt23"]


class TestHelp:
    """Help that fits a screen."""

    def test_all_commands_fit_a_screen(self, capsys):
        """The page on all commands has 24 lines of 80 columns at most."""
        with pytest.raises(SystemExit):
            main(["-h"])
        lines = capsys.readouterr().out.splitlines()
        assert len(lines) <= 24
        assert max(map(len, lines)) <= 80
        assert all(any(line.startswith(f"  {name} ") for line in lines) for name in COMMANDS)

    def test_how_many_options_there_are(self):
        """At most 35 a command, and 300 in all, as the pages list them."""
        numbers = {
            name: sum(bool(each.option_strings) for each in command_parser(name).parameters)
            for name in COMMANDS
        }
        assert {name: number for name, number in numbers.items() if number > 35} == {}
        assert sum(numbers.values()) <= 300

    @looped("command", COMMANDS)
    def test_a_page(self, command, monkeypatch):
        """Usage, what most people need, three examples, then every other option, each once."""
        monkeypatch.setenv("COLUMNS", "80")
        parameters = command_parser(command).parameters
        text = command_parser(command).format_help()
        assert text.startswith(f"usage: truebleu {command} [OPTIONS]")
        head, _, rest = text.partition("\nexamples:\n")
        assert rest.startswith("".join(f"  truebleu {each}\n" for each in EXAMPLES[command]))
        named = {each.dest for each in parameters if each.option_strings}
        assert set(MOST_USED[command]) <= named
        assert len(MOST_USED[command]) <= 5
        for each in parameters:
            if each.option_strings:
                lines = re.findall(rf"(?m)^  {re.escape(names_of(each))}(?: .*)?$", text)
                assert len(lines) == 1
                assert (lines[0] in head) == (each.dest in MOST_USED[command])

    @looped("columns", [40, 80, 100, 200])
    def test_width(self, columns, monkeypatch):
        """Lines are as long as the terminal is wide, and not longer than can be read."""
        monkeypatch.setenv("COLUMNS", str(columns))
        for command in COMMANDS:
            page = command_parser(command).page()
            for line in page.laid_out().splitlines()[1:]:
                # Names of options, and words, are never broken.
                assert len(line) <= min(columns, 100) or line.startswith(("  -", "  truebleu "))

    def test_the_last_group(self):
        """What is about the command itself comes last."""
        groups = list(command_parser("score").page().groups)
        assert groups[:2] == ["most used", "input"]
        assert groups[-1] == "general"
        assert (
            groups.index("settings of BLEU") < groups.index("output") < groups.index("resampling")
        )

    def test_without_arguments(self, capsys):
        """Nothing but the name is wrong usage, and answered with help."""
        with pytest.raises(SystemExit) as end:
            main([])
        out, error = capsys.readouterr()
        assert (end.value.code, out) == (2, "")
        assert all(f"\n  {name} " in error for name in COMMANDS)

    @looped(
        "words, same",
        [
            *(("help score", "score --help"), ("help", "--help"), ("-h", "--help")),
            *(("--help score", "score --help"), ("-h score", "score --help")),
        ],
    )
    def test_the_same_help(self, capsys, words, same):
        """Help can be asked for in several ways."""
        pages = []
        for each in (words, same):
            with pytest.raises(SystemExit) as end:
                main(each.split())
            assert end.value.code == 0
            pages.append(capsys.readouterr().out)
        assert pages[0] == pages[1]

    @looped("example", ALL_EXAMPLES)
    def test_examples_are_read(self, example):
        """Every command has three examples, and each is read."""
        assert EXAMPLES.keys() == MOST_USED.keys() == COMMANDS.keys()
        command, *words = shlex.split(example)
        assert example in EXAMPLES[command]
        assert len(EXAMPLES[command]) == 3
        read(command, *words)

    @pytest.mark.parametrize("example", [each for each in ALL_EXAMPLES if not NEEDS_MORE(each)])
    def test_examples_run(self, example, tmp_path, monkeypatch, capfdbinary):
        """Examples that need neither a network nor data of WMT do what they say."""
        monkeypatch.chdir(tmp_path)
        for path, source in {
            "system.txt": "system-weak.en",
            "a.txt": "system-strong.en",
            "b.txt": "system-medium.en",
            "reference.txt": "reference-a.en",
            "source.txt": "source.de",
            "human.seg.score": "ratings.seg.score",
            "comet.seg.score": "ratings.seg.score",
            "bleu.seg.score": "ratings.seg.score",
        }.items():
            (tmp_path / path).write_bytes((EXAMPLES_FOLDER / source).read_bytes())
        sample = '{"key": 1, "text": "a b c"}\n{"key": 1, "text": "a b d"}\n'
        (tmp_path / "samples.jsonl").write_text(sample)
        adapter = (EXAMPLES_FOLDER / "adapters" / "of_truebleu.py").read_text("utf-8")
        (tmp_path / "my_bleu.py").write_text(adapter.replace("def answer", "def score"), "utf-8")
        monkeypatch.setenv("TRUEBLEU_CACHE", str(tmp_path / "cache"))
        if example.startswith("merge"):
            words = "score mt=system.txt -r reference.txt --stats-out part-{}.jsonl"
            for part in (1, 2):
                assert main(shlex.split(words.format(part))) == 0
            capfdbinary.readouterr()
        assert main(shlex.split(example)) == 0
        sys.stdout.flush()
        out, error = capfdbinary.readouterr()
        named = " -o " in example or "--stats-out" in example
        assert out or named
        assert error.startswith(b"truebleu: wrote ") if named else error == b""


@pytest.mark.skipif(sys.platform == "win32", reason="pipes and terminals are POSIX's")
class TestTerminal:
    """What only a process of its own can show."""

    @pytest.mark.parametrize("words", [["score", "--help"], ["--help"], ["score", "-h"]])
    def test_help_into_a_closed_pipe(self, words):
        """``truebleu score --help | true`` ends silently."""
        reader, writer = os.pipe()
        os.close(reader)
        command = [sys.executable, "-m", "truebleu", *words]
        done = subprocess.run(
            command, stdout=writer, stderr=subprocess.PIPE, check=False, timeout=300
        )
        os.close(writer)
        assert (done.returncode, done.stderr) == (0, b"")

    def test_a_terminal(self):
        """Help is as wide as the terminal, and Ctrl-C on its keyboard ends a command."""
        import fcntl
        import pty
        import struct
        import termios

        def on(words):
            environment = {**os.environ}
            environment.pop("COLUMNS", None)
            child, terminal = pty.fork()
            if not child:
                os.execve(sys.executable, [sys.executable, "-m", "truebleu", *words], environment)
            fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 60, 0, 0))
            return child, terminal

        def rest(terminal):
            shown = b""
            try:
                while block := os.read(terminal, 1 << 16):
                    shown += block
            except OSError:
                pass  # On Linux the end is an error; elsewhere it is empty.
            os.close(terminal)
            return shown.decode().replace("\r\n", "\n")

        child, terminal = on(["score", "-h"])
        shown = rest(terminal)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        # Examples are never broken.
        lines = [each for each in shown.splitlines()[1:] if not each.startswith("  truebleu ")]
        assert max(map(len, lines)) in range(50, 61)
        # Python exits with 1 if it is interrupted while it starts. That the command reads is known
        # from its tokens, which are not what the terminal echoes.
        child, terminal = on(["tokenize"])
        shown = b""
        while b"Hello , world ." not in shown:
            os.write(terminal, b"Hello, world.\n")
            if select.select([terminal], [], [], 0.01)[0]:
                shown += os.read(terminal, 1 << 16)
        os.write(terminal, b"\x03")
        rest(terminal)
        status = os.waitpid(child, 0)[1]
        assert os.waitstatus_to_exitcode(status) in (130, -signal.SIGINT)
