"""Programs on a GPU, with the results and checkpoints of the CPU."""

import math
import random
from pathlib import Path

import numpy as np
import pytest

import limbforge as lf

pytestmark = pytest.mark.gpu
SAMPLES = Path(__file__).parents[2] / "examples/programs"
DRAW = random.Random(23)


def odd(bits, count):
    return [DRAW.getrandbits(bits) | 1 << bits - 1 | 1 for _ in range(count)]


GIVEN = {
    "ecm": {"N": odd(512, 1)[0], "s": math.lcm(*range(1, 200)), "sigma": np.arange(1, 301)},
    "isqrt": {"a": odd(700, 300)},
    "modexp": {"b": odd(256, 300), "e": odd(256, 300), "n": odd(256, 300)},
    "prp": {"n": [2**127 - 1, *odd(128, 299)]},
    "vdf": {"N": odd(300, 50), "x": 3, "t": 1000},
}
FAILS = """
in a: i64, n
var x = a mod n
repeat 60 { x = sqr(x) + 1 }
out x, q = 1 / x, rest = 10**9 / a, odd = a % 2 == 1
"""


def plain(results):
    """All integers, and failures."""

    def of(value):
        return [of(part) for part in value] if isinstance(value, tuple) else (value.dtype, value.tobytes())

    return {name: of(value) for name, value in results.items()}, results.failures


@pytest.mark.parametrize("name", GIVEN)
def test_samples_equal_those_of_the_cpu(name):
    program = lf.Program.load(SAMPLES / f"{name}.lf")
    assert program.inputs.keys() == GIVEN[name].keys()
    found = program.run(GIVEN[name], engine="cuda:0")
    assert plain(found) == plain(program.run(GIVEN[name], engine="cpu"))


def test_failures_equal_those_of_the_cpu():
    numbers = [DRAW.choice([0, 1, -5, 7]) for _ in range(500)]
    given = {"a": numbers, "n": [DRAW.choice([15, 16, 2**61 - 1]) for _ in numbers]}
    program = lf.Program(FAILS)
    expected = program.run(given, engine="cpu", on_error="mask")
    assert {"DIV0", "EVEN", "NOINVERSE"} <= {failure.mark for failure in expected.failures}
    assert not expected.ok.all() and expected.ok.any()
    assert plain(program.run(given, engine="cuda:0", on_error="mask")) == plain(expected)
    place = expected.failures[0]
    for engine in ("cpu", "cuda:0"):
        with pytest.raises(ValueError, match=rf"{place.line}:{place.column}: instance {place.instance}: "):
            program.run(given, engine=engine)


def test_a_run_that_goes_from_one_engine_to_the_other(tmp_path):
    program = lf.Program("in n, t: u64\nvar x = 3 mod n\nrepeat t { x = sqr(x) + 1 }\nout x")
    given = {"n": odd(521, 64), "t": 200_000}
    expected = plain(program.run(given, engine="cpu"))
    session, engines = program.session(given, engine="cpu"), ["cuda:0", "cpu", "cuda:0"]
    reached = [session.advance(0).round]
    for engine in engines:
        session.checkpoint(tmp_path / "run")
        session = lf.resume(tmp_path / "run", engine=engine)
        assert session.progress.round == reached[-1]
        reached.append(session.advance(0).round)
    assert reached[0] > 0 and reached == sorted(set(reached)) and reached[-1] < 200_000
    assert plain(session.run()) == expected


def test_a_program_without_a_kernel():
    program = lf.Program("in a\nout b = a * a")
    given = {"a": lf.array([2**65_600 + 1, 3], "u65664")}
    with pytest.raises(lf.DeviceError):
        program.run(given, engine="cuda:0")
    engine = lf.Engine("auto")
    assert program.run(given, engine=engine)["b"][1] == 9 and engine.fallback
