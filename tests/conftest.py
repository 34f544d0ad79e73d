"""What holds for all tests."""

import contextlib
import functools
import operator
import os
import signal
from unittest import mock

import pytest
from hypothesis import HealthCheck, settings
from project import EXAMPLES, ROOT

# A job in the background starts with Ctrl-C ignored, and so would the processes of the tests.
signal.signal(signal.SIGINT, signal.default_int_handler)


# How long an example takes says nothing: the machine may be busy. Unless they run patiently, as in
# `make campaign`, tests have a third of the examples that they ask for, or as few as others.
usual = settings.get_profile(settings.get_current_profile_name())
for name in ("brief", "patient"):
    settings.register_profile(
        name, parent=usual, deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
settings.load_profile("brief")

FEW = 15
settings.register_profile("quick", parent=settings.get_profile("ci"), max_examples=FEW)
EXAMPLES_OF = {"quick": lambda asked: FEW, "brief": lambda asked: max(FEW, asked // 3)}


@pytest.fixture(scope="module")
def plain_sum():
    """Let sacreBLEU add floats as it did before Python 3.12.

    The builtin ``sum`` now compensates for rounding errors, which moves the last bit.
    """
    from sacrebleu.metrics import bleu

    def add(numbers):
        return functools.reduce(operator.add, numbers, 0)

    with mock.patch.object(bleu, "sum", add, create=True):
        yield


@pytest.fixture(scope="session")
def model(tmp_path_factory):
    """Train a small SentencePiece model."""
    import sentencepiece

    path = tmp_path_factory.mktemp("model") / "small"
    texts = [(EXAMPLES / name).read_text("utf-8") for name in ("reference-a.en", "source.de")]
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter("\n".join(texts).splitlines()),
        model_prefix=str(path),
        vocab_size=600,
        minloglevel=2,
    )
    return path.with_suffix(".model")


@pytest.fixture(scope="module")
def named_models(model, tmp_path_factory):
    """Put that model where truebleu and sacreBLEU look for the models that have a name."""
    from sacrebleu.tokenizers import tokenizer_spm
    from truebleu.tokenizers import registry, sentencepiece

    folder = tmp_path_factory.mktemp("named") / "models"
    folder.mkdir()
    for name in sentencepiece.MODELS:
        (folder / f"{name}.model").write_bytes(model.read_bytes())
    for known in tokenizer_spm.SPM_MODELS.values():
        (folder / known["url"].rpartition("/")[2]).write_bytes(model.read_bytes())
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRUEBLEU_CACHE", str(folder.parent))
        patch.setenv("SACREBLEU", str(folder.parent / "none"))
        patch.setattr(registry, "loaded", {})
        patch.setattr(tokenizer_spm, "SACREBLEU_DIR", str(folder.parent))
        yield


def pytest_runtest_setup():
    """Undo what importing ``sacrebleu.sacrebleu`` does: a closed pipe would end all tests."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Let drawn corpora be as odd as they like: what is odd is warned of, which is no failure.

    Tests have as many examples as the profile says. What is for the campaign is slow.
    """
    odd = pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning")
    fewer = EXAMPLES_OF.get(settings.get_current_profile_name(), lambda asked: asked)
    drawn = set()
    for item in items:
        if item.get_closest_marker("campaign"):
            item.add_marker("slow")
        test = getattr(item, "obj", None)
        if getattr(test, "is_hypothesis_test", False):
            item.add_marker(odd)
            drawn.add(getattr(test, "__func__", test))
    for test in drawn:
        # Hypothesis has no public way to change what a test asks for.
        asked = test._hypothesis_internal_use_settings
        number = min(asked.max_examples, fewer(asked.max_examples))
        test._hypothesis_internal_use_settings = settings(asked, max_examples=number)


# Slow tests that share one Spark and one Ray, whose start takes longer than most of them do. Those
# that stop Spark go last: they use its process again. A browser starts in a second.
CLUSTERS = (
    *("tests/engines/", "tests/docs/test_docs.py", "tests/docs/test_examples.py"),
    "tests/laws/test_sentences.py",
)
# What stops the clusters that run.
STARTED = []
BROWSER = "tests/reporting/test_report_browser.py"


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Let one process run all slow tests of clusters, each of which is then started once.

    Those in the browser are shared by classes.
    """
    from xdist.scheduler import LoadFileScheduling

    class Scheduling(LoadFileScheduling):
        def _split_scope(self, nodeid):
            if nodeid.startswith(BROWSER):
                return "::".join(nodeid.split("::")[:2])
            return "clusters" if nodeid.startswith(CLUSTERS) else super()._split_scope(nodeid)

    chosen = (config.getoption("dist"), config.getoption("markexpr").partition(" ")[0])
    return Scheduling(config, log) if chosen == ("loadfile", "slow") else None


@pytest.fixture(scope="session")
def stop_later():
    """Return what is told how to stop a cluster."""
    return STARTED.append


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(nextitem):
    """Stop the clusters after the last test of theirs: others need the memory."""
    if nextitem is None or not nextitem.nodeid.startswith(CLUSTERS):
        while STARTED:
            STARTED.pop()()


def missing_package(error):
    """Name the package that an error misses: none of this project, and none in CI."""
    if os.environ.get("CI") or isinstance(error, AssertionError):
        return None
    seen = set()  # The contexts of an error of Ray's are a circle.
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        if isinstance(error, ModuleNotFoundError) and error.name:
            name = error.name.partition(".")[0]
            ours = name.startswith("test_") or (ROOT / "tests" / f"{name}.py").exists()
            return None if ours or (ROOT / name).exists() or name == "truebleu" else name
        error = error.__cause__ or error.__context__
    return None


@contextlib.contextmanager
def skipping():
    """Skip what misses a package."""
    try:
        yield
    except Exception as error:
        if name := missing_package(error):
            pytest.skip(f"{name} is not installed")
        raise


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    """Skip a file that imports what is not installed, and say what it is."""
    report = yield
    error = report.call.excinfo and report.call.excinfo.value
    if report.failed and (name := missing_package(error)):
        report.outcome = "skipped"
        report.longrepr = (str(collector.path), 0, f"Skipped: {name} is not installed")
    return report


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem):
    """Skip a test that imports what is not installed."""
    with skipping():
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef, request):
    """Skip a test whose fixture imports what is not installed."""
    with skipping():
        return (yield)
