"""Classes and modules that notice when a program replaces one of their methods or functions.

The core computes what these do without calling them, so a metric has to know that one is replaced.
Looking at all of them for each sentence would take about as long as scoring it.
"""

from __future__ import annotations

import sys
from abc import ABCMeta
from collections.abc import Container, Mapping
from types import ModuleType
from typing import Any

marks: list[object] = []
"""Empty until something is replaced or restored; then one object, another one each time."""

# The methods of every metric that the core replaces.
HOOKS = (
    "_preprocess_segment",
    "_extract_reference_info",
    "_compute_segment_statistics",
    "_cache_references",
    "_compute_score_from_stats",
    "_aggregate_and_compute",
)

# What Python itself sets while it creates a class.
_OF_CREATION = frozenset({"__abstractmethods__", "__parameters__", "_abc_impl"})


def _note() -> None:
    marks[:] = [object()]


class Watched(ABCMeta):
    """A class that notices when its attributes are set or deleted."""

    def __setattr__(cls, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if name not in _OF_CREATION:
            _note()

    def __delattr__(cls, name: str) -> None:
        super().__delattr__(name)
        _note()


class _WatchedModule(ModuleType):
    """A module that notices when its attributes are set; its own code does not do so."""

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        _note()


# What the watched modules, and classes in them, contained before a program replaced anything.
_BEFORE: dict[str, list[tuple[Any, dict[str, Any]]]] = {}


def watch(module: str) -> None:
    """Notice from now on when attributes of a module are set."""
    watched = sys.modules[module]
    kinds = [each for each in vars(watched).values() if type(each) is Watched]
    # Metrics compare their methods themselves.
    steps = [kind for kind in kinds if not issubclass(kind, Hooked)]
    _BEFORE[module] = [(each, dict(vars(each))) for each in (watched, *steps)]
    watched.__class__ = _WatchedModule


def is_unchanged(module: str) -> bool:
    """Return whether a watched module still has its contents, and its classes theirs."""
    return not marks or all(
        vars(owner).get(name) is each
        for owner, before in _BEFORE.get(module, ())
        for name, each in before.items()
    )


class Hooked(metaclass=Watched):
    """A class that knows whether the methods that the core replaces are still its own."""

    # What the core replaces: methods and constants of a metric, and the functions of these modules
    # and of the one that it is in.
    _HOOKS: tuple[str, ...] = ()
    _MODULES: tuple[str, ...] = ()
    # What the core's shortcuts leave out.
    _STEPS = (
        "_check_sentence_score_args",
        "_check_corpus_score_args",
        "_extract_corpus_statistics",
    )
    # All of these as they are before a program replaces any.
    _ORIGINALS: Mapping[str, Any] = {}
    # Whether hooks and modules, and steps, are still these. What an instance has hides what its
    # class has, and is true under a mark.
    _hooks_unchanged = False
    _steps_unchanged = False
    # Whether the core is not to be used.
    _counts_in_python = False
    _mark: object = None

    def __init_subclass__(cls) -> None:
        """Detect a subclass that counts or scores in its own way."""
        super().__init_subclass__()
        if "_HOOKS" in vars(cls):
            originals = {name: _looked_up(cls, name) for name in (*cls._HOOKS, *cls._STEPS)}
            type.__setattr__(cls, "_ORIGINALS", originals)
        for name, unchanged in cls._compared(()).items():
            type.__setattr__(cls, name, unchanged)

    @classmethod
    def _home(cls) -> type[Hooked]:
        """Return the class whose methods the core replaces."""
        return next(base for base in cls.__mro__ if "_HOOKS" in vars(base))

    @classmethod
    def _helper(cls, name: str) -> Any:
        """Return what the module of the metric has under a name now."""
        return vars(sys.modules[cls._home().__module__])[name]

    @classmethod
    def _compared(cls, own: Container[str]) -> dict[str, bool]:
        """Compare with the originals, where an instance has the attributes `own`."""

        def unchanged(names: tuple[str, ...]) -> bool:
            return "_counts_in_python" not in own and all(
                name not in own and _looked_up(cls, name) is cls._ORIGINALS[name] for name in names
            )

        modules = all(map(is_unchanged, (cls._home().__module__, *cls._MODULES)))
        return {
            "_hooks_unchanged": bool(cls._HOOKS) and modules and unchanged(cls._HOOKS),
            "_steps_unchanged": bool(cls._HOOKS) and unchanged(cls._STEPS),
        }

    def _original(self, name: str) -> Any:
        """Return a method that calls the originals of all others, with the same settings."""
        home, own = self._home(), vars(self)
        copied: Any = Watched(home.__name__, (home,), dict(self._ORIGINALS))()
        vars(copied).update((key, own[key]) for key in own.keys() - self._ORIGINALS.keys())
        return getattr(copied, name)

    def _compare(self) -> None:
        """Find out what is unchanged in class and instance."""
        attributes = vars(self)
        # Read first: what is replaced during the comparison has another mark.
        mark = marks[0] if marks else None
        attributes.update(self._compared(attributes), _mark=mark)

    def __setattr__(self, name: str, value: Any) -> None:
        """Set an attribute, which may hide a method of the class."""
        super().__setattr__(name, value)
        if name in self._ORIGINALS:
            self._compare()

    def __delattr__(self, name: str) -> None:
        """Delete an attribute, which may have hidden a method of the class."""
        super().__delattr__(name)
        if name in self._ORIGINALS:
            self._compare()


def _looked_up(kind: type, name: str) -> Any:
    """Return an attribute of a class as it is stored: static methods are not unwrapped."""
    return next((vars(base)[name] for base in kind.__mro__ if name in vars(base)), None)
