"""Calls a project's metrics on every input, and prints what came out: what a process does.

The module path decides whether the libraries it imports are the originals or the drop-ins.
"""

import contextlib
import io
import json
import logging
import os
import re
import sys
import warnings
from importlib import import_module
from pathlib import Path

import with_evaluate  # noqa: F401  # Adds to the projects.
import with_nltk  # noqa: F401
import with_sacrebleu  # noqa: F401
import with_torchmetrics  # noqa: F401
from inputs import INPUTS
from projects import PROJECTS
from stand_ins import prepare

# What its drop-in replaces in each library: a module and a name in it.
REPLACED = {
    "sacrebleu": ("sacrebleu", "corpus_bleu"),
    "nltk": ("nltk.translate.bleu_score", "corpus_bleu"),
    "evaluate": ("evaluate", "load"),
    "torchmetrics": ("torchmetrics.text", "BLEUScore"),
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


def main(name, folder):
    """Print a line of JSON: whose functions are called; then one for each call."""
    project = PROJECTS[name]
    # What is compared is never an empty module.
    assert not set(project.uses) & set(project.without)
    # NLTK does without it, and most of the time that importing NLTK takes is for this.
    sys.modules["scipy.stats"] = None
    # Before the program is, since they may need the real packages.
    homes = [
        vars(import_module(REPLACED[each][0]))[REPLACED[each][1]].__module__
        for each in project.uses
    ]
    del sys.modules["scipy.stats"]
    prepare(Path(folder), project.without, project.bare)
    if "nltk" in project.uses:
        without_downloads()
    logging.getLogger().setLevel(logging.INFO)
    print(json.dumps(homes))
    if "evaluate.loading" in homes:
        without_hub()
    for label, (hypotheses, references) in INPUTS.items():
        for number, call in enumerate(project.run(hypotheses, references)):
            print(json.dumps({"input": label, "call": number} | outcome(call)))


if __name__ == "__main__":
    main(*sys.argv[1:])
