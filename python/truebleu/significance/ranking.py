"""Ranks of systems, and clusters of them, from pairwise tests."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    Pairs = Iterable[tuple[str, str]]


def clusters_of(names: list[str], inseparable: Pairs) -> tuple[tuple[str, ...], ...]:
    """Group ranked systems: a line separates clusters if all above beat all below.

    Parameters
    ----------
    names : list of str
        The systems, the best first.
    inseparable : iterable of tuple of str
        The pairs whose difference is not significant.
    """
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
    """Return the best and the worst rank of each system, as in WMT rankings.

    The best is 1 plus the number of significantly better systems, the worst is the number of all
    systems minus the number of significantly worse ones.

    Parameters
    ----------
    names : list of str
        The systems, the best first.
    significant : iterable of tuple of str
        The pairs whose difference is significant.
    """
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
