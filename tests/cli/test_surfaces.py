"""The command and the package know the same: each option has a parameter, and each parameter one.

Where it is not so, a line says why.
"""

import inspect

import pytest
import truebleu
from truebleu.cli.arguments import command_parser
from truebleu.metrics.bleu import settings as bleu
from truebleu.significance.design import OF_INTERVALS, OF_TESTS

# Commands, and what does the same.
FUNCTIONS = {
    "audit": [truebleu.audit],
    "compare": [
        truebleu.compare,
        truebleu.compare_runs,
        truebleu.compare_sets,
        truebleu.Comparison.regressions,
    ],
    "explain": [truebleu.explain],
    "mbr": [truebleu.mbr],
    "report": [truebleu.report],
    "score": [truebleu.corpus_bleu, truebleu.confidence_interval],
    "segments": [truebleu.Bleu.segments],
    "tokenize": [truebleu.tokenize],
}
SETTINGS = {
    *(each.name for each in bleu.SETTINGS.settings),
}

# What is said in another way: options of the command, then parameters.
OTHERWISE = {
    "systems": {"hypotheses", "systems"},
    "hypotheses": {"hypotheses", "systems"},
    "files": {"samples", "text"},
    "metrics": {"metric", "metrics", "self"},
    "fail_if": {"significant", "possibly"},
}

# Options that no function has, by what has them in the package.
ONLY_OPTIONS = {
    "all": "Explanation.in_full",
    "chart": "Report.plot",
    "cite": "Comparison.paper",
    "size": "Report.plot",
    "as_text": "a list of strings is text, whatever it looks like",
    "confidence": "confidence_interval",
    "column": "a list of strings, such as a column of a frame",
    "dialect": "Bleu.dialect",
    "explain": "decompose",
    "fail_under": "a score is a float, which `assert` compares",
    "format": "to_dict, to_json, to_markdown, to_html, to_latex, to_csv",
    "group_by": "engines",
    "help": "help(function)",
    "input_format": "samples are lists",
    "keep": "engines.arrow.segment_score",
    "language_pair": "load_test_set",
    "missing": "None is a reference that is missing; and engines",
    "no_header": "columns of frames have names",
    "output": "Report.write, and whatever writes a file",
    "paper": "Comparison.paper",
    "quiet": "the module warnings",
    "reference_columns": "columns of frames, and engines",
    "score_only": "a score is a float",
    "scores": "SegmentScores",
    "segment": "the text and the references of one segment",
    "batch": "SavedStats",
    "n_resamples": "confidence_interval",
    "seed": "confidence_interval",
    "sets": "compare_sets, and a loop over test sets",
    "signature": "explain_signature",
    "stats_out": "SavedStats.write, Stats.to_bytes, and stats of the engines",
    "test_set": "load_test_set",
    "text": "a list of one string",
    "threads": "only files are worth it",
    "width": "Score.format(width)",
    "units": "the documents of SavedStats",
    "worst": "argsort of an array",
}

# What functions collect, by its annotation.
ARGUMENTS = {
    "Unpack[IntervalArguments]": (*OF_INTERVALS, "threads"),
    "Unpack[TestArguments]": (*OF_TESTS, "threads"),
}

# Parameters that are no options.
ONLY_PARAMETERS = {
    "progress": "a bar on the terminal",
    "pseudo_references": "a file of samples is its own pseudo-references",
    "reference_streams": "several files with -r",
    "alpha": "of tests, which `compare` has; `score --confidence` takes a level",
    "source_lang": "the first half of --language-pair",
    "target_lang": "the second half of --language-pair",
    "title": "the names of the systems",
    **dict.fromkeys(
        ("effective_order", "reference_length", "brevity_penalty", "phantom_ngrams"),
        "behind the name of the metric, as in -m bleu:phantom_ngrams",
    ),
    "alternative": "of tests, which `compare` has",
    "margin": "of tests, which `compare` has",
    "n_trials": "of tests, which `compare` has",
    "tokenizers": "all are tried, until the time is over",
}


@pytest.mark.parametrize("command", FUNCTIONS)
def test_options_are_parameters(command):
    """Under the same name, but for those in the tables."""
    options = {action.dest for action in command_parser(command).parameters}
    parameters = set(SETTINGS)
    for function in FUNCTIONS[command]:
        found = inspect.signature(function).parameters.values()
        collected = inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD
        parameters |= {each.name for each in found if each.kind not in collected}
        for each in found:
            parameters |= {*ARGUMENTS.get(each.annotation, ())}
    for option, several in OTHERWISE.items():
        if option in options and parameters & several:
            options |= parameters & several
            parameters |= {option}
    assert options - parameters - ONLY_OPTIONS.keys() == set()
    without_settings = command in ("audit", "tokenize")
    missing = parameters - options - {"self"} - ONLY_PARAMETERS.keys()
    assert missing - (SETTINGS if without_settings else set()) == set()
