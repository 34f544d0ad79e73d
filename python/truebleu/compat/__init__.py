"""Drop-in replacements for other packages: change one line, and keep every number.

- :mod:`truebleu.compat.sacrebleu`: the metrics and test sets of sacreBLEU 2.6.0, and its command
- :mod:`truebleu.compat.nltk`: ``nltk.translate.bleu_score`` of NLTK 3.10, and in
  :mod:`truebleu.compat.nltk.chrf_score` its ``nltk.translate.chrf_score``
- :mod:`truebleu.compat.huggingface`: the results of evaluate's ``bleu``, ``sacrebleu``, ``chrf``
  and ``ter``
- :mod:`truebleu.compat.torchmetrics`: torchmetrics' ``BLEUScore``, ``SacreBLEUScore``,
  ``CHRFScore`` and ``TranslationEditRate``
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from functools import partial
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, module_from_spec
from pkgutil import walk_packages
from threading import RLock

from truebleu.compat import faithful
from truebleu.compat.described import Described
from truebleu.errors import MissingExtraError, SettingsError, UnknownNameError
from truebleu.suggestions import unknown_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType, TracebackType
    from typing import Any

__all__ = ["Installed", "install"]

# The modules of NLTK's package translate that are replaced, by what, and the function of each that
# the packages above export, under which name.
_NLTK = {
    "bleu_score": ("truebleu.compat.nltk.bleu_score", "bleu", "sentence_bleu"),
    "chrf_score": ("truebleu.compat.nltk.chrf_score", "chrf", "sentence_chrf"),
}

# Of originals in which something is replaced, the module that is imported first.
_ORIGINALS = {"nltk": "nltk.translate", "evaluate": "evaluate", "torchmetrics": "torchmetrics"}

# Held while anything is replaced or restored.
_LOCK = RLock()

# Those that replace something, the last one at the end, and what brings each thing back.
_ACTIVE: dict[Installed, list[partial[None]]] = {}


class Installed(Described):
    """The packages replaced by :func:`install`; a context manager that restores the originals.

    The object stands for the state of a process: a copy is the same object, and unpickling it in
    another process installs the same packages there.
    """

    def __init__(
        self, names: tuple[str, ...] = (), *, subprocesses: bool = False, strict: bool | None = None
    ) -> None:
        self._names = names
        self._subprocesses = subprocesses
        self._strict = faithful.strict_by_default() if strict is None else strict

    def install(self) -> None:
        """Replace the packages; all or, if one raises an error, none."""
        # Before the lock is taken: an import may wait for one in another thread, and that thread
        # for the lock, if it imports the package from the folder of its shim. The package comes
        # before its module, because that thread locks the two in this order.
        for name in self._names:
            if name in _ORIGINALS and _is_there(name):
                import_module(name)
                import_module(_ORIGINALS[name])
        with _LOCK:
            _ACTIVE[self] = []
            try:
                for name in self._names:
                    _INSTALLERS[name](self)
                    self.add_path(shim(name), subprocesses=self._subprocesses)
                self._begin()
            except BaseException:
                self.uninstall()
                raise

    def _begin(self) -> None:
        """Be strict or not, also in processes that are started from here."""
        if not self._strict:
            faithful.begin(self)
            self._changed(faithful.end, self)
        if self._strict != faithful.strict_by_default():
            before = os.environ.get(faithful.VARIABLE)
            self._changed(_set_item, os.environ, faithful.VARIABLE, before)
            os.environ[faithful.VARIABLE] = str(int(self._strict))

    def put(self, name: str, module: ModuleType | None) -> None:
        """Replace a module in ``sys.modules``, or remove it if `module` is None."""
        self._changed(_set_item, sys.modules, name, sys.modules.get(name))
        _set_item(sys.modules, name, module)

    def set(self, module: ModuleType, name: str, value: object) -> None:
        """Replace an attribute of a module."""
        self._changed(_set_item, vars(module), name, vars(module).get(name))
        setattr(module, name, value)

    def add_path(self, folder: str, *, subprocesses: bool) -> None:
        """Search a folder for modules first, and if `subprocesses`, in the environment as well."""
        sys.path.insert(0, folder)
        self._changed(_remove, folder)
        if subprocesses:
            before = os.environ.get("PYTHONPATH")
            self._changed(_set_item, os.environ, "PYTHONPATH", before)
            os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (folder, before)))

    def _changed(self, restore: Callable[..., None], *arguments: Any) -> None:
        _ACTIVE[self].append(partial(restore, *arguments))

    def uninstall(self) -> None:
        """Restore everything that was replaced, except what others replace that are installed."""
        with _LOCK:
            active = list(_ACTIVE)
            later = active[active.index(self) :] if self in _ACTIVE else []
            # What was replaced after this is on top of it.
            for each in reversed(later):
                for restore in reversed(_ACTIVE.pop(each)):
                    restore()
            for each in later[1:]:
                each.install()
            self._names = ()

    def __reduce__(self) -> tuple[object, ...]:
        return _installed, (self._names, self._strict)

    def __copy__(self, _: object = None) -> Installed:
        return self

    __deepcopy__ = __copy__

    def __enter__(self) -> Installed:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.uninstall()


def install(*names: str, subprocesses: bool = False, strict: bool | None = None) -> Installed:
    """Make imports of sacreBLEU, and of the metrics of other packages, import truebleu's.

    Programs run unchanged: whatever the originals accept is accepted, mistakes included, with a
    ``SettingsWarning`` for each kind of mistake, unless `strict`.

    Names already imported with ``from sacrebleu import ...`` keep their meaning, so install first.
    While sacreBLEU is replaced, ``importlib.metadata.version("sacrebleu")`` is ``"2.6.0"``.

    Processes that multiprocessing or joblib start from here inherit the replacement. Others, such
    as those of subprocess, Ray and Spark, need `subprocesses`, and must be started later.

    Parameters
    ----------
    *names : {"sacrebleu", "nltk", "evaluate", "torchmetrics"}
        The packages to replace, by default all; torchmetrics only if it has been imported. Of NLTK,
        only ``nltk.translate.bleu_score`` and ``nltk.translate.chrf_score`` are replaced; of
        evaluate, what ``evaluate.load`` returns for ``bleu``, ``sacrebleu``, ``chrf`` and ``ter``;
        of torchmetrics, the classes and functions for BLEU, SacreBLEU, chrF and TER.
    subprocesses : bool, default False
        Also set ``PYTHONPATH`` in the environment, which Python reads when it starts.
    strict : bool, optional
        Refuse what is probably a mistake, such as hypotheses and references that differ in number,
        as the drop-ins do under their own names. By default False, unless the environment variable
        ``TRUEBLEU_STRICT`` is 1, which processes that import a drop-in in place of its original
        heed, too.

    Returns
    -------
    Installed
        ``with install("sacrebleu"):`` restores the original at the end, as does its method
        ``uninstall``.

    Raises
    ------
    UnknownNameError
        If there is no drop-in for a name.
    MissingExtraError
        If torchmetrics is named and not installed.

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
            raise unknown_name("package", name, _INSTALLERS)
    if not names:
        # Importing torchmetrics, and torch with it, takes seconds.
        lazy = "torchmetrics"
        names = tuple(each for each in _INSTALLERS if each != lazy or lazy in sys.modules)
    installed = Installed(names, subprocesses=subprocesses, strict=strict)
    installed.install()
    return installed


