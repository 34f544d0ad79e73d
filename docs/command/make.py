"""Write the man page and the scripts for shells, from the same description as ``--help``.

Run it from anywhere; a test fails if what it writes is not what is in the repository.
"""

import re
from argparse import Action
from collections.abc import Iterator
from pathlib import Path

from truebleu._core import REFERENCE_LENGTHS, SMOOTHINGS, UNICODE_FORMS
from truebleu.cli import BAD_INPUT, BAD_USAGE, DONE, INTERRUPTED
from truebleu.cli.arguments import COMMANDS, command_parser, parser
from truebleu.cli.help_pages import Page, brief, description_of, names_of
from truebleu.generation.decoding import METHODS
from truebleu.metrics.bleu.dialects import DIALECTS
from truebleu.reporting.charts import NAMES as CHARTS
from truebleu.test_sets.registry import registered_sets
from truebleu.tokenizers.registry import NAMES as TOKENIZERS

ROOT = Path(__file__).parent.parent.parent
SCRIPTS = ROOT / "python" / "truebleu" / "cli" / "completions"
MAN_PAGE = ROOT / "truebleu.data" / "data" / "share" / "man" / "man1" / "truebleu.1"

# What argparse does not know the choices of, since their names are checked elsewhere.
VALUES = {
    "tokenizer": TOKENIZERS,
    "tokenizers": TOKENIZERS,
    "unicode_form": UNICODE_FORMS,
    "dialect": DIALECTS,
    "smoothing": SMOOTHINGS,
    "reference_length": REFERENCE_LENGTHS,
    "method": METHODS,
    "chart": CHARTS,
    "test_set": registered_sets(),
}
EXIT_CODES = {
    DONE: "Success, also if the reader of the output has closed the pipe.",
    BAD_INPUT: "Bad input, such as a file that is missing, damaged or of a different length.",
    BAD_USAGE: "Wrong usage: an option or a setting that does not exist or is invalid.",
    INTERRUPTED: "Interrupted with Ctrl-C.",
}
ENVIRONMENT = {
    "TRUEBLEU_THREADS": "The number of threads, if there is no --threads.",
    "TRUEBLEU_CACHE": "The folder for downloaded test sets and models.",
    "NO_COLOR": "If set and not empty, nothing is shown in color.",
}


def pages() -> dict[str, Page]:
    """Return what help says about each command, by its name."""
    return {name: command_parser(name).page() for name in COMMANDS}


def values_of(action: Action) -> list[str]:
    """Return the words that an option or argument can be completed with."""
    if "FILE" in str(action.metavar) or action.nargs == 0:
        return []
    return [str(each) for each in action.choices or VALUES.get(action.dest, ())]


def actions_of(page: Page) -> tuple[list[Action], list[Action]]:
    """Return the options of a command, and its arguments."""
    every = [action for group in page.groups.values() for action in group]
    options = [action for action in every if action.option_strings]
    return options, [action for action in every if not action.option_strings]


def bash() -> str:
    """Return the script for bash."""
    cases = []
    for name, page in pages().items():
        options, arguments = actions_of(page)
        words = [word for action in options for word in action.option_strings]
        first = next((" ".join(values_of(action)) for action in arguments if values_of(action)), "")
        cases += [
            f"    {name})",
            f'        options="{" ".join(words)}"',
            f'        first="{first}"',
        ]
        cases.append("        case $option in")
        for action in options:
            if values_of(action):
                names, values = "|".join(action.option_strings), " ".join(values_of(action))
                cases.append(f'        {names}) values="{values}" ;;')
        flags = [word for action in options if action.nargs == 0 for word in action.option_strings]
        cases += [f"        {'|'.join(flags)}) option= ;;", "        esac", "        ;;"]
    return f"""\
# Completion of truebleu for bash. Written by docs/command/make.py.
_truebleu() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} option= options= values= first= place
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W "{" ".join(COMMANDS)} --help --version" -- "$current"))
        return
    fi
    for ((place = COMP_CWORD - 1; place > 1; place--)); do
        if [[ ${{COMP_WORDS[place]}} == -?* ]]; then
            option=${{COMP_WORDS[place]}}
            break
        fi
    done
    case ${{COMP_WORDS[1]}} in
{chr(10).join(cases)}
    esac
    if [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$current"))
    elif [[ -n $values ]]; then
        COMPREPLY=($(compgen -W "$values" -- "$current"))
    elif ((COMP_CWORD == 2)); then
        COMPREPLY=($(compgen -W "$first" -- "$current"))
    fi
}}
complete -o bashdefault -o default -F _truebleu truebleu
"""


