"""sacreBLEU's command line for BLEU: the same options, and the same bytes."""

from __future__ import annotations

import argparse
import io
import logging
import os
import sys

from truebleu._core import __version__ as core___version__
from truebleu.compat.sacrebleu import __version__, printing, utils
from truebleu.compat.sacrebleu.metrics import BLEU
from truebleu.errors import MissingExtraError, SettingsError, TruebleuError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

sacrelogger = logging.getLogger("sacrebleu")

_FORMATS = ("json", "text", "latex")

# Exit codes.
_LOGICAL, _USAGE, _FIELDS = 1, 2, 17

# Options that belong to other metrics, or to test sets that have to be fetched: with a value, and
# without one.
_FOREIGN = {
    "--chrf-char-order": "-cc",
    "--chrf-word-order": "-cw",
    "--chrf-beta": None,
    "--origlang": "-ol",
    "--subset": None,
    "--download": None,
}
_FOREIGN_FLAGS = {
    "--chrf-whitespace": None,
    "--chrf-lowercase": None,
    "--chrf-eps-smoothing": None,
    "--ter-case-sensitive": None,
    "--ter-asian-support": None,
    "--ter-no-punct": None,
    "--ter-normalized": None,
    "--citation": "--cite",
    "--detail": "-d",
}


class _Refuse(argparse.Action):
    """Say that an option is not ours."""

    def __call__(self, parser: ArgumentParser, *_: object) -> None:
        """Exit with 2."""
        option = self.option_strings[-1]
        parser.error(
            f"{option}: truebleu computes BLEU, and fetches no test sets; use sacrebleu for this"
        )


def _parser() -> ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="sacrebleu", description="sacreBLEU's command line for BLEU, computed by truebleu."
    )
    add = parser.add_argument
    add("--list", action="store_true", help="list the test sets on disk")
    add("--test-set", "-t", help="test sets on disk, separated by commas")
    add("--language-pair", "-l", dest="langpair", help="such as en-de")
    add("--echo", nargs="+", metavar="FIELD", help="print fields of a test set, such as src or ref")
    add("--input", "-i", nargs="*", help="files of systems instead of standard input")
    add("refs", nargs="*", default=[], help="files of references, before --input")
    add("--num-refs", "-nr", type=int, default=1, help="references per line, separated by tabs")
    add("--encoding", "-e", default="utf-8", help="of all files (utf-8)")
    add("--metrics", "-m", nargs="+", choices=["bleu", "chrf", "ter"], default=["bleu"])
    add("--sentence-level", "-sl", action="store_true", help="score every line")
    add("--smooth-method", "-s", choices=list(BLEU.SMOOTH_DEFAULTS), default="exp")
    add("--smooth-value", "-sv", type=float)
    add("--tokenize", "-tok", choices=list(BLEU.TOKENIZERS))
    add("--lowercase", "-lc", action="store_true")
    add("--force", action="store_true", help="do not warn of text that looks tokenized")
    add("--confidence", "-ci", action="store_true", help="an interval, by bootstrap")
    add("--confidence-n", "-cin", type=int, default=1000, help="samples of it (1000)")
    pair = parser.add_mutually_exclusive_group()
    pair.add_argument("--paired-ar", "-par", action="store_true", help="test by randomisation")
    pair.add_argument("--paired-bs", "-pbs", action="store_true", help="test by bootstrap")
    add("--paired-ar-n", "-parn", type=int, default=10000, help="trials (10000)")
    add("--paired-bs-n", "-pbsn", type=int, default=1000, help="samples (1000)")
    add("--paired-jobs", "-j", type=int, default=1, help="is taken and not needed")
    add("--quiet", "-q", action="store_true")
    add("--short", "-sh", action="store_true", help="short signatures")
    add("--score-only", "-b", action="store_true")
    add("--width", "-w", type=int, default=1, help="decimals (1)")
    add("--no-color", "-nc", action="store_true")
    add("--format", "-f", default="json", choices=_FORMATS)
    version = f"%(prog)s {__version__} (truebleu {core___version__})"
    add("--version", "-V", action="version", version=version)
    for option, short in _FOREIGN.items():
        add(*filter(None, (option, short)), action=_Refuse, help=argparse.SUPPRESS)
    for option, short in _FOREIGN_FLAGS.items():
        names = filter(None, (option, short))
        add(*names, action=_Refuse, nargs=0, help=argparse.SUPPRESS)
    return parser


class _FatalError(Exception):
    """What sacreBLEU logs before it exits."""

    def __init__(self, code: int, *lines: str) -> None:
        super().__init__(*lines)
        self.code = code
        self.lines = lines


