r"""Signatures of metrics: their fields are written, compared, and read in any form.

::

    signature := [name sep] field (sep field)*
    field     := key mark value
    sep mark  := "|" ":"      of truebleu, and of sacreBLEU from 2.0 on
               | "+" "."      of sacreBLEU 1.x

Keys are long or short; the table of settings of each metric defines them. Papers and tools write
more around them: a score may come before or after the signature (``BLEU|... = 27.3 60.1/...`` or
``BLEU = 27.3 ... |...``), and sacreBLEU's JSON output is read too. Line breaks, Markdown backticks
and LaTeX escapes are ignored.
"""

from __future__ import annotations

from importlib import import_module

from truebleu.errors import InputTypeError, SettingsError, SettingsWarning, warn
from truebleu.record import Record, brief, shortened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, Literal, Protocol, TypeVar

    T = TypeVar("T")

    class Signed(Protocol):
        """A score, or anything else that has a signature."""

        @property
        def signature(self) -> str:
            """Everything that the score depends on, as a reproducibility string."""


class Field(Record):
    """One field ``key:value`` of a signature; `short` are other names of it.

    It shows `attributes` of the metric, which `write` converts to the value, or to None to leave
    the field out; without any, it is written only if :meth:`Grammar.write` is given the value.
    `read` converts the value to the setting, or to a tuple of several `settings` (by default the
    attributes), and raises ValueError; a field without it sets nothing. `default` is the value if a
    signature does not have the field, and `counting` the position in counting keys, if statistics
    depend on it.

    Scores are only comparable if the field is equal in both: "always", "never", or only "if
    present" in both. `normalize` converts the value to the one that is `compared`, or to None if
    the value leaves the setting open. A `local` value depends on the installed software, such as
    the version of Unicode. Fields that no setting can reproduce have a `warning`, in which ``{}``
    is replaced by all fields that share it, except for `harmless` values. `about` is what the field
    is, in words, or what the setting does.
    """

    key: str
    short: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    write: Callable[..., object] | None = None
    read: Callable[[str], Any] | None = None
    settings: tuple[str, ...] = ()
    default: str | None = None
    counting: int | None = None
    compared: Literal["always", "if present", "never"] = "always"
    normalize: Callable[[str], str | None] | None = None
    local: bool = False
    warning: str | None = None
    harmless: tuple[str, ...] = ()
    about: str = ""

    def value(self, settings: object) -> object:
        """Return the value to write, or None to leave the field out."""
        if self.write is not None:
            return self.write(*[getattr(settings, name) for name in self.attributes])
        return getattr(settings, self.attributes[0])

    def settings_of(self, value: str) -> dict[str, Any]:
        """Return the settings that a value stands for."""
        if self.read is None:
            self.compared_value(value)
            return {}
        names = self.settings or self.attributes
        setting = self._checked(self.read, value)
        return dict(zip(names, setting if len(names) > 1 else [setting], strict=True))

    def sentence(self, value: str) -> str:
        """Say in words what a value means."""
        setting = None if self.read is None else self._checked(self.read, value)
        text = f"{self.about}: {value}"
        if isinstance(setting, bool):
            text = self.about if setting else f"do not {self.about}"
        return f"{text[:1].upper()}{text[1:]}."

    def compared_value(self, value: str | None) -> str | None:
        """Return what to compare, given the value in a signature, or None if it has none."""
        effective = self.default if value is None else value
        if effective is None or self.normalize is None:
            return effective
        return self._checked(self.normalize, effective)

    def reads(self, value: str) -> bool:
        """Whether this can be the value of the field, as far as the field says what can."""
        known = [each for each in (self.read, self.normalize) if each is not None]
        try:
            for each in known:
                each(value)
        except ValueError:
            return False
        return bool(known)

    def _checked(self, function: Callable[[str], T], value: str) -> T:
        try:
            return function(value)
        except ValueError as error:
            raise SettingsError(
                f"signature field {brief(f'{self.key}:{value}')}: {shortened(str(error))}"
            ) from error


LONGEST = 100_000
"""Characters of the longest signature that is read; 1,000 weights have 20,000."""


