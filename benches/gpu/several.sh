#!/usr/bin/env bash
# What is measured and tested on several GPUs, in about eight minutes on eight: see bundle.sh.
#
# Each measurement is made on 1, 2, 4 and 8 GPUs, as many as there are. RESULTS/*-gpus.jsonl have the lines
# that benches/results keeps. Measurements of Ray need Python with limbforge and Ray: in the bundle's folder
# python, or where python3 finds them.
set -uo pipefail
source "$(dirname "$0")/step.sh" "$@"
nvidia-smi -L
nvidia-smi topo -m
gpus=$(nvidia-smi -L | wc -l)
counts=()
for count in 2 4 8; do [ "$count" -gt "$gpus" ] || counts+=("$count"); done
# The first GPUs.
first() { seq -s , 0 $(($1 - 1)); }

step test_gpus 60 ./test_gpus
[ ${#counts[@]} = 0 ] || step reach_gpus 270 ./reach gpus "${counts[@]}"

# Walks of discrete logarithms with their store. The same walks on every number of GPUs have the same points;
# rates are those of as many walks on each GPU, with points as rare as the store keeps up with on eight.
stores=$(mktemp -d)
for count in 1 "${counts[@]}"; do
  walk() {
    local name=$1
    shift
    CUDA_VISIBLE_DEVICES=$(first "$count") step "ecdlp_${name}_$count" 60 \
      ./ecdlp bench eccp79.json --backend gpu --store "$stores/$name-$count" --points 32 "$@"
    rm -rf "$stores/$name-$count"*
  }
  walk same --instances 65536 --rounds 40 --segments 2
  walk rate --instances $((65536 * count)) --rounds 683 --segments 2 --distinguished 20
done

# A local cluster of Ray with an actor a GPU, beside one process with all of them.
if compgen -G 'python/limbforge-*.whl' >/dev/null; then
  python3 -m pip install --quiet --no-deps --no-index --target python/site python/limbforge-*.whl
  export PYTHONPATH=$PWD/python/site${PYTHONPATH:+:$PYTHONPATH}
fi
if python3 -c 'import limbforge, pyarrow, ray' 2>/dev/null; then
  for count in "${counts[@]}"; do
    step "ray_gpus_$count" 100 python3 ray_overhead.py --gpus "$count" --cpus 32 --rounds 3 --rows 2000000 \
      --block 67108864 --expr 'powmod(a, b, a | 1)'
  done
else
  echo "no measurements of Ray: python3 finds no limbforge, pyarrow or ray"
fi
python3 lines.py "$results" "$(cat commit)"
