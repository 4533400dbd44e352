"""Expressions over columns of tables, as actors of Ray compute them; without Ray."""

import pickle

import pyarrow as pa
import pytest
from numbers_ import numbers, wrapped

import limbforge as lf
from limbforge.ray import Evaluate


def table(**columns):
    return pa.table({name: lf.array(values, dtype).to_arrow() for name, (values, dtype) in columns.items()})


def ints(column):
    """The values of a column of results, None for nulls."""
    values, valid = lf.from_arrow(column, mask=True)
    return [x if ok else None for x, ok in zip(values.tolist(), valid)]


@pytest.mark.parametrize("dtype", ["u2048", "i131", "u64"])
def test_results_are_those_of_arrays(dtype):
    a, b = numbers(dtype, 40, 1), numbers(dtype, 40, 2)
    found = Evaluate("a*b + a", "r", dtype)(table(a=(a, dtype), b=(b, dtype)))
    assert found.column_names == ["a", "b", "r"]
    assert ints(found["r"]) == [wrapped(x * y + x, dtype) for x, y in zip(a, b)]
    assert str(found.schema.field("r").type.dtype) == dtype


def test_several_results_of_several_columns():
    given = table(n=([15, 21, 35], "u256"), d=([6, 0, 10], "u256"), other=([1, 2, 3], "u8"))
    run = Evaluate(["gcd(n, d)", "n / d", "n + k"], ["g", "q", "s"], keep=["other"], inputs={"k": 2**255})
    for found in (run(given), pickle.loads(pickle.dumps(run))(given)):
        assert found.column_names == ["other", "g", "q", "s"]
        assert [ints(found[name]) for name in "gqs"] == [
            [3, 21, 5],
            [2, None, 3],
            [2**255 + x for x in (15, 21, 35)],
        ]
    renamed = Evaluate("a * b", "r", inputs={"a": "n", "b": "d"}, keep=[])(given)
    assert ints(renamed["r"]) == [90, 0, 350] and renamed.column_names == ["r"]


def test_columns_of_other_types_are_converted():
    given = table(a=([-3, 5], "i64"), b=([2**100, 7], "i131"))
    given = given.append_column("k", pa.array([2, 250], pa.uint8()))
    given = given.append_column("raw", pa.array([b"\x01\x02", b"\xff\xff"], pa.binary(2)))
    found = Evaluate(["a * b", "b * k", "b + raw"], ["r", "s", "t"], "i256", keep=[])(given)
    assert ints(found["r"]) == [-3 * 2**100, 35] and ints(found["s"]) == [2**101, 1750]
    # Bytes without a type have the sign of the evaluation.
    assert ints(found["t"]) == [2**100 + 513, 7 - 1]


def test_the_type_is_in_metadata_where_the_extension_is_unknown():
    column = lf.array([-1, 2], "i131").to_arrow()
    metadata = {"ARROW:extension:name": "limbforge.int", "ARROW:extension:metadata": "i131"}
    field = pa.field("a", column.storage.type, metadata=metadata)
    given = pa.table([column.storage], schema=pa.schema([field]))
    assert ints(Evaluate("a * 3", "r")(given)["r"]) == [-3, 6]


def test_processes_send_columns_to_each_other():
    given = table(a=([-1, 2], "i131"))
    read = pickle.loads(pickle.dumps(given))
    assert read.equals(given) and read.schema.field("a").type == given.schema.field("a").type


def test_nulls_have_no_result():
    a = lf.to_arrow(lf.eval_checked("6 / a", a=lf.array([2, 0, 3, 1], "u64")))
    given = pa.table({"id": [4, 5, 6, 7], "a": a, "k": pa.array([1, 1, None, 0], pa.int32())})
    found = Evaluate(["a + 1", "a / k", "a + k"], ["r", "q", "s"], "u64")(given)
    # A row without an operand has no result, whatever the expression uses.
    assert ints(found["r"]) == [4, None, None, 7]
    assert ints(found["q"]) == [3, None, None, None] and ints(found["s"]) == [4, None, None, 6]
    assert found.schema.field("q").type == a.type
    text = r"column 'a': row 1 of a block of 4 \(id=5, k=1\): null"
    with pytest.raises(ValueError, match=text):
        Evaluate("a + 1", "r", errors="raise")(given)


def test_errors_name_the_row():
    given = table(n=([15, 21], "u256"), d=([6, 0], "u256")).append_column("id", pa.array([70, 71]))
    text = r"^n / d: row 1 of a block of 2 \(id=71\): division by zero: `d` is 0$"
    with pytest.raises(ZeroDivisionError, match=text):
        Evaluate("n / d", "q", errors="raise")(given)
    with pytest.raises(ValueError, match="modinv"):
        Evaluate("modinv(d, n)", "q", errors="raise")(given)


def test_blocks_of_any_shape():
    given = table(a=(range(1000), "u64"))
    run = Evaluate("a * a", "r")
    want = [x * x for x in range(1000)]
    chunks = pa.concat_tables([given.slice(0, 1), given.slice(1, 700), given.slice(701)])
    assert ints(run(chunks)["r"]) == want and ints(run(given.slice(900))["r"]) == want[900:]
    empty = run(given.slice(0, 0))
    assert len(empty) == 0 and empty.schema == run(given).schema


@pytest.mark.parametrize(
    "arguments, options, error, text",
    [
        (("a", "a"), {}, ValueError, "the table has a column 'a' already"),
        (("x + a", "r"), {}, ValueError, r"no column 'x': expected one of \['a', 't'\]; inputs="),
        (("t", "r"), {}, TypeError, "column 't' is string: expected limbforge.int"),
        (("1 + 1", "r"), {}, TypeError, "expected a column in '1 \\+ 1', found none"),
        (("a", ["r", "s"]), {}, ValueError, "expected a name of `out` for each `expr`"),
        ((["a", "a"], ["r", "r"]), {}, ValueError, "expected different names"),
        (("a", 7), {}, TypeError, "int"),
        (("a +", "r"), {}, ValueError, "expected"),
        (("a", "r", "v7"), {}, ValueError, "v7"),
        (("a", "r", "u8"), {}, OverflowError, "instance 0: .* expected 0 to 2\\^8"),
        (("a", "r", None, "ignore"), {}, ValueError, "expected 'null' or 'raise', found 'ignore'"),
        (("a", "r"), {"inputs": {"b": 1}}, ValueError, r"no expression uses 'b'; expected one of \['a'\]"),
        (("a", "r"), {"inputs": ["a"]}, TypeError, "expected a dict"),
        (("a", "r"), {"engine": 3}, TypeError, "expected a text such as 'auto'"),
        (("a", "r"), {"engine": "tpu"}, ValueError, "tpu"),
    ],
)
def test_mistakes(arguments, options, error, text):
    given = table(a=([2**40, 2], "u64")).append_column("t", pa.array(["x", "y"]))
    with pytest.raises(error, match=text):
        Evaluate(*arguments, **options)(given)
