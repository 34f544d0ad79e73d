"""Forge statistics, files of them, and signatures: each is read, or refused by truebleu.

A case is drawn from a seed and its number, so that each can be repeated by itself. Ends at the
first case that is neither.

    python campaign/forged.py --cases 1000000
    python campaign/forged.py --cases 1 --start 4711
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import pickle
import sys
import tempfile
import time
import warnings
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from truebleu import (
    Bleu,
    Chrf,
    SavedStats,
    Stats,
    Ter,
    TruebleuError,
    compare,
    read_stats,
    report,
)
from truebleu.metrics.storage import DIGEST, digest

from campaign.recorded import record

if TYPE_CHECKING:
    from collections.abc import Sequence

HYPOTHESES = ["the cat sat on the mat", "a dog barked at me", ""]
REFERENCES = ["the cat sat on a mat", "a dog barked at them", "nobody"]
METRICS: tuple[Any, ...] = (Bleu(), Bleu(max_order=2, smoothing="floor"), Chrf(), Ter())
STATS: list[bytes] = [metric.stats(HYPOTHESES, REFERENCES).to_bytes() for metric in METRICS]
SIGNATURES = [
    *(metric._write_signature(1) for metric in METRICS),
    "BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0 = 27.3 60.1/33.0/20.5/13.0",
    "BLEU+case.mixed+lang.en-de+numrefs.1+smooth.exp+test.wmt17+tok.13a+version.1.4.14",
    "chrF2|#:1|c:mixed|e:yes|nc:6|nw:0|s:no|v:2.0.0",
    "TER|nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:2.0.0",
]
# What breaks readers: extremes, ends, other scripts, and what divides the parts.
PIECES = [
    *("", "\t", "\n", "|", ":", "+", ".", "=", "\0", "-1", "0", "9" * 25, "nan", "inf", "1e400"),
    *(
        "\ud800",
        "é",
        "²",
        "\u0661",
        "\u2028",
        "`",
        "\\",
        "%s",
        "{}",
        "(?",
        "orders:65",
        "tok:x",
        "a" * 99,
    ),
]


def changed(chance: Random, words: Sequence[Any], extra: Sequence[Any]) -> list[Any]:
    """Change a sequence in some places."""
    result = list(words)
    for _ in range(chance.choice((1, 1, 1, 2, 3, 8))):
        start = chance.randrange(len(result) + 1)
        end = start + chance.choice((0, 1, 1, 2, 8))
        kind = chance.randrange(4)
        if kind == 0:
            result[start:end] = [chance.choice(extra)]
        elif kind == 1:
            result[start:end] = result[:: chance.choice((1, -1, 2))][: chance.randrange(20)]
        elif kind == 2:
            del result[start:end]
        else:
            del result[start:]
    return result


def forged_bytes(chance: Random) -> bytes:
    """Change bytes of statistics: their header as text, or anything as bytes; mostly seal them."""
    whole = _forged_bytes(chance, chance.choice(STATS)[:-DIGEST])
    return whole + digest(whole) if chance.random() < 0.8 else whole


def _forged_bytes(chance: Random, data: bytes) -> bytes:
    if chance.random() < 0.5:
        return bytes(changed(chance, data, range(256)))
    header, newline, rows = data.partition(b"\t")
    words = changed(chance, (header + newline + rows[:40]).decode("latin-1"), PIECES)
    extremes = [(1 << 63) - 1, -1, -(1 << 63), 1 << 62, 0, 3]
    row = b"".join(
        chance.choice(extremes).to_bytes(8, "little", signed=True)
        for _ in range(chance.randrange(12))
    )
    whole = "".join(words).encode("utf-8", "surrogatepass") + rows[40:]
    return whole if chance.random() < 0.5 else whole[: -len(row) or None] + row


def _refused(error: Exception) -> bool:
    """Return that nothing was read; the error has to say why."""
    assert str(error)
    return False


def try_bytes(chance: Random) -> bool:
    """Read forged statistics; return whether that succeeded."""
    data = forged_bytes(chance)
    try:
        stats = Stats.from_bytes(data)
        assert Stats.from_bytes(stats.to_bytes()) == stats
        assert pickle.loads(pickle.dumps(stats)) == stats
        assert repr(stats)
        for metric in METRICS:
            try:
                score = metric.score(stats).score
            except TruebleuError:
                continue
            assert 0 <= score <= math.inf, score
    except TruebleuError as error:
        return _refused(error)
    return True


def try_signature(chance: Random) -> bool:
    """Read a forged signature; return whether that succeeded."""
    text = "".join(changed(chance, chance.choice(SIGNATURES), PIECES))
    metric = chance.choice((Bleu, Chrf, Ter))
    try:
        read: Any = metric.from_signature(text)
        again = metric.from_signature(read._write_signature(1))
        assert again == read, (read, again)
    except TruebleuError as error:
        return _refused(error)
    return True


FOLDER = Path(tempfile.mkdtemp(prefix="truebleu-forged-"))
# What values of a file are replaced by.
VALUES: list[Any] = [
    *(None, True, -1, 0, 1, 3, 1 << 63, -(1 << 63), 10**30, 0.5, math.nan, math.inf, 1e400),
    *("", "x", "1", "\ud800", "a" * 2000, [], [1], {}, {"a": 1}, [[[[]]]], "bleu", "sum"),
]


def _saved() -> SavedStats:
    """Return segments and sums of two metrics, with documents and batches."""
    parts = []
    for metric in METRICS[1:3]:
        stats = metric.stats(HYPOTHESES, REFERENCES)
        known: Any = {"documents": ["d", "d", "e"], "batch": "day", "references": REFERENCES}
        both = SavedStats({"A": stats, "B": stats}, metric, **known)
        parts += [both, both.select(systems=["A"]).summed()]
    segments, sums, *others = parts
    named = SavedStats({"C": METRICS[1].stats(HYPOTHESES, REFERENCES)}, METRICS[1], batch="next")
    return segments.merge(others[0], named.summed(), sums)


def _files() -> dict[str, bytes]:
    saved, files = _saved(), {}
    for suffix in ("jsonl", "jsonl.gz"):
        path = FOLDER / f"whole.{suffix}"
        saved.write(path)
        files[suffix] = path.read_bytes()
    return files


FILES = _files()
ROWS: list[Any] = [json.loads(line) for line in FILES["jsonl"].splitlines()]


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Return where each value of a row or header is."""
    keys = value if isinstance(value, dict) else range(len(value))
    found = [(value, key) for key in keys]
    for key in keys:
        if isinstance(value[key], dict | list):
            found += _places(value[key])
    return found


