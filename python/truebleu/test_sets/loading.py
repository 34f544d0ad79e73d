"""Test sets as Python objects."""

from __future__ import annotations

from types import MappingProxyType

from truebleu.display.shown import Result
from truebleu.errors import InputError, SettingsWarning, warn, wrong_type
from truebleu.inputs.markup import is_reference, is_system
from truebleu.test_sets.registry import find_set
from truebleu.test_sets.store import fields_of
from truebleu.tokenizers.registry import BY_LANGUAGE

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from truebleu.test_sets.descriptions import Description
    from truebleu.test_sets.store import Fields
    from truebleu.tokenizers.registry import TokenizerName


class TestSet(Result):
    """A test set in one language pair.

    >>> import truebleu
    >>> truebleu.load_test_set("examples/test_set.toml", "de-en").documents[:2]
    ['news-1', 'news-1']

    Attributes
    ----------
    name : str
        Such as ``wmt24``.
    pair : str
        The language pair, such as ``en-de``.
    sources : list of str
        One source per segment.
    references : list of list of str
        For each segment, the references that sacreBLEU uses, equally many for all segments. One
        that the test set lacks is an empty string.
    documents : list of str or None
        The ID of the document of each segment, if the set has documents.
    domains : list of str or None
        The domain of each segment, such as ``news``, if the set says so; before 2021, the genre.
    origlang : list of str or None
        The language in which each segment was written, if the set says so.
    systems : mapping of str to list of str
        The system outputs that come with the set; some of WMT21 to WMT24 have them. Systems that
        lack documents are left out.
    tokenizer : str
        The tokenizer that sacreBLEU uses for BLEU in the target language: ``zh``, ``ja-mecab``,
        ``ko-mecab``, or ``13a`` for any other.
    """

    __module__ = "truebleu"

    # pytest would take the class for a test.
    __test__ = False

    name: str
    pair: str
    sources: list[str]
    references: list[list[str]]
    documents: list[str] | None
    domains: list[str] | None
    origlang: list[str] | None
    systems: Mapping[str, list[str]]
    tokenizer: TokenizerName

    @property
    def signature(self) -> str:
        """The fields that name the test set in signatures: ``test:wmt24|lang:en-de``."""
        return f"test:{self.name}|lang:{self.pair}"

    def __len__(self) -> int:
        return len(self.sources)

    def __repr__(self) -> str:
        return (
            f"TestSet(name={self.name!r}, pair={self.pair!r}, segments={len(self)}, "
            f"references={len(self.references[0])}, systems={len(self.systems)})"
        )


def load_test_set(
    name: str | os.PathLike[str], pair: str, *, offline: bool | None = None
) -> TestSet:
    """Load a test set that sacreBLEU knows, or one of your own.

    Sets that neither truebleu nor sacreBLEU has on disk are downloaded, and checked against the
    published MD5. The text is the same, byte for byte, as in sacreBLEU.

    Parameters
    ----------
    name : str or os.PathLike
        The name of a test set, such as ``wmt24``; or the path of a TOML file that describes one.
    pair : str
        A language pair, such as ``en-de``.
    offline : bool, optional
        Whether to raise an error instead of downloading. Default: whether the environment
        variable TRUEBLEU_OFFLINE is set.

    Returns
    -------
    TestSet

    Raises
    ------
    UnknownNameError
        If there is no such test set, or it does not have the pair.
    DownloadError
        If a file cannot be downloaded or unpacked, or is not the expected one.
    InputError
        If the text of a file is invalid, or its fields differ in length.

    Warns
    -----
    SettingsWarning
        If a system lacks segments, and is left out.

    Examples
    --------
    >>> test_set = load_test_set("examples/test_set.toml", "de-en")
    >>> test_set
    TestSet(name='example', pair='de-en', segments=72, references=2, systems=0)
    >>> test_set.tokenizer
    '13a'
    """
    test_set = find_set(name)
    if not isinstance(pair, str):
        raise wrong_type("pair", pair, "a str such as 'en-de' is needed")
    return _made(test_set, pair, fields_of(test_set, pair, offline=offline))


def _made(test_set: Description, pair: str, fields: Fields) -> TestSet:
    name, chosen = test_set.name, test_set.pairs[pair].scored
    # A set has "ref", or "ref:0" and so on, or the names of translators.
    everyone = list(filter(is_reference, fields))
    scored = [field for field in everyone if field in chosen] if chosen else everyone
    if not scored:
        raise InputError(
            f"{name} {pair} has no reference {' or '.join(chosen)}; it has "
            f"{', '.join(everyone) or 'none at all'}"
        )
    systems = {field: lines for field, lines in fields.items() if is_system(field)}
    for system in [each for each in systems if len(systems[each]) != len(fields["src"])]:
        warn(
            f"{name} {pair}: the system {system} has {len(systems.pop(system)):,} segments of "
            f"{len(fields['src']):,}, and is left out: it is unknown which are missing",
            SettingsWarning,
        )
    language = pair.partition("-")[2].partition("_")[0]
    return TestSet(
        name=name,
        pair=pair,
        sources=fields["src"],
        references=[list(each) for each in zip(*(fields[field] for field in scored), strict=True)],
        documents=_unless_empty(fields.get("docid")),
        domains=_unless_empty(fields.get("domain", fields.get("genre"))),
        origlang=_unless_empty(fields.get("origlang")),
        systems=MappingProxyType(systems),
        tokenizer=test_set.tokenizer or BY_LANGUAGE.get(language, "13a"),
    )


def _unless_empty(lines: list[str] | None) -> list[str] | None:
    """Return None for a field without any text: SGML files may lack attributes."""
    return lines if lines and any(lines) else None
