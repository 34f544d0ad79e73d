"""What explains the answers of somebody's own BLEU: the habits and mistakes that give them."""

from __future__ import annotations

from functools import cache
from itertools import chain
from math import inf, isclose

import numpy as np

from truebleu.analysis.causes import UNSEARCHED, Cause
from truebleu.analysis.dialects.bleu import (
    OF_SEVERAL,
    BleuCorpus,
    added_up,
    is_bleu,
    options,
    products,
    shares_of,
)
from truebleu.analysis.dialects.corpus import NOTHING, Choice
from truebleu.analysis.dialects.formula import (
    ORDERS,
    SMOOTHINGS,
    is_shared,
    means_of,
    penalty_of,
    precisions_of,
    precisions_under,
    weighted,
    weights_of,
)
from truebleu.conformance.probes import PLAIN, Way
from truebleu.display.shown import Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from truebleu.analysis.dialects.corpus import Settings, Subset

    Floats = NDArray[np.float64]
    Rows = NDArray[np.int64]

RAREST = 12
"""Combinations of causes whose weights add up to more are not tried."""

# Tokenizers that split texts without capitals and punctuation otherwise than at spaces.
_OTHER_WORDS = ("none", "characters", "char", "end token")

_AT_SPACES = {"tokenizer": "none"}

# BLEU as it is defined.
_PLAIN = {**_AT_SPACES, "smoothing": "none"}

# Files may be aligned in more ways than what one function gets.
_ALIGNMENTS = (None, "swapped", "references joined")

# Tokenizers that are no part of a BLEU of somebody's own are rarer than that.
_RAREST_TOKENS = 4

# What people add to numbers so that they can be divided by, or have logarithms, is less.
_ERROR = 2e-6

# Below that, a score is 0.
_ZERO = 1e-30

# How rare it is in code of one's own.
_UNSEARCHED = 4

# How rare it is to use one reference of several.
_ONE = (3, 3, 3)

# So many probes decide which combinations are compared with all, and so many of those are.
_FIRST = 4
_MOST_COMPARED = 60

# A rarer explanation with fewer mistakes is looked for so much farther.
_FARTHER = 2


def _options(aspect: str) -> list[Choice]:
    """Return the choices of an aspect; what a number alone is not searched for is not rare here."""
    found = []
    for each in options(aspect):
        weights = tuple(_UNSEARCHED if weight == UNSEARCHED else weight for weight in each.weights)
        found.append(each.replace(weights=weights))
    return found


class Mistaken(Result):
    """A text for which a function and the definition have different scores.

    >>> from truebleu.conformance.fit import Mistaken
    >>> Mistaken(hypotheses=("a b",), references=(("a c",),), answer=1, expected=0)
    Mistaken(hypotheses=('a b',), references=(('a c',),), answer=1, expected=0)

    Attributes
    ----------
    hypotheses, references : tuple
        The texts; for each hypothesis, a tuple of references.
    answer, expected : float
        Both on the scale of the function.
    """

    hypotheses: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    answer: float
    expected: float


