"""The tables and the plot of "Several GPUs" in docs/performance.md, from what benches/results/h200 keeps.

    python3 benches/gpu/chart.py [--check]

Writes the tables between their marks in docs/performance.md, and docs/several-gpus.svg. With --check it
changes nothing, and fails if one of them is not what it would write.
"""

import json
import math
import pathlib
import sys
import xml.etree.ElementTree as xml

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = ROOT / "benches/results/h200"
PAGE, PLOT = ROOT / "docs/performance.md", ROOT / "docs/several-gpus.svg"
MARKS = "<!-- several GPUs -->\n", "<!-- end of several GPUs -->\n"
HOST_MARKS = "<!-- host of several GPUs -->\n", "<!-- end of host of several GPUs -->\n"
WORKS = {
    "powers": "powers of 2048 bits",
    "divisions": "quotients of 2^18 bits by half",
    "products": "products of 8192 bits",
    "additions": "sums of 8192 bits",
}
MEMORIES = ["ordinary", "pinned", "resident"]
# Lines of the plot, by the names of the table's rows.
DRAWN = {
    "powers of 2048 bits, resident": "#1b6ca8",
    "ECM, stage 1": "#c0392b",
    "discrete logarithms with their store": "#7d3c98",
    "quotients of 2^18 bits by half, resident": "#d68910",
    "products of 8192 bits, pinned": "#1e8449",
    "copies alone, pinned": "#7f8c8d",
    "products of 8192 bits, ordinary": "#566573",
}
# Bytes of the operands and the result of a work of 2^32 bits each, and how often the host moves each of them
# in ordinary memory: it is read, written to or from pinned memory, and copied by the GPU.
BYTES, ORDINARY = 3 * 2**29, 3
WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 760, 460, 60, 20, 300, 50


def lines(name):
    path = RESULTS / name
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def last(found):
    """The last line of each number of GPUs."""
    return {line["gpus"]: line for line in found}


def rows():
    """Name, goal for each GPU, and for each number of GPUs (times as fast, note)."""
    found = {}

    def put(name, goal, gpus, times, note=""):
        found.setdefault(name, (goal, {}))[1][gpus] = (times, note)

    def milliseconds(times, one, all_gpus):
        short = [f"{time:.0f}" if time >= 100 else f"{time:.3g}" for time in (times[one], times[all_gpus])]
        return " -> ".join(short) + " ms"

    reach = last(line for line in lines("reach-gpus.jsonl") if "curves" in line)
    for work, what in WORKS.items():
        for memory in MEMORIES:
            for gpus, line in reach.items():
                measured = line["works"][work]
                note = milliseconds(measured["milliseconds"], f"{memory}, one", f"{memory}, all")
                goal = measured["goal"] / gpus if memory != "ordinary" else None
                put(f"{what}, {memory}", goal, gpus, measured["times_as_fast"][memory], note)
    for gpus, line in reach.items():
        put("copies alone, pinned", None, gpus, line["links"]["times_as_fast"],
            milliseconds(line["links"]["milliseconds"], "one", "all"))
    for gpus, line in reach.items():
        # Of several batches the largest one.
        curves = line["curves"].get("waves", [line["curves"]])[-1]
        put("ECM, stage 1", 0.97, gpus, curves["times_as_fast"],
            milliseconds(curves["milliseconds"], "one", "all"))
    for gpus, line in last(lines("ecdlp-gpus.jsonl")).items():
        if gpus > 1:
            note = f"{line['steps_per_second'] / 1e9:.3g} G steps/s"
            put("discrete logarithms with their store", 0.97, gpus, line["times_as_fast"], note)
    for gpus, line in last(lines("ray-gpus.jsonl")).items():
        note = f"{line['one_s']:.3g} -> {line['ray_s']:.3g} s"
        put("Ray, an actor a GPU, beside one process", None, gpus, line["one_s"] / line["ray_s"], note)
    return found


def table(found):
    counts = sorted({gpus for _, cells in found.values() for gpus in cells})
    text = ["| work | goal a GPU | " + " | ".join(f"{gpus} GPUs" for gpus in counts) + " |",
            "| --- | --- |" + " --- |" * len(counts)]
    for name, (goal, cells) in found.items():
        row = [name, f"{goal:.2f}" if goal else ""]
        for gpus in counts:
            times, note = cells.get(gpus, (None, ""))
            row.append(f"{times:.2f} ({note})" if times else "")
        text.append("| " + " | ".join(row) + " |")
    return "\n".join(text) + "\n"


