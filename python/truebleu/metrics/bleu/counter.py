"""Counting corpora: from data in any form to rows of statistics."""

from __future__ import annotations

from truebleu._core import (
    NORMALIZATION_VERSION,
    SENTENCE_ONLY_SMOOTHINGS,
    UNICODE_VERSION,
    BleuEngine,
    Lines,
    Observed,
    Texts,
    lowercase,
    normalize,
)
from truebleu.errors import SettingsError
from truebleu.inputs import checks, sequences, token_ids
from truebleu.metrics import text_counting
from truebleu.metrics.threads import thread_count
from truebleu.tokenizers.base import aligned

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from truebleu.metrics.text_counting import Counted
    from truebleu.tokenizers.base import LibraryTokenizer
    from truebleu.tokenizers.registry import Tokenization


# Number of characters of references whose tokens are kept.
_MOST_KEPT = 10**7


class Counter:
    """Tokenizes and counts corpora under fixed settings.

    Parameters
    ----------
    tokenization : Tokenization
        How text is tokenized.
    settings : dict
        All settings of BLEU, checked.
    """

    __slots__ = (
        "_known",
        "engine",
        "lowercase",
        "sentence_only",
        "smoothing",
        "tokenization",
        "unicode",
        "unicode_form",
    )

    def __init__(self, tokenization: Tokenization, settings: dict[str, Any]) -> None:
        """Create the engine, and keep the settings that counting depends on."""
        core = {**settings, "tokenizer": tokenization.name}
        core["effective_order"] = bool(settings["effective_order"])
        if tokenization.kind != "native":
            # Outside the core, text is normalized and lower-cased before it is tokenized.
            core |= {"tokenizer": "none", "lowercase": False, "unicode_form": None}
        self.engine = BleuEngine(**core)
        self.tokenization = tokenization
        # The tokens of the last references, by their text, if a library is the tokenizer.
        self._known: dict[str, str] = {}
        self.lowercase: bool = settings["lowercase"]
        self.unicode_form: str | None = settings["unicode_form"]
        self.smoothing: str = settings["smoothing"]
        versions = [
            tokenization.unicode,
            UNICODE_VERSION if self.lowercase else None,
            NORMALIZATION_VERSION if self.unicode_form else None,
        ]
        # The versions of Unicode that counts depend on, or None.
        self.unicode = "+".join(filter(None, dict.fromkeys(versions))) or None
        self.sentence_only = self.smoothing in SENTENCE_ONLY_SMOOTHINGS

    def corpus(
        self,
        hypotheses: Any,
        references: Any,
        streams: Any,
        threads: int | None,
        each: bool,
        *,
        check: str | None = None,
        observed: Observed | None = None,
    ) -> Counted:
        """Count a corpus.

        Parameters, result and errors are those of :meth:`truebleu.Metric.count_rows`.
        """
        threads = thread_count(threads)
        rows = each or self.sentence_only
        tokenization = self.tokenization
        observed = observed if check is None else Observed()
        if tokenization.kind == "native":
            counted = text_counting.count(
                self.engine,
                hypotheses,
                references,
                streams,
                threads,
                each=rows,
                observed=observed,
                higher_is_better=None if check is None else True,
            )
        elif tokenization.kind == "pretokenized":
            ids = token_ids.token_ids(hypotheses, references, streams, check=check is not None)
            counted = self.engine.count_ids(*ids, threads, rows)
        else:
            texts, references = sequences.text_segments(hypotheses, references, streams)
            references = sequences.checked_text(texts, references)
            if observed is not None:
                observed.look(texts, references)
            counted = self._count_outside(texts, references, threads, rows)
        self._check_corpus(counted, each)
        if check is not None and observed is not None:
            self.check_observed(observed, check)
        return counted

    def together(
        self,
        systems: Mapping[str, Any],
        references: Any,
        streams: Any,
        threads: int | None,
    ) -> list[Counted] | None:
        """Count several systems, and tokenize the references only once.

        Parameters, warnings and what is returned for each system are those of :meth:`corpus`, with
        the names of the systems for `check`.

        Returns
        -------
        list or None
            None unless this is text in lists that the core tokenizes, and nothing is wrong with it.
            Then each system must be counted by itself, which says what is wrong.
        """
        if self.tokenization.kind != "native":
            return None
        found = text_counting.count_together(self.engine, systems, references, streams, threads)
        if found is None:
            return None
        counted, observed = found
        for name, seen in zip(systems, observed, strict=True):
            self.check_observed(seen, str(name) or checks.HYPOTHESES)
        return counted

    def check_observed(self, observed: Observed, name: str) -> None:
        """Warn about what was observed while the corpus called `name` was counted."""
        remedies = checks.remedies(self.tokenization.name, self.unicode_form)
        checks.check_corpus(observed, remedies, name)

    def lines(
        self,
        systems: list[Lines],
        references: list[Lines],
        segments: int,
        threads: int,
        each: bool,
        observed: Sequence[Observed],
    ) -> list[Counted]:
        """Count lines of files while they are read.

        Returns what :meth:`corpus` returns for each system.
        """
        rows = each or self.sentence_only
        counted = self.engine.count_lines(systems, references, segments, threads, rows, observed)
        self._check_corpus(counted[0], each)
        return counted

    def _check_corpus(self, counted: Counted, each: bool) -> None:
        if not each and len(counted[0]) > 8 * self.engine.row_width:
            raise SettingsError(
                f"smoothing {self.smoothing!r} is only defined for one sentence: score each "
                "segment by itself, or choose another smoothing for a corpus"
            )

    def _count_outside(
        self, hypotheses: list[str], references: list[list[Any]], threads: int, each: bool
    ) -> Counted:
        """Count a corpus that a library or a function tokenizes."""
        library = self.tokenization.library
        if library is not None:
            joined = self._joined(library, hypotheses, references, threads)
            return text_counting.count(self.engine, *joined, None, threads, each=each)
        tokens = sequences.tokenized(hypotheses, references, self._function())
        return self.engine.count_ids(*token_ids.token_ids(*tokens, None), threads, each)

    def _joined(
        self,
        library: LibraryTokenizer,
        hypotheses: list[str],
        references: list[list[str | None]],
        threads: int,
    ) -> tuple[list[str], list[list[str | None]]]:
        """Tokenize each distinct text of a corpus with a library, and join the tokens by spaces.

        Several systems are often counted against the same references, so the tokens of the last
        references are kept.
        """
        known = self._known
        expected = {text: None for refs in references for text in refs if text is not None}
        new = [text for text in dict.fromkeys([*hypotheses, *expected]) if text not in known]
        joined = known | dict(zip(new, self._join(library, new, threads), strict=True))
        fits = sum(map(len, expected)) <= _MOST_KEPT
        self._known = {text: joined[text] for text in expected} if fits else {}
        return [joined[text] for text in hypotheses], [
            [text if text is None else joined[text] for text in refs] for refs in references
        ]

    def _join(self, library: LibraryTokenizer, texts: list[str], threads: int) -> list[str]:
        # Like sacreBLEU: normalize, lower-case, then strip trailing whitespace.
        return library.join([self._prepared(text).rstrip() for text in texts], threads)

    def _prepared(self, text: str) -> str:
        """Normalize and lower-case a text that is not tokenized in the core."""
        if self.unicode_form is not None:
            text = normalize(text, self.unicode_form)
        return lowercase(text) if self.lowercase else text

    def load(self, columns: dict[str, Any], threads: int) -> tuple[Texts, list[int]]:
        """Load columns of texts, tokens or IDs into the core, to be matched with each other.

        Parameters
        ----------
        columns : dict
            The texts of each column, by its name in messages.
        threads : int

        Returns
        -------
        tuple
            The texts, one column after the other, and the length of each column.

        Raises
        ------
        EmptyInputError
            If a column is empty.
        InputTypeError
            If an item is not of the type that the tokenizer needs.
        """
        loaded = Texts()
        kind, library = self.tokenization.kind, self.tokenization.library
        if kind in ("function", "pretokenized"):
            function = self._function() if kind == "function" else None
            ids = token_ids.token_columns(columns, function)
            for values, offsets in ids:
                loaded.push_ids(self.engine, values, offsets)
            return loaded, [len(offsets) - 1 for _, offsets in ids]
        counts = []
        for name, column in columns.items():
            texts = sequences.column(column, name)
            if library is not None:
                _check_texts(texts, name)
                texts = self._join(library, texts, threads)
            counts.append(text_counting.load(loaded, self.engine, texts, name))
        return loaded, counts

    def prepared(self, lines: Lines, count: int, threads: int) -> Lines:
        """Return lines for the core to count, tokenized if a library is the tokenizer."""
        library = self.tokenization.library
        if library is None:
            return lines
        joined = self._join(library, lines.texts(count), threads)
        prepared = Lines()
        # The reader drops a leading byte-order mark; with this one, a mark in the text is kept.
        prepared.push("\n".join(["\ufeff" + joined[0], *joined[1:], ""]).encode())
        prepared.finish()
        return prepared

    def tokens(self, text: str) -> list[str]:
        """Tokenize a text."""
        tokenization = self.tokenization
        if tokenization.kind == "native":
            return [token for token, _, _ in self.engine.tokens(text)]
        if tokenization.library is not None:
            return self._join(tokenization.library, [text], 1)[0].split()
        return sequences.tokens_of(self._function(), text)

    def bare_tokens(self, text: str) -> str:
        """Tokenize a text without removing trailing whitespace, which counting does.

        Returns
        -------
        str
            The result of calling sacreBLEU's tokenizer of this name: tokens joined by spaces.
        """
        library = self.tokenization.library
        if library is not None:
            return library.text(text)
        return " ".join([token for token, _, _ in self.engine.tokens(text, strip=False)])

    def spans(self, text: str) -> list[tuple[str, int, int]]:
        """Tokenize a text; return each token with the start and end of its characters."""
        tokenization = self.tokenization
        if self.unicode_form is not None:
            raise SettingsError("there are no offsets with unicode_form: normalize the text first")
        if tokenization.kind == "native":
            return self.engine.tokens(text)
        lower = text
        origin = list(range(len(text)))
        if self.lowercase:
            # Some characters are two in lower case.
            lower = lowercase(text)
            origin = [index for index in origin for _ in lowercase(text[index])]
        if tokenization.library is not None:
            spans = tokenization.library.spans(lower.rstrip())
        else:
            spans = aligned(tokenization.name, lower, sequences.tokens_of(self._function(), lower))
        origin.append(len(text))
        # A SentencePiece piece may cover no character, such as the second half of a ligature.
        return [
            (token, origin[start], origin[end - 1] + 1 if end > start else origin[start])
            for token, start, end in spans
        ]

    def _function(self) -> Callable[[str], list[str]]:
        function = self.tokenization.function
        if function is None:
            raise SettingsError(
                "tokenizer='pretokenized' cannot split text: its input is already tokens"
            )
        return lambda text: function(self._prepared(text))


def _check_texts(texts: list[Any], name: str) -> None:
    for index, text in enumerate(texts):
        sequences.check_text(text, f"{name}[{index}]")
