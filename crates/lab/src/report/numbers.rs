//! Numbers of tables.

/// A power of two as such.
pub(super) fn width(number: u32) -> String {
    if number.is_power_of_two() { format!("2^{}", number.ilog2()) } else { number.to_string() }
}

/// A positive number to three digits, or to its last one before the point.
pub(super) fn three_digits(value: f64) -> String {
    let decimals = (2 - value.log10().floor() as i32).clamp(0, 6) as usize;
    format!("{value:.decimals$}")
}
