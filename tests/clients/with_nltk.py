"""Programs that score with NLTK."""

import asyncio
from functools import partial
from types import SimpleNamespace

from projects import first, project, words


@project(
    "azure-ai-evaluation",
    "1.18.10",
    "`BleuScoreEvaluator`",
    bare="azure azure.ai azure.ai.evaluation azure.ai.evaluation._evaluators "
    "azure.ai.evaluation._evaluators._bleu",
    without="azure.ai.evaluation._common azure.ai.evaluation._constants "
    "azure.ai.evaluation._evaluators._common",
    uses="nltk",
)
def azure(hypotheses, references):
    """Pass a response and the truth."""
    import nltk
    from azure.ai.evaluation._evaluators._bleu import _bleu

    _bleu.nltk_tokenize = nltk.word_tokenize
    _bleu.EVALUATION_PASS_FAIL_MAPPING = {True: "pass", False: "fail"}
    evaluator = _bleu.BleuScoreEvaluator.__new__(_bleu.BleuScoreEvaluator)
    evaluator._threshold, evaluator._higher_is_better = 0.5, True
    for text, truth in zip(hypotheses, first(references), strict=True):
        given = {"response": text, "ground_truth": truth}
        yield lambda given=given: asyncio.run(evaluator._do_eval(given))


@project(
    "promptflow-evals",
    "0.3.5",
    "`BleuScoreEvaluator`",
    bare="promptflow promptflow.evals promptflow.evals.evaluators "
    "promptflow.evals.evaluators._bleu",
    without="promptflow._utils promptflow.evals._common",
    uses="nltk",
)
def promptflow(hypotheses, references):
    """Pass an answer and the truth."""
    import nltk
    from promptflow.evals.evaluators._bleu import _bleu

    _bleu.nltk_tokenize = nltk.word_tokenize
    evaluator = _bleu.BleuScoreEvaluator()._to_async()
    for text, truth in zip(hypotheses, first(references), strict=True):
        yield lambda text=text, truth=truth: asyncio.run(evaluator(answer=text, ground_truth=truth))


@project(
    "opik",
    "2.2.122",
    "`SentenceBLEU`, `CorpusBLEU`, `ChrF`",
    bare="opik opik.evaluation opik.evaluation.metrics opik.evaluation.metrics.heuristics",
    without="opik.exceptions opik.evaluation.metrics.base_metric "
    "opik.evaluation.metrics.score_result",
    uses="nltk",
)
def opik(hypotheses, references):
    """Pass texts and references; every smoothing method."""
    from opik.evaluation.metrics import base_metric

    base_metric.BaseMetric = type(
        "BaseMetric", (), {"__init__": lambda self, name, **_: setattr(self, "name", name)}
    )
    from opik.evaluation.metrics.heuristics import bleu, chrf

    for module in (bleu, chrf):
        module.MetricComputationError = ValueError
    bleu.score_result.ScoreResult = chrf.ScoreResult = SimpleNamespace
    for number in range(8):
        method = f"method{number}"
        sentence = bleu.SentenceBLEU(smoothing_method=method)
        yield partial(sentence.score, hypotheses[-1], references[-1])
        corpus = bleu.CorpusBLEU(smoothing_method=method, n_grams=3)
        yield partial(corpus.score, hypotheses, references)
    for options in ({}, {"beta": 1, "char_order": 3, "ignore_whitespace": False}):
        yield partial(chrf.ChrF(**options).score, hypotheses[0], references[0])


@project(
    "parlai",
    "1.7.2",
    "`BleuMetric`",
    bare="parlai parlai.core parlai.utils",
    without="torch parlai.core.message parlai.core.opt parlai.utils.misc parlai.utils.typing",
    uses="nltk",
)
def parlai(hypotheses, references):
    """Pass a guess and several answers, up to each order."""
    from parlai.core.metrics import BleuMetric

    yield from _values(BleuMetric.compute, hypotheses, references)


