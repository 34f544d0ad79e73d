"""The command's options, and the combinations that sacreBLEU refuses."""

from __future__ import annotations

import argparse
import os
from argparse import ArgumentParser, Namespace
from typing import NoReturn

from truebleu._core import __version__ as core_version
from truebleu.compat.sacrebleu import __version__, utils
from truebleu.compat.sacrebleu.cli.files import FatalError, check_test_sets
from truebleu.compat.sacrebleu.metrics import BLEU, CHRF, METRICS
from truebleu.compat.sacrebleu.utils import sacrelogger
from truebleu.display.text import visible

FORMATS = ("json", "text", "latex")


class _Parser(argparse.ArgumentParser):
    """A parser in whose messages arguments cannot move the cursor."""

    def error(self, message: str) -> NoReturn:
        super().error(visible(message))


def make_parser() -> ArgumentParser:
    """Return the parser of the command."""
    parser = _Parser(prog="sacrebleu", description="sacreBLEU's command, computed by truebleu.")
    add = parser.add_argument
    add("--citation", "--cite", action="store_true", help="print where the test set is described")
    add("--list", action="store_true", help="list test sets, or the fields of one")
    add("--test-set", "-t", help="test sets, separated by commas, downloaded if necessary")
    add("--language-pair", "-l", dest="langpair", help="language pair, such as en-de")
    add("--origlang", "-ol", help="only documents of this language, or non-LANGUAGE")
    add("--subset", metavar="REGEX", help="only documents of this domain or country:COUNTRY")
    add("--download", metavar="TEST_SET", help="download a test set")
    add("--echo", nargs="+", metavar="FIELD", help="print fields of a test set, such as src or ref")
    add("--input", "-i", nargs="*", help="system files (default: standard input)")
    add("refs", nargs="*", default=[], help="reference files, to be given before --input")
    add("--num-refs", "-nr", type=int, default=1, help="references per line, separated by tabs (1)")
    add("--encoding", "-e", default="utf-8", help="encoding of all files (utf-8)")
    metrics = [name.lower() for name in METRICS]
    add("--metrics", "-m", nargs="+", choices=metrics, default=["bleu"], help="metrics (bleu)")
    add("--sentence-level", "-sl", action="store_true", help="score each line")
    _add_settings(parser)
    add("--confidence", "-ci", action="store_true", help="add a bootstrap confidence interval")
    add("--confidence-n", "-cin", type=int, default=1000, help="its number of samples (1000)")
    pair = parser.add_mutually_exclusive_group()
    pair.add_argument(
        "--paired-ar", "-par", action="store_true", help="test by approximate randomization"
    )
    pair.add_argument("--paired-bs", "-pbs", action="store_true", help="test by bootstrap")
    add("--paired-ar-n", "-parn", type=int, default=10000, help="number of trials (10000)")
    add("--paired-bs-n", "-pbsn", type=int, default=1000, help="number of samples (1000)")
    add("--paired-jobs", "-j", type=int, default=1, help="accepted, but has no effect")
    add("--quiet", "-q", action="store_true")
    add("--short", "-sh", action="store_true", help="print short signatures")
    add("--score-only", "-b", action="store_true")
    add("--width", "-w", type=int, default=1, help="number of decimal places (1)")
    add("--detail", "-d", action="store_true", help="add scores by original language and domain")
    add("--no-color", "-nc", action="store_true")
    add("--format", "-f", default="json", choices=FORMATS)
    version = f"%(prog)s {__version__} (truebleu {core_version})"
    add("--version", "-V", action="version", version=version)
    return parser


def parse(arguments: list[str] | None, parser: ArgumentParser | None = None) -> Namespace:
    """Parse arguments, by default those of the process; the environment may set the format."""
    args = (parser or make_parser()).parse_args(arguments)
    chosen_format = os.environ.get("SACREBLEU_FORMAT", "").lower()
    if chosen_format in FORMATS:
        args.format = chosen_format
    return args


