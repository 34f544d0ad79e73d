"""Finding the BLEU in a file: a function, a class with a method, or cells of a notebook."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from functools import partial
from inspect import Parameter, Signature, isclass, signature
from pathlib import Path
from types import ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    Function = Callable[..., Any]

REFERENCE = re.compile("ref|gold|target|tgt|truth|true|label|expected|actual|gts", re.IGNORECASE)
"""What the names of parameters of references have in them."""

# What the names of parts of a BLEU have in them, if not that word.
_HELPER = re.compile(
    "penalt|brevity|^bp$|precision|recall|count|clip|gram|len|stat|closest|token|match|smooth|weight",
    re.IGNORECASE,
)

# What the names of parameters have in them that are parts of a score.
_NO_TEXT = re.compile("precision|brevity|penalty|stats|^bp$", re.IGNORECASE)

# What parameters without a default are called, and what they get for BLEU of an order.
_NAMES: dict[str, Callable[[int], Any]] = {
    r"n_?start|n_?min|min_?n|min_?order|start": lambda _: 1,
    r"k|n|max_?n|n_?grams?|n_?max|n_?end|(max_?)?(n_?gram_?)?order|max_?n_?gram": lambda order: (
        order
    ),
    r"w|(n_?grams?_?)?weights?": lambda order: [1 / order] * order,
    r"lang(uage)?": lambda _: "en",
    r"(use_?|do_?)?(smooth(ing)?|lower(_?case)?|verbose|debug)": lambda _: False,
}

# Methods that take both texts, the likeliest first.
_METHODS = ("corpus_bleu", "corpus_score", "compute_bleu", "compute", "compute_score", "bleu")
_MORE_METHODS = ("bleu_score", "sentence_bleu", "sentence_score", "calculate", "score", "evaluate")
_CALLS = ("forward", "__call__")

# Methods that take texts for one that takes none, and those.
_TAKING = ("update", "add", "add_batch", "append")
_RESULTS = ("compute", "score", "bleu", "get_score", "result", "calculate", "compute_bleu")


def parameters_of(function: Function) -> list[Parameter]:
    """Return the parameters of a function; those of any number, or unknown ones, are two."""
    unnamed = [Parameter(f"_{place}", Parameter.POSITIONAL_ONLY) for place in (1, 2)]
    try:
        found = list(signature(function).parameters.values())
    except (TypeError, ValueError):
        return unnamed
    kinds = [each.kind for each in found]
    known = [each for each in found if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)]
    return known + (unnamed[len(known) :] if Parameter.VAR_POSITIONAL in kinds else [])


def _required(parameters: list[Parameter]) -> list[str]:
    return [each.name for each in parameters if each.default is each.empty]


def _value(name: str, order: int) -> Any:
    """Return what a parameter gets for BLEU of an order; None if its name does not tell."""
    found = (get for names, get in _NAMES.items() if re.fullmatch(names, name, re.IGNORECASE))
    return next(found, lambda _: None)(order)


def takes_texts(function: Function) -> bool:
    """Tell whether the first two parameters may be texts: those of options have defaults."""
    texts = parameters_of(function)[:2]
    if len(texts) < 2 or any(_NO_TEXT.search(each.name) for each in texts):
        return False
    return bool(_required(texts)) or any(REFERENCE.search(each.name) for each in texts)


def needs_order(function: Function) -> bool:
    """Tell whether a function has a parameter, other than the texts, that has no default."""
    return bool(_required(parameters_of(function)[2:]))


def of_order(function: Function, order: int) -> Function:
    """Give a function its other parameters, for BLEU of an order; it takes texts by position."""
    texts, others = parameters_of(function)[:2], _required(parameters_of(function)[2:])
    values = {name: _value(name, order) for name in others}
    unknown = [name for name, value in values.items() if value is None]
    if unknown:
        raise TypeError(f"it needs {', '.join(unknown)} besides the texts: give it a default")
    if any(each.kind is each.KEYWORD_ONLY for each in texts):
        one, other = (each.name for each in texts)
        return lambda first, second: function(**{one: first, other: second}, **values)
    return partial(function, **values) if values else function


def function_of(thing: Any, method: str = "") -> Function:
    """Return a function of two texts: what is given, or a method of new objects of a class."""
    if not isclass(thing):
        found: Function = getattr(thing, method) if method else thing
        return found
    if method:
        return _called(thing, method)
    methods = {name for base in thing.__mro__[:-1] for name in vars(base)}
    names = [name for name in (*_METHODS, *_MORE_METHODS, *_CALLS) if name in methods]
    names += [name for name in vars(thing) if re.match("[a-z].*(bleu|score)", name, re.IGNORECASE)]
    for name in names:
        if takes_texts(_called(thing, name)):
            return _called(thing, name)
    taking = [name for name in _TAKING if name in methods]
    results = [name for name in (*_RESULTS, *names) if name in methods]
    if results and (taking or takes_texts(thing)):
        return _in_steps(thing, taking[0] if taking else "", results[0])
    raise TypeError(f"{thing.__name__} has no method that takes hypotheses and references")


def _new(kind: type) -> Any:
    values = {name: _value(name, 4) for name in _required(parameters_of(kind))}
    if None in values.values():
        raise TypeError(f"{kind.__name__} needs {', '.join(values)} to be made: give them defaults")
    return kind(**values)


def _called(kind: type, method: str) -> Function:
    """Return a function that calls a method of a new object."""

    def called(*texts: Any, **others: Any) -> Any:
        return getattr(_new(kind), method)(*texts, **others)

    is_static = isinstance(vars(kind).get(method), staticmethod | classmethod)
    return _as(called, f"{kind.__name__}.{method}", getattr(kind, method), 0 if is_static else 1)


def _in_steps(kind: type, taking: str, result: str) -> Function:
    """Return a function that gives a new object its texts, and then asks it for the score."""

    def called(*texts: Any) -> Any:
        made = _new(kind) if taking else kind(*texts)
        if taking:
            getattr(made, taking)(*texts)
        return getattr(made, result)()

    model = getattr(kind, taking) if taking else kind
    return _as(called, f"{kind.__name__}.{result}", model, 1 if taking else 0)


def _as(called: Any, name: str, model: Function, start: int) -> Function:
    """Give a function a name, and the parameters of another one from `start` on."""
    called.__name__ = name
    called.__signature__ = Signature(parameters_of(model)[start:])
    function: Function = called
    return function


def loaded(path: str) -> tuple[dict[str, Any], str]:
    """Run a file, or the cells of a notebook; return its names, and the first error if any.

    What was defined before an error can still be called.
    """
    sys.path.insert(0, str(Path(path).resolve().parent))
    module = ModuleType(Path(path).stem)
    module.__file__ = path
    sys.modules.setdefault(module.__name__, module)
    said = ""
    for place, source in enumerate(_sources(path), 1):
        try:
            exec(compile(source, path, "exec"), vars(module))  # noqa: S102  # As it was asked.
        except (Exception, SystemExit) as error:
            where = f"cell {place}: " if path.endswith(".ipynb") else ""
            said = said or f"{where}{type(error).__name__}: {error}"
    return vars(module), said


def _sources(path: str) -> Iterator[str]:
    text = Path(path).read_text("utf-8")
    if not path.endswith(".ipynb"):
        yield text
        return
    for cell in json.loads(text)["cells"]:
        if cell["cell_type"] == "code":
            lines = "".join(cell["source"]).splitlines()
            # What only notebooks understand.
            yield "\n".join(line for line in lines if not line.lstrip().startswith(("%", "!")))


def chosen(path: str, name: str) -> list[Function]:
    """Return the functions of a file that may be its BLEU, or the one of a name.

    The likeliest comes first. Exits with a sentence if there is none.
    """
    names, error = loaded(path)
    if name:
        start, _, method = name.partition(".")
        if not callable(names.get(start)):
            candidates = _candidates(names, names["__name__"])
            known = ", ".join(key for key in names if key in candidates) or "none at all"
            sys.exit(f"there is no function {name!r}, but {known}{_because(error)}")
        return [function_of(names[start], method)]
    found = []
    for key in _candidates(names, names["__name__"]):
        try:
            function = function_of(names[key])
        except TypeError as reason:
            error = error or str(reason)
        else:
            if takes_texts(function):
                found.append(function)
    if not found:
        sys.exit(
            f"{path} has no function of hypotheses and references{_because(error)}. If it prints "
            f"its score, let it read files: truebleu check -- python {path} {{hypotheses}} "
            "{references}"
        )
    return found


def _because(error: str) -> str:
    return f" ({error})" if error else ""


def _candidates(names: Mapping[str, Any], module: str) -> list[str]:
    """List what can be called, the likeliest first: for a corpus, for BLEU, written here."""
    found = {
        key: value
        for key, value in names.items()
        if callable(value) and not key.startswith("_") and key != "main"
    }

    called = {name for value in found.values() for name in _names_in(value)}

    def likely(key: str) -> tuple[bool, ...]:
        low, value = key.lower(), found[key]
        own = getattr(value, "__module__", module) == module
        # What another one calls is a part of it.
        whole = "bleu" in low and key not in called
        return (
            own,
            "bleu" in low,
            whole,
            "corpus" in low,
            not _HELPER.search(key),
            not isclass(value),
        )

    kept = [key for key in found if likely(key)[0] or likely(key)[1]]
    # Of equals, the last, which calls the others.
    kept.reverse()
    return sorted(kept, key=likely, reverse=True)


def _names_in(thing: Any) -> tuple[str, ...]:
    """Return the names that a function uses."""
    code = getattr(thing, "__code__", None)
    return code.co_names if code else ()
