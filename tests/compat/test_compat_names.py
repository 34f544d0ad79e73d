"""Every name of sacreBLEU is in the drop-in, with its kind, its signature and its behavior."""

import contextlib
import importlib
import inspect
import io
import logging
import math
import pkgutil
import re
import sys
from argparse import Namespace

import numpy as np
import pytest
import sacrebleu
import strategies
import truebleu.compat.huggingface as hub
import truebleu.compat.sacrebleu as drop_in
from hypothesis import given, settings
from hypothesis import strategies as st
from looping import looped
from project import GOLDEN, ROOT
from truebleu.compat import install
from truebleu.compat import torchmetrics as classes
from truebleu.compat.sacrebleu.cli import files
from truebleu.compat.torchmetrics import functional as functions

usual = settings(deadline=None, max_examples=60)

MODULES = {
    found.name.partition(".")[2]: importlib.import_module(found.name)
    for found in pkgutil.walk_packages(sacrebleu.__path__, "sacrebleu.")
    if not found.name.endswith("__main__")
} | {"": sacrebleu}

# Of the names with two underscores, those that are not Python's but sacreBLEU's.
SPECIAL = {
    *("__call__", "__commit_id__", "__description__", "__repr__", "__str__"),
    *("__version__", "__version_tuple__"),
}


def documented():
    """Return what differs on purpose, by name, as names.md has it."""
    text = (ROOT / "tests" / "compat" / "names.md").read_text("utf-8")
    [table] = re.findall(r"\n\| name \| difference \|[^\n]*\n\|[-|]+\|\n((?:\|.*\n)+)", text)
    found = {}
    for row in table.splitlines():
        names, difference, reason = (cell.strip() for cell in row.strip("|").split("|"))
        assert difference in {"missing", "signature", "value"}
        assert reason
        for name in re.findall(r"`([^`]+)`", names):
            assert found.setdefault(name, difference) == difference
    return found


def counterpart(name):
    """Return the module of the drop-in with the name of one of sacreBLEU's."""
    return importlib.import_module(f"{drop_in.__name__}.{name}".rstrip("."))


def kind_of(item):
    return "class" if inspect.isclass(item) else "function" if callable(item) else "constant"


def is_own(name, item):
    """Return whether sacreBLEU defines this, here or in another of its modules."""
    is_pythons = name.startswith("__") and name not in SPECIAL
    if is_pythons or name == "TYPE_CHECKING" or inspect.ismodule(item):
        return False
    if kind_of(item) != "constant":
        return item.__module__.startswith("sacrebleu")
    home = type(item).__module__
    return home in {"builtins", "logging"} or home.startswith("sacrebleu")


