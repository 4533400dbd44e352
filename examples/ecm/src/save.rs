//! Save files of GMP-ECM: what stage 1 leaves of each curve, for its stage 2.
//!
//! The format is that of GMP-ECM 7, documented in its README ("How to save/resume a residue"). The checksum is the product
//! of B1, sigma, N, X and PARAM + 1 modulo 4294967291, the largest prime below 2^32.

use std::fs::OpenOptions;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use limbforge_hunts::HuntError;
use num_bigint::BigUint;

/// The modulus of checksums.
const CHECKSUM_MODULUS: u64 = 4_294_967_291;

/// The curves of GMP-ECM that the programs take: d = (a + 2) / 4 = sigma / 2^32, P = (2 : 1).
const PARAM: u64 = 3;

/// The line of a curve, for x = X / Z modulo N of the point that stage 1 leaves.
#[must_use]
pub fn line(n: &BigUint, sigma: u32, x: &BigUint, b1: u32) -> String {
    let residue = |factor: &BigUint| u64::try_from(factor % CHECKSUM_MODULUS).unwrap_or_default();
    // Residues have 32 bits.
    let factors = [b1.into(), sigma.into(), residue(n), residue(x), PARAM + 1];
    let checksum = factors.iter().fold(1_u64, |product, factor| product * factor % CHECKSUM_MODULUS);
    format!(
        "METHOD=ECM; PARAM={PARAM}; SIGMA={sigma}; B1={b1}; N={n}; X=0x{x:x}; CHECKSUM={checksum}; \
         PROGRAM=limbforge {}; X0=0x0; Y0=0x0;\n",
        env!("CARGO_PKG_VERSION")
    )
}

/// Appends to a file of which so many bytes stay. Returns its new length.
pub(crate) fn append(path: &Path, bytes: u64, text: &str) -> Result<u64, HuntError> {
    let write = || {
        let mut file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
        file.set_len(bytes)?;
        file.seek(SeekFrom::End(0))?;
        file.write_all(text.as_bytes())?;
        file.sync_data()
    };
    write().map_err(HuntError::file(path))?;
    Ok(bytes + text.len() as u64)
}
