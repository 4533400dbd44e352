#!/usr/bin/env python3
"""Compares `limbforge eval` with Python's integers.

usage: eval_against_python.py PROGRAM

Widths from 2^9 to 2^18 bits and widths that are no multiple of a limb, for every limb, signed and unsigned, in every
format, over random operands and those that make carries ripple. Of operations that may fail, also the marks of the lines that do. Amounts of
shifts, rotations and fields of any size, negative ones too. The command line from outside: eval_files.py.
"""

import concurrent.futures
import itertools
import math
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import eval_files
from eval_files import Differs

# More digits than Python converts by default.
sys.set_int_max_str_digits(0)

WIDTHS = [1 << k for k in range(9, 19)] + [1, 7, 31, 33, 65, 131, 1000, 4097, 100_003]
LIMBS = ["u32", "u64", "u128"]

# (text, the same on Python's integers; `t` is the type)
EXPRESSIONS = [
    ("(a*a + b)*(b*b + b) + a*b", lambda t, a, b: (a * a + b) * (b * b + b) + a * b),
    ("a - b*3 + (a << 7) - (b >> 9)", lambda t, a, b: a - b * t.wrap(3) + (a << 7) - (b >> 9)),
    ("mulhi(a, b) ^ (~a & b) | -b", lambda t, a, b: (a * b >> t.bits) ^ (~a & b) | -b),
    (
        "select(a < b, min(a, b) - max(a, b), sqr(a)) + (a == b) + (a >= b)",
        lambda t, a, b: (min(a, b) - max(a, b) if a < b else a * a) + t.wrap(a == b) + t.wrap(a >= b),
    ),
]

# Shifts, rotations, counts and fields by amounts of each line; the oracle goes by the binary digits of the numbers.
EXPRESSIONS += [
    (
        "(a << extract(b, 0, 7)) ^ (a >> extract(b, 3, 9)) ^ rotl(a, b) ^ rotr(b, a)",
        lambda t, a, b: t.shift(a, t.wrap(b % 128)) ^ t.shift(a, -t.wrap((b >> 3) % 512)) ^ t.rotate(a, b) ^ t.rotate(b, -a),
    ),
    (
        "popcount(a) + clz(a) - ctz(b) + (mask(-3) ^ mask_high(5))",
        lambda t, a, b: t.digits(a).count("1") + t.clz(a) - t.ctz(b) + (t.field(t.bits - 3, 3) ^ t.field(t.bits - 5, 5)),
    ),
    (
        "extract(a, b, 70) - insert(a, b, 5, popcount(b)) + insert(b, a, -3, 20)",
        lambda t, a, b: t.extract(a, b, 70)
        - t.insert(a, b, 5, t.wrap(t.digits(b).count("1")))
        + t.insert(b, a, -3, 20),
    ),
]

# The same on moduli, roots and coefficients; up to 4096 bits. No instance fails: moduli and degrees are odd or not 0.
NUMBER_THEORY = [
    (
        "addmod(a, b, b | 1) ^ submod(a, b, b | 1) ^ mulmod(a, b, a | 1)",
        lambda t, a, b: (a + b) % abs(b | 1) ^ (a - b) % abs(b | 1) ^ a * b % abs(a | 1),
    ),
    ("powmod(a, b & 255, b | 1)", lambda t, a, b: pow(a, b & 255, abs(b | 1))),
    (
        "div_wide(a & 255, b, b | 256) ^ rem_wide(a, b, b | 1)",
        lambda t, a, b: t.join(a & 255, b) // t.unsigned(b | 256) ^ t.join(a, b) % t.unsigned(b | 1),
    ),
    (
        "from_mont(a, b | 1) ^ to_mont(a, b | 1)",
        lambda t, a, b: t.unsigned(a) * t.over_radix(b | 1) % t.unsigned(b | 1) ^ t.join(a, 0) % t.unsigned(b | 1),
    ),
    (
        "mont_mul(a, b, a | 1) - mont_reduce(a, b, b | 1)",
        lambda t, a, b: t.unsigned(a) * t.unsigned(b) * t.over_radix(a | 1) % t.unsigned(a | 1)
        - t.join(a, b) * t.over_radix(b | 1) % t.unsigned(b | 1),
    ),
    ("modinv2k(a | 1) - b", lambda t, a, b: pow(a | 1, -1, 1 << t.bits) - b),
    ("xgcd_x(a, b) * a + xgcd_y(a, b) * b", lambda t, a, b: math.gcd(a, b)),
    ("isqrt_rem(sqr(a & 255) + (b & 15))", lambda t, a, b: rest_of_root((a & 255) ** 2 + (b & 15))),
    ("root(a & 65535, 3) + is_square(b & 65535)", lambda t, a, b: cube_root(a & 65535) + is_square(b & 65535)),
    ("jacobi(a, b | 1)", lambda t, a, b: jacobi(a, abs(b | 1))),
    ("is_prime(a & 65535) + is_prime(b & 65535)", lambda t, a, b: is_prime(a & 65535) + is_prime(b & 65535)),
]

