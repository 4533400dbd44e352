//! The rows of a table of finds, from the indices of a chunk.

use num_bigint::BigUint;
use rayon::prelude::*;
use serde_json::{Value, json};

use crate::arguments::Mode;
use crate::expected::ln;
use crate::family::Family;

/// Makes rows of finds.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    /// The number of the first form.
    Numbers,
    /// k, the number as a formula, and its decimal digits.
    Powers { first: u64, base: u64, exponent: u32, constant: i64 },
    /// Gaps from one prime to the next: those of at least `least`, or those above all before.
    Gaps { least: Option<u64>, last: Option<u64>, record: u64 },
}

impl Rows {
    pub(crate) fn new(mode: &Mode) -> Self {
        let kind = match mode {
            Mode::Range { .. } | Mode::Tuples { .. } | Mode::File { .. } => Kind::Numbers,
            Mode::Gaps { least, .. } => Kind::Gaps { least: *least, last: None, record: 0 },
            Mode::Form { base, power, k, constants, .. } => {
                let constant = constants.first().copied().unwrap_or_default();
                Kind::Powers { first: k.0, base: *base, exponent: *power, constant }
            }
        };
        Self { kind }
    }

    /// The names of the columns.
    pub(crate) const fn columns(&self) -> &'static [&'static str] {
        match self.kind {
            Kind::Numbers => &["number"],
            Kind::Powers { .. } => &["k", "number", "digits"],
            Kind::Gaps { .. } => &["gap", "merit", "prime"],
        }
    }

    /// The rows of the next finds of a family. Gaps lead from chunk to chunk.
    pub(crate) fn of(&mut self, family: &Family, indices: &[u64]) -> Vec<Vec<String>> {
        let number = |index: u64| family.forms()[0].value(index);
        match &mut self.kind {
            Kind::Numbers => indices.par_iter().map(|&index| vec![number(index).to_string()]).collect(),
            Kind::Powers { first, base, exponent, constant } => {
                let row = |&index: &u64| {
                    let k = *first + index;
                    vec![k.to_string(), format!("{k}*{base}^{exponent}{constant:+}"), digits(&number(index))]
                };
                indices.iter().map(row).collect()
            }
            Kind::Gaps { least, last, record } => {
                let mut rows = vec![];
                for &index in indices {
                    // One form, whose values are two apart.
                    let gap = last.map_or(0, |last| 2 * (index - last));
                    if gap > 0 && least.map_or(gap > *record, |least| gap >= least) {
                        let prime = number(index) - gap;
                        let merit = format!("{:.3}", gap as f64 / ln(&prime));
                        rows.push(vec![gap.to_string(), merit, prime.to_string()]);
                    }
                    *record = gap.max(*record);
                    *last = Some(index);
                }
                rows
            }
        }
    }

    /// What the next rows depend on.
    pub(crate) fn state(&self) -> Value {
        match self.kind {
            Kind::Gaps { last, record, .. } => json!({ "last": last, "record": record }),
            _ => Value::Null,
        }
    }

    /// Goes on from a state.
    pub(crate) fn set_state(&mut self, state: &Value) {
        if let Kind::Gaps { last, record, .. } = &mut self.kind {
            *last = state["last"].as_u64();
            *record = state["record"].as_u64().unwrap_or_default();
        }
    }
}

/// The number of decimal digits.
fn digits(number: &BigUint) -> String {
    number.to_string().len().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::End;

    fn of(mode: &Mode, chunks: &[&[u64]]) -> Vec<String> {
        let family = Family::range(&3_u8.into(), &1000_u32.into(), &[0]).unwrap();
        let mut rows = Rows::new(mode);
        let mut all = vec![];
        for chunk in chunks {
            let mut next = Rows::new(mode);
            next.set_state(&rows.state());
            all.extend(next.of(&family, chunk).into_iter().map(|row| row.join(" ")));
            rows = next;
        }
        all
    }

    /// Primes 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37 in chunks.
    #[test]
    fn gaps_go_from_chunk_to_chunk() {
        let gaps = |least| Mode::Gaps { first: 3_u8.into(), end: End::At(38_u8.into()), least };
        let chunks: [&[u64]; 4] = [&[0, 1, 2], &[], &[4, 5, 7, 8, 10], &[13, 14, 17]];
        assert_eq!(of(&gaps(None), &chunks), ["2 1.820 3", "4 2.056 7", "6 1.914 23"]);
        assert_eq!(of(&gaps(Some(6)), &chunks), ["6 1.914 23", "6 1.747 31"]);
    }
}
