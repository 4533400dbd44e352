# Sourced by one.sh and several.sh: `step NAME SECONDS COMMAND ...`.
results=${1:?expected a folder for results}
shift
only=" $* "
mkdir -p "$results"
results=$(cd "$results" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")"
export LIMBFORGE_REQUIRE_GPU=1 LIMBFORGE_REQUIRE_NVRTC=1 RUST_BACKTRACE=1
# Caches of kernels and measurements of this run alone.
LIMBFORGE_CACHE=$(mktemp -d)
export LIMBFORGE_CACHE

step() {
  local name=$1 limit=$2 start status=0
  shift 2
  [ "$only" = "  " ] || [[ "$only" = *" $name "* ]] || return 0
  start=$(date +%s%N)
  timeout -k 5 "$limit" "$@" >"$results/$name.log" 2>"$results/$name.err" || status=$?
  echo "$SECONDS s: $name, status $status, $((($(date +%s%N) - start) / 1000000)) ms"
  [ "$status" = 0 ] || tail -n 12 "$results/$name.err" "$results/$name.log"
}