def plain(value):
    """Return a value with classes replaced by their names, so that both packages' can be equal."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if hasattr(value, "langpairs"):
        # Of a test set, sacreBLEU has an entry for BibTeX, the drop-in the address of the paper.
        facts = {**vars(value), "citation": value.citation is not None}
        return {"class": type(value).__name__, **facts}
    if isinstance(value, type({}.keys())):
        return list(value)
    return value.__name__ if inspect.isclass(value) else value


def parameters(function):
    signature = inspect.signature(function)
    return [(each.name, each.kind, each.default) for each in signature.parameters.values()]


def compared(name, theirs, ours):
    """Yield the names, and in what they differ, of an item and of the members of a class."""
    kind = kind_of(theirs)
    if kind_of(ours) != kind:
        yield name, "kind"
    elif kind == "constant":
        if plain(theirs) != plain(ours):
            yield name, "value"
    else:
        if parameters(theirs) != parameters(ours):
            yield name, "signature"
        if kind == "class":
            yield from compared_members(name, theirs, ours)


def compared_members(name, theirs, ours):
    """Yield the names of the members of a class, and in what they differ."""
    if inspect.isabstract(theirs) != inspect.isabstract(ours):
        yield name, "kind"
    for member, item in inspect.getmembers_static(theirs):
        if member == "_abc_impl" or (member.startswith("__") and member not in SPECIAL):
            continue
        full = f"{name}.{member}"
        if not hasattr(ours, member):
            yield full, "missing"
        elif isinstance(inspect.getattr_static(ours, member), staticmethod) != isinstance(
            item, staticmethod
        ):
            yield full, "kind"
        elif not member.startswith("__") or member == "__call__":
            yield from compared(full, getattr(theirs, member), getattr(ours, member))


def differences():
    """Yield every difference between the two packages."""
    for name, module in MODULES.items():
        try:
            ours = counterpart(name)
        except ModuleNotFoundError:
            yield name, "missing"
            continue
        for key, item in vars(module).items():
            if not is_own(key, item):
                continue
            full = f"{name}.{key}".lstrip(".")
            if not hasattr(ours, key):
                yield full, "missing"
            elif kind_of(item) != "constant" and item.__module__ != module.__name__:
                # Imported from where it is defined, it is the same thing.
                home = counterpart(item.__module__.partition(".")[2])
                if getattr(ours, key) is not getattr(home, item.__name__, None):
                    yield full, "value"
            else:
                yield from compared(full, item, getattr(ours, key))


def own_classes():
    """Return the classes of both packages by name."""
    found = {}
    for name, module in MODULES.items():
        for key, item in vars(module).items():
            if inspect.isclass(item) and item.__module__ == module.__name__:
                with contextlib.suppress(ModuleNotFoundError):
                    found[f"{name}.{key}"] = item, getattr(counterpart(name), key)
    return found


class TestNames:
    """The drop-in has sacreBLEU's names; the documentation lists the exceptions."""

    def test_every_name(self):
        """What differs is in the table of the documentation, and nothing else is."""
        found = dict(differences())
        assert found == documented()
        # The walk is over everything.
        assert len(MODULES) > 30
        assert {"metrics.lib_ter", "tokenizers.tokenizer_re", "significance"} <= set(MODULES)

    def test_differences_are_found(self, monkeypatch):
        """A name, an argument, a default, a value or a member that is not there is reported."""
        for path, name, value, expected in (
            ("utils", "my_log", None, ("utils.my_log", "missing")),
            ("utils", "my_log", lambda num, base: num, ("utils.my_log", "signature")),
            ("utils", "my_log", lambda num=0: num, ("utils.my_log", "signature")),
            ("metrics.lib_ter", "_BEAM_WIDTH", 26, ("metrics.lib_ter._BEAM_WIDTH", "value")),
        ):
            with monkeypatch.context() as patch:
                module = counterpart(path)
                assert expected not in set(differences())
                if value is None:
                    patch.delattr(module, name)
                else:
                    patch.setattr(module, name, value)
                assert expected in set(differences())
        with monkeypatch.context() as patch:
            patch.delattr(drop_in.CHRF, "_remove_punctuation")
            assert ("metrics.chrf.CHRF._remove_punctuation", "missing") in set(differences())

    def test_every_import(self):
        """After an installation, every module can be imported under its own name."""
        with install("sacrebleu"):
            for name in MODULES:
                full = f"sacrebleu.{name}".rstrip(".")
                assert importlib.import_module(full) is counterpart(name)
                assert importlib.util.find_spec(full) is not None
        assert sys.modules["sacrebleu"] is sacrebleu

    def test_relations(self):
        """A class is derived from another one if it is so in sacreBLEU."""
        classes = own_classes()
        assert len(classes) > 25
        for name, (theirs, ours) in classes.items():
            for other, (their_base, our_base) in classes.items():
                expected = issubclass(theirs, their_base)
                assert issubclass(ours, our_base) == expected, (name, other)

    @looped(
        "make",
        [
            lambda package: package.BLEU(),
            lambda package: package.CHRF(),
            lambda package: package.TER(),
            lambda package: package.BLEU(references=[["a b"]]),
            lambda package: package.corpus_bleu(["a b"], [["a b"]]),
            lambda package: package.corpus_chrf(["a b"], [["a b"]]),
            lambda package: package.corpus_ter(["a b"], [["a b"]]),
            lambda package: package.significance.Result(1.0),
            lambda package: package.metrics.base.Signature({"num_refs": 1}),
            lambda package: package.metrics.bleu.BLEUSignature(
                vars(package.BLEU()) | {"num_refs": 1}
            ),
            lambda package: package.significance.PairedTest(
                [("a", ["a b"])], {"BLEU": package.BLEU()}, [["a b"]], "bs", 2
            ),
        ],
    )
    def test_attributes(self, make):
        """Objects have sacreBLEU's attributes, private ones as well."""
        theirs, ours = make(sacrebleu), make(drop_in)
        assert {name for name in vars(theirs) if not hasattr(ours, name)} == set()
        for name, value in vars(theirs).items():
            found = getattr(ours, name)
            if isinstance(value, bool | int | float | str | list):
                assert found == value or found in ([], value), name
                assert type(found) is type(value), name


