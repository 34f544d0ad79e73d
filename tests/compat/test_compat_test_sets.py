"""The drop-in for sacreBLEU knows the same test sets, and its command does the same with them."""

import gzip
import hashlib
import io
import json
import logging
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import time
import zipfile
from html import escape
from pathlib import Path

import commands
import pytest
import sacrebleu.dataset
import sacrebleu.utils
from loopback import serving
from looping import looped
from project import ROOT
from truebleu.compat.sacrebleu import cli, dataset, utils
from truebleu.errors import (
    DownloadError,
    InputError,
    LengthMismatchError,
    SettingsError,
    UnknownNameError,
)

# The lines of every source, reference and system; of XML, one fewer.
COUNT = 12

# Test sets of every format, with the translators of their references; None for an unnamed one.
XML_SETS = {
    ("wmt24", "en-de"): ["refA", "refB"],
    ("wmt23", "en-he"): ["refB"],
    ("wmt22", "en-cs"): ["B", "C"],
    ("wmt22", "liv-en"): [None],
    ("wmt21", "en-de"): ["A", "C", "D"],
    ("wmt21/AB", "en-de"): ["A", "B"],
    ("wmt21/C", "en-de"): ["A"],
    ("wmt21/dev", "en-ha"): ["A"],
}
OTHER_SETS = [
    *(("wmt20", "de-en"), ("wmt20/tworefs", "de-en"), ("wmt19", "en-de")),
    *(("wmt19/google/ar", "en-de"), ("wmt18", "en-de"), ("wmt17/ms", "zh-en")),
    *(("wmt08", "de-en"), ("iwslt17", "en-fr"), ("mtedx/test", "es-en")),
    *(("multi30k/2018", "en-de"), ("mtnt2019", "en-fr")),
]

# The documents of SGML: the number of segments, and attributes. Some are in the annotations.
DOCUMENTS = [
    (3, 'docid="bbc.381790" genre="news" origlang="en"'),
    (2, 'docid="nytimes.184853" genre="news" origlang="en"'),
    (2, 'genre="news" origlang="de" docid="newsweek.51331"'),
    (3, 'docid="dailymail.co.uk.232928" genre="news" origlang="en"'),
    (2, 'docid="unknown" origlang="cs"'),
]

SCORED = [*XML_SETS, *OTHER_SETS]
FILTERED = [("wmt24", "en-de"), ("wmt19", "en-de"), ("wmt18", "en-de"), ("wmt20", "de-en")]

COMMANDS = [
    # Lists.
    *("--list", "--list -l de-en", "--list -l ha-en", "--list -l xx-yy", "--list -l en"),
    *(f"--list -t {name} -l {pair}" for name, pair in SCORED),
    *("--list -t nope", "--list -t wmt20 -l xx-yy", "--list -t nope -l en-de", "--list -q"),
    # Downloads, of what is there.
    *(f"--download {name} -l {pair}" for name, pair in SCORED),
    *("--download nope", "--download wmt20 -l xx-yy", "--download nope -l en-de"),
    # Fields.
    *(f"-t {name} -l {pair} --echo {fields}" for name, pair in SCORED
      for fields in ("src ref", "all", "bogus", "docid src")),
    *(f"-t {name} -l {pair} --echo {fields}" for (name, pair), fields in (
        (("wmt24", "en-de"), "Online-A ref:refB domain"), (("wmt24", "en-de"), "ref-refA"),
        (("wmt22", "en-cs"), "ref:B ref:C ref"), (("wmt20/tworefs", "de-en"), "ref:1 ref:0 ref:1"),
        (("wmt20", "de-en"), "origlang genre docid ref src"),
    )),
    "-t wmt21,wmt24 -l en-de --echo src ref", "-t wmt20,wmt20/tworefs -l de-en --echo ref src",
    *(f"-t {name} -l {pair} --echo src ref {options}" for name, pair in FILTERED for options in (
        "--origlang en", "--origlang non-en", "-ol de --subset world", "--subset nothing",
        "--subset country:US", "--subset ^GB", "--origlang xx",
    )),
    "-t iwslt17 -l en-fr --echo src --origlang en", "-t wmt22 -l en-cs --echo src --origlang en",
    # Scores.
    *(f"-t {name} -l {pair} -i sys1 {options}".strip() for name, pair in SCORED
      for options in ("", "-f text -m bleu chrf ter -w 3")),
    *(f"-t wmt20 -l de-en -i {options}" for options in (
        "sys1 -sl -b", "sys1 -f text -sh", "sys1 -b -w 4", "sys1 sys2 -f text", "sys1 -ci -cin 20",
        "sys1 sys2 -par -parn 20 -f text", "sys1 -tok none", "sys1 -q", "short", "empty",
        "sys1 short", "sys1 sys1", "sys1 -sl -m bleu chrf", "sys1 -nr 2", "missing",
    )),
    *(f"-t wmt21,wmt24 -l en-de -i both-xml {options}" for options in ("", "-m chrf -f text")),
    "-t wmt19,wmt18 -l en-de -i both -m bleu chrf -f text",
    "-t wmt20,wmt20/tworefs -l de-en -i both", "-t wmt20/tworefs,wmt20 -l de-en -i both",
    # Parts.
    *(f"-t {name} -l {pair} -i sys1 {options}" for name, pair in FILTERED for options in (
        "--origlang en", "--origlang non-en -f text", "-ol de --subset world -m chrf",
        "--subset country:US -m bleu ter -f text", "--subset ^GB -sl -b", "--subset nothing",
        "--origlang xx", "--origlang xx --subset yy", "--subset [",
    )),
    *(f"-t {name} -l {pair} -i sys1 --origlang en" for name, pair in SCORED),
    "-t wmt19,wmt18 -l en-de -i both --subset politics", "-t wmt19 -l en-de -i short -ol en",
    "-t wmt19,wmt18 -l en-de -i both --detail", "-t wmt19 -l en-de -i empty -ol en",
    *(f"-t {name} -l {pair} -i sys1 {options}" for name, pair in SCORED for options in (
        "--detail", "-d -f text -m chrf bleu -w 4",
    )),
    *(f"-t {name} -l {pair} -i {options}" for name, pair in FILTERED[:3] for options in (
        "sys1 --detail --subset world", "sys1 sys2 --detail", "sys1 --detail -sl -b",
        "sys1 --detail -ol en",
    )),
    "ref1 -i sys1 --detail", "ref1 -i sys1 --origlang en", "ref1 -i sys1 --subset world",
    # Errors.
    "", "-t wmt20", "-t nope -l en-de", "-t nope", "-t nope ref1", "-t wmt20 -l xx-yy",
    "-t wmt20,nope -l de-en", "-t wmt20 -l de-en ref1", "-t wmt20 -l de-en --num-refs 2",
    "-t wmt20,wmt24 -l de-en -i sys1", "ref1 --echo src", "ref1 -l de-en --echo src",
    "--echo src", "--citation", "--cite -q", "ref1 -i sys1 -l en", "--detail", "--origlang",
    "-t wmt21/C -l en-de -i sys1",
]  # fmt: skip

