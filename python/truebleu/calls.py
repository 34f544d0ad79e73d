"""What to write instead of a call that a function does not take: one way for all of them."""

from __future__ import annotations

from truebleu.errors import InputTypeError
from truebleu.suggestions import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable
    from typing import Any, TypeVar

    Function = TypeVar("Function", bound=Callable[..., Any])

FOREIGN_ARGUMENTS = {
    # sacreBLEU
    "hyps": "hypotheses",
    "refs": "references",
    "sys_stream": "hypotheses",
    "ref_streams": "reference_streams",
    # NLTK
    "list_of_references": "references",
    "hypothesis": "hypotheses",
    # torchmetrics, evaluate and others
    "preds": "hypotheses",
    "target": "references",
    "predictions": "hypotheses",
    "candidates": "hypotheses",
    "num_threads": "threads",
}
"""The argument of this package for each name that another package has for it."""

# How many names of arguments a message lists.
_MOST = 5


def explained(instead: str = "") -> Callable[[Function], Function]:
    """Let a function say what to write instead if its arguments do not fit.

    Python refuses such a call with a TypeError that counts arguments. Here it becomes an
    InputTypeError that names them.

    Parameters
    ----------
    instead : str
        What to write instead of too many positional arguments. Default: the names of those that
        are passed by name.

    Returns
    -------
    callable
        A decorator of functions and methods.
    """

    def decorate(function: Function) -> Function:
        def call(*args: Any, **named: Any) -> Any:
            __tracebackhide__ = True
            try:
                return function(*args, **named)
            except TypeError as error:
                # A call that does not fit is refused before the function has a frame.
                if error.__traceback__ is None or error.__traceback__.tb_next is not None:
                    raise
                message = _explanation(function, args, named, instead)
                raise InputTypeError(message) from None

        return stand_in(call, function)

    return decorate


def stand_in(wrapper: Any, function: Function) -> Function:
    """Give a wrapper the name, the documentation and the signature of a function."""
    # What functools.update_wrapper does; importing that takes longer.
    for name in ("__module__", "__name__", "__qualname__", "__doc__", "__annotations__"):
        setattr(wrapper, name, getattr(function, name))
    wrapper.__wrapped__ = function
    return wrapper  # type: ignore[no-any-return]


def meant_argument(name: str, known: Collection[str]) -> str:
    """Return the end of a message about an unknown argument, or nothing if none is like it."""
    ours = FOREIGN_ARGUMENTS.get(name)
    return f"; did you mean {ours}?" if ours in known else did_you_mean(name, known)


def _explanation(function: Any, args: tuple[Any, ...], named: dict[str, Any], instead: str) -> str:
    """Say how a call does not fit a function, and what would."""
    import inspect

    parameters = list(inspect.signature(function).parameters.values())
    called = function.__name__
    if parameters[0].name == "self":
        called = type(args[0]).__name__ if called == "__init__" else called
        parameters, args = parameters[1:], args[1:]
    placed = [each.name for each in parameters if each.kind is each.POSITIONAL_OR_KEYWORD]
    by_name = [each.name for each in parameters if each.kind is each.KEYWORD_ONLY]
    if len(args) > len(placed):
        return _too_many(called, placed, by_name, len(args), instead)
    twice = [name for name in placed[: len(args)] if name in named]
    if twice:
        return f"{called}: {twice[0]} is given twice, by position and by name"
    known = [*placed, *by_name]
    takes_others = any(each.kind is each.VAR_KEYWORD for each in parameters)
    unknown = [name for name in named if name not in known]
    for name in unknown:
        meant = meant_argument(name, known)
        if meant or not takes_others:
            return f"{called} has no argument {name!r}{meant or f'; it has {_listed(known)}'}"
    required = [
        each.name for each in parameters if each.name in known and each.default is each.empty
    ]
    lacking = [name for name in required if name not in {*placed[: len(args)], *named}]
    return f"{called} needs {' and '.join(lacking)}: {called}({_call(required)})"


def _too_many(called: str, placed: list[str], by_name: list[str], given: int, instead: str) -> str:
    if not placed:
        usual = instead or f"write {called}({_call(by_name)})"
        return f"{called} takes arguments by name only; {usual}"
    plural = "argument" if len(placed) == 1 else "arguments"
    usual = instead or (f"pass others by name: {_call(by_name)}" if by_name else "leave others out")
    return (
        f"{called} takes {len(placed)} {plural} by position ({', '.join(placed)}), but {given} are "
        f"given; {usual}"
    )


def _call(names: Iterable[str]) -> str:
    """Write names as arguments of a call."""
    return _listed([f"{name}=..." for name in names])


def _listed(names: list[str]) -> str:
    more = ["..."] if len(names) > _MOST else []
    return ", ".join([*names[:_MOST], *more])
