"""Settings as a reproducibility string, and back.

The fields are sacreBLEU's where it has them, so that the two can be read side by side::

    nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|order:4|weights:uniform|len:closest|version:truebleu-0.1.0

``form`` is added where text is brought into a normal form of Unicode, ``unicode`` where the
number depends on a version of Unicode, ``phantom`` where short
segments count as having n-grams.
"""

from __future__ import annotations

from truebleu._core import __version__
from truebleu.errors import InputTypeError, SettingsError, SettingsWarning, warn
from truebleu.tokenizers.registry import from_signature

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, Protocol

    from truebleu.metrics.settings import Settings

    class Signed(Protocol):
        """A score, or whatever else has a signature."""

        @property
        def signature(self) -> str:
            """All that the number depends on."""


VARIABLE = "var"
"""What ``nrefs`` says if not all segments have equally many references."""


def write(settings: Settings, references: int | None = None) -> str:
    """Write down all that a score depends on.

    Parameters
    ----------
    settings : Settings
    references : int, optional
        References per segment; -1 if their number varies. Left out if not given.

    Returns
    -------
    str
        Fields ``key:value`` separated by ``|``.
    """
    smooth = settings.smoothing
    if settings.smooth_value is not None:
        smooth += f"[{settings.smooth_value!r}]"
    fields = {
        "nrefs": VARIABLE if references == -1 else references,
        "case": "lc" if settings.lowercase else "mixed",
        "eff": _EFFECTIVE[settings.effective_order],
        "tok": settings.tokenizer_name,
        "form": settings.unicode_form,
        "smooth": smooth,
        "order": settings.max_order,
        "weights": _write_weights(settings.weights),
        "len": settings.reference_length,
        "phantom": "yes" if settings.phantom_ngrams else None,
        "unicode": settings.unicode,
        "version": f"truebleu-{__version__}",
    }
    return "|".join(f"{key}:{value}" for key, value in fields.items() if value is not None)


def counting_key(settings: Settings, orders: int) -> str:
    """Write down what statistics depend on: equal keys add up, others do not."""
    fields = {
        "tok": settings.tokenizer_name,
        "case": "lc" if settings.lowercase else "mixed",
        "form": settings.unicode_form,
        "unicode": settings.unicode,
        "orders": orders,
        "len": settings.reference_length,
        "phantom": "yes" if settings.phantom_ngrams else None,
    }
    return "|".join(f"{key}:{value}" for key, value in fields.items() if value is not None)


def read(signature: str) -> dict[str, Any]:
    """Read the settings out of a signature, ours or sacreBLEU's of any version.

    Parameters
    ----------
    signature : str
        As :func:`write` or sacreBLEU writes it, or as it is quoted; see
        :mod:`truebleu.metrics.signature_text`.

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
    from truebleu.metrics.signature_text import parse

    settings: dict[str, Any] = {}
    for key, value in parse(signature).items():
        field = f"{key}:{value}"
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
    "form": "none",
}

# Of these one side may say nothing, or that it depends on what is scored.
_OPTIONAL = {"nrefs", "unicode", "test", "lang", "origlang", "subset", "eff"}
_OPEN = {None, "auto"}

_COMPARED = {*_UNSAID, *_OPTIONAL, "tok", "smooth"}


def assert_comparable(one: Signed | str, other: Signed | str) -> None:
    """Make sure that two scores were computed in the same way.

    Parameters
    ----------
    one, other : BleuScore or str
        Scores, or signatures in any form that :meth:`truebleu.Bleu.from_signature` reads.

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
        and not (key in _OPTIONAL and _OPEN.intersection((first.get(key), second.get(key))))
    ]
    if differ:
        raise SettingsError(f"these scores cannot be compared: {'; '.join(differ)}")