# Where sacreBLEU has no answer but a traceback, and this package has one.
ANSWERED = [
    "-t wmt22 -l en-cs --echo src --origlang en",
    "-t wmt22 -l en-cs -i sys1 --origlang en",
    "-t wmt22 -l liv-en -i sys1 --origlang en",
    "-t wmt23 -l en-he -i sys1 --origlang en",
    *(f"-t {name} -l {pair} -i sys1 {options}" for options in (
        "--detail", "-d -f text -m chrf bleu -w 4",
    ) for name, pair in (("wmt22", "en-cs"), ("wmt22", "liv-en"), ("wmt23", "en-he"))),
    *(f"-t {name} -l {pair} -i sys1 --detail -ol en" for name, pair in FILTERED[:3]),
]  # fmt: skip

# Test sets with files that are not unpacked, but checked whenever they are read.
MADE_UP = ["wmt19/google/ar", "multi30k/2018"]


def run_all(tool, lines, folder, home):
    """Run commands with a home; return the exit code, output and log of each."""
    more = ""
    if tool == "truebleu":
        more = "from truebleu.compat.sacrebleu.dataset import DATASETS\n"
        more += f"for name in {MADE_UP}: DATASETS[name].md5 = None"
    environment = {"TRUEBLEU_CACHE": str(folder / "cache"), "TRUEBLEU_OFFLINE": "1"}
    found = commands.run_all(tool, lines, folder, more, SACREBLEU=str(home), **environment)
    return {
        command: (code, output, log.replace(str(home), "HOME"))
        for command, (code, output, log) in zip(lines, found, strict=True)
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Create systems and a reference."""
    folder = tmp_path_factory.mktemp("files")
    for number, name in ((1, "weak"), (2, "strong")):
        lines = (ROOT / "examples" / f"system-{name}.en").read_text("utf-8").splitlines()[:COUNT]
        text = "".join(f"{line}\n" for line in lines)
        (folder / f"sys{number}").write_text(text, "utf-8")
        (folder / f"ref{number}").write_text(text, "utf-8")
    texts = [(folder / f"sys{number}").read_text("utf-8") for number in (1, 2)]
    (folder / "both").write_text("".join(texts), "utf-8")
    (folder / "both-xml").write_text("".join(texts), "utf-8")
    (folder / "short").write_text("one line\n")
    (folder / "empty").write_text("")
    return folder


def sgml_file(lines):
    """Return the documents of a test set with these lines."""
    parts, left = [], list(lines)
    for count, attributes in DOCUMENTS:
        segments = [f'<seg id="{i}"> {escape(left.pop(0))} </seg>' for i in range(count)]
        parts += [f"<doc {attributes}>", *segments, "</doc>"]
    return "\n".join([*parts, ""])


def xml_file(pair, translators, source, references):
    """Return an XML file of WMT with references and two systems."""
    languages = pair.split("-")

    def part(opening, lines, start, end):
        numbered = list(enumerate(lines, 1))[start:end]
        segments = "".join(f'<seg id="{i}">{escape(text)}</seg>' for i, text in numbered)
        return f"<{opening}><p>{segments}</p></{opening.split()[0]}>"

    documents = []
    for number, (origlang, domain, start, end) in enumerate(
        [("en", "news", 0, 5), ("de", "world-news", 5, 8), ("en", "social", 8, COUNT)]
    ):
        parts = [part(f'src lang="{languages[0]}"', source, start, end)]
        for translator, lines in zip(translators, references, strict=False):
            label = f' translator="{translator}"' if translator else ""
            parts.append(part(f'ref lang="{languages[1]}"{label}', lines, start, end))
        parts += [part(f'hyp system="{name}"', references[0], start, end)
                  for name in ("Lan-Bridge", "Online-A")]  # fmt: skip
        attributes = f'id="d{number}" origlang="{origlang}" domain="{domain}"'
        documents.append(f"<doc {attributes}>{''.join(parts)}</doc>")
    documents.append(documents[0].replace("<doc ", '<doc testsuite="odd" '))
    return f"<dataset>{''.join(documents)}</dataset>"


def in_order_of_sets(names):
    """Return names in the order of sacreBLEU's sets."""
    code = f"import json; print(json.dumps([list(set(each)) for each in {names!r}]))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": "0"},
        capture_output=True,
        check=True,
        timeout=300,
    )
    return json.loads(done.stdout)


