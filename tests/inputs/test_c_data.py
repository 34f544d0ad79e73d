"""Structs of Arrow's C data interface, made by hand: every field that can be wrong is checked."""

import ctypes
import itertools

import pyarrow as pa
import pytest
import truebleu
from truebleu import Bleu
from truebleu.inputs import arrow


class Schema(ctypes.Structure):
    """ArrowSchema."""


class Array(ctypes.Structure):
    """ArrowArray."""


SCHEMA_RELEASE = ctypes.CFUNCTYPE(None, ctypes.POINTER(Schema))
ARRAY_RELEASE = ctypes.CFUNCTYPE(None, ctypes.POINTER(Array))
Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_char_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(Schema))),
    ("dictionary", ctypes.POINTER(Schema)),
    ("release", SCHEMA_RELEASE),
    ("private_data", ctypes.c_void_p),
]
Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(Array))),
    ("dictionary", ctypes.POINTER(Array)),
    ("release", ARRAY_RELEASE),
    ("private_data", ctypes.c_void_p),
]


@SCHEMA_RELEASE
def _release_schema(schema):
    schema.contents.release = SCHEMA_RELEASE()


@ARRAY_RELEASE
def _release_array(array):
    array.contents.release = ARRAY_RELEASE()


_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class Column:
    """A column whose structs can be changed before they are handed over."""

    def __init__(self, kind, length, buffers, child=None, offset=0, null_count=0, values=None):
        """Fill in both structs; buffers are ctypes arrays, addresses, or None."""
        self.buffers, self.child = buffers, child
        addresses = [ctypes.cast(b, ctypes.c_void_p) if b is not None else None for b in buffers]
        self.addresses = (ctypes.c_void_p * max(1, len(buffers)))(*addresses)
        self.schema = Schema(format=kind, release=_release_schema)
        self.array = Array(
            length=length,
            null_count=null_count,
            offset=offset,
            n_buffers=len(buffers),
            buffers=self.addresses,
            release=_release_array,
        )
        if child is not None:
            self.schemas = (ctypes.POINTER(Schema) * 1)(ctypes.pointer(child.schema))
            self.arrays = (ctypes.POINTER(Array) * 1)(ctypes.pointer(child.array))
            self.schema.n_children = self.array.n_children = 1
            self.schema.children, self.array.children = self.schemas, self.arrays

        if values is not None:
            self.values = values
            self.schema.dictionary = ctypes.pointer(values.schema)
            self.array.dictionary = ctypes.pointer(values.array)

    def __arrow_c_array__(self, requested_schema=None):
        return (
            _new_capsule(ctypes.addressof(self.schema), b"arrow_schema", None),
            _new_capsule(ctypes.addressof(self.array), b"arrow_array", None),
        )


def small(offsets=(0, 3, 6), length=2, valid=None, text=b"onetwo", **more):
    bitmap = None if valid is None else (ctypes.c_uint8 * 1)(valid)
    data = None if text is None else (ctypes.c_char * max(1, len(text)))(*text)
    return Column(b"u", length, [bitmap, (ctypes.c_int32 * len(offsets))(*offsets), data], **more)


def large(offsets=(0, 3, 6), length=2, valid=None, text=b"onetwo", **more):
    made = small((0, 3, 6), length, valid, text, **more)
    return Column(
        b"U",
        length,
        [made.buffers[0], (ctypes.c_int64 * len(offsets))(*offsets), made.buffers[2]],
        **more,
    )


def views(length=2, lengths=(22,), text=b"a text of twenty bytes", items=None, **more):
    def view(item):
        where = item if isinstance(item, tuple) else (len(item), None)
        if where[1] is None:
            return len(item).to_bytes(4, "little") + item.ljust(12, b"\0")
        size, prefix, buffer, start = where
        numbers = (n.to_bytes(4, "little", signed=True) for n in (buffer, start))
        return size.to_bytes(4, "little", signed=True) + prefix + b"".join(numbers)

    table = b"".join(map(view, items or [b"one", (22, b"a te", 0, 0)]))
    data = None if text is None else (ctypes.c_char * len(text))(*text)
    sizes = (ctypes.c_int64 * len(lengths))(*lengths)
    return Column(b"vu", length, [None, (ctypes.c_char * len(table))(*table), data, sizes], **more)


def lists(offsets=(0, 1, 2), child=None, length=2, **more):
    child = child or small()
    return Column(b"+l", length, [None, (ctypes.c_int32 * len(offsets))(*offsets)], child, **more)


def large_lists(offsets=(0, 1, 2), child=None, length=2, **more):
    child = child or large()
    return Column(b"+L", length, [None, (ctypes.c_int64 * len(offsets))(*offsets)], child, **more)


