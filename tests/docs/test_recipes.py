"""The functions of pages for trainers and harnesses, as these call them."""

import doctest
import random
import statistics
from types import SimpleNamespace

import numpy as np
import other_packages
import pytest
import sacrebleu
from test_docs import ROOT, blocks
from truebleu import Bleu, Chrf, sentence_bleu, sentence_chrf

PAGES = ("docs/trainers.md",)
EXAMPLES = ROOT / "examples"


def lines(name):
    return (EXAMPLES / name).read_text("utf-8").split("\n")[:-1]


@pytest.fixture(scope="module")
def recipes():
    """Return what the pages define."""
    names = {"__name__": "__main__"}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        for page in PAGES:
            with other_packages.for_page(page):
                for line, block in blocks((ROOT / page).read_text("utf-8"), "python"):
                    test = doctest.DocTestParser().get_doctest(block, names, page, None, line)
                    doctest.DocTestRunner().run(test, out=lambda _: None, clear_globs=False)
                    names.update(test.globs)
    return SimpleNamespace(**names)


class TestTrl:
    """Reward functions get everything by keyword, and return a list of floats."""

    @pytest.mark.parametrize("conversations", [False, True])
    @pytest.mark.parametrize("several", [False, True])
    def test_rewards(self, recipes, conversations, several):
        """A reward is the score of the sentence as a fraction."""
        texts, first, second = (
            lines(f"{n}.en")[:9] for n in ("system-weak", "reference-a", "reference-b")
        )
        references = list(map(list, zip(first, second, strict=True))) if several else first
        completions = texts
        if conversations:
            completions = [[{"role": "assistant", "content": text}] for text in texts]
        given = {"prompts": ["x"] * 9, "completions": completions, "completion_ids": [[1]] * 9}
        given |= {"reference": references, "trainer_state": None, "log_metric": print}
        for metric, function in ((Bleu(), sentence_bleu), (Chrf(), sentence_chrf)):
            rewards = recipes.reward_of(metric)(**given)
            pairs = zip(texts, references, strict=True)
            assert rewards == [function(*pair).fraction for pair in pairs]
            assert {type(each) for each in rewards} == {float}


class TestTrainer:
    """The trainer gives arrays of token IDs, padded with -100."""

    def predictions(self, recipes):
        generator = np.random.default_rng(1)
        ids, labels = (generator.integers(2, 10, (40, 12)) for _ in range(2))
        ids[:, :8] = labels[:, :8]
        for row, length in enumerate(generator.integers(6, 12, 40)):
            ids[row, length:], labels[row, length:] = 0, -100
            ids[row, length], labels[row, length] = 1, 1
        words = recipes.tokenizer.words

        def texts(rows):
            return [" ".join(words[each] for each in row if each > 1) for row in rows]

        return SimpleNamespace(predictions=ids, label_ids=labels), texts(ids), texts(labels)

    def test_scores(self, recipes):
        """They are those of the decoded texts."""
        prediction, texts, references = self.predictions(recipes)
        assert recipes.compute_metrics(prediction) == {
            "bleu": Bleu().corpus(texts, references).score,
            "chrf2_pp": Chrf(word_order=2).corpus(texts, references).score,
        }

    def test_batches(self, recipes):
        """Batches of any size give the scores of the whole, evaluation after evaluation."""
        prediction, *_ = self.predictions(recipes)
        for size in (1, 7, 40):
            for start in range(0, 40, size):
                part = SimpleNamespace(
                    predictions=prediction.predictions[start : start + size],
                    label_ids=prediction.label_ids[start : start + size],
                )
                last = start + size >= 40
                found = recipes.compute_batch_metrics(part, compute_result=last)
                assert last or found is None
            assert found == recipes.compute_metrics(prediction)


class TestHarness:
    """The harness keeps a result per document, and aggregates the list of them."""

    @pytest.fixture
    def results(self, recipes):
        pairs = zip(lines("system-weak.en"), lines("reference-b.en"), strict=True)
        documents = [recipes.process_results({"target": ref}, [text]) for text, ref in pairs]
        assert all(each["truebleu"] == each["truebleu_stderr"] for each in documents)
        return [each["truebleu"] for each in documents]

    def test_resamples(self, recipes, results):
        """The score of any resample of rows is sacreBLEU's of the texts, to the last bit."""
        texts, references = lines("system-weak.en"), lines("reference-b.en")
        generator = random.Random(0)
        for _ in range(20):
            chosen = generator.choices(range(len(texts)), k=len(texts))
            expected = sacrebleu.corpus_bleu(
                [texts[each] for each in chosen], [[references[each] for each in chosen]]
            )
            assert recipes.corpus_score([results[each] for each in chosen]) == expected.score
        assert recipes.corpus_score(results) == Bleu().corpus(texts, references).score

    def test_standard_error(self, recipes, results):
        """It is the deviation of the scores of resamples, half as large for four times the data."""
        generator = random.Random(1)
        scores = [
            recipes.corpus_score(generator.choices(results, k=len(results))) for _ in range(1000)
        ]
        # Two estimates from 1,000 resamples each: their relative deviation is about 3%.
        expected = statistics.stdev(scores)
        assert recipes.standard_error(results) == pytest.approx(expected, rel=0.12)
        assert recipes.standard_error(results * 4) == pytest.approx(expected / 2, rel=0.12)