def fill(home):
    """Create raw files of test sets as sacreBLEU unpacks them."""
    examples = [
        (ROOT / "examples" / name).read_text("utf-8").splitlines()[:COUNT]
        for name in ("source.de", "reference-a.en", "reference-b.en", "system-strong.en")
    ]
    source, *references = examples
    orders = in_order_of_sets(list(XML_SETS.values()))
    translators = dict(zip(XML_SETS, orders, strict=True))
    for name, pair in SCORED:
        original = sacrebleu.dataset.DATASETS[name]
        raw = home / name / "raw"
        raw.mkdir(parents=True, exist_ok=True)
        for url in original.data:
            # sacreBLEU does not open it again.
            (raw / original._get_tarball_filename(url)).write_text("unpacked")
        files = original.langpairs[pair]
        paths = [files["path"]] if isinstance(files, dict) else files
        for path, lines in zip(paths, examples, strict=False):
            target = raw / path.rpartition(":")[2]
            target.parent.mkdir(parents=True, exist_ok=True)
            if (name, pair) in XML_SETS:
                text = xml_file(pair, translators[name, pair], source, references)
            elif path.endswith((".sgm", ".xml")):
                text = sgml_file(lines)
            elif ":" in path:
                rows = zip(source, source, source, references[0], strict=True)
                text = "".join("\t".join(row) + "\n" for row in rows)
            else:
                text = "".join(f"{line} \n" for line in lines)
            data = text.encode()
            target.write_bytes(gzip.compress(data, mtime=0) if path.endswith(".gz") else data)
    return home


@pytest.fixture(scope="module")
def results(folder, tmp_path_factory):
    """Run all commands with both tools, each in a home of its own."""
    homes = {tool: fill(tmp_path_factory.mktemp(tool)) for tool in commands.LOAD}
    lines = list(dict.fromkeys(COMMANDS))
    results = {tool: run_all(tool, lines, folder, home) for tool, home in homes.items()}
    return results | {"homes": homes}


def test_every_format_is_compared():
    """The test sets that the commands are tried with are of all classes."""
    classes = {type(sacrebleu.dataset.DATASETS[name]) for name, _ in SCORED}
    assert classes == {type(each) for each in sacrebleu.dataset.DATASETS.values()}
    assert len(COMMANDS) > 300


@looped("command", list(dict.fromkeys(COMMANDS)))
def test_commands(command, results):
    """Output, exit code and log are sacreBLEU's; where it has a traceback, there is an error."""
    expected_code, expected_output, expected_log = results["sacrebleu"][command]
    code, output, log = results["truebleu"][command]
    assert "Traceback" not in log
    if command in ANSWERED:
        assert "Traceback" in expected_log
        assert (code, output != "") == (0, True)
        return
    assert code == expected_code
    if "Traceback" in expected_log:
        assert output in ("", expected_output)
        assert log.startswith("sacreBLEU: ")
        return
    assert output == expected_output
    if code == 2:
        # Of wrong usage, argparse writes.
        assert "error:" in log
    elif "-t wmt21/C" in command and code == 1 and " -i " in command:
        # The file has no reference that is scored. sacreBLEU goes on, and blames the cache.
        assert log.split("\n")[0] == expected_log.split("\n")[0]
        assert "only ref:A, which are not for scoring" in log
    else:
        # The drop-in gives each warning once, sacreBLEU on every line.
        lines = [list(dict.fromkeys(each.split("\n"))) for each in (log, expected_log)]
        assert lines[0] == lines[1]