class Counted:
    """The probes of a way of calling, of which each segment is counted once for all settings."""

    def __init__(self, way: Way) -> None:
        probes = way.probes()
        segments = list(dict.fromkeys(chain.from_iterable(probes)))
        self._corpus = BleuCorpus(*way.texts(segments))
        self.places = [list(map(segments.index, probe)) for probe in probes]
        self.subsets = tuple(self._corpus.subsets())
        self._segment = not way.corpus
        self._factors: dict[Any, Floats] = {}

    def rows(self, settings: Settings, subset: Subset) -> Rows:
        """Return the counts of each segment."""
        return self._corpus.rows(settings, subset)

    def _lengths(self, settings: Settings, subset: Subset) -> Rows:
        """Return the two lengths of each segment that a brevity penalty compares."""
        if settings["penalty"] == "characters":
            return self._corpus.characters(settings, subset)
        return self.rows({**settings, "clipping": "usual"}, subset)[:, :2]

    def factors(self, settings: Settings, subset: Subset, penalties: list[Choice]) -> Floats:
        """Return each brevity penalty of each segment."""
        names = "alignment", "tokenizer", "lowercase"
        key = len(penalties), subset, *map(settings.get, names)
        if key not in self._factors:
            every = [{**settings, **each.settings} for each in penalties]
            found = [penalty_of(_kind(each), self._lengths(each, subset)) for each in every]
            self._factors[key] = np.array(found)
        return self._factors[key]

    def values(self, settings: Settings, subset: Subset) -> Floats:
        """Return the score of each probe, from 0 to 1."""
        if settings["several"] != "all":
            one = {**settings, "several": "all"}
            each = [self.values(one, (place,)) for place in subset]
            best: Floats = OF_SEVERAL[settings["several"]](each, axis=0)
            return best
        rows, lengths = self.rows(settings, subset), self._lengths(settings, subset)
        places, kind, how = self.places, _kind(settings), settings["aggregate"]
        if how == "segments":
            scores = shares_of(rows, settings, segment=True) * penalty_of(kind, lengths)
            return np.array([scores[place].mean() for place in places])
        total = np.concatenate([added_up(rows[place], how) for place in places])
        added = np.concatenate([added_up(lengths[place], how) for place in places])
        if how == "precisions":
            precisions = precisions_of(rows, settings["smoothing"])
            means = np.array([precisions[own].mean(axis=0) for own in places])
            shares = means_of(total, means, settings)
        else:
            shares = shares_of(total, settings, segment=self._segment)
        scores = shares * penalty_of(kind, added)
        return scores


def _kind(settings: Settings) -> str:
    kind: str = settings["penalty"]
    return kind if settings["brevity_penalty"] else "none"


def _filled(settings: Settings) -> Settings:
    """Fill in what is not said; what a function does for a segment, it does for a corpus."""
    filled = {**BleuCorpus.defaults, **settings}
    return {**filled, "effective_order": bool(filled["effective_order"])}


class _Formulas:
    """Formulas without a brevity penalty, of which all of one kind are computed together."""

    def __init__(self) -> None:
        self.choices = products(map(_options, ("smoothing", "orders", "mean")), RAREST)
        self.weights = np.array([each.weights for each in self.choices])
        self._settings = [_filled(each.settings) for each in self.choices]
        self._places = {name: place for place, name in enumerate(SMOOTHINGS)}
        smoothings = [each["smoothing"] for each in self._settings]
        self._of_smoothings = np.array([self._places.get(name, 0) for name in smoothings])
        # As many weights for each; orders behind the last one have none.
        weights = map(weights_of, self._settings)
        self._of_orders = np.array([np.pad(own, (0, ORDERS - len(own))) for own in weights])
        self._kinds: dict[tuple[Any, ...], list[int]] = {}
        for place, settings in enumerate(self._settings):
            smoothing, mean = smoothings[place], settings["mean"]
            # Those that the core alone has are computed one by one.
            one = is_shared(smoothing) if smoothing in SMOOTHINGS else f"{place}"
            # What is a mean of means depends on how many there are.
            orders = len(weights_of(settings)) if mean == "cumulative" else ORDERS
            key = one, mean, settings["effective_order"], orders
            self._kinds.setdefault(key, []).append(place)

    def means(self, rows: Rows, view: Choice, rarest: float) -> Floats:
        """Return the mean of the precisions of each row under each formula, if not too rare."""
        found = np.full((len(self.choices), len(rows)), np.nan)
        precisions = precisions_under(rows, list(SMOOTHINGS))
        common = (self.weights + view.weights).min(axis=1) <= rarest
        for (one, *_, orders), every in self._kinds.items():
            places = np.array(every)[common[every]]
            if not len(places):
                continue
            settings = self._settings[places[0]]
            if isinstance(one, str):
                found[places] = shares_of(_phantom(rows, settings), settings, segment=True)
                continue
            each = precisions[self._of_smoothings[places], :, :orders].reshape(-1, orders)
            weights = np.repeat(self._of_orders[places, :orders], len(rows), axis=0)
            means = weighted(np.tile(rows, (len(places), 1)), each, weights, settings)
            found[places] = means.reshape(len(places), -1)
        return found


