"""Programs that score with sacreBLEU, some of them with NLTK, too."""

import argparse
import asyncio
import sys
from functools import partial
from types import SimpleNamespace

from projects import first, instances, project, streams, words


@project(
    "lm-eval", "0.4.13", "`api.metrics.bleu`, `chrf`, `chrfpp`, `ter`", bare="lm_eval lm_eval.api"
)
def lm_eval(hypotheses, references):
    """Pass pairs of references and predictions."""
    from lm_eval.api import metrics

    items = list(zip(references, hypotheses, strict=True))
    for metric in (metrics.bleu, metrics.chrf, metrics.chrfpp, metrics.ter):
        yield partial(metric, items)


@project(
    "lmms-eval",
    "0.7.3",
    "`api.metrics.bleu`, `chrf`, `ter`; MEGA-Bench's `Bleu.match`",
    bare="lmms_eval lmms_eval.api lmms_eval.tasks lmms_eval.tasks.megabench "
    "lmms_eval.tasks.megabench.metrics lmms_eval.tasks.megabench.metrics.scoring",
    without="lmms_eval.api.registry",
)
def lmms_eval(hypotheses, references):
    """Pass pairs of references and predictions; a prediction and a reference."""
    from lmms_eval.api import metrics
    from lmms_eval.tasks.megabench.metrics.scoring.sacrebleu_bleu import Bleu

    items = list(zip(references, hypotheses, strict=True))
    for metric in (metrics.bleu, metrics.chrf, metrics.ter):
        yield partial(metric, items)
    yield partial(Bleu.match, hypotheses[0], references[0][0])
    yield partial(Bleu.match, hypotheses, first(references))


@project(
    "lighteval",
    "0.13.0",
    "`CorpusLevelTranslationMetric`",
    bare="lighteval lighteval.metrics lighteval.utils",
    without="sklearn lighteval.metrics.sample_preparator pytablewriter datasets huggingface_hub",
    uses="sacrebleu nltk",
)
def lighteval(hypotheses, references):
    """Pass items with all references of a segment as golds, one or several predictions."""
    from lighteval.metrics.metrics_corpus import CorpusLevelTranslationMetric

    items = [
        SimpleNamespace(golds=several, preds=[text])
        for text, several in zip(hypotheses, references, strict=True)
    ]
    for kind in ("bleu", "chrf", "chrf++", "ter"):
        for language in ("", "zh"):
            yield partial(CorpusLevelTranslationMetric(kind, language).compute_corpus, items)


@project(
    "ragas",
    "0.4.3",
    "`BleuScore`, `ChrfScore`, and those of `metrics.collections`",
    bare="ragas ragas.metrics ragas.metrics.collections ragas.metrics.collections.chrf_score",
    without="langchain_core ragas.dataset_schema ragas.metrics.base ragas.run_config "
    "ragas.metrics.collections.base ragas.metrics.result",
)
def ragas(hypotheses, references):
    """Pass a response and a reference, of one or several sentences."""
    from ragas.metrics import _bleu_score, _chrf_score
    from ragas.metrics.collections import _bleu_score as collected
    from ragas.metrics.collections.chrf_score import metric as collected_chrf

    # Results that are wrapped keep their number.
    collected.MetricResult = collected_chrf.MetricResult = SimpleNamespace
    pairs = list(zip(hypotheses, first(references), strict=True))
    pairs.append((" ".join(hypotheses), " ".join(first(references))))
    for response, reference in pairs:
        sample = SimpleNamespace(response=response, reference=reference)
        for kind in (_bleu_score.BleuScore, _chrf_score.ChrfScore):
            yield lambda kind=kind, sample=sample: asyncio.run(
                kind()._single_turn_ascore(sample, None)
            )
        for kind in (collected.BleuScore, collected_chrf.CHRFScore):
            scorer = kind.__new__(kind)
            scorer.kwargs = {}
            yield lambda scorer=scorer, sample=sample: asyncio.run(
                scorer.ascore(sample.reference, sample.response)
            )


@project("OpenNMT-py", "3.5.1", "`scorers`: BLEU, TER", bare="onmt")
def opennmt(hypotheses, references):
    """Pass predictions, and one reference of each."""
    from onmt import scorers

    built = scorers.build_scorers(None, scorers.get_scorers_cls(["BLEU", "TER"]))
    for scorer in built.values():
        yield partial(scorer["scorer"].compute_score, hypotheses, first(references))


