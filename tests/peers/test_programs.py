"""Programs that use torchmetrics or evaluate, with the drop-ins instead."""

import importlib
import os
import sys
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("torchmetrics")
sys.path.append(str(Path(__file__).parents[1] / "clients"))
from cache import folder_of  # noqa: E402
from projects import PROJECTS  # noqa: E402
from stand_ins import Bare, Finder  # noqa: E402
from test_clients import check  # noqa: E402

SEGMENTS = [
    ("The dog bit it, 2.", "The dog bit the man, 2."),
    ("他从不相信 it.", "他不相信 it."),
    ("X y", "x Y z"),
]


def scores(bleu, tokenizers, **settings):
    """Let NeMo's metric score texts, which are numbers of characters there."""

    class Decoding(bleu.AbstractCTCDecoding):
        def ctc_decoder_predictions_tensor(self, decoder_outputs, **_):
            return [SimpleNamespace(text=self.decode_ids_to_str(ids)) for ids in decoder_outputs]

        def decode_ids_to_str(self, ids):
            return "".join(chr(number) for number in ids if number)

    def padded(texts):
        rows = [torch.tensor([ord(each) for each in text]) for text in texts]
        return torch.nn.utils.rnn.pad_sequence(rows, batch_first=True)

    hypotheses, references = map(padded, zip(*SEGMENTS, strict=True))
    lengths = [torch.full((len(SEGMENTS),), each.shape[1]) for each in (hypotheses, references)]
    metric = bleu.BLEU(Decoding(), **settings)
    cuts = [SimpleNamespace(custom={"bleu_tokenizer": name}) for name in tokenizers]
    metric.update(hypotheses, lengths[0], references, lengths[1], cuts=cuts)
    return metric.compute()


@pytest.mark.parametrize("lowercase", [False, True])
@pytest.mark.parametrize(
    "tokenizers", [[], [None, "char", "zh"], ["intl", "13a", None], ["none", "bad", None]]
)
def test_nemo(tokenizers, lowercase, monkeypatch):
    """NVIDIA NeMo's class reads the tokenizer that it inherits, and its private attributes."""
    folder = folder_of(PROJECTS["nemo_toolkit"])
    home = "nemo.collections.asr.metrics"
    names = [home.rsplit(".", count)[0] for count in range(4)]
    finders = [Finder(["lhotse", "nemo.collections.asr.parts", "nemo.utils"]), Bare(folder, names)]
    monkeypatch.setattr(sys, "meta_path", [*finders, *sys.meta_path])
    settings = {"lowercase": lowercase, "check_cuts_for_bleu_tokenizers": bool(tokenizers)}
    bleu = importlib.import_module(f"{home}.bleu")
    found = []
    for replaced in (False, True):
        with install("torchmetrics") if replaced else pytest.MonkeyPatch.context():
            bleu = importlib.reload(bleu)
            assert ("truebleu" in bleu.SacreBLEUScore.__module__) == replaced
            call = partial(scores, bleu, tokenizers, n_gram=2, **settings)
            if "bad" in tokenizers:
                with pytest.raises(KeyError, match="bad"):
                    call()
            else:
                found.append({name: float(each.sum()) for name, each in call().items()})
    assert found[:1] == found[1:]
    assert not found or found[0]["bleu"] > 0


@pytest.mark.parametrize(
    "name", [name for name in PROJECTS if PROJECTS[name].uses[0] in {"evaluate", "torchmetrics"}]
)
def test_client(name):
    """Programs that score with evaluate or torchmetrics do the same with the drop-ins."""
    check(PROJECTS[name])


# Tasks of lm-evaluation-harness that load evaluate's BLEU.
TASKS = ("mediqa_qa2019", "meqsum", "mts_dialog", "olaph", "medtext")


@pytest.mark.skipif("TRUEBLEU_EVALUATE" not in os.environ, reason="needs evaluate's repository")
@pytest.mark.parametrize("task", TASKS)
def test_lm_eval(task, monkeypatch):
    """A task of lm-evaluation-harness has the same results; its other metrics are left out."""
    import evaluate
    import numpy as np
    from inputs import INPUTS

    monkeypatch.setattr(np, "NAN", np.nan, raising=False)
    scripts, load = Path(os.environ["TRUEBLEU_EVALUATE"]), evaluate.load
    others = {f"rouge{name}": 0.5 for name in "12L"} | {"f1": [0.5], "scores": [0.5]}
    path = folder_of(PROJECTS["lm-eval"]) / "lm_eval" / "tasks" / task / "utils.py"
    found = []
    for replaced in (False, True):
        with (
            install("evaluate") if replaced else pytest.MonkeyPatch.context(),
            monkeypatch.context() as patch,
        ):
            ours = evaluate.load if replaced else lambda name: load(str(scripts / name))

            def choose(name, *_, ours=ours, **__):
                if name == "bleu":
                    return ours(name)
                return SimpleNamespace(compute=lambda **_: others)

            patch.setattr(evaluate, "load", choose)
            spec = importlib.util.spec_from_file_location(f"{task}_{replaced}", path)
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            assert module.bleu.__module__.startswith("truebleu.") == replaced
            module.doc_to_target = str
            score = getattr(module, "process_results_gen", None) or module.process_results
            for hypotheses, references in INPUTS.values():
                for text, several in zip(hypotheses, references, strict=True):
                    found.append(repr(score(several[0], [text])))
    half = len(found) // 2
    assert found[:half] == found[half:]
    assert any("'bleu': 0." in each for each in found)
