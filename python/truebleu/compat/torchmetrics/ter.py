"""torchmetrics' TER."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import ModuleType
from typing import Any

import numpy as np

from truebleu._core import Engine, survey, tercom
from truebleu.compat import faithful
from truebleu.compat.errors import NotTextError
from truebleu.compat.torchmetrics.base import Base
from truebleu.compat.torchmetrics.rules import Counted, Rules, as_list
from truebleu.errors import SettingsError
from truebleu.inputs.numbers import thread_count
from truebleu.metrics import core
from truebleu.metrics.ter.metric import Ter
from truebleu.metrics.ter.score import UNITS


@lru_cache(16)
def _engine(**settings: Any) -> Engine:
    """Return what counts TER whose longest shifts move 9 words, instead of 10."""
    return Engine.ter(**settings, short_blocks=True)


class TerRules(Rules):
    """How torchmetrics counts TER: edits, and the mean reference length of each segment.

    In place of torchmetrics, the sum of these lengths has single precision, as it has there.
    torchmetrics 1.9 exchanges predictions and references.
    """

    _lost = "", "a", "total_num_edits"

    def __init__(
        self,
        normalize: bool,
        no_punctuation: bool,
        lowercase: bool,
        asian_support: bool,
        return_sentence_level_score: bool,
    ) -> None:
        settings = {"normalize": normalize, "no_punctuation": no_punctuation}
        settings |= {"lowercase": lowercase, "asian_support": asian_support}
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
            {"total_num_edits": (), "total_tgt_len": ()},
            "sentence_ter" if return_sentence_level_score else None,
            return_sentence_level_score=return_sentence_level_score,
            **settings,
        )
        precision = "float64" if faithful.is_strict() else "float32"
        self.states["total_tgt_len"] = self.states["total_tgt_len"].astype(precision)

    def differs(self, preds: Any, target: Any) -> bool:
        """Return whether a segment has no references, or only some of them are str."""
        return super().differs(preds, target) or not survey(as_list(target, "target"))[2]

    def tokenizer(self) -> Any:
        """Return torchmetrics' tokenizer."""
        from torchmetrics.functional.text import ter

        names = "normalize", "no_punctuation", "lowercase", "asian_support"
        return ter._TercomTokenizer(*(self.settings[name] for name in names))

    def count_originally(self, preds: Any, target: Any, tokenizer: Any) -> Counted:
        """Count a batch with torchmetrics' own functions."""
        from torchmetrics.functional.text import ter

        def words(text: Any) -> Any:
            return ter._preprocess_sentence(text, tokenizer).split()

        target, preds = ter._validate_inputs(target, preds)
        counted = [
            ter._compute_sentence_statistics(words(text), [words(each) for each in several])
            for text, several in zip(preds, target, strict=False)
        ]
        edits, lengths = np.array(counted, np.float64).reshape(-1, 2).T
        counts = {"total_num_edits": edits.sum().astype(np.int64), "total_tgt_len": lengths}
        if not self.sentences:
            return counts, None
        scores = [ter._compute_ter_score_from_statistics(*each) for each in counted]
        return counts, np.array(scores, np.float32)

    def count_listed(self, hypotheses: Sequence[str], references: Sequence[Any]) -> Counted:
        """Count a batch: the fewest edits and the mean length of the references of each segment."""
        given = np.array([len(several) for several in references])
        numbers = np.maximum(given, 1)
        targets = [text for several in references for text in several or [""]]
        predictions = hypotheses
        if len(targets) > len(given):
            predictions = [
                hypotheses[place] for place in np.repeat(np.arange(len(given)), numbers).tolist()
            ]
        texts: list[Any] = [predictions, targets]
        settings = self.ter.settings()
        del settings["unicode_form"]  # torchmetrics has none.
        if not all(issubclass(kind, str) for each in texts for kind in survey(each)[0]):
            raise NotTextError("a prediction or reference is not a str")
        if self.ter.normalized:
            # Once; the core does it twice with references, as sacreBLEU does.
            texts = [[tercom(text, **settings) for text in each] for each in texts]
            settings = dict.fromkeys(settings, False) | {"case_sensitive": True}
        if not self.is_mended:
            texts.reverse()
        counted = core.count(
            _engine(**settings), texts[0], texts[1], None, thread_count(None), each=True
        )
        rows = np.frombuffer(counted[0], "<i8").reshape(-1, 5)
        edits = np.where(rows[:, 4], rows[:, :4].sum(axis=1), 0)
        lengths = rows[:, 4] // UNITS
        if not self.is_mended:
            # What is edited has the length of what it becomes, but for insertions and deletions.
            lengths += rows[:, 1] - rows[:, 0]
        starts = np.cumsum([0, *numbers[:-1]])
        # A segment without references needs no edits.
        fewest = np.where(given, np.minimum.reduceat(edits, starts), 0)
        length = np.add.reduceat(lengths, starts) / numbers
        counts = {"total_num_edits": fewest.sum(), "total_tgt_len": length}
        if not self.sentences:
            return counts, None
        rates = fewest.astype(np.float32) / np.where(
            length > 0, length.astype(np.float32), np.maximum(fewest, 1)
        )
        return counts, rates.astype(np.float32)

    def score(self, sums: Mapping[str, Any], floats: Callable[[Any], Any], _: ModuleType) -> Any:
        """Score sums of counts; without reference words, the score is 0 or 1."""
        edits, length = (floats(sums[name]) for name in self.states)
        if length > 0:
            return edits / length
        # The length of a segment without references is undefined.
        return floats(edits > 0 and length == 0)


class TranslationEditRate(Base):
    """TER as a fraction, as the installed torchmetrics computes it, or else 1.9.

    Parameters are those of the original; :class:`truebleu.Ter` explains them. The score has single
    precision. Like torchmetrics 1.9, it edits the references into the predictions instead of the
    other way round, and counts no edits for an empty prediction. A setting that is not a bool is a
    SettingsError, which is a ValueError, too.
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