def main(arguments: list[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    arguments : list of str, optional
        Default: those of the process.

    Returns
    -------
    int
        The exit code: 0, 1 for what sacreBLEU calls an error, 17 if lines differ in fields, 2 for
        bad usage.
    """
    parser = _parser()
    args = parser.parse_args(arguments)
    if args.metrics != ["bleu"]:
        parser.error(
            f"--metrics {' '.join(args.metrics)}: truebleu computes BLEU; use sacrebleu for others"
        )
    wanted = os.environ.get("SACREBLEU_FORMAT", "").lower()
    if wanted in _FORMATS:
        args.format = wanted
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    if not args.quiet:
        logging.basicConfig(level=logging.INFO, format="sacreBLEU: %(message)s")
    try:
        _run(args)
        sys.stdout.flush()
    except _FatalError as fatal:
        for line in fatal.lines:
            sacrelogger.error(line)
        return fatal.code
    except (MissingExtraError, SettingsError) as error:
        parser.error(str(error))
    except (TruebleuError, OSError, UnicodeError) as error:
        sacrelogger.error(str(error))
        return _LOGICAL
    except BrokenPipeError:
        sys.stdout = None
    return 0


def _run(args: Namespace) -> None:
    if args.list:
        _list(args)
        return
    _check(args)
    if args.echo:
        _echo(args)
        return
    references = _references(args)
    args.num_refs = len(references)
    names, systems = _systems(args)
    paired = args.paired_ar or args.paired_bs
    _check_systems(args, names, systems, references)
    metric = BLEU(
        lowercase=args.lowercase,
        force=args.force,
        tokenize=args.tokenize,
        smooth_method=args.smooth_method,
        smooth_value=args.smooth_value,
        effective_order=args.sentence_level,
        trg_lang=args.langpair.split("-")[1] if args.langpair else "",
        references=references,
    )
    if args.sentence_level:
        for hypothesis, *several in zip(systems[0], *references, strict=True):
            score = metric.sentence_score(hypothesis, several)
            signature = metric.get_signature().format(args.short)
            print(score.format(args.width, args.score_only, signature))
    elif len(systems) == 1:
        samples = args.confidence_n if args.confidence else 1
        score = metric.corpus_score(systems[0], None, n_bootstrap=samples)
        is_json = args.format == "json"
        signature = metric.get_signature().format(args.short and not is_json)
        printing.print_score(score.format(args.width, args.score_only, signature, is_json), args)
    else:
        sacrelogger.info(f"Found {len(systems)} systems.")
        if paired:
            names[0] = "Baseline" if args.input is None else f"Baseline: {names[0]}"
            names[1:] = [
                f"System {number}" if args.input is None else name
                for number, name in enumerate(names[1:], 1)
            ]
            _compare(args, metric, names, systems)
        else:
            scores = [
                metric.corpus_score(system, None).format(args.width, score_only=True)
                for system in systems
            ]
            signature = metric.get_signature().format(args.short)
            printing.print_table({"System": names, "BLEU": scores}, signature, args)


def _compare(args: Namespace, metric: BLEU, names: list[str], systems: list[list[str]]) -> None:
    from truebleu.compat.sacrebleu.significance import PairedTest

    test = PairedTest(
        list(zip(names, systems, strict=True)),
        {"BLEU": metric},
        None,
        "bs" if args.paired_bs else "ar",
        args.paired_bs_n if args.paired_bs else args.paired_ar_n,
    )
    signatures, scores = test()
    printing.print_table(scores, signatures["BLEU"].format(args.short), args)


def _list(args: Namespace) -> None:
    if args.test_set:
        pairs = [args.langpair] if args.langpair else utils.get_langpairs_for_testset(args.test_set)
        for pair in pairs:
            print(f"{pair}: {', '.join(utils.fields_of(args.test_set, pair))}")
        return
    if args.langpair:
        found = utils.get_available_testsets_for_langpair(args.langpair)
        print(f"The available test sets for {args.langpair} are:")
    else:
        found = utils.get_available_testsets()
        print("The available test sets are:")
    for name in sorted(found):
        print(f"{name:<30}: on disk")


def _check(args: Namespace) -> None:
    """Refuse what sacreBLEU refuses before it reads a file."""
    if args.num_refs != 1 and (args.test_set is not None or len(args.refs) > 1):
        raise _FatalError(
            _LOGICAL,
            "The --num-refs argument allows you to provide any number of tab-delimited references "
            "in a single file.",
            "You can only use it with externally provided references, however (i.e., not with "
            "`-t`),",
            "and you cannot then provide multiple reference files.",
        )
    if args.test_set is None:
        if not args.refs:
            raise _FatalError(
                _LOGICAL,
                "If manual references given, make sure to provide them before the -i/--input "
                "argument to avoid confusion.",
                "Otherwise, I need a predefined test set (-t) from the following list:",
                str(utils.get_available_testsets()),
            )
        return
    if args.refs:
        raise _FatalError(
            _LOGICAL,
            "I need exactly one of (a) a predefined test set (-t) or (b) a list of references",
        )
    if args.langpair is None:
        raise _FatalError(
            _LOGICAL,
            "I need a language pair (-l). Use --list to see available language pairs for this "
            "test set.",
        )
    for name in args.test_set.split(","):
        if not utils.fields_of(name, args.langpair):
            raise SettingsError(
                f"test set {name} with language pair {args.langpair} is not on disk, and truebleu "
                f"downloads none: `sacrebleu --download {name} -l {args.langpair}` does"
            )
    if args.tokenize == "none":
        sacrelogger.warning(
            "You are turning off BLEU's internal tokenizer presumably to supply your own "
            "tokenized files."
        )
        sacrelogger.warning("Published numbers will not be comparable to other papers.")


def _echo(args: Namespace) -> None:
    """Print fields of test sets."""
    if args.test_set is None or args.langpair is None:
        raise _FatalError(_LOGICAL, "--echo requires a test set (--t) and a language pair (-l)")
    if "all" in args.echo and len(args.echo) > 1:
        raise _FatalError(_LOGICAL, "Cannot use --echo all with other fields")
    for name in args.test_set.split(","):
        fields = utils.fields_of(name, args.langpair)
        wanted = list(fields) if args.echo == ["all"] else list(args.echo)
        # What `ref` stands for where references have names.
        first = min(filter(utils.is_reference, fields), default="ref")
        if "ref" not in fields:
            wanted = [first if field == "ref" else field for field in wanted]
        for field in wanted:
            if field not in fields:
                also = f"'ref' also allowed for backwards compatibility (will return {first})"
                raise _FatalError(
                    _LOGICAL,
                    f"No such field {field} in test set {name} for language pair {args.langpair}.",
                    f"available fields for {name}/{args.langpair}: {', '.join(fields)}",
                    *([also] if first != "ref" else []),
                )
        files = [utils.smart_open(fields[field]) for field in wanted]
        for lines in zip(*files, strict=False):
            print("\t".join(line.rstrip() for line in lines))


def _references(args: Namespace) -> list[list[str]]:
    groups = [args.refs]
    if args.test_set is not None:
        groups = [
            utils.get_reference_files(name, args.langpair) for name in args.test_set.split(",")
        ]
    if any(len(files) > len(groups[0]) for files in groups):
        raise _FatalError(_LOGICAL, f"The test sets {args.test_set} differ in their references.")
    streams: list[list[str]] = [[] for _ in range(max(len(groups[0]), args.num_refs))]
    for files in groups:
        for number, path in enumerate(files):
            with utils.smart_open(path, encoding=args.encoding) as file:
                lines = [line.rstrip() for line in file]
            if args.num_refs == 1:
                streams[number] += lines
                continue
            for place, line in enumerate(lines, 1):
                several = line.split("\t", args.num_refs - 1)
                if len(several) != args.num_refs:
                    raise _FatalError(
                        _FIELDS,
                        f"FATAL: line {place}: expected {args.num_refs} fields, but found "
                        f"{len(several)}.",
                    )
                for stream, text in zip(streams, several, strict=True):
                    stream.append(text)
    return streams


def _systems(args: Namespace) -> tuple[list[str], list[list[str]]]:
    """Read the systems: files, or columns of standard input."""
    if args.input is None:
        return _columns(args)
    names: list[str] = []
    systems = []
    for path in args.input:
        if path in names:
            if (args.paired_ar or args.paired_bs) and path == names[0]:
                sacrelogger.info(f"Ignoring {path!r} as it was also given as the baseline.")
                continue
            raise _FatalError(
                _LOGICAL,
                f"{path!r} already used to name a system.",
                "Make sure to have a different basename for each system.",
            )
        with utils.smart_open(path, encoding=args.encoding) as file:
            systems.append([line.rstrip() for line in file])
        names.append(path)
    return names, systems


def _columns(args: Namespace) -> tuple[list[str], list[list[str]]]:
    stream = io.TextIOWrapper(sys.stdin.buffer, encoding=args.encoding)
    first = stream.readline().rstrip().split("\t")
    systems = [[text] for text in first]
    for line in stream:
        fields = line.rstrip().split("\t")
        if len(fields) != len(systems):
            raise _FatalError(
                _FIELDS,
                "FATAL: the number of tab-delimited fields in the input stream differ across "
                "lines.",
            )
        for system, text in zip(systems, fields, strict=True):
            system.append(text.rstrip())
    return [f"System {number}" for number in range(1, len(systems) + 1)], systems


def _check_systems(
    args: Namespace, names: list[str], systems: list[list[str]], references: list[list[str]]
) -> None:
    """Refuse what sacreBLEU refuses after it has read all files."""
    paired = args.paired_ar or args.paired_bs
    if args.sentence_level and len(names) > 1:
        raise _FatalError(_LOGICAL, "Only one system can be evaluated in sentence-level mode.")
    if args.sentence_level and (args.confidence or paired):
        raise _FatalError(_LOGICAL, "Statistical tests are unavailable in sentence-level mode.")
    if paired and len(names) == 1:
        raise _FatalError(
            _LOGICAL, "Paired tests require multiple input systems given to --input (-i)."
        )
    if args.confidence and len(names) > 1:
        raise _FatalError(_LOGICAL, "Use paired tests (--paired) for multiple systems.")
    for system in systems:
        if not system:
            raise _FatalError(_LOGICAL, f"Test set {args.test_set!r} contains no sentence")
        if any(len(stream) != len(system) for stream in references):
            raise _FatalError(_LOGICAL, "System and reference streams have different lengths.")
