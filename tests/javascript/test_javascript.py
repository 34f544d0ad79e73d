"""truebleu.js in Node and in Chromium: what it answers is what the package answers."""

import base64
import json
import math
import re
import shutil
import subprocess
from collections import Counter
from functools import cache

import pytest
import truebleu
from browser import SANDBOX, chromium
from project import ROOT
from truebleu.conformance import cases

from campaign import javascript, pages

sync_api = pytest.importorskip("playwright.sync_api")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node"),
]

FOLDER = javascript.MODULE.parent
NAMES = {"tokenize": "tokenizer", "smooth_method": "smoothing", "max_ngram_order": "max_order"}
KINDS = {"bleu": "Bleu", "chrf": "Chrf", "ter": "Ter"}
COUNTS = {"counts": "counts", "totals": "totals", "hyp_len": "hypLen", "ref_len": "refLen"}


@pytest.fixture(scope="module")
def node():
    with javascript.Node() as node:
        yield node


@pytest.fixture(scope="module")
def chromium_call():
    """Answer calls in a page that may compile WebAssembly, and load nothing."""
    modules = [javascript.MODULE.read_text("utf-8"), javascript.ANSWER.read_text("utf-8")]
    names = re.findall(
        r"^export (?:async )?(?:function|class|const) (\w+)", modules[0], re.MULTILINE
    )
    script = "\n".join(
        [*modules, f"window.answer = answer; window.core = {{ {', '.join(names)} }};"]
    )
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=SANDBOX)
        page = browser.new_page()
        page.add_script_tag(content=script, type="module")
        page.wait_for_function("window.core")
        # A list of numbers would take seconds.
        core = base64.b64encode((FOLDER / "truebleu.wasm").read_bytes()).decode()
        load = "text => core.load(Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0)))"
        page.evaluate(load, core)

        def call(method, *args, kind=None, **settings):
            written = javascript.written(method, *args, kind=kind, **settings)
            return json.loads(page.evaluate("call => answer(core, call)", written))

        yield call
        browser.close()


@cache
def questions():
    """Read the cases, and what is asked; signatures and p-values are not the core's."""
    read = cases.read_cases(("core", "edge"))
    data = cases.Data(None)
    asked = [
        (case, cases.question(case, data))
        for case in read
        if case["answer"] not in ("signature", "p_value")
    ]
    assert len(asked) > 600
    return asked


def answered(call, asked):
    """Return what JavaScript answers to a case."""
    settings = {NAMES.get(name, name): value for name, value in asked["settings"].items()}
    if asked["answer"] == "tokens":
        return {"tokens": call("tokenize", asked["text"], settings["tokenizer"])}
    metric = {"kind": KINDS[asked["metric"]], **settings}
    if asked["answer"] == "scores":
        rows = call("stats", asked["hyp"], asked["refs"], **metric)
        samples = [[rows[index] for index in sample] for sample in asked["samples"]]
        sums = [list(map(sum, zip(*sample, strict=True))) for sample in samples]
        return {"scores": call("scores", sums, **metric)}
    return call("corpus", asked["hyp"], asked["refs"], **metric)


def numbers(value):
    return list(map(float, value if isinstance(value, list) else [value]))


def check_kit(call):
    """Tokens and counts are equal, and numbers within one unit in the last place."""
    apart = Counter()
    for case, asked in questions():
        expect, found = case["expect"], answered(call, asked)
        assert ("error" in expect) == ("error" in found), (case, found)
        assert found.get("tokens") == expect.get("tokens"), case["id"]
        for name, ours in COUNTS.items():
            if name in expect and ours in found:
                assert found[ours] == expect[name], case["id"]
        if "edits" in expect:
            assert found["edits"] == expect["edits"], case["id"]
        for name in ("score", "scores"):
            if name in expect:
                pairs = zip(*map(numbers, (expect[name], found[name])), strict=True)
                apart += Counter(javascript.units_apart(*pair) for pair in pairs)
    print("units in the last place between scores of the kit, and how many:", dict(apart))
    assert max(apart) <= 1
    assert apart[0] > 400


def test_the_kit_in_node(node):
    check_kit(node.call)


