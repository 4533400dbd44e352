"""Collects what several.sh has measured: JSON lines with date, commit and device, as benches/results keeps them.

    lines.py RESULTS COMMIT

Writes RESULTS/reach-gpus.jsonl, RESULTS/ecdlp-gpus.jsonl and RESULTS/ray-gpus.jsonl. A walk that has found
other distinguished points than the same walk on one GPU is an error.
"""

import datetime
import json
import pathlib
import re
import subprocess
import sys


def devices():
    """The GPUs of this machine, as `4 x NVIDIA H200`."""
    found = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, check=True).stdout
    names = [line.split(": ")[1].split(" (")[0] for line in found.splitlines()]
    return f"{len(names)} x {names[0]}", len(names)


def lines(path):
    """The lines of JSON that a step has printed, also of one that was ended."""
    found = []
    for line in path.read_text().splitlines():
        try:
            found.append(json.loads(line))
        except ValueError:
            continue
    return found


def number(path):
    """The N of a step `..._N`."""
    return int(re.search(r"(\d+)\.log$", path.name)[1])


def walks(results):
    """Walks by the number of GPUs: rates beside that of one, and whether the points are the same."""
    rates = {number(path): line for path in results.glob("ecdlp_rate_*.log") for line in lines(path)}
    same = {number(path): line for path in results.glob("ecdlp_same_*.log") for line in lines(path)}
    for gpus, rate in sorted(rates.items()):
        line = {"gpus": gpus, **rate}
        if 1 in rates:
            line["times_as_fast"] = round(rate["steps_per_second"] / rates[1]["steps_per_second"], 4)
        if gpus in same and 1 in same:
            line["same_points"] = same[gpus]["points"]
            line["is_same"] = same[gpus]["hash"] == same[1]["hash"] and same[gpus]["points"] > 0
        yield line


def main(results, commit):
    results = pathlib.Path(results)
    device, all_gpus = devices()
    date = datetime.datetime.now(datetime.timezone.utc).date().isoformat()

    def write(name, found):
        with open(results / name, "w") as file:
            for line in found:
                gpus = line["gpus"]
                here = device if gpus == all_gpus else f"{gpus} of {device}"
                print(json.dumps({"date": date, "commit": commit, **line, "device": here}), file=file)

    write("reach-gpus.jsonl", [line for path in results.glob("reach_gpus.log") for line in lines(path)])
    ray = sorted(results.glob("ray_gpus_*.log"), key=number)
    write("ray-gpus.jsonl", [line for path in ray for line in lines(path)])
    of_walks = list(walks(results))
    write("ecdlp-gpus.jsonl", of_walks)
    other = [line["gpus"] for line in of_walks if not line.get("is_same", True)]
    if other:
        sys.exit(f"error: other distinguished points on {other} GPUs than on one")


if __name__ == "__main__":
    main(*sys.argv[1:])