def _installed(names: tuple[str, ...], strict: bool) -> Installed:
    """Install packages in another process; none if there are no names."""
    return install(*names, strict=strict) if names else Installed()


def shim(name: str) -> str:
    """Return the folder in which processes find a drop-in under the name of its original."""
    return os.path.join(os.path.dirname(__file__), "shims", name)  # noqa: PTH118, PTH120  # A str.


def take_over(name: str) -> None:
    """Install the drop-in of a package that is being imported from the folder of its shim."""
    # From here on, the original is found.
    _remove(shim(name))
    del sys.modules[name]
    install(name)


def _remove(folder: str) -> None:
    with suppress(ValueError):  # Others may have removed it.
        sys.path.remove(folder)


def _set_item(table: Any, key: str, value: Any) -> None:
    """Set an item of a mapping, or remove it if `value` is None."""
    if value is None:
        table.pop(key, None)
    else:
        table[key] = value


def _replace(package: str, drop_in: str, installed: Installed) -> None:
    root = import_module(drop_in)
    prefix = f"{drop_in}."
    for module_info in walk_packages(root.__path__, prefix):
        if not module_info.name.endswith("__main__"):
            import_module(module_info.name)
    # Remove all of the original first, so that the two are never mixed.
    for name in [name for name in list(sys.modules) if name.partition(".")[0] == package]:
        installed.put(name, None)
    for name, module in list(sys.modules.items()):
        if name == drop_in or name.startswith(prefix):
            installed.put(name.replace(drop_in, package, 1), module)