def test_the_kit_in_chromium(chromium_call):
    check_kit(chromium_call)


@pytest.mark.parametrize(("metric", "count"), [("bleu", 2000), ("chrf", 1000), ("ter", 500)])
def test_random_cases(node, metric, count):
    """Under drawn settings, all rows are equal, and scores but for the last digit."""
    javascript.differences.ignore_warnings()
    print(javascript.compare(node, metric, count, start=10_000))


def test_defaults(node):
    """Settings have the defaults of the package, and the names of the fields of a row are its."""
    hypothesis, references = "The Cat sat; on 3.5 mats!", ["the cat, sat on a mat", "A Cat 3.5"]
    for name, kind in KINDS.items():
        metric = getattr(truebleu, kind)()
        found = node.call("segment", hypothesis, references, kind=kind)
        assert found["row"] == list(metric.segment(hypothesis, references).row.values()), name
        assert found["score"] == pytest.approx(metric.segment(hypothesis, references).score)


def test_normal_forms(node):
    """Texts are compared in a normal form as the package compares them; others are refused."""
    hypothesis = "e\u0301a\u0323\u0302 \ufb01x \u1112\u1161\u11ab\uae00 \ud800\u0301 \uff21 \u2126"
    references = ["\xe9\u1ead fix \ud55c\uae00 \ud800\u0301 A \u03a9", "e\u0301 \u212b"]
    for form in (None, *node.call("names")["unicodeForm"]):
        for kind in KINDS.values():
            metric = getattr(truebleu, kind)(unicode_form=form)
            found = node.call("segment", hypothesis, references, kind=kind, unicodeForm=form)
            expected = metric.segment(hypothesis, references).row
            assert found["row"] == list(expected.values()), (kind, form)
    refused = node.call("segment", "a", "a", kind="Ter", unicodeForm="nfc")
    assert 'unknown unicodeForm "nfc"; choose one of NFC, NFD' in refused["error"]


def test_tokens_have_places(node):
    """Offsets are those of the package, in units of UTF-16; lone surrogates stay what they are."""
    for text in ("R&amp;D \U0001f600 x.", "a\ud800b \udfff", "İI ẞ", "", " \U0001f600\U0001f600 "):
        for lowercase in (False, True):
            options = {"offsets": True, "lowercase": lowercase}
            found = node.call("tokenize", text, "intl", options)
            expected = truebleu.tokenize(text, tokenizer="intl", **options)
            units = [0]
            for character in text:
                units.append(units[-1] + 1 + (character > "\uffff"))
            assert [(each["text"], each["start"], each["end"]) for each in found] == [
                (token, units[start], units[end]) for token, start, end in expected
            ]


def test_explanations(node):
    """What is explained is what the package explains."""
    hypothesis, references = "the cat the the mat sat", ["a the mat", "sat the cat on the mat"]
    bleu = truebleu.explain(hypothesis, references)
    found = node.call("explain", hypothesis, references, kind="Bleu")
    for order, (grams, expected) in enumerate(zip(found["orders"], bleu.ngrams, strict=True), 1):
        tokens = [each["text"] for each in found["tokens"]]
        assert [
            (tuple(tokens[gram["places"][0] :][:order]), len(gram["places"]), gram["clipped"])
            for gram in grams
        ] == [(gram.tokens, gram.count, gram.clipped) for gram in expected]
    chrf = truebleu.explain(hypothesis, references, metric="chrf")
    found = node.call("explain", hypothesis, references, kind="Chrf")
    assert found["reference"] == chrf.reference
    assert [
        sum(gram["clipped"] for gram in grams) for grams in found["characters"]["orders"]
    ] == list(chrf.score.matches)
    ter = truebleu.explain(hypothesis, references, metric="ter")
    found = node.call("explain", hypothesis, references, kind="Ter")
    assert found["reference"] == ter.reference
    assert found["edits"] == [edit.kind for edit in ter.steps if edit.kind != "shift"]
    assert [(shift["start"], shift["target"], shift["gain"]) for shift in found["shifts"]] == [
        (edit.start, edit.target, edit.gain) for edit in ter.steps if edit.kind == "shift"
    ]


