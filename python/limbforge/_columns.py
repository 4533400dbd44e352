"""Expressions over the columns of pyarrow's tables."""

import functools
import os
from collections.abc import Mapping

import pyarrow as pa
import pyarrow.compute as pc

from limbforge._limbforge import Engine, Expr, IntArray, IntType, array, eval_all_checked, from_arrow
from limbforge._views import _extension, to_arrow

# Columns in files and from other processes have their types from now on.
_extension()


@functools.cache
def _engine(name):
    """The engine of this process, which keeps its kernels."""
    return Engine(name)


class Evaluate:
    """Computes columns of a ``pyarrow.Table`` from other columns: a class for ``Dataset.map_batches``.

    An object takes a table and returns it with a column for each result. In an actor its engine stays open
    and its kernels loaded.

    >>> import pyarrow as pa
    >>> import limbforge as lf
    >>> from limbforge.ray import Evaluate
    >>> n, d = lf.array([15, 21, 35], "u256"), lf.array([6, 0, 10], "u256")
    >>> table = pa.table({"n": n.to_arrow(), "d": d.to_arrow()})
    >>> both = Evaluate(["gcd(n, d)", "n / d"], ["g", "q"])(table)
    >>> both.column_names, both["q"].null_count
    (['n', 'd', 'g', 'q'], 1)
    >>> lf.from_arrow(both["g"]).tolist()
    [3, 21, 5]

    ============  =======================================================================================
    ``expr``      an expression, or a list of them; its names are those of columns
    ``out``       the name of the column of results, or as many names as expressions
    ``dtype``     the type in which expressions are evaluated; by default that of the first column
    ``errors``    ``"null"``: a row without a result is null; ``"raise"``: it is an error
    ``inputs``    for a name of the expression, the name of its column, or an int for all rows
    ``keep``      the columns that stay; by default all
    ``engine``    ``"auto"``, ``"cpu"``, ``"cuda:all"``: a text for ``lf.Engine``
    ``threads``   threads of the CPU in this process, unless it has computed before; by default
                  ``RAYON_NUM_THREADS``, or all cores
    ============  =======================================================================================

    Columns are ``limbforge.int``, Arrow's integers, or binary of a fixed size: integers of ``dtype``, least
    significant byte first. A row with a null among its operands has no result. With ``errors="raise"``
    the first row without a result is a ``ZeroDivisionError`` or a ``ValueError``. An operand that is not of
    ``dtype`` is an ``OverflowError`` always. Ray reports errors of actors as ``ray.exceptions.RayTaskError``
    with their text.
    """

    def __init__(
        self,
        expr,
        out,
        dtype=None,
        errors="null",
        *,
        inputs=None,
        keep=None,
        engine="auto",
        threads=None,
    ):
        self._exprs, self._outs = _texts("expr", expr), _texts("out", out)
        if len(self._exprs) != len(self._outs) or not self._outs:
            raise ValueError(
                f"expected a name of `out` for each `expr`, found {self._outs} for {self._exprs}"
            )
        if len(set(self._outs)) != len(self._outs):
            raise ValueError(f"out: expected different names, found {self._outs}")
        if errors not in ("null", "raise"):
            raise ValueError(f"errors: expected 'null' or 'raise', found {errors!r}")
        if not isinstance(engine, str):
            raise TypeError(f"engine: expected a text such as 'auto' or 'cuda:all', found {type(engine)}")
        self._dtype = None if dtype is None else str(IntType(dtype))
        self._errors, self._engine = errors, engine
        self._keep = None if keep is None else _texts("keep", keep)
        self._names = [Expr(text).inputs for text in self._exprs]
        self._inputs = _inputs(dict.fromkeys(sum(self._names, [])), inputs or {})
        if threads is not None:
            os.environ["RAYON_NUM_THREADS"] = str(threads)

    def __call__(self, table):
        """The table with the columns of results."""
        kept = table if self._keep is None else table.select(self._keep)
        for name in self._outs:
            if name in kept.column_names:
                raise ValueError(f"out: the table has a column {name!r} already: another name, or keep=")
        operands, nulls = {}, None
        for name, source in self._inputs.items():
            if isinstance(source, str):
                operands[name], valid = _operand(table, source, self._dtype)
                nulls = _both(nulls, valid, source, self._errors, table)
            else:
                operands[name] = source
        for text, names in zip(self._exprs, self._names, strict=True):
            if not any(isinstance(operands[name], IntArray) for name in names):
                raise TypeError(f"expr: expected a column in {text!r}, found none")
        # One kernel for all expressions: each column is read once.
        found = eval_all_checked(self._exprs, operands, dtype=self._dtype, engine=_engine(self._engine))
        for out, text, checked in zip(self._outs, self._exprs, found, strict=True):
            kept = kept.append_column(out, self._column(table, text, checked, nulls))
        return kept

    def _column(self, table, text, checked, valid):
        """The column of an expression's results, with nulls where there is none."""
        if self._errors == "raise" and checked.failures:
            first = checked.failures[0]
            kind = ZeroDivisionError if first.mark == "DIV0" else ValueError
            raise kind(f"{text}: {_row(table, first.instance)}: {first.message}")
        column = to_arrow(checked)
        if valid is None:
            return column
        storage = pc.if_else(valid, column.storage, pa.scalar(None, column.storage.type))
        return pa.ExtensionArray.from_storage(column.type, storage)