def list_views(starts=(1, 0), sizes=(1, 1), child=None, length=2, **more):
    numbers = [(ctypes.c_int32 * len(each))(*each) for each in (starts, sizes)]
    return Column(b"+vl", length, [None, *numbers], child or small(), **more)


def large_list_views(starts=(1, 0), sizes=(1, 1), length=2, **more):
    numbers = [(ctypes.c_int64 * len(each))(*each) for each in (starts, sizes)]
    return Column(b"+vL", length, [None, *numbers], small(), **more)


def fixed_lists(size=1, child=None, length=2, **more):
    return Column(b"+w:%d" % size, length, [None], child or small(), **more)


def keyed(keys=(1, 0), length=2, values=None, **more):
    numbers = (ctypes.c_int32 * len(keys))(*keys)
    return Column(b"i", length, [None, numbers], values=values or small(), **more)


def nulls(**more):
    return Column(b"n", 2, [], null_count=2, **more)


LISTS = [lists, large_lists, list_views, large_list_views, fixed_lists]
MAKERS = [small, large, views, *LISTS, keyed, nulls]


def test_structs_of_every_type_are_read():
    """What keeps the rules is read, and released."""
    twenty = "a text of twenty bytes"
    for make, want in [
        (small, ["one", "two"]),
        (large, ["one", "two"]),
        (views, ["one", twenty]),
        (lists, [["one"], ["two"]]),
        (large_lists, [["one"], ["two"]]),
        (nulls, [None, None]),
        (list_views, [["two"], ["one"]]),
        (large_list_views, [["two"], ["one"]]),
        (lambda: list_views((0, 0), (2, 1)), [["one", "two"], ["one"]]),
        (lambda: list_views((2, 9), (0, 0), length=1), [[]]),
        (fixed_lists, [["one"], ["two"]]),
        (lambda: fixed_lists(2, length=1), [["one", "two"]]),
        (lambda: fixed_lists(0), [[], []]),
        (lambda: fixed_lists(1, length=1, offset=1), [["two"]]),
        (lambda: fixed_lists(1, keyed()), [["two"], ["one"]]),
        (keyed, ["two", "one"]),
        (lambda: keyed((0, 1, 1), 2, large(), offset=1), ["two", "two"]),
        (lambda: keyed((1, 1), 2, views()), [twenty, twenty]),
        (lambda: keyed((0, 1), 2, small(valid=0b10, null_count=1)), [None, "two"]),
        (lambda: lists((0, 1, 2), keyed()), [["two"], ["one"]]),
        (lambda: small(valid=0b10, null_count=1), [None, "two"]),
        (lambda: small(valid=0b10, null_count=-1), [None, "two"]),
        (lambda: small(length=1, offset=1, null_count=-1), ["two"]),
        (lambda: small((9, 3, 6), length=1, offset=1), ["two"]),
        (lambda: small((0, 0, 0), text=None), ["", ""]),
        (lambda: Column(b"u", 0, [None, None, None]), []),
        (lambda: Column(b"vu", 0, [None, None, None]), []),
        (lambda: lists((0, 0, 0), small((0,), 0)), [[], []]),
        (lambda: lists((0, 1, 2), views()), [["one"], [twenty]]),
    ]:
        made = make()
        assert arrow.read(made, "x").texts() == want
        assert not made.array.release
        assert not made.schema.release


def changed(make, **fields):
    """Make a column, with fields of its array changed; those of its items after ``child_``."""
    made = make()
    for name, value in fields.items():
        target = made.child if name.startswith("child_") else made
        setattr(target.array, name.removeprefix("child_"), value)
    return made


HUGE = 2**62
BAD_NUMBERS = [
    {"length": -1},
    {"length": -(2**63)},
    {"length": 2**63 - 1},
    {"length": HUGE},
    {"offset": -1},
    {"offset": -(2**63)},
    {"offset": 2**63 - 1},
    {"null_count": -2},
    {"null_count": 3},
    {"n_buffers": -1},
    {"n_buffers": 1},
    {"n_children": -1},
    {"n_children": 2},
    {"release": ARRAY_RELEASE()},
]
BAD_CHILDREN = [
    {f"child_{name}": value for name, value in fields.items()}
    for fields in BAD_NUMBERS
    if "release" not in fields
]


# A column of nothing but nulls may have an empty buffer, as those of Polars do.
ALLOWED = [(nulls, {"n_buffers": 1}), (fixed_lists, {"n_buffers": 1})]


def refused(made, kind=truebleu.TruebleuError):
    with pytest.raises(kind):
        arrow.read(made, "x")


@pytest.mark.parametrize("make", MAKERS)
def test_numbers_that_cannot_be(make, subtests):
    """A number that no array has is refused, whatever the type; so is one of a list's items."""
    for fields in [*BAD_NUMBERS, *(BAD_CHILDREN if make in LISTS else [])]:
        with subtests.test(str(fields)):
            if (make, fields) in ALLOWED:
                found = arrow.read(changed(make, **fields), "x").texts()
                assert found == arrow.read(make(), "x").texts()
            else:
                refused(changed(make, **fields))


