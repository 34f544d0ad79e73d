"""``truebleu mbr``: the sample of highest expected BLEU, of each source."""

from __future__ import annotations

import itertools

from truebleu.cli.options import settings_from, threads_from
from truebleu.cli.progress import Bar
from truebleu.errors import EncodingError, InputError, SettingsError
from truebleu.inputs.files import open_binary

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterator

    Sample = tuple[str, str, float | None]


def run(options: Namespace) -> None:
    """Print a choice for each source as soon as its last sample has been read."""
    import json

    # It needs NumPy, which other commands do not.
    from truebleu.generation.decoding import mbr

    settings = settings_from(options)
    if settings.pop("weights", None) is not None:
        raise SettingsError("mbr takes no --weights; --max-order chooses the orders")
    threads = threads_from(options)
    read = READERS[options.format]
    bar = Bar("sources")
    done = 0
    try:
        for path in options.files:
            samples = (read(line, f"{path}, line {number}") for number, line in _lines(path))
            for key, group in itertools.groupby(samples, key=lambda sample: sample[0]):
                own = list(group)
                weights = _weights(key, [weight for _, _, weight in own])
                texts = [text for _, text, _ in own]
                choice = mbr(texts, weights, method=options.method, threads=threads, **settings)
                line = choice.sample
                if options.json:
                    line = json.dumps({"key": key, **choice.to_dict()}, ensure_ascii=False)
                print(line, flush=True)
                done += 1
                bar.update(done, None)
    finally:
        bar.close()


def _lines(path: str) -> Iterator[tuple[int, str]]:
    """Yield numbers and lines as they come in."""
    file = open_binary(path)
    number = 0
    rest = b""
    try:
        while block := file.read(1 << 16):
            *lines, rest = (rest + block).split(b"\n")
            for line in lines:
                number += 1
                yield number, _text(line, path, number)
        if rest:
            yield number + 1, _text(rest, path, number + 1)
    finally:
        file.close()


def _text(line: bytes, path: str, number: int) -> str:
    try:
        return line.removesuffix(b"\r").decode("utf-8")
    except UnicodeDecodeError as error:
        raise EncodingError(f"{path}, line {number}: not UTF-8 ({error.reason})") from error


def _weights(key: str, weights: list[float | None]) -> list[float] | None:
    """Return the weights of the samples of a source: of all, or of none."""
    found = [weight for weight in weights if weight is not None]
    if found and len(found) < len(weights):
        raise InputError(f"source {key}: some samples have a weight, and some have none")
    return found or None


def _jsonl(line: str, where: str) -> Sample:
    import json

    try:
        record = json.loads(line)
        key, text, weight = record["key"], record["text"], record.get("weight")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(
            f'{where}: an object with "key" and "text" is needed, and perhaps "weight": {error!r}'
        ) from error
    if not isinstance(text, str) or isinstance(weight, str | list | dict):
        raise InputError(f'{where}: "text" is a str, and "weight" a number')
    return str(key), text, weight


def _tsv(line: str, where: str) -> Sample:
    key, tab, text = line.partition("\t")
    if not tab:
        raise InputError(f"{where}: a key, a tab and a text are needed")
    return key, text, None


def _moses(line: str, where: str) -> Sample:
    fields = line.split(" ||| ")
    if len(fields) < 2:
        raise InputError(f"{where}: number ||| text ||| perhaps scores is needed")
    return fields[0].strip(), fields[1], None


# How n-best lists come.
READERS: dict[str, Callable[[str, str], Sample]] = {
    "jsonl": _jsonl,
    "tsv": _tsv,
    "moses": _moses,
}
