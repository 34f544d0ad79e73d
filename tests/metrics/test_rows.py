"""Rows of statistics: how they add up, which ones no text has, and under which settings."""

import itertools
import struct

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import strategies
import truebleu.engines.polars  # noqa: F401  # It gives expressions their namespace.
from hypothesis import given, settings
from hypothesis import strategies as st
from looping import looped
from truebleu import (
    Accumulator,
    Bleu,
    Chrf,
    InputError,
    Stats,
    StatsMismatchError,
    Ter,
    _core,
    compare,
    confidence_interval,
)
from truebleu.engines import arrow
from truebleu.engines import duckdb as sql
from truebleu.engines.job import Job
from truebleu.errors import UnknownNameError
from truebleu.metrics.storage import DIGEST, digest, stored_key

# Drawn text is not meant well.
pytestmark = pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning")

BLEU = Bleu()
FIELDS = BLEU.fields
KEY = stored_key(BLEU.counting_key)

# A row that a text has, in theory, and that fits into int64 once and not twice.
HALF = 2**62
LARGE = [HALF, HALF, *range(HALF, HALF - 4, -1), *range(HALF, HALF - 4, -1)]
TOO_LARGE = r"does not fit into int64: add up fewer rows at a time"


# What no text has, by metric: a row, and a part of the message.
IMPOSSIBLE_OF_OTHERS = [
    (Chrf(char_order=1), [-1, 0, 0], "char_1_hyp is -1, but counts are not negative"),
    (Chrf(char_order=1), [3, 2, 3], "char_1_match is 3, but char_1_ref is 2: only n-grams of the"),
    (Chrf(char_order=1), [2, 3, 3], "char_1_match is 3, but char_1_hyp is 2: only n-grams of the"),
    (Chrf(char_order=1), [1, 0, 0], "char_1_hyp is 1, but char_1_ref is 0: without a reference"),
    (
        Chrf(char_order=2),
        [2, 2, 1, 2, 3, 1],
        "char_2_ref is 3, but char_1_ref is 2: each n-gram begins with a shorter one",
    ),
    (
        Chrf(char_order=1, word_order=2),
        [9, 9, 0, 2, 2, 0, 2, 2, 1],
        "word_2_match is 1, but word_1_match is 0: each n-gram begins with a shorter one",
    ),
    (
        Chrf(char_order=0, word_order=2),
        [2, 2, 2, 2, 2, 3],
        "word_2_match is 3, but word_2_hyp is 2",
    ),
    (Ter(), [0, 0, 0, -1, 720_720], "shifts is -1, but counts are not negative"),
    (Ter(), [0, 0, 0, 1, -720_720], "ref_len_units is -720720, but counts are not negative"),
]


def stored(table, key=None):
    """Name the columns of rows, as the engines do."""
    columns = dict(zip(FIELDS, np.array(table, np.int64).T, strict=True))
    return columns | {"key": np.full(len(table), KEY if key is None else key)}


def by_bytes(table, key=None):
    head = BLEU.stats(["a"], ["a"]).to_bytes()[: -80 - DIGEST]
    return Stats.from_bytes(ended(head + np.array(table, "<i8").tobytes()))


def ended(stored):
    """Return stored statistics with the digest that they end with."""
    return stored + digest(stored)


def by_numpy(table, key=None):
    return Stats.from_numpy(np.array(table, np.int64), BLEU)


def by_dict(table, key=None):
    return Stats.from_table(stored(table, key), BLEU)


def by_pandas(table, key=None):
    return Stats.from_table(pd.DataFrame(stored(table, key)), BLEU)


def by_masked(table, key=None):
    columns = stored(table, key).items()
    return Stats.from_table({name: np.ma.masked_array(each) for name, each in columns}, BLEU)


def by_nullable_pandas(table, key=None):
    frame = pd.DataFrame(stored(table, key)).astype("Int64")
    return Stats.from_table(frame, BLEU)


def by_polars(table, key=None):
    return Stats.from_table(pl.DataFrame(stored(table, key)), BLEU)


def by_arrow(table, key=None):
    return Stats.from_table(pa.table(stored(table, key)), BLEU.stats(["a"], ["a"]))


def by_arrow_sums(table, key=None):
    data = pa.table(stored(table, key) | {"segments": [1] * len(table)})
    return arrow.score_sums(data, Job("mt", "ref", metric=BLEU))["bleu"].to_pylist()


