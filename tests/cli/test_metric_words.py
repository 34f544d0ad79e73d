"""Metrics as words of the command line: names, with settings behind a colon."""

import contextlib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from looping import looped
from project import EXAMPLES
from truebleu import Bleu, Chrf, Ter
from truebleu.cli import main
from truebleu.cli.metric_words import metric_word, read_settings, write_settings
from truebleu.cli.parameters import WrongValueError
from truebleu.metrics.bleu import settings as bleu
from truebleu.metrics.chrf import settings as chrf
from truebleu.metrics.registry import METRICS
from truebleu.metrics.ter import settings as ter

KEYS = st.sampled_from(
    sorted({each.name for of in (bleu, chrf, ter) for each in of.SETTINGS.settings})
)


@given(st.dictionaries(KEYS, st.text() | st.just(True), min_size=1))
@example({"tokenizer": 'spm:/a,b"c\\.model'})
@example({"tokenizer": "\\", "weights": "", "lowercase": "\n"})
def test_what_is_written_is_read(settings):
    """Any text is a value, and a key alone is True."""
    assert read_settings(write_settings(settings)) == settings


@given(st.text(alphabet='a=,":\\ ', max_size=12))
def test_any_text_is_read_or_refused(text):
    """A word is a metric with settings, or there is an error for wrong words, and no other."""
    for name in ("bleu", "chrf++", "x"):
        with contextlib.suppress(WrongValueError):
            assert metric_word(f"{name}:{text}") == name


@looped(
    "word, metric",
    [
        ("bleu", Bleu()),
        ("BLEU:tokenizer=zh,lowercase", Bleu(tokenizer="zh", lowercase=True)),
        ("bleu:max-order=2", Bleu(max_order=2)),
        ('bleu:weights="0.5,0.5"', Bleu(weights=(0.5, 0.5))),
        (
            "bleu:effective_order=no,brevity_penalty=false",
            Bleu(effective_order=False, brevity_penalty=False),
        ),
        ("bleu:smoothing=floor,smooth_value=0.2", Bleu(smoothing="floor", smooth_value=0.2)),
        *((f"bleu{order}", Bleu(max_order=order)) for order in (1, 2, 3, 4)),
        ("bleu1:lowercase", Bleu(max_order=1, lowercase=True)),
        ("chrf:beta=3", Chrf(beta=3)),
        ("chrF2", Chrf()),
        ("chrf3", Chrf(beta=3)),
        ("chrFpp", Chrf(word_order=2)),
        ("chrF2++:whitespace", Chrf(word_order=2, whitespace=True)),
        ("ter:normalized,asian_support=True", Ter(normalized=True, asian_support=True)),
    ],
)
def test_metrics(word, metric):
    """What a word stands for."""
    found = metric_word(word)
    assert METRICS[found](**found.settings) == metric


def test_spbleu():
    """It is BLEU with the tokenizer of FLORES-200."""
    assert (metric_word("spBLEU"), metric_word("spbleu").settings) == (
        "bleu",
        {"tokenizer": "flores200"},
    )


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("bleu:tokeniser=zh", "bleu has no setting 'tokeniser'; it has tokenizer, unicode_form, "),
        ("bleu:tokeniser=zh", "; did you mean tokenizer?"),
        ("bleu:smooth_method=exp", "; did you mean smoothing?"),
        ("chrf++:word_order=1", "chrf++ has no setting 'word_order'"),
        ("chrf:beta", "beta needs a value: chrf:beta=X"),
        ("chrf:beta=much", "beta is 'much'; a number is needed"),
        ("bleu:weights=much", "weights is 'much'; a list of numbers in quotes is needed"),
        ("bleu:tokenizer=14a", "tokenizer '14a' is unknown; choose one of 13a, "),
        ("bleu:lowercase=maybe", "lowercase is 'maybe'; true or false is needed"),
        ("bleu:lowercase,lowercase", "lowercase is given twice"),
        ('bleu:tokenizer="zh', "a value with commas or quotes stands in double quotes"),
        ('bleu:tokenizer="zh"x', "stands in double quotes"),
    ],
)
def test_mistakes(word, said):
    """The message says what there is."""
    with pytest.raises(WrongValueError) as error:
        metric_word(word)
    assert said in str(error.value)


@pytest.mark.parametrize("word", ["bleu:max_order=2", "bleu2"])
def test_a_setting_is_given_once(word, capsys):
    """An option of BLEU and the same setting behind its name would be two answers."""
    files = [str(EXAMPLES / "system-weak.en"), "-r", str(EXAMPLES / "reference-a.en")]
    assert main(["score", *files, "-m", word, "--max-order", "3"]) == 2
    assert "--max-order and -m bleu:max_order cannot be combined" in capsys.readouterr().err
    assert main(["score", *files, "-m", word, "chrf:lowercase", "--lowercase", "-q"]) == 0