def test_files(results):
    """Both write the same files, byte for byte, at the same places."""
    trees = [
        {
            path.relative_to(home): path.read_bytes()
            for path in home.rglob("*")
            if path.is_file() and path.suffix != ".lock"
        }
        for home in results["homes"].values()
    ]
    assert trees[0] == trees[1]
    assert len(trees[0]) > 100


def test_a_relative_folder(folder, tmp_path):
    """It works with test sets of every format, where sacreBLEU fails with most."""
    fill(tmp_path / "home")
    lines = [f"-t {name} -l {pair} --echo src" for name, pair in SCORED]
    results = run_all("truebleu", lines, tmp_path, "home")
    assert [code for code, *_ in results.values()] == [0] * len(lines)


@pytest.fixture(autouse=True)
def log(caplog):
    """Hear what is logged, which other tests may have silenced."""
    caplog.set_level(logging.INFO, "sacrebleu")


class TestClosedPipes:
    """A reader that has seen enough ends the command as it ends sacreBLEU."""

    @pytest.mark.skipif(not hasattr(signal, "SIGPIPE"), reason="needs SIGPIPE")
    @pytest.mark.parametrize("options", ["--list", "-t wmt20 -l de-en --echo all"])
    def test_closed_pipe(self, options, results, folder):
        """The process ends by SIGPIPE: 141 in a shell."""
        codes = []
        for tool, module in (("sacrebleu", "sacrebleu"), ("truebleu", "truebleu.compat.sacrebleu")):
            process = subprocess.Popen(
                [sys.executable, "-m", module, *options.split()],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=folder,
                env={**os.environ, "SACREBLEU": str(results["homes"][tool])},
            )
            process.stdout.close()
            assert process.stderr.read() == b""
            process.stderr.close()
            codes.append(process.wait(300))
        assert codes == [-signal.SIGPIPE] * 2

    def test_in_another_program(self, monkeypatch):
        """A program that calls the command goes on, with the same code."""

        class Closed(io.StringIO):
            def write(self, text):
                raise BrokenPipeError

        monkeypatch.setattr(sys, "stdout", Closed())
        assert cli.main(["--list", "-q"]) == 141


@pytest.fixture
def at_home(results, monkeypatch):
    """Let the data sets of both packages in this process use what the commands have written."""
    for tool, module in (("sacrebleu", sacrebleu.dataset), ("truebleu", dataset)):
        home = results["homes"][tool]
        for name, each in module.DATASETS.items():
            monkeypatch.setattr(each, "_outdir", str(home / name))
            monkeypatch.setattr(each, "_rawdir", str(home / name / "raw"))
    for name in MADE_UP:
        monkeypatch.setattr(dataset.DATASETS[name], "md5", None)
    monkeypatch.setattr(sacrebleu.utils, "SACREBLEU_DIR", str(results["homes"]["sacrebleu"]))
    monkeypatch.setenv("TRUEBLEU_CACHE", str(results["homes"]["truebleu"] / "cache"))
    monkeypatch.setenv("TRUEBLEU_OFFLINE", "1")
    return results["homes"]


def below_home(paths, home):
    return [Path(path).relative_to(home).as_posix() for path in paths]