@project(
    "eole",
    "0.6.4",
    "`scorers`: BLEU, BLEU_zh, CHRF, TER",
    bare="eole",
    without="torch eole.constants eole.models eole.utils eole.scorers.wer",
)
def eole(hypotheses, references):
    """Pass predictions, and one reference of each."""
    from eole import scorers

    names = ["BLEU", "BLEU_zh", "CHRF", "TER"]
    for scorer in scorers.build_scorers(None, scorers.get_scorers_cls(names)).values():
        yield partial(scorer["scorer"].compute_score, hypotheses, first(references))


@project(
    "joeynmt", "2.3.0", "`metrics.bleu`, `chrf`", bare="joeynmt", without="joeynmt.helpers_for_ddp"
)
def joeynmt(hypotheses, references):
    """Pass settings of a configuration file, some of which the metric does not have."""
    from joeynmt import metrics

    for options in ({}, {"tokenize": "intl", "lowercase": True, "word_order": 2}):
        for metric in (metrics.bleu, metrics.chrf):
            yield partial(metric, hypotheses, first(references), **options)


@project(
    "sockeye",
    "3.1.34",
    "`evaluate.raw_corpus_bleu`, `raw_corpus_chrf`, `raw_corpus_ter`",
    bare="sockeye sockeye_contrib",
    without="sockeye.arguments sockeye.constants sockeye.data_io sockeye.utils sockeye.log",
)
def sockeye(hypotheses, references):
    """Pass text that has been tokenized, with the default offset and others."""
    from sockeye import evaluate

    targets = first(references)
    for offset in (evaluate.DEFAULT_OFFSET, 0.0, 1.0):
        yield partial(evaluate.raw_corpus_bleu, hypotheses, targets, offset)
    yield partial(evaluate.raw_corpus_bleu, hypotheses=hypotheses[:1], references=targets[:1])
    yield partial(evaluate.raw_corpus_chrf, hypotheses, targets)
    yield partial(evaluate.raw_corpus_ter, hypotheses, targets)


@project(
    "speechbrain",
    "1.1.2",
    "`BLEUStats`",
    bare="speechbrain speechbrain.integrations speechbrain.integrations.nlp speechbrain.utils",
    without="torch joblib speechbrain.utils.metric_stats",
)
def speechbrain(hypotheses, references):
    """Pass one list per reference, added in batches."""
    from speechbrain.integrations.nlp.bleu import BLEUStats

    def score(order, batch):
        stats = BLEUStats.__new__(BLEUStats)
        stats.clear = lambda: setattr(stats, "ids", [])
        stats.__init__(order)
        for start in range(0, len(hypotheses), batch):
            part = slice(start, start + batch)
            targets = [stream[part] for stream in streams(references)]
            stats.append(range(batch), hypotheses[part], targets)
        summary = stats.summarize()
        stats.write_stats(sys.stdout)
        return summary, stats.scores

    yield partial(score, 4, 100)
    yield partial(score, 2, 1)


@project(
    "fairseq2",
    "0.8.1",
    "`BleuMetric`, `ChrfMetric`",
    bare="fairseq2 fairseq2.metrics fairseq2.metrics.text",
    without="torch torcheval fairseq2.device fairseq2.error fairseq2.utils",
)
def fairseq2(hypotheses, references):
    """Add up counts over batches; tensors are arrays here."""
    import numpy as np
    from fairseq2.metrics.text import bleu, chrf

    def array(value, **_):
        return np.array(value)

    bleu.to_tensor = chrf.to_tensor = array
    bleu.torch.zeros = chrf.torch.zeros = lambda shape, **_: np.zeros(shape, np.int64)

    def score(module, kind, *settings):
        metric = kind.__new__(kind)
        metric._add_state = partial(setattr, metric)
        metric.device = None
        metric.__init__(*settings)
        for start in range(0, len(hypotheses), 2):
            part = slice(start, start + 2)
            metric.update(first(references)[part], hypotheses[part])
        return metric.compute()

    yield partial(score, bleu, bleu.BleuMetric)
    yield partial(score, bleu, bleu.BleuMetric, "char")
    yield partial(score, bleu, bleu.BleuMetric, "intl")
    yield partial(score, chrf, chrf.ChrfMetric)