class TestTokenizers:
    """Every tokenizer is in its module, as a class of its own."""

    @usual
    @given(st.text("aß9,.-'!&;<>\"\\{[^`~@:/(+#$ \n\t\u2028\u00a0\u4e00\uff0c", max_size=30))
    def test_rules(self, text):
        """``tokenizer_re`` splits any text as sacreBLEU's does."""
        theirs, ours = (
            importlib.import_module(f"{package}.tokenizers.tokenizer_re").TokenizerRegexp()
            for package in ("sacrebleu", drop_in.__name__)
        )
        assert ours(text) == theirs(text)
        assert ours.signature() == theirs.signature()

    def test_rules_in_all_of_unicode(self):
        """A third of all characters that are assigned, alone and in between, and some others."""
        theirs, ours = (
            importlib.import_module(f"{package}.tokenizers.tokenizer_re").TokenizerRegexp()
            for package in ("sacrebleu", drop_in.__name__)
        )
        # Ideographs, what is unassigned, and what is private: a block of each plane stands for all.
        beyond = (code for code in range(0x20000, sys.maxunicode, 0x10000))
        for start in [*range(0, 0x20000, 4096), *beyond]:
            text = "".join(
                f"{chr(code)} a{chr(code)}b 1{chr(code)}2.{chr(code)},"
                for code in range(start, min(start + 4096, sys.maxunicode + 1), 3)
            )
            assert ours(text) == theirs(text)

    def test_chinese_characters(self):
        """``TokenizerZh`` knows which characters are Chinese."""
        theirs, ours = (
            importlib.import_module(f"{package}.tokenizers.tokenizer_zh").TokenizerZh
            for package in ("sacrebleu", drop_in.__name__)
        )
        for code in [*range(0x32000), *range(0x32000, sys.maxunicode + 1, 61)]:
            assert ours._is_chinese_char(chr(code)) == theirs._is_chinese_char(chr(code))

    @looped("name", sacrebleu.metrics.bleu._TOKENIZERS)
    def test_by_name(self, name):
        """``_get_tokenizer`` returns the class, and a metric has an instance of it."""
        theirs = sacrebleu.metrics.bleu._get_tokenizer(name)
        ours = drop_in.metrics.bleu._get_tokenizer(name)
        assert (ours.__name__, ours.__module__.rpartition(".")[2]) == (
            theirs.__name__,
            theirs.__module__.rpartition(".")[2],
        )
        if not issubclass(ours, counterpart("tokenizers.tokenizer_spm").TokenizerSPM):
            assert type(drop_in.BLEU(tokenize=name).tokenizer) is ours
            assert type(sacrebleu.BLEU(tokenize=name).tokenizer) is theirs

    def test_unknown_name(self):
        """A name that there is not is the same KeyError, from everything that takes it."""
        for call in (drop_in.metrics.bleu._get_tokenizer, lambda name: drop_in.BLEU(tokenize=name)):
            with pytest.raises(KeyError, match="choose one of none, zh, 13a"):
                call("14a")

    @pytest.mark.usefixtures("named_models")
    def test_models(self, caplog):
        """The classes of SentencePiece's models name and split as sacreBLEU's do."""
        module = "tokenizers.tokenizer_spm"
        theirs, ours = MODULES[module], counterpart(module)
        for kind in ("Flores101Tokenizer", "Flores200Tokenizer", "spBLEU1KTokenizer"):
            one, other = getattr(theirs, kind)(), getattr(ours, kind)()
            assert (other.name, other.signature()) == (one.name, one.signature())
            for text in ("The cat sat.", "a  b", ""):
                assert other(text) == one(text)
                assert other.sp.EncodeAsIds(text) == one.sp.EncodeAsIds(text)
        with caplog.at_level(logging.WARNING, "sacrebleu"):
            with pytest.warns(DeprecationWarning, match="warn"):
                one = theirs.TokenizerSPM()
            assert ours.TokenizerSPM().name == ours.TokenizerSPM("flores101").name == one.name
        warned = [message for name, _, message in caplog.record_tuples if name == "sacrebleu"]
        assert len(warned) == 2
        assert warned[0] == warned[1]
        with pytest.raises(KeyError, match="foo"):
            ours.TokenizerSPM("foo")

    @pytest.mark.parametrize("name", ["ja-mecab", "ko-mecab"])
    def test_taggers(self, name):
        """The tokenizers of MeCab have its tagger."""
        theirs, ours = (package.BLEU(tokenize=name).tokenizer for package in (sacrebleu, drop_in))
        text = "ありがとう 감사합니다"
        assert ours.tagger.parse(text) == theirs.tagger.parse(text)
        assert ours.signature() == theirs.signature()

    @usual
    @given(strategies.corpora(max_references=2), st.sampled_from(["13a", "zh", "char", "none"]))
    def test_a_subclass_of_a_tokenizer(self, corpus, name):
        """A class that is derived from a tokenizer and splits differently is used."""
        scores = []
        for package in (sacrebleu, drop_in):
            kind = package.metrics.bleu._get_tokenizer(name)

            class Upper(kind):
                def __call__(self, line):
                    return super().__call__(line).replace("a", " x ")

            metric = package.BLEU()
            metric.tokenizer = Upper()
            hypotheses, references = corpus
            references = [(each * 2)[:2] for each in references]
            streams = list(map(list, zip(*references, strict=True)))
            found = metric.corpus_score(hypotheses, streams)
            scores.append((found.score, found.counts, found.totals))
        assert scores[0] == scores[1]