class TestFunctions:
    """The functions of ``utils`` and the methods of data sets return the same."""

    # sacreBLEU leaves files open.
    @pytest.mark.filterwarnings("ignore::ResourceWarning")
    @pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
    @looped("name, pair", SCORED)
    def test_files(self, at_home, name, pair):
        """Files are found at the same places."""
        theirs, ours = (at_home[tool] for tool in ("sacrebleu", "truebleu"))
        for function in ("get_files", "get_reference_files", "download_test_set"):
            expected = below_home(getattr(sacrebleu.utils, function)(name, pair), theirs)
            found = below_home(getattr(utils, function)(name, pair), ours)
            # The order of translators is that of a set.
            assert sorted(found) == sorted(expected)
        expected = sacrebleu.utils.get_source_file(name, pair)
        assert below_home([utils.get_source_file(name, pair)], ours) == below_home(
            [expected], theirs
        )
        one, other = sacrebleu.dataset.DATASETS[name], dataset.DATASETS[name]
        assert list(other.source(pair)) == list(one.source(pair))
        if len(XML_SETS.get((name, pair), [])) < 2:
            assert list(other.references(pair)) == list(one.references(pair))
            assert list(other.__iter__(pair)) == list(one.__iter__(pair))

    def test_scored_references(self):
        """Every language pair is scored with the references that sacreBLEU uses."""
        pairs = [
            (name, pair)
            for name, each in dataset.DATASETS.items()
            if isinstance(each, dataset.WMTXMLDataset)
            for pair in each.langpairs
        ]
        assert len(pairs) > 100
        for name, pair in pairs:
            references = [
                module.DATASETS[name]._get_langpair_allowed_refs(pair)
                for module in (sacrebleu.dataset, dataset)
            ]
            assert references[0] == references[1]

    @looped("pair", ["en-de", "de-en", "ha-en", "xx-yy", "en-de-x"])
    def test_names(self, pair):
        """Test sets and language pairs are listed in the same order."""
        assert utils.get_available_testsets() == sacrebleu.utils.get_available_testsets()
        expected = sacrebleu.utils.get_available_testsets_for_langpair(pair)
        assert utils.get_available_testsets_for_langpair(pair) == expected
        for name in (*dataset.DATASETS, "nope"):
            expected = sacrebleu.utils.get_langpairs_for_testset(name)
            assert utils.get_langpairs_for_testset(name) == expected

    @looped(
        "names, pair",
        [(name, pair) for name, pair in SCORED if pair not in ("en-cs", "liv-en", "en-he")]
        + [("wmt19,wmt18", "en-de"), (None, "en-de")],
    )
    def test_subsets(self, at_home, names, pair):
        """Original languages and domains are the same, and so is what has them."""
        for function in ("get_available_origlangs", "get_available_subsets"):
            expected = getattr(sacrebleu.utils, function)(names, pair)
            assert getattr(utils, function)(names, pair) == expected

    def test_parts(self, at_home):
        """Any iterables are filtered; those of another length are refused, not cut."""
        numbers = [range(COUNT), iter("abcdefghijkl")]
        found = utils.filter_subset(numbers, "wmt19", "en-de", "de", "crime")
        assert found == [[5, 6], ["f", "g"]]
        assert utils.filter_subset(numbers, None, None, None) is numbers
        with pytest.raises(LengthMismatchError, match="12 segments, but a system or reference"):
            utils.filter_subset([range(COUNT - 1)], "wmt19", "en-de", "de")

    def test_unknown_names(self, tmp_path):
        """Errors name what is unknown."""
        for function in (utils.get_files, utils.get_source_file, utils.get_reference_files):
            with pytest.raises(UnknownNameError, match="No such test set nope"):
                function("nope", "en-de")
        with pytest.raises(UnknownNameError, match="No such language pair wmt20/xx-yy"):
            utils.get_files("wmt20", "xx-yy")
        with pytest.raises(InputError, match="give source and target"):
            utils.get_available_testsets_for_langpair("en")
        with pytest.raises(SettingsError, match="Filtering for --origlang or --subset needs"):
            utils.filter_subset([[]], None, "en-de", "en")
        own = dataset.FakeSGMLDataset("own", langpairs={"en-de": ["a.sgm"]})
        with pytest.raises(SettingsError, match="in own must have at least 2 fields"):
            own.fieldnames("en-de")
        table = dataset.TSVDataset("own", langpairs={"en-de": ["x:a.tsv", "1:a.tsv"]})
        with pytest.raises(SettingsError, match="Invalid meta for TSVDataset: x:"):
            table.get_files("en-de")

    def test_columns_of_tables(self):
        """A file may be given with or without its column."""
        for meta in ("3:a.tsv", "a.tsv", "-1:b", "1:a:b"):
            for field in ("src", "ref"):
                results = [
                    module.TSVDataset._split_index_and_filename(meta, field)
                    for module in (sacrebleu.dataset, dataset)
                ]
                assert results[0] == results[1]

    def test_a_system_that_names_a_file_elsewhere(self, tmp_path, monkeypatch):
        """Names in files are only names: none leads out of the folder."""
        own = dataset.WMTXMLDataset("own", langpairs={"en-de": ["a.xml"]}, refs=["A"])
        monkeypatch.setattr(own, "_outdir", str(tmp_path / "own"))
        monkeypatch.setattr(own, "_rawdir", str(tmp_path / "own" / "raw"))
        (tmp_path / "own" / "raw").mkdir(parents=True)
        text = xml_file("en-de", ["A"], ["s"] * COUNT, [["r"] * COUNT])
        for name in ("../../x", "a\\b", "/x"):
            path = tmp_path / "own" / "raw" / "a.xml"
            path.write_text(text.replace("Online-A", name))
            with pytest.raises(InputError, match="cannot be the name of a file"):
                own.get_files("en-de")
        assert {path.name for path in tmp_path.rglob("*") if path.is_file()} <= {"a.xml"}

    def test_a_damaged_file(self, tmp_path, monkeypatch, caplog):
        """The command says where it is damaged, and writes nothing; sacreBLEU has a traceback."""
        text = xml_file("en-de", ["A"], ["s"] * COUNT, [["r"] * COUNT])
        for damaged, message in (
            (text.replace(">s<", "><", 1), "a.xml, line 1: the source of segment 1 is empty"),
            ("".join(text.rsplit('<seg id="7">r</seg>', 1)), "system 'Online-A' has no segment 7"),
            (text.replace(' domain="news"', "", 1), "a.xml: document 'd0' has no domain"),
            (text[:-99], "a.xml, line 1, column"),
        ):
            for module, home in ((dataset, tmp_path / "ours"), (sacrebleu.dataset, tmp_path / "x")):
                own = module.WMTXMLDataset("own", data=[], langpairs={"en-de": ["a.xml"]})
                own._outdir, own._rawdir = str(home), str(home)
                home.mkdir(exist_ok=True)
                (home / "a.xml").write_text(damaged)
                if module is dataset:
                    monkeypatch.setitem(dataset.DATASETS, "own", own)
                    assert cli.main(["-t", "own", "-l", "en-de", "--echo", "src"]) == 1
                    assert message in caplog.messages[-1]
                    assert [path.name for path in home.iterdir()] == ["a.xml"]
                else:
                    with pytest.raises(Exception):  # noqa: B017, PT011  # Of any class.
                        own.get_files("en-de")

    def test_fields_of_different_lengths(self, at_home, capsys, caplog, monkeypatch, tmp_path):
        """As in sacreBLEU, the shortest field ends the output; here, it is said."""
        home = shutil.copytree(at_home["truebleu"] / "wmt20", tmp_path / "wmt20")
        monkeypatch.setattr(dataset.DATASETS["wmt20"], "_outdir", str(home))
        (home / "wmt20.de-en.ref").write_text("one\ntwo\n")
        utils.print_test_set("wmt20", "de-en", ["docid", "ref"])
        assert capsys.readouterr().out == "bbc.381790\tone\nbbc.381790\ttwo\n"
        assert "wmt20.de-en.ref has only 2 lines, another field has 12" in caplog.text