def checked_text(text: str) -> str:
    """Return a text that may be a signature."""
    if not isinstance(text, str):
        raise InputTypeError(f"the signature is of type {type(text).__name__}, not str")
    if len(text) > LONGEST:
        raise SettingsError(
            f"the signature has {len(text):,} characters; at most {LONGEST:,} are read: pass only "
            "the line with the signature"
        )
    return text


class Grammar:
    """Writes, reads and compares the signatures of a metric, given their fields in order."""

    def __init__(self, *fields: Field) -> None:
        self.fields = fields

    def counting(self, *extra: Field) -> Grammar:
        """Return the grammar of counting keys, with `extra` fields that no signature has."""
        counted = [field for field in (*self.fields, *extra) if field.counting is not None]
        return Grammar(*sorted(counted, key=lambda field: field.counting or 0))

    def write(self, settings: object, **values: object) -> str:
        """Write a signature of an object; `values`, by key, take the place of its settings."""
        written = []
        for field in self.fields:
            given = field.key in values or not field.attributes
            value = values.get(field.key) if given else field.value(settings)
            if value is not None:
                written.append(f"{field.key}:{value}")
        return "|".join(written)

    def read(self, values: Mapping[str, str]) -> dict[str, Any]:
        """Return the settings of a signature, given the values of its fields by key."""
        settings: dict[str, Any] = {}
        for field in self.fields:
            if field.key in values:
                settings |= field.settings_of(values[field.key])
        return settings

    def sentences(self, values: Mapping[str, str]) -> dict[str, str]:
        """Say in words what each field means, given the values by key."""
        return {
            f"{field.key}:{values[field.key]}": field.sentence(values[field.key])
            for field in self.fields
            if field.key in values
        }

    def differences(self, first: Mapping[str, str], second: Mapping[str, str]) -> list[str]:
        """Describe the fields in which two signatures differ so that scores are not comparable."""
        differences = []
        for field in self.fields:
            if field.compared == "never":
                continue
            one, other = (field.compared_value(each.get(field.key)) for each in (first, second))
            if one != other and not (field.compared == "if present" and None in (one, other)):
                differences.append(f"{field.key} is {one} in one and {other} in the other")
        return differences

    def warnings(self, settings: object, values: Mapping[str, str]) -> list[str]:
        """Return warnings about fields that the settings read from them do not reproduce."""
        messages = []
        unsupported: dict[str, list[str]] = {}
        for field in self.fields:
            value = values.get(field.key)
            if value is None or value in field.harmless:
                continue
            if field.warning is not None:
                unsupported.setdefault(field.warning, []).append(f"{field.key}:{value}")
            elif field.local:
                installed = field.value(settings)
                # sacreBLEU may write the name of the setting alone, without a version.
                if value not in (installed, *(getattr(settings, name) for name in field.settings)):
                    messages.append(
                        f"the signature says {field.key}:{value}, but this installation has "
                        f"{field.key}:{installed}: the score may differ"
                    )
        return messages + [text.format(", ".join(fields)) for text, fields in unsupported.items()]


VARIABLE = "var"
"""The value of ``nrefs`` if the number of references varies."""

# Values that may contain a separator, and patterns of the text after it: a development version is
# 1.5.1.dev0+g12ab.d20240131, and a subset is a regular expression over the countries and domains of
# documents. No other value may, so that a misspelled field is an error.
_CONTINUATIONS = {
    "version": r"(?:g[0-9a-f]+(?:\.d\d{8})?|d\d{8})$",
    "subset": r"(?:country|domain):|[^:.]*$",
}

# Patterns are matched in linear time: whitespace is single spaces by then, and a part that may be
# long ends where the next one cannot begin, so that there is one way to match each text.
_NUMBER = r"\d+(?:[.,]\d+)?(?!\d)"

_SCORE = (
    rf" ?= ?{_NUMBER}(?: ?%)?"
    rf"(?: ?\((?:(?:BP|precision|edits)\b| ?(?:μ|mu)? ?=)[^()]*\)"
    rf"| {_NUMBER}(?:/{_NUMBER})*(?=[ |+(]|$))* ?"
)

