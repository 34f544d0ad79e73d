"""Warnings about a corpus that looks as if something else was meant."""

from __future__ import annotations

from truebleu._core import Observed, take_left_over
from truebleu.errors import InputTypeError, SettingsWarning, warn
from truebleu.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, TypeGuard

    from truebleu.inputs import leftovers

    # The name of a metric, and what scores a sample with it.
    Scored = tuple[str, Callable[[leftovers.Sample], float]]

HYPOTHESES = "hypotheses"
"""The name of hypotheses in warnings, unless they have one of their own."""

# Fewer segments may all be equal by chance.
_ENOUGH_SEGMENTS = 10

# Hypotheses that are longer or shorter than their references by so much are rarely what was meant.
_USUAL_LENGTHS = (0.67, 1.5)

USE_NFC = "set unicode_form='NFC'"
"""What to do about texts in different Unicode normal forms."""

USE_NONE = "use None for references that are missing"
"""What to do about empty references in Python; the command has an option."""

# Texts with fewer characters may equal their source.
_LONG = 20

# The same number as in sacreBLEU.
_TOKENIZED_LINES = 100

# These do not split Han and kana, so a whole clause becomes one token.
_MTEVAL = {f"mteval-{name}" for name in ("v13a", "v13a-lc", "v14", "v13a-intl", "v14-intl")}
_NEED_SPACES = frozenset(
    {"13a", "intl", "none", "spaces", "moses", "words", "keras", "tensor2tensor"} | _MTEVAL
)

# Nor do these split the scripts of Southeast Asia.
_SPLIT_EAST_ASIA = frozenset({"zh", "zh-fixed"})

# Nor do these, whose dictionaries have only words in normal form C. In signatures, versions follow.
_MECAB = ("ja-mecab-", "ko-mecab-")

# Scripts without spaces, and how many characters a piece between spaces has at least, on average,
# if it is no word: Chinese and Japanese words have about two, Thai and Burmese ones four to seven.
_SCRIPTS = (("Han or kana", 4), ("Thai, Lao, Khmer, Burmese or Tibetan", 8))

# The share of texts, in another normal form or with markup, that makes a difference to the score.
_NOTICEABLE = 0.1

# These decode &amp;, &lt;, &gt; and &quot;.
_DECODE_XML = frozenset({"13a", "keras"} | _MTEVAL)

# These expect tokenized text, or give the same tokens for it.
_TAKE_TOKENS = frozenset({"none", "spaces", "moses", "char"})


class Remedies(Record):
    """What to do about text that a metric does not count as its author may expect.

    Each is the end of a sentence, or None where there is nothing wrong with text that looks
    tokenized, has no spaces, or is in another Unicode normal form than the other side, or than the
    words of the tokenizer. Text without spaces has what does not split it into words, and what to
    do if it is mostly Han or kana, and if it is of Southeast Asia or Tibet; None if it is split.
    Korean has spaces, but not between a word and its particles and endings. Nothing is to be done
    about entities of XML if the metric decodes them.
    """

    tokenized: str | None = None
    unspaced: tuple[str, str | None, str | None] | None = None
    korean: str | None = None
    decomposed: str | None = None
    unknown_words: str | None = None
    decodes_xml: bool = False


def remedies(tokenizer: str, unicode_form: str | None) -> Remedies:
    """Return what to do about text with this tokenizer of BLEU, named as in signatures."""
    # The name of a user's function has its module, and so a dot.
    plain = tokenizer not in _TAKE_TOKENS and "." not in tokenizer
    return Remedies(
        tokenized="detokenize them, or set tokenizer='none' if the references are tokenized in the "
        "same way"
        if plain
        else None,
        unspaced=(
            f"tokenizer {tokenizer!r}",
            "set tokenizer='zh' for Chinese, 'ja-mecab' for Japanese, or 'char'"
            if tokenizer in _NEED_SPACES
            else None,
            "set tokenizer='flores200', or 'char', or compute chrF"
            if tokenizer in _NEED_SPACES | _SPLIT_EAST_ASIA or tokenizer.startswith(_MECAB)
            else None,
        ),
        korean=f"tokenizer {tokenizer!r} does not split from their particles and endings; set "
        "tokenizer='ko-mecab', which sacreBLEU has for Korean, or 'char', unless this is intended"
        if plain and tokenizer in _NEED_SPACES
        else None,
        decomposed=USE_NFC if unicode_form is None else None,
        unknown_words=f"tokenizer {tokenizer[:8]!r} are, so it does not find them; {USE_NFC}"
        if unicode_form is None and tokenizer.startswith(_MECAB)
        else None,
        decodes_xml=tokenizer in _DECODE_XML,
    )