def _is_there(package: str) -> bool:
    return package in sys.modules or find_spec(package) is not None


def _empty(package: str, installed: Installed) -> ModuleType:
    """Return an empty package, in place of one that is not there."""
    spec = ModuleSpec(package, None, is_package=True)
    module = module_from_spec(spec)
    installed.put(package, module)
    return module


def _install_nltk(installed: Installed) -> None:
    if _is_there("nltk"):
        translate = sys.modules["nltk.translate"]
    else:
        # Without NLTK, two empty packages hold the modules.
        package, translate = _empty("nltk", installed), _empty("nltk.translate", installed)
        installed.set(package, "translate", translate)
    for name, (drop_in, exported, function) in _NLTK.items():
        module = import_module(drop_in)
        installed.put(f"nltk.translate.{name}", module)
        installed.set(translate, name, module)
        for parent in (sys.modules["nltk"], translate):
            installed.set(parent, exported, vars(module)[function])


def _install_evaluate(installed: Installed) -> None:
    drop_in = "truebleu.compat.huggingface"
    if not _is_there("evaluate"):
        _replace("evaluate", drop_in, installed)
        return
    load_original, load_ours = sys.modules["evaluate"].load, import_module(drop_in).load

    def load(path: str, *arguments: Any, **options: Any) -> Any:
        """Return the drop-in of a metric if there is one for these options, else evaluate's."""
        try:
            return load_ours(path, *arguments, **options)
        except (UnknownNameError, SettingsError):
            return load_original(path, *arguments, **options)

    # evaluate's own modules import it, too: combine and evaluators call it.
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "evaluate" and vars(module).get("load") is load_original:
            installed.set(module, "load", load)


def _install_torchmetrics(installed: Installed) -> None:
    if not _is_there("torchmetrics"):
        raise MissingExtraError(
            "torchmetrics is not installed, so it cannot be replaced; without it, import "
            "truebleu.compat.torchmetrics"
        )
    drop_in = "truebleu.compat.torchmetrics"
    # Each pair of packages exports the same names: the first with a warning that they have moved.
    for old, new, ours in (
        ("torchmetrics", "torchmetrics.text", drop_in),
        ("torchmetrics.functional", "torchmetrics.functional.text", f"{drop_in}.functional"),
    ):
        replacements = import_module(ours)
        for name in replacements.__all__:
            original, value = vars(import_module(new))[name], vars(replacements)[name]
            installed.set(import_module(old), name, value)
            # The modules that define and import it.
            for module_name, module in list(sys.modules.items()):
                if (
                    module_name.partition(".")[0] == "torchmetrics"
                    and vars(module).get(name) is original
                ):
                    installed.set(module, name, value)


_INSTALLERS: dict[str, Callable[[Installed], None]] = {
    "sacrebleu": partial(_replace, "sacrebleu", "truebleu.compat.sacrebleu"),
    "nltk": _install_nltk,
    "evaluate": _install_evaluate,
    "torchmetrics": _install_torchmetrics,
}
