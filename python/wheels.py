"""Builds the wheel of limbforge for Linux, and checks it in fresh environments.

    python wheels.py [--out DIR] [--target TRIPLE] [--wheel FILE] [--python EXECUTABLE ...] [--limit MB]

Needs Rust, and PyPI for maturin, zig, auditwheel and twine, which go into a temporary environment. zig links
against the C library of manylinux2014, so that one wheel serves all distributions from 2014 on, and abi3 all
Pythons from 3.11 on. Each interpreter gets an environment of its own: the wheel is installed there from the
file, computes a product and says where. An interpreter that is not on this machine is reported.
"""

import argparse
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOOLS = ["maturin>=1.10,<2", "ziglang>=0.14,<0.17", "auditwheel>=6.2", "twine>=6"]
PYTHONS = ["python3.11", "python3.12", "python3.13", "python3.14"]

PRODUCT = """
import sys
import limbforge as lf
a = lf.random(1000, "u2048", seed=1)
assert lf.mul_wide(a, a).tolist() == [x * x for x in a], "a wrong product"
assert lf.limbs(a).shape == (1000, 32) and (a // a).tolist() == [1] * 1000
version, path, device = sys.version.split()[0], lf._limbforge._int_access(), lf.current_engine().device_name
print(f"Python {version}: products are right on {device}, ints by {path}")
"""


def run(*command, **options):
    """The output of a command; its failure ends the program."""
    done = subprocess.run([str(part) for part in command], text=True, capture_output=True, **options)
    if done.returncode != 0:
        sys.exit(f"error: {' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def environment(folder, python=sys.executable):
    """The interpreter of a new environment."""
    run(python, "-m", "venv", folder)
    pip(folder / "bin/python", "--upgrade", "pip")
    return folder / "bin/python"


def pip(python, *options):
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *options)


def build(python, out, target):
    """The wheel."""
    shutil.rmtree(out, ignore_errors=True)
    # maturin finds zig as a module of the interpreter on the path.
    variables = {**os.environ, "PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}"}
    options = ["--release", "--locked", "--zig", "--compatibility", "manylinux2014", "--out", out]
    options += ["--compression-level", "9"]
    options += ["--target", target] if target else []
    run(python, "-m", "maturin", "build", *options, cwd=HERE, env=variables)
    (wheel,) = out.glob("*.whl")
    return wheel


def check_file(python, wheel, limit):
    """The file: its name, its size, its metadata, and the C library that it needs."""
    size = wheel.stat().st_size / 1e6
    print(f"{wheel.name}: {size:.2f} MB")
    if size >= limit:
        sys.exit(f"error: the wheel has {size:.2f} MB: expected less than {limit} MB")
    if "-cp311-abi3-" not in wheel.name or "manylinux2014_" not in wheel.name:
        sys.exit(f"error: {wheel.name}: expected a wheel of abi3 for manylinux2014")
    run(python, "-m", "twine", "check", "--strict", wheel)
    print("twine: the metadata are right")
    shown = run(python, "-m", "auditwheel", "show", wheel)
    tag = re.search(r'constrains the platform tag to\s+"(\w+)"|platform tag:\s+"(\w+)"', shown)
    found = next(filter(None, tag.groups())) if tag else shown
    print(f"auditwheel: {found}")
    if "manylinux_2_17" not in found and "manylinux2014" not in found:
        sys.exit(f"error: auditwheel: expected manylinux_2_17 or older, found\n{shown}")


def check_install(wheel, name, folder):
    """The wheel in an environment of its own; whether the interpreter is there."""
    python = shutil.which(name)
    if not python or subprocess.run([python, "--version"], capture_output=True).returncode != 0:
        print(f"{name}: not on this machine, not checked")
        return False
    python = environment(folder, python)
    pip(python, "--only-binary", ":all:", wheel)
    print(run(python, "-c", PRODUCT, cwd=folder).strip())
    return True


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=HERE / "target/dist", help="folder of the wheel")
    parser.add_argument("--target", help="such as aarch64-unknown-linux-gnu: built, but not installed")
    parser.add_argument("--python", nargs="+", default=PYTHONS, help="interpreters that install the wheel")
    parser.add_argument("--wheel", type=Path, help="checks this file, and builds none")
    parser.add_argument("--limit", type=float, default=4, help="megabytes")
    args = parser.parse_args()
    out = args.out.resolve()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        tools = environment(folder / "tools")
        pip(tools, *TOOLS)
        wheel = args.wheel.resolve() if args.wheel else build(tools, out, args.target)
        check_file(tools, wheel, args.limit)
        if args.target and not args.target.startswith(platform.machine()):
            print(f"{args.target}: not this machine, not installed")
            return
        checked = [check_install(wheel, name, folder / str(i)) for i, name in enumerate(args.python)]
        if not any(checked):
            sys.exit("error: none of the interpreters is on this machine")
    print(wheel)


if __name__ == "__main__":
    main()
