"""A program whose types mypy and pyright check: what users write has the types that the stubs promise."""

from typing import assert_type

import numpy as np
import numpy.typing as npt

import limbforge as lf

a = lf.array([1, 2, 3], "u2048")
b = lf.array(range(3), lf.IntType("u2048"))

assert_type(a + b, lf.IntArray)
assert_type(2 * a % 7, lf.IntArray)
assert_type(pow(a, 65537, b), lf.IntArray)
assert_type(a < b, npt.NDArray[np.bool_])
assert_type(a[0], int)
assert_type(a[a > 1], lf.IntArray)
assert_type(a[1:], lf.IntArray)
assert_type(a.tolist(), list[int])
assert_type(lf.gcd(a, 6), lf.IntArray)
assert_type(lf.is_prime(a), npt.NDArray[np.bool_])
assert_type(lf.gcd(lf.Expr("a"), 6), lf.Expr)
assert_type(lf.limbs(a), npt.NDArray[np.uint64])
assert_type(lf.eval("a + b", a=a, b=b, overflow="raise"), lf.IntArray)
assert_type(lf.eval_checked("a / b", {"a": a, "b": b}).failures[0].mark, str)
assert_type(lf.from_arrow(a), lf.IntArray)
assert_type(lf.from_arrow(a, mask=True), tuple[lf.IntArray, npt.NDArray[np.bool_]])
assert_type(lf.poly.mul(lf.Field(97), [1, 2], [3]), npt.NDArray[np.uint64])
assert_type(lf.poly.mul(lf.Field(97), [[1, 2]], [3]), list[npt.NDArray[np.uint64]])

assert_type(lf.eval_all({"q": "a / b", "r": "a % b"}, a=a, b=b), dict[str, lf.IntArray])
assert_type(lf.eval_all(["a / b", lf.Expr("a")], a=a, b=b, overflow="raise"), list[lf.IntArray])
assert_type(lf.eval_all_checked({"q": "a / b"}, a=a, b=b)["q"], lf.Checked)
assert_type(divmod(a, 7), tuple[lf.IntArray, lf.IntArray])
assert_type(lf.random(5, "u64", seed=1), lf.IntArray)
x = lf.counter(5, "u64", step=2, device="cpu")
assert_type(x, lf.DeviceArray)
assert_type(lf.device(a, "cpu") * a.to_device("cpu"), lf.DeviceArray)
assert_type(lf.where(x < 3, x, 7), lf.DeviceArray)
assert_type(lf.gcd(x, 6), lf.DeviceArray)
assert_type(lf.eval("x + 1", x=x), lf.DeviceArray)
assert_type(x.to_host(), lf.IntArray)
assert_type(x.to_host(mask=True), tuple[lf.IntArray, npt.NDArray[np.bool_]])
residues = lf.residues(lf.Field(97), [1, 2, 3, 4])
assert_type(lf.ntt(lf.Field(97), residues) * 3, lf.DeviceResidues)
assert_type(lf.poly.divmod(lf.Field(97), residues, residues), tuple[lf.DeviceResidues, lf.DeviceResidues])
assert_type(residues.to_host(), npt.NDArray[np.uint64])
program = lf.Program("in a, b: u64\nout c = a + b, d = a < b")
assert_type(program.inputs, dict[str, str | None])
assert_type(program.run(a=a, b=[1, 2, 3], types={"a": "u64"}), lf.Results)
assert_type(
    program.run({"a": np.arange(3)}, b=5, checkpoint="folder", on_error="mask").ok, npt.NDArray[np.bool_]
)
assert_type(program.run(a=[[1, 2], [3, 4]], b=(a, a)).failures[0].line, int)
assert_type([progress.left for progress in program.session(a=1, b=2, bits=9)], list[float | None])
assert_type(lf.resume("folder").run(), lf.Results)
assert_type(program.run(a=1, b=2).lists["found"], lf.Rows)
assert_type(lf.resume("folder").take_rows("found").instances, npt.NDArray[np.uint64])
assert_type(sorted(program.run(a=1, b=2)), list[str])


@lf.fused
def poly(a: lf.IntArray, b: lf.IntArray) -> lf.IntArray:
    return (a * a + b) * b


assert_type(poly(a, b), lf.IntArray)
with lf.use("cpu") as engine:
    assert_type(engine, lf.Engine)