@project(
    "simuleval",
    "1.1.4",
    "`SacreBLEUScorer`",
    bare="simuleval simuleval.evaluator simuleval.evaluator.scorers",
)
def simuleval(hypotheses, references):
    """Pass instances by number; an exception is logged, and the score is 0."""
    from simuleval.evaluator.scorers.quality_scorer import SacreBLEUScorer, add_sacrebleu_args

    parser = argparse.ArgumentParser()
    add_sacrebleu_args(parser)
    by_number = dict(enumerate(instances(hypotheses, references)))
    for arguments in ([], ["--sacrebleu-tokenizer", "char"], ["--sacrebleu-tokenizer", "zh"]):
        yield partial(SacreBLEUScorer.from_args(parser.parse_args(arguments)), by_number)


@project("omnisteval", "0.1.10", "`SacreBLEUScorer`, `ChrFScorer`", bare="omnisteval")
def omnisteval(hypotheses, references):
    """Pass instances; an exception is logged, and the score is 0."""
    from omnisteval import scoring

    several = instances(hypotheses, references)
    for tokenizer in ("13a", "zh", "char", "none"):
        yield partial(scoring.SacreBLEUScorer(tokenizer), several)
    yield partial(scoring.ChrFScorer(), several)


@project(
    "mbrs",
    "0.1.8",
    "`MetricBLEU`, `MetricChrF`, `MetricTER`",
    bare="mbrs",
    without="torch fastchrf mbrs.timer mbrs.functional mbrs.modules mbrs.metrics.bertscore "
    "mbrs.metrics.bleurt mbrs.metrics.comet mbrs.metrics.cometkiwi mbrs.metrics.metricx "
    "mbrs.metrics.xcomet",
)
def mbrs(hypotheses, references):
    """Pass single pairs, a corpus, and pairs in a pool; tensors are arrays here."""
    import numpy as np
    from mbrs.metrics import bleu, chrf, ter

    for module, kind in ((bleu, bleu.MetricBLEU), (chrf, chrf.MetricChrF), (ter, ter.MetricTER)):
        module.Tensor = np.array
        metric = kind(kind.Config(num_workers=1))
        yield partial(metric.score, hypotheses[0], references[0][0])
        yield partial(metric.corpus_score, hypotheses, streams(references))
        if len(hypotheses) > 2:
            yield partial(metric.scores, hypotheses, first(references))


@project(
    "simulstream",
    "1.0.0",
    "`SacreBLEUScorer`",
    bare="simulstream simulstream.metrics "
    "simulstream.metrics.scorers simulstream.metrics.scorers.quality",
    without="simulstream.metrics.scorers.quality.mwersegmenter",
)
def simulstream(hypotheses, references):
    """Pass samples of several segments, whose signature and score are logged."""
    import simulstream.metrics.scorers.quality
    from simulstream.metrics.scorers.quality import mwersegmenter

    simulstream.metrics.scorers.quality.register_quality_scorer = lambda _: lambda kind: kind
    mwersegmenter.MWERSegmenterBasedQualityScorer = type(
        "Base", (), {"__init__": lambda self, args: None}
    )
    from simulstream.metrics.scorers.quality.sacrebleu import SacreBLEUScorer

    parser = argparse.ArgumentParser()
    SacreBLEUScorer.add_arguments(parser)
    sample = SimpleNamespace(hypothesis=hypotheses, reference=first(references))
    for arguments in ([], ["--tokenizer", "char"]):
        scorer = SacreBLEUScorer(parser.parse_args(arguments))
        yield partial(scorer._do_score, [sample, sample])


@project(
    "autorag",
    "0.3.27",
    "`generation.bleu`",
    bare="autorag autorag.evaluation "
    "autorag.evaluation.metric autorag.embedding autorag.nodes autorag.utils autorag.schema",
    without="evaluate llama_index openai pydantic rouge_score autorag.embedding.base "
    "autorag.evaluation.metric.deepeval_prompt autorag.evaluation.metric.util "
    "autorag.nodes.generator autorag.schema.metricinput autorag.support autorag.utils.util",
)
def autorag(hypotheses, references):
    """Pass inputs with a text and all its references."""
    from autorag.evaluation.metric import generation

    generation._remove_think_tags = str
    several = [
        SimpleNamespace(generated_texts=text, generation_gt=targets)
        for text, targets in zip(hypotheses, references, strict=True)
    ]
    for options in ({}, {"tokenize": "zh", "lowercase": True}, {"max_ngram_order": 2}):
        yield partial(generation.bleu, several, **options)