def _values(compute, hypotheses, references):
    """Yield what computes the number of a metric for each segment and order."""
    for guess, answers in zip(hypotheses, references, strict=True):
        for order in range(1, 5):
            yield lambda given=(guess, answers, order): compute(*given).value()


@project(
    "crslab",
    "0.1.2",
    "`BleuMetric`",
    bare="crslab crslab.evaluator crslab.evaluator.metrics",
    without="sklearn torch",
    uses="nltk",
)
def crslab(hypotheses, references):
    """Pass a guess and several answers, of one order."""
    from crslab.evaluator.metrics.gen import BleuMetric

    yield from _values(BleuMetric.compute, hypotheses, references)


@project(
    "textattack",
    "0.3.11",
    "`BLEU`, `chrF`",
    bare="textattack textattack.constraints textattack.constraints.overlap",
    uses="nltk",
)
def textattack(hypotheses, references):
    """Pass words of a text and of the one before, compared with a limit."""
    import textattack.constraints

    textattack.constraints.Constraint = type("Base", (), {"__init__": lambda *_: None})
    from textattack.constraints.overlap.bleu_score import BLEU
    from textattack.constraints.overlap.chrf_score import chrF

    pairs = zip(words(hypotheses), words(first(references)), strict=True)
    for text, before in pairs:
        pair = SimpleNamespace(words=text), SimpleNamespace(words=before)
        for kind in (BLEU, chrF):
            yield partial(kind(0)._check_constraint, *pair)
            yield partial(kind(1)._check_constraint, *pair)


@project(
    "textflint",
    "0.1.0",
    "`TranslateScore`",
    bare="textflint textflint.generation textflint.generation.validator textflint.common "
    "textflint.common.preprocess",
    without="textflint.common.preprocess.en_processor textflint.generation.validator.validator",
    uses="nltk",
)
def textflint(hypotheses, references):
    """Pass a text and its origin."""
    from textflint.generation.validator.translate_score import TranslateScore

    for kind in ("bleu", "chrf"):
        score = TranslateScore.__new__(TranslateScore)
        score.type, score.processor = kind, SimpleNamespace(tokenize=str.split)
        for pair in zip(hypotheses, first(references), strict=True):
            yield partial(score.validate, *pair)


@project(
    "OpenAttack",
    "2.1.1",
    "`BLEU`",
    bare="OpenAttack OpenAttack.metric OpenAttack.metric.algorithms OpenAttack.text_process",
    without="OpenAttack.metric.algorithms.base OpenAttack.text_process.tokenizer",
    uses="nltk",
)
def openattack(hypotheses, references):
    """Pass a text and an adversarial sample."""
    from OpenAttack.metric.algorithms.bleu import BLEU

    metric = BLEU(SimpleNamespace(tokenize=lambda text, **_: text.split()))
    for text, other in zip(hypotheses, first(references), strict=True):
        yield partial(metric.after_attack, {"x": other}, text)


@project(
    "allennlp-models",
    "2.10.1",
    "NarrativeQA's `bleu_1`, `bleu_4`",
    bare="allennlp_models allennlp_models.rc allennlp_models.rc.tools",
    without="rouge",
    uses="nltk",
)
def allennlp(hypotheses, references):
    """Pass the best of several truths."""
    from allennlp_models.rc.tools import narrativeqa

    for text, several in zip(hypotheses, references, strict=True):
        for metric in (narrativeqa.bleu_1, narrativeqa.bleu_4):
            for tokenize in (True, False):
                yield partial(
                    narrativeqa.metric_max_over_ground_truths, metric, text, several, tokenize
                )


