"""Metrics as words of the command line: ``bleu``, ``chrf:beta=3``, ``bleu:tokenizer="a,b"``."""

from __future__ import annotations

from truebleu.cli.parameters import WrongValueError
from truebleu.errors import TruebleuError
from truebleu.metrics.registry import METRICS, class_of_signature, metric_from_signature
from truebleu.suggestions import METRICS_MEANT, meant_metric, meant_setting
from truebleu.tokenizers.registry import from_option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Self

    from truebleu.metrics.metric import Metric
    from truebleu.metrics.settings import Table

_SETTING = r'([^=,"]*)(?:=(?:"((?:[^"\\]|\\.)*)"|([^",]*)))?(,|\Z)'
_NAMES_OF_BOOL = {"true": True, "yes": True, "false": False, "no": False}


class MetricWord(str):
    """A name of the registry, the settings that are given with it, and the word as it was given."""

    __slots__ = ("is_signature", "settings", "text")
    is_signature: bool
    settings: dict[str, Any]
    text: str

    def __new__(
        cls, name: str, settings: Mapping[str, Any], text: str = "", *, is_signature: bool = False
    ) -> Self:
        """Keep what is given."""
        made = super().__new__(cls, name)
        made.settings, made.text, made.is_signature = dict(settings), text or name, is_signature
        return made

    def metric(self, **others: Any) -> Metric:
        """Return the metric; settings of the word, or of its signature, come before others."""
        if self.is_signature:
            return metric_from_signature(self.text)
        metric: Metric = METRICS[self](**{**others, **self.settings})
        return metric


def metric_word(word: str) -> MetricWord:
    """Return the metric of a word; one of another name has no settings, and is refused later."""
    called, colon, rest = word.partition(":")
    meant = meant_metric(called)
    if meant == "sentbleu":
        raise WrongValueError("the scores of segments are printed by `truebleu segments -m bleu`")
    name, settings = METRICS_MEANT.get(meant, (called.lower(), {}))
    if name not in METRICS:
        if "|" in word or "+version." in word:  # As sacreBLEU 1 writes signatures.
            kind = class_of_signature(word).__name__.lower()
            return MetricWord(kind, {}, word, is_signature=True)
        return MetricWord(name, {})
    given = read_settings(rest) if colon else {}
    converted = {key: _value(name, key, each) for key, each in given.items()}
    return MetricWord(name, {**settings, **converted}, word)


def read_settings(text: str) -> dict[str, str | bool]:
    """Read ``key=value,key,key="value"``; a key without a value is True."""
    import re  # Slow to load, and most metrics are given without settings.

    setting = re.compile(_SETTING, re.DOTALL)
    found: dict[str, str | bool] = {}
    place = 0
    while True:
        part = setting.match(text, place)
        if part is None:
            raise WrongValueError(
                f"{text[place:]!r} is no setting such as beta=3; a value with commas or quotes "
                'stands in double quotes, such as weights="0.5,0.5"'
            )
        key, quoted, bare, comma = part.groups()
        key = key.strip().replace("-", "_")
        if key in found:
            raise WrongValueError(f"{key} is given twice")
        found[key] = True if quoted is bare is None else bare
        if quoted is not None:
            found[key] = re.sub(r"\\(.)", r"\1", quoted, flags=re.DOTALL)
        if not comma:
            return found
        place = part.end()


def write_settings(settings: Mapping[str, str | bool]) -> str:
    """Write settings as :func:`read_settings` reads them."""
    return ",".join(
        key if value is True else f"{key}={_written(value)}" for key, value in settings.items()
    )


def _written(value: object) -> str:
    text = str(value)
    if not set('",') & set(text):
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _value(name: str, key: str, given: str | bool) -> Any:
    """Convert the value of a setting, as the table of its metric says."""
    table: Table = METRICS[name]()._settings_table
    known = {each.name: each.option for each in table.settings}
    if name == "chrf++":
        del known["word_order"]
    if key not in known:
        raise WrongValueError(
            f"{name} has no setting {key!r}; it has {', '.join(known)}{meant_setting(key, known)}"
        )
    takes, called, _ = known[key]
    if takes in (None, bool):
        value = given if given is True else _NAMES_OF_BOOL.get(str(given).lower())
    elif given is True:
        raise WrongValueError(f"{key} needs a value: {name}:{key}={called}")
    else:
        try:
            return from_option(str(given)) if key == "tokenizer" else takes(given)
        except TruebleuError as error:
            raise WrongValueError(str(error)) from None
        except ValueError:
            kind = "a number" if takes in (int, float) else "a list of numbers in quotes"
            raise WrongValueError(f"{key} is {given!r}; {kind} is needed") from None
    if value is None:
        raise WrongValueError(f"{key} is {given!r}; true or false is needed")
    return value