def forged_lines(chance: Random) -> bytes:
    """Change values of a file of JSON Lines, its lines, or what JSON is."""
    rows = pickle.loads(pickle.dumps(ROWS))
    for _ in range(chance.choice((0, 1, 1, 2))):
        row = chance.choice((rows[0], *rows))
        inside, key = chance.choice(_places(row))
        if chance.random() < 0.2:
            del inside[key]
        else:
            inside[key] = chance.choice(VALUES)
    lines = [json.dumps(row) for row in rows]
    kind = chance.randrange(6)
    place = chance.randrange(len(lines))
    if kind == 0:
        lines = changed(chance, lines, ["", "[]", "[" * 60_000, "{" * 3, "9" * 5000, lines[0]])
    elif kind == 1:
        lines[place] = f'{lines[place][:-1]}, "key": 1}}'
    elif kind == 2:
        lines[place] = "".join(changed(chance, lines[place], PIECES))
    if lines and chance.random() < 0.7:
        lines[-1] = _end(lines[:-1])
    return "\n".join(lines).encode("utf-8", "surrogatepass")


def _end(lines: list[str]) -> str:
    """Return the end that fits lines, so that readers look at what is in them."""
    rows = sum(line.startswith("[") or '"sum"' in line for line in lines)
    text = "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass")
    return json.dumps({"level": "end", "rows": rows, "sha256": sha256(text).hexdigest()})


def forged_file(chance: Random) -> Path:
    """Write a forged file, in any of the forms."""
    suffix = chance.choice(("jsonl", "jsonl", "jsonl.gz"))
    path = FOLDER / f"forged.{suffix}"
    if suffix == "jsonl":
        path.write_bytes(forged_lines(chance))
    elif suffix == "jsonl.gz" and chance.random() < 0.5:
        path.write_bytes(gzip.compress(forged_lines(chance), 1))
    else:
        path.write_bytes(bytes(changed(chance, FILES[suffix], range(256))))
    return path


# Of the files that are read, as a page takes longer than all else.
PAGES = 0.02


def try_file(chance: Random) -> bool:
    """Read a forged file; return whether that succeeded."""
    path = forged_file(chance)
    try:
        saved = read_stats(path)
        assert repr(saved)
        for each in saved.metrics.values():
            assert all(0 <= score.score <= math.inf for score in saved.scores(each).values())
        saved.summed(by_batch=False).by_label(list(saved.metrics.values()))
        compare(saved, n_resamples=None)
        if chance.random() < PAGES:
            page = report(saved, n_resamples=None).to_html()
            assert "This report is made from statistics" in page
        saved.write(FOLDER / "again.jsonl")
        assert repr(read_stats(FOLDER / "again.jsonl")) == repr(saved)
    except (TruebleuError, OSError) as error:  # What is compressed may be damaged.
        return _refused(error) if "saved" not in locals() else True
    return True


KINDS = {"statistics": try_bytes, "files": try_file, "signatures": try_signature}


def run(kind: str, start: int, cases: int, seed: int) -> int:
    """Try cases of a kind; return how many of them were read.

    Raises
    ------
    AssertionError
        For the first case that is neither read nor refused as it should be.
    """
    read = 0
    for number in range(start, start + cases):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                read += KINDS[kind](Random(f"{seed} {kind} {number}"))
        except Exception as error:
            raise AssertionError(f"case {number} of {kind}, seed {seed}") from error
    return read


def main() -> None:
    """Try all kinds, print how many cases there were, and record it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=1_000_000)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rows = []
    for kind in KINDS:
        begin = time.monotonic()
        read = run(kind, options.start, options.cases, options.seed)
        seconds = time.monotonic() - begin
        rows.append([kind, options.start, options.cases, options.seed, read, f"{seconds:.0f}"])
        print(f"{kind}: {options.cases:,} cases, {read:,} read, the others refused", flush=True)
    record("forged", ["kind", "start", "cases", "seed", "read", "seconds"], rows)


if __name__ == "__main__":
    main()