def _comparable(score: Signed | str) -> dict[str, str]:
    """List the fields of a signature that matter, in one form."""
    signature = score if isinstance(score, str) else getattr(score, "signature", None)
    if not isinstance(signature, str):
        raise InputTypeError(
            f"a score or a signature is needed, not a value of type {type(score).__name__}"
        )
    from truebleu.metrics.signature_text import parse

    found = parse(signature)
    fields = _UNSAID | {key: value for key, value in found.items() if key in _COMPARED}
    if fields.get("nrefs") == "?":
        # sacreBLEU 1.x does not know it where it is a library.
        del fields["nrefs"]
    name, bracket, number = fields.get("smooth", "").partition("[")
    if bracket:
        # sacreBLEU writes two decimals, we write all there are.
        try:
            fields["smooth"] = f"{name}[{_read_value(number)}]"
        except ValueError as error:
            raise SettingsError(f"signature field 'smooth:{fields['smooth']}': {error}") from error
    return fields


def warn_of_differences(settings: Settings, signature: str) -> None:
    """Warn of what a signature says and the Bleu that was made of it does not do."""
    from truebleu.metrics.signature_text import parse

    for said in _not_honored(settings, parse(signature)):
        warn(said, SettingsWarning)


def _not_honored(settings: Settings, fields: dict[str, str]) -> Iterator[str]:
    from truebleu.metrics.signature_text import DATA, RESAMPLING, is_old, version_parts

    for key, here in (("tok", settings.tokenizer_name), ("unicode", settings.unicode)):
        named = fields.get(key, here)
        if named != here and not (key == "tok" and named == settings.tokenizer):
            yield (
                f"the signature says {key}:{named}, but here it is {key}:{here}: the number may "
                "differ"
            )
    data = [f"{key}:{fields[key]}" for key in DATA if key in fields]
    if data:
        yield (
            f"the signature names the test set ({', '.join(data)}), but a Bleu has no data: score "
            "those segments against those references, such as by truebleu-sacrebleu -t"
        )
    if fields.get("nrefs", "1") not in ("1", "?"):
        yield (
            f"the signature says nrefs:{fields['nrefs']}, but a Bleu has no references: give as "
            "many for each segment"
        )
    drawn = [f"{key}:{fields[key]}" for key in RESAMPLING if key in fields]
    if drawn:
        yield (
            f"the signature names an interval or a test ({', '.join(drawn)}), but a Bleu makes "
            "none: give these to compare or confidence_interval"
        )
    if not is_old(fields):
        return
    version = f"sacreBLEU {fields['version']}"
    if settings.smooth_value is not None and version_parts(fields) < (1, 5):
        yield (
            f"signatures of {version} do not say --smooth-value: {settings.smoothing} is taken to "
            f"have its default then, {settings.smooth_value:g}"
        )
    if settings.tokenizer == "intl":
        yield (
            f"{version} split punctuation from numbers like \u00bd under intl, which sacreBLEU 2 "
            "does not: the number may differ"
        )


def _read_field(key: str, value: str, settings: dict[str, Any]) -> None:
    if key == "smooth":
        name, bracket, number = value.partition("[")
        settings["smoothing"] = name
        if bracket:
            settings["smooth_value"] = _read_value(number)
    elif key in _READERS:
        setting, reader = _READERS[key]
        settings[setting] = reader(value)


def _read_value(number: str) -> float:
    """Read what follows the opening bracket of a smoothing."""
    if not number.endswith("]"):
        raise ValueError("the bracket is not closed")
    return float(number[:-1])


def _read_choice(no: str, yes: str) -> Callable[[str], bool]:
    def read_choice(value: str) -> bool:
        if value not in (no, yes):
            raise ValueError(f"neither {no} nor {yes}")
        return value == yes

    return read_choice


# What a metric says that applies it to single segments only, and what every score says.
_EFFECTIVE = {None: "auto", False: "no", True: "yes"}


def _read_effective(value: str) -> bool | None:
    for setting, name in _EFFECTIVE.items():
        if name == value:
            return setting
    raise ValueError(f"none of {', '.join(_EFFECTIVE.values())}")


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
    "eff": ("effective_order", _read_effective),
    "tok": ("tokenizer", from_signature),
    "form": ("unicode_form", str),
    "order": ("max_order", int),
    "weights": ("weights", _read_weights),
    "len": ("reference_length", str),
    "phantom": ("phantom_ngrams", _read_choice("no", "yes")),
}