# The same with results of twice the bits.
WIDE = [
    ("mul_wide(a, b)", lambda t, a, b: a * b),
    ("sqr_wide(a - b)", lambda t, a, b: t.wrap(a - b) ** 2),
]


# Operations of which some lines have no result, and those that go with them; (text, the same, the most bits it is asked for).
CHECKED = [
    ("a / b", lambda t, a, b: quotient(a, b), 1 << 15),
    ("a % b", lambda t, a, b: a - b * quotient(a, b), 1 << 15),
    ("div_euclid(a, b)", lambda t, a, b: (a - residue(a, b)) // b, 1 << 15),
    ("rem_euclid(a, b)", lambda t, a, b: residue(a, b), 1 << 15),
    ("div_floor(a, b)", lambda t, a, b: a // (b or fail("DIV0")), 1 << 15),
    ("rem_floor(a, b)", lambda t, a, b: a % (b or fail("DIV0")), 1 << 15),
    ("div_exact(a, b)", lambda t, a, b: exact(a, b), 1 << 15),
    ("divisible(a, b)", lambda t, a, b: int(a % b == 0 if b else a == 0), 1 << 15),
    ("gcd(a, b)", lambda t, a, b: math.gcd(a, b), 4097),
    ("lcm(a, b)", lambda t, a, b: math.lcm(a, b), 4097),
    ("modinv(a, b)", lambda t, a, b: inverse(a, b), 4097),
    ("modinv(a | 1, b & -2)", lambda t, a, b: inverse(a | 1, b & -2), 4097),
    ("powmod(a, b, b & -4)", lambda t, a, b: power(a, b, b & -4), 512),
    ("addmod(a, b, b)", lambda t, a, b: residue(a + b, b), 4097),
    ("mulmod(a, a, b)", lambda t, a, b: residue(a * a, b), 4097),
    ("div_wide(a, b, b)", lambda t, a, b: wide_quotient(t, a, b, b), 4097),
    ("rem_wide(a, b, b)", lambda t, a, b: residue(t.join(a, b), t.unsigned(b)), 4097),
    ("to_mont(a, b)", lambda t, a, b: t.join(a, 0) % odd(t.unsigned(b)), 4097),
    ("modinv2k(a)", lambda t, a, b: pow(odd(a), -1, 1 << t.bits), 4097),
    ("jacobi(a, b)", lambda t, a, b: jacobi(a, abs(odd(b))), 1000),
    ("isqrt(a)", lambda t, a, b: root(a, 2), 4097),
    ("root(a, b % 7)", lambda t, a, b: root(a, b - 7 * quotient(b, 7)), 1000),
    ("is_perfect_power(a)", lambda t, a, b: is_perfect_power(a), 131),
    ("is_strong_probable_prime(a, b)", lambda t, a, b: is_strong_probable_prime(a, b), 512),
    ("isqrt(b) + a / b", lambda t, a, b: root(b, 2) + quotient(a, b), 1000),
]
CHECKED_WIDTHS = [7, 8, 33, 64, 131, 512, 1000, 4097, 1 << 15]


# Bits of the types whose shifts and rotations go by amounts of any size.
AMOUNT_WIDTHS = [1, 8, 33, 64, 131, 1000]


def amounts(bits):
    """Amounts about the width and about where words end, and far beyond."""
    edges = [0, 1, 3, bits - 1, bits, bits + 1, 7 * bits + 3]
    edges += [(1 << k) + d for k in (31, 32, 63, 64, 65, 128, 200) for d in (-1, 0, 5)]
    return [sign * n for n in edges for sign in (1, -1)]


# Of an amount n: (text, the same).
BY_AMOUNT = [
    ("a << {n}", lambda t, a, n: t.shift(a, n)),
    ("a >> {n}", lambda t, a, n: t.shift(a, -n)),
    ("rotl(a, {n})", lambda t, a, n: t.rotate(a, n)),
    ("rotr(a, {n})", lambda t, a, n: t.rotate(a, -n)),
    ("shl(a, {n}) ^ shr(a, {n})", lambda t, a, n: t.shift(a, n) ^ t.shift(a, -n)),
    ("extract(a, {n}, 5)", lambda t, a, n: t.extract(a, n, 5)),
]


class Failed(Exception):
    """A line without result; its argument is the mark."""


class Type:
    def __init__(self, bits, signed):
        self.bits, self.signed = bits, signed

    def wrap(self, value):
        value = int(value) % (1 << self.bits)
        return value - (1 << self.bits) if self.signed and value >> (self.bits - 1) else value

    def unsigned(self, value):
        return value % (1 << self.bits)

    def join(self, high, low):
        return self.unsigned(high) << self.bits | self.unsigned(low)

    def over_radix(self, modulus):
        return pow(1 << self.bits, -1, self.unsigned(modulus))

    def digits(self, value):
        return f"{value % (1 << self.bits):0{self.bits}b}"

    def shift(self, value, n):
        # Beyond the width all bits are gone.
        n = max(-self.bits, min(self.bits, n))
        return value << n if n >= 0 else value >> -n

    def rotate(self, value, n):
        digits, n = self.digits(value), n % self.bits
        return self.wrap(int(digits[n:] + digits[:n], 2))

    def clz(self, value):
        return self.bits - len(self.digits(value).lstrip("0"))

    def ctz(self, value):
        return self.bits - len(self.digits(value).rstrip("0"))

    def field(self, start, length):
        start, end = (max(0, min(bit, self.bits)) for bit in (start, start + max(length, 0)))
        return (1 << end) - (1 << start)

    def extract(self, value, start, length):
        return self.shift(value, -start) % (1 << max(0, min(length, self.bits)))

    def insert(self, value, other, start, length):
        field = self.field(start, length)
        return value & ~field | self.shift(other, start) & field


def fail(mark):
    raise Failed(mark)


def quotient(a, b):
    """Rounded towards 0."""
    q = abs(a) // abs(b or fail("DIV0"))
    return q if (a < 0) == (b < 0) else -q


def residue(a, b):
    return a % abs(b or fail("DIV0"))


def exact(a, b):
    return quotient(a, b) if residue(a, b) == 0 else fail("INEXACT")


def inverse(a, m):
    m = abs(m or fail("DIV0"))
    return pow(a, -1, m) % m if math.gcd(a, m) == 1 else fail("NOINVERSE")


def power(a, e, m):
    return fail("NEGATIVE") if e < 0 else pow(a, e, abs(m or fail("DIV0")))


def odd(a):
    return a if a % 2 else fail("EVEN")


def wide_quotient(t, high, low, divisor):
    high, divisor = t.unsigned(high), t.unsigned(divisor) or fail("DIV0")
    return t.join(high, low) // divisor if high < divisor else fail("OVERFLOW")


def root(a, k):
    """Rounded down, also that of a negative number, which has odd ones only."""
    if k <= 0:
        fail("DEGREE")
    if a < 0:
        return -ceiling_root(-a, k) if k % 2 else fail("NEGATIVE")
    r = ceiling_root(a, k)
    return r if r**k == a else r - 1


def ceiling_root(a, k):
    """The smallest number of which the k-th power is not below `a`, bit by bit."""
    r = 0
    for bit in reversed(range(a.bit_length() // k + 1)):
        if (r + (1 << bit)) ** k < a:
            r += 1 << bit
    return r + (a > 0)


def is_perfect_power(a):
    ks = range(3, a.bit_length() + 1, 2) if a < 0 else range(2, a.bit_length() + 1)
    return int(abs(a) < 2 or any(ceiling_root(abs(a), k) ** k == abs(a) for k in ks))


def is_strong_probable_prime(n, base):
    if n <= 2 or n % 2 == 0:
        return int(n == 2)
    s = ((n - 1) & (1 - n)).bit_length() - 1
    powers = [pow(base, (n - 1) >> s, n)]
    for _ in range(s - 1):
        powers.append(powers[-1] ** 2 % n)
    return int(base % n == 0 or powers[0] == 1 or n - 1 in powers)


def jacobi(a, n):
    """The symbol by factors of two and reciprocity."""
    a, symbol = a % n, 1
    while a:
        while a % 2 == 0:
            a //= 2
            symbol *= -1 if n % 8 in (3, 5) else 1
        symbol *= -1 if a % 4 == n % 4 == 3 else 1
        a, n = n % a, a
    return symbol if n == 1 else 0


def rest_of_root(a):
    return a - math.isqrt(a) ** 2


def is_square(a):
    return int(rest_of_root(a) == 0)


def cube_root(a):
    return max(r for r in range(42) if r**3 <= a)


def is_prime(n):
    return int(n > 1 and all(n % d for d in range(2, math.isqrt(n) + 1)))


def operands(rng, t, count):
    n = t.bits
    edges = [0, 1, -1, 1 << (n - 1), (1 << (n - 1)) - 1, (1 << n) - 2, 1 << (n // 2), (1 << (n // 2)) - 1]
    values = edges + [rng.getrandbits(n) for _ in range(count)]
    pairs = [(rng.choice(values), rng.choice(values)) for _ in range(count)]
    pairs += [(v, ~v + d) for v in values[-2 if n <= 20_000 else -1 :] for d in (0, 1, 2)]
    return [(t.wrap(a), t.wrap(b)) for a, b in pairs]


def checked_operands(rng, t, count):
    pairs = operands(rng, t, count)[: 2 * count]
    for _ in range(count):
        b, q, r = (rng.getrandbits(rng.randint(1, max(1, t.bits // 2 - 1))) * rng.choice((1, -1)) for _ in range(3))
        # Multiples, numbers with a common divisor, numbers of any length, powers, small ones.
        pairs += [(b * q, b), (b * q, b * r), (b, q), (rng.randrange(9) ** rng.randrange(2, 6), q)]
        pairs += [(rng.randint(-9, 9), rng.randint(-9, 9))]
    return [(t.wrap(a), t.wrap(b)) for a, b in pairs]


def encode(t, values, style):
    """The numbers, and what are marks already."""
    if style == "bin":
        return b"".join(v.to_bytes((t.bits + 7) // 8, "little", signed=t.signed) for v in values)
    text = {"dec": str, "hex": lambda v: f"{v:x}"}[style]
    return "".join((v if isinstance(v, str) else text(v)) + "\n" for v in values).encode()


def run(program, folder, t, limb, style, text, pairs, options=()):
    command = [program, "eval", text, "--bits", str(t.bits), "--limb", limb, "--format", style, *options]
    command += ["--signed"] * t.signed
    for name, column in (("a", 0), ("b", 1)):
        (folder / name).write_bytes(encode(t, [pair[column] for pair in pairs], style))
        command += ["--in", f"{name}={name}"] * bool(re.search(rf"\b{name}\b", text))
    return " ".join(command), subprocess.run(command, cwd=folder, capture_output=True)


def check_marks(program, folder, rng, t, limb, style, expression):
    """The marks of the lines without result."""
    text, function, _ = expression
    pairs = checked_operands(rng, t, 4 if t.bits > 1000 else 12)

    def line(a, b):
        try:
            return t.wrap(function(t, a, b))
        except Failed as failed:
            return f"!{failed}"

    lines = [line(a, b) for a, b in pairs]
    marked = [number for number, result in enumerate(lines, 1) if isinstance(result, str)]
    report = ""
    if marked:
        report = rf"instances without result marked: {len(marked)}; the first is ([ab]:|line ){marked[0]}: .+\n"
    command, found = run(program, folder, t, limb, style, text, pairs, ["--on-error", "mark"])
    expected = encode(t, lines, style)
    if found.returncode != 0 or found.stdout != expected or not re.fullmatch(report, found.stderr.decode()):
        raise Differs(f"{command}: differs from Python's integers\n{found.stderr.decode()}")
    return {result for result in lines if isinstance(result, str)}


def check(program, folder, rng, t, limb, style, expression):
    text, function = expression
    result = Type(2 * t.bits, t.signed) if expression in WIDE else t
    pairs = operands(rng, t, 2 if t.bits > 20_000 else 8 if t.bits > 2_000 else 20)
    command, found = run(program, folder, t, limb, style, text, pairs)
    if bits_are_too_few(t, found):
        return
    # Every operation wraps, so intermediate values may be wrapped at the end only where no comparison, shift or high
    # product of an intermediate value is taken: the expressions above take them of a and b alone.
    expected = encode(result, [result.wrap(function(t, a, b)) for a, b in pairs], style)
    if found.returncode != 0 or found.stdout != expected:
        raise Differs(f"{command}: differs from Python's integers\n{found.stderr.decode()}")


def check_amounts(program, bits):
    """Amounts that are written, decimal and hexadecimal, and amounts of each line; the number of runs."""
    rng, runs = random.Random(bits), 0
    with tempfile.TemporaryDirectory() as folder:
        for signed, limb in zip((False, True), rng.sample(LIMBS, 2)):
            t = Type(bits, signed)
            numbers = [t.wrap(rng.getrandbits(bits)) for _ in range(6)] + [t.wrap(-1), t.wrap(1 << (bits - 1))]
            for n in amounts(bits):
                text, function = BY_AMOUNT[runs % len(BY_AMOUNT)]
                written = f"{n}" if runs % 2 else f"{'-' * (n < 0)}0x{abs(n):x}"
                expression = (text.format(n=written), lambda t, a, b: function(t, a, n))
                compare(program, Path(folder), t, limb, expression, [(a, 0) for a in numbers])
                runs += 1
            # Only a number of the type can be an amount of a line.
            fitting = sorted({n for n in amounts(bits) + [(1 << bits) - 1, -(1 << (bits - 1))] if t.wrap(n) == n})
            for text, function in BY_AMOUNT:
                pairs = [(rng.choice(numbers), n) for n in fitting]
                compare(program, Path(folder), t, limb, (text.format(n="b"), function), pairs)
                runs += 1
    return runs


def compare(program, folder, t, limb, expression, pairs):
    text, function = expression
    command, found = run(program, folder, t, limb, "dec", text, pairs)
    expected = encode(t, [t.wrap(function(t, a, b)) for a, b in pairs], "dec")
    if bits_are_too_few(t, found):
        return
    if found.returncode != 0 or found.stdout != expected:
        raise Differs(f"{command}: differs from Python's integers\n{found.stderr.decode()}")


def bits_are_too_few(t, found):
    """Whether a type of one or two bits has no room for a literal that is no amount."""
    return t.bits < 3 and b"literal" in found.stderr


def check_files(program, check):
    """A check of the command line in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        check(program, Path(folder))
    return 1


def check_width(program, bits, signed, limb):
    """Every expression with one type and limb; the number of runs."""
    rng, t, runs = random.Random(f"{bits} {signed} {limb}"), Type(bits, signed), 0
    with tempfile.TemporaryDirectory() as folder:
        for i, expression in enumerate(EXPRESSIONS + WIDE + (NUMBER_THEORY if 33 <= bits <= 4096 else [])):
            # Above 20000 bits every expression meets every limb, and formats take turns; of numbers there are as many
            # expressions that they do so at every width. Decimal text takes time quadratic in the width, in both programs.
            turn = LIMBS.index(limb) + i + signed
            if bits > 20_000:
                styles = ["hex", "bin"][turn % 2 :][:1] + ["dec"] * ((limb, i, signed) == ("u64", 0, True))
            elif expression in NUMBER_THEORY:
                styles = [["hex", "bin", "dec"][turn % 3]]
            else:
                styles = ["hex", "bin", "dec"]
            for style in styles:
                check(program, Path(folder), rng, t, limb, style, expression)
                runs += 1
    return runs


def check_width_marks(program, bits):
    """Every operation that may fail at a width, signed and not; the marks that there were, and the number of runs."""
    # Limbs and formats take turns; binary records have no room for marks.
    rng, marks = random.Random(bits), set()
    turns = [turn for turn in itertools.product(CHECKED, (False, True)) if bits <= turn[0][2]]
    with tempfile.TemporaryDirectory() as folder:
        for turn, (expression, signed) in enumerate(turns, bits):
            limb, style, t = LIMBS[turn % 3], ["hex", "dec"][turn // 2 % 2], Type(bits, signed)
            marks |= check_marks(program, Path(folder), rng, t, limb, style, expression)
    return marks, len(turns)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    program = str(Path(sys.argv[1]).resolve())
    # A thread waits for the program most of its time, but what is left is Python's: processes, the widest first.
    with concurrent.futures.ProcessPoolExecutor() as pool:
        turns = itertools.product(sorted(WIDTHS, reverse=True), (False, True), LIMBS)
        widths = [pool.submit(check_width, program, *turn) for turn in turns]
        marked = [pool.submit(check_width_marks, program, bits) for bits in reversed(CHECKED_WIDTHS)]
        others = [pool.submit(check_amounts, program, bits) for bits in AMOUNT_WIDTHS]
        others += [pool.submit(check_files, program, check) for check in eval_files.CHECKS]
        try:
            runs = sum(run.result() for run in widths + others)
            results = [width.result() for width in marked]
        except Differs as differs:
            pool.shutdown(cancel_futures=True)
            sys.exit(str(differs))
    different = {"!DIV0", "!INEXACT", "!OVERFLOW", "!NEGATIVE", "!NOINVERSE", "!EVEN", "!DEGREE"}.symmetric_difference(
        set().union(*(marks for marks, _ in results))
    )
    if different:
        sys.exit(f"marks that no line has, or that are none: {different}")
    try:
        check_files(program, eval_files.check_cost_of_failures)
    except Differs as differs:
        sys.exit(str(differs))
    if not eval_files.ZSTD:
        print("skipped: zstd files, as there is no program zstd")
    print(f"{runs + 1 + sum(count for _, count in results)} passed, 0 failed")


if __name__ == "__main__":
    main()
