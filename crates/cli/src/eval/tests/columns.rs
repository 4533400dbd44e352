//! Columns of every kind of file, in batches of any size: results are those of `num-bigint`, and what is kept
//! beside them is what was there.

mod files;

use std::path::{Path, PathBuf};

use limbforge::limb::IntType;
use num_bigint::BigInt;

use self::files::{Style, Values, read, write};
use super::files::{Random, number};
use super::reference::wrapped;
use super::{run, tiny};
use crate::eval::sizes::Sizes;

const KINDS: [&str; 4] = ["parquet", "arrow", "arrows", "csv"];

/// A sum or quotient of columns of two files.
struct Case {
    ty: IntType,
    divides: bool,
    marks: bool,
    columns: [Values; 2],
    /// The files, and whether they are CSV.
    paths: Vec<(PathBuf, bool)>,
    arguments: Vec<String>,
}

impl Case {
    fn random(random: &mut Random, folder: &Path) -> Self {
        let ty = IntType::new(random.pick(&[1, 8, 64, 100, 131, 192, 1000]), random.once_in(2)).unwrap();
        let (rows, has_nulls) = (random.pick(&[1, 2, 5, 60, 300]), random.once_in(2));
        let counts = [rows, if random.once_in(3) { 1 } else { rows }];
        let columns = counts.map(|count| {
            let mut value = || {
                // The null of an integer that is used for all rows would end the run.
                let is_null = has_nulls && count > 1 && random.once_in(9);
                (!is_null).then(|| number(random, ty.bits().into(), ty.is_signed()))
            };
            (0..count).map(|_| value()).collect()
        });
        let (divides, marks) = (random.once_in(2), random.once_in(2));
        let mut case = Self { ty, divides, marks, columns, paths: vec![], arguments: vec![] };
        case.write(random, folder);
        case
    }

    fn write(&mut self, random: &mut Random, folder: &Path) {
        let expression = if self.divides { "a / b" } else { "a + b" };
        let mut words = vec![expression.to_owned(), "--keep=id".to_owned(), "--format=dec".to_owned()];
        let mut is_typed = true;
        for (name, values) in ["a", "b"].into_iter().zip(&self.columns) {
            let (kind, is_csv) = random.pick(&KINDS.map(|kind| (kind, kind == "csv")));
            let style = random.pick(&[Style::Typed, Style::Digits, Style::Prefixed]);
            let style = if is_csv { Style::Digits } else { style };
            is_typed &= style == Style::Typed;
            let path = folder.join(format!("{name}.{kind}"));
            write(&path, kind, values, self.ty, style, 1 + random.below(70));
            words.push(format!("--in={name}={}:x", path.display()));
            self.paths.push((path, is_csv));
        }
        if !is_typed || random.once_in(2) {
            words.push(format!("--bits={}", self.ty.bits()));
            words.extend(self.ty.is_signed().then(|| "--signed".to_owned()));
        }
        words.extend(self.marks.then(|| "--on-error=mark".to_owned()));
        self.arguments = words;
    }

    const fn rows(&self) -> usize {
        self.columns[0].len()
    }

    fn at(&self, column: usize, row: usize) -> Option<BigInt> {
        let values = &self.columns[column];
        values[if values.len() == 1 { 0 } else { row }].clone()
    }

    fn value(&self, row: usize) -> Option<BigInt> {
        let (a, b) = (self.at(0, row)?, self.at(1, row)?);
        let value = match self.divides {
            true if b == BigInt::ZERO => return None,
            true => a / b,
            false => a + b,
        };
        Some(wrapped(value, self.ty.bits().into(), self.ty.is_signed()))
    }

    /// The error of a run that does not mark failures.
    fn error(&self) -> Option<String> {
        let row = (0..self.rows()).find(|&row| self.value(row).is_none() && !self.marks)?;
        let null = (0..2).find(|&column| self.at(column, row).is_none());
        let column = null.unwrap_or(1);
        let row = if self.columns[column].len() == 1 { 0 } else { row };
        let (path, is_csv) = &self.paths[column];
        let why =
            if null.is_some() { "expected an integer, found null" } else { "division by zero: `b` is 0" };
        // The header is a line.
        Some(format!("{}:x:{}: {why}", path.display(), if *is_csv { row + 2 } else { row + 1 }))
    }
}

fn check(seed: u64) {
    let mut random = Random::new(seed);
    let folder = tempfile::tempdir().unwrap();
    let case = Case::random(&mut random, folder.path());
    let expected: Vec<_> = (0..case.rows()).map(|row| (row as i64, case.value(row))).collect();
    let kind = random.pick(&KINDS);
    let out = folder.path().join(format!("out.{kind}"));
    let target = format!("{}:r", out.display());
    let about = format!("seed {seed}, {:?} to {kind}", case.arguments);
    for sizes in [Sizes::default(), tiny(&mut random), tiny(&mut random)] {
        let outcome = run(&case.arguments, &target, sizes).map_err(|error| error.to_string());
        if let Some(error) = case.error() {
            assert_eq!((outcome, out.exists()), (Err(error), false), "{sizes:?}, {about}");
            continue;
        }
        assert_eq!(outcome, Ok(()), "{sizes:?}, {about}");
        assert_eq!(read(&out, kind), expected, "{sizes:?}, {about}");
    }
    if case.error().is_some() {
        return;
    }
    let of = 1 + random.below(4);
    let mut all = vec![];
    for part in 1..=of {
        let shard = [format!("--shard={part}/{of}")];
        run(&[&case.arguments[..], &shard].concat(), &target, tiny(&mut random)).unwrap();
        all.extend(read(&out, kind));
    }
    assert_eq!(all, expected, "{of} parts: {about}");
}

#[test]
fn columns_of_every_kind() {
    (0..120).for_each(check);
}
