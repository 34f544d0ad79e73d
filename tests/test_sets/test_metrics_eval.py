"""Test sets in the layout of mt-metrics-eval v2, and the score files that it reads."""

import json
import shutil

import pytest
from looping import looped
from project import EXAMPLES
from truebleu import Bleu, Chrf, SentencePiece, Ter
from truebleu.cli import main

SYSTEMS = ("medium", "strong", "weak")
METRICS = {"BLEU": Bleu(), "chrF": Chrf(), "chrF++": Chrf(word_order=2), "TER": Ter()}


def lines(path):
    return path.read_text("utf-8").split("\n")[:-1]


def write(path, texts):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{text}\n" for text in texts), "utf-8")


@pytest.fixture
def test_set(tmp_path):
    """Return a test set of two language pairs: in one of them, references are systems as well."""
    root = tmp_path / "set"
    write(root / "sources" / "de-en.txt", lines(EXAMPLES / "source.de"))
    documents = lines(EXAMPLES / "documents.txt")
    # Domains are not in order, and not in one piece.
    domains = [["talk", "news"][int(name.split("-")[1]) % 2] for name in documents]
    write(root / "documents" / "de-en.docs", map(" ".join, zip(domains, documents, strict=True)))
    for name in "ab":
        texts = lines(EXAMPLES / f"reference-{name}.en")
        write(root / "references" / f"de-en.ref{name.upper()}.txt", texts)
        write(root / "system-outputs" / "de-en" / f"ref{name.upper()}.txt", texts)
    for name in SYSTEMS:
        texts = lines(EXAMPLES / f"system-{name}.en")
        write(root / "system-outputs" / "de-en" / f"{name}.txt", texts)
    (root / "sources" / "en-zh_CN.jsonl").write_text('{"source": "a"}\n{"source": "b"}\n')
    write(root / "documents" / "en-zh_CN.docs", ["news one", "news one"])
    chinese = [{"target": "今天天气很好。"}, {"target": "我们\n明天去北京。"}]
    write(root / "references" / "en-zh_CN.refA.jsonl", map(json.dumps, chinese))
    write(root / "system-outputs" / "en-zh_CN" / "x.1.txt", ["今天天气很坏。", "我们明天去南京。"])
    return root


@pytest.fixture
def run(capfd):
    """Run the command; return its exit code, output and complaints."""

    def run(folder, *arguments, into=None):
        words = map(str, ["meta", "--write", into or folder, folder, *arguments])
        code = main([*words])
        return code, *capfd.readouterr()

    return run


def read_scores(root, pair="de-en"):
    """Read score files as mt-metrics-eval does (at 68a481a), and fail where it would.

    A file is called NAME-REFERENCES.LEVEL.score. What is in it is separated by blanks, a line for
    each score: system and score, after the domain at that level. Every system has a score for each
    unit, in the order of the texts, none is None, and only systems that the metric uses as
    references may be left out.
    """
    documents = [line.split()[:2] for line in lines(root / "documents" / f"{pair}.docs")]
    known = {path.stem for path in (root / "references").glob(f"{pair}.*.*")}
    references = {stem.split(".")[-1] for stem in known}
    systems = {path.stem for path in (root / "system-outputs" / pair).glob("[!.]*.*")}
    domains = sorted({domain for domain, _ in documents})
    units = {
        "sys": 1,
        "seg": len(documents),
        "doc": len({name for _, name in documents}),
        "domain": len(domains),
    }
    found = {}
    for path in (root / "metric-scores" / pair).glob("*.score"):
        full, level, _ = path.name.rsplit(".", maxsplit=2)
        name, used = full.rsplit("-", maxsplit=1)
        names = references if used == "all" else set(used.split("."))
        assert names <= references
        scores = {}
        with path.open(encoding="utf-8") as file:
            for line in file:
                *domain, system, score = line.split()
                assert len(domain) == (level == "domain")
                if domain:
                    assert domain[0] == domains[len(scores.get(system, ()))]
                scores.setdefault(system, []).append(float(score))
        assert set(scores) == systems - names
        assert {len(each) for each in scores.values()} == {units[level]}
        found[name, used, level] = scores
    return found


