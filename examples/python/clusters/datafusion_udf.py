"""Quotients in SQL with DataFusion: a function of columns of Arrow, without a copy.

python datafusion_udf.py
"""

import tempfile

import pyarrow as pa
from datafusion import SessionContext, udf
from sample import check, make

import limbforge as lf

DTYPE, EXPR = "u2048", "a / b"
VALUE = pa.binary(lf.IntType(DTYPE).itemsize)


def quotients(a, b):
    """Values are plain binary in DataFusion, so that the type of the integers is named here."""
    found = lf.eval_checked(EXPR, a=lf.from_arrow(a, DTYPE), b=lf.from_arrow(b, DTYPE))
    return lf.to_arrow(found, extension=False)


def main():
    with tempfile.TemporaryDirectory() as folder:
        make(f"{folder}/in", dtype=DTYPE)
        context = SessionContext()
        context.register_parquet("numbers", f"{folder}/in")
        context.register_udf(udf(quotients, [VALUE, VALUE], VALUE, "immutable", name="quotient"))
        batches = context.sql("SELECT id, quotient(a, b) AS q FROM numbers").collect()
        check(f"{folder}/in", pa.Table.from_batches(batches), [EXPR], ["q"])


if __name__ == "__main__":
    main()
