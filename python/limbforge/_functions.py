"""The functions of the language, made of the table of operations."""

import inspect

from limbforge._limbforge import _apply, _functions


def _documentation(row):
    summary = row["summary"][0].upper() + row["summary"][1:]
    result = "NumPy's array of bools" if row["is_truth"] else f"an array: {row['result']}"
    lines = [f"{summary}.", "", f"Operands are arrays of one type, and ints. The result is {result}."]
    lines += [f"Raises an error ({mark}) for instances where {when}." for mark, when in row["failures"]]
    lines += ["", ">>> import limbforge as lf"]
    for text, dtype, value in row["examples"]:
        if value.startswith("!"):
            lines += [f'>>> lf.eval_checked("{text}", dtype="{dtype}").failures[0].mark', f"'{value[1:]}'"]
        else:
            lines += [f'>>> lf.eval("{text}", dtype="{dtype}")[0]', value]
    return "\n".join(lines)


def _function(row):
    name = row["name"]

    def call(*args):
        return _apply(name, args)

    call.__doc__ = _documentation(row)
    call.__name__ = call.__qualname__ = name
    call.__module__ = "limbforge"
    positional = inspect.Parameter.POSITIONAL_ONLY
    call.__signature__ = inspect.Signature(
        [inspect.Parameter(operand, positional) for operand in row["operands"]]
    )
    return call


FUNCTIONS = {row["name"]: _function(row) for row in _functions()}