BAD_OFFSETS = [(0, 23, -1), (-1, 3, 6), (0, 7, 6), (-3, -2, -1), (-(2**31), 0, 6)]


@pytest.mark.parametrize("make", [small, large, lists, large_lists])
def test_offsets_that_lead_nowhere(make, subtests):
    """Offsets rise from 0 or more, behind nulls too: the last one is the size of the buffer."""
    for offsets, valid in itertools.product(BAD_OFFSETS, [None, 0b01, 0b00]):
        with subtests.test(offsets=offsets, valid=valid):
            made = make(offsets)
            if valid is not None:
                bitmap = (ctypes.c_uint8 * 1)(valid)
                made.buffers[0], made.addresses[0] = bitmap, ctypes.addressof(bitmap)
                made.array.null_count = 2 - valid
            refused(made, truebleu.InputError)


def test_what_lies_behind_a_buffer_is_never_read():
    """The first text ends where the buffer does, or the column is refused."""
    memory = b"ten bytes." + b"and a secret behind them"
    made = small((0, 23, -1), valid=0b01, text=memory, null_count=1)
    with pytest.raises(truebleu.InputError, match="not a valid Arrow column: its offsets decrease"):
        arrow.read(made, "x")


def test_lists_that_lead_past_their_items():
    refused(lists((0, 1, 3)), truebleu.InputError)
    refused(large_lists((0, 1, 2**40)), truebleu.InputError)
    refused(lists((0, 1, 2), small((0, 23, -1))), truebleu.InputError)


def test_list_views_and_keys_that_lead_past_their_items():
    """No row reaches behind the items or the dictionary; what a null says does not matter."""
    for starts, sizes in [
        *(((0, 2), (1, 1)), ((0, 1), (1, 2)), ((0, -1), (1, 1)), ((0, 1), (1, -1))),
        *(((0, 2**31 - 1), (1, 2**31 - 1)), ((3, 0), (0, 1))),
    ]:
        refused(list_views(starts, sizes), truebleu.InputError)
    refused(large_list_views((0, 2**63 - 1), (1, 2**63 - 1)), truebleu.InputError)
    for keys in [(0, 2), (0, -1), (2**31 - 1, 0)]:
        refused(keyed(keys), truebleu.InputError)
    for size in (2, 3, 2**31 - 1, -1):
        refused(fixed_lists(size), truebleu.InputError)
    bitmap = (ctypes.c_uint8 * 1)(0b01)
    for made, want in [
        (keyed((1, 99), null_count=1), ["two", None]),
        (list_views((0, 99), (1, 1), null_count=1), [["one"], None]),
    ]:
        made.buffers[0], made.addresses[0] = bitmap, ctypes.addressof(bitmap)
        texts = arrow.read(made, "x").texts()
        assert texts[0] == want[0]
        assert not texts[1]


def test_dictionaries_that_are_not_text():
    """Neither nulls, nor another dictionary, nor lists are the texts of a dictionary."""
    for values in (nulls(), keyed(), lists(), Column(b"i", 2, [None, (ctypes.c_int32 * 2)()])):
        refused(keyed(values=values), truebleu.InputTypeError)
    made = keyed()
    made.array.dictionary = ctypes.POINTER(Array)()
    refused(made, truebleu.InputError)
    refused(keyed(values=small((0, 23, -1))), truebleu.InputError)


# How Arrow writes its types, except whole numbers.
NO_KEYS = (
    "e f g u U z Z n b d:9,2 d:9,2,32 d:9,2,256 w:4 vu vz tdD tdm tts ttn tss: tsn:UTC tDs tDn tiM "
    "tiD tin +l +s"
)


def test_keys_that_are_no_numbers(capfd):
    """Keys of a dictionary are whole numbers; others are refused, without a word of a panic."""
    for kind in NO_KEYS.split():
        made = keyed()
        made.schema.format = kind.encode()
        refused(made)
        assert capfd.readouterr() == ("", ""), kind


@pytest.mark.parametrize(
    ("make", "places"),
    [
        *((small, [1, 2]), (large, [1, 2]), (views, [1, 2, 3]), (lists, [1])),
        *((list_views, [1, 2]), (keyed, [1])),
    ],
)
def test_buffers_that_are_missing(make, places):
    """Null where there is something to read is refused, and so is a null list of buffers."""
    for place in places:
        made = make()
        made.addresses[place] = None
        refused(made, truebleu.InputError)
    made = make()
    made.array.buffers = ctypes.POINTER(ctypes.c_void_p)()
    refused(made, truebleu.InputError)


