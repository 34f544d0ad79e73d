"""Programs that score with evaluate."""

import asyncio
from functools import partial
from types import SimpleNamespace

from projects import first, project


@project(
    "mlflow",
    "3.18.0",
    "`_bleu_eval_fn` of `metrics.bleu`",
    bare="mlflow mlflow.metrics",
    without="mlflow.environment_variables mlflow.utils",
    uses="evaluate",
)
def mlflow(hypotheses, references):
    """Pass columns of pandas; rows with an empty text score 0."""
    import pandas
    from mlflow.metrics import metric_definitions

    columns = pandas.Series(hypotheses), pandas.Series(first(references))
    yield partial(metric_definitions._bleu_eval_fn, *columns)


@project("openicl", "0.1.8", "`BleuEvaluator`", bare="openicl", uses="evaluate")
def openicl(hypotheses, references):
    """Pass one reference of each prediction, as it is and in a list, and all of them."""
    from openicl.icl_evaluator import BleuEvaluator

    targets = first(references)
    for several in (targets, [[each] for each in targets], references):
        yield partial(BleuEvaluator().score, hypotheses, several)


@project(
    "docling-eval",
    "1.4.2",
    "`compute_bleu_score` of `MarkdownTextEvaluator`",
    bare="docling_eval docling_eval.evaluators",
    without="datasets docling_core pydantic tqdm docling_eval.datamodels docling_eval.utils "
    "docling_eval.evaluators.base_evaluator docling_eval.evaluators.stats",
    uses="evaluate",
)
def docling_eval(hypotheses, references):
    """Pass the text of single pages, to one metric for all."""
    from docling_eval.evaluators import markdown_text_evaluator as markdown

    markdown.nltk.download = lambda *_, **__: None
    bleu = markdown.MarkdownTextEvaluator()._bleu_eval
    for text, truth in zip(hypotheses, first(references), strict=True):
        yield partial(markdown.compute_bleu_score, bleu, truth, text)


@project(
    "trulens-feedback",
    "2.16.0",
    "`GroundTruthAgreement.bleu`",
    bare="trulens trulens.feedback",
    without="pydantic scipy sklearn trulens.core trulens.feedback.generated "
    "trulens.feedback.llm_provider",
    uses="evaluate",
)
def trulens(hypotheses, references):
    """Pass a prompt and a response; the truth is looked up by the prompt."""
    from trulens.feedback.groundtruth import GroundTruthAgreement

    agreement = GroundTruthAgreement.__new__(GroundTruthAgreement)
    agreement._find_response = dict(enumerate(first(references))).get
    for prompt, response in enumerate(hypotheses):
        yield partial(agreement.bleu, prompt, response)


@project(
    "langtest",
    "2.7.0",
    "`MinBLEUcore.run`",
    bare="langtest langtest.transform",
    without="langtest.errors langtest.modelhandler langtest.transform.base langtest.utils",
    uses="evaluate",
)
def langtest(hypotheses, references):
    """Pass all answers to each question; an exception is printed, and the score is 0."""
    from langtest.transform import accuracy

    accuracy.MinScoreOutput = SimpleNamespace
    sample = SimpleNamespace()
    yield lambda: asyncio.run(accuracy.MinBLEUcore.run([sample], references, hypotheses))


@project(
    "validmind",
    "2.15.0",
    "`tests.model_validation.BleuScore`",
    bare="validmind validmind.tests validmind.tests.model_validation",
    without="plotly validmind.errors validmind.logging validmind.vm_models",
    uses="evaluate",
)
def validmind(hypotheses, references):
    """Pass columns of a dataset; of the result, the tables are compared."""
    import numpy as np
    import validmind as package

    package.RawData = SimpleNamespace
    package.tags = package.tasks = lambda *_: lambda function: function
    from validmind.tests.model_validation.BleuScore import BleuScore

    truths, texts = (np.array(each, object) for each in (first(references), hypotheses))
    dataset = SimpleNamespace(y=truths, y_pred=lambda _: texts, input_id="dataset")

    def tables():
        summary, *_, raw = BleuScore(dataset, SimpleNamespace(input_id="model"))
        return [table.to_dict() for table in (summary, raw.bleu_scores_df)]

    yield tables
