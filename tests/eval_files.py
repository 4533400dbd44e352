"""The command line of `limbforge eval` from outside: streams, signals, modes of files, compression, comments.

Used by eval_against_python.py. Every check takes the program and a folder of its own.
"""

import gzip
import os
import resource
import shutil
import signal
import stat
import subprocess
import time

# Lines of standard input that make several chunks.
MANY = 1_200_000

ZSTD = shutil.which("zstd")


class Differs(Exception):
    """What the program was asked, and what it found otherwise."""


def expect(what, found, expected):
    if found != expected:
        raise Differs(f"{what}: found {found!r:.300}, expected {expected!r:.300}")


def run(program, folder, *arguments, **options):
    command = [program, "eval", *arguments, "--backend", "cpu"]
    return subprocess.run(command, cwd=folder, capture_output=True, **options)


def ok(program, folder, *arguments, **options):
    found = run(program, folder, *arguments, **options)
    expect(f"{arguments}", (found.returncode, found.stderr), (0, b""))
    return found.stdout


def lines(values):
    return "".join(f"{value}\n" for value in values).encode()


def names(folder):
    return sorted(os.listdir(folder))


DEC = ["--bits", "64", "--format", "dec"]


def standard_input(program, folder):
    """One stream of many lines, one of binary records, and two inputs from one stream."""
    data = lines(range(MANY))
    expected = lines(i * i for i in range(MANY))
    expect("many lines", ok(program, folder, "a*a", *DEC, "--in", "a=-", input=data) == expected, True)
    records = b"".join(i.to_bytes(5, "little") for i in range(1000))
    doubled = b"".join((2 * i).to_bytes(5, "little") for i in range(1000))
    found = ok(program, folder, "a+a", "--bits", "40", "--format", "bin", "--in", "a=/dev/stdin", input=records)
    expect("records", found, doubled)
    for first, second in [("-", "-"), ("-", "/dev/stdin"), ("/dev/fd/0", "-")]:
        twice = run(program, folder, "a+b", *DEC, "--in", f"a={first}", "--in", f"b={second}", input=b"1\n2\n")
        expect("standard input twice", (twice.returncode, twice.stdout), (2, b""))
        for name in (f"`--in a={first}`", f"`--in b={second}`"):
            expect(f"{name} in {twice.stderr}", name.encode() in twice.stderr, True)


def start(program, folder, environment, **options):
    """A run that waits for standard input, and has its unfinished file open."""
    command = [program, "eval", "a*a", *DEC, "--in", "a=-", "--out", "out", "--backend", "cpu"]
    environment = {**os.environ, **environment}
    child = subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, **options)
    real, deadline = os.path.realpath(folder), time.monotonic() + 120
    while time.monotonic() < deadline:
        for name in os.listdir(f"/proc/{child.pid}/fd"):
            try:
                if os.readlink(f"/proc/{child.pid}/fd/{name}").startswith(real):
                    return child
            except FileNotFoundError:
                pass
        time.sleep(0.001)
    raise Differs("the unfinished file is not there")


def signals(program, folder):
    """A signal ends the run and leaves nothing; one that is ignored at the start stays ignored."""
    ends = [signal.SIGTERM, signal.SIGINT, signal.SIGHUP]
    for environment, more in [({}, [signal.SIGKILL]), ({"LIMBFORGE_NAMED_TEMP": "1"}, [])]:
        for number in ends + more:
            child = start(program, folder, environment)
            child.send_signal(number)
            expect(f"{number!r} {environment}", child.wait(), -number)
            expect(f"files after {number!r} {environment}", names(folder), [])
            child.communicate()

        def ignore():
            signal.signal(signal.SIGHUP, signal.SIG_IGN)

        child = start(program, folder, environment, preexec_fn=ignore)
        child.send_signal(signal.SIGHUP)
        _, error = child.communicate(b"3\n4\n")
        expect(f"ignored {environment}", (child.returncode, error, names(folder)), (0, b"", ["out"]))
        expect("results", (folder / "out").read_bytes(), b"9\n16\n")
        (folder / "out").unlink()


def modes(program, folder):
    """A new file has the mode of the umask, an old one keeps its own; links are followed; large files fail."""
    (folder / "a").write_bytes(lines(range(20_000)))
    arguments = ["a+a", *DEC, "--in", "a=a", "--out", "out"]
    expected = lines(2 * i for i in range(20_000))
    for mask, mode in [(0o022, 0o644), (0o077, 0o600)]:
        ok(program, folder, *arguments, umask=mask)
        expect(f"mode with {mask:o}", stat.S_IMODE(os.stat(folder / "out").st_mode), mode)
        for kept in (0o600, 0o660, 0o755):
            os.chmod(folder / "out", kept)
            ok(program, folder, *arguments, umask=mask)
            expect("kept mode", stat.S_IMODE(os.stat(folder / "out").st_mode), kept)
            expect("results", (folder / "out").read_bytes() == expected, True)
        (folder / "out").unlink()
    (folder / "out").symlink_to("target")
    ok(program, folder, *arguments)
    expect("link", (os.readlink(folder / "out"), (folder / "target").read_bytes() == expected), ("target", True))

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    large = run(program, folder, *arguments, preexec_fn=limit)
    expect("too large", (large.returncode, large.stderr), (1, b"error: out: cannot write: File too large (os error 27)\n"))
    expect("files", names(folder), ["a", "out", "target"])
    os.link(folder / "a", folder / "hard")
    ok(program, folder, "a+a", *DEC, "--in", "a=a", "--out", "hard")
    expect("hard link", (folder / "hard").read_bytes() == expected, True)
    expect("its other name", (folder / "a").read_bytes() == lines(range(20_000)), True)


