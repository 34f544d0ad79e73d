"""Calls a project's metrics on every input, and prints what came out: what a process does.

The libraries that it imports are themselves; with the option ``--accelerated``, truebleu counts.
"""

import contextlib
import io
import json
import logging
import os
import re
import sys
import warnings
from collections import Counter
from importlib import import_module
from pathlib import Path

import truebleu
import with_evaluate  # noqa: F401  # Adds to the projects.
import with_nltk  # noqa: F401
import with_sacrebleu  # noqa: F401
import with_torchmetrics  # noqa: F401
from inputs import INPUTS
from projects import PROJECTS
from stand_ins import prepare

# What is accelerated in each library: the module that has the seams, and in it the functions that
# count, which return None where the original has to.
COUNTING = {
    "sacrebleu": ("truebleu.compat.sacrebleu", ("_counterpart", "_counted", "_sentence")),
    "nltk": ("truebleu.compat.nltk", ("_rows_of_bleu", "_rows_of_chrf")),
    "evaluate": ("truebleu.compat.evaluation_module", ("_result",)),
    "torchmetrics": ("truebleu.compat.torchmetrics", ("_row_of_bleu", "_pairs", "_edits")),
}

# The address of an object, and the version in a signature.
VARIABLE = re.compile(r"0x[0-9a-f]+|(?<=version:)[\w.-]+|(?<=\|v:)[\w.-]+|^'(2\.6|truebleu-).*'$")


def described(value, depth=6):
    """Return the type of a value, and its number, text or parts, as JSON can hold them."""
    kind = type(value).__name__
    # Else a module that is empty was called.
    assert kind not in {"Anything", "StandIn"}, value
    if value is None or isinstance(value, bool | int | float | str) or kind == "ndarray":
        return [kind, VARIABLE.sub("", repr(value))]
    if kind == "Tensor":
        return [kind, str(value.dtype), repr(value.tolist())]
    if isinstance(value, dict):
        return [kind, [[described(key), described(each, depth)] for key, each in value.items()]]
    if isinstance(value, list | tuple | set):
        return [kind, [described(each, depth) for each in value]]
    attributes = getattr(value, "__dict__", {}) if depth else {}
    parts = {name: described(each, depth - 1) for name, each in attributes.items()}
    return [kind, VARIABLE.sub("", str(value)), sorted(parts.items())]


def outcome(call):
    """Return what a call returns or raises, what it prints and what it logs."""
    printed, log = io.StringIO(), io.StringIO()
    handler = logging.StreamHandler(log)
    logging.getLogger().addHandler(handler)
    with (
        warnings.catch_warnings(),
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(printed),
    ):
        warnings.simplefilter("ignore")
        try:
            value = call()
        except Exception as error:
            kinds = [kind.__name__ for kind in type(error).__mro__]
            found = {"raises": kinds, "message": str(error)}
        else:
            found = {"returns": described(value)}
    logging.getLogger().removeHandler(handler)
    texts = (VARIABLE.sub("", text.getvalue()) for text in (printed, log))
    return found | dict(zip(("printed", "logged"), texts, strict=True))


def without_downloads():
    """Let NLTK split text into words without splitting it into sentences, which needs a model."""
    import nltk

    words = nltk.tokenize.NLTKWordTokenizer()
    nltk.word_tokenize = nltk.tokenize.word_tokenize = lambda text, *_, **__: words.tokenize(text)
    nltk.download = lambda *_, **__: False


def without_hub():
    """Let evaluate find the scripts of its metrics in a folder."""
    import evaluate

    load, scripts = evaluate.load, os.environ["TRUEBLEU_EVALUATE"]
    evaluate.load = lambda name, *given, **options: load(f"{scripts}/{name}", *given, **options)


def accelerate(names):
    """Accelerate libraries; return how many calls the core and the originals have counted."""
    asked = Counter()
    # Most of evaluate's metrics call sacreBLEU.
    counting = {*names} | ({"sacrebleu"} if "evaluate" in names else set())
    for name in counting:
        home, functions = COUNTING[name]
        module = import_module(home)
        for function in functions:

            def counted(*given, original=getattr(module, function), **options):  # noqa: B008
                result = original(*given, **options)
                if result is None:
                    asked["original"] += 1
                elif original.__name__ != "_counterpart":
                    asked["core"] += 1
                return result

            setattr(module, function, counted)
    truebleu.accelerate(*names)
    return asked


def main(name, folder, *options):
    """Print a line of JSON for each call; then who has counted how often."""
    project = PROJECTS[name]
    # What is compared is never an empty module.
    assert not set(project.uses) & set(project.without)
    # NLTK does without it, and most of the time that importing NLTK takes is for this.
    sys.modules["scipy.stats"] = None
    asked = accelerate(project.uses) if options else Counter()
    # Before the program is, since they may need the real packages.
    for each in project.uses:
        import_module(each)
    del sys.modules["scipy.stats"]
    prepare(Path(folder), project.without, project.bare)
    if "nltk" in project.uses:
        without_downloads()
    logging.getLogger().setLevel(logging.INFO)
    if "evaluate" in project.uses:
        without_hub()
    for label, (hypotheses, references) in INPUTS.items():
        for number, call in enumerate(project.run(hypotheses, references)):
            print(json.dumps({"input": label, "call": number} | outcome(call)))
    print(json.dumps(asked))


if __name__ == "__main__":
    main(*sys.argv[1:])