def both(function, *arguments, colors=False, **keywords):
    """Call a function of both packages' ``utils``; return what they print and log."""
    found = []
    for package in (sacrebleu, drop_in):
        output, log = io.StringIO(), []
        utils = package.utils
        handler = logging.Handler()
        handler.emit = lambda record, log=log: log.append((record.levelname, record.getMessage()))
        before = utils.Color.ENABLE_COLORS
        utils.Color.ENABLE_COLORS = colors
        utils.sacrelogger.addHandler(handler)
        try:
            with contextlib.redirect_stdout(output):
                result = getattr(utils, function)(
                    *(each(package) if callable(each) else each for each in arguments), **keywords
                )
        except SystemExit as error:
            result = error.code
        finally:
            utils.Color.ENABLE_COLORS = before
            utils.sacrelogger.removeHandler(handler)
        found.append((result, output.getvalue(), log))
    return found


class TestPrinting:
    """What sacreBLEU's functions print, the drop-in's print, too."""

    SYSTEMS = (
        ("Baseline: A", ["The dog bit the man.", "It was not unexpected.", "The man bit him."]),
        ("B", ["The dog had bit the man.", "No one was surprised.", "The man had bitten it."]),
        ("C", ["A dog bit a man.", "It was not expected.", "The man bit him."]),
    )
    REFERENCES = (["The dog bit the man.", "It was not unexpected.", "The man bit him first."],)

    @pytest.mark.parametrize("kind", ["ar", "bs", "scores", "no baseline"])
    @looped("colors", [False, True])
    @looped("form", ["text", "latex", "json"])
    def test_tables(self, kind, form, colors):
        """Tables of scores and of tests, in every format, with and without colors."""
        names = [name for name, _ in self.SYSTEMS]
        if kind in {"scores", "no baseline"}:
            names[0] = "A" if kind == "scores" else "Baseline"

        def results(package):
            metrics = {"BLEU": package.BLEU(), "TER": package.TER()}
            if form == "json" and kind == "bs":
                # JSON has no numbers in single precision, which TER's are here.
                del metrics["TER"]
            if kind == "scores":
                return {
                    "System": list(names),
                    **{
                        name: [
                            metric.corpus_score(texts, self.REFERENCES).format(2, score_only=True)
                            for _, texts in self.SYSTEMS
                        ]
                        for name, metric in metrics.items()
                    },
                }
            systems = [(name, texts) for name, (_, texts) in zip(names, self.SYSTEMS, strict=True)]
            test = "bs" if kind == "bs" else "ar"
            run = package.significance.PairedTest(systems, metrics, self.REFERENCES, test, 20)
            return run()[1]

        args = Namespace(
            format=form,
            width=2,
            paired_ar=kind in {"ar", "no baseline"},
            paired_bs=kind == "bs",
            paired_ar_n=20,
            paired_bs_n=20,
        )
        signatures = {"BLEU": "nrefs:1", "TER": "nrefs:1|case:lc"}
        theirs, ours = both("print_results_table", results, signatures, args, colors=colors)
        assert ours == theirs
        assert len(ours[1]) > 100

    @looped("multiline", [False, True])
    def test_cells(self, multiline):
        """The cells of a table; the caller's dict loses its names, as in sacreBLEU."""

        def scores(package):
            result = package.significance.Result
            return {
                "System": ["a", "b", "c"],
                "BLEU": ["1.0", "2.0", "3.0"],
                "TER": [result(1.0), result(2.0, 0.06), result(3.0, 0.05, 1.5, 0.25)],
                "chrF2": [result(1.0, 0.5), result(2.0), result(3.0)],
            }

        for width in (0, 2, 5):
            theirs, ours = both("_format_score_lines", scores, width, multiline, colors=True)
            assert ours == theirs
        with_names = {"System": ["a"], "BLEU": ["1"]}
        drop_in.utils._format_score_lines(with_names)
        assert "System" not in with_names

    @looped("colors", [False, True])
    @looped("form", ["text", "json"])
    @looped(
        "lines",
        [
            ["12.3"],
            ["12.3", "45.6"],
            ["BLEU|nrefs:1 = 12.3 1.0/2.0 (BP = 1.000 ratio = 1.000)"],
            ["BLEU|nrefs:1 = 12.3 (μ = 12.1 ± 1.0) 1/2", "chrF2|n:1 = 45 (μ = 4.10 ± 0.1)"],
            ['{\n "name": "BLEU"\n}', '{\n "name": "TER"\n}'],
        ],
    )
    def test_lines(self, lines, form, colors):
        """Scores of one system, aligned at the equals sign."""
        args = Namespace(format=form)
        theirs, ours = both("print_single_results", lambda _: list(lines), args, colors=colors)
        assert ours == theirs

    def test_colors(self):
        """Colors have sacreBLEU's codes; a color that there is not is none."""
        for color in ("red", "RED", "green", "yellow", "cyan", "blue", "black", "white", "pink"):
            texts = [package.utils.Color.format("text", color) for package in (sacrebleu, drop_in)]
            assert texts[0] == texts[1]
        assert drop_in.utils.Color.format("text", "red") != "text"