def by_sql(table, key=None):
    with duckdb.connect() as connection:
        sql.register(connection)
        connection.register("data", pa.table(stored(table, key)))
        found = connection.sql("SELECT bleu_score_stats(data) FROM data").fetchall()
    return [score for (score,) in found]


KEYED = [
    *(by_dict, by_masked, by_pandas, by_nullable_pandas, by_polars, by_arrow, by_arrow_sums),
    by_sql,
]
DOORS = [by_bytes, by_numpy, *KEYED]

# What no text has: row, a part of the message; counted with phantom n-grams, or without, or both.
IMPOSSIBLE = [
    ([-1, 3, 0, 0, 0, 0, -1, 0, 0, 0], "hyp_len is -1, but counts are not negative", (0, 1)),
    ([3, -1, 2, 1, 0, 0, 3, 2, 1, 0], "ref_len is -1, but counts are not negative", (0, 1)),
    ([3, 3, 2, -1, 0, 0, 3, 2, 1, 0], "match_2 is -1, but counts are not negative", (0, 1)),
    ([3, 3, 2, 1, 0, 0, 3, 2, 1, -1], "total_4 is -1, but counts are not negative", (0, 1)),
    ([3, 3, 4, 1, 0, 0, 3, 2, 1, 0], "match_1 is 4, but total_1 is 3: only n-grams of", (0, 1)),
    ([3, 3, 3, 2, 2, 0, 3, 2, 1, 0], "match_3 is 2, but total_3 is 1: only n-grams of", (0, 1)),
    ([3, 3, 2, 0, 1, 0, 3, 2, 1, 0], "match_3 is 1, but match_2 is 0: shorter n-grams", (0, 1)),
    ([3, 3, 2, 1, 0, 0, 2, 1, 0, 0], "total_1 is 2, but hyp_len is 3: every token is", (0, 1)),
    ([3, 3, 2, 1, 0, 0, 4, 3, 2, 1], "total_1 is 4, but hyp_len is 3: every token is", (0,)),
    ([3, 3, 2, 1, 0, 0, 3, 4, 3, 2], "total_2 is 4, but total_1 is 3: a segment has", (0, 1)),
    ([3, 3, 2, 1, 0, 0, 3, 2, 2, 2], "total_3 is 2, but total_2 is 2: a segment has", (0,)),
    ([9, 9, 2, 1, 0, 0, 9, 8, 5, 2], "total_1 to total_3 are 9, 8 and 5: from one order", (0, 1)),
]