@project(
    "flexrag",
    "0.3.0",
    "`generation_metrics.BLEU`, `chrF`",
    bare="flexrag flexrag.metrics",
    without="flexrag.utils flexrag.metrics.metrics_base rouge",
    platform="--platform manylinux2014_x86_64 --python-version 311",
)
def flexrag(hypotheses, references):
    """Pass all references of each segment, which sacreBLEU takes for streams."""
    from flexrag.metrics import generation_metrics

    settings = SimpleNamespace(tokenizer="13a", chrf_beta=1.0, chrf_char_order=6, chrf_word_order=0)
    for kind in (generation_metrics.BLEU, generation_metrics.chrF):
        metric = kind.__new__(kind)
        metric.tokenizer, metric.beta = settings.tokenizer, settings.chrf_beta
        yield partial(metric.compute, hypotheses, references)
        yield partial(metric.compute, hypotheses, streams(references))


@project(
    "mt-telescope",
    "0.0.2",
    "`sacreBLEU`, `chrF`, `TER`",
    bare="telescope telescope.metrics "
    "telescope.metrics.chrf telescope.metrics.sacrebleu telescope.metrics.ter",
    without="streamlit click pandas matplotlib telescope.testset telescope.metrics.result "
    "telescope.metrics.metric",
)
def mt_telescope(hypotheses, references):
    """Pass candidates and one reference of each."""
    from telescope.metrics.chrf import metric as chrf
    from telescope.metrics.sacrebleu import metric as bleu
    from telescope.metrics.ter import metric as ter

    chrf.chrFResult = bleu.BLEUResult = ter.TERResult = lambda *parts: parts
    for kind in (bleu.sacreBLEU, chrf.chrF, ter.TER):
        yield partial(kind().score, hypotheses, hypotheses, first(references))


@project(
    "vizseq",
    "0.2.1",
    "`BLEUScorer`, `ChrFScorer`, `VizSeqTokenizer`",
    bare="vizseq vizseq._data",
    without="tqdm pandas nltk rouge bert_score torch laserembeddings Levenshtein soundfile google "
    "langid",
)
def vizseq(hypotheses, references):
    """Pass a corpus and its sentences, in this process and in a pool."""
    from vizseq._data.tokenizers import VizSeqTokenization, VizSeqTokenizer
    from vizseq.scorers.bleu import BLEUScorer
    from vizseq.scorers.chrf import ChrFScorer

    for kind in (BLEUScorer, ChrFScorer):
        for workers in (1, 2) if len(hypotheses) > 2 else (1,):
            scorer = kind(corpus_level=True, sent_level=workers == 1, n_workers=workers)
            scorer.n_workers = workers
            yield partial(scorer.score_corpus_multiprocess, hypotheses, streams(references))
            yield partial(scorer.score, hypotheses, streams(references))
    for kind in VizSeqTokenization:
        yield partial(VizSeqTokenizer.tokenize_line, hypotheses[-1], kind)


@project("summ-eval", "0.892", "`BleuMetric`, `ChrfppMetric`", bare="summ_eval", without="gin")
def summ_eval(hypotheses, references):
    """Pass one summary and its references; a corpus."""
    from summ_eval.bleu_metric import BleuMetric
    from summ_eval.chrfpp_metric import ChrfppMetric

    for metric in (BleuMetric(), ChrfppMetric()):
        yield partial(metric.evaluate_example, hypotheses[0], references[0][0])
        yield partial(metric.evaluate_example, hypotheses[-1], references[-1])
        yield partial(metric.evaluate_batch, hypotheses, first(references))
        yield partial(metric.evaluate_batch, hypotheses, references)
        yield partial(metric.evaluate_batch, hypotheses, streams(references))


@project(
    "sacrerouge",
    "0.2.5",
    "`SentBleu`, `ChrF`",
    bare="sacrerouge sacrerouge.metrics sacrerouge.common sacrerouge.data",
    without="google_drive_downloader sacrerouge.metrics.metric sacrerouge.data.metrics_dict",
)
def sacrerouge(hypotheses, references):
    """Pass summaries of several systems, which have the references in common."""
    import sacrerouge.data
    import sacrerouge.metrics
    from stand_ins import anything

    sacrerouge.data.MetricsDict = dict
    sacrerouge.metrics.Metric = anything("Metric")
    sacrerouge.metrics.ReferenceBasedMetric = object
    from sacrerouge.metrics.bleu import SentBleu
    from sacrerouge.metrics.chrf import ChrF

    for metric in (SentBleu(), SentBleu(lowercase=True), ChrF(), ChrF(word_order=2)):
        yield partial(
            metric.score_multi_all, [[text, text.lower()] for text in hypotheses], references
        )


