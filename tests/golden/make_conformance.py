"""Ask the peers the cases of the conformance kit, and write their answers into its files.

For a new case, add a line without ``expect``, ``bits`` and ``from``: a name tells what is special
about it, and a law what it is an example of. Cases about counting leave words to spaces and zeros
unsmoothed, so that tools without a tokenizer or smoothing can answer them, too.

Run with sacreBLEU 2.6.0 and SciPy as ``python tests/golden/make_conformance.py [--data FOLDER]``.
FOLDER has outputs of WMT systems; without it, the cases of level wmt stay as they are. ``--check``
compares with what is there instead of writing.
"""

import argparse
import hashlib
import json
import logging
import math
import operator
import platform
import struct
import sys
from functools import reduce
from importlib.metadata import version

import numpy as np
import sacrebleu
from sacrebleu.metrics import bleu as sacrebleu_bleu
from sacrebleu.metrics.bleu import _get_tokenizer
from scipy.stats import permutation_test
from truebleu.conformance.cases import FOLDER, Data, manifest, question

METRICS = {"bleu": sacrebleu.BLEU, "chrf": sacrebleu.CHRF, "ter": sacrebleu.TER}
SACREBLEU = f"sacrebleu {version('sacrebleu')}"
PERFECT = f"{SACREBLEU}, which answers {{}}: a perfect score is 100"

# From Python 3.12 on, sum() compensates for rounding, which moves sacreBLEU's last digit.
sacrebleu_bleu.sum = lambda numbers: reduce(operator.add, numbers, 0)
logging.getLogger("sacrebleu").setLevel(logging.ERROR)


def metric_of(case):
    """Make sacreBLEU's metric."""
    more = {"force": True} if case["metric"] == "bleu" else {}
    return METRICS[case["metric"]](**case["settings"], **more)


def streams(refs):
    """Turn the references of each segment into sacreBLEU's streams; None is none."""
    most = max(map(len, refs), default=0)
    return [[own[index] if index < len(own) else None for own in refs] for index in range(most)]


def bits(number):
    """Write a double as its 64 bits, in hexadecimal digits."""
    return struct.pack(">d", number).hex()


def corrected(score):
    """Return a score without the rounding error that a perfect one has."""
    return 100.0 if score != 100 and math.isclose(score, 100, rel_tol=1e-14) else score


def answer_score(case):
    """Return what sacreBLEU says of a corpus."""
    found = metric_of(case).corpus_score(case["hyp"], streams(case["refs"]))
    score = corrected(found.score)
    expect = {"score": score}
    if case["metric"] == "bleu":
        # add-k has changed these.
        added = case["settings"].get("smooth_method") == "add-k" and any(found.counts)
        if not added:
            expect |= {"counts": found.counts, "totals": found.totals}
        expect |= {"hyp_len": found.sys_len, "ref_len": found.ref_len}
    elif case["metric"] == "ter":
        expect |= {"edits": found.num_edits, "ref_len": found.ref_length}
    said = SACREBLEU if score == found.score else PERFECT.format(found.score)
    return {"expect": expect, "bits": bits(score), "from": said}


def answer_tokens(case):
    """Return the tokens of sacreBLEU."""
    tokenize = _get_tokenizer(case["settings"]["tokenize"])()
    return {"expect": {"tokens": tokenize(case["text"].rstrip()).split()}, "from": SACREBLEU}


def answer_signature(case):
    """Return sacreBLEU's signature, but not whose it is."""
    metric = metric_of(case)
    metric.corpus_score(case["hyp"], streams(case["refs"]))
    signature = str(metric.get_signature()).rpartition("|version:")[0]
    return {"expect": {"signature": signature}, "from": SACREBLEU}


def answer_scores(case):
    """Return sacreBLEU's score of each sample, as a corpus."""
    answers = []
    for sample in case["samples"]:
        hyp, refs = ([case[name][index] for index in sample] for name in ("hyp", "refs"))
        answers.append(metric_of(case).corpus_score(hyp, streams(refs)).score)
    scores = list(map(corrected, answers))
    said = SACREBLEU if scores == answers else PERFECT.format(max(answers))
    return {"expect": {"scores": scores}, "bits": list(map(bits, scores)), "from": said}


