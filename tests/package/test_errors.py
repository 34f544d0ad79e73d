"""The tree of exceptions; messages whose words are not all ours; and odd text that is no error.

What each wrong call says is in tests/golden/wrong_calls.tsv.
"""

import math
import pickle
import re
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import truebleu
from truebleu import (
    Bleu,
    _core,
    corpus_bleu,
    corpus_ter,
    errors,
    sentence_bleu,
    sentence_chrf,
    sentence_ter,
)
from truebleu.cli import main
from truebleu.errors import (
    AttributeNameError,
    DownloadError,
    EmptyInputError,
    EncodingError,
    InputError,
    InputTypeError,
    LengthMismatchError,
    MissingExtraError,
    ModelError,
    SettingsError,
    SettingsWarning,
    SmallSampleWarning,
    StatsMismatchError,
    TruebleuError,
    UnknownNameError,
)
from truebleu.metrics.registry import METRICS
from truebleu.suggestions import ELSEWHERE, FOREIGN_ATTRIBUTES, METRICS_MEANT

TEXTS = ["a b c d", "e f g h"]
STATS = Bleu().stats(TEXTS, TEXTS)

TREE = {
    TruebleuError: (Exception,),
    InputError: (TruebleuError, ValueError),
    EmptyInputError: (InputError,),
    LengthMismatchError: (InputError,),
    EncodingError: (InputError,),
    InputTypeError: (TruebleuError, TypeError),
    AttributeNameError: (TruebleuError, AttributeError),
    SettingsError: (TruebleuError, ValueError),
    UnknownNameError: (SettingsError,),
    StatsMismatchError: (TruebleuError, ValueError),
    MissingExtraError: (TruebleuError, ImportError),
    DownloadError: (TruebleuError, OSError),
    ModelError: (DownloadError,),
    SettingsWarning: (UserWarning,),
    SmallSampleWarning: (UserWarning,),
}


def test_messages_of_other_packages_are_passed_on():
    """Python and pandas have other words for these from version to version."""
    words = Bleu(tokenizer="pretokenized")
    for given, message in (
        ([["a"], [{}]], r"tokens of item 1 cannot be compared \(.*unhashable.*'dict'"),
        ([["a"], [set()]], r"tokens of item 1 cannot be compared \(.*unhashable.*'set'"),
    ):
        for name, corpus in (
            ("hypotheses", (given, [["a"], ["b"]])),
            ("references", ([["a"], ["b"]], given)),
        ):
            with pytest.raises(InputTypeError, match=f"{name}: the {message}"):
                words.corpus(*corpus)
    with pytest.raises(InputTypeError, match=r"references\[1\] is of type \w+ \((<NA>|nan)\)"):
        corpus_bleu(TEXTS, pd.Series(["a", None], dtype="string"))


def test_the_tree_is_the_one_in_the_docstring():
    """Code that catches ValueError, TypeError or ImportError catches ours."""
    known = {item for item in vars(errors).values() if isinstance(item, type)}
    assert {item for item in known if issubclass(item, BaseException)} == set(TREE)
    for error, parents in TREE.items():
        assert error.__bases__ == parents
        assert error.__name__ in errors.__doc__
        assert getattr(truebleu, error.__name__, error) is error


def test_names_that_do_not_exist_are_not_listed():
    """A hint is no attribute: ``dir`` and ``hasattr`` do not know it; a subclass may use it."""
    score = corpus_bleu(TEXTS, TEXTS)
    assert not hasattr(score, "bp")
    assert "bp" not in dir(score)
    assert {"brevity_penalty", "score", "to_dict"} <= set(dir(score))
    # What is written instead works.
    for instead in FOREIGN_ATTRIBUTES["BleuScore"].values():
        assert np.all(np.asarray(eval(instead, {"score": score})) >= 0)
    for instead in FOREIGN_ATTRIBUTES["TerScore"].values():
        assert eval(instead, {"score": corpus_ter(TEXTS, TEXTS)}) >= 0

    class Mine(truebleu.Metric):
        compute = "mine"

    assert Mine.compute == "mine"


@pytest.mark.parametrize("text", ["a \ud800 b c", "\udfff\ud800 x y z", "a \0 b c", "\0 \0 \0 \0"])
def test_surrogates_and_nul_are_characters_like_others(text):
    """A lone surrogate or a NUL is scored, matches itself, and matches nothing else."""
    other = text.replace("\ud800", "\ud801").replace("\0", "\1")
    for tokenizer in (*sorted(_core.TOKENIZERS.keys() - {"words"}), str.split):
        assert corpus_bleu([text], [text], tokenizer=tokenizer).score == 100.0, tokenizer
        assert sentence_bleu(text, other, tokenizer=tokenizer).score < 100.0, tokenizer
    for function, best in ((sentence_chrf, 100.0), (sentence_ter, 0.0)):
        assert function(text, text).score == best
        assert function(text, other).score != best


