"""Prints the lines of the stubs for the functions of the table: ``python tests/stubs.py``.

Operands are arrays or ints; if one is resident or an expression, so is the result.
"""

from limbforge._limbforge import _functions


def stub(row):
    def line(operand, result):
        operands = ", ".join(f"{name}: {operand}" for name in row["operands"])
        return f"def {row['name']}({operands}, /) -> {result}: ..."

    results = {
        "_Operand": "_Bools" if row["is_truth"] else "IntArray",
        "_Resident": "DeviceArray",
        "_Term": "Expr",
    }
    return "\n".join(f"@overload\n{line(operand, result)}" for operand, result in results.items())


def stubs():
    return "\n".join(stub(row) for row in _functions()) + "\n"


if __name__ == "__main__":
    print(stubs(), end="")