class TestImpossible:
    """Rows that no text has are refused, and no others."""

    @settings(deadline=None, max_examples=100)
    @given(strategies.corpora(), strategies.bleu_settings(), st.booleans(), st.data())
    def test_what_is_counted_is_possible(self, corpus, chosen, phantom, data):
        """Every row of every corpus under all settings passes; so do sums, and differences."""
        bleu = Bleu(**chosen, phantom_ngrams=phantom)
        table = bleu.stats(*corpus).to_numpy()
        some = data.draw(st.lists(st.integers(0, len(table) - 1)))
        total = table.sum(axis=0)
        for each in (table, table[some], total, total - table, table[some].sum(axis=0)):
            _core.check_rows(each.astype("<i8").tobytes(), bleu._row_width, phantom)

    @settings(deadline=None, max_examples=60)
    @given(strategies.token_corpora, st.integers(1, 9), st.booleans())
    def test_of_tokens_too(self, corpus, order, phantom):
        """Tokens of few kinds match often, and segments without tokens are segments, too."""
        bleu = Bleu(tokenizer="pretokenized", max_order=order, phantom_ngrams=phantom)
        stats = bleu.stats(*corpus)
        assert Stats.from_bytes(stats.to_bytes()) == stats
        assert Stats.from_numpy(stats.to_numpy(), bleu) == stats
        assert Stats.from_bytes(stats.sum().to_bytes()) == stats.sum()

    def test_a_higher_order_may_match_more_often(self):
        """With a reference for each bigram of three words, 9 bigrams match, and only 6 words."""
        bigrams = [list(each) for each in itertools.product("abc", repeat=2)]
        hypothesis = list("aabbccacba")
        stats = Bleu(tokenizer="pretokenized").stats([hypothesis], [bigrams])
        assert stats.to_numpy()[0, 2:4].tolist() == [6, 9]
        assert Stats.from_bytes(stats.to_bytes()) == stats

    @looped("phantom", [False, True])
    @looped(("row", "message", "when"), IMPOSSIBLE)
    def test_each_condition(self, row, message, when, phantom):
        """A violation of each condition names the row, the field and the condition."""
        good = Bleu(phantom_ngrams=phantom).stats(["a b c"], ["a b x"]).data
        table = good + struct.pack("<10q", *row)
        if phantom not in when:
            _core.check_rows(table, 10, phantom)
            return
        with pytest.raises(
            InputError, match=rf"impossible statistics: in row 1 \(from 0\), {message}"
        ):
            _core.check_rows(table, 10, phantom)

    @settings(deadline=None, max_examples=100)
    @given(strategies.corpora(), strategies.chrf_settings(), st.data())
    def test_what_is_counted_for_chrf_is_possible(self, corpus, chosen, data):
        """Every row of chrF passes, and so do sums, and differences."""
        chrf = Chrf(**chosen)
        table = chrf.stats(*corpus).to_numpy()
        some = data.draw(st.lists(st.integers(0, len(table) - 1)))
        total = table.sum(axis=0)
        for each in (table, table[some], total, total - table, table[some].sum(axis=0)):
            _core.check_counts(each.astype("<i8").tobytes(), chrf.fields)

    @pytest.mark.parametrize(("metric", "row", "message"), IMPOSSIBLE_OF_OTHERS)
    def test_of_other_metrics(self, metric, row, message):
        """Every door names the row, the field and the condition."""
        good = metric.stats(["a b c"], ["a b x"])
        table = np.array([good.to_numpy()[0], row])
        columns = dict(zip(metric.fields, table.T, strict=True)) | {"key": [good.key] * 2}
        head = good.to_bytes()[:-DIGEST].removesuffix(good.data)
        for door in (
            lambda: Stats.from_numpy(table, metric),
            lambda: Stats.from_table(columns, metric),
            lambda: Stats.from_columns(list(table.T), good),
            lambda: Stats.from_bytes(ended(head + table.astype("<i8").tobytes())),
            lambda: metric.scores(table),
        ):
            with pytest.raises(InputError, match=rf"in row 1 \(from 0\), {message}"):
                door()

    @pytest.mark.parametrize("door", DOORS)
    def test_every_door_asks(self, door):
        """Whatever takes statistics from outside takes rows of text, and no others."""
        table = BLEU.stats(["a b c d e", ""], ["a b c d x", "y"]).to_numpy()
        found = door(table)
        if isinstance(found, Stats):
            assert (found.to_numpy() == table).all()
        else:
            stats = BLEU.stats(["a b c d e", ""], ["a b c d x", "y"])
            assert list(found) == [BLEU.score(row).score for row in stats]
        for row, message, when in IMPOSSIBLE:
            if 0 in when:
                with pytest.raises((InputError, duckdb.Error), match=message):
                    door([*table.tolist(), row])

    def test_numbers_that_are_none(self):
        """Nulls and fractions are no statistics."""
        for column in ([1.0, 2.0], [1, None]):
            table = stored([[3, 3, 2, 1, 0, 0, 3, 2, 1, 0]] * 2) | {"match_2": column}
            with pytest.raises(InputError, match="whole numbers and never null, but match_2 is"):
                Stats.from_table(pl.DataFrame(table), BLEU)
        table = stored([LARGE]) | {"hyp_len": np.array([2**63], "u8")}
        with pytest.raises(InputError, match="holds a larger number"):
            Stats.from_table(table, BLEU)

    @pytest.mark.parametrize("field", [*FIELDS, "key"])
    def test_what_is_masked_is_no_number(self, field):
        """What lies under a mask is never read, in a column, a table, a row or groups."""
        row = [5, 5, 4, 3, 2, 1, 5, 4, 3, 2]
        table = {name: np.ma.masked_array(each) for name, each in stored([row, row]).items()}
        assert Stats.from_table(table, BLEU).to_numpy().tolist() == [row, row]
        table[field][1] = np.ma.masked
        with pytest.raises((InputError, StatsMismatchError), match=f"null.*{field} has masked"):
            Stats.from_table(table, BLEU)
        if field in FIELDS:
            masked = np.ma.stack([table[name] for name in FIELDS], axis=1)
            for array in (masked, masked[1], list(masked)):
                with pytest.raises(InputError, match="array has masked"):
                    Stats.from_numpy(array, BLEU)
        with pytest.raises(InputError, match="groups has masked"):
            Stats.from_numpy([row, row], BLEU).sums(table[field] * 0, 1)

    def test_nulls_of_duckdb(self):
        """Its arrays for NumPy are masked where there are nulls."""
        with duckdb.connect() as connection:
            connection.register("data", pa.table(stored([LARGE] * 2)))
            found = connection.sql("FROM data").fetchnumpy()
            assert len(Stats.from_table(found, BLEU)) == 2
            query = "FROM data UNION ALL SELECT data.* REPLACE (NULL AS total_3) FROM data"
            found = connection.sql(query).fetchnumpy()
        with pytest.raises(InputError, match="total_3"):
            Stats.from_table(found, BLEU)

    @pytest.mark.parametrize("order", [1, 2, 4, 9])
    def test_a_header_that_contradicts_itself(self, order):
        """Bytes whose header fits neither their rows nor the settings are not scored."""
        bleu = Bleu(max_order=order, phantom_ngrams=order == 2)
        data = bleu.stats(["a b"] * 6, ["a b"] * 6).to_bytes()
        assert Stats.from_bytes(data).to_bytes() == data
        for old, new in (
            (f"orders:{order}|", f"orders:{order + 1}|"),
            ('"hyp_len"', '"length"'),
            (f', "total_{order}"', ""),
            ('"fields": ["hyp_len", ', '"fields": ['),
            ('"fields": [', '"fields": [["x"], '),
            ('"fields": ', '"fields": 1, "x": '),
            ('"fewest": 1', '"fewest": 2'),
            ('"fewest": 1', '"fewest": -2'),
            ('"fewest": 1', '"fewest": 1.0'),
            ('"most": 1', '"most": -1'),
            ('"most": 1', '"most": true'),
            ('"most": 1, ', ""),
            ('"most": 1', '"most": }'),
        ):
            changed = data[:-DIGEST].replace(old.encode(), new.encode(), 1)
            assert changed != data[:-DIGEST]
            with pytest.raises((InputError, StatsMismatchError)):
                bleu.score(Stats.from_bytes(ended(changed)))


