"""sacreBLEU 2.6.0's classes of TER, computed by truebleu."""

from __future__ import annotations

from itertools import islice
from struct import Struct

from truebleu._core import TER_MOST_REFERENCES, TER_UNITS
from truebleu.compat.sacrebleu.metrics.base import Metric as Metric
from truebleu.compat.sacrebleu.metrics.base import Score as Score
from truebleu.compat.sacrebleu.metrics.base import Signature as Signature
from truebleu.compat.sacrebleu.metrics.base import common_attributes
from truebleu.compat.sacrebleu.metrics.lib_ter import translation_edit_rate as translation_edit_rate
from truebleu.compat.sacrebleu.tokenizers.tokenizer_ter import TOKENIZE
from truebleu.compat.sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer as TercomTokenizer
from truebleu.compat.sacrebleu.utils import sum_of_lists as sum_of_lists
from truebleu.compat.watched import HOOKS, marks, watch
from truebleu.inputs import sequences

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from truebleu._core import Engine
    from truebleu.compat.sacrebleu.metrics.base import CoreTables, SentenceContext
    from truebleu.metrics.metric import Counted

# A row of the core: four kinds of edits, and the mean length of the references in TER_UNITS.
_ROW = Struct("<5q")

# The statistics of a segment: the number of edits, and the mean length, rounded.
_STATISTICS = Struct("<qd")
_COLUMNS = [("edits", "<i8"), ("length", "<f8")]


class TERSignature(Signature):
    """The signature of a TER score."""

    def __init__(self, args: dict[str, Any]) -> None:
        super().__init__(args)
        self._abbr |= {"case": "c", "tok": "t", "norm": "nr", "punct": "pn", "asian": "as"}
        self.info |= {
            "case": "mixed" if args["case_sensitive"] else "lc",
            "tok": args["tokenizer_signature"],
            "norm": args["normalized"],
            "punct": not args["no_punct"],
            "asian": args["asian_support"],
        }


class TERScore(Score):
    """A TER score, the number of edits and the mean length of the references."""

    def __init__(self, score: float, num_edits: float, ref_length: float) -> None:
        super().__init__("TER", score)
        self.num_edits = int(num_edits)
        self.ref_length = ref_length


SENTENCE_CONTEXT = common_attributes(TERScore(0.0, 0, 0.0), "num_edits", "ref_length")
"""What the core needs to make scores of sentences."""