class TestFiles:
    """What the command reads and lists."""

    def test_a_system_that_is_given_twice(self, tmp_path):
        """In a paired test, the baseline may be a system, too; nothing else is read twice."""
        paths = [str(tmp_path / name) for name in "ABC"]
        for path in paths:
            (tmp_path / path).write_text(f"{path[-1]} \n")
        first, second, third = paths

        def read(*given, **paired):
            paired = {"paired_ar": False, "paired_bs": False, **paired}
            return files.read_systems(Namespace(input=given, encoding="utf-8", **paired))

        expected = [first, second, third], [["A"], ["B"], ["C"]]
        assert read(*paths) == expected
        assert read(*paths, first, paired_ar=True) == expected
        assert read(first, first, second, third, paired_bs=True) == expected
        for twice, paired in (([first, first], {}), ([*paths, second], {"paired_bs": True})):
            with pytest.raises(files.FatalError, match="already used"):
                read(*twice, **paired)

    @pytest.mark.parametrize(("pair", "title"), [(None, ""), ("ha-en", " for ha-en")])
    def test_a_list(self, pair, title, capsys):
        """The list of test sets has a title, and one line for each."""
        files.print_list(Namespace(test_set=None, langpair=pair))
        first, *rows = capsys.readouterr().out.splitlines()
        assert first == f"The available test sets{title} are:"
        expected = sacrebleu.get_available_testsets()
        if pair:
            expected = sacrebleu.utils.get_available_testsets_for_langpair(pair)
        assert [row.partition(":")[0].rstrip() for row in rows] == sorted(expected)