class TestCitations:
    """The addresses of papers, where sacreBLEU ends in a traceback."""

    def test_every_citation(self):
        """The test sets with a citation are sacreBLEU's, and it names the same papers."""
        for name, original in sacrebleu.dataset.DATASETS.items():
            citation = dataset.DATASETS[name].citation
            assert (citation is None) == (original.citation is None)
            for address in (citation or "").split():
                assert address.startswith(("https://aclanthology.org/", "https://arxiv.org/abs/"))
                identifier = address.rpartition("/")[2]
                if name not in ("iwslt17", "wmt17/ms"):
                    assert identifier in original.citation

    def test_command(self, capsys):
        """They are printed, one per line."""
        assert cli.main(["--citation", "-t", "wmt18,wmt20,multi30k/2018"]) == 0
        assert capsys.readouterr().out.split() == [
            "https://aclanthology.org/W18-6401",
            "https://aclanthology.org/W16-3210",
            "https://aclanthology.org/W18-6402",
        ]
        assert cli.main(["--cite", "-t", "nope", "-q"]) == 1


def tar_of(files, mode="w:gz"):
    """Return a compressed tar with files by name; of None, a link to another file."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            if content is None:
                member.type, member.linkname = tarfile.SYMTYPE, "../../secret"
                archive.addfile(member)
            else:
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))
    return out.getvalue()


def md5_of(content):
    return hashlib.md5(content, usedforsecurity=False).hexdigest()


TEXTS = {
    "sgm/src.sgm": sgml_file([f"source {i}" for i in range(COUNT)]).encode(),
    "sgm/ref.sgm": sgml_file([f"reference {i}" for i in range(COUNT)]).encode(),
}
PAIRS = {"de-en": list(TEXTS)}


@pytest.fixture
def fresh(tmp_path, monkeypatch):
    """Begin with empty folders of both packages."""
    monkeypatch.setenv("TRUEBLEU_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("SACREBLEU", str(tmp_path / "home"))
    for name in ("TRUEBLEU_OFFLINE", "TRUEBLEU_MIRROR"):
        monkeypatch.delenv(name, raising=False)

    def make(module, url, content, name="wmt20", kind="FakeSGMLDataset", langpairs=PAIRS):
        made = getattr(module, kind)(
            name, data=[url], md5=[md5_of(content)], langpairs=langpairs, description="x"
        )
        home = tmp_path / ("home" if module is dataset else "theirs")
        made._outdir, made._rawdir = str(home / name), str(home / name / "raw")
        return made

    return make


def files_in(folder):
    """Return the contents of all files but locks, by their path."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(Path(folder).rglob("*"))
        if path.is_file() and path.suffix != ".lock"
    }


