"""Ctrl-C in another process, and what it costs until that process ends."""

import os
import signal
import subprocess
import sys
import time


def processor_time(pid):
    """Return the seconds that all threads of a process have run, from Linux's own books."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def is_soon_interrupted(script, delay, limit):
    """Tell whether a script ends within some seconds of a Ctrl-C, in one of two attempts."""
    return any(seconds_until_interrupted(script, delay) < limit for _ in range(2))


def seconds_until_interrupted(script, delay):
    """Run a script; interrupt it after it has printed "ready"; see that it ends by that.

    Returns the seconds of processor time from the signal to the end, so that a machine that does
    other things meanwhile changes nothing.
    """
    with subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout.readline() == "ready\n"
            time.sleep(delay)
            before = processor_time(process.pid)
            process.send_signal(signal.SIGINT)
            error = process.stderr.read()
            _, _, used = os.wait4(process.pid, 0)
            process.returncode = -signal.SIGINT
        finally:
            process.kill()
    assert error.rstrip().endswith("KeyboardInterrupt"), error
    return used.ru_utime + used.ru_stime - before
