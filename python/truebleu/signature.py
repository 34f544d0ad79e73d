"""Settings as a reproducibility string, and back.

The fields are sacreBLEU's where it has them, so that the two can be read side by side::

    nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|order:4|weights:uniform|len:closest|version:truebleu-0.1.0

``unicode`` is added where the number depends on a version of Unicode, ``phantom`` where short
segments count as having n-grams.
"""

from __future__ import annotations

from truebleu import _core
from truebleu.errors import InputTypeError, SettingsError, SettingsWarning
from truebleu.tokenization import from_signature

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from truebleu.bleu import Bleu
    from truebleu.score import BleuScore

VARIABLE = "var"
"""What ``nrefs`` says if not all segments have equally many references."""

# What sacreBLEU writes and no setting of a score depends on.
_IGNORED = {
    *("nrefs", "version", "unicode"),
    # Of test sets and of resampling.
    *("test", "lang", "origlang", "subset", "bs", "bt", "ar", "seed", "ci", "sided", "units"),
}

_SHORT = {
    "#": "nrefs",
    "c": "case",
    "e": "eff",
    "s": "smooth",
    "v": "version",
    "rs": "seed",
    "t": "test",
    "l": "lang",
    "o": "origlang",
    "S": "subset",
}


def write(bleu: Bleu, references: int | None = None) -> str:
    """Write down all that a score depends on.

    Parameters
    ----------
    bleu : Bleu
        The settings.
    references : int, optional
        References per segment; -1 if their number varies. Left out if not given.

    Returns
    -------
    str
        Fields ``key:value`` separated by ``|``.
    """
    smooth = bleu.smoothing
    if bleu.smooth_value is not None:
        smooth += f"[{bleu.smooth_value!r}]"
    fields = {
        "nrefs": VARIABLE if references == -1 else references,
        "case": "lc" if bleu.lowercase else "mixed",
        "eff": "yes" if bleu.effective_order else "no",
        "tok": bleu.tokenizer_name,
        "smooth": smooth,
        "order": bleu.max_order,
        "weights": _write_weights(bleu.weights),
        "len": bleu.reference_length,
        "phantom": "yes" if bleu.phantom_ngrams else None,
        "unicode": bleu.unicode,
        "version": f"truebleu-{_core.__version__}",
    }
    return "|".join(f"{key}:{value}" for key, value in fields.items() if value is not None)


def counting_key(bleu: Bleu) -> str:
    """Write down what statistics depend on: equal keys add up, others do not."""
    fields = {
        "tok": bleu.tokenizer_name,
        "case": "lc" if bleu.lowercase else "mixed",
        "unicode": bleu.unicode,
        "orders": bleu.counted_orders,
        "len": bleu.reference_length,
        "phantom": "yes" if bleu.phantom_ngrams else None,
    }
    return "|".join(f"{key}:{value}" for key, value in fields.items() if value is not None)


def read(signature: str) -> dict[str, Any]:
    """Read the settings out of a signature, ours or sacreBLEU's, long or short.

    Parameters
    ----------
    signature : str
        As :func:`write` or sacreBLEU writes it.

    Returns
    -------
    dict
        Keyword arguments of :class:`truebleu.Bleu`.

    Raises
    ------
    SettingsError
        If a field is malformed or unknown, or names a tokenizer that is a function.
    InputTypeError
        If it is no str.
    """
    if not isinstance(signature, str):
        raise InputTypeError(f"the signature is of type {type(signature).__name__}, not str")
    settings: dict[str, Any] = {}
    for field in signature.split("|"):
        key, colon, value = field.partition(":")
        key = _SHORT.get(key, key)
        if not colon:
            raise SettingsError(f"signature field {field!r} is not of the form key:value")
        try:
            _read_field(key, value, settings)
        except ValueError as error:
            raise SettingsError(f"signature field {field!r}: {error}") from error
    return settings


# What a signature means that does not say it: sacreBLEU's knows no other.
_UNSAID = {
    "case": "mixed",
    "eff": "no",
    "order": "4",
    "weights": "uniform",
    "len": "closest",
    "phantom": "no",
}