@project(
    "t5",
    "0.9.4",
    "`evaluation.metrics.bleu`",
    bare="t5 t5.evaluation",
    without="absl editdistance scipy sklearn rouge_score t5.evaluation.qa_utils",
)
def t5(hypotheses, references):
    """Pass one reference each; lists of references, segment by segment and stream by stream."""
    from t5.evaluation.metrics import bleu

    for tokenizer in ("intl", "13a", "zh"):
        yield partial(bleu, first(references), hypotheses, tokenizer)
    yield partial(bleu, references, hypotheses)
    yield partial(bleu, streams(references), hypotheses)


@project(
    "stopes",
    "2.2.1",
    "`compute_corpus_bleu`",
    bare="stopes stopes.utils",
    without="torch whisper tqdm stopes.modules",
)
def stopes(hypotheses, references):
    """Pass series of pandas; the signature gets an entry."""
    import pandas as pd
    from stopes.utils import asr_eval_utils

    columns = pd.Series(hypotheses), pd.Series(first(references))
    for language in ("eng", "cmn"):
        yield partial(asr_eval_utils.compute_corpus_bleu, *columns, language, False)


@project("subtitle-edit-rate", "0.4.0", "`calculate_sacrebleu_metric`, tokenizers", bare="suber")
def suber(hypotheses, references):
    """Pass segments of words; text is split by sacreBLEU's tokenizers."""
    from suber import data_types, tokenizers
    from suber.metrics.sacrebleu_interface import calculate_sacrebleu_metric

    several, targets = (
        [data_types.Segment([data_types.Word(word) for word in text]) for text in words(texts)]
        for texts in (hypotheses, first(references))
    )
    for metric in ("BLEU", "TER", "chrF", "BLEU-br", "TER-br"):
        for language in (None, "zh"):
            yield partial(calculate_sacrebleu_metric, several, targets, metric, language=language)
    for language in ("en", "zh", "ja", "ko"):
        for tercom in (False, True):
            yield lambda language=language, tercom=tercom: list(
                map(tokenizers.get_sacrebleu_tokenizer(language, tercom), hypotheses)
            )
        yield partial(tokenizers.reversibly_tokenize_segments, several, language)


@project(
    "opencompass",
    "0.5.4",
    "`PMMEvalFloresEvaluator`",
    bare="opencompass opencompass.datasets opencompass.datasets.PMMEval opencompass.openicl",
    without="datasets opencompass.datasets.base opencompass.openicl.icl_evaluator "
    "opencompass.registry opencompass.utils",
)
def opencompass(hypotheses, references):
    """Pass the best part of a text for each reference; counts are added up as arrays."""
    from opencompass.datasets.PMMEval import flores

    evaluator = flores.PMMEvalFloresEvaluator()
    lines = [f"{text}\n{text.lower()}" for text in hypotheses]
    for language in ("English", "Chinese", "Japanese"):
        predictions = [(text, language) for text in lines]
        yield partial(evaluator.score, predictions, first(references))
        yield partial(flores.compute_maximum_bleu_value, lines[0], references[0][0], language)


@project(
    "nemo_toolkit",
    "3.0.0",
    "`BLEUScore` of speech synthesis, `BLEU` of speech models",
    bare="nemo nemo.collections nemo.collections.tts nemo.collections.tts.metrics "
    "nemo.collections.speechlm2 nemo.collections.speechlm2.parts "
    "nemo.collections.speechlm2.parts.metrics",
    without="torch rouge_score whisper_normalizer nemo.utils",
)
def nemo(hypotheses, references):
    """Pass one list per segment; one reference each; tensors are numbers here."""
    from nemo.collections.speechlm2.parts.metrics import bleu
    from nemo.collections.tts.metrics import score_metrics

    bleu.torch.tensor = float
    bleu.torch.stack = lambda numbers: SimpleNamespace(mean=partial(sum, numbers))
    score_metrics.torch.tensor = float
    yield partial(score_metrics.BLEUScore().get_score, first(references), hypotheses)
    metric = bleu.BLEU(normalize=False)

    def score():
        for name in ("a", "b"):
            metric.update(name, first(references), hypotheses)
        return metric.compute()

    yield score


