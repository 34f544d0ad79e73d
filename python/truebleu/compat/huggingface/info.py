"""What evaluate's metrics say about themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from truebleu.display.shown import Result

# One or several references of each prediction.
_FEATURES = (
    {"predictions": "string", "references": ["string"]},
    {"predictions": "string", "references": "string"},
)
_SACREBLEU = "https://github.com/mjpost/sacreBLEU"
_CRITIQUE = (
    "https://towardsdatascience.com/"
    "evaluating-text-output-in-nlp-bleu-at-your-own-risk-e8609665a213"
)


class MetricInfo(Result, public=False):
    """What a metric says about itself.

    `citation` has one URL per line, `features` the columns of each form of input and their types,
    and `inputs_description` the options and what the metric returns. `module_name` is what evaluate
    calls it, which is "chr_f" for chrF.
    """

    description: str
    citation: str
    inputs_description: str
    module_name: str
    codebase_urls: list[str]
    reference_urls: list[str]
    features: list[Mapping[str, Any]]
    homepage: str = ""
    license: str = ""
    streamable: bool = False
    format: str | None = None
    module_type: str = "metric"
    config_name: str = "default"
    experiment_id: str = "default_experiment"


_INPUTS = """
Parameters
----------
predictions : sequence of str
references : sequence of str, or of sequences of str
    The reference, or all references, of each prediction{same}.
{options}
    See :func:`truebleu.compat.huggingface.compute`.

Returns
-------
dict
    {results}
"""

_DESCRIBED: dict[str, dict[str, Any]] = {
    "bleu": {
        "module_name": "bleu",
        "description": "BLEU from 0 to 1, with the shortest reference length of each segment.",
        "citation": "https://aclanthology.org/P02-1040\nhttps://aclanthology.org/C04-1072",
        "codebase_urls": ["https://github.com/tensorflow/nmt/blob/master/nmt/scripts/bleu.py"],
        "reference_urls": ["https://en.wikipedia.org/wiki/BLEU", _CRITIQUE],
        "results": (
            "`bleu`, `precisions`, `brevity_penalty`, `length_ratio`, `translation_length`,\n"
            "    `reference_length`"
        ),
    },
    "sacrebleu": {
        "module_name": "sacrebleu",
        "description": "sacreBLEU's BLEU, from 0 to 100.",
        "citation": "https://aclanthology.org/W18-6319",
        "homepage": _SACREBLEU,
        "codebase_urls": [_SACREBLEU],
        "reference_urls": [_SACREBLEU, "https://en.wikipedia.org/wiki/BLEU", _CRITIQUE],
        "results": "`score`, `counts`, `totals`, `precisions`, `bp`, `sys_len`, `ref_len`",
    },
    "chrf": {
        "module_name": "chr_f",
        "description": "sacreBLEU's chrF and chrF++, from 0 to 100.",
        "citation": (
            "https://aclanthology.org/W15-3049\nhttps://aclanthology.org/W17-4770\n"
            "https://aclanthology.org/W18-6319"
        ),
        "homepage": f"{_SACREBLEU}#chrf--chrf",
        "codebase_urls": [f"{_SACREBLEU}#chrf--chrf"],
        "reference_urls": ["https://github.com/m-popovic/chrF"],
        "results": "`score`, `char_order`, `word_order`, `beta`",
    },
    "ter": {
        "module_name": "ter",
        "description": "sacreBLEU's TER, in percent.",
        "citation": (
            "https://aclanthology.org/2006.amta-papers.25\nhttps://aclanthology.org/W18-6319"
        ),
        "homepage": "http://www.cs.umd.edu/~snover/tercom/",
        "codebase_urls": [f"{_SACREBLEU}#ter"],
        "reference_urls": ["https://github.com/jhclark/tercom"],
        "results": "`score`, `num_edits`, `ref_length`",
    },
}


def info_of(
    metric: str, options: Mapping[str, Any], config_name: str | None, experiment_id: str | None
) -> MetricInfo:
    """Return what a metric with these options says about itself; the others have no effect."""
    described = dict(_DESCRIBED[metric])
    described["inputs_description"] = _INPUTS.format(
        options=", ".join(f"{name}={default!r}" for name, default in options.items()),
        results=described.pop("results"),
        same="" if metric == "bleu" else "; equally many for each",
    )
    return MetricInfo(
        **described,
        features=[dict(form) for form in _FEATURES],
        config_name=config_name or "default",
        experiment_id=experiment_id or "default_experiment",
    )
