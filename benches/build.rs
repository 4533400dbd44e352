//! Compiles the calls of FLINT's and GMP's functions, many of which are inline in their headers, and links them
//! with the libraries that `peers/build.sh` has built in the folder `LIMBFORGE_PEERS`.

#[cfg(not(feature = "flint"))]
const fn main() {}

#[cfg(feature = "flint")]
fn main() -> Result<(), String> {
    println!("cargo::rerun-if-changed=peers/calls.c");
    println!("cargo::rerun-if-env-changed=LIMBFORGE_PEERS");
    let folder = std::env::var("LIMBFORGE_PEERS")
        .map_err(|_| "LIMBFORGE_PEERS names no folder: run benches/peers/build.sh FOLDER")?;
    let mut build = cc::Build::new();
    build.file("peers/calls.c").include(format!("{folder}/include"));
    build.flag("-march=native").opt_level(3).compile("peers_calls");
    println!("cargo::rustc-link-search=native={folder}/lib");
    println!("cargo::rustc-link-lib=static=flint");
    println!("cargo::rustc-link-lib=static=gmp");
    // For FLINT's functions that print, which errors call.
    println!("cargo::rustc-link-lib=mpfr");
    Ok(())
}