_AROUND = "|+,;. \n"

_OPENINGS = f"{_AROUND}(["

# Text that papers write before a signature, and scores in places where sacreBLEU prints none.
_METRIC = r"(?:[\w-]*bleu|chr-?f\d*(?:\.\d+)?\+*|\bter)"
_OPENED = r"(?i)^[\w\s-]*bleu\s*[(\[]\s*(?=[\w#])"
_BEFORE = (
    r"(?i)^(?:[\w\s-]*\b(?:signature|hash)\b[\s:=]*|[\w\s-]*\bsacre-?bleu\s*[:=]\s*(?=[^\W\d]))+"
)
_SCORE_BEFORE = rf"(?i)^[ (]*{_NUMBER} ?%? ?(?={_METRIC}(?![\w]))"
_COLON = rf"(?i)^({_METRIC}(?:\s+score)?)\s*:\s*(?={_NUMBER}[\s%|+(])"

_LATEX = (
    (r"\\\\", "\n"),
    (r"\\(?:textbar|vert|mid)(?![A-Za-z])\s*(?:\{\})?|\$\s*\|\s*\$", "|"),
    (r"\\textunderscore(?![A-Za-z])\s*(?:\{\})?", "_"),
    (r"\\[-/,]", ""),
    (r"\\[A-Za-z]+\*?", ""),
    (r"\\(?=[#_&%$+.:| ])", ""),
    (r"[{}$]", ""),
    ("~", " "),
)


