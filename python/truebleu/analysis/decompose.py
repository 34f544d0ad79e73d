"""Why two scores differ: parts of the difference that add up to it."""

from __future__ import annotations

from truebleu.analysis.dialects.corpus import AUDITED, Corpus, corpus_of
from truebleu.display.blocks import Block
from truebleu.display.formatting import decimals
from truebleu.display.shown import Result, Shown
from truebleu.errors import InputTypeError, SettingsError
from truebleu.metrics.score import Score
from truebleu.metrics.signatures import assert_comparable
from truebleu.record import brief

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from truebleu.analysis.dialects.corpus import Settings
    from truebleu.metrics.core import CoreMetric
    from truebleu.metrics.dialect import Dialect
    from truebleu.metrics.explanation import DifferencePart


class AuditRow(Result):
    """The score of one tool.

    >>> import truebleu
    >>> hypotheses, references = ["the cat sat on the mat"], ["the cat sat on a mat"]
    >>> truebleu.audit(hypotheses, references)["nltk"].number
    0.537284965911771

    Attributes
    ----------
    dialect : Dialect
    value : float
        The score from 0 to 100.
    score : Score or None
        The score with its parts; None if no settings of the metric's class give it.
    parts : tuple of DifferencePart
        What each aspect that differs from the default does if it alone is changed. Aspects that
        make no difference to this text, such as how references are joined if there is only one,
        are left out.
    notes : tuple of str
        Where the tool itself prints another number for this text, and why.
    """

    dialect: Dialect
    value: float
    score: Score | None
    parts: tuple[DifferencePart, ...]
    notes: tuple[str, ...]

    @property
    def number(self) -> float:
        """The score on the scale of the tool."""
        return self.dialect.number(self.value)

    def __str__(self) -> str:
        return repr(self)[len("<AuditRow ") : -1]

    def __repr__(self) -> str:
        return f"<AuditRow {self.dialect.name}: {self.cells()[1]}>"

    def cells(self) -> tuple[str, ...]:
        """Return the cells of a table: dialect, number, score, and what differs."""
        number = decimals(self.number, ".2f" if self.dialect.scale == 100 else ".4f")
        parts = "; ".join(f"{part.name} {part.one} {part.cells()[-1]}" for part in self.parts)
        return self.dialect.name, number, decimals(self.value), parts

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values."""
        return {
            "dialect": self.dialect.name,
            "tool": self.dialect.tool,
            "number": self.number,
            "score": self.value,
            "signature": None if self.score is None else self.score.signature,
            "parts": [part.to_dict() for part in self.parts],
            "notes": list(self.notes),
            "defects": list(self.dialect.defects),
        }


class Decomposition(Shown):
    """The difference of two scores in parts that add up to it.

    Made by :func:`decompose` and `Audit.difference`.

    >>> import truebleu
    >>> one, other = (truebleu.sentence_ter(text, "a b c d") for text in ("a b c", "a b"))
    >>> truebleu.decompose(one, other).delta
    -25.0

    Attributes
    ----------
    one, other : Score or AuditRow
    delta : float
        The first score minus the second, on the scale of 0 to 100.
    parts : tuple of DifferencePart
        Their shares add up to `delta`, up to rounding errors of floats. With texts, they are the
        steps from `other` to `one`, each of which changes one setting, in the order of
        :class:`truebleu.Bleu`; in another order, steps may have other shares.
    reason : str or None
        Why the shares are undefined, in a sentence; None if they are not.
    metric : str
        The name of the metric.
    """

    one: Score | AuditRow
    other: Score | AuditRow
    delta: float
    parts: tuple[DifferencePart, ...]
    reason: str | None = None
    metric: str

    def __repr__(self) -> str:
        one, other = (
            decimals(_value(side)) if isinstance(side, Score) else side.dialect.name
            for side in (self.one, self.other)
        )
        return f"<Decomposition {one} - {other}: {decimals(self.delta, '+.2f')}>"

    def blocks(self, *, plain: bool = False) -> list[Block]:
        """Return the blocks of the output, for any format; for programs, if they are `plain`."""
        steps = all(isinstance(part.one, str) for part in self.parts)
        if steps and not plain:
            return [Block(lines=self.sentences())]
        header = ("part", "share", "one", "other", *(["why"] * steps))
        rows = []
        for part in self.parts:
            one, other, share = part.cells()
            rows.append(("", (part.name, share, one, other, *([part.why] * steps))))
        heading = f"difference in {self.metric} = {decimals(self.delta, '+.2f')}"
        return [Block(heading, [self.reason] if self.reason else [], header, rows)]

    def sentences(self) -> list[str]:
        """Describe the difference in sentences, in which the printed shares add up, too."""
        first, second = self._named()
        gap = self.rounded_delta()
        verdict = f"{abs(gap):.2f} {'more' if gap > 0 else 'less'} than" if gap else "the same as"
        lines = [f"{first}: {verdict} {second}."]
        if not self.parts:
            lines.append("The two have the same settings.")
        if self.reason:
            return [*lines, self.reason]
        for part, share in self.rounded():
            one, other, _ = part.cells()
            changed = f"{part.name} {one} instead of {other}: {decimals(share, '+.2f')}."
            lines.append(f"{changed} {part.why}".rstrip())
        return lines

    def rounded_delta(self) -> float:
        """Return the difference of the printed scores."""
        one, other = (round(_value(side), 2) for side in (self.one, self.other))
        return round(one - other, 2)

    def rounded(self) -> list[tuple[DifferencePart, float]]:
        """Return each part with a share in hundredths, which add up to those of the scores."""
        shares = _rounded([part.share or 0 for part in self.parts], self.rounded_delta())
        return list(zip(self.parts, shares, strict=True))

    def _named(self) -> Iterator[str]:
        """Say what each score is: that of a tool, if the two are of different tools."""
        sides = (self.one, "The first score is", ""), (self.other, "the second,", ", which gives")
        tools = [None if isinstance(side, Score) else side.dialect for side, *_ in sides]
        for (side, name, which), tool in zip(sides, tools, strict=True):
            if tool is None or tools[0] is tools[1]:
                yield f"{name} {_value(side):.2f}"
            else:
                number = "" if tool.scale == 100 else f"{tool.number(_value(side)):.4f}, which is "
                yield f"{tool.name}{which or ' gives'} {number}{_value(side):.2f}"

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values."""
        sides = {"one": self.one, "other": self.other}
        names = {
            side: each.signature if isinstance(each, Score) else each.dialect.name
            for side, each in sides.items()
        }
        parts = [part.to_dict() for part in self.parts]
        values = {"delta": self.delta, "parts": parts, "reason": self.reason, "metric": self.metric}
        return {**names, **values, "sentences": self.sentences()}