class TestFunctions:
    """Functions that programs borrow from sacreBLEU."""

    def test_logarithm(self):
        """The logarithm of 0 is a low number."""
        for number in (0, 0.0, 1, 1e-300, 0.5, np.float32(0.25), math.inf):
            assert drop_in.utils.my_log(number) == sacrebleu.utils.my_log(number)
        for package in (sacrebleu, drop_in):
            with pytest.raises(ValueError, match=r"domain|positive"):
                package.utils.my_log(-1)

    def test_options(self):
        """Options of one prefix, with or without it."""
        args = Namespace(bleu_lowercase=True, bleu_bleu_x=1, chrf_beta=2, bleu=3)
        for prefix in ("bleu", "chrf", "ter", ""):
            for strip in (False, True):
                theirs, ours = both("args_to_dict", args, prefix, strip)
                assert ours == theirs

    @looped("test_set", [None, "wmt17"])
    @looped("refs", [[["a"]], [["a", "b"], ["a"]], [["a", "b"]], []])
    def test_lengths(self, refs, test_set):
        """Streams that differ in length end the process, with sacreBLEU's messages."""
        theirs, ours = both("sanity_check_lengths", ["a", "b"], refs, test_set)
        assert ours[:2] == theirs[:2]
        unlines = [" ".join(message.split()) for _, message in ours[2]]
        assert unlines == [" ".join(message.split()) for _, message in theirs[2]]

    def test_p_value(self):
        """The p-value of some differences."""
        stats = np.random.default_rng(3).random(99)
        for real in (-1.0, 0.5, stats[7], 2.0):
            theirs, ours = (
                package.significance._compute_p_value(stats, real)
                for package in (sacrebleu, drop_in)
            )
            assert (ours, type(ours)) == (theirs, type(theirs))

    @looped("confidence", [-1, 20])
    @looped("name", ["_paired_ar_test", "_paired_bs_test"])
    def test_paired_tests(self, name, confidence):
        """The functions that test one system, called by themselves."""
        found = []
        for package in (sacrebleu, drop_in):
            significance = package.significance
            metrics = {"BLEU": package.BLEU(), "chrF2": package.CHRF(), "TER": package.TER()}
            (_, baseline), (_, other), _ = TestPrinting.SYSTEMS
            info = {}
            for key, metric in metrics.items():
                stats = metric._extract_corpus_statistics(baseline, TestPrinting.REFERENCES)
                score = metric._aggregate_and_compute(stats).score
                info[key] = stats, significance.Result(score)
            system, results = getattr(significance, name)(
                info, "B", other, TestPrinting.REFERENCES, metrics, 30, confidence, seed=7
            )
            found.append((system, {key: vars(result) for key, result in results.items()}))
            test = significance.PairedTest(
                TestPrinting.SYSTEMS, metrics, TestPrinting.REFERENCES, name[8:10], 5
            )
            assert test._fn is getattr(significance, name)
            assert set(test._baseline_info) == set(metrics)
        assert found[0] == found[1]

    def test_command(self, monkeypatch, tmp_path, capsys):
        """``sacrebleu.sacrebleu.main`` runs the command with the arguments of the process."""
        reference, system = tmp_path / "reference", tmp_path / "system"
        reference.write_text("The dog bit the man.\n")
        system.write_text("The dog bit a man.\n")
        module = counterpart("sacrebleu")
        monkeypatch.setattr(sys, "argv", ["x", str(reference), "-i", str(system), "-b", "-q"])
        assert module.main() is None
        expected = sacrebleu.corpus_bleu(["The dog bit a man."], [["The dog bit the man."]])
        assert capsys.readouterr().out == f"{expected.score:.1f}\n"
        monkeypatch.setenv("SACREBLEU_FORMAT", "latex")
        args = module.parse_args()
        theirs = MODULES["sacrebleu"].parse_args()
        assert args.format == theirs.format == "latex"
        shared = vars(args).keys() & vars(theirs).keys()
        assert vars(theirs).keys() - vars(args).keys() == set()
        assert {key: getattr(args, key) for key in shared} == {
            key: getattr(theirs, key) for key in shared
        }
        assert {"bleu_lowercase", "chrf_beta", "ter_no_punct", "paired_jobs", "refs"} <= shared
        monkeypatch.setattr(sys, "argv", ["x"])
        with pytest.raises(SystemExit) as found:
            module.main()
        assert found.value.code == 1