class Reader:
    """Reads the signatures of one metric: its `name`, and the `word` that stands for it in text."""

    word = ""

    def __init__(self, owner: str, name: str, grammar: Grammar) -> None:
        self.owner = owner
        self.name = name
        self.word = self.word or rf"\b{name}\b"
        self.grammar = grammar
        self._fields = {field.key: field for field in grammar.fields}
        self._long = {short: field.key for field in grammar.fields for short in field.short}

    @property
    def _field(self) -> str:
        """The pattern of the beginning of a field of any metric."""
        import re

        keys = {key for each in readers().values() for key in (*each._fields, *each._long)}
        return rf"(?:{'|'.join(map(re.escape, sorted(keys)))})\s*[:.]"

    @property
    def _before_field(self) -> str:
        return (
            r"(?i)((?:chr-?F\d*(?:\.\d+)?(?:e[+-]?\d+)?|[^|:.]*?[^|:.+\s(\[])(?:\++(?=[|\s:(\[]))?)"
            rf"[|+:\s(\[]+(?={self._field})"
        )

    def parse(self, text: str) -> dict[str, str]:
        """Read the fields of a signature."""
        name, body = self._split(text)
        in_dots = self._in_dots(body)
        mark, separator = ".+" if in_dots else ":|"
        pieces = body.split(separator)
        self._check_owner(name, pieces, mark)
        fields = self._read(pieces, mark, separator)
        references = fields.get("nrefs", "1")
        number = references.isascii() and references.isdecimal() and references[0] > "0"
        if not number and references not in ("?", VARIABLE):
            raise SettingsError(
                f"signature field {brief(f'nrefs:{references}')}: a whole number from 1 up, var or "
                "? is needed"
            )
        return self.completed(fields, name, old=in_dots)

    def owner_of(self, text: str) -> str | None:
        """Return the class of the metric whose signature a text is; None if it does not say."""
        name, body = self._split(text)
        mark, separator = ".+" if self._in_dots(body) else ":|"
        return _owner(name, body.split(separator), mark)[0]

    def ambiguities(self, settings: Any, fields: Mapping[str, str]) -> Iterable[str]:
        """Return warnings about what a signature does not say; `settings` were read from it."""
        return ()

    def warn_of_differences(self, settings: Any, fields: Mapping[str, str]) -> None:
        """Warn about everything in a signature that the settings read from it do not reproduce."""
        messages = self.grammar.warnings(settings, fields)
        for message in (*messages, *self.ambiguities(settings, fields)):
            warn(message, SettingsWarning)

    def long_key(self, key: str, value: str) -> str:
        """Return the long key of a field."""
        return self._long.get(key, key)

    def claimed(self, piece: str, mark: str) -> str:
        """Return the key of a field that this may be, with a value that the metric can have."""
        key, _, value = piece.partition(mark)
        field = self._fields.get(self.long_key(key.rstrip(), value))
        return field.key if field is not None and field.reads(value) else ""

    def completed(self, fields: dict[str, str], name: str | None, *, old: bool) -> dict[str, str]:
        """Return the fields as sacreBLEU 2 writes them, also of an `old` signature of 1.x."""
        return fields

    def _check_owner(self, name: str | None, pieces: list[str], mark: str) -> None:
        """Refuse signatures of other metrics."""
        owner, piece = _owner(name, pieces, mark)
        named = None if name is None else _owner(name, [], mark)[0]
        # The word BLEU may be that of the tool.
        if name is not None and (
            named is None or (named != self.owner and (named == owner or named != _OF_TOOL))
        ):
            metric, place = shortened(name), ""
        elif owner is not None and owner != self.owner:
            metric = readers()[owner].name
            place = f"signature field {brief(piece)}: " if piece else ""
        else:
            return
        instead = (
            f"; read it with {owner}.from_signature" if owner not in (None, self.owner) else ""
        )
        raise SettingsError(f"{place}this is a signature of {metric}, not of {self.name}{instead}")

    def _read(self, pieces: list[str], mark: str, separator: str) -> dict[str, str]:
        import re

        fields: dict[str, list[str]] = {}
        last, unclosed = "", 0
        for piece in pieces:
            key, has_mark, value = piece.partition(mark)
            key = self.long_key(key, value)
            if has_mark and key in self._fields:
                given = separator.join(fields.get(key, [value]))
                if given != value:
                    raise SettingsError(
                        f"signature field {brief(piece)}: {key} is already {shortened(given)}"
                    )
                fields[key] = [value]
                last, unclosed = key, _unclosed(value)
            elif last in _CONTINUATIONS and (
                (last == "subset" and unclosed > 0) or re.match(_CONTINUATIONS[last], piece)
            ):
                fields[last].append(piece)
                unclosed += _unclosed(piece)
            elif not has_mark:
                raise SettingsError(f"signature field {brief(piece)} is not of the form key:value")
            else:
                raise SettingsError(f"signature field {brief(piece)}: unknown key")
        return {key: separator.join(parts) for key, parts in fields.items()}

    def _in_dots(self, body: str) -> bool:
        """Whether fields are written as in sacreBLEU 1.x."""
        import re

        starts = re.match(self._field, body) is not None
        return starts and re.match(r"[^:.]*\.", body) is not None

    def _split(self, text: str) -> tuple[str | None, str]:
        """Return the metric's name, if there is one, and the fields, without the score."""
        import re

        text = _plain(self._extract_from_json(checked_text(text)))
        text = re.sub(_OPENED, "", text.lstrip(_OPENINGS))
        text = re.sub(_COLON, r"\1 = ", re.sub(_SCORE_BEFORE, "", re.sub(_BEFORE, "", text)))
        text, scores = re.subn(_SCORE, "|", text, count=1)
        text = _closed(text.strip(_AROUND).lstrip("(["))
        if scores and not re.search(self._field, text):
            raise SettingsError(f"{brief(text)} has a score, but no signature")
        name = None if re.match(self._field, text) else re.match(self._before_field, text)
        return (None, text) if name is None else (name[1], _closed(text[name.end() :]))

    def _extract_from_json(self, text: str) -> str:
        """Return the signature from the JSON that sacreBLEU 2 prints by default."""
        import json
        import re

        if not re.match(r"\s*(?:\{|\[\s*\{)", text):
            return text
        try:
            results = json.loads(text)
            results = results if isinstance(results, list) else [results]
            signatures = [f"{each.get('name', self.name)}|{each['signature']}" for each in results]
        except (ValueError, KeyError, AttributeError, RecursionError):
            return text
        # Of several metrics, its own.
        own = [each for each in signatures if _owner(each, [], ":")[0] == self.owner]
        return [*own, *signatures][0]


