"""Wrong calls, as people who know other packages make them, and what each is answered."""

import re
import warnings

import pytest
import truebleu
from project import GOLDEN
from truebleu import testing

PATH = GOLDEN / "wrong_calls.tsv"
HEAD = "# What each wrong call says: tests/package/test_wrong_calls.py rewrites this file.\n"

TEXTS = ["a b c d", "e f g h"]
SYSTEMS = {"A": TEXTS, "B": ["a b c d", "e f g x"]}


def names():
    """Make what the calls use, each by its name there."""
    public = {name: getattr(truebleu, name) for name in truebleu.__all__}
    bleu, chrf, ter = truebleu.Bleu(), truebleu.Chrf(), truebleu.Ter()
    return public | {
        "assert_score": testing.assert_score,
        "texts": TEXTS,
        "refs": TEXTS,
        "systems": SYSTEMS,
        "bleu": bleu,
        "chrf": chrf,
        "ter": ter,
        "score": bleu.corpus(TEXTS, TEXTS),
        "chrf_score": chrf.corpus(TEXTS, TEXTS),
        "ter_score": ter.corpus(TEXTS, TEXTS),
        "stats": bleu.stats(TEXTS, TEXTS),
        "running": truebleu.Accumulator(),
        "comparison": truebleu.compare(SYSTEMS, TEXTS, n_resamples=None, n_trials=100),
    }


def answer(call, known):
    """Return the type and the message of the exception that a call raises."""
    try:
        eval(call, dict(known))
    except Exception as error:
        # From 3.13 on, Python adds a suggestion of its own.
        message = re.sub(r"\. Did you mean '\w+'\?$", "", str(error))
        return f"{type(error).__name__}\t{message}"
    return "nothing\t"


def test_what_wrong_calls_say():
    """A message that changes rewrites its golden and fails once, so that somebody reads it.

    For a new call, add a line that has nothing but the call.
    """
    golden = PATH.read_text("utf-8")
    calls = [line.split("\t")[0] for line in golden.splitlines() if not line.startswith("#")]
    assert len(calls) == len(set(calls)) >= 100
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        known = names()
        lines = [f"{call}\t{answer(call, known)}\n" for call in calls]
    said = "".join([HEAD, *lines])
    assert "\tnothing\t" not in said
    if golden != said:
        PATH.write_text(said, "utf-8")
        pytest.fail(f"{PATH.name} has been rewritten: read it and run again")
