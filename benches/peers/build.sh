#!/usr/bin/env bash
# Builds GMP and FLINT in FOLDER: what the program `peers` is linked with. Sources are those that the crates
# gmp-mpfr-sys and flint3-sys carry. Takes about ten minutes of a core.
#     benches/peers/build.sh FOLDER [GMP-CPU FLINT-CPU]
# Both are built for this processor, or for the one of these names in their `config.guess`; FLINT-CPU is GCC's name, too.
# For Sapphire Rapids: alderlake sapphirerapids.
set -euo pipefail
[ $# = 1 ] || [ $# = 3 ] || { echo "usage: $0 FOLDER [GMP-CPU FLINT-CPU]" >&2; exit 2; }
gmp_cpu=${2:+--build=$2-pc-linux-gnu} flint_cpu=${3:+--build=$3-pc-linux-gnu} march=${3:-native}
for tool in cc make m4 autoreconf libtoolize; do
  command -v "$tool" >/dev/null || {
    echo "$tool is missing: apt-get install gcc make m4 autoconf automake libtool libmpfr-dev" >&2
    exit 1
  }
done
mkdir -p "$1"
folder=$(cd "$1" && pwd)
sources=$(mktemp -d)
trap 'rm -rf "$sources"' EXIT

mkdir "$sources/src"
touch "$sources/src/lib.rs"
cat > "$sources/Cargo.toml" <<'TOML'
[package]
name = "sources"
edition = "2024"
[workspace]
[dependencies]
flint3-sys = "=3.6.1"
gmp-mpfr-sys = "=1.7.1"
TOML
(cd "$sources" && cargo vendor --quiet --versioned-dirs >/dev/null)
gmp=$(echo "$sources"/vendor/gmp-mpfr-sys-*/gmp-*-c)
flint=$(echo "$sources"/vendor/flint3-sys-*/flint)
jobs=$(nproc)

echo "GMP: $(basename "$gmp")"
(
  cd "$gmp"
  sh ./configure $gmp_cpu --disable-shared --with-pic --prefix="$folder"
  make -j"$jobs"
  make install
) >"$folder/gmp.log" 2>&1 || { tail "$folder/gmp.log" >&2; exit 1; }

echo "FLINT: $(cat "$flint/VERSION")"
(
  cd "$flint"
  sh ./bootstrap.sh
  # By itself the configuration leaves transforms out if the compiler does not know the processor. FLINT has no
  # AVX-512 of its own; with it, GCC 12 refuses some of its assembly.
  CFLAGS="-O3 -march=$march -mno-avx512f" sh ./configure $flint_cpu --disable-shared --prefix="$folder" --with-gmp="$folder"
  # An archive of single objects, as for optimisation at link time: only what is called is linked.
  make -j"$jobs" WANT_LTO=1 static
  mkdir -p "$folder/include/flint"
  cp src/*.h "$folder/include/flint"
  cp libflint.a "$folder/lib"
) >"$folder/flint.log" 2>&1 || { tail "$folder/flint.log" >&2; exit 1; }
