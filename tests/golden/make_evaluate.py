"""Print evaluate.tsv: what evaluate's metrics return, under every option.

Run with evaluate 0.4.6 and sacrebleu 2.6.0 as
``python tests/golden/make_evaluate.py FOLDER > tests/golden/evaluate.tsv``. FOLDER is ``metrics``
of huggingface/evaluate; in its ``bleu``, ``nmt_bleu.py`` is ``nmt/scripts/bleu.py`` of
tensorflow/nmt, and the comment behind its import, which makes evaluate download it, is removed.
"""

import json
import sys
from importlib.metadata import version
from itertools import product
from pathlib import Path

import make_chrf_ter

TER = ("normalized", "ignore_punct", "support_zh_ja_chars", "case_sensitive")
OPTIONS = {
    "bleu": [{}, {"max_order": 2}, {"smooth": True}, {"max_order": 3, "smooth": True}],
    "sacrebleu": [
        {},
        {"smooth_method": "none", "force": True},
        {"smooth_method": "floor"},
        {"smooth_method": "floor", "smooth_value": 0.5},
        {"smooth_method": "add-k", "smooth_value": 2},
        {"lowercase": True, "tokenize": "char"},
        {"tokenize": "intl", "use_effective_order": True},
        {"tokenize": "zh"},
    ],
    "chrf": [
        {},
        {"word_order": 2},
        {"char_order": 3, "beta": 3},
        {"lowercase": True, "whitespace": True, "eps_smoothing": True},
    ],
    "ter": [dict(zip(TER, flags, strict=True)) for flags in product((False, True), repeat=4)],
}


def corpora():
    """Yield small corpora: a name, predictions, and the references of each."""
    for name, hypotheses, references in make_chrf_ter.corpora(several=True):
        if len(hypotheses) < 10:
            yield name, hypotheses, [list(several) for several in references]


def results(module):
    """Yield the rows of a module that has evaluate's ``load``.

    Each has the name of a metric, options, a corpus, and the result: null where it is an error.
    """
    for name, predictions, references in corpora():
        corpus = {"predictions": predictions, "references": references}
        for metric, several in OPTIONS.items():
            for options in several:
                try:
                    result = module.load(metric).compute(**corpus, **options)
                except (ValueError, ZeroDivisionError):
                    result = None
                yield metric, options, name, result


def main():
    """Print the table."""
    import evaluate

    load = evaluate.load
    evaluate.load = lambda name: load(str(Path(sys.argv[1], name)))
    versions = ", ".join(f"{name} {version(name)}" for name in ("evaluate", "sacrebleu"))
    print(
        f"# By tests/golden/make_evaluate.py, from {versions}; bleu.py of tensorflow/nmt (0be8642)."
    )
    print("# null: evaluate raises an error.")
    print("metric\toptions\tcorpus\tresult")
    for metric, options, corpus, result in results(evaluate):
        print(metric, json.dumps(options), corpus, json.dumps(result), sep="\t")


if __name__ == "__main__":
    main()
