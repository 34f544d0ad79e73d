"""The ``repr`` of classes whose originals have none that says anything."""

from __future__ import annotations

from truebleu.record import brief, shortened


class Described:
    """Shows its public attributes."""

    def __repr__(self) -> str:
        shown = [f"{name}={brief(value)}" for name, value in vars(self).items() if name[0] != "_"]
        return shortened(f"{type(self).__name__}({', '.join(shown)})")