class OddLines:
    """Where a file is odd, as messages say it: lines with markup, or of unusual lengths."""

    def __init__(self) -> None:
        """Know of no line."""
        self.markup = ""
        self._far: dict[bool, tuple[int, int, str]] = {}

    def look(self, first: int, texts: Iterable[Sequence[str | None]], *, markup: bool) -> None:
        """Look at hypotheses with their references, behind as many lines as `first` says."""
        for number, (hypothesis, *several) in enumerate(zip(*texts, strict=True), first + 1):
            known = [text for text in several if text is not None]
            if markup and {_is_tagged(text) for text in known} == {not _is_tagged(hypothesis)}:
                self.markup = self.markup or f", first in line {number:,}"
            size = len(hypothesis)
            other = min((len(text) for text in known), key=lambda each: abs(each - size), default=0)
            if other and not _is_usual(size, other):
                count, most, where = self._far.get(size > other, (0, 0, ""))
                if abs(size - other) > most:
                    most = abs(size - other)
                    where = f"line {number:,} most of all ({size:,} characters for {other:,})"
                self._far[size > other] = count + 1, most, where

    def lengths(self, *, longer: bool, segments: int) -> str:
        """Say how many lines are too long or short, and which of them most."""
        count, _, where = self._far.get(longer, (0, 0, ""))
        too = f"{'is' if count == 1 else 'are'} too {'long' if longer else 'short'}"
        return f"; {count:,} of {segments:,} segments {too}, {where}" if count else ""


def _is_tagged(text: str) -> bool:
    return text.startswith("<") and text.endswith(">")


def _is_usual(hypotheses: int, references: int) -> bool:
    least, most = _USUAL_LENGTHS
    return least * references <= hypotheses <= most * references


def check_corpus(
    observed: Observed,
    remedies: Remedies,
    name: str = HYPOTHESES,
    lengths: tuple[int, int, str] | None = None,
    odd: OddLines | None = None,
    scored: Scored | None = None,
) -> None:
    """Warn about what was observed.

    `lengths` are of hypotheses and references, with their unit. What `scored`, with the name of a
    metric, returns for a sample of segments shows what odd characters do to the score.
    """
    facts = observed.facts()
    messages = _messages(facts, remedies, name, scored)
    if facts["segments"] >= _ENOUGH_SEGMENTS:
        found = signs_of(facts, remedies, name, scored, lines=odd is not None)
        # What stands in the text has a length as well.
        lengths = None if found else lengths
        messages += [*_of_lines(facts, name, lengths, odd or OddLines()), *found.values()]
    for message in messages:
        warn(message, SettingsWarning)


def signs_of(
    facts: dict[str, Any],
    remedies: Remedies,
    name: str = HYPOTHESES,
    scored: Scored | None = None,
    *,
    lines: bool = False,
) -> dict[str, str]:
    """Say by sign what is not the text of an author; see :mod:`truebleu.inputs.leftovers`."""
    # What is rarely found is rarely loaded.
    if facts["segments"] < _ENOUGH_SEGMENTS or not facts["signs"]:
        return {}
    from truebleu.inputs import leftovers

    messages = leftovers.empty(facts, name, lines=lines)
    messages |= leftovers.leftovers(facts, name, decodes_xml=remedies.decodes_xml, lines=lines)
    if scored is not None and facts["sample"]:
        messages |= leftovers.odd_characters(facts, name, *scored)
    return messages


# Of the batches of a process, the first so many are looked at, and then one in so many.
_LOOKED_AT = 16


class Batches:
    """Batches, as of training, of which some are looked at: of each sign, a process warns once."""

    def __init__(self) -> None:
        self._calls = 0
        self._said: set[str] = set()
        self._observed = Observed()

    def next(self) -> Observed | None:
        """Return what observes the next batch, if it is looked at."""
        self._calls += 1
        if self._calls > _LOOKED_AT and self._calls % _LOOKED_AT:
            return None
        return self._observed

    def check(self, observed: Observed, remedies: Remedies) -> None:
        """Warn of left-overs, once enough segments have been observed."""
        facts = observed.facts()
        if facts["segments"] < _ENOUGH_SEGMENTS:
            return
        self._observed = Observed()
        for sign, message in signs_of(facts, remedies).items():
            # A batch may well have equal or empty texts.
            if sign not in self._said | {"empty", "blank", "equal"}:
                self._said.add(sign)
                warn(message, SettingsWarning)


BATCHES = Batches()
"""The batches of this process."""


