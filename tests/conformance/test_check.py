"""``truebleu check``: what programs answer, and how they fail to."""

import json
import subprocess
import sys
import textwrap

import pytest
from project import EXAMPLES
from truebleu.cli import main
from truebleu.conformance.cases import LEVELS, manifest, read_cases
from truebleu.conformance.protocol import Program
from truebleu.conformance.verdict import GRADES, TOLERANCE, grade
from truebleu.display.formats import FORMATS

ADAPTERS = EXAMPLES / "adapters"

# Reads all cases and has the right answer to each; what is before an answer is filled in.
PROGRAM = """
import json, os, sys, time
from truebleu.conformance.cases import read_cases
KNOWN = {case["id"]: case for case in read_cases()}
def right(case):
    expect, key = KNOWN[case["id"]]["expect"], case["answer"]
    return {"error": "no"} if "error" in expect else {key: expect[key]}
for number, line in enumerate(sys.stdin):
    case = json.loads(line)
    answer = {"id": case["id"], **right(case)}
    text = json.dumps(answer)
    FAULT
    print(text, flush=True)
"""

# Skips all cases, and so begins at once: it may hang, and a short time limit tells.
HANGING = """
import json, sys, time
for number, line in enumerate(sys.stdin):
    text = json.dumps({"id": json.loads(line)["id"], "skip": "x"})
    FAULT
    print(text, flush=True)
"""


