"""evaluate's dictionaries, torchmetrics' classes, and putting drop-ins where others look."""

import csv
import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import nltk.translate.bleu_score
import pytest
import strategies
import truebleu.compat.huggingface as hub
import truebleu.compat.nltk
from hypothesis import given, settings
from truebleu import Bleu, InputError, LengthMismatchError, StatsMismatchError, UnknownNameError
from truebleu.compat import install
from truebleu.compat.torchmetrics import BLEUScore, SacreBLEUScore

sys.path.insert(0, str(Path(__file__).parent / "golden"))
import make_dialects

CORPORA = {name: (own, others) for name, own, others in make_dialects.corpora(several=True)}

usual = settings(deadline=None, max_examples=60)
GOLDEN = Path(__file__).parent / "golden"


def recorded(dialect):
    """Return what a tool has said: corpora and numbers."""
    with (GOLDEN / "dialects.tsv").open(encoding="utf-8", newline="") as file:
        lines = (line for line in file if not line.startswith("#"))
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [
            (*CORPORA[row["corpus"]], json.loads(row["number"]))
            for row in rows
            if row["dialect"] == dialect
        ]


class TestHuggingFace:
    """What evaluate returns."""

    def test_what_the_tool_said(self):
        """The recorded scores of ``bleu``."""
        rows = recorded("huggingface")
        assert len(rows) > 5
        for hypotheses, references, number in rows:
            assert hub.compute(hypotheses, references)["bleu"] == pytest.approx(number, rel=1e-12)

    def test_precisions_are_quotients(self):
        """For all small counts the float that the fraction is, and NLTK has the fraction."""
        for total in range(1, 30):
            for matches in range(total + 1):
                hypothesis = ["a"] * matches + ["b"] * (total - matches)
                reference = ["a"] * matches + ["c"]
                expected = Fraction(matches, total)
                found = hub.compute([" ".join(hypothesis)], [" ".join(reference)], max_order=1)
                assert found["precisions"] == [float(expected)]
                for peer in (truebleu.compat.nltk, nltk.translate.bleu_score):
                    found = peer.modified_precision([reference], hypothesis, 1)
                    assert (found.numerator, found.denominator) == (matches, total)
                    assert float(found) == float(expected)

    @usual
    @given(strategies.corpora(strategies.soup.filter(bool), max_references=3))
    def test_the_parts(self, corpus):
        """Each part from the counts, by its definition."""
        hypotheses, references = corpus
        for order, smooth in ((4, False), (2, True)):
            found = hub.load("bleu").compute(
                predictions=hypotheses, references=references, max_order=order, smooth=smooth
            )
            bleu = Bleu(max_order=order, smoothing="none", reference_length="shortest")
            score = bleu.corpus(hypotheses, references)
            pairs = zip(score.counts, score.totals, strict=True)
            expected = [
                (count + smooth) / (total + smooth) if total + smooth else 0.0
                for count, total in pairs
            ]
            assert found["precisions"] == expected
            assert found["translation_length"] == score.hyp_len
            assert found["reference_length"] == score.ref_len
            assert found["length_ratio"] == score.ratio
            assert found["brevity_penalty"] == pytest.approx(score.brevity_penalty)
            if not smooth:
                assert found["bleu"] == pytest.approx(score.fraction)

    def test_sacrebleu(self):
        """SacreBLEU's numbers under evaluate's names."""
        hypotheses, references = ["the cat sat on", "a b"], [["the cat sat on the mat"], ["a b"]]
        found = hub.compute(hypotheses, references, "sacrebleu", lowercase=True)
        score = Bleu(lowercase=True).corpus(hypotheses, references)
        assert found["score"] == score.score
        assert (found["counts"], found["sys_len"]) == (list(score.counts), score.hyp_len)
        assert set(found) == {"score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len"}

    def test_batches(self):
        """What is added is scored, and then forgotten."""
        metric = hub.load("bleu")
        metric.add(prediction="the cat sat on", references="the cat sat on the mat")
        metric.add_batch(predictions=["a b"], references=[["a b c"]])
        expected = hub.compute(["the cat sat on", "a b"], ["the cat sat on the mat", "a b c"])
        assert metric.compute() == expected
        assert metric.compute(predictions=["x y z w"], references=["x y z w"])["bleu"] == 1

    def test_a_tokenizer(self):
        """A function from text to tokens."""
        found = hub.compute(["a-b-c-d"], ["a-b-c-d"], tokenizer=lambda text: text.split("-"))
        assert found["translation_length"] == 4

    def test_bad_input(self):
        """Errors are those that a caller of evaluate catches."""
        with pytest.raises(LengthMismatchError):
            hub.compute(["a"], [["a"], ["b"]])
        with pytest.raises(InputError, match="same number of references"):
            hub.compute(["a", "b"], [["a"], ["b", "c"]], "sacrebleu")
        for call in (hub.load, lambda name: hub.compute(["a"], ["a"], name)):
            with pytest.raises(UnknownNameError, match="choose one of bleu, sacrebleu"):
                call("chrf")


# torchmetrics 1.9.0 with torch 2.15.0+cu132 on the two sentences below.
TORCHMETRICS = [
    (BLEUScore(), 0.5226045250892639),
    (BLEUScore(n_gram=2), 0.7016464471817017),
    (BLEUScore(smooth=True), 0.5663157105445862),
    (BLEUScore(n_gram=2, weights=[0.3, 0.7]), 0.6657783389091492),
    (SacreBLEUScore(), 0.5226045250892639),
    (SacreBLEUScore(lowercase=True, tokenize="char"), 0.7927043437957764),
    (SacreBLEUScore(n_gram=3, smooth=True, tokenize="zh"), 0.6359038949012756),
]


