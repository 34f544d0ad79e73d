"""What is measured. Every benchmark asserts the answer before it takes the time."""

from __future__ import annotations

import os
import subprocess
import sys
from math import isclose
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from unittest.mock import patch

import truebleu

from benchmarks import (
    chrf_ter,
    compat,
    data,
    engines,
    javascript,
    kernel,
    long_texts,
    many,
    meta,
    report,
    significance,
)
from benchmarks.measure import (
    Result,
    command,
    faster,
    fewer,
    in_turn,
    megabytes,
    output,
    peak_memory,
    show,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from truebleu.tokenizers.registry import Tokenizer, TokenizerName


def tool(name: str) -> str:
    """Return the path of a command, preferably one beside this Python.

    Raises
    ------
    FileNotFoundError
        If there is none.
    """
    found = which(name, path=str(Path(sys.executable).parent)) or which(name)
    if found is None:
        raise FileNotFoundError(f"{name} is not installed")
    return found


def corpus(systems: list[Path], reference: Path, runs: int) -> Iterator[Result]:
    """Score lists in memory: sixteen systems, twice, 13a."""
    import bleuscore
    from sacrebleu.metrics import BLEU

    hypotheses, references = data.many_pairs(systems, reference)
    nested = [[text] for text in references]
    bleu = truebleu.Bleu()

    def ours(threads: int) -> float:
        return bleu.corpus(hypotheses, references, threads=threads).score

    def sacrebleu() -> float:
        return float(BLEU(force=True).corpus_score(hypotheses, [references]).score)

    def rust() -> float:
        score = bleuscore.compute(nested, hypotheses)["bleu"]
        assert isinstance(score, float)
        return score

    score = ours(1)
    assert score == ours(2) == sacrebleu()
    assert isclose(score, 100 * rust(), rel_tol=1e-9)
    together = "".join([*hypotheses, *references]).encode()
    one, two, copy, slow, other = in_turn(
        [lambda: ours(1), lambda: ours(2), lambda: bytearray(together), sacrebleu, rust],
        [runs, runs, runs, max(2, runs // 4), runs],
    )
    pairs = f"{len(hypotheses):,} pairs"
    yield faster(f"{pairs}, 1 thread, sacreBLEU", one, slow)
    yield fewer(f"{pairs}, 1 thread, a copy of their bytes", one, copy)
    for level in kernel.available()[1:]:
        found, seconds = at_level(level, systems, reference, runs)
        assert found == score
        name = f"{pairs}, 1 thread, TRUEBLEU_SIMD={level}, sacreBLEU"
        yield faster(name, seconds, slow)
    yield faster(f"{pairs}, 2 threads, sacreBLEU on 1", two, slow)
    yield faster(f"{pairs}, 2 threads, bleuscore on 2", two, other)


def at_level(level: str, systems: list[Path], reference: Path, runs: int) -> tuple[float, float]:
    """Return the score and the seconds of :mod:`benchmarks.level` for a level."""
    finished = subprocess.run(
        [sys.executable, "-m", "benchmarks.level", str(runs), str(reference), *map(str, systems)],
        cwd=data.ROOT,
        env={**os.environ, "TRUEBLEU_SIMD": level},
        check=True,
        capture_output=True,
        text=True,
    )
    score, seconds = map(float, finished.stdout.split())
    return score, seconds


def tokenizers(runs: int, pairs: int | None = None) -> Iterator[Result]:
    """Score lists in memory, on one thread, with each tokenizer that is ours."""
    names: tuple[tuple[TokenizerName, str, str], ...] = (
        ("intl", "newstest2017", "en-de"),
        ("intl", "generaltest2022", "cs-uk"),
        ("char", "newstest2017", "en-de"),
        ("char", "newstest2021", "en-ja"),
        ("zh", "biomed2021", "en-zh"),
    )
    for name, task, pair in names:
        # Once each: sacreBLEU remembers lines.
        hypotheses, references = data.many_pairs(*data.systems(task, pair), times=1)
        ours, theirs = both(name, name, hypotheses[:pairs], references[:pairs])
        one, slow = in_turn([ours, theirs], [runs, max(1, runs // 4)])
        what = f"{name}, {pair}, {len(hypotheses):,} pairs, 1 thread, sacreBLEU"
        yield faster(what, one, slow)


def libraries(runs: int) -> Iterator[Result]:
    """Score with tokenizers that are other people's libraries: one system, every text new."""
    import ipadic
    import MeCab
    import sentencepiece
    from sacrebleu.tokenizers import tokenizer_spm

    systems, reference = data.systems("newstest2021", "en-ja")
    hypotheses, references = data.many_pairs(systems[:1], reference, 1)
    ours, theirs = both("ja-mecab", "ja-mecab", hypotheses, references)
    parse = MeCab.Tagger(f"{ipadic.MECAB_ARGS} -Owakati").parse

    def mecab() -> list[str]:
        # The tokens of references are kept from run to run.
        return [parse(text) for text in hypotheses]

    one, slow, own = in_turn([ours, theirs, mecab], [runs] * 3)
    pairs = f"ja-mecab, {len(hypotheses):,} pairs, 1 thread"
    yield faster(f"{pairs}, sacreBLEU", one, slow)
    yield fewer(f"{pairs}, MeCab's own parsing of the hypotheses", one, own)

    systems, reference = data.systems("newstest2017", "en-de")
    hypotheses, references = data.many_pairs(systems[:1], reference, 1)
    with TemporaryDirectory() as folder:
        # No published model can be taken for granted, so sacreBLEU gets one made here.
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(references),
            model_prefix=f"{folder}/model",
            vocab_size=4000,
            minloglevel=2,
        )
        model = Path(folder, "model.model")
        known = Path(folder, "models", tokenizer_spm.SPM_MODELS["flores200"]["url"].split("/")[-1])
        known.parent.mkdir()
        known.write_bytes(model.read_bytes())
        with patch.object(tokenizer_spm, "SACREBLEU_DIR", folder):
            ours, theirs = both(truebleu.SentencePiece(model), "flores200", hypotheses, references)
            one, slow = in_turn([ours, theirs], [runs, runs])
    yield faster(f"SentencePiece, {len(hypotheses):,} pairs, 1 thread, sacreBLEU", one, slow)


def both(
    tokenizer: Tokenizer, name: str, hypotheses: list[str], references: list[str]
) -> tuple[Callable[[], float], Callable[[], float]]:
    """Return our way and sacreBLEU's to score with a tokenizer, after a look at the answers."""
    from sacrebleu.metrics import BLEU

    bleu = truebleu.Bleu(tokenizer=tokenizer)

    def ours() -> float:
        return bleu.corpus(hypotheses, references, threads=1).score

    def theirs() -> float:
        # A new one every time, or its cache of tokenized lines would answer.
        return float(BLEU(tokenize=name, force=True).corpus_score(hypotheses, [references]).score)

    assert ours() == theirs()
    return ours, theirs


def sentences(system: Path, reference: Path, runs: int) -> Iterator[Result]:
    """Score sentence by sentence, in calls and in one call."""
    from nltk.translate.bleu_score import SmoothingFunction
    from nltk.translate.bleu_score import sentence_bleu as nltk_sentence_bleu
    from sacrebleu.metrics import BLEU

    hypotheses, references = data.lines(system), data.lines(reference)
    pairs = list(zip(hypotheses, references, strict=True))
    smooth = SmoothingFunction().method1
    plain = truebleu.Bleu(tokenizer="none", smoothing="method1", effective_order=False)
    bleu = truebleu.Bleu()

    def ours() -> list[float]:
        call = truebleu.sentence_bleu
        return [call(hypothesis, reference).score for hypothesis, reference in pairs]

    def sacrebleu() -> list[float]:
        # A new one every time, or its cache of tokenized lines would answer.
        call = BLEU(effective_order=True).sentence_score
        return [call(hypothesis, [reference]).score for hypothesis, reference in pairs]

    def ours_like_nltk() -> list[float]:
        return [plain.segment(hypothesis, reference).score for hypothesis, reference in pairs]

    def nltk() -> list[float]:
        return [
            100 * nltk_sentence_bleu([ref.split()], hyp.split(), smoothing_function=smooth)
            for hyp, ref in pairs
        ]

    def at_once() -> list[float]:
        return [float(score) for score in bleu.segments(hypotheses, references, threads=1)]

    # sacreBLEU's 100.00000000000004 is 100.0 here.
    due = [min(score, 100.0) for score in sacrebleu()]
    assert ours() == due == at_once()
    assert all(map(lambda a, b: isclose(a, b, rel_tol=1e-12), ours_like_nltk(), nltk()))
    calls = [ours, sacrebleu, ours_like_nltk, nltk, at_once]
    times = in_turn(calls, [runs, max(2, runs // 3), runs, max(2, runs // 3), runs])
    one, slow, like, other, batch = (time / len(pairs) for time in times)
    yield faster("sentence_bleu, a call, sacreBLEU's sentence_score", one, slow)
    yield faster("sentence, a call, NLTK's sentence_bleu and split", like, other)
    yield faster(f"sentences, {len(pairs):,} segments at once, a segment", batch, slow)


def start_up(runs: int) -> Iterator[Result]:
    """Import the package, score a sentence, run the shortest commands; and start Python alone."""
    truebleu_ = tool("truebleu")
    hypothesis, reference = "The cat sat on the mat.", "The cat sat on a mat."
    score = truebleu.sentence_bleu(hypothesis, reference).score
    first = (
        "import sys, truebleu\n"
        f"score = truebleu.sentence_bleu({hypothesis!r}, {reference!r}).score\n"
        f"sys.exit(score != {score!r} or 'numpy' in sys.modules)"
    )
    with TemporaryDirectory() as folder:
        own, other = Path(folder) / "hypothesis", Path(folder) / "reference"
        own.write_text(f"{hypothesis}\n", "utf-8")
        other.write_text(f"{reference}\n", "utf-8")
        scoring = (truebleu_, "score", str(own), "-r", str(other))
        assert output(truebleu_, "--version") == f"truebleu {truebleu.__version__}\n"
        assert output(*scoring, "--score-only") == f"{score:.2f}\n"
        bare, imported, scored, version, short = in_turn(
            [
                command(sys.executable, "-c", "pass"),
                command(sys.executable, "-c", "import truebleu"),
                command(sys.executable, "-c", first),
                command(truebleu_, "--version"),
                command(*scoring),
            ],
            [4 * runs] * 5,
        )
    for name, time in (
        ("import truebleu, added to python -c pass", imported - bare),
        ("import truebleu and score a sentence, added to python -c pass", scored - bare),
        ("truebleu --version, whole process, python -c pass", version),
        ("truebleu score, two files of one line, whole process, python -c pass", short),
    ):
        yield Result(name, show(time), show(bare), 1000 * time, "")


def files(systems: list[Path], reference: Path, runs: int, size: int = 10**9) -> Iterator[Result]:
    """Run the command as a whole process."""
    truebleu_, sacrebleu = tool("truebleu"), tool("sacrebleu")
    with TemporaryDirectory() as folder:
        own, other = Path(folder) / "hypotheses", Path(folder) / "references"
        own.write_bytes(b"".join(path.read_bytes() for path in systems * 2))
        other.write_bytes(reference.read_bytes() * len(systems) * 2)
        # The answer was compared with sacreBLEU's on the same text in `corpus`.
        whole, count = in_turn(
            [
                command(truebleu_, "score", str(own), "-r", str(other)),
                command("env", "LC_ALL=C", "wc", "-w", str(own), str(other)),
            ],
            [2 * runs, 2 * runs],
        )
        name = "share of its time that truebleu score takes, whole process, wc -w"
        yield fewer(name, whole, count)

        yield from memory(truebleu_, own, other, size)
    one, slow = in_turn(
        [
            command(truebleu_, "score", str(systems[0]), "-r", str(reference)),
            command(sacrebleu, str(reference), "-i", str(systems[0])),
        ],
        [runs, max(2, runs // 2)],
    )
    yield faster("truebleu score, one WMT set, sacrebleu", one, slow)


def memory(command_: str, own: Path, other: Path, size: int) -> Iterator[Result]:
    """Score files of a gigabyte each."""
    copies = size // max(own.stat().st_size, other.stat().st_size)
    for path in (own, other):
        text = path.read_bytes()
        with path.open("ab") as file:
            for _ in range(copies):
                file.write(text)
    peak = peak_memory(command_, "score", str(own), "-r", str(other))
    yield megabytes("two files of 1 GB, resident memory", peak)


def everything(runs: int) -> Iterator[Result]:
    """Run all benchmarks in the order of the table."""
    systems, reference = data.systems("newstest2017", "en-de")
    yield from corpus(systems, reference, runs)
    yield from kernel.stages()
    yield from tokenizers(runs)
    yield from libraries(runs)
    yield from sentences(systems[2], reference, runs)
    yield from files(systems, reference, runs)
    yield from start_up(runs)
    yield from compat.accelerated(systems, reference, runs)
    yield from many.matrix(systems, reference, runs)
    yield from many.diversity(systems, runs)
    yield from chrf_ter.everything(systems, reference, runs)
    yield from long_texts.everything(systems, reference, runs)
    yield from many.ids(systems[2], reference, runs)
    yield from significance.paired(runs)
    yield from significance.many()
    yield from significance.size(tool("truebleu"), runs)
    yield from meta.task()
    yield from meta.against_original(runs)
    yield from engines.everything(tool("truebleu"), systems, reference, runs)
    yield from report.written(tool("truebleu"), systems, reference, runs)
    yield from javascript.everything(systems, reference, runs)
