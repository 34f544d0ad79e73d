"""The functions that score with a metric, and :func:`tokenize`."""

from __future__ import annotations

from truebleu.errors import InputTypeError
from truebleu.inputs.checks import check_single
from truebleu.inputs.sequences import check_text
from truebleu.metrics.bleu.metric import Bleu
from truebleu.metrics.registry import METRICS
from truebleu.metrics.settings import flag
from truebleu.suggestions import FOREIGN_ARGUMENTS, check_arguments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, Literal, Never, TypeVar, overload

    from typing_extensions import Unpack

    from truebleu.inputs.ragged import Ragged
    from truebleu.metrics.bleu.score import BleuScore
    from truebleu.metrics.bleu.settings import BleuSettings
    from truebleu.metrics.chrf.metric import Chrf
    from truebleu.metrics.chrf.score import ChrfScore
    from truebleu.metrics.chrf.settings import ChrfSettings
    from truebleu.metrics.ter.metric import Ter
    from truebleu.metrics.ter.score import TerScore
    from truebleu.metrics.ter.settings import TerSettings
    from truebleu.tokenizers.registry import Tokenizer

    Function = TypeVar("Function", bound=Callable[..., Any])

_DEFAULT = Bleu()
_score_by_default = _DEFAULT._core.sentence


def _answering(function: Function) -> Function:
    """Let a function say what to write instead of the hypotheses' name in other packages."""

    def called(*given: Any, **named: Any) -> Any:
        if not given and "hypotheses" not in named:
            for name in named:
                if FOREIGN_ARGUMENTS.get(name) == "hypotheses":
                    raise InputTypeError(
                        f"{function.__name__} has no argument {name!r}; write "
                        f"{function.__name__}(hypotheses, references)"
                    )
        return function(*given, **named)

    for name in ("__module__", "__name__", "__qualname__", "__doc__", "__annotations__"):
        setattr(called, name, getattr(function, name))
    called.__wrapped__ = function  # type: ignore[attr-defined]
    return called  # type: ignore[return-value]