@project(
    "paddlespeech",
    "1.5.0",
    "`bleu`, `char_bleu`, `ErrorCalculator`",
    bare="paddlespeech paddlespeech.s2t paddlespeech.s2t.utils",
)
def paddlespeech(hypotheses, references):
    """Pass one list per reference; numbers of characters, and one list per segment."""
    import numpy as np
    from paddlespeech.s2t.utils import bleu_score

    for score in (bleu_score.bleu, bleu_score.char_bleu):
        yield partial(score, hypotheses, [first(references)])
    texts = hypotheses + first(references)
    characters = [*sorted(set("".join(texts))), "<space>", "<pad>"]
    width = max(map(len, texts)) + 1

    def numbers(text):
        found = [characters.index(each) for each in text]
        return np.array(found + [-1] * (width - len(found)))

    calculator = bleu_score.ErrorCalculator.__new__(bleu_score.ErrorCalculator)
    calculator.char_list, calculator.space, calculator.pad = characters, "<space>", "<pad>"
    calculator.report_bleu = True
    columns = ([numbers(text) for text in each] for each in (hypotheses, first(references)))
    yield partial(calculator, *columns)


@project(
    "fairseq",
    "0.12.2",
    "`SacrebleuScorer`, `ChrFScorer`, `EvaluationTokenizer`",
    bare="fairseq fairseq.scoring",
    without="torch omegaconf hydra fairseq.registry fairseq.dataclass fairseq.scoring.wer "
    "fairseq.scoring.meteor fairseq.scoring.bertscore",
    platform="--platform manylinux1_x86_64 --python-version 38",
)
def fairseq(hypotheses, references):
    """Pass lines that are tokenized first, added one by one."""
    import fairseq.scoring
    from stand_ins import anything

    fairseq.scoring.BaseScorer = type(
        "BaseScorer", (), {"__init__": lambda self, cfg: vars(self).update(ref=[], pred=[])}
    )
    fairseq.scoring.register_scorer = anything("register_scorer")
    from fairseq.scoring.bleu import SacrebleuScorer
    from fairseq.scoring.chrf import ChrFScorer
    from fairseq.scoring.tokenizer import EvaluationTokenizer

    def score(scorer):
        for text, several in zip(hypotheses, references, strict=True):
            scorer.add_string(several[0], text)
        return scorer.result_string()

    for name in EvaluationTokenizer._ALL_TOKENIZER_TYPES:
        if name in {"none", "zh", "13a", "intl", "char", "ja-mecab", "ko-mecab"}:
            settings = SimpleNamespace(
                sacrebleu_tokenizer=name, sacrebleu_lowercase=True, sacrebleu_char_level=False
            )
            yield partial(score, SacrebleuScorer(settings))
            yield partial(EvaluationTokenizer(name, True, True, True).tokenize, hypotheses[0])
    yield partial(score, ChrFScorer(None))
    yield ChrFScorer(None).score


@project(
    "OpenNMT-tf",
    "2.32.0",
    "`scorers`: bleu, chrf, chrf++, ter",
    bare="opennmt opennmt.utils",
    without="tensorflow rouge opennmt.utils.misc opennmt.utils.fmeasure opennmt.utils.wer",
)
def opennmt_tf(hypotheses, references):
    """Pass files, which are read line by line."""
    from opennmt.utils import scorers

    scorers._get_lines = lambda lines: [line.rstrip("\r\n") for line in lines]
    for kind in (scorers.BLEUScorer, scorers.CHRFScorer, scorers.CHRFPPScorer, scorers.TERScorer):
        yield partial(kind(), first(references), hypotheses)


