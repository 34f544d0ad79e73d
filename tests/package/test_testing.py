"""Assertions about scores: they hold or fail as the score does, and say why."""

import re
import subprocess
import sys
from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from strategies import corpora
from toy_metrics import ExactMatch, Misses
from truebleu import Bleu, Chrf, Ter
from truebleu.display.formatting import decimals
from truebleu.errors import SettingsError
from truebleu.testing import assert_not_worse, assert_score

pytestmark = pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning")

usual = settings(deadline=None, max_examples=60)
HYPOTHESES = ["the cat sat on the mat", "a dog", "it rained all day long"]
REFERENCES = ["the cat sat on the mat", "a dog barks", ["it rained the whole day", "rain"]]


def message_of(*arguments, **how):
    with pytest.raises(AssertionError) as caught:
        assert_score(*arguments, **how)
    return str(caught.value)


def shown(message):
    """Return the segments that a message shows, from 0."""
    return [
        int(number) for number in re.findall(r"(?m)^segment \d+ \(hypotheses\[(\d+)\]", message)
    ]


class TestBounds:
    """A score is within its bounds, or it is not."""

    @usual
    @given(corpora())
    def test_a_score_is_within_itself(self, corpus):
        """Bounds are included; the score next to a bound is not."""
        for metric in (Bleu(), Chrf(), Ter()):
            score = metric.corpus(*corpus)
            assume(score.score < float("inf") and not 0 < score.score < 1)
            found = assert_score(*corpus, metric=metric, at_least=score.score, at_most=score.score)
            assert found == score
            text = message_of(*corpus, metric=metric, at_least=max(1, score.score + 1e-9))
            assert "is below at_least=" in text
            assert score.signature in text
            assert "is above at_most=" in message_of(
                *corpus, metric=metric, at_most=score.score - 1e-9
            )

    def test_a_score_is_written_so_that_it_differs_from_its_bound(self):
        """99.999 is not shown as 100.00 below 100."""
        score = Bleu().corpus(HYPOTHESES, REFERENCES).score
        bound = round(score, 2)
        text = message_of(
            HYPOTHESES, REFERENCES, **{"at_most" if score > bound else "at_least": bound}
        )
        assert text.startswith(f"BLEU = {score!r} is ")

    def test_fractions_are_refused(self):
        """A threshold below 1 always passes on a scale of 0-100, and is right on one of 0-1."""
        for metric in ("bleu", Chrf(), "ter"):
            with pytest.raises(SettingsError, match=r"on the 0-100 scale; did you mean 27\?$"):
                assert_score(HYPOTHESES, REFERENCES, metric=metric, at_least=Fraction(27, 100))
        metric = ExactMatch()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(ExactMatch, "scale", 1)
            assert assert_score(HYPOTHESES, HYPOTHESES, metric=metric, at_least=0.27)