def host():
    """What streamed work moves in the memory of the host, beside what copies by all its threads move."""
    heads = ["GPUs", "all threads copy", "products, ordinary", "products, pinned", "sums, ordinary",
             "copies alone, pinned"]
    text = ["| " + " | ".join(heads) + " |", "| --- |" + " --- |" * (len(heads) - 1)]
    for gpus, line in sorted(last(line for line in lines("reach-gpus.jsonl") if "host" in line).items()):
        times = {work: line["works"][work]["milliseconds"] for work in ("products", "additions")}
        rates = [
            ORDINARY * BYTES / times["products"]["ordinary, all"],
            BYTES / times["products"]["pinned, all"],
            ORDINARY * BYTES / times["additions"]["ordinary, all"],
            BYTES / line["links"]["milliseconds"]["all"],
        ]
        cells = [f"{line['host']['gigabytes_per_second']:.0f}", *(f"{rate / 1e6:.0f}" for rate in rates)]
        text.append(f"| {gpus} | " + " | ".join(cells) + " |")
    return "\n".join(text) + "\n"


def spread(wanted, gap):
    """Heights near the wanted ones, with gaps between them, in the order of names."""
    placed, low = {}, math.inf
    for name, y in sorted(wanted.items(), key=lambda item: -item[1]):
        low = min(y, low - gap)
        placed[name] = low
    # What has gone above the top goes down together.
    above = TOP + gap / 2 - min(placed.values(), default=TOP + gap)
    return {name: y + max(0, above) for name, y in placed.items()}


def plot(found):
    most = max(gpus for _, cells in found.values() for gpus in cells)
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
    x = lambda gpus: LEFT + math.log2(gpus) / math.log2(most) * (right - LEFT)
    y = lambda times: bottom - math.log2(times) / math.log2(most) * (bottom - TOP)
    svg = xml.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {WIDTH} {HEIGHT}",
                              "font-family": "sans-serif", "font-size": "13"})

    def add(tag, text=None, **attributes):
        names = {key.replace("_", "-"): value if isinstance(value, str) else f"{value:.1f}"
                 for key, value in attributes.items()}
        xml.SubElement(svg, tag, names).text = text

    add("rect", width=WIDTH, height=HEIGHT, fill="white")
    ticks = [2**i for i in range(int(math.log2(most)) + 1)]
    for tick in ticks:
        add("line", x1=LEFT, x2=right, y1=y(tick), y2=y(tick), stroke="#dddddd")
        add("text", str(tick), x=LEFT - 10, y=y(tick) + 4, text_anchor="end")
        add("line", x1=x(tick), x2=x(tick), y1=TOP, y2=bottom, stroke="#dddddd")
        add("text", str(tick), x=x(tick), y=bottom + 20, text_anchor="middle")
    add("text", "GPUs of one host", x=(LEFT + right) / 2, y=HEIGHT - 10, text_anchor="middle")
    middle = (TOP + bottom) / 2
    add("text", "times as fast as one", x=16, y=middle, text_anchor="middle",
        transform=f"rotate(-90 16 {middle:.1f})")
    add("line", x1=x(1), y1=y(1), x2=x(most), y2=y(most), stroke="#999999", stroke_dasharray="5 5")
    ends = {}
    for name in DRAWN:
        cells = found.get(name, (None, {}))[1]
        if cells:
            ends[name] = y(cells[max(cells)][0])
    labels = spread(ends, 20)
    for name, color in DRAWN.items():
        if name not in ends:
            continue
        cells = {1: (1.0, ""), **found[name][1]}
        points = " ".join(f"{x(gpus):.1f},{y(times):.1f}" for gpus, (times, _) in sorted(cells.items()))
        add("polyline", points=points, fill="none", stroke=color, stroke_width="2")
        for gpus, (times, _) in sorted(cells.items()):
            add("circle", cx=x(gpus), cy=y(times), r="3", fill=color)
        add("line", x1=x(max(cells)) + 5, y1=ends[name], x2=right + 24, y2=labels[name], stroke=color,
            stroke_width="0.5")
        add("text", f"{name}: {cells[max(cells)][0]:.2f}", x=right + 28, y=labels[name] + 4, fill=color)
    xml.indent(svg)
    return xml.tostring(svg, encoding="unicode") + "\n"


def main(check):
    found, page = rows(), PAGE.read_text()
    for (start, end), text in [(MARKS, table(found)), (HOST_MARKS, host())]:
        before, rest = page.split(start)
        page = before + start + text + end + rest.split(end)[1]
    written = {PAGE: page, PLOT: plot(found)}
    for path, text in written.items():
        if check and (not path.exists() or path.read_text() != text):
            name = path.relative_to(ROOT)
            sys.exit(f"error: {name} is not what the results give: python3 benches/gpu/chart.py")
        if not check:
            path.write_text(text)


if __name__ == "__main__":
    main("--check" in sys.argv[1:])
