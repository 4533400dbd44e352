"""Programs: results, inputs, failures, and texts that are none."""

import math
import pickle
import random
from pathlib import Path

import numpy as np
import pyarrow
import pytest

import limbforge as lf

SAMPLES = Path(__file__).parents[2] / "examples/programs"

# GMP-ECM's tests of -param 3 (test.gpuecm): N, B1, curves and the factors that stage 1 finds.
CURVES = [
    (458903930815802071188998938170281707063809443792768383215233, 125, [227], [5422968571]),
    (2**349 - 1, 587, [279], [1779973928671]),
    ((5**139 + 1) // 6, 1000, [2829874052, 9829216], [172694671812043, 1]),
    (2**1018 - 1, 4, [92], [3057]),
]


def sample(name):
    return lf.Program.load(SAMPLES / f"{name}.lf")


@pytest.mark.parametrize("n, bound, sigma, factors", CURVES)
def test_curves_of_gmp_ecm(n, bound, sigma, factors):
    s = math.lcm(*range(1, bound + 1))
    found = sample("ecm").run(N=n, s=s, sigma=np.array(sigma))
    assert found["factor"].tolist() == factors and list(found) == ["X", "Z", "factor"]
    assert found["X"].dtype == lf.IntType(f"u{-(-n.bit_length() // 64) * 64}")
    wide = sample("ecm").run({"N": n, "s": s}, sigma=sigma, types={"N": "u1100"})
    assert wide["X"].dtype == lf.IntType("u1100") and wide["X"].tolist() == found["X"].tolist()


def test_the_residue_of_a_save_file_of_gmp_ecm():
    # GMP-ECM 7.0.5: ecm -param 3 -sigma 3:9829216 -save FILE 1000 0
    n = int(
        "6739340742871578950138504155124653739612188365650969529085872576177285318559556786703601108033240997"
        "229916897506925207756232687"
    )
    x = int(
        "1c7b49851242528b5e75695e30bfb388c505bf076427715ca2c187117ef1b4fc2320ed8f3f13d0b66859f0d20f7f74d0f2a8"
        "f4ba16",
        16,
    )
    found = sample("ecm").run(N=n, s=math.lcm(*range(1, 1001)), sigma=9829216)
    assert found["X"][0] * pow(found["Z"][0], -1, n) % n == x


def test_probable_primes():
    numbers = [n for n in range(3, 6000, 2)] + [2**127 - 1, 2**128 + 1]
    found = sample("prp").run(n=numbers)
    assert found["fermat"].dtype == found["lucas"].dtype == np.bool_
    assert found["fermat"].tolist() == [pow(2, n - 1, n) == 1 for n in numbers]
    both = (found["fermat"] & found["lucas"]).tolist()
    # No number below 2^64 is composite and passes both; both may miss a divisor of 2 D q alone.
    primes = lf.is_prime(lf.array(numbers, "u192")).tolist()
    assert [n for n, passes, prime in zip(numbers, both, primes) if passes != prime and n > 20] == []


def test_powers():
    draw = random.Random(3)
    b, e = ([draw.getrandbits(200) for _ in range(50)] for _ in range(2))
    n = [draw.getrandbits(200) | 1 for _ in range(50)]
    found = sample("modexp").run(b=b, e=e, n=n)
    assert found["r"].tolist() == [pow(*args) for args in zip(b, e, n)] and found.ok.all()
    one = sample("modexp").run(b=lf.array(b, "u200"), e=65537, n=n[0], engine="cpu")
    assert one["r"].tolist() == [pow(x, 65537, n[0]) for x in b]


def test_failures():
    program = sample("modexp")
    inputs = {"b": 7, "e": 5, "n": [9, 8, 11, 0]}
    with pytest.raises(
        ValueError, match=r"modexp.lf:\d+:\d+: instance 1: the modulus is even \(EVEN\)"
    ) as error:
        program.run(inputs)
    assert "2 instances fail" in str(error.value) and "^" in str(error.value)
    found = program.run(inputs, on_error="mask")
    assert found["r"].tolist() == [4, 0, 10, 0] and found.ok.tolist() == [True, False, True, False]
    assert [(f.instance, f.mark) for f in found.failures] == [(1, "EVEN"), (3, "DIV0")]
    line = program.text.splitlines()[found.failures[0].line - 1]
    assert line[found.failures[0].column - 1 :].startswith("n "), "the modulus"
    assert repr(found) == "Results(4 instances: r, 2 failures)"
    with pytest.raises(
        ZeroDivisionError, match=r"^2:9: instance 0: division by zero \(DIV0\)\n  out x = a / b"
    ):
        lf.Program("in a, b\nout x = a / b").run(a=1, b=0)
    with pytest.raises(ValueError, match="on_error: expected 'raise' or 'mask', found 'ignore'"):
        program.run(inputs, on_error="ignore")


TUPLES = "in p: (u32, u32)\nlet (a, b) = p\nout swapped = (b, a), signs = (a < b, a > b)"


def test_arrays_and_tuples_as_results():
    found = sample("cfrac").run(D=[7, 61, 9], bits=256, on_error="mask")
    quotients = found["quotients"]
    assert len(quotients) == 32 and all(len(array) == 3 for array in quotients)
    assert [q[1] for q in quotients[:12]] == [1, 4, 3, 1, 2, 2, 1, 3, 4, 1, 14, 0]
    assert found["p"].tolist() == [8, 29718, 0] and found.failures[0].mark == "REQUIRE"
    program = lf.Program(TUPLES)
    found = program.run(p=(5, 7))
    high, low = found["swapped"]
    assert (high.tolist(), low.tolist()) == ([7], [5]) and high.dtype == lf.IntType("u32")
    assert [signs.tolist() for signs in found["signs"]] == [[True], [False]]
    assert program.run(p=found["swapped"])["swapped"][0].tolist() == [5]


ROWS = lf.Program("in v: [u32; 3], k: u64\nout s = v[0] + 10*v[1] + 100*v[2], w = v[k]")


@pytest.mark.parametrize(
    "rows",
    [
        [[1, 2, 3], (4, 5, 6)],
        np.array([[1, 2, 3], [4, 5, 6]], np.int16),
        [np.array([1, 2, 3]), np.array([4, 5, 6])],
        [1, 2, 3, 4, 5, 6],
        tuple(lf.array(column, "u8") for column in ([1, 4], [2, 5], [3, 6])),
    ],
)
def test_arrays_as_inputs(rows):
    found = ROWS.run(v=rows, k=[0, 2])
    assert found["s"].tolist() == [321, 654] and found["w"].tolist() == [1, 6]
    assert found["s"].dtype == lf.IntType("u32")


def test_one_array_for_all():
    assert ROWS.run(v=[1, 2, 3], k=[0, 1, 2])["w"].tolist() == [1, 2, 3]
    found = ROWS.run(v=[1, 2, 3], k=[0, 3], on_error="mask")
    assert found.failures == [lf.ProgramFailure(1, "INDEX", "the index lies outside its array", 2, 40)]


SUM = lf.Program("in a, b\nout s = a + b")


class Index:
    def __index__(self):
        return 7


@pytest.mark.parametrize(
    "a, dtype",
    [
        (5, "u64"),
        (-5, "i64"),
        (2**64, "u128"),
        (-(2**63), "i64"),
        (2**63, "u64"),
        (-(2**63) - 1, "i128"),
        ([1, 2**100], "u128"),
        ([1, -(2**100)], "i128"),
        ([], "u64"),
        (range(3), "u64"),
        (np.uint8(3), "u64"),
        (np.arange(1, 4), "u64"),
        (np.array([2**70, -1], object), "i128"),
        (Index(), "u64"),
        ([Index(), True], "u64"),
        (lf.array([1, 2], "u131"), "u131"),
        (lf.array([1, 2], "i32").to_arrow(), "i32"),
        (pyarrow.chunked_array([lf.array([1, 2], "u72").to_arrow()]), "u72"),
        ((x for x in (1, 2)), "u64"),
    ],
)
def test_types_of_inputs(a, dtype):
    found = lf.Program("in a\nout a").run(a=a)["a"]
    assert found.dtype == lf.IntType(dtype)
    if isinstance(a, list | range):
        assert found.tolist() == [int(value) for value in map(lambda v: v.__index__(), a)]


def test_widths_that_are_given():
    assert SUM.run(a=1, b=2, bits=512)["s"].dtype == lf.IntType("u512")
    assert SUM.run(a=-1, b=[-2], bits=100)["s"].dtype == lf.IntType("i100")
    assert SUM.run(a=1, b=lf.array([2], "u8"), types={"a": lf.IntType("u77")})["s"].dtype == lf.IntType("u77")
    assert SUM.run(a=lf.array([2], "u8"), b=1, bits=9)["s"].dtype == lf.IntType("u9")


@pytest.mark.parametrize(
    "inputs, options, error, text",
    [
        ({"a": 1}, {}, TypeError, "the program uses the input `b`, which is not given"),
        ({"a": 1, "b": 2, "c": 3}, {}, TypeError, "the program has no input `c`; expected: a, b"),
        ({"a": 1, "b": 2}, {"b": 3}, TypeError, "input `b` is given twice"),
        ({"a": [1, 2], "b": [1, 2, 3]}, {}, ValueError, "input `b` has 3 instances; expected 2 as in `a`"),
        ({"a": 1.5, "b": 1}, {}, TypeError, "input `a`: "),
        ({"a": [1, 1.5], "b": 1}, {}, TypeError, "input `a`: instance 1: expected an int"),
        ({"a": [1, "2"], "b": 1}, {}, TypeError, "input `a`: instance 1: expected an int"),
        (
            {"a": "12", "b": 1},
            {},
            TypeError,
            "input `a`: expected an int or an iterable of ints",
        ),
        (
            {"a": np.array([1.5]), "b": 1},
            {},
            TypeError,
            "expected integers, found an array of float64",
        ),
        (
            {"a": np.zeros((1, 1, 1), int), "b": 1},
            {},
            ValueError,
            "expected an array of one or two",
        ),
        (
            {"a": [[1, 2]], "b": 1},
            {},
            ValueError,
            "one integer for each instance, found rows of 2",
        ),
        ({"a": [[1], [1, 2]], "b": 1}, {}, ValueError, "input `a`: expected rows of equal length"),
        ({"a": 300, "b": 1}, {"bits": 8}, OverflowError, "input `a`: instance 0: the number does not fit u8"),
        ({"a": lf.device(lf.array([1], "u8"), "cpu"), "b": 1}, {}, TypeError, "input `a`: .*DeviceArray"),
        ({"a": 1, "b": 2}, {"types": {"c": "u8"}}, TypeError, "found `c`: the program has no such input"),
        ({"a": 1, "b": 2}, {"types": {"a": "x8"}}, ValueError, "x8"),
        ({"a": 1, "b": -1}, {"types": {"a": "u128"}}, TypeError, r"2:\d+: .*\n  out s = a \+ b\n"),
    ],
)
def test_inputs_that_do_not_fit(inputs, options, error, text):
    with pytest.raises(error, match=text):
        SUM.run(inputs, **options)


def test_declared_types_hold():
    program = lf.Program("in a: u8, v: [u8; 2]\nout s = a + v[0]")
    assert program.inputs == {"a": "u8", "v": "[u8; 2]"} and program.outputs == ("s",)
    with pytest.raises(TypeError, match="found `a`: the program says its type"):
        program.run(a=1, v=[1, 2], types={"a": "u16"})
    with pytest.raises(OverflowError, match="input `a`: instance 1: the number does not fit u8"):
        program.run(a=[1, 256], v=[1, 2])
    with pytest.raises(OverflowError, match="input `a`: instance 0: the number does not fit u8"):
        program.run(a=lf.array([256], "u64"), v=[1, 2])
    with pytest.raises(ValueError, match="input `v`: expected 2 integers for each instance, found rows of 3"):
        program.run(a=1, v=[[1, 2, 3]])
    with pytest.raises(ValueError, match="input `v` has 3 integers; expected 2 for each instance"):
        program.run(a=1, v=[1, 2, 3])
    assert program.run(a=lf.array([5], "u64"), v=[3, 2])["s"].tolist() == [8]


def test_texts_that_are_no_programs(tmp_path):
    with pytest.raises(ValueError) as error:
        lf.Program("in a, b\nlet g = gcdd(a, b)\nout g")
    assert str(error.value) == (
        "2:9: expected a function, found `gcdd`\n  let g = gcdd(a, b)\n          ^^^^ did you mean `gcd`?"
    )
    path = tmp_path / "wrong.lf"
    path.write_text("in a\nout x = a +")
    with pytest.raises(ValueError, match=rf"^{path}:2:\d+: expected "):
        lf.Program.load(path)
    with pytest.raises(FileNotFoundError):
        lf.Program.load(tmp_path / "missing.lf")
    with pytest.raises(TypeError, match=r"^2:1?\d: "):
        lf.Program("in a: u64\nout x = if a { 1 } else { 2 }").run(a=1)
    with pytest.warns(SyntaxWarning, match=r"1:17: \^ is exclusive or; write \*\* for powers") as seen:
        lf.Program("in a; out x = 2 ^32 + a")
    assert seen[0].filename == __file__


def test_programs_as_objects():
    program = lf.Program("in a, n: u64   # one\nout x=(a*n)")
    assert repr(program) == "Program(a, n: u64 -> x)" and str(program) == "in a, n: u64\nout x = a * n\n"
    same = lf.Program(str(program))
    assert program == same and hash(program) == hash(same) and program != SUM and program != "x"
    assert pickle.loads(pickle.dumps(program)).text == program.text
    found = pickle.loads(pickle.dumps(program.run(a=2, n=[3, 4])))
    assert dict(found).keys() == {"x"} and found["x"].tolist() == [6, 8] and found.instances == 2
    with pytest.raises(KeyError):
        found["y"]
    assert lf.Program("out x = 7").run()["x"].tolist() == [7]
    with pytest.raises(lf.DeviceError):
        SUM.run(a=1, b=2, engine="cuda:0")
