"""JSON with a list of objects, or of strings."""

from __future__ import annotations

import json

from truebleu.errors import InputError
from truebleu.inputs import forms
from truebleu.inputs.files import LineFile, LinesInMemory
from truebleu.inputs.readers.base import lines_of
from truebleu.inputs.readers.json_lines import JsonLines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class JsonFile(JsonLines):
    """The items of a list, read as JSON Lines; strings are the column ``text``."""

    unit = "item"

    def _open(self) -> None:
        with self.file as file:
            found = self._list(list(lines_of(file)))
        items = ({"text": each} if isinstance(each, str) else each for each in found)
        self.is_guess = not all(isinstance(each, str) for each in found)
        self.file = LineFile(LinesInMemory(self.name, [json.dumps(each) for each in items]))
        super()._open()

    def _list(self, lines: list[str]) -> list[Any]:
        try:
            found = forms.json_of_lines(self.name, lines)
        except InputError:
            raise
        except (ValueError, RecursionError) as error:
            raise InputError(
                f"{self.name} is not well-formed JSON ({error}){self.as_text('it')}"
            ) from None
        if not isinstance(found, list):
            raise InputError(
                f"{self.name} is JSON without a list of objects or strings, not lines of text: "
                f"write one object per line{self.as_text('it')}"
            )
        return found