def private_calls():
    """Yield calls of private functions with what the package never gives them."""
    chrf = {"squared_beta": 4.0, "lowercase": False, "whitespace": None, "eps_smoothing": False}
    bleu, columns = Bleu()._core, np.zeros(4)
    for probability, freedom in [(0.5, 5e-324), (0.05, 1e10), (1e-300, 3.0), (math.nan, 3.0)]:
        yield _core.student_t_quantile, probability, freedom
    yield _core.neighbors, columns, 2**62, 0, 1, 1
    yield bleu.precision_fractions, b""
    yield bleu.count, [], [], 1, True, []
    yield bleu.count_lines, [], [_core.Lines()], 0, 1, True, []
    yield bleu.count_lines, [_core.Lines()], [], 2**62, 1, True, []
    yield _core.Observed().look_lines, _core.Lines(), [], 2**62
    for orders in ((0, 0), (2**63, 2**63)):
        make = partial(_core.Engine.chrf, char_order=orders[0], word_order=orders[1], **chrf)
        yield (make,)


@pytest.mark.parametrize("call", list(private_calls()))
def test_the_core_refuses_what_it_cannot_compute(call):
    """Nobody can make it panic, end the process, or never return."""
    function, *arguments = call
    with pytest.raises(ValueError, match=r"\w"):
        function(*arguments)


def test_no_message_moves_the_cursor():
    """Whatever a name is, there is no control character in an error or a warning."""
    odd, shown = "a\x1b[1A\u202e\x85\r\n\ud800", r"a\x1b[1A\u202e\x85\r\n\ud800"
    for kind in TREE.keys() - {SettingsWarning, SmallSampleWarning}:
        error = pickle.loads(pickle.dumps(kind(odd)))
        assert (str(error), error.args) == (shown, (odd,))
    with pytest.warns(SettingsWarning) as caught:
        errors.warn(odd, SettingsWarning)
    assert str(caught[0].message) == shown


def test_few_modules_write_to_standard_error():
    """Those of the drop-ins aside, names get there through these, which make them visible."""
    package = Path(truebleu.__file__).parent
    found = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if re.search(r"\bsys\.stderr\b|stderr=True", path.read_text("utf-8"))
    }
    assert {each for each in found if not each.startswith("compat/")} == {
        "cli/parsing.py",  # Help, and messages that it makes visible.
        "cli/output.py",
        "downloads/transfer.py",
        # What a scorer prints, which is the user's own.
        "conformance/protocol.py",
    }


def test_the_warning_points_to_the_caller():
    """A warning is of use only if it names the line that has to change."""
    with pytest.warns(SettingsWarning) as caught:
        Bleu(weights=[1, 1])
    assert caught[0].filename == __file__


@pytest.mark.parametrize("name", METRICS_MEANT)
def test_names_of_metrics_that_people_type(name, tmp_path, capsys):
    """The answer can be pasted, and the command takes the name, but for that of segments."""
    with pytest.raises(UnknownNameError, match="; pass metric=") as caught:
        truebleu.pairwise(TEXTS, TEXTS, metric=name.upper())
    meant = str(caught.value).partition("; pass metric=")[2]
    if "flores200" not in meant:  # Its model is fetched.
        metric = eval(meant, {"Bleu": Bleu, "Chrf": truebleu.Chrf})
        assert metric in METRICS or isinstance(metric, truebleu.Metric)
    path = tmp_path / "texts"
    path.write_text("\n".join(TEXTS), "utf-8")
    words = ["score", str(path), "-r", str(path), "-m", name]
    if name == "sentbleu":
        with pytest.raises(SystemExit, match="2"):
            main(words)
        assert "`truebleu segments -m bleu`" in capsys.readouterr().err
    elif "flores200" not in meant:
        assert main(words) == 0


@pytest.mark.parametrize("name", ["chrF2", "chrF2++", "chrfpp"])
def test_names_that_scores_are_printed_with(name, tmp_path, capsys):
    """A metric is accepted by the name that is printed, and chrF++ without its signs."""
    path = tmp_path / "texts"
    path.write_text("\n".join(TEXTS), "utf-8")
    outputs = []
    for each in name, "chrf" if name == "chrF2" else "chrf++":
        assert main(["score", str(path), "-r", str(path), "-m", "bleu", each]) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]


@pytest.mark.parametrize("name", ELSEWHERE)
def test_metrics_of_other_packages(name, capsys):
    """The answer says where they are computed."""
    with pytest.raises(UnknownNameError, match=f"not computed here; {ELSEWHERE[name]} computes"):
        truebleu.pairwise(TEXTS, TEXTS, metric=name)
    with pytest.raises(SystemExit, match="2"):
        main(["score", "a", "-r", "b", "-m", name])
    assert f"does not compute {name}, but {ELSEWHERE[name]} does:" in capsys.readouterr().err
