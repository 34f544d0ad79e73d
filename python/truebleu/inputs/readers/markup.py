"""The SGML of NIST and WMT, and the XML of WMT since 2021."""

from __future__ import annotations

from io import BytesIO

from truebleu._core import Column
from truebleu.display.formatting import count as count_of
from truebleu.errors import InputError, LengthMismatchError
from truebleu.inputs.forms import DOCUMENT, REFERENCE, SOURCE
from truebleu.inputs.markup import is_reference, is_system
from truebleu.inputs.markup.sgml import read_sgml
from truebleu.inputs.readers.base import Reader, check_known, lines_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class Markup(Reader):
    """Segments of systems, references and the source, and the IDs of their documents."""

    def _open(self) -> None:
        with self.file as file:
            text = "\n".join(lines_of(file))
        self._fields = self._read_fields(text) if "<seg" in text.lower() else {}
        if not any(self._fields.values()):
            raise InputError(
                f"{self.name} is markup without segments (<seg>), not lines of text: save it as "
                f"plain text, one segment per line{self.as_text('it')}"
            )
        self.columns = list(self._fields)

    def _read_fields(self, text: str) -> dict[str, list[str]]:
        if "<dataset" not in text:
            return read_sgml(self.name, text, self.as_text())
        # Slow to load.
        from truebleu.inputs.markup.wmt_xml import read_wmt_xml

        content = BytesIO(text.encode())
        return read_wmt_xml(self.name, content, self.as_text(), translated=False)

    def chosen(self, role: str) -> Sequence[str]:
        """See :meth:`Reader.chosen`."""
        if role in (SOURCE, DOCUMENT):
            field = "src" if role == SOURCE else "docid"
            return [field] if field in self._fields else []
        systems = list(filter(is_system, self._fields))
        references = list(filter(is_reference, self._fields))
        if role == REFERENCE and references:
            return references
        # A reference may be scored as well.
        self.columns = systems or references or ["src"]
        return self.columns if len(self.columns) == 1 and self.columns != ["src"] else []

    def _batches(
        self, names: Sequence[str], labels: Sequence[str], *, nulls: bool, lists: bool, waits: bool
    ) -> Iterator[tuple[Column, ...]]:
        wanted = [*names, *labels]
        for name in wanted:
            check_known(self.name, name, self._fields)
            first, count = (len(self._fields[each]) for each in (wanted[0], name))
            if count != first:
                raise LengthMismatchError(
                    f"{self.name}: {wanted[0]} has {count_of(first, 'segment')} but {name} has "
                    f"{count:,}"
                )
        yield tuple(Column.of([*self._fields[name]]) for name in wanted)