# The modules with the tables of settings, and the metric whose name may also be that of the tool,
# and so comes last.
_TABLES = ("chrf.settings", "ter.settings", "bleu.settings")
_OF_TOOL = "Bleu"


def readers() -> dict[str, Reader]:
    """Return what reads the signatures of each metric, by the class of the metric."""
    tables = [import_module(f"truebleu.metrics.{name}").SETTINGS for name in _TABLES]
    return {table.owner: table.reader for table in tables}


def _owner(name: str | None, pieces: list[str], mark: str) -> tuple[str | None, str]:
    """Return whose signature it is, and what says so: a field of that metric, or else the name."""
    import re

    known = readers()
    for owner, reader in known.items():
        for piece in pieces:
            key = reader.claimed(piece, mark)
            others = [each for each in known.values() if each is not reader]
            if key and all(each.claimed(piece, mark) != key for each in others):
                return owner, piece
    for owner, reader in known.items():
        if name is not None and re.search(reader.word, name, re.IGNORECASE):
            return owner, ""
    return None, ""


def _unclosed(text: str) -> int:
    """Count the brackets that a text opens and does not close."""
    return text.count("(") - text.count(")")


def is_old(fields: Mapping[str, str]) -> bool:
    """Whether a signature is from sacreBLEU 1.x."""
    return fields.get("version", "").startswith("1.")


def version_parts(fields: Mapping[str, str]) -> tuple[int, ...]:
    """Return the version in a signature as numbers; empty if there is none."""
    import re

    # No version is so large that its tenth digit counts, and Python reads only some thousand.
    return tuple(int(part[:9]) for part in re.findall(r"\d+", fields.get("version", ""))[:3])


def _plain(text: str) -> str:
    """Remove the markup of a paper or a web page, and what whitespace it has too much."""
    import re

    # Line breaks and other whitespace: none around separators, and else a space.
    return re.sub(r" ?([|+]) ?|(?<=[:.]) ", r"\1", " ".join(_unmarked(text).split()))


def _unmarked(text: str) -> str:
    import re

    if "\\" in text or "$" in text:
        for pattern, plain in _LATEX:
            text = re.sub(pattern, plain, text)
    # Backticks and quotation marks; invisible hyphens and spaces.
    return re.sub("[`\"'\u201c\u201d\u2018\u2019\u00ad\u200b]", "", text)


def _closed(text: str) -> str:
    """Remove closing brackets whose opening brackets have been removed."""
    for opening, closing in ("()", "[]"):
        if text.count(opening) < text.count(closing):
            text = text.rstrip(closing + _AROUND)
    return text


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

    Examples
    --------
    >>> import truebleu
    >>> truebleu.assert_comparable(truebleu.Bleu().signature, truebleu.Ter().signature)
    Traceback (most recent call last):
    truebleu.SettingsError: these scores cannot be compared: one is of BLEU and the other of TER
    """
    texts = [_text_of(each) for each in (one, other)]
    metrics = [_metric(text) for text in texts]
    # What a text does not say is left to the other one.
    first, second = (each or next(filter(None, metrics), _OF_TOOL) for each in metrics)
    if first != second:
        names = " and the other of ".join(
            readers()[each].name if each in readers() else each for each in (first, second)
        )
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
    return readers()[_OF_TOOL].owner_of(text)


def _differences(metric: str, one: str, other: str) -> list[str]:
    """Describe the fields in which the signatures of one metric differ."""
    if reader := readers().get(metric):
        return reader.grammar.differences(reader.parse(one), reader.parse(other))
    first, second = (
        dict(piece.partition(":")[::2] for piece in text.split("|")) for text in (one, other)
    )
    return [
        f"{key} is {first.get(key)} in one and {second.get(key)} in the other"
        for key in dict.fromkeys((*first, *second))
        if key != "version" and first.get(key) != second.get(key)
        if key != "nrefs" or {"nrefs"} <= first.keys() & second.keys()
    ]
