"""torchmetrics' TER."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

from truebleu._core import Engine, tercom
from truebleu.compat.errors import NotTextError
from truebleu.compat.torchmetrics.base import Base
from truebleu.compat.torchmetrics.rules import Rules
from truebleu.errors import SettingsError
from truebleu.inputs.numbers import thread_count
from truebleu.metrics import core
from truebleu.metrics.ter.metric import Ter
from truebleu.metrics.ter.score import UNITS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import ModuleType

    from truebleu.compat.torchmetrics.rules import Counted


@lru_cache(16)
def _engine(**settings: Any) -> Engine:
    """Return what counts TER whose longest shifts move 9 words, instead of 10."""
    return Engine.ter(**settings, short_blocks=True)


# A mean length that is undefined, which makes the score 0, also when others are added.
_UNDEFINED = -(2**58)


class TerRules(Rules):
    """How torchmetrics counts TER: edits, and mean reference lengths in units of 1/720,720 word.

    In these units, means of up to 16 lengths are whole numbers, which add up exactly; means of more
    are rounded to the nearest unit.
    """

    def __init__(
        self,
        normalize: bool,
        no_punctuation: bool,
        lowercase: bool,
        asian_support: bool,
        return_sentence_level_score: bool,
    ) -> None:
        settings = {
            "normalize": normalize,
            "no_punctuation": no_punctuation,
            "lowercase": lowercase,
            "asian_support": asian_support,
        }
        for name, value in settings.items():
            if not isinstance(value, bool):
                raise SettingsError(
                    f"Expected argument `{name}` to be of type boolean but got {value!r}"
                )
        self.ter = Ter(
            normalized=normalize,
            no_punct=no_punctuation,
            asian_support=asian_support,
            case_sensitive=not lowercase,
        )
        super().__init__(
            {"total_num_edits": (), "total_tgt_units": ()},
            "sentence_ter" if return_sentence_level_score else None,
            return_sentence_level_score=return_sentence_level_score,
            **settings,
        )

    def differs(self, preds: Any, target: Any) -> bool:
        """Return whether a segment has no references, or only some of them are str."""
        return super().differs(preds, target) or not all(self.listed(preds, target)[1])

    def tokenizer(self) -> Any:
        """Return torchmetrics' tokenizer."""
        from torchmetrics.functional.text import ter

        names = "normalize", "no_punctuation", "lowercase", "asian_support"
        return ter._TercomTokenizer(*(self.settings[name] for name in names))

    def count_originally(self, preds: Any, target: Any, tokenizer: Any) -> Counted:
        """Count a batch with torchmetrics' own functions."""
        import numpy as np
        import torch
        from torchmetrics.functional.text import ter

        sums = torch.zeros(2, dtype=torch.float64, device="cpu")
        scores: list[Any] = []
        ter._ter_update(preds, target, tokenizer, *sums, scores)
        edits, length = sums.tolist()
        units = _UNDEFINED if math.isnan(length) else round(length * UNITS)
        counts = {"total_num_edits": np.int64(edits), "total_tgt_units": np.int64(units)}
        return counts, np.array(list(map(float, scores)), np.float32) if self.sentences else None

    def count_listed(self, hypotheses: Sequence[str], references: Sequence[Any]) -> Counted:
        """Count a batch: the fewest edits and the mean length of the references of each segment."""
        import numpy as np

        given = np.array([len(several) for several in references])
        numbers = np.maximum(given, 1)
        targets = [text for several in references for text in several or [""]]
        predictions = [
            hypotheses[place] for place in np.repeat(np.arange(len(given)), numbers).tolist()
        ]
        # Predictions and references are exchanged, as in the original.
        texts, settings = [targets, predictions], self.ter.settings()
        if not all(isinstance(text, str) for each in texts for text in each):
            raise NotTextError("a prediction or reference is not a str")
        if self.ter.normalized:
            # Once; the core does it twice with references, as sacreBLEU does.
            texts = [[tercom(text, **settings) for text in each] for each in texts]
            settings = dict.fromkeys(settings, False) | {"case_sensitive": True}
        counted = core.count(
            _engine(**settings), texts[0], texts[1], None, thread_count(None), each=True
        )
        rows = np.frombuffer(counted[0], "<i8").reshape(-1, 5)
        edits = np.where(rows[:, 4], rows[:, :4].sum(axis=1), 0)
        # What is edited has the length of what it becomes, but for insertions and deletions.
        lengths = rows[:, 4] // UNITS - rows[:, 0] + rows[:, 1]
        starts = np.cumsum([0, *numbers[:-1]])
        # A segment without references needs no edits.
        fewest = np.where(given, np.minimum.reduceat(edits, starts), 0)
        total = np.add.reduceat(lengths, starts)
        units = (2 * total * UNITS + numbers) // (2 * numbers)
        counts = {"total_num_edits": fewest.sum(), "total_tgt_units": units.sum()}
        if not self.sentences:
            return counts, None
        length = total.astype(np.float32) / numbers.astype(np.float32)
        rates = fewest.astype(np.float32) / np.where(length > 0, length, np.maximum(fewest, 1))
        return counts, rates.astype(np.float32)

    def score(self, sums: Mapping[str, Any], floats: Callable[[Any], Any], _: ModuleType) -> Any:
        """Score sums of counts; without reference words, the score is 0 or 1."""
        edits, units = (sums[name] for name in self.states)
        if units < 0:
            return floats(0)
        length = floats(units // UNITS) + floats(units % UNITS) / UNITS
        return floats(edits) / (length if length > 0 else floats(edits).clip(1))


class TranslationEditRate(Base):
    """TER as a fraction, as torchmetrics 1.9 computes it.

    The score has single precision. Like the original, it edits the references into the predictions
    instead of the other way round, and counts no edits for an empty prediction.

    Parameters
    ----------
    normalize : bool, default False
        Split off punctuation.
    no_punctuation : bool, default False
        Remove punctuation.
    lowercase : bool, default True
        Compare in lower case.
    asian_support : bool, default False
        Treat Chinese and Japanese characters; see :class:`truebleu.Ter`.
    return_sentence_level_score : bool, default False
        Return the scores of all segments, too.
    **kwargs
        Options of ``torchmetrics.Metric``, where that is installed.

    Raises
    ------
    SettingsError
        If a setting is not a bool; also a ValueError.
    """

    higher_is_better = False
    sentence_ter: Any = None

    def __init__(
        self,
        normalize: bool = False,
        no_punctuation: bool = False,
        lowercase: bool = True,
        asian_support: bool = False,
        return_sentence_level_score: bool = False,
        **kwargs: Any,
    ) -> None:
        settings = (normalize, no_punctuation, lowercase, asian_support)
        super().__init__(TerRules(*settings, return_sentence_level_score), **kwargs)
