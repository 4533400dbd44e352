"""Examples of the documentation run, and the stubs are those of the package."""

import doctest
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import limbforge as lf

ROOT = Path(__file__).parents[2]
VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"
PUBLIC = sorted({*lf.__all__, "eval", "min", "max"} - {"__version__"})


def documented():
    """Public objects with documentation: functions, classes and their methods."""
    for name in PUBLIC:
        value = getattr(lf, name)
        yield name, value
        if inspect.isclass(value) or inspect.ismodule(value):
            for member, own in vars(value).items():
                if (
                    not member.startswith("_")
                    and getattr(own, "__doc__", None)
                    and not isinstance(own, type(sys))
                ):
                    yield f"{name}.{member}", own
    yield "limbforge", lf


@pytest.mark.parametrize("name, value", list(documented()))
def test_examples_of_docstrings(name, value):
    test = doctest.DocTestParser().get_doctest(value.__doc__, {}, name, None, 0)
    found = doctest.DocTestRunner(verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE).run(test)
    assert found.failed == 0
    if inspect.isfunction(value) or inspect.isclass(value) or inspect.isbuiltin(value):
        assert found.attempted > 0 or name in ("Failure", "DeviceError"), f"{name} has no example"


@pytest.mark.parametrize(
    "page", [ROOT / "docs/python.md", ROOT / "python/README.md"], ids=lambda page: page.name
)
def test_examples_of_pages(page):
    text, names = page.read_text(), {}
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert blocks
    for block in blocks:
        if ">>>" in block:
            test = doctest.DocTestParser().get_doctest(block, names, page.name, str(page), 0)
            assert (
                doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
                .run(test, clear_globs=False)
                .failed
                == 0
            )
            names = test.globs
        else:
            exec(compile(block, str(page), "exec"), names)


gallery = pytest.mark.parametrize(
    "script", sorted((ROOT / "examples/python").glob("*.py")), ids=lambda script: script.name
)


def output(*command):
    found = subprocess.run([sys.executable, *command], capture_output=True, text=True, timeout=600)
    assert found.returncode == 0 and found.stdout, found.stderr
    return found.stdout


@gallery
def test_gallery(script):
    assert "computing on" in output(script, "--small")


@gallery
@pytest.mark.gpu
def test_gallery_on_a_gpu(script):
    found = output(script)
    assert "computing on" in found and "computing on CPU" not in found, found


def test_the_benchmark_checks_its_results():
    command = [ROOT / "python/bench.py", "--count=200", "--bits=256", "--repeat=1"]
    assert output(*command).count("x") > 10


@pytest.mark.gpu
def test_the_benchmark_on_a_gpu():
    command = [ROOT / "python/bench.py", "--count=2000", "--repeat=1", "--engine=cuda:0"]
    assert lf.Engine("cuda:0").device_name in output(*command)


def test_the_tables_of_speed_are_those_of_the_results():
    command = [sys.executable, ROOT / "python/bench_table.py", ROOT / "docs/python.md", "--check"]
    found = subprocess.run(command, capture_output=True, text=True)
    assert found.returncode == 0, found.stderr


def test_every_function_of_the_table_is_in_the_stubs():
    stubs = (ROOT / "python/limbforge/__init__.pyi").read_text()
    from limbforge._functions import FUNCTIONS

    for name, function in FUNCTIONS.items():
        operands = ", ".join(inspect.signature(function).parameters)
        found = re.search(rf"^def {name}\((.*?), /\)", stubs, re.MULTILINE)
        assert found and ", ".join(part.split(":")[0] for part in found[1].split(", ")) == operands, name


@pytest.mark.parametrize("checker", ["mypy", "pyright", "stubtest"])
def test_types(checker):
    commands = {
        "mypy": ["mypy", "--strict", "typed.py"],
        # NumPy's stubs are those of this interpreter's version.
        "pyright": ["pyright", "--pythonpath", sys.executable, "--pythonversion", VERSION, "typed.py"],
        "stubtest": [
            "mypy.stubtest",
            "limbforge",
            "--ignore-missing-stub",
            "--mypy-config-file",
            "../pyproject.toml",
            "--allowlist",
            "allowlist.txt",
            # Without Ray its module has nothing to compare with.
            "--ignore-unused-allowlist",
        ],
    }
    found = subprocess.run(
        [sys.executable, "-m", *commands[checker]], cwd=ROOT / "python/tests", capture_output=True, text=True
    )
    assert found.returncode == 0, found.stdout + found.stderr