def test_bytes_that_are_damaged_are_refused():
    """Whatever is cut off, added or changed, no other statistics are read."""
    data = BLEU.stats(["a b c d", "a b", "c"], ["a b c d", "a x", "c"]).to_bytes()
    damaged = [data[:length] for length in range(len(data))]
    damaged += [data[:place] + data[place + 1 :] for place in range(len(data))]
    for place in range(len(data)):
        for change in (1, 128):
            damaged.append(bytes([*data[:place], data[place] ^ change, *data[place + 1 :]]))
    damaged += [data + b"\0", data + data, data[:-DIGEST] + bytes(80) + data[-DIGEST:]]
    for stored in damaged:
        with pytest.raises(InputError, match=r"these .*bytes"):
            Stats.from_bytes(stored)


class TestGroups:
    """Sums of groups: which numbers of groups there are, and how many."""

    STATS = BLEU.stats(["a b c d e", "a", "b c"], ["a b c d x", "a", "b d"])

    @settings(deadline=None)
    @given(st.data(), st.integers(0, 9), st.sampled_from(["u1", "i2", "u8", "i8", ">i4", list]))
    def test_sums(self, data, more, kind):
        """Whatever holds whole numbers will do; groups without rows are rows of zeros."""
        numbers = data.draw(st.lists(st.integers(0, 3), min_size=3, max_size=3))
        given = numbers if kind is list else np.array(numbers, kind)
        found = self.STATS.sums(given, 4 + more).to_numpy()
        table = self.STATS.to_numpy()
        for group, row in enumerate(found):
            assert (row == table[np.array(numbers) == group].sum(axis=0)).all()
        assert len(self.STATS[:0].sums([], more)) == more

    @pytest.mark.parametrize("count", [2**33, 2**40, 2**60, 2**62, 2**63, 2**64, 10**30])
    def test_more_groups_than_memory(self, count):
        """An error of Python's, and no panic."""
        with pytest.raises(MemoryError, match=f"sums of {count} groups"):
            self.STATS.sums([0, 1, 0], count)
        with pytest.raises((MemoryError, OverflowError)):
            _core.add_groups(self.STATS.data, self.STATS.fields, np.array([0, 1, 0]), count)


