"""The functions most people need, and scoring in batches."""

from __future__ import annotations

from truebleu.bleu import Bleu
from truebleu.errors import EmptyInputError
from truebleu.inputs import check_text

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, Literal

    from typing_extensions import Unpack

    from truebleu.score import BleuScore
    from truebleu.settings import BleuSettings
    from truebleu.stats import BleuStats

    Named = str | Callable[[str], list[str]]

if not TYPE_CHECKING:

    def overload(function: object) -> object:
        """Stand in for the one of typing."""
        return function

else:
    from typing import overload

_DEFAULT = Bleu()


def corpus_bleu(
    hypotheses: Iterable[Any],
    references: Iterable[Any] | None = None,
    *,
    reference_streams: Iterable[Iterable[Any]] | None = None,
    **settings: Unpack[BleuSettings],
) -> BleuScore:
    """Score a whole corpus with BLEU.

    N-gram counts are summed over all segments before any ratio is taken [1]_, so the result is
    not the mean of the sentence scores.

    Parameters
    ----------
    hypotheses : iterable of str, length n
        System output, one detokenised segment per item.
    references : iterable of str or of sequences of str, length n
        ``references[i]`` holds the reference, or all references, of ``hypotheses[i]``; not
        necessarily equally many for every segment.
    reference_streams : iterable of iterables of str, optional
        Instead of `references`: complete translations of the corpus (sacreBLEU's layout).
    **settings
        The settings of :class:`Bleu`.

    Returns
    -------
    BleuScore
        Immutable. ``score`` is on the 0-100 scale, ``fraction`` on 0-1, and ``signature`` names
        every choice the number depends on.

    Raises
    ------
    LengthMismatchError
        If the two differ in length, as they do when the layout is transposed. Nothing is ever
        truncated.
    EmptyInputError
        If the corpus, or the references of a segment, are empty.
    InputTypeError
        If an item is not text.

    References
    ----------
    .. [1] Papineni et al. (2002), https://aclanthology.org/P02-1040

    Examples
    --------
    >>> hypotheses = ["The cat sat on the mat.", "It rained all day."]
    >>> references = [
    ...     ["The cat sat on a mat.", "A cat sat on the mat."],
    ...     ["It was raining all day.", "It rained the whole day."],
    ... ]
    >>> round(corpus_bleu(hypotheses, references).score, 2)
    75.35
    """
    return Bleu(**settings).corpus(hypotheses, references, reference_streams=reference_streams)


def sentence_bleu(hypothesis: Any, references: Any, **settings: Unpack[BleuSettings]) -> BleuScore:
    """Score one segment with BLEU.

    As in sacreBLEU's function of this name, ``effective_order`` is applied unless it is False: a
    segment of three tokens has no 4-grams, and should not score 0 for that.

    Parameters
    ----------
    hypothesis : str
        System output.
    references : str or sequence of str
        The reference, or all references.
    **settings
        The settings of :class:`Bleu`.

    Returns
    -------
    BleuScore

    Raises
    ------
    EmptyInputError
        If there is no reference.
    InputTypeError
        If something is not text.

    Examples
    --------
    >>> sentence_bleu("Good morning!", ["Good morning!", "Hello!"]).score
    100.0
    """
    bleu = Bleu(**settings) if settings else _DEFAULT
    return bleu.sentence(hypothesis, references)


@overload
def tokenize(
    text: str, tokenizer: Named = ..., *, lowercase: bool = ..., offsets: Literal[False] = ...
) -> list[str]: ...


@overload
def tokenize(
    text: str, tokenizer: Named = ..., *, lowercase: bool = ..., offsets: Literal[True]
) -> list[tuple[str, int, int]]: ...


def tokenize(
    text: str, tokenizer: Named = "13a", *, lowercase: bool = False, offsets: bool = False
) -> list[str] | list[tuple[str, int, int]]:
    """Split a text into the tokens that are compared.

    Parameters
    ----------
    text : str
    tokenizer : str or callable, default "13a"
        As in :class:`Bleu`.
    lowercase : bool, default False
        In lower case.
    offsets : bool, default False
        For each token also the first of the characters it came from, and the first behind.

    Returns
    -------
    list of str, or of tuples of str, int and int

    Raises
    ------
    InputTypeError
        If it is no str.
    SettingsError
        If `tokenizer` is a function, and `offsets` are not known because it makes tokens that are
        no pieces of the text.

    Examples
    --------
    >>> tokenize("It's 3.5 km.")
    ["It's", '3.5', 'km', '.']
    >>> tokenize("R&amp;D", offsets=True)
    [('R', 0, 1), ('&', 1, 6), ('D', 6, 7)]
    """
    check_text(text, "text")
    counting = Bleu(tokenizer=tokenizer, lowercase=lowercase)._counting
    return counting.spans(text) if offsets else counting.tokens(text)


class BleuAccumulator:
    """The score of a corpus that comes in batches; memory does not grow.

    Examples
    --------
    >>> running = BleuAccumulator(Bleu())
    >>> for batch in (["One two three four."], ["Five six seven eight."]):
    ...     running.add(batch, batch)
    >>> running.score().score
    100.0
    """

    def __init__(self, bleu: Bleu) -> None:
        """Begin with nothing."""
        self._bleu = bleu
        self._stats: BleuStats | None = None

    @property
    def stats(self) -> BleuStats | None:
        """The sum so far; None before the first batch."""
        return self._stats

    def add(self, hypotheses: Iterable[Any], references: Iterable[Any]) -> None:
        """Add a batch; parameters and errors are those of :meth:`Bleu.corpus`."""
        batch = self._bleu.count(hypotheses, references, check=None).sum()
        self._stats = batch if self._stats is None else self._stats + batch

    def score(self) -> BleuScore:
        """Score what has been added so far.

        Raises
        ------
        EmptyInputError
            If nothing has been added.
        """
        if self._stats is None:
            raise EmptyInputError("nothing has been added yet")
        return self._bleu.score(self._stats)
