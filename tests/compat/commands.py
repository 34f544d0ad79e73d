"""Runs many commands of sacreBLEU or of the drop-in fast, each in a process of its own."""

import json
import os
import re
import subprocess
import sys

import truebleu

# Most commands of sacreBLEU count the same texts under the same settings, which takes nearly all of
# their time. What its own methods have returned or logged nothing else about is returned again.
REMEMBER = """
import hashlib
from sacrebleu.metrics.base import Metric, sacrelogger

read, count = Metric._cache_references, Metric._extract_corpus_statistics

class References(list):
    # They are read when they are asked for.
    def __init__(self, *source):
        self.source, self.key = source, key_of(*source)

    def __bool__(self):
        return True

    def __iter__(self):
        return iter(read(*self.source))

def key_of(metric, *texts):
    kinds = (bool, float, int, str)
    settings = {
        name: value for name, value in vars(metric).items()
        if isinstance(value, kinds) and name not in ("n_bootstrap", "num_refs", "seed")
    }
    text = repr((type(metric).__name__, sorted(settings.items()), texts))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()

def references_of(self, references):
    asked = References(self, references)
    if asked.key not in known:
        read(self, references)
        known[asked.key] = new[asked.key] = self.num_refs
    self.num_refs = known[asked.key]
    return asked

def statistics_of(self, hypotheses, references):
    if len(hypotheses) == 1:
        return count(self, hypotheses, references)
    cache = self._cache_references(references) if references else self._ref_cache
    key = key_of(self, hypotheses, cache.key)
    if key not in known:
        logged = []
        sacrelogger.addFilter(note := lambda record: logged.append(record) or True)
        statistics = count(self, hypotheses, references)
        sacrelogger.removeFilter(note)
        if logged:
            return statistics
        known[key] = new[key] = statistics
    return known[key]

Metric._cache_references = references_of
Metric._extract_corpus_statistics = statistics_of
"""

LOAD = {
    "sacrebleu": f"from sacrebleu.sacrebleu import main\n{REMEMBER}",
    "truebleu": (
        "from truebleu.compat.sacrebleu import cli\n"
        "import truebleu.compat.sacrebleu.significance\n"
        "main = lambda: sys.exit(cli.main())"
    ),
}

# Nothing is imported again for a command, and `known` has what earlier ones have put into `new`.
DRIVER = """
import json, os, pickle, sys, tempfile, traceback
known, new = {{}}, {{}}
{load}
{more}
results = []
for command, stdin, environment in json.load(sys.stdin):
    sys.stdout.flush()
    streams = [tempfile.TemporaryFile() for _ in range(3)]
    child = os.fork()
    if not child:
        code = 1
        try:
            for number, stream in enumerate(streams[:2], 1):
                os.dup2(stream.fileno(), number)
            os.dup2(os.open(stdin, os.O_RDONLY), 0)
            os.environ.update(environment)
            sys.argv = ["sacrebleu", *command.split()]
            main()
            code = 0
        except SystemExit as exit:
            code = exit.code or 0
        except BaseException:
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        pickle.dump(new, streams[2])
        streams[2].flush()
        os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    for stream in streams:
        stream.seek(0)
    results.append([code, *(stream.read().decode() for stream in streams[:2])])
    known.update(pickle.load(streams[2]))
json.dump(results, sys.stdout)
"""


def run_all(tool, commands, folder, more="", **environment):
    """Run commands; return a list of the exit code, output and log of each.

    A command is a text, or one with its input and variables of its environment. In outputs, the
    version of sacreBLEU is that of this package.
    """
    split = [each if isinstance(each, tuple) else (each,) for each in commands]
    rows = [each + (os.devnull, {})[len(each) - 1 :] for each in split]
    done = subprocess.run(
        [sys.executable, "-c", DRIVER.format(load=LOAD[tool], more=more)],
        input=json.dumps(rows),
        capture_output=True,
        text=True,
        cwd=folder,
        # The order of translators in sacreBLEU depends on this seed.
        env={**os.environ, "PYTHONHASHSEED": "0", **environment},
        check=True,
        timeout=3000,
    )
    version = re.compile(r"(v(?:ersion)?[:\"]+ ?\"?)2\.6\.0")
    return [
        (code, version.sub(rf"\1truebleu-{truebleu.__version__}", output), log)
        for code, output, log in json.loads(done.stdout)
    ]
