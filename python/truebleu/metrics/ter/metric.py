"""The metric TER, translation edit rate."""

from __future__ import annotations

from truebleu._core import Engine
from truebleu.inputs.checks import USE_NFC, Remedies
from truebleu.metrics.core import CoreMetric
from truebleu.metrics.ter.score import UNITS, TerScore
from truebleu.metrics.ter.settings import SETTINGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from truebleu.metrics.settings import UnicodeForm
    from truebleu.metrics.ter.about import TerAbout
    from truebleu.metrics.ter.settings import TerSettings


class Ter(CoreMetric["TerScore"]):
    """Translation edit rate with fixed settings: edits per 100 words of the reference.

    An edit inserts, deletes or replaces a word, or shifts a phrase. Lower is better. With the same
    settings, scores equal sacreBLEU's to the last bit if segments have 1, 2, 4, 8 or 16 references;
    with other numbers, the mean length of the references is exact here and rounded there.
    Immutable, and safe to share between threads.

    Parameters
    ----------
    unicode_form : {"NFC", "NFD", "NFKC", "NFKD"}, optional
        Convert text to this Unicode normal form first. Default: no normalization.
    normalized : bool, default False
        Split off punctuation, as Tercom does with its option ``-N``.
    no_punct : bool, default False
        Remove punctuation.
    asian_support : bool, default False
        With `normalized`, split Han characters into words of their own; with `no_punct`, remove
        Chinese and Japanese punctuation, too.
    case_sensitive : bool, default False
        Distinguish upper and lower case.

    Raises
    ------
    SettingsError
        If a setting is outside its range.

    Notes
    -----
    If a segment has several references, the edits are those of the reference with the fewest, and
    the length is the mean over all of them. There may be at most 16.

    As in Tercom, the search for shifts is greedy and bounded: phrases of up to 10 words, shifted by
    up to 50 words, among some 1,000 candidates for a segment. The result is not always the smallest
    number of edits. So time and memory grow linearly with the text: two segments of 10,000 words
    take up to 0.1 seconds, two of 100,000 up to 1 second and 30 MB.

    With `normalized`, references are tokenized twice and hypotheses once, as in sacreBLEU. A few
    texts are split further the second time (``..0``), and then differ from themselves.

    References
    ----------
    Snover et al. (2006), https://aclanthology.org/2006.amta-papers.25.

    Examples
    --------
    >>> print(Ter().segment("on the mat the cat sat", ["the cat sat on the mat"]))
    TER = 16.67 (edits = 1 ref_len = 6 ins = 0 del = 0 sub = 0 shifts = 1)
    """

    __module__ = "truebleu"

    __slots__ = (*SETTINGS.defaults,)
    unicode_form: UnicodeForm | None
    normalized: bool
    no_punct: bool
    asian_support: bool
    case_sensitive: bool

    name = "TER"
    identifier = "ter"
    higher_is_better = False
    _score_type = TerScore
    _settings_table = SETTINGS
    tokenizer_name = "tercom"

    def __init__(self, **settings: Unpack[TerSettings]) -> None:
        super().__init__(**settings)

    def _make_engine(self) -> Engine:
        return Engine.ter(**self.settings(), score_type=TerScore)

    def _segment_columns(self, rows: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
        """Return edits of each kind and the reference length, as :class:`TerScore` has them."""
        edits = {name: rows[:, index] for index, name in enumerate(self.fields[:-1])}
        return {"edits": rows[:, :-1].sum(axis=1), **edits, "ref_len": rows[:, -1] / UNITS}

    @property
    def _unicode(self) -> str | None:
        return self._unicode_versions(lowers=not self.case_sensitive)

    @property
    def _about(self) -> TerAbout:
        from truebleu.metrics.ter.about import TerAbout

        return TerAbout(self)

    @property
    def _remedies(self) -> Remedies:
        is_split = self.normalized and self.asian_support
        return Remedies(
            unspaced=(
                "TER",
                None if is_split else "set normalized=True and asian_support=True",
                "compute chrF instead",
            ),
            decomposed=None if self.unicode_form else USE_NFC,
        )

    def _explanation(self) -> Any:
        from truebleu.metrics.ter import explanation

        return explanation