@pytest.fixture
def check(capfd, monkeypatch, tmp_path):
    """Run the command in this process; return its exit code, output and complaints."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)

    def check(*arguments):
        try:
            code = main(["check", *map(str, arguments)])
        except SystemExit as end:
            code = end.code
        sys.stdout.flush()
        out, error = capfd.readouterr()
        assert "Traceback" not in error
        return code, out, error

    return check


@pytest.fixture
def faulty(check, tmp_path):
    """Check a program with a fault; return the exit code, the verdict and the complaint."""

    def faulty(fault, *options, program=PROGRAM):
        path = tmp_path / "program.py"
        path.write_text(program.replace("FAULT", textwrap.indent(fault, "    ").strip()), "utf-8")
        options = (*options, "--level", "core", "-m", "ter", "-f", "json")
        code, out, error = check(*options, "--", sys.executable, path)
        return code, json.loads(out), error

    return faulty


@pytest.fixture
def hurried(monkeypatch):
    """Let the first five answers take as long as a busy machine needs, and the next 3 seconds."""

    def take(self, line, original=Program._take):
        wrong = original(self, line)
        self._limit = 300 if len(self.answers) < 5 else 3
        return wrong

    monkeypatch.setattr(Program, "_take", take)


CORE_TER = [case["id"] for case in read_cases(["core"], ["ter"])]


class TestVerdict:
    """What is said of a program that keeps the protocol."""

    def test_all_is_right(self, faulty):
        """A program that knows everything passes, with code 0."""
        code, verdict, error = faulty("pass")
        assert (code, error) == (0, "")
        assert verdict["asked"] == verdict["answered"] == len(CORE_TER)
        assert verdict["grades"] == dict.fromkeys(GRADES, 0) | {"equal": len(CORE_TER)}
        assert verdict["cases"] == dict.fromkeys(CORE_TER, "equal")
        assert verdict["version"] == manifest()["conformance"] == 1

    def test_answers_may_come_late_and_in_any_order(self, faulty):
        """A program may read all cases first, and answer the last one first."""
        program = PROGRAM.replace("print(text, flush=True)", "texts.append(text)")
        program = program.replace("for number", "texts = []\nfor number", 1)
        program += "\nprint(*reversed(texts), sep='\\n')"
        assert faulty("pass", program=program)[0] == 0

    def test_wrong_answers(self, faulty):
        """A wrong answer ends in code 1, and its law shows the smallest wrong case in full."""
        fault = """if number in (3, 4): text = text.replace('"score": 0.0', '"score": 7.5')"""
        code, verdict, error = faulty(fault)
        assert code == 1
        assert error == (
            f"truebleu: 2 of {len(CORE_TER)} answers are wrong: the verdict has the smallest case "
            "of each law\n"
        )
        assert verdict["grades"]["wrong"] == 2
        [law] = [law for law in verdict["laws"] if law["grades"]["wrong"]]
        wrong = [case for case, grade in verdict["cases"].items() if grade == "wrong"]
        assert law["smallest"]["case"]["id"] in wrong
        assert law["smallest"]["answer"]["score"] == 7.5
        sizes = {case["id"]: len(json.dumps(case)) for case in read_cases()}
        assert sizes[law["smallest"]["case"]["id"]] == min(sizes[name] for name in wrong)

    def test_who_skips_everything_passes_nothing(self, faulty):
        """It answers 0 cases, and the code is 1."""
        fault = 'text = json.dumps({"id": case["id"], "skip": "not today"})'
        code, verdict, error = faulty(fault)
        assert code == 1
        assert error == "truebleu: every case was skipped, so nothing has been checked\n"
        assert verdict["answered"] == 0
        assert verdict["reasons"] == {"not today": len(CORE_TER)}

    def test_who_skips_some_is_judged_by_the_others(self, faulty):
        """Skipped cases are counted, and are no fault."""
        fault = 'if number % 2: text = json.dumps({"id": case["id"], "skip": "odd"})'
        code, verdict, _ = faulty(fault)
        assert code == 0
        assert verdict["answered"] == verdict["grades"]["equal"] == (len(CORE_TER) + 1) // 2

    @pytest.mark.parametrize("form", FORMATS)
    def test_formats(self, check, form, tmp_path):
        """Every format of the house is written; the summary of the text begins with a number."""
        code = 'def score(case):\n    return 0 if case["answer"] == "score" else None\n'
        (tmp_path / "zero.py").write_text(code, "utf-8")
        options = ("--level", "core", "-m", "ter", "-f", form)
        code, out, error = check("zero:score", *options)
        assert code == 1
        assert "of 73 answers are wrong" in error
        assert "A corpus that equals its references needs no edits." in out
        if form == "text":
            assert out.startswith(f"73 of {len(CORE_TER)} cases answered: ")
            assert "\nter: TER counts insertions" in out
            assert '  {"id": "ter/' in out

    def test_the_tolerance_is_included(self):
        """A score that is off by exactly so much is within it; one that is off by more is not."""
        case = {"expect": {"score": 0.0}, "answer": "score", "bits": "0" * 16}
        for found, expected in ((0.0, "equal"), (TOLERANCE, "within"), (1.0000001e-9, "wrong")):
            assert grade(case, {"score": found}) == expected

    def test_levels_and_metrics(self, check, tmp_path):
        """Only what is asked for is asked."""
        (tmp_path / "none.py").write_text("def skip(case):\n    return None\n", "utf-8")
        for level in ("core", "edge"):
            _, out, _ = check("none:skip", "--level", level, "-m", "chrf", "-f", "json")
            asked = json.loads(out)["cases"]
            assert set(asked) == {case["id"] for case in read_cases([level], ["chrf"])}
        _, out, _ = check("none:skip", "-m", "chrf", "-f", "json")
        verdict = json.loads(out)
        assert verdict["asked"] == len(read_cases(set(LEVELS) - {"wmt"}, ["chrf"]))
        assert verdict["unasked"] == len(read_cases(["wmt"], ["chrf"])) > 0
        assert check("none:skip", "-m", "chrf")[1].splitlines()[1] == (
            f"{verdict['unasked']} more cases need outputs of WMT systems: --data"
        )


class TestFunctions:
    """A Python function is a program, too."""

    def test_of_the_examples(self, check, monkeypatch):
        """The package passes its own kit to the bit, through the command."""
        monkeypatch.syspath_prepend(str(ADAPTERS))
        monkeypatch.setenv("PYTHONPATH", f"{ADAPTERS}", prepend=":")
        code, out, error = check("of_truebleu:answer", "-f", "json")
        assert (code, error) == (0, "")
        verdict = json.loads(out)
        assert verdict["grades"]["equal"] == verdict["asked"] == verdict["answered"]

    def test_may_print_raise_and_return_more(self, check, tmp_path):
        """What it prints is no answer; what it raises is a refusal; a dict is a whole answer."""
        (tmp_path / "mine.py").write_text(
            textwrap.dedent("""
                def score(case):
                    print("noise")
                    if case["answer"] != "score":
                        return None
                    if case["id"].endswith("four-words"):
                        raise ValueError("four")
                    return {"score": 0.4, "decimals": 0}
            """)
        )
        code, out, _ = check("mine:score", "--level", "core", "-m", "ter", "-f", "json")
        verdict = json.loads(out)
        assert (code, verdict["violations"]) == (1, [])
        [law] = [law for law in verdict["laws"] if "needs no edits" in law["law"]]
        assert law["grades"]["rounded"] == 4
        assert law["smallest"]["answer"]["error"] == "ValueError: four"

    def test_that_is_not_there(self, check, tmp_path):
        """A module that is missing is a program that fails."""
        code, _, error = check("nowhere:score")
        assert code == 2
        assert "ModuleNotFoundError: No module named 'nowhere'" in error


class TestProtocol:
    """Each way to break the protocol ends in code 2, and is named with its line or its case."""

    @pytest.mark.parametrize(
        ("fault", "violation"),
        [
            (
                "if number == 5: sys.exit('out of luck')",
                "the program failed: its exit code is 1; the first case without an answer is "
                f"{CORE_TER[5]}; it last said: out of luck",
            ),
            pytest.param(
                "if number == 5: os.kill(os.getpid(), 9)",
                "the program failed: it was ended by SIGKILL; the first case without an answer is "
                f"{CORE_TER[5]}",
                marks=pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX's"),
            ),
            (
                "if number == 5: break",
                f"the program ended with {len(CORE_TER) - 5} cases unanswered; the first case "
                f"without an answer is {CORE_TER[5]}",
            ),
            (
                "if number == 5: continue",
                "the program ended with 1 case unanswered; the first case without an answer is "
                f"{CORE_TER[5]}",
            ),
            ("if number == 5: print('warning: x')", "line 6 of the output: no JSON: 'warning: x'"),
            ("if number == 5: print()", "line 6 of the output: no JSON: ''"),
            (
                "if number == 5: print('[1, 2]')",
                "line 6 of the output: no object with an id: '[1, 2]'",
            ),
            (
                "if number == 5: print('{\"score\": 1}')",
                "line 6 of the output: no object with an id: '{\"score\": 1}'",
            ),
            (
                'if number == 5: print(\'{"id": "x", "score": 1}\')',
                'line 6 of the output: \'{"id": "x", "score": 1}\': there is no case with this id',
            ),
            (
                'if number == 5: print(\'{"id": "x", "id": "x", "score": 1}\')',
                "\"score\": 1}': an object has the key 'id' twice",
            ),
            ("if number == 5: print(text)", "the case is answered a second time"),
            (
                "if number == 5: sys.stdout.buffer.write(b'\\xff\\n')",
                "line 6 of the output: no JSON: '\ufffd'",
            ),
        ],
    )
    def test_violations(self, faulty, fault, violation):
        """Crashes, missing answers, noise, unknown and repeated cases."""
        program = PROGRAM.replace("flush=True", "flush=False")
        code, verdict, error = faulty(fault, program=program)
        assert code == 2
        assert error.startswith("truebleu: the program broke the protocol: ")
        assert len(verdict["violations"]) == 1
        assert verdict["violations"][0].endswith(violation)

    def test_answers_that_are_none(self, faulty):
        """NaN and the like are no scores: each line is named, and its case has no answer."""
        score, reason = '"score" needs a finite number', "needs a reason"
        one = 'an answer has one of "score", "skip" and "error"'
        decimals = '"decimals" needs a whole number from 0 to 19'
        scores = ["NaN", "-Infinity", "1e999", "1" + "0" * 400, '"50"', "true", "null"]
        wrong = [
            *((f', "score": {each}', score) for each in scores),
            *((', "skip": 1', f'"skip" {reason}'), (', "error": null', f'"error" {reason}')),
            *((each, one) for each in ("", ', "score": 1, "skip": "x"', ', "scores": [1]')),
            *((f', "score": 1, "decimals": {each}', decimals) for each in ("-1", "true")),
        ]
        ends = [end for end, _ in wrong]
        begun = """'{"id": "%s"' % case["id"]"""
        code, verdict, _ = faulty(
            f"if number < {len(ends)}: text = {begun} + {ends}[number] + '}}'"
        )
        assert code == 2
        *named, last = verdict["violations"]
        assert last.startswith(f"the program ended with {len(wrong)} cases unanswered; ")
        for number, (said, (_, expected)) in enumerate(zip(named, wrong, strict=True), 1):
            assert said.startswith(f"line {number} of the output: ")
            assert said.endswith(expected)
        assert list(verdict["cases"]) == CORE_TER[len(wrong) :]

    @pytest.mark.parametrize("noise", ["", "print('noise', flush=True)"])
    @pytest.mark.usefixtures("hurried")
    def test_no_answer_in_time(self, faulty, noise):
        """A program that hangs is ended, even if it is noisy: only answers count."""
        fault = f"while number == 5: time.sleep(0.2); {noise}"
        code, verdict, error = faulty(fault, "--time-limit", "300", program=HANGING)
        assert code == 2
        if noise:
            assert verdict["violations"][0] == "line 6 of the output: no JSON: 'noise'"
        else:
            message = "no answer within 3 seconds; the first case without an answer is "
            assert verdict["violations"] == [message + CORE_TER[5]]
            assert error == f"truebleu: the program broke the protocol: {message}{CORE_TER[5]}\n"
        assert verdict["reasons"] == {"x": 5}

    @pytest.mark.usefixtures("hurried")
    def test_a_program_that_does_not_end(self, faulty):
        """All is answered, but the process stays."""
        program = f"{HANGING}\nsys.stdout.close()\ntime.sleep(10**6)"
        code, verdict, _ = faulty("pass", "--time-limit", "300", program=program)
        assert code == 2
        message = "all is answered, but the program did not end within 3 seconds"
        assert verdict["violations"] == [message]

    def test_endless_noise_is_cut(self, faulty):
        """After some violations the program is ended."""
        fault = "while number == 5: print('noise')"
        code, verdict, _ = faulty(fault)
        assert code == 2
        assert len(verdict["violations"]) == 21
        assert verdict["violations"][-1] == "..."

    def test_an_endless_line_is_cut(self, faulty):
        """It is not kept in memory."""
        code, verdict, _ = faulty("while number == 5: sys.stdout.write('x' * 65536)")
        assert code == 2
        said = "line 6 of the output: it does not end within 1,048,576 bytes"
        assert verdict["violations"] == [said]

    @pytest.mark.usefixtures("hurried")
    def test_children_are_ended(self, faulty, tmp_path):
        """What a program has started ends with it, or it would keep the output open."""
        fault = """
