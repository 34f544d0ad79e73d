"""A corpus under many settings of BLEU, and under what people do that BLEU has no setting for."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from functools import cache
from itertools import chain, product
from math import fsum, log

import numpy as np

from truebleu._core import SEGMENT_ONLY_SMOOTHINGS
from truebleu.analysis.causes import RAREST, Cause, causes
from truebleu.analysis.dialects.clipping import CLIPPING, counted_otherwise
from truebleu.analysis.dialects.corpus import Choice, Corpus
from truebleu.analysis.dialects.texts import ALIGNMENTS, SPLITTERS
from truebleu.errors import InputTypeError, SettingsError, wrong_type
from truebleu.inputs import sequences
from truebleu.metrics.bleu.dialects import CALLS, HABITS
from truebleu.metrics.bleu.settings import DEFAULTS
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

# Orders that are counted: BLEU-5, and one more for method5.
_ORDERS = 6

# Aspects that matter for counting; the others are formulas.
_VIEW = ("alignment", "tokens", "case", "lengths", "clipping", "several")
_FORMULA = ("aggregate", "smoothing", "orders", "penalty", "mean")

# What counts depend on.
_COUNTING = ("alignment", "clipping", "tokenizer", "lowercase", "reference_length", "unicode_form")

# Settings of the formula, beside the smoothing.
_SCORED = ("smooth_value", "max_order", "weights", "effective_order")

# Whoever does this has code of their own, and not NLTK, which has phantom n-grams.
_OWN = {"clipping", "penalty", "brevity_penalty", "mean", "several"}

# Reference lengths of their own: so many references are added up.
_LENGTHS = {"first": 1, "sum": None}

# What people make of the scores with each reference alone.
_OF_SEVERAL: dict[str, Callable[..., Floats]] = {"best": np.max, "mean": np.mean}

# How texts are split without a tokenizer.
_SPLIT = {"none", *SPLITTERS}

# Under these, NLTK scores some sentences above 1, or leaves out orders that truebleu counts as 0.
_UNBOUNDED = {"method4", "method5", "method6", "method7"}

# What people put in the place of a precision of 0.
_TINY = {name: float(name) for name in ("1e-7", "1e-9", "1e-10", "1e-12")}

# Means of logarithms of another base that are taken as those of e.
_BASES = {"log2": 2, "log10": 10}


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
            scores = _OF_SEVERAL[settings["several"]](each, axis=0)
        return fsum(scores.tolist()) / len(scores) if len(scores) else 0.0

    def _values(self, settings: Settings, subset: Subset) -> Floats:
        """Return the score of each segment or, unless they are averaged, of the corpus."""
        rows = self._rows(settings, subset)
        if not len(rows):
            return np.zeros(0)
        return self._scores(rows, settings, subset) * self._penalty(rows, settings, subset)

    def _scores(self, rows: Rows, settings: Settings, subset: Subset) -> Floats:
        """Score rows with the usual penalty."""
        if settings["mean"] == "arithmetic" or settings["smoothing"] in _TINY:
            return self._of_precisions(rows, _precisions(rows), settings)
        if settings["aggregate"] == "precisions":
            each = self._rows({**settings, "aggregate": "segments"}, subset)
            return self._of_precisions(rows, _precisions(each).mean(axis=0)[None], settings)
        each = settings["aggregate"] == "segments"
        if each and settings["phantom_ngrams"] and settings["smoothing"] in _UNBOUNDED:
            return 100 * _usual_penalty(rows) * _by_nltk(rows, settings)
        bleu = _scorer(settings["smoothing"], *(settings[name] for name in _SCORED))
        counted = np.ascontiguousarray(rows[:, _columns(bleu)], "<i8")
        scores: Floats = np.frombuffer(bleu._row_scores(counted.tobytes(), segment=each), "<f8")
        if settings["mean"] != "geometric":
            usual = 100 * _usual_penalty(rows)
            shares = np.divide(scores, usual, out=np.zeros(len(rows)), where=usual > 0)
            base = _BASES.get(settings["mean"])
            scores = usual * shares ** (bleu.max_order if base is None else 1 / log(base))
        return scores

    def _of_precisions(self, rows: Rows, precisions: Floats, settings: Settings) -> Floats:
        """Score precisions, without smoothing or with a tiny number in the place of 0."""
        weights = _weights(settings)
        precisions = precisions[:, : len(weights)]
        if self.simplified(settings, ())["effective_order"]:
            weights = weights * (rows[:, 2 + _ORDERS :][:, : len(weights)] > 0)
            weights /= np.maximum(weights.sum(axis=1, keepdims=True), 1e-300)
        if settings["mean"] == "arithmetic":
            means = (precisions * weights).sum(axis=1)
        else:
            least = _TINY.get(settings["smoothing"], 1e-300)
            means = np.exp((np.log(np.maximum(precisions, least)) * weights).sum(axis=1))
        scores: Floats = 100 * _usual_penalty(rows) * means
        return scores

    def _penalty(self, rows: Rows, settings: Settings, subset: Subset) -> Floats | float:
        """Return by how much the penalty differs from the usual one."""
        kind = settings["penalty"] if settings["brevity_penalty"] else "none"
        if kind == "usual":
            return 1.0
        if kind == "characters":
            penalty = _usual_penalty(self._characters(settings, subset))
        else:
            hyps, refs = np.maximum(rows[:, :2], 1e-9).T
            penalty = {
                "none": np.ones(len(rows)),
                "inverted": np.where(hyps > refs, 1, np.exp(1 - hyps / refs)),
                "reversed": np.exp(np.minimum(0, 1 - hyps / refs)),
                "always": np.exp(np.minimum(1 - refs / hyps, 1)),
                "ratio": np.minimum(1, hyps / refs),
                "plus one": np.exp(np.minimum(0, 1 - (refs + 1) / (hyps + 1))),
            }[kind]
        usual = _usual_penalty(rows)
        return np.divide(penalty, usual, out=np.zeros(len(rows)), where=usual > 0)

    def _rows(self, settings: Settings, subset: Subset) -> Rows:
        """Return the counts of each segment or, unless they are averaged, their sum."""
        counting = tuple(settings[name] for name in _COUNTING)
        form = settings["aggregate"] == "segments", settings["phantom_ngrams"]
        key = subset, counting, form
        if key not in self._known:
            plain = subset, counting
            if plain not in self._known:
                self._known[plain] = self._count(settings, subset)
            rows: Rows = self._known[plain]
            if settings["phantom_ngrams"]:
                rows = rows.copy()
                rows[:, 2 + _ORDERS :] = np.maximum(rows[:, 2 + _ORDERS :], 1)
            if settings["aggregate"] != "segments" and len(rows):
                rows = rows.sum(axis=0, keepdims=True)
            self._known[key] = rows
        known: Rows = self._known[key]
        return known

    def _texts(self, alignment: str, subset: Subset) -> tuple[list[str], list[list[Any]]]:
        """Return hypotheses and references that are compared."""
        hypotheses = self.hypotheses
        references: list[list[Any]] = list(self.references)
        if subset:
            references = [[several[place] for place in subset] for several in references]
        if alignment != "as given":
            hypotheses, references = ALIGNMENTS[alignment](hypotheses, references)
        return hypotheses, references

    def _characters(self, settings: Settings, subset: Subset) -> Rows:
        """Return the lengths of hypotheses and references in characters, as rows have them."""
        key = "characters", settings["alignment"], subset
        if key not in self._known:
            pairs = zip(*self._texts(settings["alignment"], subset), strict=True)
            self._known[key] = np.array([_lengths(*pair) for pair in pairs])
        rows: Rows = self._known[key]
        return rows if settings["aggregate"] == "segments" else rows.sum(axis=0, keepdims=True)

    def _count(self, settings: Settings, subset: Subset) -> Rows:
        """Return for each segment both lengths, the matches of all orders, and all n-grams."""
        hypotheses, references = self._texts(settings["alignment"], subset)
        if not hypotheses:
            return np.zeros((0, 2 + 2 * _ORDERS), np.int64)
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
        of_own = chosen["reference_length"] in _LENGTHS
        if of_own:
            chosen["reference_length"] = "closest"
        bleu: Bleu = METRICS[self.metric](tokenizer=tokenizer, max_order=_ORDERS, **chosen)
        rows = bleu._count_stats(hypotheses, references, None, self.threads).to_numpy()
        if of_own:
            most = _LENGTHS[settings["reference_length"]]
            given = [[each for each in several if each is not None] for several in references]
            given = [several[:most] for several in given]
            flat = list(chain.from_iterable(given))
            lengths = bleu._count_stats(flat, flat, None, self.threads).to_numpy()[:, 0]
            rows = rows.copy()
            places = np.repeat(range(len(rows)), list(map(len, given)))
            rows[:, 1] = np.bincount(places, lengths, len(rows))
        if settings["clipping"] != "usual":
            key = "clipping", subset, settings["tokenizer"], settings["lowercase"]
            if key not in self._known:
                pairs = zip(hypotheses, references, strict=True)
                self._known[key] = [
                    counted_otherwise(bleu._counter.tokens, *pair) for pair in pairs
                ]
            rows = rows.copy()
            for start, name in zip((2, 2 + _ORDERS), CLIPPING[settings["clipping"]], strict=True):
                rows[:, start : start + 4] = [
                    [each[name] for each in orders] for orders in self._known[key]
                ]
        return rows

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
        views = sorted(self._views(_tokens(tokenizers), rarest), key=lambda view: view[0].rarity)
        if tokenizers is None:
            yield from ([choice] for choice in self._of_dialects())
        for view, subset in views:
            most = rarest - view.rarity + 2 * (view.settings.get("tokenizer") in _SPLIT)
            formulas = (each for each in _formulas(_FORMULA, rarest) if each.rarity <= most)
            joined = (_together(view, formula, subset, rarest) for formula in formulas)
            chosen = [choice for choice in joined if choice is not None]
            if chosen:
                yield chosen

    def _views(self, tokens: list[Choice], rarest: int) -> Iterator[tuple[Choice, Subset]]:
        for subset in self.subsets():
            count = len(subset) or max(map(len, self.references))
            # Without subsets, references are missing here and there.
            complete = bool(subset)
            missing = len(self.references[0]) - count if subset else 0
            rarity = 0 if not missing else 2 if subset == (0,) else 3
            left_out = Choice(rarity=rarity, causes=(), settings={}, references=subset)
            for view in _formulas(tuple(name for name in _VIEW if name != "tokens"), rarest):
                # It takes the longest to count otherwise.
                if "alignment" in view.settings and ("clipping" in view.settings or not complete):
                    continue
                several = {"reference_length", "several", "sum of references", "best reference"}
                if count < 2 and not several.isdisjoint({*view.settings, *view.settings.values()}):
                    continue
                if "several" in view.settings and not complete:
                    continue
                for split in tokens:
                    joined = left_out.joined(view, subset)
                    joined = joined and joined.joined(split, subset)
                    if joined is not None and joined.rarity <= rarest:
                        yield joined, subset

    def _of_dialects(self) -> Iterator[Choice]:
        for dialect in self.dialects.values():
            settings = dict(dialect.settings)
            parts = [each for each in causes() if each.settings.items() <= settings.items()]
            wrong = sorted((each.rarity, each.erratum) for each in parts if each.erratum)
            words, erratum = f"as by {dialect.tool}", wrong[-1][1] if wrong else None
            how: Any = {"rarity": 3, "settings": settings}
            cause = Cause(aspect="dialect", words=words, erratum=erratum, **how)
            if settings:
                yield Choice(causes=(cause,), references=self.subsets()[0], **how)

    def printed(self, choice: Choice, scale: int) -> Choice:
        """Return what people do who print a score on a scale; dialects have their own."""
        times = next(each for each in causes() if each.aspect == "scale")
        matches = times.settings.items() <= choice.settings.items()
        if scale == 1 or not matches or choice.causes[0].aspect == "dialect":
            return choice
        rarity, also = choice.rarity + times.rarity, (*choice.causes, times)
        return choice.replace(rarity=rarity, causes=also)

    def forget(self) -> None:
        """Forget counts that no later settings need, but no texts that were split."""
        known = self._known.items()
        self._known = {key: value for key, value in known if not isinstance(value, np.ndarray)}


def is_bleu(settings: Settings) -> bool:
    """Tell whether :class:`truebleu.Bleu` has these settings."""
    habits = any(settings.get(name, value) != value for name, value in HABITS.items())
    tokenizer = settings.get("tokenizer")
    return not (
        habits
        or (isinstance(tokenizer, str) and tokenizer in SPLITTERS)
        or settings.get("smoothing") in _TINY
        or settings.get("reference_length") in _LENGTHS
    )


def _tokens(tokenizers: Sequence[str] | None) -> list[Choice]:
    """Return the ways to get tokens that are tried."""
    if tokenizers is None:
        return _formulas(("tokens",), RAREST)
    if isinstance(tokenizers, str) or not isinstance(tokenizers, Iterable):
        given = repr(tokenizers) if isinstance(tokenizers, str) else type(tokenizers).__name__
        raise InputTypeError(f"tokenizers is {given}; a list of their names is needed")
    chosen = []
    for index, each in enumerate(sequences.as_list(tokenizers, "tokenizers")):
        if not (isinstance(each, str | SentencePiece) or callable(each)):
            need = "a name, a SentencePiece model or a function is needed"
            raise wrong_type(f"tokenizers[{index}]", each, need)
        if each == DEFAULTS["tokenizer"]:
            chosen.append(Choice(rarity=0, causes=(), settings={}, references=()))
            continue
        settings = {"tokenizer": each}
        cause = Cause(aspect="tokens", settings=settings, rarity=1, words=f"tokenizer {each}")
        chosen.append(Choice(rarity=1, causes=(cause,), settings=settings, references=()))
    if not chosen:
        raise SettingsError("tokenizers is empty; name at least one, or leave it out to try all")
    return chosen


def _together(view: Choice, formula: Choice, subset: Subset, rarest: int) -> Choice | None:
    """Join what is counted and a formula; NLTK, and code of one's own, get split text mostly."""
    choice = view.joined(formula, subset)
    if choice is None:
        return None
    by_nltk, own = choice.settings.get("phantom_ngrams"), bool(_OWN & choice.settings.keys())
    rarity = choice.rarity
    if by_nltk or own:
        tokenizer = choice.settings.get("tokenizer")
        rarity += 1 if tokenizer is None else -2 * (tokenizer in _SPLIT)
    return None if rarity > rarest or (by_nltk and own) else choice.replace(rarity=rarity)