def _phantom(rows: Rows, settings: Settings) -> Rows:
    if settings["phantom_ngrams"]:
        rows = rows.copy()
        rows[:, 2 + ORDERS :] = np.maximum(rows[:, 2 + ORDERS :], 1)
    return rows


@cache
def _counted(corpus: bool, words: bool, several: bool) -> Counted:
    return Counted(Way(corpus=corpus, references_first=False, words=words, several=several))


@cache
def _formulas() -> _Formulas:
    return _Formulas()


@cache
def _views(words: bool, subsets: tuple[Subset, ...]) -> list[tuple[Choice, Choice, Choice]]:
    """Return what may be counted, the most common first: without tokens, these, and both."""
    chosen = [
        [each for each in _options("alignment") if each.settings.get("alignment") in _ALIGNMENTS],
        _options("clipping"),
        _options("several") if len(subsets) > 1 else [NOTHING],
        [_used(subset, subsets[0]) for subset in subsets],
    ]
    found = []
    for view in products(chosen, RAREST):
        for tokens in _tokens(words) if _is_meant(view, subsets) else ():
            joined = view.joined(tokens, RAREST)
            if joined is not None and _is_other(tokens):
                found.append((view, tokens, joined))
    return sorted(found, key=lambda each: each[2].rarity)


@cache
def _tokens(words: bool) -> list[Choice]:
    """Return the tokens that somebody's own BLEU may have; whoever gets words has them."""
    if words:
        return [NOTHING.replace(settings={"tokenizer": "none"})]
    return [each for each in _options("tokens") if each.weights[-1] <= _RAREST_TOKENS]


def _is_other(tokens: Choice) -> bool:
    return tokens.settings.get("tokenizer") in _OTHER_WORDS


def _is_meant(view: Choice, subsets: tuple[Subset, ...]) -> bool:
    """Tell whether what needs several references has them."""
    every = view.references == subsets[0] and len(subsets) > 1
    names = {"sum of references", "best reference", "mean of references"}
    needs = view.settings.keys() & {"several"} or names & {view.settings.get("clipping")}
    return every or not (needs or view.settings.get("alignment") == "references joined")


def _used(subset: Subset, every: Subset) -> Choice:
    """Return the choice of some references, which are rarely chosen."""
    if subset == every:
        return NOTHING.replace(references=subset)
    words = f"no reference is used but number {subset[0] + 1}"
    cause = Cause(aspect="references", settings={}, weights=_ONE, words=words)
    return Choice.of(cause).replace(references=subset)


@cache
def _penalties(several: bool) -> tuple[list[Choice], NDArray[np.int64]]:
    chosen = [_options("penalty"), _options("lengths") if several else [NOTHING]]
    choices = products(chosen, RAREST)
    return choices, np.array([each.weights for each in choices])