class TestDownloads:
    """Archives are downloaded and unpacked to the places where sacreBLEU has them."""

    @pytest.mark.parametrize("kind", ["tgz", "zip"])
    def test_the_same_files(self, fresh, tmp_path, kind):
        """After a download, both have written the same files, and do without a network."""
        content = tar_of(TEXTS)
        if kind == "zip":
            out = io.BytesIO()
            with zipfile.ZipFile(out, "w") as archive:
                for name, data in TEXTS.items():
                    archive.writestr(name, data)
            content = out.getvalue()
        with serving(files={f"/test.{kind}": content}) as server:
            url = f"{server.base}/test.{kind}"
            ours = fresh(dataset, url, content)
            theirs = fresh(sacrebleu.dataset, url, content)
            assert [Path(path).name for path in ours.get_files("de-en")] == [
                Path(path).name for path in theirs.get_files("de-en")
            ]
            requests = len(server.paths)
            # Of a set that shares the archive, nothing is downloaded.
            other = fresh(dataset, url, content, name="wmt21/other")
            assert next(other.source("de-en")) == "source 0"
            assert len(server.paths) == requests
        assert files_in(ours._outdir) == files_in(theirs._outdir)
        assert f"raw/wmt20.test.{kind}" in files_in(ours._outdir)
        for path in Path(ours._outdir).glob("wmt20.*"):
            path.unlink()
        assert next(iter(ours.references("de-en"))) == ("reference 0\n",)

    def test_the_command(self, fresh, monkeypatch, tmp_path, capsys, caplog):
        """``-t`` downloads what is not on disk, and scores."""
        content = tar_of(TEXTS)
        (tmp_path / "system").write_text("".join(f"reference {i}\n" for i in range(COUNT)))
        with serving(files={"/test.tgz": content}) as server:
            own = fresh(dataset, f"{server.base}/test.tgz", content)
            monkeypatch.setitem(dataset.DATASETS, "wmt20", own)
            system = str(tmp_path / "system")
            arguments = ["-t", "wmt20", "-l", "de-en", "-i", system, "-m", "chrf", "-b"]
            assert cli.main(arguments) == 0
        assert capsys.readouterr().out == "100.0\n"
        assert cli.main(["--download", "wmt20", "-q"]) == 0
        shutil.rmtree(own._outdir)
        shutil.rmtree(tmp_path / "cache")
        assert cli.main(arguments) == 1
        assert "cannot be downloaded" in caplog.text
        assert not any(path.endswith(".ref") for path in files_in(tmp_path / "home"))

    def test_a_wrong_checksum(self, fresh, tmp_path):
        """An archive that is not the published one is never kept, nor unpacked."""
        with serving(files={"/test.tgz": tar_of({**TEXTS, "x": b"y"})}) as server:
            own = fresh(dataset, f"{server.base}/test.tgz", tar_of(TEXTS))
            for _ in range(2):
                with pytest.raises(DownloadError, match=f"MD5 .*{md5_of(tar_of(TEXTS))}"):
                    own.get_files("de-en")
                assert files_in(own._outdir) == {}
            assert len(server.paths) == 2

    def test_a_bad_archive_of_sacrebleu(self, fresh):
        """An archive that an interrupted run of sacreBLEU has left is replaced."""
        content = tar_of(TEXTS)
        with serving(files={"/test.tgz": content}) as server:
            own = fresh(dataset, f"{server.base}/test.tgz", content)
            bad = Path(own._rawdir) / "wmt20.test.tgz"
            bad.parent.mkdir(parents=True)
            bad.write_bytes(content[:99])
            own.get_files("de-en")
        assert bad.read_bytes() == content

    def test_a_bad_file_of_sacrebleu(self, fresh):
        """So is a file that is not unpacked, but read as it is."""
        content = gzip.compress(b"line\n" * 9)
        langpairs = {"de-en": ["wmt20.a.gz"] * 2}
        with serving(files={"/a.gz": content}) as server:
            url = f"{server.base}/a.gz"
            own = fresh(dataset, url, content, kind="PlainTextDataset", langpairs=langpairs)
            bad = Path(own._rawdir) / "wmt20.a.gz"
            bad.parent.mkdir(parents=True)
            bad.write_bytes(content[:9])
            assert list(own.source("de-en")) == ["line"] * 9
        assert bad.read_bytes() == content

    def test_an_archive_put_there_by_hand(self, fresh):
        """It is unpacked without a network, if it is the published one."""
        content = tar_of(TEXTS)
        own = fresh(dataset, "http://127.0.0.1:1/test.tgz", content)
        Path(own._rawdir).mkdir(parents=True)
        (Path(own._rawdir) / "wmt20.test.tgz").write_bytes(content)
        assert next(own.source("de-en")) == "source 0"

    @looped(
        "files, message",
        [
            ({"sgm/src.sgm": TEXTS["sgm/src.sgm"]}, "has no file sgm/ref.sgm"),
            ({**TEXTS, "sgm/ref.sgm": None}, "is a link or a folder"),
            ({"../sgm/ref.sgm": b"", "sgm/src.sgm": b""}, "has no file sgm/ref.sgm"),
        ],
    )
    def test_bad_archives(self, fresh, tmp_path, files, message):
        """What is not in an archive, or leads elsewhere, is an error; nothing else is written."""
        content = tar_of({**files, "../../outside": b"x"})
        with serving(files={"/test.tgz": content}) as server:
            own = fresh(dataset, f"{server.base}/test.tgz", content)
            with pytest.raises(DownloadError, match=message):
                own.get_files("de-en")
        names = {Path(name).name for name in files_in(tmp_path)}
        assert names & {"outside", "ref.sgm"} == set()

    def test_many_at_once(self, fresh):
        """Processes that begin together download once, and all read whole files."""
        content = tar_of(TEXTS)
        with serving(files={"/test.tgz": content}) as server:
            own = fresh(dataset, f"{server.base}/test.tgz", content)
            context = multiprocessing.get_context("fork")
            queue = context.Queue()

            def work():
                queue.put([line for row in own.references("de-en") for line in row])

            processes = [context.Process(target=work) for _ in range(4)]
            for process in processes:
                process.start()
            found = [queue.get(timeout=300) for _ in processes]
            for process in processes:
                process.join(300)
            assert len(server.paths) == 1
        assert found == [[f"reference {i}\n" for i in range(COUNT)]] * 4

    def test_a_kill(self, fresh, tmp_path):
        """A process that is killed at any time leaves no file that is half written."""
        big = {name: content * 300 for name, content in TEXTS.items()}
        content = tar_of(big)
        with serving(files={"/test.tgz": content}) as server:
            own = fresh(dataset, f"{server.base}/test.tgz", content)
            context = multiprocessing.get_context("fork")
            for delay in (0.01, 0.02, 0.04, 0.08, 0.16):
                process = context.Process(target=own.get_files, args=("de-en",))
                process.start()
                time.sleep(delay)
                process.kill()
                process.join(300)
                whole = files_in(own._outdir)
                for name, data in whole.items():
                    if name.startswith("raw/sgm/"):
                        assert data == big[name.removeprefix("raw/")]
                    elif name.startswith("wmt20."):
                        assert data.count(b"\n") == COUNT * 300 or ".part" in name
            own.get_files("de-en")
        assert all(
            Path(path).read_bytes().count(b"\n") == COUNT * 300 for path in own.get_files("de-en")
        )

    def test_without_a_checksum(self, fresh):
        """An own data set needs none; gzipped files are read as they are."""
        text = gzip.compress("Fußball\n".encode())
        with serving(files={"/a.gz": text}) as server:
            own = fresh(
                dataset,
                f"{server.base}/a.gz",
                text,
                kind="PlainTextDataset",
                langpairs={"de-en": ["wmt20.a.gz"] * 2},
            )
            own.md5 = None
            assert list(own.source("de-en")) == ["Fußball"]

    def test_files_and_archives(self, fresh, tmp_path):
        """``download_file`` and ``extract_tarball`` check what they write."""
        content = tar_of({"a/b": b"x", "./c": b"y"})
        target = tmp_path / "new" / "x.tgz"
        with serving(files={"/x.tgz": content}) as server:
            for _ in range(2):
                utils.download_file(
                    f"{server.base}/x.tgz", str(target), str(tmp_path / "out"), md5_of(content)
                )
            assert len(server.paths) == 1
            with pytest.raises(DownloadError, match="the MD5 is"):
                utils.download_file(f"{server.base}/x.tgz", str(target), None, "0" * 32)
        assert files_in(tmp_path / "out") == {"a/b": b"x", "c": b"y"}
        assert utils.get_md5sum(str(target)) == md5_of(content)
        for name in ("../x", "/x", "a/../../x", ".", "a/.."):
            (tmp_path / "bad.tgz").write_bytes(tar_of({name: b"x"}))
            with pytest.raises(DownloadError, match="would be outside"):
                utils.extract_tarball(str(tmp_path / "bad.tgz"), str(tmp_path / "out"))
        (tmp_path / "bad.zip").write_bytes(b"no")
        whole = bytearray(tar_of({"x": bytes(100_000)}, "w:xz"))
        whole[len(whole) // 2] ^= 255
        (tmp_path / "bad.tgz").write_bytes(whole)
        for name in ("bad.zip", "bad.tgz"):
            with pytest.raises(DownloadError, match="damaged"):
                utils.extract_tarball(str(tmp_path / name), str(tmp_path / "out"))
        with pytest.raises(FileNotFoundError):
            utils.extract_tarball(str(tmp_path / "none.tgz"), str(tmp_path / "out"))
        utils.extract_tarball(str(tmp_path / "other.txt"), str(tmp_path / "out"))
        assert files_in(tmp_path / "out") == {"a/b": b"x", "c": b"y"}
