//! Tables of text.

/// The lines with their cells below each other: columns of `words` begin at the same place, the others end
/// there. All lines have as many cells as the first.
pub fn aligned(lines: &[Vec<String>], words: &[usize]) -> Vec<String> {
    let columns = lines.first().map_or(0, Vec::len);
    let width = |i: usize| lines.iter().map(|line| line[i].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let aligned = lines.iter().map(|line| {
        let cells = line.iter().zip(&widths).enumerate().map(|(i, (cell, &width))| {
            if words.contains(&i) { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    });
    aligned.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_begin_and_numbers_end_below_each_other() {
        let lines = [["name", "n", "unit"], ["a", "12", "ms"]].map(|line| line.map(str::to_owned).to_vec());
        assert_eq!(aligned(&lines, &[0, 2]), ["name   n  unit", "a     12  ms"]);
        assert!(aligned(&[], &[]).is_empty());
    }
}
