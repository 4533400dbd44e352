#!/usr/bin/env bash
# What is measured and tested on several GPUs: see bundle.sh.
set -uo pipefail
source "$(dirname "$0")/step.sh" "$@"
nvidia-smi -L
nvidia-smi topo -m
gpus=$(nvidia-smi -L | wc -l)
step test_gpus 60 ./test_gpus
for count in 2 4 8; do
  [ "$count" -gt "$gpus" ] || step "reach_gpus_$count" 120 ./reach gpus "$count"
done