def decompose(
    one: Score | AuditRow, other: Score | AuditRow, corpus: tuple[Any, Any] | None = None
) -> Decomposition:
    """Split the difference of two scores into parts that add up to it.

    Without texts, the scores must be comparable, and the parts say what the difference consists
    of, not what caused it. With A and B for the two scores:

    - BLEU is a product, so the logarithm of A / B is a sum over the orders and the brevity
      penalty. Each part is that term times the logarithmic mean of the scores,
      (A - B) / (ln A - ln B) [1]_. If one score is 0, logarithms and parts are undefined.
    - chrF is an F-score of precision P and recall R. The part of precision is the Shapley value
      [2]_: the mean of F(P_A, R_A) - F(P_B, R_A) and F(P_A, R_B) - F(P_B, R_B); likewise for
      recall. With `eps_smoothing`, it is the mean over the orders of such values.
    - TER is edits E by the length L of the references. Each part is the difference in edits of one
      kind times 100 (1/L_A + 1/L_B) / 2. If the lengths differ, which they do not if the references
      are the same, a part of its own is 100 (E_A + E_B) / 2 (1/L_A - 1/L_B). If there are no
      words in the references, the parts are undefined.

    With the texts that both were computed from, any two scores of a metric will do. Each setting
    that differs is a part: what it changes, step by step from `other` to `one`.

    Parameters
    ----------
    one, other : BleuScore, ChrfScore or TerScore
        Scores of the same metric; without texts, with the same settings, and with several lists of
        weights, BLEU's first score is decomposed. With texts, also rows of :func:`audit`.
    corpus : tuple of hypotheses and references, optional
        The texts, as :func:`corpus_bleu` takes them.

    Returns
    -------
    Decomposition

    Raises
    ------
    SettingsError
        If the scores are not comparable, or are of a metric that is none of these; with texts, if
        they are of different metrics, or were not computed from these texts.
    InputTypeError
        If an argument is not a score.

    References
    ----------
    .. [1] Ang (2004), Decomposition analysis for policymaking in energy: which is the preferred
       method?, https://doi.org/10.1016/S0301-4215(03)00076-4
    .. [2] Shapley (1953), A value for n-person games, https://doi.org/10.1515/9781400881970-018

    Examples
    --------
    >>> from truebleu import Bleu, corpus_ter, decompose
    >>> references = ["The cat sat on the mat.", "It rained all day."]
    >>> first = corpus_ter(["The cat sat on the mat.", "It rained."], references)
    >>> second = corpus_ter(["A cat sat on a mat.", "It rained all of a day."], references)
    >>> for part in decompose(first, second).parts:
    ...     print(part)
    insertions 0 -> 2: +20.00
    deletions 2 -> 0: -20.00
    substitutions 2 -> 1: -10.00
    shifts 0 -> 0: 0.00

    >>> texts = ["the cat sat on a Mat.", "It rained All day."]
    >>> scores = [Bleu(lowercase=each).corpus(texts, references) for each in (True, False)]
    >>> print(decompose(*scores, (texts, references)))
    The first score is 69.19: 45.55 more than the second, 23.64.
    lowercase yes instead of no: +45.55. Words that match: 2 more.
    """
    for score in (one, other):
        if not isinstance(score, Score | AuditRow):
            raise InputTypeError(
                f"a score is needed, such as corpus_bleu returns, not a value of type "
                f"{type(score).__name__}"
            )
    if corpus is not None:
        return by_steps(one, other, _read((one, other), corpus))
    if isinstance(one, Score) and isinstance(other, Score):
        assert_comparable(one, other)
        return decompose_comparable(one, other)
    raise InputTypeError("corpus is missing: the texts that the scores were computed from")


