"""Results of programs as tables with a row for each instance, and back."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from limbforge._limbforge import IntArray, concatenate, from_arrow
from limbforge._sessions import Results
from limbforge._types import ProgramFailure
from limbforge._views import to_arrow

INSTANCE, FAILURE = "instance", "failure"
_FAILURE = pa.struct({"mark": pa.string(), "message": pa.string(), "line": pa.int32(), "column": pa.int32()})


def table_of(results, first):
    """A row for each instance: its number, its results or nulls, and its failure."""
    ok = results.ok
    columns = {INSTANCE: pa.array(np.arange(first, first + results.instances))}
    for name, value in results.items():
        parts = [value] if not isinstance(value, tuple) else value
        names = [name] if not isinstance(value, tuple) else [f"{name}[{i}]" for i in range(len(value))]
        columns |= {part_name: _column(part, ok) for part_name, part in zip(names, parts)}
    failures = [None] * results.instances
    for failure in results.failures:
        failures[failure.instance] = {key: getattr(failure, key) for key in _FAILURE.names}
    return pa.table({**columns, FAILURE: pa.array(failures, _FAILURE)})


def _column(values, ok):
    if not isinstance(values, IntArray):
        return pa.array(values, mask=~ok)
    column = to_arrow(values)
    if ok.all():
        return column
    storage = pc.if_else(pa.array(ok), column.storage, pa.scalar(None, column.storage.type))
    return pa.ExtensionArray.from_storage(column.type, storage)


def results_of(table):
    """The results of a table of all instances."""
    values = {}
    for name in table.column_names[1:-1]:
        outer, bracket, _ = name.partition("[")
        value = _values(table[name])
        values[outer] = (*values.get(outer, ()), value) if bracket else value
    rows = zip(table[INSTANCE].to_pylist(), table[FAILURE].to_pylist())
    failures = [ProgramFailure(instance, **failure) for instance, failure in rows if failure]
    return Results(len(table), [(name, value, None) for name, value in values.items()], failures)


def _values(column):
    """The integers or the bools of a column; those of failures are 0 and False."""
    if pa.types.is_boolean(column.type):
        return column.fill_null(False).to_numpy().astype(np.bool_)
    parts = [from_arrow(chunk, mask=True)[0] for chunk in column.chunks]
    return concatenate(parts)


def error_of(text, failures):
    """The exception of the first instance that failed, as that of ``Program.run``."""
    first, count = failures[0], len(failures)
    line = text.split("\n")[first.line - 1]
    others = f"{count} instances fail; " if count > 1 else ""
    kind = {"DIV0": ZeroDivisionError, "OVERFLOW": OverflowError}.get(first.mark, ValueError)
    return kind(
        f"{first.line}:{first.column}: instance {first.instance}: {first.message} ({first.mark})\n"
        f"  {line}\n  {' ' * (first.column - 1)}^\n"
        f"{others}on_error='mask' returns the results of all others"
    )