def answer_p_value(case):
    """Return the p-value of all swaps, by SciPy, of differences of sacreBLEU's scores."""
    metric, references = metric_of(case), streams(case["refs"])
    rows = np.array(
        [
            row
            for name in ("hyp", "baseline")
            for row in metric._extract_corpus_statistics(case[name], references)
        ]
    )

    def score(segments):
        sums = [number.item() for number in rows[np.asarray(segments, int)].sum(axis=0)]
        return metric._compute_score_from_stats(sums).score

    count = len(case["hyp"])
    test = permutation_test(
        (np.arange(count), np.arange(count, 2 * count)),
        lambda one, other: score(one) - score(other),
        permutation_type="samples",
        vectorized=False,
        n_resamples=np.inf,
    )
    p_value = float(test.pvalue)
    said = f"{SACREBLEU} and scipy {version('scipy')}"
    return {"expect": {"p_value": p_value}, "bits": bits(p_value), "from": said}


def answer_error(case):
    """Return that there is no score, and what sacreBLEU does."""
    try:
        score = metric_of(case).corpus_score(case["hyp"], streams(case["refs"])).score
    except Exception as error:
        said = f"raises {type(error).__name__}"
    else:
        said = f"answers {score!r}"
    return {"expect": {"error": True}, "from": f"definition; {SACREBLEU} {said}"}


ANSWERS = {
    "score": answer_score,
    "tokens": answer_tokens,
    "signature": answer_signature,
    "scores": answer_scores,
    "p_value": answer_p_value,
}


def answered(case, data):
    """Return a case with its answer; one of WMT systems stays as it is without their outputs."""
    if "files" in case and not data.has(case):
        return case
    asked = {key: value for key, value in case.items() if key not in ("expect", "bits", "from")}
    texts = {key: value for key, value in question(case, data).items() if key in ("hyp", "refs")}
    answer = answer_error if case["id"].startswith("errors/") else ANSWERS[case["answer"]]
    return asked | answer(asked | texts)


def documents(data):
    """Return the files of the kit, by their names."""
    kit = manifest()
    cases = {}
    for name in kit["files"]:
        lines = (FOLDER / name).read_text("utf-8").split("\n")[:-1]
        cases[name] = [answered(json.loads(line), data) for line in lines]
    texts, described = {}, {}
    for name, several in cases.items():
        text = "".join(json.dumps(case, ensure_ascii=False) + "\n" for case in several)
        # JSON may have these as they are, but editors and str.splitlines take them for line ends.
        for c in "\x7f\x85\u2028\u2029":
            text = text.replace(c, f"\\u{ord(c):04x}")
        levels = [case["level"] for case in several]
        described[name] = {
            "sha256": hashlib.sha256(text.encode()).hexdigest(),
            "bytes": len(text.encode()),
            "cases": {level: levels.count(level) for level in kit["levels"] if level in levels},
        }
        texts[name] = text
    versions = {name: version(name) for name in ("sacrebleu", "regex", "scipy")}
    kit |= {"with": {"python": platform.python_version(), **versions}, "files": described}
    return {"manifest.json": json.dumps(kit, indent=1) + "\n", **texts}


def main():
    """Write the kit, or compare it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", help="the folder of WMT systems")
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    options = parser.parse_args()
    for name, text in documents(Data(options.data)).items():
        path = FOLDER / name
        if not options.check:
            path.write_text(text, "utf-8", newline="\n")
        elif path.suffix == ".jsonl" and path.read_text("utf-8") != text:
            known = path.read_text("utf-8").split("\n")
            for line, (one, other) in enumerate(zip(known, text.split("\n"), strict=False), 1):
                if one != other:
                    sys.exit(f"{name}:{line} is\n{one}\nbut the peers say\n{other}")
            sys.exit(f"{name} has {len(known)} lines, not {text.count(chr(10)) + 1}")


if __name__ == "__main__":
    main()
