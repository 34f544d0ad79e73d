"""evaluate's metrics, counted by the core where their scripts can be loaded.

Those for sacreBLEU call it, so it is accelerated with them; ``bleu`` counts by itself.
"""

from __future__ import annotations

from functools import partial
from importlib.util import find_spec
from inspect import signature

from evaluate import EvaluationModule

from truebleu.compat import mistakes
from truebleu.compat.evaluate import bleu
from truebleu.compat.seams import Seam
from truebleu.errors import TruebleuError
from truebleu.metrics.bleu.metric import Bleu

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def finalize(original: Any) -> Callable[..., Any]:
    """Return what answers `_finalize`, after which a metric calls the `_compute` of its script.

    evaluate copies the method `compute` for each metric, so that one cannot be answered.
    """

    def finalize(self: Any) -> None:
        original(self)
        if "_compute" not in vars(self) and _is_bleu(self._compute):
            self._compute = partial(_counted, self._compute)

    return finalize


def _is_bleu(script: Any) -> bool:
    """Whether a method of a script is that of ``bleu``."""
    names = getattr(getattr(script, "__code__", None), "co_names", ())
    return "compute_bleu" in names and " ".join(signature(script).parameters) == (
        "predictions references tokenizer max_order smooth"
    )


def _counted(script: Any, predictions: Any, references: Any, **options: Any) -> Any:
    """Count a corpus, or let the script do it."""
    if not SEAMS[0].is_begun:
        return script(predictions, references, **options)
    several = [[each] if isinstance(each, str) else each for each in references]
    result = _result(predictions, several, **options)
    if result is None:
        return script(predictions, references, **options)
    mistakes.check_empty("evaluate", several, "leave out those that are missing")
    mistakes.check_text("evaluate", predictions, several, Bleu())
    mistakes.check_layout(
        "evaluate", several, lambda each: float(bleu(predictions, each, **options)["bleu"])
    )
    return result


def _result(predictions: Any, references: Any, **options: Any) -> dict[str, Any] | None:
    """Return what ``bleu`` returns; None where the script has to decide."""
    try:
        result = bleu([*predictions], [*references], **options)
    except (TypeError, TruebleuError):
        return None
    # Without words, evaluate divides by zero.
    return result if result["translation_length"] and result["reference_length"] else None


SEAMS = [
    Seam(
        EvaluationModule,
        "_finalize",
        "self",
        "data writer buf_writer",
        finalize,
    ),
    Seam(
        EvaluationModule,
        "compute",
        "self predictions references kwargs",
        "_finalize _compute",
    ),
]
"""What is answered here, and what is only looked at."""

if find_spec("sacrebleu") is not None:
    from truebleu.compat import sacrebleu

    SEAMS += sacrebleu.SEAMS
