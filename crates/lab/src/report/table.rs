//! Tables of text: a line of names, then lines of values.

pub(super) type Table = Vec<Vec<String>>;

pub(super) fn table<H: ToString>(
    head: impl IntoIterator<Item = H>,
    rows: impl IntoIterator<Item = Vec<String>>,
) -> Table {
    let head = head.into_iter().map(|name| name.to_string()).collect();
    [head].into_iter().chain(rows).collect()
}

/// Drops the columns whose values are all `nothing`.
pub(super) fn without_columns_of(nothing: &str, mut table: Table) -> Table {
    for column in (0..table[0].len()).rev() {
        if table[1..].iter().all(|line| line[column] == nothing) {
            table.iter_mut().for_each(|line| drop(line.remove(column)));
        }
    }
    table
}

/// A power of two as such.
pub(super) fn width(number: u32) -> String {
    if number.is_power_of_two() { format!("2^{}", number.ilog2()) } else { number.to_string() }
}

/// A positive number to three digits, or to its last one before the point.
pub(super) fn three_digits(value: f64) -> String {
    let decimals = (2 - value.log10().floor() as i32).clamp(0, 6) as usize;
    format!("{value:.decimals$}")
}

/// A number to this many decimals, or nothing.
pub(super) fn fixed(value: Option<f64>, decimals: usize) -> String {
    value.map(|value| format!("{value:.decimals$}")).unwrap_or_default()
}
