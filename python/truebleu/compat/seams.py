"""Functions of other packages that are answered by truebleu, while a program runs.

Only the code of a function is replaced: whoever has imported or stored it before has the same
object, with its name, signature and documentation, and it is pickled by its name as ever.
"""

from __future__ import annotations

import os
from inspect import signature
from threading import RLock
from types import CodeType, FunctionType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from typing import Any

_LOCK = RLock()
if hasattr(os, "register_at_fork"):
    # Else a process forked in the middle of an `accelerate` waits for it for ever.
    release = _LOCK.release
    os.register_at_fork(before=_LOCK.acquire, after_in_parent=release, after_in_child=release)


class Seam:
    """A function of another package, `holder`, and what answers in its place.

    It is known by the names of its parameters, and by names that its code looks up. `answer` takes
    a function that does what the original does, and returns the one that answers; without it, the
    function is only looked at.
    """

    def __init__(
        self,
        holder: Any,
        name: str,
        parameters: str,
        uses: str = "",
        answer: Callable[[Any], Callable[..., Any]] | None = None,
    ) -> None:
        self.function: Any = getattr(holder, name, None)
        self._parameters, self._uses, self._answer = parameters, set(uses.split()), answer
        self._codes: tuple[CodeType, CodeType] | None = None
        self._count = 0

    @property
    def is_known(self) -> bool:
        """Whether the function is that of a version which is known."""
        function = self.function
        if self._codes is not None:
            return True
        return (
            type(function) is FunctionType
            and not function.__closure__
            and " ".join(signature(function).parameters) == self._parameters
            and self._uses <= set(function.__code__.co_names)
        )

    @property
    def is_begun(self) -> bool:
        """Whether the function is answered now."""
        return self._count > 0

    def begin(self) -> None:
        """Let the function be answered here, until as many calls of :meth:`end`."""
        self._count += 1
        if self._answer is not None and self._count == 1:
            function = self.function
            if self._codes is None:
                self._codes = function.__code__, _calling(function)
                self._replacement = self._answer(answered(function))
            function.__globals__[_name(function)] = self._replacement
            function.__code__ = self._codes[1]

    def end(self) -> None:
        """Restore the function if nobody else needs it to be answered.

        What answers keeps its name: another thread may be about to call it.
        """
        self._count -= 1
        if self._codes is not None and self._count == 0:
            self.function.__code__ = self._codes[0]


def _name(function: FunctionType) -> str:
    """Return the name by which the code of an answered function finds what answers."""
    return f"_truebleu_{function.__qualname__.replace('.', '_')}"


def _calling(function: FunctionType) -> CodeType:
    """Return code that passes all arguments on."""
    names = ", ".join(signature(function).parameters)
    source = f"def {function.__name__}({names}): return {_name(function)}({names})"
    [code] = (each for each in compile(source, "", "exec").co_consts if isinstance(each, CodeType))
    names_of_code = ("co_qualname", "co_filename", "co_firstlineno")
    return code.replace(**{name: getattr(function.__code__, name) for name in names_of_code})


def answered(function: FunctionType, **names: Any) -> FunctionType:
    """Return a copy of a function that finds something else by some of its global names.

    Without names, it goes on looking them up where the function does.
    """
    scope = function.__globals__ | names if names else function.__globals__
    copy = FunctionType(function.__code__, scope, function.__name__, function.__defaults__)
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy


def unchanged(*named: tuple[Any, str]) -> Callable[[], bool]:
    """Return what tells whether modules and classes have what they have now by these names."""
    known = [
        (vars(holder), name, vars(holder)[name])
        for holder, names in named
        for name in names.split()
    ]
    return lambda: all(scope.get(name) is value for scope, name, value in known)


def begin(seams: Collection[Seam]) -> None:
    """Begin with all seams at once."""
    with _LOCK:
        for seam in seams:
            seam.begin()


def end(seams: Collection[Seam]) -> None:
    """End with all seams at once."""
    with _LOCK:
        for seam in seams:
            seam.end()