def check_single(hypothesis: Any, references: Any) -> None:
    """Warn of left-overs in single segments, if the core has found them: once in a process."""
    if take_left_over():
        from truebleu.inputs import leftovers

        observed = Observed()
        observed.look([hypothesis], [references])
        message = leftovers.in_single(observed.facts())
        if message is not None:
            warn(message, SettingsWarning)


def _of_lines(
    facts: dict[str, Any], name: str, lengths: tuple[int, int, str] | None, odd: OddLines
) -> list[str]:
    """Return what suggests that lines are not the text of one segment each."""
    messages = []
    segments = facts["segments"]
    are = "are" if name == HYPOTHESES else "is"
    has_markup = facts["markup"] > _NOTICEABLE * segments
    if has_markup:
        messages.append(
            f"{name} or the references look like markup: in {facts['markup']:,} of {segments:,} "
            f"segments, only one of both begins with < and ends with >{odd.markup}; remove the tags"
        )
    alone, beside = facts["empty"]
    if beside:
        messages.append(
            f"{beside:,} empty references count as references without words, beside others that "
            f"have some; {USE_NONE}"
        )
    alone -= facts["signs"].get("blank", [[0]])[0][0]
    if alone > _NOTICEABLE * segments:
        messages.append(
            f"the only reference is empty in {alone:,} of {segments:,} segments; leave out those "
            "that have none"
        )
    # Markup has a length as well.
    if is_unusual(lengths) and not has_markup:
        hypotheses, references, unit = lengths
        where = odd.lengths(longer=hypotheses > references, segments=segments)
        messages.append(
            f"{name} {are} {hypotheses / references:.2f} times as long as the references "
            f"({hypotheses:,} and {references:,} {unit}){where}; is each line the translation of "
            "one segment?"
        )
    return messages


def _messages(
    facts: dict[str, Any], remedies: Remedies, name: str, scored: Scored | None
) -> list[str]:
    messages = []
    look, equal = ("look", "equal") if name == HYPOTHESES else ("looks", "equals")
    if facts["segments"] >= _ENOUGH_SEGMENTS and not facts["different"]:
        messages.append(
            f"{name} {equal} a reference in all {facts['segments']:,} segments: is one of the "
            "files or lists given twice?"
        )
    if facts["tokenized"] >= _TOKENIZED_LINES and remedies.tokenized:
        messages.append(
            f"{name} {look} tokenized: {facts['tokenized']:,} segments end in ' .'; "
            f"{remedies.tokenized}"
        )
    messages += of_scripts(facts, remedies)
    if remedies.decomposed and all(facts["looked"]):
        hypotheses, references = (
            decomposed / texts
            for decomposed, texts in zip(facts["decomposed"], facts["looked"], strict=True)
        )
        if abs(hypotheses - references) > _NOTICEABLE:
            change = ""
            if scored is not None and facts["sample"]:
                from truebleu.inputs import leftovers

                change = leftovers.changed(facts["sample"], _composed, *scored)
            more = f": {change} in one" if change else ""
            messages.append(
                f"{name} and references are in different Unicode normal forms, so equal words do "
                f"not match{more}; {remedies.decomposed}"
            )
        elif remedies.unknown_words and max(hypotheses, references) > _NOTICEABLE:
            messages.append(
                f"{name} and references are not in Unicode normal form C, but the words of "
                f"{remedies.unknown_words}"
            )
    return messages


def of_scripts(facts: dict[str, Any], remedies: Remedies) -> list[str]:
    """Warn about text whose words are not what is between spaces."""
    messages = []
    if remedies.unspaced:
        what, *cures = remedies.unspaced
        # Segments without any space are no words, however short they are.
        whole = facts["pieces"] <= sum(facts["looked"]) and facts["characters"] > facts["pieces"]
        for (scripts, long), count, cure in zip(_SCRIPTS, facts["scripts"][:2], cures, strict=True):
            pieces_are_long = whole or facts["characters"] > long * facts["pieces"]
            if cure and 2 * count > facts["characters"] and pieces_are_long:
                messages.append(
                    f"the text is mostly {scripts}, which {what} does not split into words; {cure}"
                )
    if remedies.korean and 2 * facts["scripts"][2] > facts["characters"]:
        messages.append(f"the text is mostly Korean, whose words {remedies.korean}")
    return messages


def _composed(text: str) -> str:
    from truebleu._core import normalize

    return normalize(text, "NFC")


def is_unusual(lengths: tuple[int, int, str] | None) -> TypeGuard[tuple[int, int, str]]:
    """Whether hypotheses are much longer or shorter than their references."""
    return lengths is not None and lengths[1] > 0 and not _is_usual(*lengths[:2])


