"""Whether two scores were computed in the same way."""

from __future__ import annotations

from truebleu.errors import InputTypeError, SettingsError
from truebleu.metrics.signature import DISPLAYED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from truebleu.metrics.signature import Signed
    from truebleu.metrics.signature_text import Reader


def assert_comparable(one: Signed | str, other: Signed | str) -> None:
    """Raise an error unless two scores were computed in the same way.

    Parameters
    ----------
    one, other : Score or str
        Scores of any metric, or signatures in any form that ``from_signature`` of a metric reads,
        such as :meth:`truebleu.Bleu.from_signature`.

    Raises
    ------
    SettingsError
        If the scores are of different metrics, or the signatures differ so that they are not
        comparable, or one cannot be read; the message names the metrics, or the fields.
    InputTypeError
        If an argument is neither a score nor a signature.
    """
    texts = [_text_of(each) for each in (one, other)]
    metrics = [_metric(text) for text in texts]
    # What a text does not say is left to the other one.
    first, second = (each or next(filter(None, metrics), "Bleu") for each in metrics)
    if first != second:
        names = " and the other of ".join(DISPLAYED.get(each, each) for each in (first, second))
        raise SettingsError(f"these scores cannot be compared: one is of {names}")
    differences = _differences(first, *texts)
    if differences:
        raise SettingsError(f"these scores cannot be compared: {'; '.join(differences)}")


def _text_of(score: Signed | str) -> str:
    text = score if isinstance(score, str) else getattr(score, "signature", None)
    if not isinstance(text, str):
        raise InputTypeError(
            f"a score or a signature is needed, not a value of type {type(score).__name__}"
        )
    return text


def _metric(text: str) -> str | None:
    """Return the metric of a signature: its class or, of a metric in Python, its identifier."""
    for piece in text.split("|"):
        if piece.startswith("metric:"):
            return piece.partition(":")[2]
    return _reader("Bleu").owner_of(text)


def _reader(owner: str) -> Reader:
    """Return the reader of the signatures of a metric."""
    from importlib import import_module

    reader: Reader = import_module(f"truebleu.metrics.{owner.lower()}.signature_text").READER
    return reader


def _differences(metric: str, one: str, other: str) -> list[str]:
    """Describe the fields in which the signatures of one metric differ."""
    if metric in DISPLAYED:
        reader = _reader(metric)
        return reader.grammar.differences(reader.parse(one), reader.parse(other))
    first, second = (
        dict(piece.partition(":")[::2] for piece in text.split("|")) for text in (one, other)
    )
    keys = dict.fromkeys((*first, *second))
    return [
        f"{key} is {first.get(key)} in one and {second.get(key)} in the other"
        for key in keys
        if key != "version" and first.get(key) != second.get(key)
        if key != "nrefs" or {"nrefs"} <= first.keys() & second.keys()
    ]