class TestNltk:
    """NLTK's modules have a drop-in under every path that programs import them by."""

    @looped("name", ["bleu_score", "chrf_score"])
    def test_names(self, name):
        """Whatever the module has when it runs, and ``import *`` takes, is of the same kind."""
        theirs = importlib.import_module(f"nltk.translate.{name}")
        ours = importlib.import_module(f"truebleu.compat.nltk.{name}")
        assert {each for each in vars(theirs) if each[:2] != "__"} <= set(vars(ours))
        public = {each for each in vars(theirs) if each[0] != "_"}
        starred = {}
        exec(f"from {ours.__name__} import *", starred)
        assert public <= starred.keys()
        for each in public:
            one, other = vars(theirs)[each], vars(ours)[each]
            assert kind_of(one) == kind_of(other)
            if inspect.isfunction(one) and each != "ngrams":
                assert parameters(one) == parameters(other)
            if inspect.isclass(one) and one.__module__ == theirs.__name__:
                assert {key for key in vars(one) if not hasattr(other, key)} == set()
                made = (1, 2) if each == "Fraction" else ()
                assert vars(one(*made)).keys() <= vars(other(*made)).keys()

    def test_paths(self):
        """Tutorials import the modules, and the package that they are in."""
        import truebleu.compat.nltk.bleu_score as short
        import truebleu.compat.nltk.translate.bleu_score as long
        from truebleu.compat.nltk.translate import bleu, chrf, chrf_score

        assert long is short
        assert (bleu, chrf) == (short.sentence_bleu, chrf_score.sentence_chrf)

    @given(st.lists(st.integers(0, 9), max_size=6), st.integers(0, 5), st.booleans(), st.booleans())
    def test_ngrams(self, items, n, left, right):
        """They are NLTK's, with padding, too."""
        from nltk.util import ngrams
        from truebleu.compat.nltk.bleu_score import ngrams as ours

        chosen = {"pad_left": left, "pad_right": right, "left_pad_symbol": "<"}
        assert list(ours(iter(items), n, **chosen)) == list(ngrams(iter(items), n, **chosen))


def original_names(package):
    """Return rows of golden/names.tsv: a class or function, a name, and parameters."""
    rows = (GOLDEN / "names.tsv").read_text("utf-8").splitlines()[2:]
    return [row.split("\t")[1:] for row in rows if row.startswith(package)]


def takes(function, names):
    """Return whether the first parameters of a function have these names."""
    found = [name for name in inspect.signature(function).parameters if name != "self"]
    return found[: len(names.split())] == names.split()


def test_names_of_evaluate():
    """Every name of its modules and functions is here, except for those of its cache and files."""
    metric = hub.load("bleu")
    made = {"EvaluationModuleInfo": metric.info, "MetricInfo": metric.info}
    made |= {"CombinedEvaluations": hub.combine([metric]), "load": hub, "combine": hub}
    missing = set()
    for owner, name, names in original_names("evaluate"):
        if not hasattr(made.get(owner, metric), name or owner):
            missing.add(name)
        elif names and name != "__init__":
            assert takes(getattr(made.get(owner, metric), name or owner), names)
    assert missing == {
        *("buf_writer", "cache_file_name", "data", "data_dir", "file_paths", "filelock"),
        *("filelocks", "from_dict", "from_directory", "rendez_vous_lock"),
        *("selected_feature_format", "write_to_directory", "writer", "writer_batch_size"),
    }


def test_names_of_torchmetrics():
    """Functions and classes have its parameters; `make peers` looks for attributes, too."""
    for owner, name, names in original_names("torchmetrics"):
        if name in ("", "__init__"):
            assert takes(getattr(classes if name else functions, owner), names)
