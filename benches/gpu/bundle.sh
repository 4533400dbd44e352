#!/usr/bin/env bash
# Builds what is measured and tested on GPUs, and puts it in a new folder that goes to a machine without Rust:
#
#     benches/gpu/bundle.sh FOLDER
#     FOLDER/one.sh RESULTS        # there, on one GPU
#     FOLDER/several.sh RESULTS    # there, on two or more
#
# `one.sh` measures alone, then tests side by side; `several.sh` does what needs several GPUs. Each step has a time limit,
# and a line with its exit status and its milliseconds; what it prints goes to RESULTS/STEP.log. Names of steps after RESULTS
# are the only ones that run. With a wheel of the Python package (`WHEEL=FILE`, made by python/wheels.py) its tests and its
# benchmark are steps, too; with Ray where that Python finds it, `several.sh` measures a local cluster.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=${1:?expected a new folder}
mkdir "$folder"
folder=$(cd "$folder" && pwd)

# Tests of what this machine lacks are compiled to run, and to fail where it is missing.
export LIMBFORGE_REQUIRE_GPU=1 LIMBFORGE_REQUIRE_GPUS=1
cargo build --release --locked -p limbforge-cli -p limbforge-lab -p limbforge-benches -p limbforge-ecdlp --bins
tests=(block born foreign gpus little_memory pinned poly powers prepare programs_on_gpu resident residues several transform)
options=()
for test in "${tests[@]}"; do options+=(--test "$test"); done
built() {
  cargo test --release --locked --no-run --message-format json "$@" |
    python3 -c '
import json, sys
for line in sys.stdin:
    line = json.loads(line)
    if line.get("executable") and line["profile"]["test"]:
        print(line["target"]["name"], line["executable"])'
}
{ built -p limbforge "${options[@]}"; built -p limbforge-gpu --test gpu; } |
  while read -r name executable; do cp "$executable" "$folder/test_$name"; done
target=${CARGO_TARGET_DIR:-target}/release
programs=(limbforge limbforge-lab born files reach start ecdlp)
for program in "${programs[@]}"; do cp "$target/$program" "$folder"; done
cp benches/gpu/{step,one,several}.sh benches/gpu/lines.py examples/ecdlp/curves/*.json \
  examples/python/clusters/ray_overhead.py "$folder"
git rev-parse --short=8 HEAD >"$folder/commit"
if [ -n "${WHEEL:-}" ]; then
  mkdir "$folder/python"
  cp "$WHEEL" "$folder/python"
  git archive HEAD README.md docs examples python | tar x -C "$folder/python"
fi
strip "$folder"/test_*
for program in "${programs[@]}"; do strip "$folder/$program"; done
du -sh "$folder"
