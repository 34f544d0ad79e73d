"""``truebleu --completion SHELL``: a script that completes commands, options and names."""

from __future__ import annotations

from truebleu._core import REFERENCE_LENGTHS, SMOOTHINGS, UNICODE_FORMS
from truebleu.cli.arguments import COMMANDS, command_parser
from truebleu.metrics.bleu.dialects import DIALECTS
from truebleu.suggestions import unknown_name
from truebleu.test_sets.registry import registered_sets, shipped_sets
from truebleu.tokenizers.registry import NAMES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from truebleu.cli.parameters import Parameter

_BASH = """\
# Completion for bash. In ~/.bashrc: eval "$(truebleu --completion bash)"
_truebleu() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} option= words= place
    for ((place = COMP_CWORD - 1; place > 1; place--)); do
        if [[ ${{COMP_WORDS[place]}} == -?* ]]; then option=${{COMP_WORDS[place]}}; break; fi
    done
    if ((COMP_CWORD == 1)); then
        words="{verbs}"
    elif [[ $current == -* ]]; then
        case ${{COMP_WORDS[1]}} in
{options}
        esac
    else
        case "${{COMP_WORDS[1]}} $option" in
{values}
        esac
    fi
    COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o bashdefault -o default -F _truebleu truebleu
"""

_ZSH = """\
#compdef truebleu
# Completion for zsh. In a folder of $fpath: truebleu --completion zsh > _truebleu
_truebleu() {{
    local current=$words[CURRENT] command=$words[2] option= place
    local -a found
    for ((place = CURRENT - 1; place > 2; place--)); do
        if [[ $words[place] == -?* ]]; then option=$words[place]; break; fi
    done
    if ((CURRENT == 2)); then
        found=({verbs})
    elif [[ $current == -* ]]; then
        case $command in
{options}
        esac
    else
        case "$command $option" in
{values}
        esac
        _files
    fi
    compadd -- $found
}}
if [[ $funcstack[1] == _truebleu ]]; then _truebleu "$@"; else compdef _truebleu truebleu; fi
"""

_FISH = """\
# Completion for fish: truebleu --completion fish > ~/.config/fish/completions/truebleu.fish
complete -c truebleu -n __fish_use_subcommand -f -a '{verbs}'
{options}
{values}
"""

# A script; a line for the options of a command; and one for the words of an option.
_SHELLS = {
    "bash": (_BASH, '        {name}) words="{words}" ;;', '        {cases}) words="{words}" ;;'),
    "zsh": (_ZSH, "        {name}) found=({words}) ;;", "        {cases}) found=({words}) ;;"),
    "fish": (
        _FISH,
        "complete -c truebleu -n '__fish_seen_subcommand_from {name}' -a '{words}'",
        "complete -c truebleu -n '__fish_seen_subcommand_from {name}; and string match -qr -- "
        "\"^({either})\\$\" (commandline -opc)[-1]' -f -a '{words}'",
    ),
}


def script(shell: str) -> str:
    """Return the script for a shell."""
    if shell not in _SHELLS:
        raise unknown_name("shell", shell, _SHELLS)
    whole, of_options, of_values = _SHELLS[shell]
    options, values = [], []
    for name in COMMANDS:
        parameters = command_parser(name).parameters
        words = " ".join(word for each in parameters for word in each.option_strings)
        options.append(of_options.format(name=name, words=words))
        for each in parameters:
            if names := _values_of(each):
                # Words without an option are the first argument.
                written = each.option_strings or [""]
                cases = "|".join(f'"{name} {word}"' for word in written)
                given = {"cases": cases, "either": "|".join(each.option_strings or [name])}
                values.append(of_values.format(name=name, words=" ".join(names), **given))
    return whole.format(
        verbs=" ".join([*COMMANDS, "--help", "--version", "--completion"]),
        options="\n".join(options),
        values="\n".join(values),
    )


def _values_of(parameter: Parameter) -> list[str]:
    """Return the words that an option takes, if they have names; those of files have none."""
    if parameter.choices is not None or parameter.nargs == 0:
        return [str(each) for each in parameter.choices or ()]
    # What is not declared as a choice, since its names are checked elsewhere.
    checked = {
        "tokenizer": NAMES,
        "unicode_form": UNICODE_FORMS,
        "dialect": DIALECTS,
        "smoothing": SMOOTHINGS,
        "reference_length": REFERENCE_LENGTHS,
    }
    if parameter.dest == "test_set":
        return [*shipped_sets(), *registered_sets()]
    return [*checked.get(parameter.dest, ())]