def test_mistakes_are_errors(node):
    """They say what is wrong, and the next call works."""
    for call, expected in [
        ((("corpus", [], []), "Bleu"), "hypotheses is empty"),
        ((("corpus", ["a", "b"], ["a"]), "Bleu"), "hypotheses has 2 items but references has 1"),
        ((("corpus", "a", "a"), "Bleu"), "hypotheses is a string; an array"),
        ((("corpus", [None], ["a"]), "Chrf"), "hypotheses[0] is null; a string is needed"),
        ((("corpus", ["a"], [[None]]), "Chrf"), "references[0] has no reference"),
        ((("corpus", ["a"], [5]), "Chrf"), "references[0] is a number (5); a string or an array"),
        ((("segment", ["a"], "a"), "Ter"), "hypothesis is an array; a string is needed"),
        ((("tokenize", 5), "Bleu"), "text is a number (5); a string is needed"),
        ((("tokenize", "a", "toString"), None), '"toString"; choose one of 13a, intl'),
        ((("sentenceBleu", "a", "a", {"tokeniser": "13a"}), None), "unicodeForm, lowercase"),
        ((("sentenceBleu", "a", "a", "13a"), None), "settings are a string; an object is needed"),
        ((("explain", "a", "a", "bleu"), None), "metric is a string; one such as new Bleu()"),
        ((("score", None), "Bleu"), "row 0 is null; 10 numbers are needed"),
        *(
            (call, "options are null; an object is needed")
            for call in (
                (("score", [0] * 5, None), "Ter"),
                (("scores", [[0] * 5], None), "Ter"),
                (("bootstrap", [[[0] * 5]], None), "Ter"),
                (("tokenize", "a", "13a", None), None),
            )
        ),
        ((("corpusBleu", ["a"], ["a"], None), None), "settings are null; an object is needed"),
        (
            (("corpusBleu", ["a"], ["a"], {"weights": [1, None]}), None),
            "weights has null; an array of numbers",
        ),
        *(
            ((("corpusBleu", ["a"], ["a"], {"weights": wrong}), None), said)
            for wrong, said in [
                (1, "weights is a number (1); an array of numbers, or several, is needed"),
                ("1,1", "weights is a string; an array of numbers"),
                ([[1], 2], "weights has a number (2) beside an array; an array of numbers"),
                ([[[1]]], "weights has an array; an array of numbers"),
                ([], "weights: one finite number"),
            ]
        ),
        ((("corpusBleu", ["a"], ["a"], {"maxOrder": [1]}), None), "maxOrder is an array; numbers"),
        ((("corpusChrf", ["a"], ["a"], {"beta": [1]}), None), "beta is an array; numbers, names"),
        ((("corpusChrf", ["a"], ["a"], {"beta": "#3ff0"}), None), "beta is a string; numbers"),
        ((("score", [4, 4, 9, 3, 2, 1, 4, 3, 2, 1]), "Bleu"), "match_1 is 9, but total_1 is 4"),
        ((("corpusBleu", ["a"], ["a"], {"maxOrder": "4"}), None), 'maxOrder is "4"; a number is'),
        (
            (("sentenceTer", "a", "a", {"noPunct": {}}), None),
            "noPunct is an object; numbers",
        ),
        ((("sentenceTer", "a", "a", {"noPunct": "true"}), None), "noPunct is a string;"),
        ((("sentenceTer", "a", "a", {"noPunct": 1.5}), None), "noPunct is 1.5; true or false"),
        ((("sentenceTer", "a", "a", {"no_punct": True}), None), "there is no setting no_punct"),
        ((("score", [-1] * 5), "Ter"), "row 0 has a number (-1) for insertions; a"),
        ((("bootstrap", [1]), "Ter"), "systems must be an array with the rows"),
        ((("bootstrap", [[[0] * 5]], {"nResamples": -1}), "Ter"), "nResamples is a number (-1)"),
        ((("bootstrap", [[[0] * 5]], {"seed": 0.5}), "Ter"), "seed is a number (0.5); a whole"),
        ((("corpus", ["a"], [["b"] * 17]), "Ter"), "17 references, but TER takes at most 16"),
        ((("scores", [[1, 2]]), "Ter"), "row 0 has 2 numbers; 5 numbers are needed"),
        ((("scores", [[0.5, 0, 0, 0, 0]]), "Ter"), "row 0 has a number (0.5) for insertions"),
    ]:
        (method, *args), kind = call
        assert expected in node.call(method, *args, kind=kind)["error"], call
        assert math.isclose(node.call("corpusBleu", ["a b c d"], ["a b c d"])["score"], 100)