if number == 5:
    import subprocess
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(10**6)"])
    time.sleep(10**6)
"""
        assert faulty(fault.strip(), "--time-limit", "300", program=HANGING)[0] == 2

    def test_deep_nesting_is_no_answer(self, faulty):
        """JSON that would exhaust the stack is noise."""
        code, verdict, _ = faulty("if number == 5: print('[' * 100000)")
        assert code == 2
        assert verdict["violations"][0].startswith("line 6 of the output: no JSON: '[[[")
        assert len(verdict["violations"][0]) < 300


class TestUsage:
    """What is wrong with the command line."""

    def test_the_words_of_the_program_are_its_own(self, check, tmp_path):
        """Behind ``--``, options and another ``--`` belong to the program."""
        words = ["--level", "--", "-q", "x y"]
        code = f"import sys; assert sys.argv[1:] == {words}; print(end='')"
        _, out, error = check(
            "--level", "core", "-f", "json", "--", sys.executable, "-c", code, *words
        )
        assert "AssertionError" not in error
        assert json.loads(out)["command"] == [sys.executable, "-c", code, *words]


class TestAdapters:
    """The adapters in examples/ answer what their tools can, and keep the protocol."""

    @pytest.mark.parametrize(
        ("name", "package", "answered", "wrong"),
        [
            ("of_sacrebleu", "sacrebleu", 200, 0),
            ("of_nltk", "nltk", 60, 3),
            ("of_bleuscore", "bleuscore", 5, 0),
            # What it does is looked for longest.
            pytest.param("of_compare_mt", "compare_mt", 30, 3, marks=pytest.mark.campaign),
            ("of_truebleu", "truebleu", 200, 0),
        ],
    )
    def test_of_python(self, name, package, answered, wrong):
        """A peer's core cases of BLEU: how many it answers, and at least so many otherwise."""
        pytest.importorskip(package)
        command = [sys.executable, "-m", "truebleu", "check", f"{name}:answer"]
        command += ["--level", "core", "-m", "bleu", "-f", "json"]
        done = subprocess.run(command, cwd=ADAPTERS, capture_output=True, check=False, timeout=300)
        verdict = json.loads(done.stdout)
        assert verdict["violations"] == []
        assert verdict["answered"] >= answered
        assert (verdict["grades"]["wrong"] >= wrong) if wrong else not verdict["grades"]["wrong"]
        assert done.returncode == (1 if wrong else 0)

    def test_in_another_language(self):
        """A program in Perl passes all it answers."""
        perl = ["perl", "-MJSON::PP", "-e", "1"]
        try:
            subprocess.run(perl, check=True, capture_output=True, timeout=300)
        except (OSError, subprocess.CalledProcessError):
            pytest.skip("there is no Perl with JSON::PP")
        command = [
            sys.executable,
            *["-m", "truebleu", "check", "-f", "json", "--level", "core", "edge", "--"],
        ]
        command += ["perl", "bleu.pl"]
        done = subprocess.run(command, cwd=ADAPTERS, capture_output=True, check=False, timeout=300)
        verdict = json.loads(done.stdout)
        assert (done.returncode, verdict["grades"]["wrong"], verdict["violations"]) == (0, 0, [])
        assert verdict["answered"] > 100