class TER(Metric[TERScore]):
    """Translation edit rate with sacreBLEU's parameters, reference layout, names and floats.

    Parameters
    ----------
    normalized, no_punct, asian_support, case_sensitive, references
        As in sacreBLEU 2.6.0; see :class:`truebleu.Ter`.
    strict : bool, optional
        As in :class:`BLEU`.

    Notes
    -----
    There may be any number of references. Mean lengths are rounded and added in the order of the
    segments, as in sacreBLEU; :class:`truebleu.Ter` adds them exactly.
    """

    _SIGNATURE_TYPE = TERSignature
    _HOOKS = HOOKS
    _MODULES = ("truebleu.compat.sacrebleu.metrics.lib_ter",)

    no_punct: bool
    normalized: bool
    asian_support: bool
    case_sensitive: bool
    tokenizer: Any
    tokenizer_signature: str

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
        references: Sequence[Sequence[str | None]] | None = None,
        *,
        strict: bool | None = None,
    ) -> None:
        super().__init__(strict=strict)
        tokenizer = TercomTokenizer(normalized, no_punct, asian_support, case_sensitive)
        # Faster than one by one, by __setattr__.
        vars(self).update(
            no_punct=no_punct,
            normalized=normalized,
            asian_support=asian_support,
            case_sensitive=case_sensitive,
            tokenizer=tokenizer,
            tokenizer_signature=tokenizer.signature(),
        )
        if references is not None:
            self._keep(references)

    def _core(self) -> Engine | None:
        if marks and self._mark is not marks[0]:
            self._compare()
        tokenizer = self.tokenizer
        if not self._hooks_unchanged or type(tokenizer) is not TercomTokenizer:
            return None
        return None if marks and TercomTokenizer.__call__ is not TOKENIZE else tokenizer.engine()

    def _sentence_context(self) -> SentenceContext:
        return SENTENCE_CONTEXT

    def _count_text(
        self, engine: Engine, texts: list[Any], references: list[Any], *, each: bool
    ) -> Counted:
        if all(isinstance(item, str) or len(item) <= TER_MOST_REFERENCES for item in references):
            import numpy as np

            rows, fewest, most = super()._count_text(engine, texts, references, each=True)
            counted = np.frombuffer(rows, "<i8").reshape(-1, 5)
            found = np.empty(len(counted), _COLUMNS)
            found["edits"] = counted[:, :4].sum(axis=1)
            found["length"] = counted[:, 4] / TER_UNITS
            return found.tobytes(), fewest, most
        return self._count_many(engine, texts, references)

    def _count_many(self, engine: Engine, texts: list[Any], references: list[Any]) -> Counted:
        """Count segments with any number of references, each reference by itself."""
        given = [[text for text in several if text is not None] for several in references]
        pairs = [(text, one) for text, several in zip(texts, given, strict=True) for one in several]
        numbers = list(map(len, given))
        if 0 in numbers:
            raise sequences.missing(numbers.index(0))
        rows, _, _ = super()._count_text(engine, *map(list, zip(*pairs, strict=True)), each=True)
        counted = _ROW.iter_unpack(rows)
        packed = []
        for number in numbers:
            own = list(islice(counted, number))
            words = sum(row[-1] for row in own) // TER_UNITS
            packed.append(_STATISTICS.pack(min(sum(row[:-1]) for row in own), words / number))
        return b"".join(packed), min(numbers), max(numbers)

    def _score_rows(self, engine: Engine, rows: bytes) -> TERScore:
        import numpy as np

        stats = np.frombuffer(rows, _COLUMNS)
        # Lengths are added one after the other, as in sacreBLEU.
        length = float(np.cumsum(stats["length"])[-1])
        return self._compute_score_from_stats([int(stats["edits"].sum()), length])

    def _statistics(self, engine: Engine, rows: bytes) -> list[list[Any]]:
        return list(map(list, _STATISTICS.iter_unpack(rows)))

    def core_tables(self, *corpora: list[list[Any]]) -> CoreTables | None:
        """Turn statistics into the core's rows; see :class:`Metric`.

        Sums of lengths are exact, in any order, if each is a multiple of 1/16, as those of 1, 2, 4,
        8 or 16 references are. Otherwise, they depend on the order of the additions.
        """
        import numpy as np

        engine = self._core()
        tables = [np.array(stats, np.float64) for stats in corpora]
        if engine is None or any((table[:, 1] * 16 % 1).any() for table in tables):
            return None
        zeros = [np.zeros((len(table), 3)) for table in tables]
        lengths = [table[:, 1:] * TER_UNITS for table in tables]
        columns = zip(tables, zeros, lengths, strict=True)
        return engine, [
            np.hstack([table[:, :1], zero, length]).astype(np.int64)
            for table, zero, length in columns
        ]

    # The methods below keep sacreBLEU's names: subclasses override them, and other packages call
    # them.

    def _preprocess_segment(self, sent: str) -> str:
        tokens: str = self.tokenizer(sent.rstrip())
        return tokens

    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        return {"ref_words": [self._preprocess_segment(reference).split() for reference in refs]}

    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: dict[str, Any]) -> list[Any]:
        words = hypothesis.split()
        counted = [translation_edit_rate(words, reference) for reference in ref_kwargs["ref_words"]]
        lengths = sum(length for _, length in counted)
        mean_length = lengths / len(counted)
        return [min(edits for edits, _ in counted), mean_length]

    def _compute_score_from_stats(self, stats: Any) -> TERScore:
        edits, length = stats[0], stats[1]
        rate = edits / length if length > 0 else float(edits > 0)
        return TERScore(100 * rate, edits, length)


watch(__name__)