@project(
    "crfm-helm",
    "0.5.16",
    "machine translation metrics of CLEVA and SEA-HELM; iBLEU",
    bare="helm helm.benchmark helm.benchmark.metrics",
    without="langdetect pythainlp helm.benchmark.adaptation helm.common rouge_score sklearn "
    "helm.benchmark.metrics.evaluate_instances_metric helm.benchmark.metrics.metric "
    "helm.benchmark.metrics.metric_name helm.benchmark.metrics.metric_service "
    "helm.benchmark.metrics.statistic",
    uses="sacrebleu nltk",
)
def helm(hypotheses, references):
    """Pass states of requests, with all references of an instance."""
    from helm.benchmark.metrics import (
        machine_translation_metrics as translation,
    )
    from helm.benchmark.metrics import paraphrase_generation_metrics as paraphrase
    from helm.benchmark.metrics.seahelm_metrics import SEAHELMMachineTranslationMetric

    class Stat(list):
        def add(self, number):
            self.append(number)
            return self

    translation.Stat = paraphrase.Stat = lambda _: Stat()
    translation.detect = lambda text: "zh-cn" if max(text) > "\u4e00" else "en"

    def text(content):
        return SimpleNamespace(text=content, output=SimpleNamespace(text=content))

    several, single = (
        [
            SimpleNamespace(
                instance=SimpleNamespace(
                    references=list(map(text, each[:most])), input=text(each[0])
                ),
                result=SimpleNamespace(completions=[text(hypothesis)]),
            )
            for hypothesis, each in zip(hypotheses, references, strict=True)
        ]
        for most in (None, 1)
    )
    for states in (single, several):
        for kind in (
            translation.MachineTranslationMetric,
            translation.CLEVAMachineTranslationMetric,
            paraphrase.CLEVAParaphraseGenerationMetric,
        ):
            yield partial(kind().evaluate_instances, states, "")
    scorer = SEAHELMMachineTranslationMetric()
    yield partial(scorer.chr_f_plus_plus, references[0], hypotheses[0])


@project(
    "compare-mt",
    "0.2.10",
    "`SacreBleuScorer`, `SentBleuScorer`, `ChrFScorer`, `BleuScorer`",
    uses="sacrebleu nltk",
    without="absl",
)
def compare_mt(hypotheses, references):
    """Pass sentences as lists of words; keep statistics, and add them up for samples."""
    from compare_mt import scorers

    out, ref = words(hypotheses), words(first(references))
    for scorer in (
        scorers.SacreBleuScorer(),
        scorers.SacreBleuScorer(case_insensitive=True),
        scorers.SentBleuScorer(),
        scorers.ChrFScorer(),
    ):
        yield partial(scorer.score_corpus, ref, out)
    bleu = scorers.SacreBleuScorer()
    yield lambda: bleu.score_cached_corpus([0, 0], bleu.cache_stats(ref, out))
    yield partial(scorers.SentBleuScorer().score_sentence, ref[0], out[0])
    yield partial(scorers.ChrFScorer().score_sentence, ref[0], out[0])


@project(
    "modelscope",
    "1.40.2",
    "`BleuMetric`, `TextGenerationMetric`",
    bare="modelscope modelscope.metrics modelscope.utils",
    without="rouge modelscope.metainfo modelscope.utils.registry modelscope.metrics.base "
    "modelscope.metrics.builder modelscope.utils.chinese_utils",
    uses="sacrebleu nltk",
)
def modelscope(hypotheses, references):
    """Pass batches; streams are tuples, some of whose items are None."""
    from modelscope.metrics import bleu_metric, text_generation_metric

    keys = SimpleNamespace(BLEU_4="bleu-4", BLEU_1="bleu-1", ROUGE_1="rouge-1", ROUGE_L="rouge-l")
    bleu_metric.MetricKeys = text_generation_metric.MetricKeys = keys
    text_generation_metric.rebuild_chinese_str = str

    def bleu(tokenized):
        metric = bleu_metric.BleuMetric.__new__(bleu_metric.BleuMetric)
        metric.__setstate__((tokenized, "hyp", "ref", [], []))
        metric.add({"hyp": hypotheses}, {"ref": references})
        return metric.evaluate()

    yield partial(bleu, False)
    yield partial(bleu, True)

    def generation():
        metric = text_generation_metric.TextGenerationMetric()
        metric.add({"preds": hypotheses}, {"tgts": first(references)})
        metric.rouge = SimpleNamespace(
            get_scores=lambda hyps, refs: [{"rouge-1": {"f": 0}, "rouge-l": {"f": 0}}]
        )
        return metric.evaluate()

    yield generation


