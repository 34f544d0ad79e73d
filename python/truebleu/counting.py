"""From data in any form to rows of statistics."""

from __future__ import annotations

from truebleu import _core, inputs
from truebleu.errors import SettingsError
from truebleu.settings import thread_count

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Counted = tuple[bytes, int, int]

# NLTK computes these from the text of one segment.
_SENTENCE_ONLY = frozenset({"method5", "method6", "method7"})


class Counting:
    """Counts corpora under one choice of settings.

    Parameters
    ----------
    engine : _core.Engine
        The settings, as the core has them.
    native : bool
        Whether the core splits the text.
    function : callable, optional
        What splits the text else; if neither does, the input is tokens.
    settings : dict
        The settings, checked.
    """

    __slots__ = ("engine", "function", "lowercase", "native", "sentence_only", "smoothing")

    def __init__(
        self,
        engine: _core.Engine,
        native: bool,
        function: Callable[[str], list[str]] | None,
        settings: dict[str, Any],
    ) -> None:
        """Keep what counting depends on."""
        self.engine = engine
        self.native = native
        self.function = function
        self.lowercase: bool = settings["lowercase"]
        self.smoothing: str = settings["smoothing"]
        self.sentence_only = self.smoothing in _SENTENCE_ONLY

    def corpus(
        self, hypotheses: Any, references: Any, streams: Any, threads: int | None, each: bool
    ) -> Counted:
        """Count a corpus as :meth:`truebleu.Bleu.corpus` takes it.

        Parameters
        ----------
        hypotheses, references, streams, threads
            As there.
        each : bool
            A row per segment, or their sum.

        Returns
        -------
        tuple
            Rows as little-endian int64, and the fewest and the most references of a segment.
        """
        threads = thread_count(threads)
        rows = each or self.sentence_only
        if self.native:
            counted = self._text(hypotheses, references, streams, threads, rows)
        else:
            counted = self._tokens(hypotheses, references, streams, threads, rows)
        self._check_corpus(counted, each)
        return counted

    def lines(
        self,
        hypotheses: _core.Lines,
        references: list[_core.Lines],
        segments: int,
        threads: int,
        each: bool,
    ) -> Counted:
        """Count lines of files that are being read; returns the same."""
        rows = each or self.sentence_only
        counted = self.engine.count_lines(hypotheses, references, segments, threads, rows)
        self._check_corpus(counted, each)
        return counted

    def _check_corpus(self, counted: Counted, each: bool) -> None:
        if not each and len(counted[0]) > 8 * self.engine.row_width:
            raise SettingsError(
                f"smoothing {self.smoothing!r} is only defined for one sentence: score each "
                "segment by itself, or choose another smoothing for a corpus"
            )

    def _text(
        self, hypotheses: Any, references: Any, streams: Any, threads: int, each: bool
    ) -> Counted:
        own, others = inputs.segments(hypotheses, references, streams)
        try:
            counted = self.engine.count(own, others, threads, each)
        except TypeError:
            others = inputs.sequences(others)
            inputs.blame(own, others)
            counted = self.engine.count(own, others, threads, each)
        if counted[1] == 0:
            inputs.blame(own, others)
        return counted

    def _tokens(
        self, hypotheses: Any, references: Any, streams: Any, threads: int, each: bool
    ) -> Counted:
        function = self.function
        if function is not None:
            own, others = inputs.segments(hypotheses, references, streams)
            if self.lowercase:
                hypotheses, references = inputs.tokenized(
                    own, others, lambda text: function(_core.lowercase(text))
                )
            else:
                hypotheses, references = inputs.tokenized(own, others, function)
            streams = None
        ids = inputs.token_ids(hypotheses, references, streams)
        return self.engine.count_ids(*ids, threads, each)
