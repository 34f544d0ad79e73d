"""A corpus under many settings of BLEU, and under what people do that BLEU has no setting for."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from functools import cache
from itertools import chain
from math import fsum

import numpy as np

from truebleu._core import SEGMENT_ONLY_SMOOTHINGS, SMOOTHINGS
from truebleu.analysis.causes import NEVER, RAREST, Cause, causes
from truebleu.analysis.dialects.clipping import CLIPPING, counted_otherwise
from truebleu.analysis.dialects.corpus import NOTHING, Choice, Corpus
from truebleu.analysis.dialects.formula import (
    ORDERS,
    means_of,
    penalty_of,
    precisions_of,
    scores_by_nltk,
)
from truebleu.analysis.dialects.texts import ALIGNMENTS, SPLITTERS
from truebleu.errors import InputTypeError, SettingsError, wrong_type
from truebleu.inputs import sequences
from truebleu.metrics.bleu.dialects import CALLS, HABITS
from truebleu.metrics.bleu.settings import DEFAULTS
from truebleu.metrics.corpora import Corpora
from truebleu.metrics.registry import METRICS
from truebleu.tokenizers.sentencepiece import SentencePiece

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, ClassVar

    from numpy.typing import NDArray

    from truebleu.analysis.dialects.corpus import Settings, Subset
    from truebleu.metrics.bleu.metric import Bleu
    from truebleu.metrics.dialect import Dialect

    Rows = NDArray[np.int64]
    Floats = NDArray[np.float64]

# Aspects that matter for counting, besides the tokens; the others are formulas.
_VIEW = ("alignment", "case", "lengths", "clipping", "several")
_FORMULA = ("aggregate", "smoothing", "orders", "penalty", "mean")

# What counts depend on.
_COUNTING = ("alignment", "clipping", "tokenizer", "lowercase", "reference_length", "unicode_form")

# Settings of the formula, beside the smoothing.
_SCORED = ("smooth_value", "max_order", "weights", "effective_order")

# How common a tokenizer is that was given.
_GIVEN = (1, 1, 1)

# Reference lengths of their own.
_LENGTHS = {"first", "sum", "difference"}

OF_SEVERAL: dict[str, Callable[..., Floats]] = {"best": np.max, "mean": np.mean}
"""What people make of the scores with each reference alone."""

# Under these, NLTK scores some sentences above 1, or leaves out orders that truebleu counts as 0.
_UNBOUNDED = {"method4", "method5", "method6", "method7"}


class BleuCorpus(Corpus):
    """A corpus that is scored under many settings of BLEU; what they share is counted once."""

    metric = "bleu"
    title = "BLEU"
    defaults: ClassVar[Settings] = {**DEFAULTS, **HABITS}
    aspects: ClassVar[dict[str, tuple[str, ...]]] = {
        "tokenizer": ("tokenizer",),
        "unicode_form": ("unicode_form",),
        "lowercase": ("lowercase",),
        "smoothing": ("smoothing", "smooth_value"),
        "reference_length": ("reference_length",),
        "brevity_penalty": ("brevity_penalty",),
        "phantom_ngrams": ("phantom_ngrams",),
        "orders": ("max_order", "weights"),
        "effective_order": ("effective_order",),
        **{name: (name,) for name in HABITS},
    }

    @property
    def dialects(self) -> dict[str, Dialect]:
        """The dialects, and what else frameworks print."""
        return {**super().dialects, **CALLS}

    def value(self, settings: Settings, subset: Subset = ()) -> float:
        """Return the score of the corpus with some references of each segment; default: all."""
        if settings["several"] == "all":
            scores = self._values(settings, subset)
        else:
            places = subset or range(len(self.references[0]))
            each = [self._values(settings, (place,)) for place in places]
            scores = OF_SEVERAL[settings["several"]](each, axis=0)
        return fsum(scores.tolist()) / len(scores) if len(scores) else 0.0

    def _values(self, settings: Settings, subset: Subset) -> Floats:
        """Return the score of each segment or batch or, unless they are averaged, of the corpus."""
        rows = self._rows(settings, subset)
        if not len(rows):
            return np.zeros(0)
        each = settings["aggregate"] == "segments"
        if each and settings["phantom_ngrams"] and settings["smoothing"] in _UNBOUNDED:
            return scores_by_nltk(rows, settings)
        kind = settings["penalty"] if settings["brevity_penalty"] else "none"
        if is_counted(settings):
            scores = _scored(rows, settings, segment=each, penalty=kind == "usual")
            if kind == "usual":
                return scores
        else:
            scores = 100 * self._means(rows, settings, subset)
        lengths = rows[:, :2]
        if kind == "characters":
            lengths = added_up(self.characters(settings, subset), settings["aggregate"])
        return scores * penalty_of(kind, lengths)

    def _means(self, rows: Rows, settings: Settings, subset: Subset) -> Floats:
        """Average precisions as people do who write the formula themselves."""
        precisions = precisions_of(rows, settings["smoothing"])
        if settings["aggregate"] == "precisions":
            each = self._rows({**settings, "aggregate": "segments"}, subset)
            precisions = precisions_of(each, settings["smoothing"]).mean(axis=0)[None]
        return means_of(rows, precisions, self.simplified(settings, ()))

    def _rows(self, settings: Settings, subset: Subset) -> Rows:
        """Return the counts of each segment or batch or, unless they are averaged, their sum."""
        counting = tuple(settings[name] for name in _COUNTING)
        key = subset, counting, settings["aggregate"], settings["phantom_ngrams"]
        if key not in self._known:
            self._known[key] = added_up(self.rows(settings, subset), settings["aggregate"])
        known: Rows = self._known[key]
        return known

    def rows(self, settings: Settings, subset: Subset) -> Rows:
        """Return both lengths, the matches of all orders, and all n-grams of each segment."""
        key = subset, tuple(settings[name] for name in _COUNTING)
        if key not in self._known:
            self._known[key] = self._count(settings, subset)
        rows: Rows = self._known[key]
        if settings["phantom_ngrams"]:
            rows = rows.copy()
            rows[:, 2 + ORDERS :] = np.maximum(rows[:, 2 + ORDERS :], 1)
        return rows

    def _texts(self, alignment: str, subset: Subset) -> tuple[list[str], list[list[Any]]]:
        """Return hypotheses and references that are compared."""
        hypotheses = self.hypotheses
        references: list[list[Any]] = list(self.references)
        if subset:
            references = [[several[place] for place in subset] for several in references]
        if alignment != "as given":
            hypotheses, references = ALIGNMENTS[alignment](hypotheses, references)
        return hypotheses, references

    def characters(self, settings: Settings, subset: Subset) -> Rows:
        """Return the length of each hypothesis and reference in characters, as rows have them."""
        key = "characters", settings["alignment"], subset
        if key not in self._known:
            pairs = zip(*self._texts(settings["alignment"], subset), strict=True)
            self._known[key] = np.array([_lengths(*pair) for pair in pairs])
        rows: Rows = self._known[key]
        return rows

    def _count(self, settings: Settings, subset: Subset) -> Rows:
        hypotheses, references = self._texts(settings["alignment"], subset)
        if not hypotheses:
            return np.zeros((0, 2 + 2 * ORDERS), np.int64)
        tokenizer = settings["tokenizer"]
        if isinstance(tokenizer, str) and tokenizer in SPLITTERS:
            known, put_spaces = self._known.setdefault(tokenizer, {}), SPLITTERS[tokenizer]
            texts = {*hypotheses, *chain.from_iterable(references)} - {None, *known}
            known.update((text, put_spaces(text)) for text in texts)
            hypotheses = [known[text] for text in hypotheses]
            references = [[known.get(text) for text in several] for several in references]
            tokenizer = "none"
        names = ("lowercase", "reference_length", "unicode_form")
        chosen = {name: settings[name] for name in names}
        length = chosen["reference_length"]
        if length in _LENGTHS:
            chosen["reference_length"] = "closest"
        bleu: Bleu = METRICS[self.metric](tokenizer=tokenizer, max_order=ORDERS, **chosen)
        rows = _counted(bleu, hypotheses, references, self.threads)
        if length in _LENGTHS:
            rows = rows.copy()
            rows[:, 1] = self._lengths(bleu, rows, references, length)
        if settings["clipping"] != "usual":
            names = ("alignment", "tokenizer", "lowercase")
            key = "clipping", subset, *map(settings.get, names)
            if key not in self._known:
                pairs = zip(hypotheses, references, strict=True)
                self._known[key] = [
                    counted_otherwise(bleu._counter.tokens, *pair) for pair in pairs
                ]
            rows = rows.copy()
            for start, name in zip((2, 2 + ORDERS), CLIPPING[settings["clipping"]], strict=True):
                rows[:, start : start + 4] = [
                    [each[name] for each in orders] for orders in self._known[key]
                ]
        return rows

    def _lengths(self, bleu: Bleu, rows: Rows, references: list[list[Any]], kind: str) -> Rows:
        """Return reference lengths that the core has no name for, of each segment."""
        if kind == "difference":
            apart: Rows = np.abs(rows[:, 1] - rows[:, 0])
            return apart
        given = [[each for each in several if each is not None] for several in references]
        given = [several[:1] if kind == "first" else several for several in given]
        flat = list(chain.from_iterable(given))
        lengths = _counted(bleu, flat, flat, self.threads)[:, 0]
        places = np.repeat(range(len(rows)), list(map(len, given)))
        sums: Rows = np.bincount(places, lengths, len(rows)).astype(np.int64)
        return sums

    def scorer(self, settings: Settings) -> Bleu | None:
        """Return Bleu with these settings; None if some are of :data:`HABITS`."""
        chosen = {name: settings[name] for name in DEFAULTS}
        return METRICS[self.metric](**chosen) if is_bleu(settings) else None

    def simplified(self, settings: Settings, subset: Subset) -> Settings:
        """Say whether effective order is applied."""
        if settings["effective_order"] is not None:
            return settings
        return {**settings, "effective_order": settings["aggregate"] == "segments"}

    def why(self, aspect: str, start: Settings, end: Settings) -> str:
        """Say what a change does to this text."""
        before, after = (
            self._rows({**settings, "aggregate": "corpus", "phantom_ngrams": False}, ())[0].tolist()
            for settings in (start, end)
        )
        if aspect in ("phantom_ngrams", "effective_order"):
            each = self._rows({**end, "aggregate": "segments", "phantom_ngrams": False}, ())
            order = end["max_order"] or len(end["weights"] or ()) or 4
            short = int((each[:, 0] < order).sum())
            return f"Segments that are too short for some order: {short:,}."
        if aspect == "smoothing":
            missing = [str(order) for order in range(1, 5) if after[1 + order] == 0]
            if not missing:
                return "Every order has matches."
            return f"No matches of order {', '.join(missing)}."
        if aspect == "aggregate":
            return f"Segments that count equally, however long: {len(self.hypotheses):,}."
        more = after[2] - before[2]
        words = f"Words that match: {abs(more):,} {'more' if more >= 0 else 'fewer'}."
        tokens = f"Tokens of the hypotheses: {after[0]:,} instead of {before[0]:,}."
        length = f"That length is {after[1]:,} instead of {before[1]:,}."
        lengths = f"Tokens: {after[0]:,}; of the references: {after[1]:,}."
        reasons = {
            "tokenizer": tokens,
            "reference_length": length,
            "penalty": lengths,
            "brevity_penalty": lengths,
        }
        return reasons.get(aspect, words)

    def choices(
        self, tokenizers: Sequence[str] | None, rarest: int = RAREST
    ) -> Iterator[list[Choice]]:
        """List settings to try, with `tokenizers` or all, in lists that share what is counted."""
        if tokenizers is None:
            yield from ([choice] for choice in self._of_dialects())
        formulas = [each for each in combined(_FORMULA, rarest) if self._can_be(each.settings)]
        views = self._views(_tokens(tokenizers), rarest)
        for view in sorted(views, key=lambda view: view.rarity):
            chosen = []
            for formula in formulas:
                # They are sorted: the others are rarer.
                if view.rarity + formula.rarity > rarest:
                    break
                if (joined := view.joined(formula, rarest)) is not None:
                    chosen.append(joined)
            if chosen:
                yield chosen

    def _can_be(self, formula: Settings) -> bool:
        """Tell whether a formula has a meaning for so many segments."""
        aggregate = formula.get("aggregate", "corpus")
        if aggregate == "segments" or formula.get("smoothing") not in SEGMENT_ONLY_SMOOTHINGS:
            return not isinstance(aggregate, int) or aggregate < len(self.hypotheses)
        return False

    def _views(self, tokens: list[Choice], rarest: int) -> Iterator[Choice]:
        for subset in self.subsets():
            count = len(subset) or max(map(len, self.references))
            left_out = self._left_out(subset)
            for view in combined(_VIEW, rarest):
                # It takes the longest to count otherwise; and references may be missing.
                shifted = "alignment" in view.settings
                if shifted and ("clipping" in view.settings or not subset):
                    continue
                if _of_several(view) and (count < 2 or not subset):
                    continue
                for split in tokens:
                    joined = left_out.joined(view, rarest)
                    joined = joined and joined.joined(split, rarest)
                    if joined is not None:
                        yield joined

    def _left_out(self, subset: Subset) -> Choice:
        """Return the choice of some references, which are rarely chosen."""
        if not subset or len(subset) == len(self.references[0]):
            return NOTHING.replace(references=subset)
        kind = "first" if subset == (0,) else "some"
        [cause] = (each for each in causes() if each.settings == {"references": kind})
        return NOTHING.replace(weights=cause.weights, references=subset)

    def _of_dialects(self) -> Iterator[Choice]:
        [row] = (each for each in causes() if each.aspect == "dialect")
        for dialect in self.dialects.values():
            settings = dict(dialect.settings)
            parts = [each for each in causes() if each.settings.items() <= settings.items()]
            wrong = sorted((each.weights, each.erratum) for each in parts if each.erratum)
            cause = row.replace(
                settings=settings,
                words=row.words.format(tool=dialect.tool),
                erratum=wrong[-1][1] if wrong else None,
            )
            if settings:
                yield Choice.of(cause).replace(references=self.subsets()[0])

    def printed(self, choice: Choice, scale: int) -> Choice:
        """Return what people do who print a score on a scale; dialects have their own."""
        times = next(each for each in causes() if each.aspect == "scale")
        matches = times.settings.items() <= choice.settings.items()
        if scale == 1 or not matches or choice.causes[0].aspect == "dialect":
            return choice
        return choice.joined(Choice.of(times)) or choice

    def forget(self) -> None:
        """Forget counts that no later settings need, but no texts that were split."""
        known = self._known.items()
        self._known = {key: value for key, value in known if not isinstance(value, np.ndarray)}


def _counted(bleu: Bleu, hypotheses: Any, references: Any, threads: int | None) -> Rows:
    [stats] = bleu._count(Corpora([hypotheses], references, threads=threads), each=True)
    return stats.to_numpy()


def is_bleu(settings: Settings) -> bool:
    """Tell whether :class:`truebleu.Bleu` has these settings."""
    habits = any(settings.get(name, value) != value for name, value in HABITS.items())
    tokenizer = settings.get("tokenizer")
    return not (
        habits
        or (isinstance(tokenizer, str) and tokenizer in SPLITTERS)
        or settings.get("reference_length") in _LENGTHS
        or settings.get("smoothing", "exp") not in SMOOTHINGS
    )


def is_counted(settings: Settings) -> bool:
    """Tell whether the core has the mean of the precisions, whatever is counted and penalized."""
    geometric = settings["mean"] == HABITS["mean"] and settings["aggregate"] != "precisions"
    return geometric and settings["smoothing"] in SMOOTHINGS


def _of_several(view: Choice) -> bool:
    """Tell whether a choice needs several references."""
    several = {"sum of references", "best reference", "mean of references", "references joined"}
    given = {*view.settings, *map(str, view.settings.values())}
    return not given.isdisjoint({"reference_length", "several", *several})


def _tokens(tokenizers: Sequence[str] | None) -> list[Choice]:
    """Return the ways to get tokens that are tried."""
    every = combined(("tokens",), NEVER)
    if tokenizers is None:
        return every
    if isinstance(tokenizers, str) or not isinstance(tokenizers, Iterable):
        given = repr(tokenizers) if isinstance(tokenizers, str) else type(tokenizers).__name__
        raise InputTypeError(f"tokenizers is {given}; a list of their names is needed")
    chosen = []
    for index, each in enumerate(sequences.as_list(tokenizers, "tokenizers")):
        if not (isinstance(each, str | SentencePiece) or callable(each)):
            need = "a name, a SentencePiece model or a function is needed"
            raise wrong_type(f"tokenizers[{index}]", each, need)
        settings = {} if each == DEFAULTS["tokenizer"] else {"tokenizer": each}
        known = [one for one in every if one.settings == settings]
        cause = Cause(aspect="tokens", settings=settings, weights=_GIVEN, words=f"tokenizer {each}")
        chosen.append(known[0] if known else Choice.of(cause))
    if not chosen:
        raise SettingsError("tokenizers is empty; name at least one, or leave it out to try all")
    return chosen


@cache
def combined(aspects: tuple[str, ...], rarest: int) -> list[Choice]:
    """Return all combinations of causes of these aspects, the most common first."""
    return products(map(options, aspects), rarest)


def options(aspect: str) -> list[Choice]:
    """Return the choices that there are in an aspect."""
    found = [Choice.of(each) for each in causes() if each.aspect == aspect]
    # Where the table does not say how common it is, nothing special is done by everybody.
    return [*found, NOTHING] if all(each.settings for each in found) else found


def products(every: Iterable[list[Choice]], rarest: int) -> list[Choice]:
    """Return all combinations of one choice of each list, the most common first."""
    found = [NOTHING]
    for choices in every:
        joined = (start.joined(each, rarest) for start in found for each in choices)
        found = [each for each in joined if each is not None]
    return sorted(found, key=lambda choice: choice.rarity)


def shares_of(rows: Rows, settings: Settings, *, segment: bool) -> Floats:
    """Return the mean of the precisions of each row, without a brevity penalty, from 0 to 1."""
    if segment and settings["phantom_ngrams"] and settings["smoothing"] in _UNBOUNDED:
        return scores_by_nltk(rows, settings) / 100 / penalty_of("usual", rows[:, :2])
    if is_counted(settings):
        return _scored(rows, settings, segment=segment, penalty=False) / 100
    return means_of(rows, precisions_of(rows, settings["smoothing"]), settings)


def _scored(rows: Rows, settings: Settings, *, segment: bool, penalty: bool) -> Floats:
    bleu = _scorer(settings["smoothing"], penalty, *map(settings.get, _SCORED))
    counted = np.ascontiguousarray(rows[:, _columns(bleu)], "<i8")
    return np.frombuffer(bleu._row_scores(counted.tobytes(), segment=segment), "<f8")


@cache
def _scorer(smoothing: str, penalty: bool, *others: Any) -> Bleu:
    """Return a Bleu that scores counts; they are few, and each is used often."""
    settings = {"brevity_penalty": penalty, **dict(zip(_SCORED, others, strict=True))}
    with warnings.catch_warnings():
        # Weights of 0.33 are tried on purpose.
        warnings.simplefilter("ignore")
        bleu: Bleu = METRICS["bleu"](tokenizer="none", smoothing=smoothing, **settings)
    return bleu


@cache
def _columns(bleu: Bleu) -> list[int]:
    """Return the places of a metric's fields in rows of more orders."""
    rows: Bleu = METRICS["bleu"](max_order=ORDERS)
    return [rows.fields.index(name) for name in bleu.fields]