class TestKeys:
    """Stored statistics say how they were counted."""

    def test_golden(self):
        r"""The number does not change: statistics of years ago are read.

        By ``printf 'truebleu-stats-1\nKEY' | sha256sum``, the first 16 digits as 8 bytes.
        """
        assert stored_key("tok:13a|case:mixed|orders:4|len:closest") == 38828061800637917
        assert stored_key("tok:char|case:mixed|orders:4|len:closest") == -5646253650404209238
        assert BLEU.stats(["a"], ["a"]).key == KEY

    def test_settings_of_the_same_counts_share_a_key(self):
        """What changes the score of a row and not the row leaves the key alone."""
        same = Bleu(smoothing="floor", effective_order=True, weights=[0.4, 0.3, 0.2, 0.1])
        assert stored_key(same.counting_key) == KEY
        keys = {
            stored_key(Bleu(**chosen).counting_key)
            for chosen in (
                {},
                *({"tokenizer": name} for name in ("intl", "char", "pretokenized")),
                *({"reference_length": name} for name in _core.REFERENCE_LENGTHS[1:]),
                {"lowercase": True},
                {"max_order": 5},
                {"phantom_ngrams": True},
            )
        }
        assert len(keys) == 1 + 3 + len(_core.REFERENCE_LENGTHS[1:]) + 3

    @pytest.mark.parametrize("door", KEYED)
    def test_every_door_refuses_another(self, door):
        """Statistics of 13a are not scored as char, nor those of both together."""
        table = BLEU.stats(["a b c d e"] * 2, ["a b c d x"] * 2).to_numpy()
        other = stored_key(Bleu(tokenizer="char").counting_key)
        for key in (other, [KEY, other], [other, KEY]):
            with pytest.raises((StatsMismatchError, duckdb.Error)) as caught:
                door(table, key)
            for part in (str(other), str(KEY), BLEU.counting_key):
                assert part in str(caught.value)

    def test_a_table_without_keys(self):
        """Statistics of unknown settings are not scored."""
        table = stored([LARGE])
        for name in ("key", "total_3"):
            frame = pd.DataFrame(table).drop(columns=name)
            with pytest.raises(UnknownNameError, match=f"no column '{name}'; statistics are sto"):
                Stats.from_table(frame, BLEU)
        with pytest.raises(StatsMismatchError, match="int64 and never null, not object"):
            Stats.from_table(table | {"key": [None]}, BLEU)

    def test_engines_write_keys(self):
        """What an engine has counted is read back, and only under the same settings."""
        texts = {"mt": ["a b c d e", "f g h i j"], "ref": ["a b c d x", "f g h i j"]}
        bleu = Bleu(tokenizer="char")
        want = bleu.stats(*texts.values())
        frame, data = pd.DataFrame(texts), pa.table(texts)
        expression = pl.col("mt").truebleu.stats("ref", tokenizer="char")
        with duckdb.connect() as connection:
            sql.register(connection, tokenizer="char")
            query = "SELECT unnest(bleu_stats(mt, ref)) FROM data"
            made = [
                arrow.stats(frame, "mt", "ref", tokenizer="char"),
                pl.DataFrame(texts).select(expression).unnest("bleu_stats"),
                connection.sql(query).to_arrow_table(),
            ]
        how = {"group_by": "ref", "tokenizer": "char"}
        made += [
            arrow.corpus_score(frame, "mt", "ref", **how),
            arrow.corpus_score(data, "mt", "ref", **how),
            arrow.corpus_score(pl.DataFrame(texts), "mt", "ref", **how),
        ]
        for table in made:
            assert Stats.from_table(table, bleu) == want
            with pytest.raises(StatsMismatchError):
                Stats.from_table(table, BLEU)

    def test_sums_in_sql(self):
        """SQL adds up statistics of one key, keeps it, and refuses those of two."""
        with duckdb.connect() as connection:
            sql.register(connection)
            sql.register(connection, prefix="char_", tokenizer="char")
            both = "(VALUES ('a b c d e', 'a b c d x'), ('f g h i j', 'f g h i j')) AS t(mt, ref)"
            connection.execute(
                f"CREATE TABLE stored AS SELECT bleu_stats(mt, ref) AS s FROM {both}"
            )
            connection.execute(
                f"CREATE TABLE mixed AS SELECT * FROM stored UNION ALL "
                f"SELECT char_bleu_stats(mt, ref) FROM {both}"
            )
            texts = ["a b c d e", "f g h i j"], ["a b c d x", "f g h i j"]
            query = "SELECT bleu_score_stats(bleu_sum(s)) FROM stored"
            [[found]] = connection.sql(query).fetchall()
            assert found == BLEU.corpus(*texts).score
            for query, message in (
                ("char_bleu_score_stats(bleu_sum(s)) FROM stored", "these statistics have the key"),
                ("bleu_score_stats(bleu_sum(s)) FROM mixed", "cannot be added: their keys"),
                ("bleu_score_stats(s) FROM mixed", "these statistics have the key"),
            ):
                with pytest.raises(duckdb.Error, match=message):
                    connection.sql(f"SELECT {query}").fetchall()

    def test_partial_sums_of_two_keys_stay_apart(self):
        """Arrow joins groups of one key, so sums that came from elsewhere cannot mix."""
        texts = pa.table({"mt": ["a b c d e"], "ref": ["a b c d x"]})
        jobs = [Job("mt", "ref", metric=Bleu(tokenizer=name)) for name in ("13a", "char")]
        parts = [arrow.partial_sums(texts.to_batches(), job) for job in jobs]
        joined = arrow.join_sums([*parts, *parts], jobs[0])
        assert joined["segments"].to_pylist() == [2, 2]
        for score in (arrow.score_sums, arrow.scored):
            with pytest.raises(StatsMismatchError, match="and others"):
                score(joined, jobs[0])