@_answering
def corpus_bleu(
    hypotheses: Iterable[Any] | Ragged,
    references: Iterable[Any] | Ragged | None = None,
    *,
    reference_streams: Iterable[Iterable[Any]] | None = None,
    threads: int | None = None,
    **settings: Unpack[BleuSettings],
) -> BleuScore:
    """Score a whole corpus with BLEU.

    N-gram counts are summed over all segments before any ratio is taken [1]_, so the result is
    not the mean of the scores of segments.

    Parameters
    ----------
    hypotheses : iterable of str, length n
        System output, one detokenized segment per item. Here and in references, an open text file
        stands for its lines, without their ends.
    references : iterable of str or of sequences of str, length n
        ``references[i]`` holds the reference, or all references, of ``hypotheses[i]``. Segments may
        have different numbers of references. Of a data frame of several columns, each is a complete
        translation; what is null in it is missing.
    reference_streams : iterable of iterables of str, optional
        Instead of `references`: complete translations of the corpus (sacreBLEU's layout).
    threads : int, optional
        Number of threads. Default: the environment variable TRUEBLEU_THREADS, else all processors.
        The result does not depend on it.
    **settings
        The settings of :class:`Bleu`.

    Returns
    -------
    BleuScore
        Immutable. ``score`` is on the 0-100 scale, ``fraction`` on 0-1, and ``signature`` names
        every choice that the score depends on.

    Raises
    ------
    LengthMismatchError
        If hypotheses and references differ in length, which also happens when references are passed
        in sacreBLEU's layout. Nothing is ever truncated.
    EmptyInputError
        If the corpus is empty, or a segment has no references.
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
    bleu = Bleu(**settings) if settings else _DEFAULT
    return bleu.corpus(hypotheses, references, reference_streams=reference_streams, threads=threads)


def sentence_bleu(hypothesis: Any, references: Any, **settings: Unpack[BleuSettings]) -> BleuScore:
    """Score one segment with BLEU.

    As in sacreBLEU's function of this name, ``effective_order`` is applied unless it is False:
    otherwise a segment of three tokens would score 0 because it has no 4-grams.

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
        If the hypothesis or a reference is not text.

    Examples
    --------
    >>> sentence_bleu("Good morning!", ["Good morning!", "Hello!"]).score
    100.0
    """
    if not settings:
        # Past the method, whose call would take a fifth of the time.
        score: BleuScore | None = _score_by_default(_DEFAULT, hypothesis, references)
        if score is not None:
            return score
        check_single(hypothesis, references)
    return Bleu(**settings).segment(hypothesis, references)


@_answering
def corpus_chrf(
    hypotheses: Iterable[str],
    references: Iterable[Any] | None = None,
    *,
    reference_streams: Iterable[Iterable[Any]] | None = None,
    threads: int | None = None,
    **settings: Unpack[ChrfSettings],
) -> ChrfScore:
    """Score a whole corpus with chrF, or with chrF++ if ``word_order=2``.

    Parameters and errors are those of :func:`corpus_bleu`, and the settings of :class:`Chrf`.

    Returns
    -------
    ChrfScore

    Examples
    --------
    >>> hypotheses = ["The cat sat on the mat.", "It rained all day."]
    >>> references = ["The cat sat on a mat.", ["It was raining all day.", "It rained daily."]]
    >>> print(corpus_chrf(hypotheses, references, word_order=2))
    chrF2++ = 64.54 (precision = 59.3 recall = 66.0)
    """
    chrf: Chrf = _metric("chrf", settings)
    return chrf.corpus(hypotheses, references, reference_streams=reference_streams, threads=threads)


def sentence_chrf(hypothesis: str, references: Any, **settings: Unpack[ChrfSettings]) -> ChrfScore:
    """Score one segment with chrF, or with chrF++ if ``word_order=2``.

    Parameters and errors are those of :func:`sentence_bleu`, and the settings of :class:`Chrf`.

    Returns
    -------
    ChrfScore

    Examples
    --------
    >>> round(sentence_chrf("The cat sat.", "The cat sat down.").score, 2)
    61.01
    """
    chrf: Chrf = _metric("chrf", settings)
    return chrf.segment(hypothesis, references)


@_answering
def corpus_ter(
    hypotheses: Iterable[str],
    references: Iterable[Any] | None = None,
    *,
    reference_streams: Iterable[Iterable[Any]] | None = None,
    threads: int | None = None,
    **settings: Unpack[TerSettings],
) -> TerScore:
    """Score a whole corpus with TER, translation edit rate; lower is better.

    Parameters and errors are those of :func:`corpus_bleu`, and the settings of :class:`Ter`.

    Returns
    -------
    TerScore

    Raises
    ------
    InputError
        Also if a segment has more than 16 references.

    Examples
    --------
    >>> hypotheses = ["The cat sat on the mat.", "All day it rained."]
    >>> print(corpus_ter(hypotheses, ["The cat sat on a mat.", "It rained all day."]))
    TER = 50.00 (edits = 5 ref_len = 10 ins = 0 del = 0 sub = 3 shifts = 2)
    """
    ter: Ter = _metric("ter", settings)
    return ter.corpus(hypotheses, references, reference_streams=reference_streams, threads=threads)


def sentence_ter(hypothesis: str, references: Any, **settings: Unpack[TerSettings]) -> TerScore:
    """Score one segment with TER, translation edit rate; lower is better.

    Parameters and errors are those of :func:`sentence_bleu`, and the settings of :class:`Ter`.

    Returns
    -------
    TerScore

    Examples
    --------
    >>> sentence_ter("on the mat sat the cat", "the cat sat on the mat").edits
    2
    """
    ter: Ter = _metric("ter", settings)
    return ter.segment(hypothesis, references)


# The metrics with their default settings, once made, which takes longer than scoring a segment.
_made: dict[str, Any] = {}


def _metric(name: str, settings: Mapping[str, Any]) -> Any:
    if settings:
        return METRICS[name](**settings)
    return _made.get(name) or _made.setdefault(name, METRICS[name]())


if TYPE_CHECKING:

    @overload
    def tokenize(
        text: str,
        *,
        tokenizer: Tokenizer = ...,
        lowercase: bool = ...,
        offsets: Literal[False] = ...,
    ) -> list[str]: ...
    @overload
    def tokenize(
        text: str, *, tokenizer: Tokenizer = ..., lowercase: bool = ..., offsets: Literal[True]
    ) -> list[tuple[str, int, int]]: ...


def tokenize(
    text: str,
    *,
    tokenizer: Tokenizer = "13a",
    lowercase: bool = False,
    offsets: bool = False,
    **unknown: Never,
) -> list[str] | list[tuple[str, int, int]]:
    """Split a text into tokens as :class:`Bleu` does.

    Parameters
    ----------
    text : str
    tokenizer : str or callable, default "13a"
        As in :class:`Bleu`.
    lowercase : bool, default False
        Lower-case the text first.
    offsets : bool, default False
        Return for each token also the start and the end of the characters it came from, as offsets
        into `text`; the end is exclusive.

    Returns
    -------
    list of str, or of tuples of str, int and int

    Raises
    ------
    InputTypeError
        If `text` is not a str.
    SettingsError
        If `offsets` is True, but the tokens of a function are not substrings of the text.

    Examples
    --------
    >>> tokenize("It's 3.5 km.")
    ["It's", '3.5', 'km', '.']
    >>> tokenize("R&amp;D", offsets=True)
    [('R', 0, 1), ('&', 1, 6), ('D', 6, 7)]
    """
    check_arguments(unknown, tokenize)
    check_text(text, "text")
    flag("offsets", offsets)
    counter = Bleu(tokenizer=tokenizer, lowercase=lowercase)._counter
    return counter.spans(text) if offsets else counter.tokens(text)
