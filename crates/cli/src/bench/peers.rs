//! What others reach with the same operations on the same GPU.

/// Milliseconds of others on an H200, for 2^32 bits of each operand. None: not measured, or it does not run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Peers {
    /// The GPU code of "Efficient GPU implementation of multi-precision integer arithmetic" (Oancea and others).
    pub(super) paper: Option<f64>,
    /// NVIDIA's CGBN.
    pub(super) cgbn: Option<f64>,
}

/// Of 2^9, 2^10 and so on.
const PAPER_ADD: [f64; 10] = [0.43, 0.43, 0.43, 0.43, 0.43, 0.43, 0.43, 0.43, 0.45, 0.50];
const PAPER_ADD6: [f64; 10] = [1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.07, 1.57];
const PAPER_PRODUCT: [f64; 9] = [1.24, 1.64, 1.82, 3.13, 5.96, 9.63, 17.1, 32.1, 62.0];
const CGBN_ADD: [f64; 8] = [0.56, 0.39, 0.38, 0.38, 0.75, 1.45, 2.45, 2.31];
const CGBN_ADD6: [f64; 8] = [1.25, 0.66, 0.41, 0.38, 0.77, 1.42, 2.28, 2.28];
const CGBN_PRODUCT: [f64; 8] = [0.51, 0.86, 1.30, 2.56, 4.69, 9.31, 19.3, 38.6];

/// Quotient and remainder by divisors of half the width.
const CGBN_DIVREM: [f64; 7] = [5.2, 4.6, 4.9, 6.1, 8.0, 11.4, 29.4];

/// Thousand instances of CGBN per second, from 2^9 on.
const CGBN_GCD: [f64; 5] = [130_411.0, 52_716.0, 17_386.0, 6932.0, 2453.0];
const CGBN_ISQRT: [f64; 5] = [1_447_350.0, 824_643.0, 329_366.0, 134_383.0, 58_884.0];
const CGBN_MODINV: [f64; 5] = [31_998.0, 13_159.0, 5550.0, 3169.0, 1072.0];
const CGBN_POWMOD: [f64; 5] = [2212.0, 513.0, 80.4, 14.1, 2.0];

/// Milliseconds of CGBN on an H200 for so many instances of an operation of number theory, whose rate hardly depends on them.
pub(super) fn cgbn_rate(device: &str, operation: &str, bits: u32, instances: u64) -> Option<f64> {
    let rates = match operation {
        "gcd" => CGBN_GCD,
        "isqrt" => CGBN_ISQRT,
        "modinv" => CGBN_MODINV,
        "powmod" => CGBN_POWMOD,
        _ => return None,
    };
    let known = device.contains("H200") && bits.is_power_of_two();
    let index = known.then(|| bits.ilog2().checked_sub(9)).flatten()?;
    rates.get(index as usize).map(|rate| instances as f64 / rate)
}

/// What others reach on this device, with batches of this size.
pub(super) fn peers(device: &str, batch_bits: u64, operation: &str, bits: u32) -> Peers {
    if !device.contains("H200") || batch_bits != 1 << 32 || !bits.is_power_of_two() {
        return Peers::default();
    }
    let (paper, cgbn): (&[f64], &[f64]) = match operation {
        "add1" => (&PAPER_ADD, &CGBN_ADD),
        "add6" => (&PAPER_ADD6, &CGBN_ADD6),
        "mul-classical" | "mul-ntt" | "mul-tensor" | "mul-auto" => (&PAPER_PRODUCT, &CGBN_PRODUCT),
        "divrem" => (&[], &CGBN_DIVREM),
        _ => return Peers::default(),
    };
    let of = |times: &[f64]| bits.ilog2().checked_sub(9).and_then(|k| times.get(k as usize)).copied();
    Peers { paper: of(paper), cgbn: of(cgbn) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn others_are_quoted_where_they_were_measured() {
        let of = |operation, bits| peers("NVIDIA H200", 1 << 32, operation, bits);
        assert_eq!(of("mul-classical", 512), Peers { paper: Some(1.24), cgbn: Some(0.51) });
        assert_eq!(of("mul-classical", 1 << 17), Peers { paper: Some(62.0), cgbn: None });
        assert_eq!(of("add6", 1 << 18), Peers { paper: Some(1.57), cgbn: None });
        for (operation, bits) in [("mul-classical", 1 << 18), ("add1", 256), ("add1", 1000), ("sub1", 512)] {
            assert_eq!(of(operation, bits), Peers::default());
        }
        assert_eq!(peers("NVIDIA A100", 1 << 32, "add1", 512), Peers::default());
        assert_eq!(peers("NVIDIA H200", 1 << 30, "add1", 512), Peers::default());
    }
}
