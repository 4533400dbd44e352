//! The order in which rows go into the store.

use crate::row::Row;

/// The indices of rows in their order. Most are told apart by the first bytes of x, which lie side by side here.
pub(super) fn indices(rows: &[Row]) -> Vec<usize> {
    let first =
        |x: &[u8]| x.iter().chain(&[0; 16]).take(16).fold(0, |word, &byte| word << 8 | u128::from(byte));
    let mut keys: Vec<(u128, usize)> = rows.iter().map(|row| first(&row.x)).zip(0..).collect();
    keys.sort_unstable_by(|(left, i), (right, j)| left.cmp(right).then_with(|| rows[*i].cmp(&rows[*j])));
    keys.into_iter().map(|(_, at)| at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::Origin;

    #[test]
    fn rows_are_in_the_order_of_their_x_and_origins() {
        let row = |i: u32| {
            let mut x = vec![(i % 5) as u8; 17];
            (x[3], x[16]) = ((i % 3) as u8, (i % 7) as u8);
            Row { x, origin: Origin { worker: i % 2, epoch: 0, walk: 1000 - i, steps: 1 } }
        };
        let rows: Vec<Row> = (0..1000).map(row).collect();
        let mut sorted = rows.clone();
        sorted.sort();
        let ordered: Vec<Row> = indices(&rows).into_iter().map(|at| rows[at].clone()).collect();
        assert_eq!(ordered, sorted);
        // Shorter than 16 bytes.
        let short: Vec<Row> = rows.iter().map(|row| Row { x: row.x[14..].to_vec(), ..row.clone() }).collect();
        let mut sorted = short.clone();
        sorted.sort();
        assert_eq!(indices(&short).into_iter().map(|at| short[at].clone()).collect::<Vec<_>>(), sorted);
    }
}