@cache
def _formulas(aspects: tuple[str, ...], rarest: int) -> list[Choice]:
    """Return all combinations of causes of these aspects, the most common first."""
    chosen = []
    options = [[None, *(each for each in causes() if each.aspect == name)] for name in aspects]
    for combination in product(*options):
        given = tuple(cause for cause in combination if cause is not None)
        rarity = sum(cause.rarity for cause in given)
        if rarity > rarest:
            continue
        settings: Settings = {}
        for cause in given:
            if any(settings.get(name, value) != value for name, value in cause.settings.items()):
                break
            settings |= cause.settings
        else:
            single = settings.get("smoothing") in SEGMENT_ONLY_SMOOTHINGS
            if not single or settings.get("aggregate") == "segments":
                chosen.append(Choice(rarity=rarity, causes=given, settings=settings, references=()))
    return sorted(chosen, key=lambda choice: choice.rarity)


@cache
def _scorer(smoothing: str, *others: Any) -> Bleu:
    """Return a Bleu that scores counts; they are few, and each is used often."""
    settings = dict(zip(_SCORED, others, strict=True))
    with warnings.catch_warnings():
        # Weights of 0.33 are tried on purpose.
        warnings.simplefilter("ignore")
        bleu: Bleu = METRICS["bleu"](tokenizer="none", smoothing=smoothing, **settings)
    return bleu