class TestScores:
    """What is in the files."""

    def test_they_are_those_of_the_library(self, run, test_set):
        """Segments are sentences; documents, domains and systems are corpora, to the last bit."""
        code, out, error = run(test_set, "-l", "de-en", "-m", "bleu", "chrf", "chrf++", "ter")
        assert (code, error) == (0, "")
        found = read_scores(test_set)
        assert len(found) == 4 * 2 * 4
        names = lines(EXAMPLES / "documents.txt")
        units = {
            "doc": [
                [n for n, other in enumerate(names) if other == name]
                for name in dict.fromkeys(names)
            ],
            "sys": [range(len(names))],
        }
        parts = [line.split()[0] for line in lines(test_set / "documents" / "de-en.docs")]
        units["domain"] = [
            [n for n, other in enumerate(parts) if other == name] for name in ("news", "talk")
        ]
        assert [len(each) for each in units.values()] == [10, 1, 2]
        for (name, reference, level), scores in found.items():
            metric = METRICS[name]
            sign = 1 if metric.higher_is_better else -1
            others = lines(test_set / "references" / f"de-en.{reference}.txt")
            for system, values in scores.items():
                texts = lines(test_set / "system-outputs" / "de-en" / f"{system}.txt")
                if level == "seg":
                    expected = metric.segments(texts, others).tolist()
                else:
                    expected = [
                        metric.corpus([texts[n] for n in unit], [others[n] for n in unit]).score
                        for unit in units[level]
                    ]
                assert values == [sign * score for score in expected], (name, level, system)
        rows = [line.split() for line in out.splitlines()]
        assert rows[0] == ["language", "pair", "scores", "systems", "signature"]
        assert rows[1] == ["de-en", "BLEU-refA", "4", Bleu()._write_signature(1)]
        assert {row[1] for row in rows[1:]} == {f"{name}-{ref}" for name, ref, _ in found}

    def test_a_higher_score_is_better(self, run, test_set):
        """TER is negated, and a perfect one is 0.0; all metrics agree about the systems."""
        perfect = lines(EXAMPLES / "reference-a.en")
        write(test_set / "system-outputs" / "de-en" / "perfect.txt", perfect)
        arguments = ["-l", "de-en", "-r", "refA", "-m", "bleu", "ter", "-q"]
        assert run(test_set, *arguments)[0] == 0
        found = read_scores(test_set)
        orders = [sorted(SYSTEMS, key=found[name, "refA", "sys"].get) for name in ("BLEU", "TER")]
        assert orders == [["weak", "medium", "strong"]] * 2
        assert max(found["TER", "refA", "seg"]["weak"]) <= 0
        path = test_set / "metric-scores" / "de-en" / "TER-refA.sys.score"
        assert "perfect\t0.0\n" in path.read_text()

    def test_references_together(self, run, test_set):
        """Joined references are scored against together, without the systems that they are."""
        assert run(test_set, "-l", "de-en", "-r", "refB.refA", "refA", "--only", "sys")[0] == 0
        found = read_scores(test_set)
        streams = [lines(EXAMPLES / f"reference-{name}.en") for name in "ba"]
        texts = lines(EXAMPLES / "system-weak.en")
        expected = Bleu().corpus(texts, reference_streams=streams).score
        assert found["BLEU", "refB.refA", "sys"]["weak"] == [expected]
        assert set(found["BLEU", "refA", "sys"]) == {*SYSTEMS, "refB"}
        assert run(test_set, "-l", "de-en", "-r", "all", "--only", "sys")[0] == 0
        found = read_scores(test_set)
        assert found["BLEU", "all", "sys"] == found["BLEU", "refB.refA", "sys"]

    @pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning")
    def test_the_tokenizer_of_the_language(self, run, test_set):
        """BLEU has sacreBLEU's tokenizer for the target language, unless another is asked for."""
        code, out, error = run(test_set, "-m", "bleu", "chrf")
        assert (code, error) == (0, "")
        assert [("tok:zh" in line) for line in out.splitlines() if "BLEU" in line] == [0, 0, 1]
        texts = ["今天天气很坏。", "我们明天去南京。"]
        others = ["今天天气很好。", "我们\n明天去北京。"]
        for options, name, tokenizer in (
            ([], "BLEU", "zh"),
            (["-m", "bleu:tokenizer=char"], "BLEU-char", "char"),
        ):
            if options:
                assert run(test_set, "-l", "en-zh_CN", "-q", *options)[0] == 0
            metric = Bleu(tokenizer=tokenizer)
            found = read_scores(test_set, "en-zh_CN")[name, "refA", "sys"]
            assert found == {"x.1": [metric.corpus(texts, others).score]}
        # Metrics are told apart by their names, and pairs are pooled by them.
        assert {path.name for path in (test_set / "metric-scores" / "de-en").glob("BLEU*sys*")} == {
            "BLEU-refA.sys.score",
            "BLEU-refB.sys.score",
        }

    def test_json_lines(self, run, test_set):
        """Texts in JSON Lines give the scores of the same texts as lines."""
        arguments = [test_set, "-l", "de-en", "-r", "refA", "-m", "bleu", "ter"]
        assert run(*arguments)[0] == 0
        before = read_scores(test_set)
        path = test_set / "system-outputs" / "de-en" / "weak.txt"
        texts = [json.dumps({"hypothesis": text, "doc": 1}) for text in lines(path)]
        write(path.with_suffix(".jsonl"), texts)
        path.unlink()
        assert run(*arguments, "--overwrite")[0] == 0
        assert read_scores(test_set) == before

    def test_lines_of_every_kind(self, run, test_set):
        """Lines end as in any text, and blanks at their end do not count."""
        path = test_set / "system-outputs" / "de-en" / "weak.txt"
        arguments = [test_set, "-l", "de-en", "-m", "chrf:whitespace"]
        assert run(*arguments)[0] == 0
        before = read_scores(test_set)
        path.write_bytes(path.read_bytes().replace(b"\n", b" \t\r\n"))
        assert run(*arguments, "--overwrite")[0] == 0
        assert read_scores(test_set) == before