def decompose_comparable(one: Score, other: Score) -> Decomposition:
    """Decompose a difference of scores that are known to be comparable; see :func:`decompose`."""
    explanation = one.metric._explanation()  # A hook of metrics.
    if explanation is None:
        raise SettingsError(
            f"a difference in {one.metric.name} cannot be decomposed; only those in BLEU, chrF and "
            "TER can"
        )
    parts, reason = explanation.decompose(one, other)
    named = {"one": one, "other": other, "metric": one.metric.name}
    return Decomposition(**named, delta=one.score - other.score, parts=parts, reason=reason)


class _PlainCorpus(Corpus):
    """A corpus that is scored under settings of a metric, and under those of no other tool."""

    def __init__(self, metric: CoreMetric[Score], *corpus: Any) -> None:
        super().__init__(*corpus)
        self._metric = metric
        self.title = metric.name  # type: ignore[misc]
        self.defaults = metric.settings()  # type: ignore[misc]
        self.aspects = {name: (name,) for name in self.defaults}  # type: ignore[misc]

    def scorer(self, settings: Settings) -> CoreMetric[Score]:
        return self._metric.replace(**settings)

    def why(self, aspect: str, start: Settings, end: Settings) -> str:
        return ""


def by_steps(one: Score | AuditRow, other: Score | AuditRow, corpus: Corpus) -> Decomposition:
    """Change the settings of the second score to those of the first, one by one."""
    start, end = (corpus.simplified(_settings(corpus, side), ()) for side in (other, one))
    value = _scored(corpus, start)
    for found, side, which in ((value, other, "second"), (_scored(corpus, end), one, "first")):
        if not abs(found - _value(side)) < 1e-6:
            raise SettingsError(
                f"the {which} score is {_value(side):.4f}, but the texts give {found:.4f}: pass "
                "those that it was computed from"
            )
    parts = []
    left = corpus.differing(start, end)
    for aspect in left:
        settings = corpus.changed(start, end, aspect)
        try:
            after = _scored(corpus, settings)
        except SettingsError:
            # chrF needs an order: another step has to come first.
            if left.count(aspect) > 1:
                raise
            left.append(aspect)
            continue
        parts.append(corpus.part_of(aspect, start, settings, after - value))
        start, value = settings, after
    delta = _value(one) - _value(other)
    return Decomposition(one=one, other=other, delta=delta, parts=tuple(parts), metric=corpus.title)


