"""Ranks and clusters of systems, as in WMT, from the pairs that differ significantly."""

from __future__ import annotations

from collections.abc import Iterable

Pairs = Iterable[tuple[str, str]]


def clusters_of(names: list[str], inseparable: Pairs) -> tuple[tuple[str, ...], ...]:
    """Group systems, given the best first: no `inseparable` pair has members in two groups."""
    rank = {name: index for index, name in enumerate(names)}
    joined_to_next = [False] * len(names)
    for pair in inseparable:
        # No line between these two.
        first, last = sorted(rank[name] for name in pair)
        joined_to_next[first:last] = [True] * (last - first)
    groups: list[list[str]] = [[]]
    for name, joined in zip(names, joined_to_next, strict=True):
        groups[-1].append(name)
        if not joined:
            groups.append([])
    return tuple(tuple(group) for group in groups if group)


def rank_ranges(names: list[str], significant: Pairs) -> dict[str, tuple[int, int]]:
    """Return the best and the worst rank of systems, of which `names` has the best first."""
    rank = {name: index for index, name in enumerate(names)}
    best, worst = dict.fromkeys(names, 1), dict.fromkeys(names, len(names))
    for pair in significant:
        better, worse = sorted(pair, key=rank.__getitem__)
        best[worse] += 1
        worst[better] -= 1
    return {name: (best[name], worst[name]) for name in names}


def rank_range(best: int, worst: int) -> str:
    """Write a range of ranks: ``2-4``, or ``3``."""
    return str(best) if best == worst else f"{best}-{worst}"