class TestChoices:
    """What is scored, and where it goes."""

    def test_output(self, run, test_set, tmp_path):
        """Files go to another folder, and nothing but them is written anywhere."""
        before = sorted(test_set.rglob("*"))
        out = tmp_path / "a" / "b"
        assert run(test_set, "-m", "ter", "--only", "seg", "sys", "-q", into=out)[0] == 0
        assert sorted(test_set.rglob("*")) == before
        found = {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()}
        assert found == {
            f"metric-scores/{pair}/TER-{reference}.{level}.score"
            for pair, reference in (("de-en", "refA"), ("de-en", "refB"), ("en-zh_CN", "refA"))
            for level in ("sys", "seg")
        }

    def test_nothing_is_replaced_unasked(self, run, test_set):
        """A file that exists is an error before anything is written; --overwrite replaces it."""
        path = test_set / "metric-scores" / "en-zh_CN" / "BLEU-refA.doc.score"
        write(path, ["mine"])
        code, out, error = run(test_set)
        assert (code, out) == (2, "")
        assert error == f"truebleu: {path} exists already; --overwrite replaces it\n"
        assert not (test_set / "metric-scores" / "de-en").exists()
        assert lines(path) == ["mine"]
        assert run(test_set, "--overwrite")[0] == 0
        assert lines(path)[0].startswith("x.1\t")

    def test_systems(self, run, test_set):
        """The systems that are named are left out."""
        assert (
            run(test_set, "-l", "de-en", "--without", "strong", "medium", "refB", "--only", "sys")[
                0
            ]
            == 0
        )
        folder = test_set / "metric-scores" / "de-en"
        assert [line.split()[0] for line in lines(folder / "BLEU-refA.sys.score")] == ["weak"]
        assert len(lines(folder / "BLEU-refB.sys.score")) == 2

    def test_names(self, run, test_set):
        """A metric is called as people call it."""
        arguments = [test_set, "-l", "en-zh_CN", "--only", "sys", "-q"]
        assert run(*arguments, "-m", "chrf:beta=3", "chrf++")[0] == 0
        assert run(*arguments, "-m", "chrf:beta=20")[0] == 0
        assert run(*arguments, "-m", "chrf:word_order=1")[0] == 0
        assert run(*arguments, "-m", "bleu:tokenizer=intl", "bleu")[0] == 0
        found = {name for name, _, _ in read_scores(test_set, "en-zh_CN")}
        assert found == {"chrF3", "chrF++", "chrF20", "chrF+", "BLEU-intl", "BLEU"}

    def test_the_name_of_a_model(self, run, test_set, model):
        """A model of your own is in the name by its checksum, as in the signature."""
        arguments = [test_set, "-l", "de-en", "--only", "sys", "-m", f"bleu:tokenizer=spm:{model}"]
        code, out, _ = run(*arguments)
        name = Bleu(tokenizer=SentencePiece(str(model))).tokenizer_name
        assert (code, {name for name, *_ in read_scores(test_set)}) == (0, {f"BLEU-{name}"})
        assert out.count(f"|tok:{name}|") == 2

    def test_documents_are_only_read_for_their_scores(self, run, test_set):
        """Scores of systems and segments need no file of documents."""
        (test_set / "documents" / "de-en.docs").unlink()
        assert run(test_set, "-l", "de-en", "--only", "sys", "seg")[0] == 0
        code, _, error = run(test_set, "-l", "de-en", "--only", "doc")
        assert code == 2
        assert "de-en.docs is needed, with the domain and the document of each segment" in error

    @pytest.mark.parametrize("smoothing", ["method5", "method7"])
    def test_smoothings_of_sentences(self, run, test_set, smoothing):
        """A formula that is for one segment gives scores of segments, and no others."""
        arguments = [test_set, "-l", "de-en", "-m", f"bleu:smoothing={smoothing}"]
        code, _, error = run(*arguments, "--only", "sys")
        assert (code, "only defined for one segment" in error) == (2, True)
        assert run(*arguments, "--only", "seg")[0] == 0