def compression(program, folder):
    """gzip by Python, zstd by its own program, both ways."""
    plain, doubled = lines(range(50_000)), lines(2 * i for i in range(50_000))
    packers = {"gz": (gzip.compress, gzip.decompress)}
    if ZSTD:
        packers["zst"] = tuple(
            lambda data, options=options: subprocess.run([ZSTD, "-q", *options], input=data, capture_output=True, check=True).stdout
            for options in (["-c"], ["-dc"])
        )
        packers["22.zst"] = (
            lambda data: subprocess.run([ZSTD, "-q", "-c", "--ultra", "-22", "--long=27"], input=data, capture_output=True).stdout,
            packers["zst"][1],
        )
    for name, (pack, unpack) in packers.items():
        packed = pack(plain[:1000]) + pack(plain[1000:])
        for file in (f"a.{name}", "a"):
            (folder / file).write_bytes(packed)
            ok(program, folder, "a+a", *DEC, "--in", f"a={file}", "--out", f"out.{name}")
            expect(f"{file}, unpacked", unpack((folder / f"out.{name}").read_bytes()) == doubled, True)
        expect("stream", ok(program, folder, "a+a", *DEC, "--in", "a=-", input=packed) == doubled, True)
        for cut in (1, 5, len(packed) // 3, len(packed) - 1):
            (folder / f"a.{name}").write_bytes(packed[:cut])
            found = run(program, folder, "a+a", *DEC, "--in", f"a=a.{name}", "--out", "cut")
            expect(f"{name} cut at {cut}", (found.returncode, (folder / "cut").exists()), (1, False))


def lenient(program, folder):
    """Empty lines, comments and both ends of lines; the line of an error."""
    text = b"".join(
        {0: b"\n", 1: b"  \r\n", 2: b"# %d\n" % i}.get(i % 7, b"%d # number\r\n" % i if i % 2 else b"%d\n" % i) for i in range(100_000)
    )
    (folder / "a").write_bytes(text)
    expected = lines(i + 1 for i in range(100_000) if i % 7 > 2)
    arguments = ["a+1", *DEC, "--in", "a=a"]
    expect("lenient", ok(program, folder, *arguments, "--lenient") == expected, True)
    strict = run(program, folder, *arguments)
    expect("strict", (strict.returncode, strict.stdout, b"--lenient" in strict.stderr), (1, b"", True))
    (folder / "a").write_bytes(text + b"\n#\nzz\n")
    bad = run(program, folder, *arguments, "--lenient")
    expect("line", (bad.returncode, bad.stderr.startswith(b"error: a:100003: column 1")), (1, True))


def never_ending(program, folder):
    """A line without end, and more threads than a machine has, within 4 GB of address space."""

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))

    environment = {**os.environ, "RAYON_NUM_THREADS": "2"}
    for style in ("hex", "dec"):
        arguments = ["a", "--bits", "64", "--format", style, "--in", "a=/dev/zero"]
        found = run(program, folder, *arguments, preexec_fn=limit, env=environment)
        expect(style, (found.returncode, b"/dev/zero:1: the line is longer than " in found.stderr), (1, True))
    polynomials = [program, "poly", "mul", "--prime", "97", "--in", "/dev/zero", "--in", "/dev/zero"]
    found = subprocess.run(polynomials, capture_output=True, preexec_fn=limit, env=environment)
    expect("poly", (found.returncode, b"/dev/zero:1: the line is longer than " in found.stderr), (1, True))
    many = run(program, folder, "1+1", *DEC, env={**os.environ, "RAYON_NUM_THREADS": "999999"})
    expect("threads", (many.returncode, many.stdout, many.stderr.startswith(b"warning: ")), (0, b"2\n", True))


CHECKS = [standard_input, signals, modes, compression, lenient, never_ending]


def check_cost_of_failures(program, folder):
    """Lines that fail take about as much of the processor as those that do not."""

    def user_time(name):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        run(program, folder, "a / a", "--bits", "64", "--in", f"a={name}", "--on-error", "mark", "--out", "out")
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before

    for name, line in (("zeros", b"0\n"), ("ones", b"1\n"), ("bad", b"z\n")):
        (folder / name).write_bytes(line * 2_000_000)
    times = {name: min(user_time(name) for _ in range(4)) for name in ("ones", "zeros", "bad")}
    # Of 2 million lines: 0.08 s, 0.18 s and 0.23 s, as each record that is no integer is kept until its result is
    # written, 25 ns a line; 2.3 and 2.8 times. Other work on the machine makes times differ.
    for name in ("zeros", "bad"):
        expect(f"user time of failing lines, {times}", times[name] < 4 * times["ones"], True)