class TestSegments:
    """The segments that are shown are those that matter most."""

    @usual
    @given(corpora())
    def test_they_change_the_score_most(self, corpus):
        """Each is worth what the score gains without it, and the others gain no more."""
        hypotheses, references = map(list, corpus)
        assume(len(hypotheses) > 1)
        for metric, bound in ((Bleu(), "at_least"), (Chrf(), "at_least"), (Ter(), "at_most")):
            sign = 1 if bound == "at_least" else -1
            score = metric.corpus(hypotheses, references).score
            assume(score < float("inf"))
            without = [
                metric.corpus(
                    hypotheses[:n] + hypotheses[n + 1 :], references[:n] + references[n + 1 :]
                )
                for n in range(len(hypotheses))
            ]
            gains = [sign * (each.score - score) for each in without]
            text = message_of(
                *(hypotheses, references),
                metric=metric,
                show=2,
                **{bound: max(1, score + 1e-9) if sign > 0 else score - 1e-9},
            )
            expected = sorted((gain for gain in gains if gain > 0), reverse=True)[:2]
            if expected:
                assert [gains[n] for n in shown(text)] == expected
                assert f"; {decimals(without[shown(text)[0]].score)} without it" in text
            else:
                alone = [
                    sign * metric.segment(*p).score
                    for p in zip(hypotheses, references, strict=True)
                ]
                assert [alone[n] for n in shown(text)] == sorted(alone)[:2]

    def test_the_texts_are_shown(self):
        """Hypothesis and references, as text, whole, and without what moves the cursor."""
        text = message_of(["a\x1b[2J b", "c"], [["a c", None, "d"], "c"], at_least=99, show=1)
        assert "  hypothesis: a\\x1b[2J b\n  reference 1: a c\n  reference 2: d" in text
        long = " ".join(map(str, range(3000)))
        assert long in message_of([long], ["x"], at_least=1)

    @pytest.mark.parametrize("metric", [ExactMatch(), Misses()])
    def test_metrics_of_your_own(self, metric):
        """Segments of any metric are shown."""
        bound = {"at_least": 60} if metric.higher_is_better else {"at_most": 50}
        text = message_of(HYPOTHESES, REFERENCES, metric=metric, **bound)
        assert shown(text) == [1, 2]
        assert text.startswith(
            f"{metric.name} = {metric.corpus(HYPOTHESES, REFERENCES).score:.2f} is"
        )

    def test_tokens_and_streams(self):
        """Token IDs are written with spaces; references may come as streams."""
        text = message_of([[1, 2], [3]], [[[1, 4]], [[3]]], tokenizer="pretokenized", at_least=99)
        assert "  hypothesis: 1 2\n  reference: 1 4" in text
        given = iter(HYPOTHESES), None
        assert assert_score(*given, reference_streams=[HYPOTHESES], at_least=100).score == 100

    def test_none(self):
        """Zero segments may be shown."""
        assert shown(message_of(HYPOTHESES, REFERENCES, at_least=99, show=0)) == []


@pytest.mark.filterwarnings("ignore::truebleu.SmallSampleWarning")
class TestBaseline:
    """A system is not worse than a baseline, or the comparison is shown."""

    references = [f"number {number} of many lines" for number in range(60)]  # noqa: RUF012
    worse = [line.replace("many", "all") if "7" in line else line for line in references]  # noqa: RUF012
    how = {"n_resamples": None}  # noqa: RUF012

    def test_a_worse_system(self):
        """It is worse, but by less than the margin, or not significantly."""
        both = self.worse, self.references, self.references
        with pytest.raises(AssertionError, match="BLEU is worse: 'system' - 'baseline': -"):
            assert_not_worse(*both, **self.how)
        with pytest.raises(AssertionError, match="BLEU is significantly worse: "):
            assert_not_worse(*both, significantly=True, **self.how)
        with pytest.raises(AssertionError, match="TER is worse: "):
            assert_not_worse(*both, metrics="ter", **self.how)
        delta = assert_not_worse(*both, margin=50, **self.how).pairs[0].delta
        assert assert_not_worse(*both, margin=-delta, **self.how)
        with pytest.raises(AssertionError):
            assert_not_worse(*both, margin=-delta * 0.999, **self.how)
        assert assert_not_worse(*both, significantly=True, alpha=1e-5, **self.how)

    def test_a_better_system(self):
        """It passes; so does one that is equal."""
        streams = {"reference_streams": [self.references]}
        found = assert_not_worse(self.references, self.worse, **streams, **self.how)
        assert found.pair("system", "baseline").significant
        assert assert_not_worse(self.worse, self.worse, self.references, **self.how)


def test_pytest_shows_the_test_that_failed(tmp_path):
    """It is not imported; its traceback ends at the call, and has the message."""
    path = tmp_path / "test_model.py"
    path.write_text(
        "import truebleu\n"
        "def test_model():\n"
        f"    truebleu.testing.assert_score({HYPOTHESES!r}, {REFERENCES!r}, at_least=90)\n",
        "utf-8",
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert "1 failed" in done.stdout
    message = message_of(HYPOTHESES, REFERENCES, at_least=90)
    first, *lines = message.split("\n")
    assert "\n".join(
        [f"E       AssertionError: {first}", *(f"E       {each}" for each in lines)]
    ) in (done.stdout)
    assert "__tracebackhide__" not in done.stdout
    code = "import truebleu, sys; truebleu.testing.assert_score; assert 'pytest' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=300)