def changed(path, number, text):
    """Return what changes a line of a file of the test set."""

    def change(root):
        texts = lines(root / path)
        texts[number - 1 : number] = text
        write(root / path, texts)

    return change


def added(path, texts=("x",) * 72):
    """Return what adds a file to the test set."""
    return lambda root: write(root / path, texts)


OUTPUTS = "system-outputs/de-en"


class TestMistakes:
    """Nothing is guessed, left out or written if something is wrong with the test set."""

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            (changed(f"{OUTPUTS}/weak.txt", 3, []), r"weak.txt has 71 lines but "),
            (changed("references/de-en.refB.txt", 1, ["a", "b"]), "refB.txt has 73 lines but "),
            (changed("documents/de-en.docs", 1, []), "de-en.docs has 71 lines but "),
            (
                changed(f"{OUTPUTS}/weak.txt", 5, ["[No translation supplied] "]),
                "weak.txt, line 5: there is no translation; every segment needs one",
            ),
            (
                changed("references/de-en.refA.txt", 72, ["[No translation supplied]"]),
                "refA.txt, line 72: there is no translation",
            ),
            (
                added(f"{OUTPUTS}/y.jsonl", ['{"hypothesis": null}'] * 72),
                "y.jsonl, line 1: there is no translation",
            ),
            (
                added(f"{OUTPUTS}/y.jsonl", ['{"hypothesis": "a"}', '{"text": "b"}'] * 36),
                'y.jsonl, line 2: a JSON object with "hypothesis" is needed',
            ),
            (added(f"{OUTPUTS}/y.jsonl", ["["] * 72), "y.jsonl, line 1: a JSON object with"),
            (added(f"{OUTPUTS}/y.jsonl", ["[" * 99999] * 72), "line 1: a JSON object with"),
            (added(f"{OUTPUTS}/y.jsonl", ["[]"] * 72), "y.jsonl, line 1: a JSON object with"),
            (
                added(f"{OUTPUTS}/y.jsonl", ['{"hypothesis": 1}'] * 72),
                'y.jsonl, line 1: "hypothesis" must be a string',
            ),
            (added(f"{OUTPUTS}/weak.jsonl"), "weak.txt and "),
            (added(f"{OUTPUTS}/weak.html"), "weak.html is not one of .txt, .jsonl: convert or"),
            (added(f"{OUTPUTS}/two words.txt"), "'two words' cannot be a name in score files"),
            (added(f"{OUTPUTS}/no\u00a0break.txt"), "cannot be a name in score files"),
            (added(f"{OUTPUTS}/a\tb.txt"), "cannot be a name in score files"),
            (
                lambda root: (root / OUTPUTS / "folder.txt").mkdir(),
                "folder.txt is not a regular file: remove it",
            ),
            (
                lambda root: (root / OUTPUTS / "zero.txt").symlink_to("/dev/zero"),
                "zero.txt is not a regular file: remove it",
            ),
            (added("references/de-en.ref-C.txt"), "a reference cannot be called 'ref-C'"),
            (added("references/de-en.all.txt"), "a reference cannot be called 'all'"),
            (added("references/de-en.src.jsonl"), "a reference cannot be called 'src'"),
            (added("references/de-en.x.refA.txt"), "have the same name: remove one of them"),
            (added("sources/de-en.jsonl"), "have the same name: remove one of them"),
            (changed("documents/de-en.docs", 2, ["news"]), "de-en.docs, line 2: the domain of"),
            (changed("documents/de-en.docs", 1, ["a travel-1"]), "'travel-1' begins"),
            (lambda root: shutil.rmtree(root / "references"), "de-en has no references: "),
            (lambda root: shutil.rmtree(root / OUTPUTS), "de-en has no systems: "),
            (
                lambda root: shutil.rmtree(root / "sources"),
                "has no sources, so it is not a test set",
            ),
            (added("sources/fr-en.txt"), "fr-en has no references: "),
            (added("sources/de-en.txt", ()), "de-en.txt has no lines: there is no segment"),
            (
                lambda root: (root / OUTPUTS / "weak.txt").write_bytes(b"\xff\n" * 72),
                "weak.txt, line 1, byte 1: not UTF-8",
            ),
        ],
    )
    def test_mistakes_in_files(self, run, test_set, change, message):
        """The message names the file, and nothing is written: not for other pairs, either."""
        change(test_set)
        code, out, error = run(test_set)
        assert (code, out) == (2, "")
        assert message in error
        assert error.count("\n") == 1
        assert not (test_set / "metric-scores").exists()

    @looped(
        "arguments, code, message",
        [
            (["-l", "de-fr"], 2, "has no language pair 'de-fr'; it has de-en, en-zh_CN"),
            (["-l", "../de-en"], 2, "has no language pair '../de-en'"),
            (["-r", "refC"], 2, "de-en has no reference 'refC'; it has refA, refB"),
            (["-r", "refB"], 2, "en-zh_CN has no reference 'refB'; it has refA"),
            (["-l", "de-en", "-r", "refA.refB", "all"], 2, "references are chosen twice"),
            (["-l", "de-en", "-r", "refA.refA"], 2, "references are chosen twice"),
            (["--without", "../weak"], 2, "de-en has no system '../weak'; it has medium, refA"),
            (
                ["-l", "de-en", "--without", "refB", *SYSTEMS],
                2,
                "has no system to score against refA other than itself",
            ),
            (["-m", "bleu", "bleu:lowercase"], 2, "two metrics would be called BLEU"),
            (["--measures", "acc"], 2, "--measures is not combined with --write"),
        ],
    )
    def test_mistakes_in_arguments(self, run, test_set, arguments, code, message):
        """The message says what there is."""
        found, out, error = run(test_set, *arguments)
        assert (found, out) == (code, "")
        assert message in error
        assert not (test_set / "metric-scores").exists()

    def test_what_cannot_be_written(self, run, test_set):
        """A folder that is a file is an error, and nothing is left behind."""
        write(test_set / "metric-scores", ["mine"])
        code, _, error = run(test_set)
        assert code == 2
        assert "metric-scores" in error
        assert lines(test_set / "metric-scores") == ["mine"]

    def test_hidden_files(self, run, test_set):
        """What editors and archives leave behind is no text."""
        for name in (".weak.txt.swp", "._weak.txt", "README"):
            write(test_set / OUTPUTS / name, ["x"])
        write(test_set / "sources" / "README.md", ["x"])
        write(test_set / "sources" / "._de-en.txt", ["x"])
        assert run(test_set, "-l", "de-en")[0] == 0
        assert set(read_scores(test_set)["BLEU", "refA", "sys"]) == {*SYSTEMS, "refB"}