def test_nulls_that_are_miscounted():
    """The number of nulls is that of the bitmap, where there is one."""
    for valid, count in [(0b01, 0), (0b01, 2), (0b11, 1), (None, 1)]:
        refused(small(valid=valid, null_count=count), truebleu.InputError)


def test_offsets_that_are_not_aligned():
    made = small()
    made.addresses[1] += 1
    refused(made, truebleu.InputError)
    made = views()
    made.addresses[3] += 1
    refused(made, truebleu.InputError)


def test_views_that_lead_nowhere():
    """A view leads into a buffer that is there, as long as its length says."""
    refused(views(lengths=(-1,)), truebleu.InputError)
    for view in [
        (23, b"a te", 0, 0),
        (22, b"a te", 0, 1),
        (22, b"a te", 1, 0),
        (22, b"a te", -1, 0),
        (22, b"a te", 0, -1),
        (-1, b"a te", 0, 0),
        (2**31 - 1, b"a te", 0, 2**31 - 1),
    ]:
        refused(views(items=[b"one", view]), truebleu.InputError)


def test_children_and_dictionaries_that_do_not_belong():
    made = lists()
    made.array.children = ctypes.POINTER(ctypes.POINTER(Array))()
    refused(made, truebleu.InputError)
    made = lists()
    made.arrays[0] = ctypes.POINTER(Array)()
    refused(made, truebleu.InputError)
    made, other = small(), small()
    made.array.dictionary = ctypes.pointer(other.array)
    refused(made, truebleu.InputError)


def test_types_that_make_no_sense(capfd):
    """A struct for a type is checked as well, without a panic."""
    for fields in [
        {"format": None},
        {"format": b"\xff"},
        {"format": b""},
        {"format": b"nonsense"},
        {"name": b"\xff"},
        {"n_children": -1},
        {"n_children": 1},
        {"release": SCHEMA_RELEASE()},
    ]:
        made = small()
        for name, value in fields.items():
            setattr(made.schema, name, value)
        refused(made)
    made = lists()
    made.schemas[0] = ctypes.POINTER(Schema)()
    refused(made)
    made = lists()
    made.schema.children = ctypes.POINTER(ctypes.POINTER(Schema))()
    refused(made)
    made = lists()
    made.schema.n_children = 0
    refused(made)
    # A type that holds itself.
    made = lists()
    made.schemas[0] = ctypes.pointer(made.schema)
    refused(made)
    assert "panicked" not in capfd.readouterr().err


@pytest.mark.parametrize(
    ("method", "returned", "message"),
    [
        ("__arrow_c_array__", (), "an object of type tuple instead of two capsules"),
        ("__arrow_c_array__", None, "an object of type NoneType instead of two capsules"),
        ("__arrow_c_array__", (1, 2), "an object of type int instead of a capsule"),
        ("__arrow_c_stream__", b"", "an object of type bytes instead of a capsule"),
    ],
)
def test_exports_that_are_none(method, returned, message):
    """An object that claims to be a column is told apart from one."""
    column = type("Column", (), {method: lambda _, requested_schema=None: returned})()
    with pytest.raises(truebleu.InputTypeError) as caught:
        Bleu().corpus(column, ["a"])
    assert str(caught.value) == (
        f"hypotheses is a column of unknown type, as its {method} returns {message}; a column of "
        "strings is needed"
    )


def test_an_array_is_read_once():
    made = small()
    assert arrow.read(made, "x").texts() == ["one", "two"]
    with pytest.raises(truebleu.InputTypeError, match="read already"):
        arrow.read(made, "x")


def test_rows_without_items_of_every_library():
    """Lists that are all empty are lists, of no texts."""
    for kind in (pa.list_, pa.large_list):
        for inner in (pa.string(), pa.large_string(), pa.string_view()):
            made = pa.array([[], None, []], kind(inner))
            assert arrow.read(made, "x").texts() == [[], [], []]
            assert arrow.read(made.slice(3), "x").texts() == []
            with pytest.raises(truebleu.errors.EmptyInputError):
                Bleu().corpus(pa.array(["a", "b", "c"]), made)


def test_children_are_not_read_unless_the_type_has_them(capfd):
    """The number of children is what the type says, or no pointer to any is followed."""
    for format_, name in [
        *((b"+s", "struct"), (b"+m", "map"), (b"+us:0,1", "union"), (b"+r", "run-end encoded")),
        (b"+?", "unknown"),
    ]:
        made = lists()
        made.schema.format = format_
        made.schema.n_children = 1 << 40
        with pytest.raises(truebleu.TruebleuError, match=name):
            arrow.read(made, "x")
    for make in LISTS:
        for count in (0, 2, 1 << 40):
            made = make()
            made.schema.n_children = count
            refused(made)
    assert "panicked" not in capfd.readouterr().err
