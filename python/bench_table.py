"""Writes the tables of a page between `<!-- table: FILE -->` and `<!-- end -->` from the results of bench.py.

python bench_table.py PAGE [--check]
"""

import argparse
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def short(nanoseconds):
    """Three digits in ns, µs or ms."""
    units = ["ns", "µs", "ms"]
    while nanoseconds >= 999.5 and len(units) > 1:
        nanoseconds, units = nanoseconds / 1000, units[1:]
    return f"{nanoseconds:#.3g}".rstrip(".") + f" {units[0]}"


def table(found):
    """Times for each instance, and how many times as fast as the loop: of a thread, and of several or a GPU."""
    device = f"{found['threads']} threads" if found["device"] == "CPU" else found["device"]
    heads = ["gmpy2 loop", "NumPy objects", "limbforge, one thread", f"limbforge, {device}"]
    own = ["one_thread_ns", "ns"]
    lines = [heads, ["---"] * len(heads)]
    for row in found["rows"]:
        if "gmpy2_ns" in row:
            loop = row["gmpy2_ns"]
            times = [f"{short(row[name])}, {loop / row[name]:.2f}x" for name in own]
            lines.append([short(loop), short(row["numpy_ns"]), *times])
    names = ["", "---", *(row["operation"] for row in found["rows"] if "gmpy2_ns" in row)]
    return "".join(
        f"| {' | '.join([name, *line])} |\n".replace("|  |", "| |") for name, line in zip(names, lines)
    )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("page", type=Path, help="such as docs/python.md")
    parser.add_argument("--check", action="store_true", help="an error if the page would change")
    args = parser.parse_args()
    text = args.page.read_text()

    def filled(match):
        return f"{match[1]}{table(json.loads((ROOT / match[2]).read_text()))}<!-- end -->"

    new, count = re.subn(r"(<!-- table: (\S+) -->\n).*?<!-- end -->", filled, text, flags=re.DOTALL)
    if args.check:
        sys.exit(0 if count and new == text else f"error: make it anew: bench_table.py {args.page}")
    args.page.write_text(new)
    print(f"{count} tables")


if __name__ == "__main__":
    main()
