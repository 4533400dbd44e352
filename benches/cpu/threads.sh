#!/usr/bin/env bash
# Builds the program that measures all threads, for hosts without Rust: one file that needs no library.
#     benches/cpu/threads.sh FILE
#     ssh HOST 'cat > threads && chmod +x threads && ./threads' < FILE
set -euo pipefail
[ $# = 1 ] || { echo "usage: $0 FILE" >&2; exit 2; }
host=$(rustc -vV | sed -n 's/^host: //p')
target=$(cd "$(dirname "$0")/../.." && cargo metadata --format-version 1 --no-deps --locked |
  sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
(
  cd "$(dirname "$0")/../.."
  # With a target named, the flag is not one of procedural macros.
  RUSTFLAGS="${RUSTFLAGS:-} -C target-feature=+crt-static" \
    cargo build --release --locked -p limbforge-algos --example threads --target "$host"
)
cp "$target/$host/release/examples/threads" "$1"
