"""Runs many commands of sacreBLEU or of the drop-in fast, each in a process of its own."""

import json
import os
import re
import subprocess
import sys

import truebleu

LOAD = {
    "sacrebleu": "from sacrebleu.sacrebleu import main",
    "truebleu": (
        "from truebleu.compat.sacrebleu import cli\n"
        "import truebleu.compat.sacrebleu.significance\n"
        "main = lambda: sys.exit(cli.main())"
    ),
}

# Nothing is imported again for a command; the first two lines are what a tool loads, and more.
DRIVER = """
import json, os, sys, tempfile, traceback
{load}
{more}
results = []
for command, stdin in json.load(sys.stdin):
    sys.stdout.flush()
    streams = [tempfile.TemporaryFile() for _ in range(2)]
    child = os.fork()
    if not child:
        code = 1
        try:
            for number, stream in enumerate(streams, 1):
                os.dup2(stream.fileno(), number)
            os.dup2(os.open(stdin, os.O_RDONLY), 0)
            sys.argv = ["sacrebleu", *command.split()]
            main()
            code = 0
        except SystemExit as exit:
            code = exit.code or 0
        except BaseException:
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    texts = []
    for stream in streams:
        stream.seek(0)
        texts.append(stream.read().decode())
    results.append([code, *texts])
json.dump(results, sys.stdout)
"""


def run_all(tool, commands, folder, more="", **environment):
    """Run commands, or pairs of one and of its input; return the exit code, output and log of each.

    In outputs, the version of sacreBLEU is that of this package.
    """
    pairs = [each if isinstance(each, tuple) else (each, os.devnull) for each in commands]
    done = subprocess.run(
        [sys.executable, "-c", DRIVER.format(load=LOAD[tool], more=more)],
        input=json.dumps(pairs),
        capture_output=True,
        text=True,
        cwd=folder,
        # The order of translators in sacreBLEU depends on this seed.
        env={**os.environ, "PYTHONHASHSEED": "0", **environment},
        check=True,
        timeout=3000,
    )
    version = re.compile(r"(v(?:ersion)?[:\"]+ ?\"?)2\.6\.0")
    return {
        command: (code, version.sub(rf"\1truebleu-{truebleu.__version__}", output), log)
        for command, (code, output, log) in zip(commands, json.loads(done.stdout), strict=True)
    }
