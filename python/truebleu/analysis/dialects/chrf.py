"""A corpus under many settings of chrF, under rules of other tools, and under all of these."""

from __future__ import annotations

from itertools import chain, product
from math import fsum

import numpy as np

from truebleu.analysis.causes import NEVER, Cause
from truebleu.analysis.dialects.corpus import Choice, Corpus, shown
from truebleu.display import formatting
from truebleu.errors import SettingsError
from truebleu.metrics.chrf.dialects import DEFAULTS, DIALECTS, REPEATING
from truebleu.metrics.chrf.pairs import Pairs
from truebleu.metrics.chrf.settings import SETTINGS
from truebleu.metrics.registry import METRICS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, ClassVar

    from numpy.typing import NDArray

    from truebleu.analysis.dialects.corpus import Settings, Subset
    from truebleu.metrics.chrf.metric import Chrf
    from truebleu.metrics.dialect import Dialect

# Words are counted up to this order, whether a dialect scores them or not.
_LARGEST_WORD_ORDER = 2

# The values that are tried, of each setting the default first; the others stay as they are.
_VALUES: dict[str, tuple[Any, ...]] = {
    "lowercase": (False, True),
    "whitespace": (False, True, DIALECTS["torchmetrics-chrf"].settings["whitespace"]),
    "word_order": tuple(range(_LARGEST_WORD_ORDER + 1)),
    "beta": (2.0, 1.0, 3.0),
    "eps_smoothing": (False, True),
    "aggregate": ("corpus", "segments"),
    "references": ("best", "joined"),
}

# Rules of torchmetrics, which only occur together.
_TOGETHER = {
    name: DIALECTS["torchmetrics-chrf"].settings[name] for name in ("short_references", "unmatched")
}