# Of these one side may say nothing.
_OPTIONAL = {"nrefs", "unicode"}


def assert_comparable(one: BleuScore | str, other: BleuScore | str) -> None:
    """Make sure that two scores were computed in the same way.

    Parameters
    ----------
    one, other : BleuScore or str
        Scores, or signatures, ours or sacreBLEU's, long or short.

    Raises
    ------
    SettingsError
        If they were not; the message names the fields that differ.
    InputTypeError
        If one of them is neither.
    """
    first, second = (_comparable(each) for each in (one, other))
    differ = [
        f"{key} is {first.get(key)} in one and {second.get(key)} in the other"
        for key in {**first, **second}
        if first.get(key) != second.get(key)
        and not (key in _OPTIONAL and None in (first.get(key), second.get(key)))
    ]
    if differ:
        raise SettingsError(f"these scores cannot be compared: {'; '.join(differ)}")


def _comparable(score: BleuScore | str) -> dict[str, str]:
    """List the fields of a signature that matter, in one form."""
    signature = score if isinstance(score, str) else getattr(score, "signature", None)
    if not isinstance(signature, str):
        raise InputTypeError(
            f"a score or a signature is needed, not a value of type {type(score).__name__}"
        )
    fields = dict(_UNSAID)
    for field in signature.split("|"):
        key, colon, value = field.partition(":")
        key = _SHORT.get(key, key)
        if not colon:
            raise SettingsError(f"signature field {field!r} is not of the form key:value")
        if key not in _IGNORED or key in _OPTIONAL:
            fields[key] = value
    name, bracket, number = fields.get("smooth", "").partition("[")
    if bracket:
        # sacreBLEU writes two decimals, we write all there are.
        fields["smooth"] = f"{name}[{float(number.rstrip(']'))}]"
    return fields


def warn_of_versions(bleu: Bleu, signature: str) -> None:
    """Warn if a Bleu of a signature has other versions of a library or of Unicode."""
    import warnings

    fields = dict(field.partition(":")[::2] for field in signature.split("|"))
    for key, own in (("tok", bleu.tokenizer_name), ("unicode", bleu.unicode)):
        named = fields.get(key, own)
        if named != own and not (key == "tok" and named == bleu.tokenizer):
            warnings.warn(
                f"the signature says {key}:{named}, but here it is {key}:{own}: the number may "
                "differ",
                SettingsWarning,
                stacklevel=3,
            )


def _read_field(key: str, value: str, settings: dict[str, Any]) -> None:
    if key == "smooth":
        name, bracket, number = value.partition("[")
        settings["smoothing"] = name
        if bracket:
            if not number.endswith("]"):
                raise ValueError("the bracket is not closed")
            settings["smooth_value"] = float(number[:-1])
    elif key in _READERS:
        setting, reader = _READERS[key]
        settings[setting] = reader(value)
    elif key not in _IGNORED:
        raise ValueError("unknown key")


def _read_choice(no: str, yes: str) -> Callable[[str], bool]:
    def read_choice(value: str) -> bool:
        if value not in (no, yes):
            raise ValueError(f"neither {no} nor {yes}")
        return value == yes

    return read_choice


def _write_weights(weights: tuple[tuple[float, ...], ...]) -> str:
    if not weights:
        return "uniform"
    return ";".join(",".join(repr(weight) for weight in each) for each in weights)


def _read_weights(value: str) -> list[tuple[float, ...]] | None:
    if value == "uniform":
        return None
    return [tuple(map(float, weights.split(","))) for weights in value.split(";")]


_READERS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "case": ("lowercase", _read_choice("mixed", "lc")),
    "eff": ("effective_order", _read_choice("no", "yes")),
    "tok": ("tokenizer", from_signature),
    "order": ("max_order", int),
    "weights": ("weights", _read_weights),
    "len": ("reference_length", str),
    "phantom": ("phantom_ngrams", _read_choice("no", "yes")),
}
