#!/usr/bin/env bash
# Runs the arithmetic under Miri and under AddressSanitizer, with a nightly toolchain of rustup.
#     tests/memory.sh [miri|address]
# Takes 25 minutes of a core for Miri, and about 10 for AddressSanitizer.
# Miri runs the portable code: nothing undefined, whatever the processor. AddressSanitizer runs vectors and assembly on all
# paths of this processor, with operands in allocations of their size. What it does not see, the reads and writes of assembly,
# ends the program at closed pages (`limbforge_testing::guarded`), with and without this script.
set -euo pipefail
cd "$(dirname "$0")/.."
which=${1:-all}
toolchain=${LIMBFORGE_NIGHTLY:-nightly}
case $which in all | miri | address) ;; *) echo "usage: $0 [miri|address]" >&2; exit 2 ;; esac

has() { rustup component list --toolchain "$toolchain" --installed | grep "^$1" >/dev/null; }
has rust-src && has miri || rustup toolchain install "$toolchain" --profile minimal --component miri,rust-src

# The tests of a package under Miri.
miri() { cargo "+$toolchain" miri test --locked "$@"; }

if [ "$which" != address ]; then
  # Miri takes hundreds of times as long: few random cases. Environment and files are those of the machine.
  export MIRIFLAGS='-Zmiri-disable-isolation' PROPTEST_CASES=2 LIMBFORGE_VECTORS=portable
  miri -p limbforge-testing --test paths -- words::side_by_side words::squares slices_of_words::dispatched \
    slices_of_words::short slices_of_words::divisions slices_of_words::ring --skip every_path
  miri -p limbforge-limb --test all -- memory:: parts:: batch:: slice::
fi

if [ "$which" != miri ]; then
  host=$(rustc "+$toolchain" -vV | sed -n 's/^host: //p')
  export RUSTFLAGS='-Zsanitizer=address' CARGO_TARGET_DIR=target/address PROPTEST_CASES=32
  unset LIMBFORGE_VECTORS
  address() { cargo "+$toolchain" test --locked --target "$host" "$@"; }
  address -p limbforge-limb --lib --test all
  address -p limbforge-algos --lib -- vector mul_ntt
  address -p limbforge-algos --test all -- vectors mul_ntt gcd montgomery --skip all_paths
  address -p limbforge-testing --test guarded --test paths
fi
