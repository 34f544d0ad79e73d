"""The command ``truebleu``: parse, call, print."""

from __future__ import annotations

import gc
import io
import sys

from truebleu.cli.arguments import VERSION, GateError, command_parser, parse
from truebleu.errors import SettingsWarning, SmallSampleWarning, TruebleuError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from truebleu.cli.parsing import Namespace

# As of grep and diff: 1 is an answer, 2 an error.
DONE, NOT_MET, ERROR, INTERRUPTED = 0, 1, 2, 130


def main(arguments: list[str] | None = None) -> int:
    """Run the command with arguments, by default those of the process; return the exit code."""
    given = sys.argv[1:] if arguments is None else arguments
    try:
        if sys.stdout is None:
            raise OSError("standard output is closed")
        if isinstance(sys.stdout, io.TextIOWrapper):
            # Whatever the locale; and the name of a file need not be valid text.
            sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
        if not _printed_at_once(given):
            _run(_parse_and_freeze(given) if arguments is None else parse(given))
    except GateError as error:
        return _complain(error, NOT_MET)
    except TruebleuError as error:
        return _complain(error, ERROR)
    except BrokenPipeError:
        # The reader has closed the pipe. Python would complain again at exit.
        sys.stdout = None
        return DONE
    except OSError as error:
        where = "" if error.filename is None else (error.filename or "''") + ": "
        what = error.strerror or error
        if isinstance(error, FileNotFoundError):
            from truebleu.cli.hints import missing_file_hint

            options = command_parser(given[0]).options
            known = {name: option.nargs for name, option in options.items()}
            what = f"{what}{missing_file_hint(error.filename, given, known)}"
        return _complain(f"{where}{what}", ERROR)
    except KeyboardInterrupt:
        return INTERRUPTED
    return DONE


def _printed_at_once(given: list[str]) -> bool:
    """Print the version, or a script, without loading how options are read."""
    if given[:1] in (["--version"], ["-V"]):
        _print(f"{VERSION}\n")
    elif given[:1] == ["--completion"]:
        from truebleu.cli.completion import script

        _print(script(*given[1:2] or [""]))
    else:
        return False
    return True


def _print(text: str) -> None:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        from truebleu.cli.parsing import not_written

        raise not_written(error) from None


def _parse_and_freeze(arguments: list[str]) -> Namespace:
    """Parse the arguments of the process, and exempt everything loaded from garbage collection.

    Modules stay until the process ends. Searching them for garbage, while they are loaded and once
    more at the end, would take a tenth of the time of a short command.
    """
    gc.disable()
    options = parse(arguments)
    gc.freeze()
    gc.enable()
    return options


def _run(options: Namespace) -> None:
    """Run a command; its warnings go to standard error, each message once."""
    import warnings

    from truebleu.cli.output import check_outputs, say

    def show(message: Warning | str, *_: object) -> None:
        from truebleu.cli.options import with_options

        text = with_options(str(message), options)
        if text not in options.said:
            say(f"warning: {text}")
            options.said.append(text)

    with warnings.catch_warnings():
        for category in (SettingsWarning, SmallSampleWarning):
            warnings.simplefilter("ignore" if options.quiet else "always", category)
        warnings.showwarning = show  # type: ignore[assignment]
        check_outputs(options)
        options.run(options)


def _complain(what: object, code: int) -> int:
    from truebleu.cli.output import say

    say(what)
    return code