class Fit:
    """What explains the answers to the probes of a way of calling, up to some misses."""

    def __init__(self, way: Way, scores: Sequence[float], rarest: int, most_misses: int) -> None:
        self._way, self.scores = way, scores
        self._counted = _counted(way.corpus, way.words, way.several)
        self._known: list[int] = np.flatnonzero(np.isfinite(scores)).tolist()
        # A penalty upside down is up to e.
        self._scale = 1 if max(scores[place] for place in self._known) < 3 else 100
        self._wanted = np.array(scores) / self._scale
        rounded = _half_a_unit([scores[place] for place in self._known])
        self._error = max(rounded / self._scale, _ERROR)
        self._most = most_misses
        self.order: tuple[float, ...] = (inf, inf, inf, inf)
        self.causes: tuple[Cause, ...] = ()
        self._settings: Settings = _filled(_PLAIN)
        self._subset = self._counted.subsets[0]
        self._search(rarest)
        if self.misses and not self._is_sure():
            self.order, self.causes = (inf, *self.order[1:]), ()

    @property
    def misses(self) -> int:
        """How many answers are not explained."""
        return int(min(self.order[0], len(self._known)))

    @property
    def explained(self) -> int:
        """How many answers are explained."""
        return len(self._known) - self.misses

    def _search(self, rarest: int) -> None:
        self._aggregates = [each for each in _options("aggregate") if self._is_aggregate(each)]
        places = self._counted.places
        single = [place for place in self._known if len(places[place]) == 1]
        plain = [place for place in single if self._way.probes()[place][0] in PLAIN]
        words = self._way.words
        for view, tokens, joined in _views(words, self._counted.subsets) if plain else ():
            if joined.rarity > self._limit(rarest):
                break
            if not self._near(joined, plain, self._limit(rarest)):
                continue
            # Capitals and punctuation tell the others apart.
            at_spaces = tokens.settings == _AT_SPACES
            others = [each for each in _tokens(words) if at_spaces and not _is_other(each)]
            for each in (tokens, *others):
                for case in _options("case"):
                    limit = self._limit(rarest)
                    split = view.joined(each, limit)
                    split = split and split.joined(case, limit)
                    if split is not None:
                        self._look(split, single, limit)

    def _limit(self, rarest: int) -> float:
        return min(rarest, self.order[2] + _FARTHER) if self.order[0] == 0 else rarest

    def _is_aggregate(self, choice: Choice) -> bool:
        kind = choice.settings.get("aggregate")
        return kind is None or (self._way.corpus and isinstance(kind, str))

    def _look(self, view: Choice, single: list[int], limit: float) -> None:
        """Compare the formulas that may explain segments with all answers, the likeliest first."""
        formulas, (penalties, _) = _formulas(), _penalties(len(view.references) > 1)
        near = sorted(self._near(view, single, limit))
        for _, formula, penalty in near[:_MOST_COMPARED]:
            joined = view.joined(formulas.choices[formula])
            joined = joined and joined.joined(penalties[penalty])
            for how in self._aggregates:
                self._compare(joined and joined.joined(how, limit))

    def _near(self, view: Choice, single: list[int], limit: float) -> list[tuple[int, int, int]]:
        """Return the formulas and penalties that explain segments, with how rare they are."""
        formulas, (penalties, weights) = _formulas(), _penalties(len(view.references) > 1)
        settings = _filled(view.settings)
        units = [self._counted.places[place][0] for place in single]
        wanted = self._wanted[single]
        means, factors = [], []
        alone = settings["several"] != "all"
        for subset in [(each,) for each in view.references] if alone else [view.references]:
            rows = self._counted.rows(settings, subset)[units]
            means.append(formulas.means(rows, view, limit))
            factors.append(self._counted.factors(settings, subset, penalties)[:, units])
        join = OF_SEVERAL.get(settings["several"], np.max)
        # Zeros tell orders and smoothings apart before anything is multiplied.
        largest = np.max(means, axis=0)
        unlike = ((largest < _ZERO) != (wanted < _ZERO)) & ((wanted > 0) | (self._error == _ERROR))
        fit = ~np.isnan(largest[:, 0]) & (unlike.sum(axis=1) <= self._most)
        kept = np.flatnonzero(fit)
        rare = (formulas.weights[kept][:, None] + weights[None] + view.weights).min(axis=2)
        chosen, penalty = np.nonzero(rare <= limit)
        rare, chosen = rare[chosen, penalty], kept[chosen]
        # A few of the answers leave little to compare with all.
        first = np.argsort(-wanted, kind="stable")[:: max(1, len(wanted) // _FIRST)][:_FIRST]
        for where in (first, np.arange(len(wanted))):
            pairs = zip(means, factors, strict=True)
            values = [one[chosen][:, where] * other[penalty][:, where] for one, other in pairs]
            apart = np.abs(join(values, axis=0) - wanted[where]) > self._error
            near = np.flatnonzero(apart.sum(axis=1) <= self._most)
            rare, chosen, penalty = rare[near], chosen[near], penalty[near]
        return list(zip(rare.tolist(), chosen.tolist(), penalty.tolist(), strict=True))

    def _compare(self, choice: Choice | None) -> None:
        """Keep a choice if it explains more than the best one, or as much by less."""
        # Of one segment, NLTK has the same score as without smoothing.
        of_nltk = choice is None or choice.settings.get("smoothing") == "method0"
        if choice is None or (of_nltk and not self._way.corpus):
            return
        mistakes = sum(map(is_mistake, choice.causes))
        rest = mistakes, choice.rarity, len(choice.settings)
        if (0, *rest) < self.order:
            settings = _filled(choice.settings)
            misses = len(self._missed(self._counted.values(settings, choice.references)))
            if misses <= self._most and (misses, *rest) < self.order:
                self.order, self._settings = (misses, *rest), settings
                # Who splits at spaces has no tokenizer to name.
                causes = (each for each in choice.causes if each.settings != _AT_SPACES)
                self.causes = tuple(causes)
                self._subset = choice.references

    def _missed(self, values: Floats) -> list[int]:
        """Return the probes whose answers are others."""
        apart = np.abs(values - self._wanted) > self._error
        return [place for place in self._known if apart[place]]

    def _without(self, left_out: Iterable[Cause]) -> Floats:
        """Return the scores without some causes, on the scale from 0 to 1."""
        settings, subset = dict(self._settings), self._subset
        for each in left_out:
            settings = {name: settings[name] for name in settings.keys() - each.settings.keys()}
            if each.aspect == "references":
                subset = self._counted.subsets[0]
        return self._counted.values(_filled({**_PLAIN, **settings}), subset)

    def _is_sure(self) -> bool:
        """Tell whether each mistake explains more than what is left unexplained."""
        mistakes = list(filter(is_mistake, self.causes))
        found = [len(self._missed(self._without([each]))) for each in mistakes]
        return all(misses >= 3 * self.misses for misses in found)

    def takes_characters(self) -> bool:
        """Tell whether characters are its words."""
        return any(each.settings == {"tokenizer": "characters"} for each in self.causes)

    def shortest(self) -> Mistaken | None:
        """Return the shortest probe whose answer is not that of the choices alone, if any is.

        Of those, the ones come first whose right score does not depend on a smoothing.
        """
        mistakes = list(filter(is_mistake, self.causes))
        smoothings = (each for each in self.causes if each.aspect == "smoothing")
        right, plain = self._without(mistakes), self._without([*mistakes, *smoothings])
        return self._example(right, last=np.abs(right - plain) > self._error)

    def unexplained(self) -> Mistaken | None:
        """Return the shortest probe whose answer is not explained, if any is."""
        values = self._without(())
        return self._example(values, last=np.zeros(len(values), bool))

    def _example(self, expected: Floats, *, last: NDArray[np.bool_]) -> Mistaken | None:
        probes = self._way.probes()
        sizes = [sum(len(text.split()) for each in probe for text in each) for probe in probes]
        found = sorted(self._missed(expected), key=lambda place: (last[place], sizes[place]))
        if not found:
            return None
        texts, references = self._way.texts(probes[found[0]])
        return Mistaken(
            hypotheses=tuple(texts),
            references=tuple(map(tuple, references)),
            answer=self.scores[found[0]],
            expected=float(expected[found[0]] * self._scale),
        )


def _half_a_unit(scores: Sequence[float]) -> float:
    """Return half a unit of the last decimal of scores; nothing unless they are rounded."""
    for decimals in range(1, 6):
        if all(abs(score - round(score, decimals)) < 1e-12 for score in scores):
            return 0.5001 * 10.0**-decimals
    return 0.0


def is_mistake(cause: Cause) -> bool:
    """Tell whether BLEU has no such setting, or an erratum warns of it."""
    if cause.erratum is not None:
        return cause.settings != _AT_SPACES
    if cause.settings == {"brevity_penalty": False}:
        return True
    if cause.aspect in ("tokens", "smoothing"):
        return not {"end token", "missing as 1"}.isdisjoint(map(str, cause.settings.values()))
    # Weights that do not add up to 1 are no mean.
    weights = sum(cause.settings.get("weights") or (1,))
    return cause.aspect == "references" or not is_bleu(cause.settings) or not isclose(weights, 1)