def _texts(name, value):
    """One text or several, as a list."""
    texts = [value] if isinstance(value, str) else list(value)
    for text in texts:
        if not isinstance(text, str):
            raise TypeError(f"{name}: expected a text or a list of texts, found {type(text)}")
    return texts


def _inputs(names, given):
    """The column, or the int, of each name in the expressions."""
    if not isinstance(given, Mapping):
        raise TypeError(f"inputs: expected a dict, found {type(given)}")
    for name in given:
        if name not in names:
            raise ValueError(f"inputs: no expression uses {name!r}; expected one of {list(names)}")
    return {name: given.get(name, name) for name in names}


def _operand(table, name, dtype):
    """The integers of a column, 0 for nulls, and which rows have one; None if all have."""
    if name not in table.column_names:
        raise ValueError(f"no column {name!r}: expected one of {table.column_names}; inputs= names another")
    column, field = table[name], table.schema.field(name)
    if pa.types.is_integer(column.type):
        own = f"{'i' if pa.types.is_signed_integer(column.type) else 'u'}{column.type.bit_width}"
        values = array(column.fill_null(0).to_pylist(), dtype or own)
    elif isinstance(column.type, _extension()) or pa.types.is_fixed_size_binary(column.type):
        # Plain binary has unsigned integers of all its bits.
        own = integers_of(field) or dtype or f"u{8 * column.type.byte_width}"
        if column.null_count == 0:
            return from_arrow(column, own), None
        return from_arrow(column, own, mask=True)
    else:
        raise TypeError(
            f"column {name!r} is {column.type}: expected limbforge.int, fixed_size_binary, or int8 to uint64"
        )
    return values, column.is_valid().to_numpy() if column.null_count else None


def integers_of(field):
    """The type in a field's metadata, also where pyarrow does not know the extension."""
    metadata = field.metadata or {}
    if isinstance(field.type, _extension()):
        return str(field.type.dtype)
    if metadata.get(b"ARROW:extension:name") == b"limbforge.int":
        return metadata[b"ARROW:extension:metadata"].decode()
    return None


def _both(valid, more, name, errors, table):
    """The rows with values in all columns so far and in one more."""
    if more is None:
        return valid
    if errors == "raise":
        row = int((~more).argmax())
        raise ValueError(f"column {name!r}: {_row(table, row)}: null")
    return more if valid is None else valid & more


def _row(table, row):
    """A row in words: its place in the block, and its short values."""
    plain = [f for f in table.schema if pa.types.is_primitive(f.type) or pa.types.is_string(f.type)]
    values = ", ".join(f"{field.name}={table[field.name][row].as_py()!r}" for field in plain[:3])
    return f"row {row} of a block of {len(table)}" + (f" ({values})" if values else "")