@cache
def _columns(bleu: Bleu) -> list[int]:
    """Return the places of a metric's fields in rows of more orders."""
    rows: Bleu = METRICS["bleu"](max_order=_ORDERS)
    return [rows.fields.index(name) for name in bleu.fields]


def _lengths(hypothesis: str, references: list[str | None]) -> tuple[int, int]:
    length = len(hypothesis)
    lengths = [len(text) for text in references if text is not None]
    return length, min(lengths, key=lambda each: (abs(each - length), each))


def _usual_penalty(rows: Rows) -> Floats:
    hyps, refs = rows[:, 0], rows[:, 1]
    ratio = np.divide(refs, hyps, out=np.full(len(rows), np.inf), where=hyps > 0)
    penalty: Floats = np.exp(np.minimum(0, 1 - ratio))
    return penalty


def _precisions(rows: Rows) -> Floats:
    matches, totals = rows[:, 2 : 2 + _ORDERS], rows[:, 2 + _ORDERS :]
    return np.divide(matches, totals, out=np.zeros(matches.shape), where=totals > 0)


def _weights(settings: Settings) -> Floats:
    order = settings["max_order"] or len(settings["weights"] or ()) or 4
    return np.array(settings["weights"] or (1 / order,) * order)


def _by_nltk(rows: Rows, settings: Settings) -> Floats:
    """Return the means of precisions under methods 4 to 7, as NLTK has them: not limited to 1."""
    method, value = settings["smoothing"], settings["smooth_value"] or 5.0
    weights = _weights(settings)
    lengths, totals = rows[:, 0], rows[:, 2 + _ORDERS :]
    precisions = _precisions(rows)
    means, after_last = precisions[:, : len(weights)].copy(), precisions[:, 4]
    if method in ("method4", "method7"):
        empty = (means == 0) & (lengths > 1)[:, None]
        divisors = 2.0 ** empty.cumsum(axis=1) * value * totals[:, : len(weights)]
        means = np.where(empty, np.log(np.maximum(lengths, 1))[:, None] / divisors, means)
    if method in ("method5", "method7"):
        before = means[:, 0] + 1
        for n in range(len(weights)):
            after = means[:, n + 1] if n + 1 < len(weights) else after_last
            before = means[:, n] = (before + means[:, n] + after) / 3
    if method == "method6":
        for n in range(2, len(weights)):
            below, lower = means[:, n - 1], means[:, n - 2]
            prior = np.divide(below**2, lower, out=np.zeros(len(rows)), where=lower > 0)
            real = np.maximum(lengths - n, 0)
            means[:, n] = (rows[:, 2 + n] + value * prior) / (real + value)
    logs = np.log(means, out=np.zeros(means.shape), where=means > 0)
    scores: Floats = np.exp((logs * weights).sum(axis=1)) * (rows[:, 2] > 0)
    return scores