@project(
    "lm-polygraph",
    "0.7.0",
    "`BLEUMetric`, `LexicalSimilarity`",
    bare="lm_polygraph lm_polygraph.generation_metrics lm_polygraph.estimators",
    without="rouge_score absl lm_polygraph.generation_metrics.generation_metric "
    "lm_polygraph.estimators.estimator",
    uses="sacrebleu nltk",
)
def lm_polygraph(hypotheses, references):
    """Pass texts and targets; samples of one text."""
    import numpy as np
    from lm_polygraph.estimators import lexical_similarity
    from lm_polygraph.generation_metrics import bleu

    yield partial(bleu.BLEUMetric(), {"greedy_texts": np.array(hypotheses)}, first(references))
    samples = [[text, *several] for text, several in zip(hypotheses, references, strict=True)]
    yield partial(lexical_similarity.LexicalSimilarity("BLEU"), {"sample_texts": samples})


@project(
    "flexeval",
    "0.18.3",
    "`BLEU`, `SacreBleuTokenizer`",
    bare="flexeval flexeval.core flexeval.core.metric flexeval.core.string_processor "
    "flexeval.core.tokenizer",
    without="flexeval.core.language_model",
)
def flexeval(hypotheses, references):
    """Pass all references of each segment; those that are missing become empty texts."""
    from flexeval.core.metric.bleu import BLEU
    from flexeval.core.string_processor.lower import StringLower
    from flexeval.core.tokenizer.sacrebleu_tokenizer import SacreBleuTokenizer

    kinds = [{"kind": str(len(text) % 2)} for text in hypotheses]
    for tokenizer in (None, "char", "zh"):
        yield partial(BLEU(tokenizer).evaluate, hypotheses, references)
        by_kind = BLEU(tokenizer, StringLower(), StringLower(), "kind")
        yield partial(by_kind.evaluate, hypotheses, references, kinds)
    for name in ("13a", "intl"):
        yield partial(SacreBleuTokenizer(name).tokenize, hypotheses[0])


@project(
    "lit-nlp",
    "1.3.1",
    "`CorpusBLEU`",
    bare="lit_nlp lit_nlp.api lit_nlp.components",
    without="absl attr etils scipy sklearn rouge_score lit_nlp.api.components "
    "lit_nlp.api.dataset lit_nlp.api.model lit_nlp.components.classification_results",
)
def lit_nlp(hypotheses, references):
    """Pass labels, and texts or candidates with scores; BLEU is smoothed by a floor."""
    from lit_nlp.components import metrics

    labels, types = first(references), metrics.types
    candidates = [[(text, 0.5), (text[::-1], 0.25)] for text in hypotheses]
    bleu = metrics.CorpusBLEU()
    yield partial(bleu.compute, labels, hypotheses, None, types.GeneratedText())
    yield partial(bleu.compute, labels, candidates, None, types.GeneratedTextCandidates())


@project(
    "llm-blender",
    "0.0.2",
    "`overall_eval` with `bleu`, `eval_self_bleu`",
    bare="llm_blender llm_blender.common",
    without="psutil spacy bert_score torch evaluate nltk absl",
)
def llm_blender(hypotheses, references):
    """Pass one or several candidates, one or several targets, and groups of texts."""
    from llm_blender.common import evaluation

    # What progress bars print is never the same.
    evaluation.tqdm = partial(evaluation.tqdm, disable=True)
    groups = [[text, *several] for text, several in zip(hypotheses, references, strict=True)]
    for candidates in (hypotheses, groups):
        for targets in (first(references), references):
            yield partial(evaluation.overall_eval, candidates, targets, ["bleu"])
    yield partial(evaluation.eval_self_bleu, groups)


@project("lightyear", "0.0.18", "`Buzz` with the metrics `fast`")
def lightyear(hypotheses, references):
    """Pass a text and a reference, to one object for all."""
    from lightyear import Buzz

    for language in ("en", "zh"):
        for lowercase in (True, False):
            score = Buzz("fast", language, lowercase).score
            for text, several in zip(hypotheses, references, strict=True):
                yield partial(score, text, several[0])


@project(
    "subset2evaluate",
    "1.0.27",
    "`diversity_bleu`, `diversity_chrf`",
    bare="subset2evaluate",
    without="subset2evaluate.evaluate",
)
def subset2evaluate(hypotheses, references):
    """Pass texts of several systems, each of which is compared with each."""
    from subset2evaluate import methods

    data = [
        {"tgt": dict(enumerate([text, *several]))}
        for text, several in zip(hypotheses, references, strict=True)
    ]
    yield partial(methods.diversity_bleu, data)
    yield partial(methods.diversity_chrf, data)
