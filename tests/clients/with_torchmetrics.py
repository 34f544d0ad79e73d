"""Programs that score with torchmetrics."""

from functools import partial
from importlib import import_module
from types import SimpleNamespace

from projects import first, project


@project(
    "DashAI",
    "0.10.0",
    "`Bleu`, `Chrf`, `Ter`",
    bare="DashAI DashAI.back DashAI.back.metrics DashAI.back.metrics.translation",
    without="DashAI.back.core DashAI.back.metrics.base_metric",
    uses="torchmetrics",
)
def dashai(hypotheses, references):
    """Pass a column of references, which becomes an array, and the predictions of a model."""

    class Dataset(dict):
        column_names = ("text",)

    for name in ("Bleu", "Chrf", "Ter"):
        module = import_module(f"DashAI.back.metrics.translation.{name.lower()}")
        score = getattr(module, name).score
        yield partial(score, Dataset(text=first(references)), hypotheses)


@project(
    "uptrain",
    "0.7.1",
    "`BLEUScore`",
    bare="uptrain uptrain.operators uptrain.operators.language",
    without="polars uptrain.framework uptrain.operators.base uptrain.utilities",
    uses="torchmetrics",
)
def uptrain(hypotheses, references):
    """Pass a table; a text and a reference are passed on as strings."""
    import torchmetrics.functional.text
    from uptrain.operators.language import bleu

    class Series(list):
        def alias(self, _):
            return list(self)

    bleu.torchmetircs_text, bleu.pl = torchmetrics.functional.text, SimpleNamespace(Series=Series)
    columns = {"text_generated": hypotheses, "text_source": first(references)}
    table = SimpleNamespace(get_column=columns.get, with_columns=list)
    yield partial(bleu.BLEUScore().run, table)


@project(
    "qdls",
    "0.1.17",
    "`bleu_fn`",
    bare="qdls qdls.kgqa_eval qdls.kgqa_eval.evaluator",
    without="pygments qdls.gql qdls.reg qdls.kgqa_eval.exact_set",
    uses="torchmetrics",
)
def qdls(hypotheses, references):
    """Pass a query and all references, or one whose characters are taken for references."""
    from qdls.kgqa_eval.evaluator.metric_fns import bleu_fn

    for text, several in zip(hypotheses, references, strict=True):
        yield partial(bleu_fn, text, several)
        yield partial(bleu_fn, text, several[0])


class _Task:
    """What a task is derived from: texts are tokens already, and scores that are logged remain."""

    def __init__(self, *_, **__):
        self.logged = []

    def save_hyperparameters(self):
        pass

    def log(self, name, value, **_):
        self.logged.append((name, value))

    def decode(self, tokens):
        return [str.strip(text) for text in tokens]

    def tokenize_labels(self, labels):
        return self.decode(labels)

    def generate(self, tokens, _):
        return self.decode(tokens)


@project(
    "lightning-flash",
    "0.8.2",
    "`TranslationTask.compute_metrics`",
    bare="flash flash.text flash.text.seq2seq flash.text.seq2seq.translation flash.core "
    "flash.core.utilities",
    without="flash.core.utilities.types flash.text.seq2seq.core",
    uses="torchmetrics",
)
def lightning_flash(hypotheses, references):
    """Pass batches, and compute the score of all of them."""
    # What is imported from an empty package is not its module.
    import_module("flash.text.seq2seq.core.model").Seq2SeqTask = _Task
    from flash.text.seq2seq.translation.model import TranslationTask

    def score(**settings):
        task = TranslationTask(**settings)
        for start in range(0, len(hypotheses), 2):
            part = slice(start, start + 2)
            task.compute_metrics(hypotheses[part], {"labels": first(references)[part]}, "val")
        return task.logged, task.bleu.compute()

    yield score
    yield partial(score, n_gram=2, smooth=False)


@project(
    "lightning-transformers",
    "0.2.5",
    "`TranslationTransformer.compute_generate_metrics`",
    bare="lightning_transformers lightning_transformers.core lightning_transformers.core.seq2seq "
    "lightning_transformers.task lightning_transformers.task.nlp "
    "lightning_transformers.task.nlp.translation",
    without="transformers lightning_transformers.core.seq2seq.model "
    "lightning_transformers.task.nlp.translation.datamodule",
    uses="torchmetrics",
)
def lightning_transformers(hypotheses, references):
    """Pass batches whose references are texts, which torchmetrics takes for lists of characters."""
    import lightning_transformers.task.nlp.translation as package
    from lightning_transformers.core.seq2seq import model

    model.Seq2SeqTransformer, package.TranslationDataModule = _Task, None
    from lightning_transformers.task.nlp.translation.model import TranslationTransformer

    def score(**settings):
        task = TranslationTransformer(**settings)
        task.configure_metrics("validate")
        for start in range(0, len(hypotheses), 2):
            part = slice(start, start + 2)
            batch = {"input_ids": hypotheses[part], "attention_mask": None}
            task.compute_generate_metrics(batch | {"labels": first(references)[part]}, "val")
        return task.logged, task.bleu.compute()

    yield score
    yield partial(score, n_gram=2, smooth=True)


@project(
    "multimedeval",
    "1.0.0",
    "`MedQA.get_predicted_answer`, `VQA.evaluate`",
    bare="multimedeval",
    without="datasets nltk pandas sklearn requests PIL nibabel "
    "multimedeval.report_comparison_utils",
    uses="torchmetrics",
)
def multimedeval(hypotheses, references):
    """Pass answers to questions; options are compared with each, and the best is chosen."""
    from multimedeval import qa, task_families

    class Questions(task_families.VQA):
        format_question = setup = None

        def get_correct_answer(self, sample):
            return sample

    questions = Questions(engine=None, logger=None)
    questions.dataset = first(references)
    answers = [
        {"idx": number, "answer": SimpleNamespace(text=text)}
        for number, text in enumerate(hypotheses)
    ]
    yield partial(questions.evaluate, answers)
    choice = qa.MedQA(engine=None, logger=None)
    for text, several in zip(hypotheses, references, strict=True):
        options = [{"key": f"{key}", "value": value} for key, value in enumerate(several)]
        yield partial(choice.get_predicted_answer, text, {"options": options})