def check_source(hypotheses: Sequence[Any], sources: Sequence[Any], name: str) -> None:
    """Warn if hypotheses were not translated: all, or some besides names and numbers."""
    segments = len(sources)
    if segments < _ENOUGH_SEGMENTS:
        return
    from truebleu.inputs import leftovers

    equal = [one for one, other in zip(hypotheses, sources, strict=True) if one == other]
    number = sum(len(text) >= _LONG for text in equal)
    equals = "equal" if name == HYPOTHESES else "equals"
    if len(equal) == segments:
        warn(f"{name} {equals} the source in all {segments:,} segments", SettingsWarning)
    elif number >= leftovers.SHARE * segments:
        warn(
            f"{name} {equals} the source in {number:,} of {segments:,} segments; was it "
            f"translated? See {leftovers.PAGE}",
            SettingsWarning,
        )


def check_identical(groups: Iterable[Sequence[str]], segments: int) -> None:
    """Warn of systems that have the same output under several names."""
    from truebleu.display.words import english

    for names in groups:
        if len(names) > 1 and segments >= _ENOUGH_SEGMENTS:
            warn(f"{english.listed(names)} have the same output in every segment", SettingsWarning)


def check_outputs(outputs: Mapping[str, Sequence[Any]]) -> None:
    """Warn of the same output under several names."""
    groups: list[list[str]] = []
    for name, texts in outputs.items():
        if not isinstance(texts, list) or not texts or not isinstance(texts[0], str):
            return
        # Two systems differ early, as a rule.
        same = next((names for names in groups if outputs[names[0]] == texts), None)
        if same is None:
            groups.append([name])
        else:
            same.append(name)
    check_identical(groups, max(map(len, outputs.values()), default=0))


_OF_SEGMENT = "is read as the references of segment i: if it is that, pass"
_STREAM = "is read as the i-th translation of the corpus: if it is that, pass"

LAYOUTS = {
    "references": f"references[i] {_STREAM} it as reference_streams",
    "reference_streams": f"reference_streams[i] {_OF_SEGMENT} it as references",
    "sacrebleu": f"references[i] {_OF_SEGMENT} list(zip(*references))",
    "nltk": f"list_of_references[i] {_STREAM} list(zip(*list_of_references))",
    "torchmetrics": f"target[i] {_STREAM} list(zip(*target))",
    "evaluate": f"references[i] {_STREAM} list(zip(*references))",
}
"""What references may be that were passed in one of these ways, and what to do about it."""


def _digits(score: float) -> str:
    """Write a score from 0 to 100, or from 0 to 1, with four digits at least."""
    return f"{score:.2f}" if score >= 1 else f"{score:.4f}"


def layout(
    score: float, transposed: float, segments: int, given: str, *, higher_is_better: bool = True
) -> str | None:
    """Say what a square corpus, `given` as in LAYOUTS, may be if it is better when transposed."""
    if transposed == score or (transposed > score) != higher_is_better:
        return None
    return (
        f"each of {segments} segments has {segments} references, and the score is better "
        f"({_digits(transposed)} instead of {_digits(score)}) if {LAYOUTS[given]}"
    )


def check_layout(
    score: float, transposed: float, segments: int, given: str, *, higher_is_better: bool = True
) -> None:
    """Warn of what :func:`layout` says."""
    message = layout(score, transposed, segments, given, higher_is_better=higher_is_better)
    if message is not None:
        warn(message, SettingsWarning)


def check_argument_order(
    hypotheses: Sequence[Any], references: Sequence[Any], *, tuples: bool
) -> None:
    """Refuse lists of tokens in NLTK's order of arguments; warn of `tuples` that may be."""
    first = next((token for tokens in hypotheses for token in tokens), None)
    if isinstance(first, list):
        raise InputTypeError(
            f"the tokens of the hypotheses are lists ({str(first)[:40]}); hypotheses come first "
            "here and references second, unlike in NLTK"
        )
    other = next((token for tokens in references for token in tokens), None)
    if tuples and isinstance(first, tuple) and not isinstance(other, tuple):
        warn(
            "the tokens of the hypotheses are tuples and those of the references are not; "
            "references come second here, unlike in NLTK",
            SettingsWarning,
        )


def is_square(references: Sequence[Any]) -> bool:
    """Tell whether every segment has as many references as there are segments."""
    size = len(references)
    return size > 1 and all(
        isinstance(several, list | tuple) and len(several) == size for several in references
    )
