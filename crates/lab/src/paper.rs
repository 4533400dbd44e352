//! The unit of Oancea and Watt, "GPU Implementations for Midsize Integer Addition and Multiplication",
//! section 6.1.

use std::ops::RangeInclusive;

/// The widths of their tables, exponents of 2.
pub(crate) const WIDTHS: RangeInclusive<u32> = 11..=18;

/// The unit in words.
pub(crate) const GU32OPS: &str = "Gu32ops/s = 300 * NumInsts * m * log2(m) / seconds / 10^9 with m = NumBits / 32 for a low product, four \
                                  times as many for Poly (Oancea and Watt)";

/// 10^9 operations of 32 bits per second by that formula; None for what the paper has no formula for.
pub(crate) fn gu32ops(operation: &str, bits: u32, instances: f64, ms: f64) -> Option<f64> {
    let (what, _) = operation.rsplit_once('-')?;
    let products = match what {
        "mul" => 1.0,
        "poly" => 4.0,
        _ => return None,
    };
    // The formula is of whole words, two at least.
    let is_counted = bits.is_multiple_of(32) && bits > 32;
    is_counted.then(|| products * word_operations(bits, instances) / (ms * 1e6))
}

/// Operations of a batch of products.
fn word_operations(bits: u32, instances: f64) -> f64 {
    let words = f64::from(bits) / 32.0;
    300.0 * instances * words * words.log2()
}

/// Gigabytes per second of an addition: two operands and a result.
pub(crate) fn gigabytes(ms: f64, _: u32, batch_bits: u64) -> f64 {
    3.0 * batch_bits as f64 / 8.0 / (ms * 1e6)
}

/// 10^9 operations of 32 bits per second, as the paper counts those of a product.
pub(crate) fn operations(ms: f64, bits: u32, batch_bits: u64) -> f64 {
    word_operations(bits, batch_bits as f64 / f64::from(bits)) / (ms * 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_those_of_the_paper() {
        // 2^32 bits in 0.5 ms: 3 * 2^29 bytes.
        assert!((gigabytes(0.5, 0, 1 << 32) - 3_221.225_472).abs() < 1e-6);
        // 2^18 bits, 2^14 instances, m = 2^13: 300 * 2^14 * 2^13 * 13 operations.
        let expected = 300.0 * f64::from(1_u32 << 27) * 13.0 / 25.2e6;
        assert!((operations(25.2, 1 << 18, 1 << 32) - expected).abs() < 1e-6);
    }
}