def _lengths(hypothesis: str, references: list[str | None]) -> tuple[int, int]:
    length = len(hypothesis)
    lengths = [len(text) for text in references if text is not None]
    return length, min(lengths, key=lambda each: (abs(each - length), each))


def added_up(rows: Rows, aggregate: str | int) -> Rows:
    """Add up the rows of the corpus, or of batches of so many segments; keep those of segments."""
    if aggregate == "segments" or not len(rows):
        return rows
    if aggregate == "reduced":
        rows = np.hstack([rows[:, :2], *_reduced(rows)])
    if aggregate == "negative":
        # Of all rows of counts; lengths in characters are two columns.
        missing = np.minimum(0, rows[:, :1] - np.arange(rows.shape[1] // 2 - 1))
        rows = rows.copy()
        rows[:, rows.shape[1] // 2 + 1 :] += missing
    size = aggregate if isinstance(aggregate, int) else len(rows)
    total: Rows = np.add.reduceat(rows, range(0, len(rows), size))
    if aggregate == "last length":
        total[:, 1] = rows[-1, 1]
    return total


def _reduced(rows: Rows) -> tuple[Rows, Rows]:
    """Return matches and n-grams of each segment as fractions in lowest terms."""
    half = rows.shape[1] // 2 + 1
    matches, totals = rows[:, 2:half], rows[:, half:]
    divisors = np.maximum(np.gcd(matches, totals), 1)
    return matches // divisors, totals // divisors
