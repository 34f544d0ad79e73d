"""Answers the cases of the conformance kit with multi-bleu.perl, the script of Moses.

Run ``MULTI_BLEU=.../multi-bleu.perl truebleu check of_multi_bleu:answer``. It prints two decimals.
"""

import os
import re
import subprocess
import tempfile
from pathlib import Path


def answer(case):
    """Return a score, or why the script has none."""
    settings = case["settings"]
    if case["answer"] != "score" or case["metric"] != "bleu":
        return {"skip": "multi-bleu.perl computes scores of BLEU only"}
    if settings["tokenize"] != "none" or settings["smooth_method"] != "none":
        return {"skip": "multi-bleu.perl splits at spaces and does not smooth"}
    if settings["effective_order"] or settings["max_ngram_order"] != 4:
        return {"skip": "multi-bleu.perl has four orders"}
    if len({len(several) for several in case["refs"]}) != 1 or "\n" in "".join(case["hyp"]):
        return {"skip": "multi-bleu.perl takes lines, and equally many references for each"}
    with tempfile.TemporaryDirectory() as folder:
        for number, texts in enumerate(zip(*case["refs"], strict=True)):
            Path(folder, f"ref{number}").write_bytes(lines(texts))
        options = ["-lc"] if settings["lowercase"] else []
        done = subprocess.run(
            ["perl", os.environ["MULTI_BLEU"], *options, f"{folder}/ref"],
            input=lines(case["hyp"]),
            capture_output=True,
            check=False,
        )
    found = re.match(r"BLEU = ([\d.]+),", done.stdout.decode())
    return {"score": float(found[1]), "decimals": 2} if found else {"error": done.stderr.decode()}


def lines(texts):
    """Return texts as the lines of a file."""
    return "".join(f"{text}\n" for text in texts).encode()
