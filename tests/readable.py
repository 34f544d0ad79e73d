"""What no output says: a zero with a sign, a noun of the wrong number."""

import re

# Whatever is printed: a zero with a sign, of any length.
NEGATIVE_ZERO = re.compile(r"(?<![\w.\-−])[-−]0(?:\.0*)?(?:[eE][-+]?\d+)?(?![\w.])")

THINGS = "document item line pair reference row sample segment setting system test token trial"
ONE_OF_MANY = re.compile(rf"(?<![\w.,:/])1 (?:{'|'.join(f'{each}s' for each in THINGS.split())})\b")
MANY_OF_ONE = re.compile(
    rf"(?<![\w.,:/])(?:[02-9]|[\d,.]*[\d.]\d) (?:{'|'.join(THINGS.split())})\b(?!-)"
)


def assert_readable(said):
    """Fail if a zero has a sign, or a noun the wrong number."""
    assert NEGATIVE_ZERO.findall(said) == []
    assert ONE_OF_MANY.findall(said) == []
    assert MANY_OF_ONE.findall(said) == []