def _add_settings(parser: ArgumentParser) -> None:
    """Add the settings of metrics; each goes to an attribute that begins with the metric."""
    bleu = parser.add_argument_group("settings of BLEU").add_argument
    methods = list(BLEU.SMOOTH_DEFAULTS)
    bleu("--smooth-method", "-s", choices=methods, default="exp", dest="bleu_smooth_method")
    bleu("--smooth-value", "-sv", type=float, dest="bleu_smooth_value")
    bleu("--tokenize", "-tok", choices=list(BLEU.TOKENIZERS), dest="bleu_tokenize")
    bleu("--lowercase", "-lc", action="store_true", dest="bleu_lowercase")
    warning = "do not warn if the text looks tokenized"
    bleu("--force", action="store_true", dest="bleu_force", help=warning)
    chrf = parser.add_argument_group("settings of chrF").add_argument
    highest = "highest order of {} n-grams (%(default)s)"
    characters, words = (highest.format(unit) for unit in ("character", "word"))
    chrf("--chrf-char-order", "-cc", type=int, default=CHRF.CHAR_ORDER, help=characters)
    chrf("--chrf-word-order", "-cw", type=int, default=CHRF.WORD_ORDER, help=words)
    chrf("--chrf-beta", type=int, default=CHRF.BETA, help="weight of recall (%(default)s)")
    chrf("--chrf-whitespace", action="store_true", help="count whitespace as characters")
    chrf("--chrf-lowercase", action="store_true")
    chrf("--chrf-eps-smoothing", action="store_true", help="smooth as chrF++.py does")
    ter = parser.add_argument_group("settings of TER").add_argument
    ter("--ter-case-sensitive", action="store_true")
    ter("--ter-asian-support", action="store_true", help="treat East Asian characters specially")
    ter("--ter-no-punct", action="store_true", help="remove punctuation")
    ter("--ter-normalized", action="store_true", help="split off punctuation")


def check(args: Namespace) -> None:
    """Refuse what sacreBLEU refuses before it reads any file, in its words."""
    if args.sentence_level and len(args.metrics) > 1:
        raise FatalError("Only one metric can be used in sentence-level mode.")
    if "chrf" in args.metrics and args.chrf_char_order + args.chrf_word_order < 1:
        raise FatalError(
            "--chrf-char-order and --chrf-word-order are 0 together: nothing would be counted."
        )
    if args.citation:
        return
    if args.num_refs != 1 and (args.test_set is not None or len(args.refs) > 1):
        raise FatalError(
            "The --num-refs argument allows you to provide any number of tab-delimited references "
            "in a single file.",
            "You can only use it with externally provided references, however (i.e., not with "
            "`-t`),",
            "and you cannot then provide multiple reference files.",
        )
    if args.test_set is None:
        _check_without_test_set(args)
        return
    check_test_sets(args.test_set, None)
    if args.refs:
        raise FatalError(
            "I need exactly one of (a) a predefined test set (-t) or (b) a list of references"
        )
    if args.langpair is None:
        raise FatalError(
            "I need a language pair (-l). Use --list to see available language pairs for this "
            "test set."
        )
    check_test_sets(args.test_set, args.langpair)
    if args.bleu_tokenize == "none" and not args.echo:
        sacrelogger.warning(
            "You are turning off BLEU's internal tokenizer presumably to supply your own "
            "tokenized files."
        )
        sacrelogger.warning("Published numbers will not be comparable to other papers.")


def _check_without_test_set(args: Namespace) -> None:
    if not args.refs:
        raise FatalError(
            "If manual references given, make sure to provide them before the -i/--input "
            "argument to avoid confusion.",
            "Otherwise, I need a predefined test set (-t) from the following list:",
            str(utils.get_available_testsets()),
        )
    if args.echo:
        raise FatalError("--echo requires a test set (--t) and a language pair (-l)")
    if args.origlang is not None or args.subset is not None:
        raise FatalError(
            "Filtering for --origlang or --subset needs a test (-t) and a language pair (-l)."
        )
    if args.langpair is not None and "-" not in args.langpair:
        raise FatalError(
            f"language pair {args.langpair!r} has one language; give source and target, such as "
            "en-de"
        )
