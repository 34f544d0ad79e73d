"""Other packages stay themselves, and the core counts for them."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec

from truebleu.compat import mistakes, seams
from truebleu.errors import MissingExtraError, SettingsWarning, warn
from truebleu.suggestions import unknown_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

# The module with the seams of each package, and what to call where it is not installed.
_PACKAGES = {
    "sacrebleu": ("truebleu.compat.sacrebleu", "truebleu.corpus_bleu(hypotheses, references)"),
    "nltk": (
        "truebleu.compat.nltk",
        "truebleu.Bleu(tokenizer='pretokenized').corpus(hypotheses, references)",
    ),
    "evaluate": (
        "truebleu.compat.evaluation_module",
        "truebleu.compat.evaluate.load('bleu').compute(predictions=..., references=...)",
    ),
    "torchmetrics": (
        "truebleu.compat.torchmetrics",
        "truebleu.Bleu.dialect('torchmetrics').corpus(preds, target)",
    ),
}

# These take seconds to import, so without names they are only accelerated in programs that have.
_LARGE = ("evaluate", "torchmetrics")

# The packages that were left alone, so that this is said once.
_left_alone: set[str] = set()


class Accelerated:
    """Packages that are accelerated, until :meth:`undo`: what :func:`accelerate` returns.

    A context manager, which undoes it at the end. Unpickled in another process, it accelerates the
    same packages there.
    """

    def __init__(self, names: tuple[str, ...], *, strict: bool) -> None:
        self._names, self._strict = names, strict
        self._begun = [_seams_of(name) for name in names]
        for each in self._begun:
            seams.begin(each)
        mistakes.begin(self._strictly)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the packages that are accelerated."""
        return tuple(name for name, begun in zip(self._names, self._begun, strict=False) if begun)

    @property
    def _strictly(self) -> tuple[str, ...]:
        return self._names if self._strict else ()

    def undo(self) -> None:
        """Let the packages count by themselves again, unless another call accelerates them."""
        begun, self._begun = self._begun, []
        if begun:
            mistakes.end(self._strictly)
        for each in begun:
            seams.end(each)

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (self.names, self._strict)

    def __enter__(self) -> Accelerated:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.undo()

    def __repr__(self) -> str:
        versions = (f"{name} {sys.modules[name].__version__}" for name in self.names)
        return f"<accelerated: {', '.join(versions) or 'nothing'}>"


def accelerate(*names: str, strict: bool = False) -> Accelerated:
    """Let sacreBLEU, NLTK, evaluate and torchmetrics be counted by the core, as they are installed.

    Programs call them as ever, and get their results, messages and errors: only the functions that
    count are answered here, and whatever the core does not count in the same way is left to them.
    What a program has imported before is accelerated, too.

    Parameters
    ----------
    *names : {"sacrebleu", "nltk", "evaluate", "torchmetrics"}
        The packages, which are imported at once. By default sacrebleu and nltk if they are
        installed, and the other two if the program has imported them.
    strict : bool, default False
        Raise an error for what is probably a mistake, such as segments and references that differ
        in number, instead of a ``SettingsWarning`` for the first of each kind.

    Returns
    -------
    Accelerated
        Its method ``undo`` ends it, as does the end of a ``with`` statement.

    Raises
    ------
    UnknownNameError
        If a package cannot be accelerated.
    MissingExtraError
        If a package that is named is not installed.

    Warns
    -----
    SettingsWarning
        If a package is not one of the versions that are known. It is left alone.

    Examples
    --------
    >>> import truebleu
    >>> with truebleu.accelerate("sacrebleu"):
    ...     import sacrebleu
    ...     sacrebleu.corpus_bleu(["a b c d"], [["a b c d"]]).score
    100.00000000000004
    """
    for name in names:
        if name not in _PACKAGES:
            raise unknown_name("package", name, _PACKAGES)
        if not _is_installed(name):
            raise MissingExtraError(
                f"{name} is not installed: pip install {name}; or, without it, call "
                f"{_PACKAGES[name][1]}"
            )
    return Accelerated(names or tuple(filter(_is_wanted, _PACKAGES)), strict=strict)


def _again(names: tuple[str, ...], strict: bool) -> Accelerated:
    """Accelerate packages in another process; none if there are no names."""
    return Accelerated(names, strict=strict)


def _is_installed(name: str) -> bool:
    return name in sys.modules or find_spec(name) is not None


def _is_wanted(name: str) -> bool:
    """Whether a package is accelerated if none is named."""
    return name in sys.modules or (name not in _LARGE and _is_installed(name))


def _seams_of(name: str) -> list[seams.Seam]:
    """Return the seams of a package; none, with a warning, if they are not as they are known."""
    found: list[seams.Seam] = import_module(_PACKAGES[name][0]).SEAMS
    if all(seam.is_known for seam in found):
        return found
    if name not in _left_alone:
        _left_alone.add(name)
        version = sys.modules[name].__version__
        warn(
            f"{name} {version} is not accelerated: this version of truebleu does not know how it "
            "counts",
            SettingsWarning,
        )
    return []


def sacrebleu_main() -> None:
    """Run sacreBLEU's own command, accelerated: ``truebleu-sacrebleu``."""
    try:
        accelerate("sacrebleu")
    except MissingExtraError as error:
        sys.exit(f"truebleu-sacrebleu: {error}")
    from sacrebleu.sacrebleu import main

    main()