class ChrfCorpus(Corpus):
    """A corpus that is scored under many settings of chrF; what they share is counted once."""

    metric = "chrf"
    title = "chrF"
    defaults: ClassVar[Settings] = DEFAULTS
    aspects: ClassVar[dict[str, tuple[str, ...]]] = {name: (name,) for name in DEFAULTS}

    def value(self, settings: Settings, subset: Subset = ()) -> float:
        """Return the score of the corpus with some references of each segment; default: all."""
        key = *settings.values(), subset
        known: float | None = self._known.get(key)
        if known is None:
            rows, scores, pairs = self._scored(settings, subset)
            best = pairs.best(scores)
            rows = rows[best]
            if settings["unmatched"] == "without references":
                without = rows[:, :, 2].sum(axis=1) == 0
                rows[:, :, 1] = np.where(without[:, None], 0, rows[:, :, 1])
            if settings["aggregate"] == "segments":
                known = fsum(scores[best].tolist()) / len(best)
            else:
                row = rows.sum(axis=0).astype("<i8").tobytes()
                known = _scorer(settings)._row_value(row)
            self._known[key] = known
        return known

    def _scored(
        self, settings: Settings, subset: Subset
    ) -> tuple[NDArray[np.int64], NDArray[np.float64], Pairs]:
        """Return the counts of each pair of texts as (pairs, orders, 3), its score, and pairs."""
        pairs = self.pairs(settings, subset)
        hyps = pairs.hypotheses
        if settings["short_references"] == "ignored":
            hyps = np.where(pairs.skipped, 0, hyps)
        orders = settings["char_order"] + settings["word_order"]
        rows = np.stack([hyps, pairs.references, pairs.matches], axis=2)[:, :orders]
        data = _scorer(settings)._row_scores(rows.astype("<i8").tobytes())
        return rows, np.frombuffer(data, "<f8"), pairs

    def pairs(self, settings: Settings, subset: Subset = ()) -> Pairs:
        """Return the n-grams of the pairs of texts under these settings."""
        joined = settings["references"] == "joined" and len(subset) != 1
        names = ("char_order", "unicode_form", "lowercase", "whitespace")
        key = *(settings[name] for name in names), joined, subset
        if key not in self._known:
            self._known[key] = self._count(settings, joined, subset)
        known: Pairs = self._known[key]
        return known

    def _count(self, settings: Settings, joined: bool, subset: Subset) -> Pairs:
        if subset and not joined:
            return self.pairs({**settings, "references": "best"}).only(subset)
        references = self._texts(subset)
        if joined:
            references = [[" ".join(several)] for several in references]
        chrf: Chrf = METRICS[self.metric](
            char_order=settings["char_order"],
            word_order=_LARGEST_WORD_ORDER,
            unicode_form=settings["unicode_form"],
            lowercase=settings["lowercase"],
            whitespace=settings["whitespace"] is True,
        )
        only_spaces = settings["whitespace"] not in (True, False)
        return Pairs(
            self.hypotheses, references, chrf, only_spaces=only_spaces, threads=self.threads
        )

    def _texts(self, subset: Subset) -> Sequence[Sequence[str]]:
        chosen = self.references
        if subset:
            chosen = [[several[place] for place in subset] for several in chosen]
        return [[text for text in several if text is not None] for several in chosen]

    def simplified(self, settings: Settings, subset: Subset) -> Settings:
        """Replace settings by simpler ones that are the same on this text."""
        names = ("char_order", "unicode_form", "lowercase", "whitespace", "references")
        key = "irrelevant", *(settings[name] for name in names), subset
        if key not in self._known:
            self._known[key] = [*self._irrelevant(settings, subset)]
        return {**settings, **{name: DEFAULTS[name] for name in self._known[key]}}

    def _irrelevant(self, settings: Settings, subset: Subset) -> Iterator[str]:
        """Find settings that can be the default without a difference to this text."""
        texts = self._texts(subset)
        # A single reference cannot be joined.
        if not any(len(several) > 1 for several in texts):
            yield "references"
        without_spaces = (text.replace(" ", "") for text in chain(self.hypotheses, *texts))
        if settings["whitespace"] not in (True, False) and not any(
            len(text.split()) > 1 for text in without_spaces
        ):
            yield "whitespace"
        pairs = self.pairs(settings, subset)
        if not (pairs.skipped & (pairs.hypotheses > 0)).any():
            yield "short_references"
        if pairs.matches.any(axis=1).all():
            yield "unmatched"

    def scorer(self, settings: Settings) -> Chrf | None:
        """Return Chrf with these settings; None if there are rules that it lacks."""
        chosen = {name: settings[name] for name in SETTINGS.defaults}
        if settings != {**DEFAULTS, **chosen} or not isinstance(chosen["whitespace"], bool):
            return None
        chrf: Chrf = METRICS[self.metric](**chosen)
        return chrf

    def why(self, aspect: str, start: Settings, end: Settings) -> str:
        """Say what a change does to this text."""
        rows, was = self._chosen(start)
        _, now = self._chosen(end)
        if aspect in ("beta", "char_order", "word_order"):
            hyps, refs, matches = rows.sum(axis=0).T
            orders, unit = slice(start["char_order"]), "characters"
            if aspect == "word_order":
                hyps, refs, matches = (
                    each.sum(axis=0) for each in (now.hypotheses, now.references, now.matches)
                )
                orders, unit = slice(start["char_order"], None), "words"
            precision, recall = (_percent(matches[orders], each[orders]) for each in (hyps, refs))
            return f"Mean precision of {unit}: {precision}; recall: {recall}."
        if aspect in ("unicode_form", "lowercase"):
            more = int(now.matches[:, 0].sum() - was.matches[:, 0].sum())
            return f"Characters that match: {abs(more):,} {'more' if more >= 0 else 'fewer'}."
        if aspect == "whitespace":
            after, before = (int(each.hypotheses[:, 0].sum()) for each in (now, was))
            return f"Characters of the hypotheses: {after:,} instead of {before:,}."
        if aspect == "aggregate":
            return f"Segments that count equally, however long: {len(rows):,}."
        if aspect == "references":
            several = [several for several in self._texts(()) if len(several) > 1]
            return f"Segments with several references: {len(several):,}."
        said, found = {
            "eps_smoothing": ("that lack an order", (rows[:, :, :2] == 0).any(axis=(1, 2))),
            "short_references": (
                "whose reference lacks an order",
                (now.skipped & (now.hypotheses > 0)).any(axis=1),
            ),
            "unmatched": ("in which nothing matches", ~now.matches.any(axis=1)),
        }[aspect]
        return f"Segments {said}: {int(found.sum()):,}."

    def notes(self, dialect: Dialect) -> tuple[str, ...]:
        """Say where the tool prints another number for this text."""
        if dialect.name not in REPEATING:
            return ()
        _, pairs = self._chosen(self.filled(dialect.settings))
        unmatched = int((~pairs.matches.any(axis=1)).sum())
        if not unmatched:
            return ()
        which = f"{formatting.count(unmatched, 'segment')} in which nothing matches"
        return (f"{dialect.name} itself counts {which} as repetitions of the one before.",)

    def _chosen(self, settings: Settings) -> tuple[NDArray[np.int64], Pairs]:
        """Return the counts of each segment and its best reference."""
        rows, scores, pairs = self._scored(settings, ())
        best = pairs.best(scores)
        return rows[best], pairs.take(best)

    def choices(self, tokenizers: Sequence[str] | None) -> Iterator[list[Choice]]:
        """List the settings that are tried; SettingsError if `tokenizers` are given."""
        if tokenizers is not None:
            raise SettingsError("chrF has no tokenizers to try: leave tokenizers out")
        for subset in self.subsets():
            options = {}
            for name, values in _VALUES.items():
                filled = [self.filled({name: value}) for value in values]
                # Those that make a difference to this text.
                options[name] = [
                    each[name] for each in filled if self.simplified(each, subset) == each
                ]
            chosen = []
            for values in product(*options.values()):
                settings = dict(zip(options, values, strict=True))
                changes = {
                    name: value for name, value in settings.items() if value != DEFAULTS[name]
                }
                chosen.append(self._choice(changes, subset))
                if settings["eps_smoothing"] and settings["aggregate"] == "corpus":
                    chosen.append(self._choice({**changes, **_TOGETHER}, subset))
            yield chosen

    def _choice(self, changes: Settings, subset: Subset) -> Choice:
        causes = tuple(
            Cause(aspect=name, settings={name: value}, weights=(2,), words=_words(name, value))
            for name, value in changes.items()
        )
        left_out = 2 * (0 < len(subset) < len(self.references[0]))
        known = any(each.settings == changes for each in self.dialects.values())
        return Choice(
            weights=(min(2 * len(causes), 3 if known else NEVER) + left_out,),
            causes=causes,
            settings=changes,
            references=subset,
        )

    def forget(self) -> None:
        """Forget the n-grams."""
        known = self._known.items()
        self._known = {key: value for key, value in known if not isinstance(value, Pairs)}


def _words(name: str, value: Any) -> str:
    return name if value is True else f"{name} {shown(value)}"


def _percent(matches: NDArray[np.int64], totals: NDArray[np.int64]) -> str:
    """Write the mean percentage of the orders that have n-grams."""
    shares = [100 * match / total for match, total in zip(matches, totals, strict=True) if total]
    return f"{fsum(shares) / len(shares):.1f}" if shares else "undefined"


def _scorer(settings: Settings) -> Chrf:
    """Return the formula; how text is counted does not matter to it."""
    names = ("char_order", "word_order", "beta", "eps_smoothing")
    chrf: Chrf = METRICS["chrf"](**{name: settings[name] for name in names})
    return chrf