@project(
    "deeppavlov",
    "1.7.0",
    "`bleu`, `bleu_advanced`, `per_item_bleu`, `per_item_dialog_bleu`",
    bare="deeppavlov deeppavlov.core deeppavlov.core.common deeppavlov.metrics",
    without="deeppavlov.core.common.metrics_registry",
    uses="nltk",
)
def deeppavlov(hypotheses, references):
    """Pass lists of texts, of lists of texts, and words with weights."""
    from deeppavlov.metrics import bleu

    truths = first(references)
    yield partial(bleu.bleu, truths, hypotheses)
    yield partial(bleu.per_item_bleu, truths, [hypotheses])
    dialogs = [[{"text": text} for text in truths]]
    yield partial(bleu.per_item_dialog_bleu, dialogs, [hypotheses])
    pair = truths[-1].split(), hypotheses[-1].split()
    for weights in ((1,), (0.5, 0.5), (0.25,) * 4):
        for penalty in (True, False):
            for reweigh in (True, False):
                options = {"auto_reweigh": reweigh, "penalty": penalty}
                yield partial(bleu.bleu_advanced, *pair, weights, **options)


@project(
    "deepeval",
    "4.3.1",
    "`Scorer.sentence_bleu_score`",
    bare="deepeval deepeval.scorer",
    without="deepeval.metrics deepeval.utils deepeval.models deepeval.benchmarks",
    uses="nltk",
)
def deepeval(hypotheses, references):
    """Pass a prediction, one or several references, and a kind of BLEU."""
    from deepeval.scorer.scorer import Scorer

    for text, several in zip(hypotheses, references, strict=True):
        for kind in ("bleu1", "bleu2", "bleu3", "bleu4"):
            yield partial(Scorer.sentence_bleu_score, several, text, kind)
        yield partial(Scorer.sentence_bleu_score, several[0], text)


@project(
    "evalscope",
    "1.14.1",
    "`bleu_ngram_one_sample`; OCRBench's `cal_per_metrics`",
    bare="evalscope evalscope.metrics evalscope.metrics.utils evalscope.benchmarks "
    "evalscope.benchmarks.ocr_bench evalscope.benchmarks.ocr_bench.ocr_bench_v2",
    without="editdistance jieba",
    uses="nltk",
)
def evalscope(hypotheses, references):
    """Pass a prediction and a reference; jieba splits Chinese into characters here."""
    import jieba
    from evalscope.metrics.utils import functions

    jieba.cut = list
    for pair in zip(hypotheses, first(references), strict=True):
        yield partial(functions.bleu_ngram_one_sample, *pair)


@project(
    "llamafactory",
    "0.9.5",
    "`ComputeSimilarity`",
    bare="llamafactory llamafactory.train llamafactory.train.sft llamafactory.extras",
    without="torch transformers jieba rouge_chinese llamafactory.extras.constants "
    "llamafactory.extras.misc llamafactory.extras.packages",
    uses="nltk",
)
def llamafactory(hypotheses, references):
    """Pass arrays of token numbers for a tokenizer; jieba splits into characters here."""
    import jieba
    import numpy as np
    from llamafactory.train.sft import metric

    jieba.cut = list
    metric.jieba, metric.IGNORE_INDEX, metric.numpify = jieba, -100, np.asarray
    width = max(map(len, hypotheses + first(references)))

    def score():
        similarity = metric.ComputeSimilarity(
            tokenizer=SimpleNamespace(
                pad_token_id=0,
                batch_decode=lambda rows, **_: [
                    "".join(chr(code) for code in row if code) for row in rows
                ],
            )
        )
        predictions, labels = (
            np.array([[*map(ord, text), *[-100] * (width - len(text))] for text in texts])
            for texts in (hypotheses, first(references))
        )
        return similarity(SimpleNamespace(predictions=predictions, label_ids=labels))

    yield score


@project(
    "ms-swift",
    "4.6.0",
    "`compute_rouge_bleu`",
    bare="swift swift.metrics",
    without="transformers swift.utils swift.metrics.base swift.metrics.utils jieba rouge",
    uses="nltk",
)
def swift(hypotheses, references):
    """Pass texts and labels; jieba splits into characters here."""
    import jieba
    from swift.metrics import nlg

    class Mean(list):
        update = list.append

        def compute(self):
            return {"value": sum(self) / len(self)}

    jieba.cut, nlg.MeanMetric = list, Mean
    import rouge.rouge

    scores = {name: {"f": 0.0} for name in ("rouge-1", "rouge-2", "rouge-l")}
    rouge.rouge.Rouge = lambda: SimpleNamespace(get_scores=lambda *_: [scores], metrics=scores)
    yield partial(nlg.compute_rouge_bleu, hypotheses, first(references))