class TestAddition:
    """A sum that does not fit into int64 is an error, wherever rows are added."""

    @pytest.mark.parametrize(
        "add",
        [
            lambda stats: stats.sum(),
            lambda stats: stats[0] + stats[1],
            sum,
            lambda stats: stats.sums(np.array([1, 0, 1]), 2),
            BLEU.score,
            confidence_interval,
            lambda stats: compare({"a": stats, "b": stats}),
            lambda stats: compare({"a": stats, "b": stats}, units=[0, 0, 1]),
        ],
    )
    def test_statistics(self, add):
        """Three rows of 2**62 tokens are no perfect score."""
        with pytest.raises(InputError, match=TOO_LARGE):
            add(Stats.from_numpy([LARGE] * 3, BLEU))

    @pytest.mark.parametrize(
        ("metric", "field"),
        [
            (BLEU, "hyp_len"),
            (Chrf(), "char_1_hyp"),
            (Chrf(char_order=0, word_order=2), "word_1_hyp"),
            (Ter(), "insertions"),
        ],
    )
    def test_the_field_is_named(self, metric, field):
        """By the metric's name for it, wherever rows are added."""
        row = LARGE if metric == BLEU else [HALF] * metric._row_width
        stats = Stats.from_numpy([row] * 3, metric)
        for add in (
            stats.sum,
            lambda: stats[0] + stats[1],
            lambda: stats.sums(np.array([0, 0, 0]), 1),
            lambda: metric.score(stats),
        ):
            with pytest.raises(InputError, match=f"the sum of {field} {TOO_LARGE}"):
                add()

    def test_accumulator(self, monkeypatch):
        running = Accumulator(BLEU)
        large = Stats.from_numpy([LARGE], BLEU)
        monkeypatch.setattr(Bleu, "_count", lambda *_, **__: [large])
        running.add(["a"], ["a"])
        with pytest.raises(InputError, match=TOO_LARGE):
            running.add(["a"], ["a"])

    def test_stored_sums_in_sql(self):
        with duckdb.connect() as connection:
            sql.register(connection)
            connection.register("data", pa.table(stored([LARGE] * 2)))
            with pytest.raises(duckdb.Error, match=r"INT64|BIGINT"):
                connection.sql("SELECT bleu_score_stats(bleu_sum(data)) FROM data").fetchall()


@pytest.mark.parametrize("phantom", [False, True])
def test_rows_of_each_against_all_others(phantom):
    """The rows of Self-BLEU are those of texts, too."""
    bleu = Bleu(phantom_ngrams=phantom)
    texts, _ = bleu._counter.load({"texts": ["a b c d", "a b c e", "", "c d e f g"]}, 1)
    table = texts.against_others(bleu._core, [], 1)
    _core.check_rows(table, bleu._row_width, phantom)