def test_impossible_rows(node):
    """Rows that no text has are refused wherever rows are taken, and for the package's reason."""
    for kind, rows in [
        ("Bleu", [[4, 4, 9, 3, 2, 1, 4, 3, 2, 1], [4, 4, 4, 3, 2, 1, 5, 3, 2, 1]]),
        ("Bleu", [[4, 4, 4, 3, 2, 1, 4, 4, 2, 1], [9, 9, *range(9, 1, -1)]]),
        ("Chrf", [[3, 3, 4, *[0] * 15], [1, *[0] * 17], [1, 1, 1, 2, 2, 0, *[0] * 12]]),
    ]:
        metric = getattr(truebleu, kind)()
        for row in rows:
            with pytest.raises(truebleu.InputError) as error:
                truebleu.Stats.from_numpy(row, metric)
            for call in (("score", row), ("scores", [row]), ("bootstrap", [[row, row]])):
                assert node.call(*call, kind=kind)["error"] == str(error.value)
    # One n-gram of each order is counted even in a text that has none.
    phantom, row = {"kind": "Bleu", "phantom_ngrams": True}, [2, 2, 2, 1, 0, 0, 2, 1, 1, 1]
    assert "impossible" in node.call("score", row, kind="Bleu")["error"]
    assert node.call("score", row, **phantom)["row"] == row


INSTANCES = f"""
import {{ load, corpusBleu }} from {json.dumps(javascript.MODULE.as_uri())};
const Instance = WebAssembly.Instance;
let [made, broken] = [0, true];
WebAssembly.Instance = function (module) {{
  made += 1;
  const {{ exports }} = new Instance(module);
  const stop = () => {{ broken = false; throw new WebAssembly.RuntimeError("unreachable"); }};
  return {{ exports: broken ? {{ ...exports, count: stop }} : exports }};
}};
const said = [];
const score = () => said.push(corpusBleu(["a b c d"], ["a b c d"]).score, made);
try {{ corpusBleu(["a"], ["a"]); }} catch (error) {{ said.push(error.message); }}
await load();
try {{ corpusBleu(["a"], ["a"]); }} catch (error) {{ said.push(error.message); }}
score();
const texts = Array.from({{ length: 100 }}, (_, index) => `a${{index}} `.repeat(100_000));
corpusBleu(texts, texts);
score();
console.log(JSON.stringify(said));
"""


def test_instances():
    """After the core has stopped, or has taken much memory, the next call has a new one."""
    command = ["node", "--input-type=module", "--eval", INSTANCES]
    said = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    assert said == [
        "the core is not loaded: call `await load()` first",
        "the core has stopped: the texts need too much memory, or this is a bug",
        *(100, 2),
        *(100, 3),
    ]


def test_calls_leave_nothing():
    """Neither the heap nor the memory of the core grows, and no call needs a new core."""
    pages.after_calls(3000)


def test_the_folder_is_a_package():
    """It can be published: version, licence and names are those of the project."""
    described = json.loads((FOLDER / "package.json").read_text("utf-8"))
    assert described["version"] == truebleu.__version__
    assert all((FOLDER / name).is_file() for name in described["files"])
    assert (FOLDER / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
    types = (FOLDER / "truebleu.d.ts").read_text("utf-8")
    exported = "import(process.argv[1]).then((all) => console.log(Object.keys(all).join(' ')))"
    command = ["node", "--eval", exported, javascript.MODULE.as_uri()]
    names = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    typed = re.findall(r"^export (?:class|const|function) (\w+)", types, re.MULTILINE)
    assert names == sorted({*typed})
    for name in (*truebleu._core.TOKENIZERS, *truebleu._core.SMOOTHINGS):
        assert f'"{name}"' in types
