"""The base class of sacreBLEU's signatures."""

from __future__ import annotations

from typing import Any

from truebleu._core import __version__

_SHORT = {
    "version": "v",
    "nrefs": "#",
    "test": "t",
    "lang": "l",
    "subset": "S",
    "origlang": "o",
    "ar": "ar",
    "bs": "bs",
    "seed": "rs",
}


class Signature:
    """Everything a score depends on, as fields of a string; from the attributes of its metric."""

    def __init__(self, args: dict[str, Any]) -> None:
        """Read the fields that all metrics share; see the class."""
        self._abbr = dict(_SHORT)
        if "num_refs" not in args:
            raise ValueError("Number of references unknown, please evaluate the metric first.")
        references = args["num_refs"]
        self.info: dict[str, Any] = {
            "version": f"truebleu-{__version__}",
            "nrefs": "var" if references == -1 else references,
            "bs": args.get("n_bootstrap"),
            "ar": None,
            "seed": args.get("seed"),
            "test": args.get("test_set"),
            "lang": args.get("langpair"),
            "origlang": args.get("origlang"),
            "subset": args.get("subset"),
        }

    def format(self, short: bool = False) -> str:
        """Join the fields, the version last."""
        fields = []
        for key in [*(key for key in self.info if key != "version"), "version"]:
            value = self.info[key]
            if isinstance(value, bool):
                value = "yes" if value else "no"
            if value is not None:
                fields.append(f"{self._abbr[key] if short else key}:{value}")
        return "|".join(fields)

    def update(self, key: str, value: Any) -> None:
        """Set a field."""
        self.info[key] = value

    def __str__(self) -> str:
        """Return the long form."""
        return self.format()

    __repr__ = __str__
