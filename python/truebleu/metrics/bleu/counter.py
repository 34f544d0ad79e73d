"""Tokens for BLEU: those of a text, and counting where the core does not tokenize."""

from __future__ import annotations

from truebleu._core import Lines, Texts, lowercase, normalize
from truebleu.errors import SettingsError
from truebleu.metrics import core
from truebleu.tokenizers.base import aligned

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from truebleu._core import BleuEngine, Observed
    from truebleu.metrics.corpora import Corpora, Counted
    from truebleu.tokenizers.base import LibraryTokenizer
    from truebleu.tokenizers.registry import Tokenization


# Number of characters of references whose tokens are kept.
_MOST_KEPT = 10**7


class Counter:
    """Tokenizes text, and counts what is not tokenized in the core."""

    def __init__(
        self,
        engine: BleuEngine,
        tokenization: Tokenization,
        *,
        lowercase: bool,
        unicode_form: str | None,
    ) -> None:
        self.engine = engine
        self.tokenization = tokenization
        self.lowercase = lowercase
        self.unicode_form = unicode_form
        # The tokens of the last references, by their text, if a library is the tokenizer.
        self._known: dict[str, str] = {}

    def count(self, corpora: Corpora, *, each: bool) -> list[Counted]:
        """Count the tokens of each system, or its text that a library or a function tokenizes."""
        how: Any = {"threads": corpora.threads, "each": each, "checked": any(corpora.names)}
        # What a function returns may be something else in the next call.
        how["known"] = {}
        return corpora.one_by_one(lambda *corpus: self._corpus(*corpus, **how))

    def _corpus(
        self,
        hypotheses: Any,
        references: Any,
        streams: Any,
        observed: Observed | None,
        *,
        threads: int,
        each: bool,
        checked: bool,
        known: dict[str, Any],
    ) -> Counted:
        from truebleu.inputs import sequences, token_ids

        if self.tokenization.kind == "pretokenized":
            ids = token_ids.token_ids(hypotheses, references, streams, check=checked)
            return self.engine.count_ids(*ids, threads, each)
        texts, references = sequences.text_segments(hypotheses, references, streams)
        references = sequences.checked_text(texts, references)
        if observed is not None:
            observed.look(texts, references)
        tokens = self._split(texts, references, threads, known)
        if self.tokenization.library is not None:
            return core.count(self.engine, *tokens, None, threads, each=each)
        return self.engine.count_ids(*token_ids.token_ids(*tokens, None), threads, each)

    def _split(
        self,
        hypotheses: list[str],
        references: list[list[str | None]],
        threads: int,
        of_call: dict[str, Any],
    ) -> tuple[list[Any], list[list[Any]]]:
        """Split each distinct text of a corpus once, and references once for all systems."""
        from truebleu.inputs import sequences

        library = self.tokenization.library
        known: dict[str, Any] = of_call if library is None else self._known
        expected = {text: None for refs in references for text in refs if text is not None}
        new = [text for text in dict.fromkeys([*hypotheses, *expected]) if text not in known]
        if library is not None:
            split: list[Any] = self._join(library, new, threads)
        else:
            function = self._function()
            split = [sequences.tokens_of(function, text) for text in new]
        tokens = known | dict(zip(new, split, strict=True))
        fits = sum(map(len, expected)) <= _MOST_KEPT
        kept = {text: tokens[text] for text in expected} if fits else {}
        if library is None:
            of_call |= kept
        else:
            self._known = kept
        return [tokens[text] for text in hypotheses], [
            [tokens[text] for text in refs if text is not None] for refs in references
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
        """Load columns of texts, tokens or IDs into the core, to be matched with each other."""
        from truebleu.inputs import sequences, token_ids

        kind, library = self.tokenization.kind, self.tokenization.library
        if kind in ("function", "pretokenized"):
            loaded = Texts()
            function = self._function() if kind == "function" else None
            ids = token_ids.token_columns(columns, function)
            for values, offsets in ids:
                loaded.push_ids(self.engine, values, offsets)
            return loaded, [len(offsets) - 1 for _, offsets in ids]
        if library is not None:
            texts = {name: sequences.column(column, name) for name, column in columns.items()}
            for name, each in texts.items():
                sequences.check_texts(each, name)
            columns = {name: self._join(library, each, threads) for name, each in texts.items()}
        return core.load(self.engine, columns)

    def prepared(self, lines: Lines, count: int, threads: int) -> Lines:
        """Return lines for the core to count, tokenized if a library is the tokenizer."""
        library = self.tokenization.library
        if library is None:
            return lines
        texts = lines.texts(count)
        joined = self._join(library, [text or "" for text in texts], threads)
        if any("\n" in text or "\r" in text for text in joined):
            joined = [" ".join(text.split()) for text in joined]
        prepared = Lines()
        if None in texts:
            prepared.skip_empty()
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
        from truebleu.inputs import sequences

        return sequences.tokens_of(self._function(), text)

    def spans(self, text: str) -> list[tuple[str, int, int]]:
        """Tokenize a text; return each token with the start and end of its characters."""
        from truebleu.inputs import sequences

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
