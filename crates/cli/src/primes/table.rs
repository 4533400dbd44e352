//! Columns for people.

/// Lines of cells, the first column to the left, the others to the right.
pub(super) fn table(lines: &[Vec<String>]) -> String {
    let columns = lines.iter().map(Vec::len).max().unwrap_or_default();
    let width = |i| lines.iter().filter_map(|line| line.get(i)).map(String::len).max().unwrap_or_default();
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for line in lines {
        let cell = |(i, cell): (usize, &String)| {
            let width = widths[i];
            if i == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        };
        let cells: Vec<String> = line.iter().enumerate().map(cell).collect();
        text += cells.join("  ").trim_end();
        text += "\n";
    }
    text
}