def _read(sides: Sequence[Score | AuditRow], given: Any) -> Corpus:
    """Read the texts of two scores of one metric."""
    metrics = [metric for side in sides if (metric := _metric_of(side)) is not None]
    kinds = {type(each).__name__.lower() for each in metrics}
    kinds |= {side.dialect.metric for side in sides if not isinstance(side, Score)}
    if len(kinds) > 1 or None in [each._explanation() for each in metrics]:
        names = " and ".join(sorted(kinds))
        raise SettingsError(
            f"these are scores of {names}; a difference can be decomposed step by step if both are "
            "of BLEU, of chrF, or of TER"
        )
    if not isinstance(given, tuple | list) or len(given) != 2:
        raise InputTypeError(
            f"a corpus is {brief(given)}; a tuple of hypotheses and references is needed"
        )
    [kind] = kinds
    # The dialects of chrF have words up to chrF++'s.
    if kind not in AUDITED or any(getattr(each, "word_order", 0) > 2 for each in metrics):
        corpus: Corpus = _PlainCorpus(metrics[0], *given)
    else:
        corpus = corpus_of(kind)(*given)
    # What is odd about the texts was said when they were scored.
    corpus._known["warned"] = True
    return corpus


def _metric_of(side: Score | AuditRow) -> Any:
    score = side if isinstance(side, Score) else side.score
    return None if score is None else score.metric


def _settings(corpus: Corpus, side: Score | AuditRow) -> Settings:
    """Return the settings of a score; those that follow from others are left to them."""
    metric = _metric_of(side)
    if not isinstance(side, Score) and metric is None:
        return corpus.filled(side.dialect.settings)
    settings: Settings = metric.settings()
    for name, default in metric._settings_table.defaults.items():
        if default is None and metric.replace(**{name: None}) == metric:
            settings[name] = None
    return corpus.filled(settings)


def _scored(corpus: Corpus, settings: Settings) -> float:
    score = corpus.score(settings)
    return corpus.value(settings) if score is None else score.score


def _value(side: Score | AuditRow) -> float:
    return side.score if isinstance(side, Score) else side.value


def _rounded(shares: Sequence[float], total: float) -> list[float]:
    """Round shares to hundredths so that they still add up to the rounded total."""
    hundredths = [round(100 * share) for share in shares]
    left = round(100 * total) - sum(hundredths)
    step = 1 if left > 0 else -1
    # Those that rounding has moved furthest away from the total give way first.
    errors = [
        (step * (hundredth - 100 * share), index)
        for index, (share, hundredth) in enumerate(zip(shares, hundredths, strict=True))
    ]
    for _, index in sorted(errors)[: abs(left)]:
        hundredths[index] += step
    return [hundredth / 100 for hundredth in hundredths]
