#!/usr/bin/env bash
# What is measured and tested on one GPU, in about eleven minutes: see bundle.sh.
set -uo pipefail
source "$(dirname "$0")/step.sh" "$@"
nvidia-smi -L

# Measurements, one after the other.
step reach 40 ./reach 8192 2048 65536
step reach_several 40 ./reach several 2048 8192
step reach_powers 60 ./reach powers 1024 2048
step files 90 ./files ./limbforge /dev/shm/limbforge-files
step born 30 ./born 32 131 1024 8192
step programs 170 ./limbforge-lab bench programs --json
step start 200 ./start ./limbforge /tmp/limbforge-start 2048 lcm divisible mulmod is_prime powmod addmod submod div rem_euclid
step start_programs 120 ./start ./limbforge /tmp/limbforge-start-programs 512 programs
step powmod 60 ./limbforge-lab bench powmod --bits 9..13,576,640,768 --limb u64 --repeats 3 --json
step powmod_rns 90 ./limbforge-lab bench powmod --product rns --bits 9..13,3072 --limb u64 --repeats 3 --json
step primality 60 ./limbforge-lab bench primality --bits 9..12,640,768 --limb u64 --json
step modular 60 ./limbforge-lab bench modular --bits 9..15,640,768 --limb u32 --repeats 5 --json
if [ -d python ]; then
  python3 -m pip install --quiet --no-deps --no-index --target python/site python/limbforge-*.whl
  export PYTHONPATH=$PWD/python/site
  step python_bench 60 python3 python/python/bench.py --engine cuda:0 --seconds 30
fi

# Tests, side by side.
[ ! -d python ] || step python 300 python/python/tests/gpu.sh -q &
for test in test_*; do
  [ "$test" = test_gpus ] || step "$test" 200 "./$test" &
done
step selftest 560 ./limbforge selftest &
wait
step memcheck 150 compute-sanitizer --tool memcheck ./test_resident &
step memcheck_programs 150 compute-sanitizer --tool memcheck ./limbforge selftest --small --random 0 --filter programs &
step racecheck_programs 150 compute-sanitizer --tool racecheck ./limbforge selftest --small --random 0 --threads 1 --filter programs &
wait
