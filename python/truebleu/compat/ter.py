"""What the drop-ins for TER share: texts that are tokenized as often as their originals do."""

from __future__ import annotations

from truebleu._core import tercom
from truebleu.metrics.ter.metric import Ter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray


def count_ter(
    hypotheses: Sequence[str],
    references: Sequence[str] | Sequence[Sequence[str]],
    ter: Ter,
    *,
    tokenize_references: int,
) -> NDArray[np.int64]:
    """Count edits and lengths of segments, in the fields of :class:`truebleu.Ter`.

    Hypotheses are tokenized once, and references as often as `tokenize_references` says, in
    sacreBLEU twice: if they are normalized, they may be split further each time.
    """
    if ter.normalized:
        texts = list(hypotheses)
        lists = [[each] if isinstance(each, str) else list(each) for each in references]
        # Anything else than text ends in the errors of Ter.
        if all(isinstance(text, str) for several in [texts, *lists] for text in several):
            settings = ter.settings()
            hypotheses = [tercom(text, **settings) for text in texts]
            for _ in range(tokenize_references):
                lists = [[tercom(text, **settings) for text in several] for several in lists]
            references, ter = lists, Ter(case_sensitive=True)
    return ter._count_stats(hypotheses, references).to_numpy()
