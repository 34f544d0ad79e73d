"""From data in any form to rows of statistics."""

from __future__ import annotations

from truebleu._core import (
    NORMALIZATION_VERSION,
    SENTENCE_ONLY_SMOOTHINGS,
    UNICODE_VERSION,
    Engine,
    Lines,
    Observed,
    Texts,
    add_rows,
    lowercase,
    normalize,
)
from truebleu.errors import SettingsError
from truebleu.inputs import arrow, checks, sequences, token_ids
from truebleu.metrics.threads import thread_count
from truebleu.tokenizers.base import aligned
from truebleu.tokenizers.registry import PRETOKENIZED

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from truebleu.tokenizers.base import LibraryTokenizer
    from truebleu.tokenizers.registry import Tokenization

    Counted = tuple[bytes, int, int]


class Counter:
    """Counts corpora under one choice of settings.

    Parameters
    ----------
    tokenization : Tokenization
        What splits the text.
    settings : dict
        The settings, checked.
    """

    __slots__ = (
        "engine",
        "lowercase",
        "sentence_only",
        "smoothing",
        "tokenization",
        "unicode",
        "unicode_form",
    )

    def __init__(self, tokenization: Tokenization, settings: dict[str, Any]) -> None:
        """Keep what counting depends on."""
        native = tokenization.native
        core = {**settings, "tokenizer": native or "none"}
        core["effective_order"] = bool(settings["effective_order"])
        if native is None:
            # What is not split in the core comes there normalized, lower-cased and split.
            core |= {"lowercase": False, "unicode_form": None}
        self.engine = Engine(**core)
        self.tokenization = tokenization
        self.lowercase: bool = settings["lowercase"]
        self.unicode_form: str | None = settings["unicode_form"]
        self.smoothing: str = settings["smoothing"]
        versions = [
            tokenization.unicode,
            UNICODE_VERSION if self.lowercase else None,
            NORMALIZATION_VERSION if self.unicode_form else None,
        ]
        # The versions of Unicode that counts depend on, if they do.
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
        """Count a corpus as :meth:`truebleu.Bleu.corpus` takes it.

        Parameters
        ----------
        hypotheses, references, streams, threads
            As there.
        each : bool
            A row per segment, or their sum.
        check : str, optional
            What to call the hypotheses in a warning, if the corpus looks as if something else was
            meant; without it there is none.
        observed : Observed, optional
            For callers that count in pieces and check the corpus themselves: what there is to
            observe is added to it.

        Returns
        -------
        tuple
            Rows as little-endian int64, and the fewest and the most references of a segment.
        """
        threads = thread_count(threads)
        rows = each or self.sentence_only
        tokenization = self.tokenization
        observed = observed if check is None else Observed()
        if tokenization.native is not None:
            counted = self._text(hypotheses, references, streams, threads, rows, observed)
        elif tokenization.name == PRETOKENIZED:
            ids = token_ids.token_ids(hypotheses, references, streams, check=check is not None)
            counted = self.engine.count_ids(*ids, threads, rows)
        else:
            own, others = sequences.text_segments(hypotheses, references, streams)
            others = sequences.checked_text(own, others)
            if observed is not None:
                observed.look(own, others)
            counted = self._split(own, others, threads, rows)
        self._check_corpus(counted, each)
        if check is not None and observed is not None:
            checks.check_corpus(observed, tokenization.name, self.unicode_form, check)
        return counted

    def lines(
        self,
        hypotheses: Lines,
        references: list[Lines],
        segments: int,
        threads: int,
        each: bool,
        observed: Observed | None = None,
    ) -> Counted:
        """Count lines of files that are being read; returns the same."""
        rows = each or self.sentence_only
        counted = self.engine.count_lines(hypotheses, references, segments, threads, rows, observed)
        self._check_corpus(counted, each)
        return counted

    def _check_corpus(self, counted: Counted, each: bool) -> None:
        if not each and len(counted[0]) > 8 * self.engine.row_width:
            raise SettingsError(
                f"smoothing {self.smoothing!r} is only defined for one sentence: score each "
                "segment by itself, or choose another smoothing for a corpus"
            )

    def _text(
        self,
        hypotheses: Any,
        references: Any,
        streams: Any,
        threads: int,
        each: bool,
        observed: Observed | None,
    ) -> Counted:
        found = arrow.corpus(hypotheses, references, streams)
        if found is not None:
            counted = self.engine.count_columns(*found, threads, each, observed)
            if counted[1] == 0:
                raise sequences.missing(arrow.first_missing(found[1]))
            return counted
        own, others = sequences.segments(hypotheses, references, streams)
        try:
            counted = self.engine.count(own, others, threads, each, observed)
        except TypeError:
            others = sequences.checked_text(own, others)
            counted = self.engine.count(own, others, threads, each, observed)
        if counted[1] == 0:
            sequences.blame(own, others)
        if observed is not None and checks.is_square(others):
            self._check_layout(own, others, streams, counted[0], threads)
        return counted

    def _check_layout(
        self, own: list[Any], others: list[Any], streams: Any, rows: bytes, threads: int
    ) -> None:
        """Score a square layout both ways."""
        transposed, _, _ = self.engine.count(own, list(zip(*others, strict=True)), threads, False)
        width = self.engine.row_width
        score, other = (
            self.engine.score(add_rows(table, width))[0][0] for table in (rows, transposed)
        )
        checks.check_layout(score, other, len(own), streams=streams is not None)

    def _split(
        self, hypotheses: list[str], references: list[list[Any]], threads: int, each: bool
    ) -> Counted:
        """Count a corpus that a library or a function splits."""
        library = self.tokenization.library
        if library is not None:
            joined = self._joined(library, hypotheses, references, threads)
            return self._text(*joined, None, threads, each, None)
        tokens = sequences.tokenized(hypotheses, references, self._function())
        return self.engine.count_ids(*token_ids.token_ids(*tokens, None), threads, each)

    def _joined(
        self,
        library: LibraryTokenizer,
        hypotheses: list[str],
        references: list[list[str | None]],
        threads: int,
    ) -> tuple[list[str], list[list[str | None]]]:
        """Let a library split a corpus; every text once, and the tokens as text again."""
        texts = dict.fromkeys(hypotheses)
        for own in references:
            texts.update(dict.fromkeys(text for text in own if text is not None))
        known = dict(zip(texts, self._join(library, list(texts), threads), strict=True))
        return [known[text] for text in hypotheses], [
            [text if text is None else known[text] for text in own] for own in references
        ]

    def _join(self, library: LibraryTokenizer, texts: list[str], threads: int) -> list[str]:
        # In this order, and without white space at the end, as sacreBLEU does it.
        return library.join([self._prepared(text).rstrip() for text in texts], threads)

    def _prepared(self, text: str) -> str:
        """Normalize and lower-case a text that is not split in the core."""
        if self.unicode_form is not None:
            text = normalize(text, self.unicode_form)
        return lowercase(text) if self.lowercase else text

    def load(self, columns: dict[str, Any], threads: int) -> tuple[Texts, list[int]]:
        """Give several columns of texts, tokens or ids to the core, to be matched with each other.

        Parameters
        ----------
        columns : dict
            For each name, as messages have it, the texts.
        threads : int

        Returns
        -------
        tuple
            The texts, one column after the other, and how many there are of each.

        Raises
        ------
        EmptyInputError
            If a column is empty.
        InputTypeError
            If one of the texts is not what the tokenizer needs.
        """
        texts = Texts()
        tokenization = self.tokenization
        if tokenization.native is None and tokenization.library is None:
            function = tokenization.function and self._function()
            found = token_ids.token_columns(columns, function)
            for values, offsets in found:
                texts.push_ids(self.engine, values, offsets)
            return texts, [len(offsets) - 1 for _, offsets in found]
        counts = []
        for name, column in columns.items():
            items = sequences.column(column, name)
            if tokenization.library is not None:
                for index, text in enumerate(items):
                    sequences.check_text(text, f"{name}[{index}]")
                items = self._join(tokenization.library, items, threads)
            try:
                texts.push(self.engine, items)
            except TypeError:
                for index, text in enumerate(items):
                    sequences.check_text(text, f"{name}[{index}]")
                raise
            counts.append(len(items))
        return texts, counts

    def prepared(self, lines: Lines, count: int, threads: int) -> Lines:
        """Return lines that the core can count, after a library has split them if need be."""
        library = self.tokenization.library
        if library is None:
            return lines
        joined = self._join(library, lines.texts(count), threads)
        prepared = Lines()
        # Only the first byte-order mark is none of the text.
        prepared.push("\n".join(["\ufeff" + joined[0], *joined[1:], ""]).encode())
        prepared.finish()
        return prepared

    def tokens(self, text: str) -> list[str]:
        """Split a text."""
        tokenization = self.tokenization
        if tokenization.native is not None:
            return [token for token, _, _ in self.engine.tokens(text)]
        if tokenization.library is not None:
            return self._join(tokenization.library, [text], 1)[0].split()
        return sequences.tokens_of(self._function(), text)

    def bare_tokens(self, text: str) -> str:
        """Split a text that nothing has been done to before; counting drops white space at its end.

        Returns
        -------
        str
            What sacreBLEU's tokenizer of this name returns if it is called by itself.
        """
        tokenization = self.tokenization
        if tokenization.library is not None:
            return tokenization.library.text(text)
        return " ".join([token for token, _, _ in self.engine.tokens(text, strip=False)])

    def spans(self, text: str) -> list[tuple[str, int, int]]:
        """Split a text, and say for each token from which characters it came."""
        tokenization = self.tokenization
        if self.unicode_form is not None:
            raise SettingsError("there are no offsets with unicode_form: normalize the text first")
        if tokenization.native is not None:
            return self.engine.tokens(text)
        lower = text
        origin = list(range(len(text)))
        if self.lowercase:
            # Some characters become two.
            lower = lowercase(text)
            origin = [index for index in origin for _ in lowercase(text[index])]
        if tokenization.library is not None:
            spans = tokenization.library.spans(lower.rstrip())
        else:
            spans = aligned(tokenization.name, lower, sequences.tokens_of(self._function(), lower))
        origin.append(len(text))
        # SentencePiece makes pieces of no character, such as the second half of a ligature.
        return [
            (token, origin[start], origin[end - 1] + 1 if end > start else origin[start])
            for token, start, end in spans
        ]

    def _function(self) -> Callable[[str], list[str]]:
        function = self.tokenization.function
        if function is None:
            raise SettingsError("tokenizer=None means tokens already: there is nothing to split")
        return lambda text: function(self._prepared(text))
