"""The files that sacreBLEU has extracted from test sets, used where they are."""

from __future__ import annotations

from truebleu.downloads.places import sacrebleu_folder
from truebleu.test_sets.parsing.raw import is_system, separate_fields
from truebleu.test_sets.processed import lines_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    from truebleu.test_sets.processed import Fields
    from truebleu.test_sets.registry import RegisteredSet


def fields_of_sacrebleu(test_set: RegisteredSet, pair: str) -> Fields | None:
    """Return the fields that sacreBLEU has extracted, if they are complete.

    sacreBLEU keeps no checksums. Files that differ in length, or end within a line, are what an
    interrupted run leaves behind. Only systems may lack documents.
    """
    try:
        paths = files_of_sacrebleu(test_set, pair)
        fields = {
            field: lines_of(paths[name].read_bytes())
            for field, name in _file_names(test_set, pair, paths).items()
        }
    except (OSError, ValueError, KeyError):
        return None
    lengths = {len(lines) for field, lines in fields.items() if not is_system(field)}
    return fields if len(lengths) == 1 and lengths != {0} else None


def files_of_sacrebleu(test_set: RegisteredSet, pair: str) -> dict[str, Path]:
    """Return the files of a language pair, by what their names end in, in alphabetical order."""
    prefix = f"{test_set.file_name}.{pair}."
    paths = (sacrebleu_folder() / test_set.name).glob(f"{prefix}*")
    return {path.name[len(prefix) :]: path for path in sorted(paths)}


def _file_names(test_set: RegisteredSet, pair: str, paths: dict[str, Path]) -> dict[str, str]:
    """Return the fields in sacreBLEU's order, and what the name of the file of each ends in."""
    members, scored = test_set.pairs[pair].members, test_set.pairs[pair].scored
    if test_set.kind == "wmt-xml":
        # The names of systems and of other references are only in the names of files. Of those,
        # names that begin with "ref-" had a colon.
        inner = {"src", "docid", "origlang", "domain"}
        references = [name for name in paths if name == "ref" or name.startswith("ref-")]
        fields = {
            "src": "src",
            **{name.replace("ref-", "ref:", 1): name for name in references},
            **{name: name for name in ("docid", "origlang")},
            **{name: name for name in paths if name not in {*inner, *references}},
            **({"domain": "domain"} if "domain" in paths else {}),
        }
        if not fields.keys() & set(scored):
            raise KeyError(scored)
        return fields
    names = separate_fields(test_set.name, test_set.kind, len(members) - 1)
    return {name: name.replace(":", "-") for name in names}