class TestTorchmetrics:
    """Classes that accumulate."""

    def test_what_the_tool_said(self):
        """The recorded scores, which are of single precision."""
        rows = recorded("torchmetrics")
        assert len(rows) > 5
        for hypotheses, references, number in rows:
            metric = BLEUScore()
            metric.update(hypotheses, references)
            assert metric.compute() == pytest.approx(number, rel=1e-5, abs=1e-7)

    def test_options(self):
        """Numbers that torchmetrics 1.9.0 prints for the same calls."""
        preds = ["the cat is on the mat", "There is a big tree near the park here"]
        target = [
            ["there is a cat on the mat", "a cat is on the mat"],
            ["A big tree is growing near the park here"],
        ]
        for metric, number in TORCHMETRICS:
            assert metric(preds, target) == pytest.approx(number, rel=1e-5)

    def test_batches(self):
        """Batches add up; a merge is an update; a reset forgets."""
        preds, target = ["a b c d e", "f g h i"], [["a b c d x"], ["f g h i"]]
        whole, parts, other = (SacreBLEUScore(smooth=True) for _ in range(3))
        whole.update(preds, target)
        assert parts(preds[:1], target[:1]) != whole.compute()
        other.update(preds[1], [target[1]])
        parts.merge_state(other)
        assert parts.compute() == whole.compute()
        parts.reset()
        assert parts.compute() == 0
        parts.merge_state(parts)
        assert parts.compute() == 0

    def test_weights(self):
        """One for each order."""
        metric = BLEUScore(n_gram=2, weights=[1, 0])
        assert metric(["a b c d"], [["a b x y"]]) == pytest.approx(0.5)

    def test_bad_input(self):
        """Messages name the numbers."""
        with pytest.raises(InputError, match="2 != 4"):
            BLEUScore(weights=[0.5, 0.5])
        with pytest.raises(LengthMismatchError, match="different size 1 != 2"):
            BLEUScore().update(["a"], [["a"], ["b"]])
        with pytest.raises(ValueError, match="choose one of none, 13a"):
            SacreBLEUScore(tokenize="spBLEU-1K")
        first, second = BLEUScore(), SacreBLEUScore(lowercase=True)
        for metric in (first, second):
            metric.update(["a"], [["a"]])
        with pytest.raises(StatsMismatchError):
            first.merge_state(second)


class TestInstall:
    """Other people's programs get the core without a change."""

    def test_where_it_is_found(self):
        """Every way to import it leads here, and afterwards to where it led before."""
        import nltk
        import sacrebleu as real

        known = real.BLEU
        with install("sacrebleu", "nltk"):
            import sacrebleu
            from nltk.translate.bleu_score import sentence_bleu
            from sacrebleu.metrics.bleu import BLEU
            from sacrebleu.significance import PairedTest
            from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

            found = (BLEU, PairedTest, sentence_bleu, sacrebleu.corpus_bleu)
            assert {each.__module__.split(".")[0] for each in found} == {"truebleu"}
            assert Tokenizer13a()("a.") == "a ."
            assert nltk.bleu is nltk.translate.bleu is sentence_bleu
            assert nltk.translate.bleu_score.sentence_bleu is sentence_bleu
        import sacrebleu

        assert sacrebleu.BLEU is known
        assert nltk.bleu.__module__ == nltk.translate.bleu_score.__name__
        assert nltk.translate.bleu_score.sentence_bleu.__module__ == "nltk.translate.bleu_score"

    def test_a_real_package(self):
        """compare-mt calls sacreBLEU and NLTK; its scores stay what they are."""
        code = (
            "import sys\n"
            "from truebleu.compat import install\n"
            "if sys.argv[1] == 'ours':\n"
            "    install('sacrebleu', 'nltk')\n"
            "from compare_mt.scorers import SacreBleuScorer, SentBleuScorer\n"
            "from pathlib import Path\n"
            "read = lambda name: [line.split() for line in Path(name).read_text().splitlines()]\n"
            "out, ref = read('system-weak.en'), read('reference-a.en')\n"
            "sacre = SacreBleuScorer(smooth_method='floor', smooth_value=0.1)\n"
            "print(repr(float(sacre.score_corpus(ref, out)[0])))\n"
            "sent = SentBleuScorer()\n"
            "print([repr(float(sent.score_sentence(r, o)[0])) for r, o in zip(ref, out)])\n"
            "used = sacre.bleu.__class__.__module__\n"
            "assert used.startswith('truebleu') == (sys.argv[1] == 'ours'), used\n"
        )
        printed = [
            subprocess.run(
                [sys.executable, "-W", "ignore", "-c", code, who],
                capture_output=True,
                text=True,
                check=True,
                cwd=Path(__file__).parent.parent / "examples",
                timeout=120,
            ).stdout
            for who in ("theirs", "ours")
        ]
        assert printed[0] == printed[1]
        assert len(printed[0]) > 1000

    def test_without_nltk(self):
        """Where NLTK is not installed, its BLEU can be imported all the same."""
        code = (
            "import sys, importlib.util\n"
            "import truebleu.compat as compat\n"
            "compat.find_spec = lambda name: None\n"
            "with compat.install('nltk'):\n"
            "    from nltk.translate.bleu_score import corpus_bleu\n"
            "    import nltk\n"
            "    assert nltk.translate.bleu([['a', 'b']], ['a', 'b'], (1,)) == 1.0\n"
            "assert 'nltk' not in sys.modules\n"
        )
        subprocess.run([sys.executable, "-c", code], check=True, timeout=60)

    def test_names(self):
        """There are two."""
        with pytest.raises(UnknownNameError, match="choose one of sacrebleu, nltk"):
            install("sacrebleu", "moses")