def zsh() -> str:
    """Return the script for zsh."""
    cases, functions = [], []
    for name, page in pages().items():
        options, arguments = actions_of(page)
        cases.append(f"    {name})\n        _arguments \\")
        for action in options:
            about = in_zsh(brief(description_of(action)))
            values = values_of(action)
            value = ""
            for part in action.metavar if isinstance(action.metavar, tuple) else [action.metavar]:
                takes = f"({' '.join(values)})" if values else "_files"
                label = in_zsh(part or action.dest.upper())
                if values and action.nargs == "+":
                    # Files may follow.
                    takes = f"_truebleu_{action.dest}"
                    functions.append(f"{takes}() {{ compadd -- {' '.join(values)}; _files }}")
                several = "*-*:" if action.nargs == "+" else ""
                value += f":{several}{label}:{takes}"
            value = "" if action.nargs == 0 else value
            cases += [f"            '*{word}[{about}]{value}' \\" for word in action.option_strings]
        for number, action in enumerate(arguments, 1):
            values = values_of(action)
            takes = f"({' '.join(values)})" if values else "_files"
            place = "*" if action.nargs in ("+", "*") else number
            cases.append(f"            '{place}:{in_zsh(str(action.metavar))}:{takes}' \\")
        cases[-1] = cases[-1].removesuffix(" \\")
        cases.append("        ;;")
    commands = "\n".join(f"        '{name}:{in_zsh(about)}'" for name, about in COMMANDS.items())
    return f"""\
#compdef truebleu
# Completion of truebleu for zsh. Written by docs/command/make.py.
{chr(10).join(dict.fromkeys(functions))}
_truebleu() {{
    local -a commands=(
{commands}
    )
    if ((CURRENT == 2)); then
        _describe command commands
        compadd -- --help --version
        return
    fi
    local command=$words[2]
    shift words
    ((CURRENT--))
    case $command in
{chr(10).join(cases)}
    esac
}}
if [[ $funcstack[1] == _truebleu ]]; then
    _truebleu "$@"
else
    compdef _truebleu truebleu
fi
"""


def in_zsh(text: str) -> str:
    """Escape a description for _arguments, inside single quotes."""
    return re.sub(r"([\[\]:\\])", r"\\\1", text).replace("'", "'\\''")


def fish() -> str:
    """Return the script for fish."""
    lines = ["# Completion of truebleu for fish. Written by docs/command/make.py."]
    start = "complete -c truebleu -n __fish_use_subcommand"
    lines += [f"{start} -f -a {name} -d {quoted(about)}" for name, about in COMMANDS.items()]
    lines += [f"{start}{in_fish(action)}" for action in actions_of(parser("").page())[0]]
    for name, page in pages().items():
        options, arguments = actions_of(page)
        start = f"complete -c truebleu -n '__fish_seen_subcommand_from {name}'"
        lines += [f"{start}{in_fish(action)}" for action in options]
        values = [" ".join(values_of(action)) for action in arguments]
        lines += [f"{start} -a {quoted(words)}" for words in values if words]
    return "\n".join(lines) + "\n"


def in_fish(action: Action) -> str:
    """Return what ``complete`` is told about an option."""
    found = ""
    for word in action.option_strings:
        kind = "-l" if word.startswith("--") else "-s" if len(word) == 2 else "-o"
        found += f" {kind} {word.lstrip('-')}"
    values = values_of(action)
    if values:
        # Files may follow a list.
        found += f" {'-r' if action.nargs == '+' else '-x'} -a {quoted(' '.join(values))}"
    elif action.nargs != 0:
        found += " -r"
    return f"{found} -d {quoted(brief(description_of(action)))}"


def quoted(text: str) -> str:
    """Quote a word for fish."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def man_page() -> str:
    """Return the man page, in roff."""
    top = parser("").page()
    lines = ['.TH TRUEBLEU 1 "" truebleu "User Commands"', ".SH NAME"]
    lines += [r"truebleu \- compute BLEU, chrF and TER, compare systems, and explain the scores"]
    lines += [".SH SYNOPSIS", *(f"{in_roff(synopsis(page))}\n.br" for page in pages().values())]
    lines += [".SH OPTIONS", *described(actions_of(top)[0])]
    for name, page in pages().items():
        lines += [f".SH TRUEBLEU {name.upper()}", in_roff(page.description)]
        lines += [".PP", in_roff(synopsis(page))]
        for title, actions in page.groups.items():
            lines += [f".SS {in_roff(title)}", *described(actions)]
        lines += [".PP", in_roff(f"Example: {page.example}")]
        lines += [".PP", in_roff(page.end)] if page.end else []
    lines.append(".SH EXIT STATUS")
    for code, about in EXIT_CODES.items():
        lines += [".TP", str(code), in_roff(about)]
    lines.append(".SH ENVIRONMENT")
    for variable, about in ENVIRONMENT.items():
        lines += [".TP", variable, in_roff(about)]
    return "\n".join(lines) + "\n"


def synopsis(page: Page) -> str:
    """Return how a command is used."""
    return page.usage.removeprefix("usage: ")


def described(actions: list[Action]) -> Iterator[str]:
    """Yield options with their descriptions."""
    for action in actions:
        yield f".TP\n.B {in_roff(names_of(action))}\n{in_roff(description_of(action))}"


def in_roff(text: str) -> str:
    """Escape a line for roff."""
    escaped = text.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq")
    return rf"\&{escaped}" if escaped.startswith(".") else escaped


def written() -> dict[Path, str]:
    """Return what is written, by the file that it is written to."""
    return {
        SCRIPTS / "truebleu.bash": bash(),
        SCRIPTS / "truebleu.zsh": zsh(),
        SCRIPTS / "truebleu.fish": fish(),
        MAN_PAGE: man_page(),
    }


if __name__ == "__main__":
    for path, text in written().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
