"""A column of quotients with Daft, Parquet to Parquet: a function of batches of Arrow.

python daft_column.py
"""

import tempfile

import daft
from daft import DataType, Series, col
from sample import check, make

import limbforge as lf

DTYPE, EXPR = "u2048", "a / b"


@daft.func.batch(return_dtype=DataType.fixed_size_binary(lf.IntType(DTYPE).itemsize))
def quotients(a: Series, b: Series):
    """Values are plain binary in Daft, so that the type of the integers is named here."""
    found = lf.eval_checked(EXPR, a=lf.from_arrow(a.to_arrow(), DTYPE), b=lf.from_arrow(b.to_arrow(), DTYPE))
    return lf.to_arrow(found, extension=False)


def main():
    with tempfile.TemporaryDirectory() as folder:
        make(f"{folder}/in", dtype=DTYPE)
        table = daft.read_parquet(f"{folder}/in/*.parquet")
        table.select(col("id"), quotients(col("a"), col("b")).alias("q")).write_parquet(f"{folder}/out")
        check(f"{folder}/in", f"{folder}/out", [EXPR], ["q"])


if __name__ == "__main__":
    main()
