"""Other packages' names on truebleu's core: change one line, keep every number.

- :mod:`truebleu.compat.sacrebleu`: sacreBLEU 2.6.0, as far as it is BLEU, and its command
- :mod:`truebleu.compat.nltk`: ``nltk.translate.bleu_score`` of NLTK 3.10
- :mod:`truebleu.compat.huggingface`: what evaluate's ``bleu`` and ``sacrebleu`` return
- :mod:`truebleu.compat.torchmetrics`: torchmetrics' ``BLEUScore`` and ``SacreBLEUScore``
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from pkgutil import walk_packages
from types import ModuleType

from truebleu.errors import UnknownNameError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

__all__ = ["Installed", "install"]

_MISSING = object()
_NLTK = "nltk.translate.bleu_score"


class Installed:
    """What :func:`install` has put into ``sys.modules``; a context manager that takes it out.

    It stands for the state of a process: a copy is the same object, and unpickling it in another
    process installs the same packages there.
    """

    def __init__(self, names: tuple[str, ...] = ()) -> None:
        """Nothing has been replaced yet."""
        self._names = names
        self._modules: dict[str, ModuleType | None] = {}
        self._attributes: list[tuple[ModuleType, str, object]] = []

    def put(self, name: str, module: ModuleType | None) -> None:
        """Replace a module, or take it out."""
        self._modules.setdefault(name, sys.modules.get(name))
        if module is None:
            del sys.modules[name]
        else:
            sys.modules[name] = module

    def set(self, module: ModuleType, name: str, value: object) -> None:
        """Replace an attribute of a module."""
        self._attributes.append((module, name, vars(module).get(name, _MISSING)))
        setattr(module, name, value)

    def uninstall(self) -> None:
        """Put back what was there before."""
        for module, name, value in reversed(self._attributes):
            if value is _MISSING:
                delattr(module, name)
            else:
                setattr(module, name, value)
        for name, before in self._modules.items():
            if before is None:
                sys.modules.pop(name, None)
            else:
                sys.modules[name] = before
        self._attributes.clear()
        self._modules.clear()
        self._names = ()

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the names of the packages."""
        return install, self._names

    def __copy__(self, _: object = None) -> Installed:
        """Return itself."""
        return self

    __deepcopy__ = __copy__

    def __enter__(self) -> Installed:
        """Return it."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Put back what was there before."""
        self.uninstall()


def install(*names: str) -> Installed:
    """Let every program in this process that imports sacreBLEU or NLTK's BLEU get truebleu's.

    What has been imported with ``from sacrebleu import ...`` before stays what it is, so install
    first.

    Processes that are forked inherit this. Processes that start afresh do not: those of
    multiprocessing's ``spawn`` and ``forkserver``, and the workers of joblib, Ray and Spark. There,
    do one of these:

    - call ``install`` at the top of the main script, outside of ``if __name__ == "__main__":``.
      Multiprocessing runs that part in every process that it starts.
    - start the pool with ``Pool(initializer=install, initargs=("sacrebleu",))``. This comes after
      the imports at the top of the main script.
    - send the result of this function along with the work: unpickling it installs the packages.

    Parameters
    ----------
    *names : {"sacrebleu", "nltk"}
        Which packages to replace; of NLTK only ``nltk.translate.bleu_score``.

    Returns
    -------
    Installed
        ``with install("sacrebleu"):`` takes it back at the end, as does its ``uninstall()``.

    Raises
    ------
    UnknownNameError
        If there is no drop-in for a name.

    Examples
    --------
    >>> from truebleu.compat import install
    >>> with install("sacrebleu"):
    ...     import sacrebleu
    ...     sacrebleu.corpus_bleu(["a b c d"], [["a b c d"]]).score
    100.00000000000004
    """
    for name in names:
        if name not in _INSTALLERS:
            raise UnknownNameError(
                f"unknown package {name!r}; choose one of {', '.join(_INSTALLERS)}"
            )
    installed = Installed(names)
    for name in names:
        _INSTALLERS[name](installed)
    return installed


def _install_sacrebleu(installed: Installed) -> None:
    root = import_module("truebleu.compat.sacrebleu")
    prefix = f"{root.__name__}."
    for found in walk_packages(root.__path__, prefix):
        if not found.name.endswith("__main__"):
            import_module(found.name)
    # No half of one package and half of the other.
    for name in [name for name in sys.modules if name.partition(".")[0] == "sacrebleu"]:
        installed.put(name, None)
    for name, module in list(sys.modules.items()):
        if name == root.__name__ or name.startswith(prefix):
            installed.put(name.replace(root.__name__, "sacrebleu", 1), module)


def _install_nltk(installed: Installed) -> None:
    module = import_module("truebleu.compat.nltk")
    if "nltk" in sys.modules or find_spec("nltk") is not None:
        translate = import_module("nltk.translate")
    else:
        # There is nothing else of NLTK that could be meant.
        package, translate = ModuleType("nltk"), ModuleType("nltk.translate")
        for stand_in in (package, translate):
            stand_in.__path__ = []
            installed.put(stand_in.__name__, stand_in)
        installed.set(package, "translate", translate)
    installed.put(_NLTK, module)
    installed.set(translate, "bleu_score", module)
    for parent in (sys.modules["nltk"], translate):
        installed.set(parent, "bleu", vars(module)["sentence_bleu"])


_INSTALLERS = {"sacrebleu": _install_sacrebleu, "nltk": _install_nltk}
