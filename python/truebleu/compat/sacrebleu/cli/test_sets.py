"""Options that list test sets and print their fields."""

from __future__ import annotations

from truebleu.compat.sacrebleu import utils
from truebleu.compat.sacrebleu.cli.errors import LOGICAL_ERROR, FatalError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace


def print_list(args: Namespace) -> None:
    """Print the test sets on disk, or the fields of one."""
    if args.test_set:
        pairs = [args.langpair] if args.langpair else utils.get_langpairs_for_testset(args.test_set)
        for pair in pairs:
            print(f"{pair}: {', '.join(utils.fields_of(args.test_set, pair))}")
        return
    if args.langpair:
        names = utils.get_available_testsets_for_langpair(args.langpair)
        print(f"The available test sets for {args.langpair} are:")
    else:
        names = utils.get_available_testsets()
        print("The available test sets are:")
    for name in sorted(names):
        print(f"{name:<30}: on disk")


def print_fields(args: Namespace) -> None:
    """Print fields of test sets side by side.

    Raises
    ------
    FatalError
        If options are missing or conflict, or a field does not exist.
    """
    if args.test_set is None or args.langpair is None:
        raise FatalError(LOGICAL_ERROR, "--echo requires a test set (--t) and a language pair (-l)")
    if "all" in args.echo and len(args.echo) > 1:
        raise FatalError(LOGICAL_ERROR, "Cannot use --echo all with other fields")
    for name in args.test_set.split(","):
        available = utils.fields_of(name, args.langpair)
        fields = list(available) if args.echo == ["all"] else list(args.echo)
        # If references have names, `ref` stands for the first.
        first = min(filter(utils.is_reference, available), default="ref")
        if "ref" not in available:
            fields = [first if field == "ref" else field for field in fields]
        for field in fields:
            if field not in available:
                hint = f"'ref' also allowed for backwards compatibility (will return {first})"
                raise FatalError(
                    LOGICAL_ERROR,
                    f"No such field {field} in test set {name} for language pair {args.langpair}.",
                    f"available fields for {name}/{args.langpair}: {', '.join(available)}",
                    *([hint] if first != "ref" else []),
                )
        files = [utils.smart_open(available[field]) for field in fields]
        for lines in zip(*files, strict=False):
            print("\t".join(line.rstrip() for line in lines))