@project(
    "nougat-ocr",
    "0.1.17",
    "`compute_metrics`",
    bare="nougat",
    without="orjson tqdm",
    uses="nltk",
)
def nougat(hypotheses, references):
    """Pass a page and the truth."""
    from nougat.metrics import compute_metrics

    for pair in zip(hypotheses, first(references), strict=True):
        yield partial(compute_metrics, *pair)


@project(
    "continuous-eval",
    "0.3.14.post2",
    "`BleuScore`",
    bare="continuous_eval continuous_eval.metrics continuous_eval.metrics.generation "
    "continuous_eval.metrics.generation.text continuous_eval.metrics.retrieval",
    without="rouge continuous_eval.metrics.retrieval.simple_tokenizer",
    uses="nltk",
)
def continuous_eval(hypotheses, references):
    """Pass texts instead of words, which NLTK takes for lists of characters."""
    from continuous_eval.metrics.generation.text.utils import BleuScore

    for pair in zip(hypotheses, first(references), strict=True):
        yield partial(BleuScore().calculate, *pair)


@project(
    "espnet",
    "202511",
    "`e2e_mt_common.ErrorCalculator`",
    bare="espnet espnet.nets",
    uses="nltk",
)
def espnet(hypotheses, references):
    """Pass rows of token numbers."""
    import numpy as np
    from espnet.nets.e2e_mt_common import ErrorCalculator

    texts = hypotheses + first(references)
    characters = [*sorted(set("".join(texts))), "<space>", "<blank>"]
    width = max(map(len, texts)) + 1

    def rows(several):
        numbers = [[characters.index(each) for each in text] for text in several]
        return np.array([row + [-1] * (width - len(row)) for row in numbers])

    calculator = ErrorCalculator(characters, "<space>", "<blank>", True)
    yield partial(calculator, rows(hypotheses), rows(first(references)))


@project(
    "openprompt",
    "1.0.1",
    "`generation_metric`",
    bare="openprompt openprompt.utils",
    without="sklearn",
    uses="nltk",
)
def openprompt(hypotheses, references):
    """Pass a reference on each line, and all texts or single ones."""
    from openprompt.utils.metrics import generation_metric

    lines = ["\n".join(several) for several in references]
    yield partial(generation_metric, hypotheses, lines)
    for text, several in zip(hypotheses, lines, strict=True):
        yield partial(generation_metric, [text], [several])


@project(
    "hezar",
    "1.0.0",
    "`BLEU`",
    bare="hezar hezar.metrics",
    without="hezar.configs hezar.constants hezar.registry hezar.utils",
    uses="nltk",
)
def hezar(hypotheses, references):
    """Pass one target of each prediction, whose words NLTK takes for references, or several."""
    from hezar.metrics.bleu import BLEU

    config = SimpleNamespace(n_decimals=17, output_keys=("bleu",), update=lambda _: config)
    bleu = BLEU(config)
    several = [words(texts) for texts in references]
    for targets in (first(references), several):
        for weights in ((0.25,) * 4, (0.5, 0.5)):
            yield partial(bleu.compute, hypotheses, targets, weights)


@project(
    "valor-lite",
    "0.39.0",
    "`calculate_sentence_bleu`",
    bare="valor_lite valor_lite.text_generation",
    without="valor_lite.text_generation.llm",
    uses="nltk",
)
def valor_lite(hypotheses, references):
    """Pass a text and all references, with the default weights and others."""
    from valor_lite.text_generation.computation import calculate_sentence_bleu

    for text, several in zip(hypotheses, references, strict=True):
        for weights in ([0.25] * 4, (0.5, 0.5), (1.0,)):
            yield partial(calculate_sentence_bleu, text, several, weights)
